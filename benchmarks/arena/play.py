"""Runs an arena: plays what the results file lacks, in rounds, and appends each unit as played."""

from __future__ import annotations

import hashlib
import inspect
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dwarrow.agents.base import Agent, AgentSpec
from dwarrow.agents.players import players_of
from dwarrow.benchmarks.arena.schedule import Match, Pairing, matches, pairings, rounds
from dwarrow.benchmarks.crew import Crew, Job
from dwarrow.benchmarks.machine import machine, stamp, versions
from dwarrow.benchmarks.results import GameRow, Origin, Store, read_notes, rounded, write_notes
from dwarrow.benchmarks.stats import Until, share
from dwarrow.envs.core.game import Game
from dwarrow.training.match import Row, ThinkingTime

SEARCHES = ("mcts", "flat_mc", "oracle_mcts")
"""Kinds of agents that take long for a decision: their games are saved in smaller units."""

GAMES_IN_A_UNIT = 60
GAMES_IN_A_SEARCH_UNIT = 6

Report = Callable[[int, int], None]
"""Told how many games are played, and how many there are at most."""


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
        workers: processes that play.
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
    workers: int = 1

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


@dataclass
class Outcome:
    """What an arena gave.

    Attributes:
        arena: what was asked for.
        game: the game.
        rows: the games of this arena, in the order of its schedule.
        unranked: agents that see more than their seat may.
        notes: what `results.write_notes` keeps: origin, machine, versions, time of agents.
        torn: bytes of a torn last line that were dropped from the file.
    """

    arena: Arena
    game: Game
    rows: list[GameRow]
    unranked: tuple[str, ...]
    notes: dict[str, Any]
    torn: int = 0


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


class _Schedule:
    """The rounds of an arena and what of them is already played."""

    def __init__(self, arena: Arena, rows: Sequence[GameRow]) -> None:
        self.arena = arena
        self.pairings = pairings(arena.agents, arena.players, mirror=arena.mirror)
        self.rounds = {p: rounds(p, arena.players, arena.games) for p in self.pairings}
        self.wanted = {
            m
            for p in self.pairings
            for k in range(len(self.rounds[p]))
            for m in self.matches_of(p, k)
        }
        self.played: dict[Match, GameRow] = {}
        self.add(rows)
        slow = any(AgentSpec.parse(spec).kind in SEARCHES for spec in arena.agents)
        self.unit = GAMES_IN_A_SEARCH_UNIT if slow else GAMES_IN_A_UNIT

    @property
    def most(self) -> int:
        """Number of games if no pairing stops early."""
        return len(self.wanted)

    def add(self, rows: Sequence[GameRow]) -> None:
        """Note rows as played; those of other agents or later deals are left alone."""
        found = {Match(r.one, r.rest, r.deal, r.seat): r for r in rows}
        self.played.update({match: row for match, row in found.items() if match in self.wanted})

    def matches_of(self, pairing: Pairing, k: int) -> list[Match]:
        """Return the games of round `k` of a pairing."""
        found = self.rounds[pairing]
        return list(matches(pairing, self.arena.players, found[k])) if k < len(found) else []

    def known(self, pairing: Pairing, n_rounds: int) -> bool:
        """Return whether the first rounds of a pairing tell its win share well enough."""
        if self.arena.until is None:
            return False
        rows = [self.played[m] for k in range(n_rounds) for m in self.matches_of(pairing, k)]
        return self.arena.until.reached([share(sum(r.win for r in rows), len(rows))])

    def waves(self) -> Iterator[list[Match]]:
        """Yield games that may be played side by side; the results of a wave decide the next."""
        active, k = list(self.pairings), 0
        longest = max(map(len, self.rounds.values()))
        if self.arena.until is None:
            yield [m for k in range(longest) for p in active for m in self.matches_of(p, k)]
            return
        while k < longest and active:
            yield [m for p in active for m in self.matches_of(p, k)]
            k += 1
            active = [p for p in active if not self.known(p, k)]

    def missing(self, wave: Sequence[Match]) -> Iterator[list[Match]]:
        """Yield the units of a wave that have to be played: whole ones, within one pairing."""
        for unit in self.units(wave):
            if any(match not in self.played for match in unit):
                yield unit

    def units(self, wave: Sequence[Match]) -> Iterator[list[Match]]:
        """Cut a wave into units, the same way however much of it is played."""
        start = 0
        while start < len(wave):
            pairing = wave[start][:2]
            rest = wave[start : start + self.unit]
            unit = list(rest)
            for n, match in enumerate(rest):
                if match[:2] != pairing:
                    unit = list(rest[:n])
                    break
            yield unit
            start += len(unit)


