"""Runs an arena: a round robin as a campaign."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dwarrow import envs
from dwarrow.benchmarks.arena.rows import FORMAT, GameRow, Origin
from dwarrow.benchmarks.arena.schedule import Match, Pairing, matches, pairings, rounds
from dwarrow.benchmarks.campaign import Campaign, Outcome, Report, play
from dwarrow.benchmarks.crew import Crew, Job, Unit
from dwarrow.benchmarks.results import DamagedError, rounded
from dwarrow.benchmarks.stats import Until
from dwarrow.envs.core.game import Game
from dwarrow.training.crew import ExecutorName
from dwarrow.training.match import Row


@dataclass(frozen=True)
class Arena:
    """What to play.

    Attributes:
        game: its name.
        agents: specs of the agents, each once.
        players: seats at the table.
        games: games of each pairing, rounded up so that every seat comes equally often.
        options: the game's other options.
        seed: seed of the first deal; deal k has ``seed + k``.
        until: stop a pairing when its win share is known so well, `games` at the latest.
        mirror: also play every agent against copies of itself.
        seconds: time for a decision; an agent that takes longer forfeits.
        workers: how many play; None: see `executor`.
        executor: where they play; None: here if there is one, else in processes.
        address: the Ray cluster, if they play there.
        alone: play only the pairings in which this agent is the one (between two
            seats it does not matter who is); None: all.
    """

    game: str
    agents: tuple[str, ...]
    players: int
    games: int = 600
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    until: Until | None = None
    mirror: bool = True
    seconds: float | None = None
    workers: int | None = None
    executor: ExecutorName | None = None
    address: str | None = None
    alone: str | None = None

    def __post_init__(self) -> None:
        """Check what does not depend on the game.

        Raises:
            ValueError: too few agents, one twice, no games.
        """
        if len(set(self.agents)) != len(self.agents):
            twice = sorted({a for a in self.agents if self.agents.count(a) > 1})
            raise ValueError(f"agents {twice} are named twice; mirror matches come by themselves")
        if len(self.agents) < 1 or (len(self.agents) < 2 and not self.mirror):
            raise ValueError("an arena needs at least two agents")
        if self.games < 1 or self.seed < 0:
            raise ValueError(f"games={self.games}, seed={self.seed}: at least 1 game, seed 0")

    def origin(self, game: Game) -> Origin:
        """Return what all rows of this arena share.

        Raises:
            ValueError: options that do not fit the game, a cooperative game, a single seat.
        """
        if game.cooperative:
            raise ValueError(f"{game.name} is cooperative: measure it with `dwarrow coop`")
        chosen = game.options.parse({**self.options, "players": self.players}).to_dict()
        if self.players < 2:
            raise ValueError("an arena needs at least two seats")
        others = {k: v for k, v in chosen.items() if k != "players"}
        text = json.dumps(others, sort_keys=True)
        return Origin(game.name, game.version, game.pack.hash, text, self.players)


def row_of(match: Match, row: Row) -> GameRow:
    """Turn a played match into a row; whoever forfeited is last, the others keep their order."""
    fault, ending = row.extra
    utilities = row.utilities
    if fault is not None:
        seat = fault[0]
        standing = [(k != seat, u) for k, u in enumerate(utilities)]
        last = len(utilities) - 1
        utilities = tuple(
            sum((mine > theirs) - (mine < theirs) for theirs in standing) / last
            for mine in standing
        )
    return GameRow(
        *match,
        row.seed,
        rounded(utilities),
        rounded(row.scores),
        row.decisions,
        row.moves,
        "" if fault is None else f"seat {fault[0]}: {fault[1]}",
        ending,
    )


def run(arena: Arena, path: Path, command: str, report: Report | None = None) -> Outcome[GameRow]:
    """Play an arena into the results file `path`, going on where an earlier run was cut off.

    Raises:
        ValueError: something in the arena that does not fit, or a results file that does not.
        KeyError: an unknown game.
        KeyboardInterrupt: the user stopped it; what was played is kept.
    """
    job = Job(arena.game, dict(arena.options), arena.agents, arena.seconds)
    origin = arena.origin(envs.game(arena.game))  # what does not fit shows before agents are made
    sides = _sides(arena, path)
    crew = Crew(job, arena.workers, arena.executor, arena.address)
    found = [
        pairing.across if pairing.across in sides else pairing
        for pairing in pairings(arena.agents, arena.players, mirror=arena.mirror)
        if arena.players == 2 or arena.alone in (None, pairing.one)
    ]
    series = {
        pairing: [
            list(matches(pairing, arena.players, deals))
            for deals in rounds(pairing, arena.players, arena.games)
        ]
        for pairing in found
    }

    def unit(items: Sequence[Match]) -> Unit:
        return Unit([match.lineup(arena.players, arena.seed) for match in items])

    campaign = Campaign(
        FORMAT,
        origin,
        series,
        unit,
        row_of,
        lambda row: Match(row.one, row.rest, row.deal, row.seat),
        lambda row: row.win,
        (arena.players,),
        arena.until,
        {
            "kind": "arena",
            "players": arena.players,
            "options": dict(arena.options),
            "seed": arena.seed,
        },
    )
    return play(campaign, crew, path, command, report)


def _sides(arena: Arena, path: Path) -> set[Pairing]:
    """Return from which side a file tells the games between two seats; look at its seeds too."""
    rows = FORMAT.read(path)[1] if path.exists() else []
    for row in rows:
        if row.seed != arena.seed + row.deal:
            raise DamagedError(
                f"{path}: its deals begin with seed {row.seed - row.deal}, not with "
                f"{arena.seed}; give that seed, or write to another file"
            )
    return {Pairing(row.one, row.rest) for row in rows} if arena.players == 2 else set()


def default_path(game: str, players: int) -> Path:
    """Return where results go unless the user says otherwise."""
    return Path("results") / f"arena_{game}_{players}.csv"
