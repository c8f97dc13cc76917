"""Measures all layers of the games, and installed peers in the same run, on one core."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from dwarrow import envs
from dwarrow.benchmarks import layers, learning, startup
from dwarrow.benchmarks.goals import (
    GOALS,
    PEER_GOALS,
    TIMES,
    Measured,
    PeerGoal,
    Verdict,
    verdicts,
)
from dwarrow.benchmarks.machine import machine, stamp, versions
from dwarrow.benchmarks.peers import NEAREST, MissingError, Peer
from dwarrow.benchmarks.timing import BUSY_SPREAD, Chunk, Rate, calibrate, one_core, rate
from dwarrow.envs.core.game import Game
from dwarrow.training.crew.choose import cores

PLAYERS = {"aquilon": 3, "the_duel": 2, "dwar7s_fall": 3, "the_dwarves": 3}
"""Seats at the table; two lords for a search in Aquilon, as in the goals."""

SEARCH_PLAYERS = {"aquilon": 2}
SIMS = 1000

COUNTS = {
    "core": "decisions of whole random games in one compiled call",
    "vector": f"decisions of random play in {layers.N_ROWS} rows, observation and mask written",
    "python": "decisions of random play through Game.step, each one checked",
    "raw_env": "turns of random play, last() and mask at each",
    "env": "the same through env()",
    "copies": "state copies in a compiled loop, mid-game",
    "resamples": "states drawn from an information set, mid-game",
    "observations": "observations of the seat to move, mid-game",
    "masks": "masks of legal actions, mid-game",
    "search": f"MCTS simulations, {SIMS} from the first decision, full random playouts",
    "search_2": "the same in two threads on two cores",
    "rollout": "decisions recorded for learning, network on one thread",
    "ppo": "decisions learned from, collecting included, float32",
    "ppo_bf16": "the same in bfloat16",
    "cold": "seconds from import to all rules compiled, empty kernel cache",
    "warm": "seconds from import to the first step",
}

LEARNS = ("aquilon",)
"""Games whose training is measured: it takes longest, and costs alike in all."""


@dataclass(frozen=True)
class Effort:
    """How long a figure is measured: seconds a repeat, repeats, and repeats of a warm start."""

    seconds: float = 0.2
    repeats: int = 5
    starts: int = 3

    @classmethod
    def quick(cls) -> Effort:
        """Return an effort for a look in passing."""
        return cls(0.08, 3, 1)


@dataclass(frozen=True)
class Figure:
    """One figure of ours."""

    game: str
    players: int
    layer: str
    counts: str
    rate: Rate


@dataclass(frozen=True)
class PeerFigure:
    """One figure of a peer, with our layer that does the same work."""

    library: str
    game: str
    exact: str
    layer: str
    counts: str
    near: tuple[str, ...]
    rate: Rate


@dataclass(frozen=True)
class PeerVerdict:
    """A promise beside a peer: the ratio, and beside which game; None if not measured."""

    goal: PeerGoal
    ratio: float | None
    beside: str

    @property
    def reached(self) -> bool | None:
        """Whether the goal is reached; None if it was not measured."""
        return None if self.ratio is None else self.ratio >= self.goal.times


@dataclass
class Report:
    """All that a run measured.

    Attributes:
        games: stamp of every game: rules version, component pack.
        figures: ours.
        peers: theirs.
        left_out: what could not be measured, and why.
        calibrations: speed of a plain Python loop, taken between the figures.
        pinned: whether one core was kept to.
        seconds: how long the run took.
        only: the layers that were asked for; all if empty.
    """

    games: dict[str, dict[str, Any]] = field(default_factory=dict)
    figures: list[Figure] = field(default_factory=list)
    peers: list[PeerFigure] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    calibrations: list[float] = field(default_factory=list)
    pinned: bool = False
    seconds: float = 0.0
    only: tuple[str, ...] = ()

    @property
    def measured(self) -> Measured:
        """Medians by game and layer."""
        return {(f.game, f.layer): f.rate.median for f in self.figures}

    @property
    def busy(self) -> bool:
        """Whether other work seems to have run meanwhile."""
        return statistics.median(self.calibrations) > BUSY_SPREAD * min(self.calibrations)

    def verdicts(self) -> list[Verdict]:
        """Judge the promises about the layers that were asked for."""
        found = verdicts(self.measured, GOALS)
        return [v for v in found if not self.only or v.goal.layer in self.only]

    def peer_verdicts(self) -> list[PeerVerdict]:
        """Judge the promises beside peers, if peers were measured."""
        found = []
        for goal in PEER_GOALS if self.peers else ():
            theirs = [
                p
                for p in self.peers
                if p.layer == goal.layer
                and goal.game in p.near
                and goal.library in (None, p.library)
                and p.game not in goal.unlike
            ]
            mine = self.measured.get((goal.game, goal.layer))
            if mine is None or not theirs:
                found.append(PeerVerdict(goal, None, "-"))
                continue
            best = max(theirs, key=lambda p: p.rate.median)
            ratio = mine / best.rate.median
            found.append(PeerVerdict(goal, ratio, f"{best.library} {best.game}: {best.counts}"))
        return found

    def to_json(self, command: str) -> dict[str, Any]:
        """Return everything, JSON-ready."""
        return {
            "kind": "speed",
            "command": command,
            "machine": machine(),
            "versions": versions(),
            "games": self.games,
            "pinned_to_one_core": self.pinned,
            "busy": self.busy,
            "calibration_mloops": {
                "median": statistics.median(self.calibrations),
                "low": min(self.calibrations),
                "high": max(self.calibrations),
            },
            "seconds": self.seconds,
            "figures": [asdict(f) for f in self.figures],
            "peers": [asdict(p) for p in self.peers],
            "goals": [
                {"goal": str(v.goal), "measured": v.measured, "reached": v.reached}
                for v in self.verdicts()
            ],
            "peer_goals": [
                {"goal": str(v.goal), "ratio": v.ratio, "beside": v.beside, "reached": v.reached}
                for v in self.peer_verdicts()
            ],
            "left_out": [{"what": what, "why": why} for what, why in self.left_out],
        }


def layer_chunks(game: Game, players: int) -> dict[str, Callable[[], Chunk]]:
    """Return how to build the chunk of every layer that runs on one core."""
    found: dict[str, Callable[[], Chunk]] = {
        "core": lambda: layers.core(game, players),
        "vector": lambda: layers.vector(game, players),
        "python": lambda: layers.python_loop(game, players),
        "raw_env": lambda: layers.environment(game, players, wrapped=False),
        "env": lambda: layers.environment(game, players, wrapped=True),
        "copies": lambda: layers.copies(game, players),
        "resamples": lambda: layers.resamples(game, players),
        "observations": lambda: layers.observations(game, players),
        "masks": lambda: layers.masks(game, players),
        "search": lambda: layers.search(game, _search_players(game, players), SIMS, 1),
    }
    if game.name in LEARNS:
        found["rollout"] = lambda: learning.rollout(game, players)
        found["ppo"] = lambda: learning.ppo(game, players, bf16=False)
        found["ppo_bf16"] = lambda: learning.ppo(game, players, bf16=True)
    return found


def _search_players(game: Game, players: int) -> int:
    return SEARCH_PLAYERS.get(game.name, players)


Said = Callable[[str], None]
"""Told what is being measured."""


def measure(
    names: Sequence[str],
    effort: Effort,
    *,
    peers: bool,
    compile_afresh: Sequence[str],
    only: Sequence[str] = (),
    say: Said = lambda what: None,
) -> Report:
    """Measure.

    Args:
        names: games.
        effort: how long.
        peers: whether installed peers are measured too.
        compile_afresh: games whose cold compilation is measured.
        only: layers to measure; all if empty.
        say: told what is being measured.

    Raises:
        KeyError: an unknown game.
        ValueError: an unknown layer.
    """
    unknown = [layer for layer in only if layer not in COUNTS]
    if unknown:
        raise ValueError(f"unknown layers {unknown}: known are {list(COUNTS)}")
    begun, report = time.monotonic(), Report(only=tuple(only))
    games = [envs.game(name) for name in names]
    report.calibrations.append(calibrate())
    for game in games:
        _start_up(game, report, compile_afresh, only, effort, say)
    for game in games:
        _measure_game(game, report, only, effort, say)
    if peers:
        with one_core() as report.pinned:
            for peer in NEAREST:
                if set(peer.near) & set(names) and (not only or peer.layer in only):
                    _measure_peer(peer, report, effort, say)
    report.calibrations.append(calibrate())
    report.seconds = time.monotonic() - begun
    return report


def _start_up(
    game: Game,
    report: Report,
    compile_afresh: Sequence[str],
    only: Sequence[str],
    effort: Effort,
    say: Said,
) -> None:
    wanted: dict[str, Callable[[], Rate]] = {}
    if game.name in compile_afresh:
        wanted["cold"] = lambda: startup.cold(game.name)
    wanted["warm"] = lambda: startup.warm(game.name, effort.starts)
    for layer, take in wanted.items():
        if not only or layer in only:
            say(f"{game.name} {layer}")
            players = int(game.options().to_dict()["players"])
            report.figures.append(Figure(game.name, players, layer, COUNTS[layer], take()))


def _measure_game(
    game: Game, report: Report, only: Sequence[str], effort: Effort, say: Said
) -> None:
    players = PLAYERS.get(game.name, int(game.options().to_dict()["players"]))
    report.games[game.name] = stamp(game)
    say(f"{game.name}: compiling")
    startup.fill_cache(game.name, players, only or list(COUNTS))
    game.ready()

    def take(layer: str, make: Callable[[], Chunk]) -> None:
        if only and layer not in only:
            return
        say(f"{game.name} {layer}")
        seats = _search_players(game, players) if layer.startswith("search") else players
        try:
            found = rate(make(), effort.seconds, effort.repeats)
        except Exception as error:  # one layer that fails must not cost the others
            report.left_out.append((f"{game.name} {layer}", f"{type(error).__name__}: {error}"))
            return
        report.figures.append(Figure(game.name, seats, layer, COUNTS[layer], found))
        report.calibrations.append(calibrate())

    with one_core() as report.pinned:
        for layer, make in layer_chunks(game, players).items():
            take(layer, make)
    if cores() > 1:
        take("search_2", lambda: layers.search(game, _search_players(game, players), SIMS, 2))
    elif not only or "search_2" in only:
        report.left_out.append((f"{game.name} search_2", "one core only"))


def _measure_peer(peer: Peer, report: Report, effort: Effort, say: Said) -> None:
    name = f"{peer.library} {peer.game} {peer.layer}"
    say(name)
    try:
        found = rate(peer.make(), effort.seconds, effort.repeats)
    except MissingError as error:
        report.left_out.append((name, str(error)))
        return
    except Exception as error:  # a peer's own fault is said, and does not end the run
        report.left_out.append((name, f"{type(error).__name__}: {error}"))
        return
    report.peers.append(
        PeerFigure(peer.library, peer.game, peer.exact, peer.layer, peer.counts, peer.near, found)
    )
    report.calibrations.append(calibrate())


def times(figure: Figure) -> bool:
    """Return whether a figure is a time in seconds, not a rate."""
    return figure.layer in TIMES