def run(arena: Arena, path: Path, command: str, report: Report | None = None) -> Outcome:
    """Play an arena into the results file `path`, going on where an earlier run was cut off.

    Raises:
        ValueError: something in the arena that does not fit, or a results file that does not.
        KeyError: an unknown game.
        KeyboardInterrupt: the user stopped it; what was played is kept.
    """
    job = Job(arena.game, {**arena.options}, arena.agents, arena.seconds)
    crew = Crew(job, arena.workers)
    origin = arena.origin(crew.game)
    made = crew.player.made
    with crew, Store(path, origin) as store:
        _check_seeds(arena, store)
        identities = {spec: identity(agent, crew.game) for spec, agent in made.items()}
        notes = _check_agents(path, identities)
        schedule = _Schedule(arena, store.rows)
        wanted: list[Match] = []
        thinking = ThinkingTime(
            dict(notes.get("seconds", {})), {k: int(v) for k, v in notes.get("asked", {}).items()}
        )
        for wave in schedule.waves():
            wanted += wave
            _play_wave(crew, arena, schedule, wave, store, thinking, report)
            before = notes.get("identities", {})
            notes.update(_notes(crew.game, arena, command, {**before, **identities}, thinking))
            write_notes(path, notes)
        rows = [schedule.played[match] for match in wanted]
        chosen = set(wanted)
        others = [r for r in store.rows if Match(r.one, r.rest, r.deal, r.seat) not in chosen]
        if [*rows, *others] != store.rows:
            store.replace([*rows, *others])
        unranked = tuple(spec for spec, agent in made.items() if not agent.ranked)
        return Outcome(arena, crew.game, rows, unranked, notes, store.torn)


def _play_wave(
    crew: Crew,
    arena: Arena,
    schedule: _Schedule,
    wave: Sequence[Match],
    store: Store,
    thinking: ThinkingTime,
    report: Report | None,
) -> None:
    units = list(schedule.missing(wave))
    lineups = ([m.lineup(arena.players, arena.seed) for m in unit] for unit in units)
    for unit, played in zip(units, crew.play(lineups), strict=True):
        rows = [row_of(match, row) for match, row in zip(unit, played.rows, strict=True)]
        fresh = [row for match, row in zip(unit, rows, strict=True) if match not in schedule.played]
        store.append(fresh)
        schedule.add(fresh)
        for spec, seconds in played.thinking.seconds.items():
            thinking.add(spec, seconds, played.thinking.decisions[spec])
        if report is not None:
            report(len(schedule.played), schedule.most)


def _check_seeds(arena: Arena, store: Store) -> None:
    for row in store.rows:
        if row.seed != arena.seed + row.deal:
            raise ValueError(
                f"{store.path}: its deals begin with seed {row.seed - row.deal}, not with "
                f"{arena.seed}; give that seed, or write to another file"
            )


def identity(agent: Agent, game: Game) -> str:
    """Return what tells this agent from another that would go by the same spec.

    For one that has weights it is their hash, for a scripted one the hash of its source.
    """
    if hasattr(agent, "identity"):
        return str(agent.identity)
    if AgentSpec.parse(agent.spec).kind in ("greedy", "rule"):
        source = inspect.getsource(inspect.getmodule(players_of(game).rule) or players_of)
        return hashlib.blake2b(source.encode(), digest_size=8).hexdigest()
    return ""


def _check_agents(path: Path, identities: Mapping[str, str]) -> dict[str, Any]:
    """Return the notes of an earlier run; refuse them if an agent of it has changed since."""
    notes = read_notes(path)
    before = notes.get("identities", {})
    for spec, identity in identities.items():
        if before.get(spec, identity) != identity:
            raise ValueError(
                f"{path}: {spec} has changed since its games were played; write to another file"
            )
    return notes


def _notes(
    game: Game,
    arena: Arena,
    command: str,
    identities: Mapping[str, str],
    thinking: ThinkingTime,
) -> dict[str, Any]:
    return {
        "kind": "arena",
        "game": game.name,
        "title": game.title,
        "players": arena.players,
        "options": dict(arena.options),
        "seed": arena.seed,
        "until": None if arena.until is None else arena.until.width,
        "command": command,
        "machine": machine(),
        "versions": versions(),
        **stamp(game),
        "identities": dict(identities),
        "seconds": thinking.seconds,
        "asked": thinking.decisions,
    }


def milliseconds(notes: Mapping[str, Any], spec: str) -> float:
    """Return an agent's mean time per decision, NaN if it is not known."""
    asked = notes.get("asked", {}).get(spec, 0)
    return 1000 * notes["seconds"][spec] / asked if asked else math.nan


def default_path(game: str, players: int) -> Path:
    """Return where results go unless the user says otherwise."""
    return Path("results") / f"arena_{game}_{players}.csv"
