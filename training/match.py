"""Matches: who sits where on which deal, played in batches; the rows that arenas are made of.

A row depends on its lineup alone: not on what else is played, in what order, on how many workers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from dwarrow.agents.base import Agent, Decision, Rows
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import States
from dwarrow.envs.core.replay import Replay, record
from dwarrow.training.tables import Tables

_MOVES_NOTED = 8  # of a policy, in a replay


class Lineup(NamedTuple):
    """One match to play.

    Attributes:
        seed: the seed of the game, and with the seat that of each agent's luck.
        seats: the name of the agent in each seat.
    """

    seed: int
    seats: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """How a match went.

    Attributes:
        seed: the game's seed.
        seats: the name of the agent in each seat.
        utilities: utility of each seat, from -1 to 1.
        scores: the rulebook's points of each seat.
        decisions: decisions that each seat took; forced moves are not counted.
        moves: moves of the whole game, forced ones included.
        extra: what the `inspect` function said of the final state.
    """

    seed: int
    seats: tuple[str, ...]
    utilities: tuple[float, ...]
    scores: tuple[float, ...]
    decisions: tuple[int, ...]
    moves: int
    extra: Any = None


@dataclass
class ThinkingTime:
    """Seconds spent and decisions taken, by agent name; filled while matches are played."""

    seconds: dict[str, float] = field(default_factory=dict)
    decisions: dict[str, int] = field(default_factory=dict)

    def add(self, name: str, seconds: float, decisions: int) -> None:
        """Count one batch of decisions."""
        self.seconds[name] = self.seconds.get(name, 0.0) + seconds
        self.decisions[name] = self.decisions.get(name, 0) + decisions


def play_matches(
    game: Game,
    options: Mapping[str, Any],
    lineups: Sequence[Lineup],
    agents: Mapping[str, Agent],
    *,
    tables: int = 128,
    inspect: Callable[[States, int], Any] | None = None,
    on_row: Callable[[int, Row], None] | None = None,
    thinking: ThinkingTime | None = None,
    on_replay: Callable[[int, Replay], None] | None = None,
) -> list[Row]:
    """Play `lineups` and return a row for each, in their order.

    Args:
        game: the game.
        options: its options except ``players``, which is the number of seats of a lineup.
        lineups: the matches.
        agents: the agents by the names that lineups use.
        tables: how many matches are in play at once; of no influence on the rows.
        inspect: called with each final state as ``(states, i)``; its answer is `Row.extra`.
        on_row: called with the index of a lineup and its row as soon as it is played.
        thinking: where to count the time that each agent takes.
        on_replay: called like `on_row` with the replay of the match: every move, what the agents
            thought of it if they say so, and the result.

    Raises:
        ValueError: a lineup names an unknown agent, or options do not fit the game.
    """
    found = dict(
        stream_matches(game, options, lineups, agents, tables, inspect, on_row, thinking, on_replay)
    )
    return [found[k] for k in range(len(lineups))]


def stream_matches(
    game: Game,
    options: Mapping[str, Any],
    lineups: Sequence[Lineup],
    agents: Mapping[str, Agent],
    tables: int = 128,
    inspect: Callable[[States, int], Any] | None = None,
    on_row: Callable[[int, Row], None] | None = None,
    thinking: ThinkingTime | None = None,
    on_replay: Callable[[int, Replay], None] | None = None,
) -> Iterator[tuple[int, Row]]:
    """Play `lineups` and yield ``(index, row)`` as each is played; see `play_matches`."""
    if not lineups:
        return
    names = _names(lineups, agents)
    counts = sorted({len(lineup.seats) for lineup in lineups})
    templates = np.concatenate(
        [game.blank(1, game.options.parse({**options, "players": n})) for n in counts]
    )
    hall = _Hall(game, templates, counts, lineups, names, min(tables, len(lineups)))
    hall.recording = on_replay is not None
    while len(hall.playing):
        for row, index in hall.finish():
            done = hall.row(row, index, inspect)
            if on_row is not None:
                on_row(index, done)
            if on_replay is not None:
                on_replay(index, hall.replay(row, index, options))
            yield index, done
        hall.play([agents[name] for name in names], thinking)


def _names(lineups: Iterable[Lineup], agents: Mapping[str, Agent]) -> list[str]:
    names = list(dict.fromkeys(name for lineup in lineups for name in lineup.seats))
    for name in names:
        if name not in agents:
            raise ValueError(f"a lineup seats {name!r}, but the agents are {list(agents)}")
    return names


class _Hall:
    """The tables at which the lineups are played, and who sits where."""

    def __init__(
        self,
        game: Game,
        templates: States,
        counts: list[int],
        lineups: Sequence[Lineup],
        names: list[str],
        n: int,
    ) -> None:
        self.game, self.lineups, self.names = game, lineups, names
        self.numbers = {name: k for k, name in enumerate(names)}
        self.template_of = {n_seats: k for k, n_seats in enumerate(counts)}
        self.tables = Tables(game, templates, n)
        self.owner = np.zeros((n, game.max_seats), np.int64)
        self.asked = np.zeros((n, game.max_seats), np.int64)
        self.index = np.zeros(n, np.int64)
        self.recording = False
        self.moves: list[list[tuple[int, dict[str, Any]]]] = [[] for _ in range(n)]
        self.next = 0
        self.playing: Rows = np.zeros(0, np.int64)
        self.seat_next(np.arange(n))

    def seat_next(self, rows: Rows) -> None:
        """Begin the next lineups at the free tables `rows`; tables beyond the last stay empty."""
        rows = rows[: len(self.lineups) - self.next]
        chosen = range(self.next, self.next + len(rows))
        self.next += len(rows)
        self.index[rows] = chosen
        self.asked[rows] = 0
        for row, k in zip(rows, chosen, strict=True):
            seats = self.lineups[k].seats
            self.moves[row] = []
            self.owner[row, : len(seats)] = [self.numbers[name] for name in seats]
        self.tables.begin(
            rows,
            np.array([self.template_of[len(self.lineups[k].seats)] for k in chosen], np.int64),
            np.array([self.lineups[k].seed for k in chosen], np.int64),
        )
        self.playing = np.sort(np.concatenate([self.playing, rows]))

    def finish(self) -> Iterator[tuple[int, int]]:
        """Yield (table, index of lineup) of each finished game, then seat new ones there."""
        over = self.playing[self.tables.states["over"][self.playing] == 1]
        if not len(over):
            return
        self.utilities, self.points = self.tables.results(over)
        self.over = {int(row): k for k, row in enumerate(over)}
        for row in over:
            yield int(row), int(self.index[row])
        self.playing = np.setdiff1d(self.playing, over)
        self.seat_next(over)

    def row(self, row: int, index: int, inspect: Callable[[States, int], Any] | None) -> Row:
        """Return the row of a game that `finish` has just named."""
        lineup, k = self.lineups[index], self.over[row]
        n_seats = len(lineup.seats)
        return Row(
            lineup.seed,
            lineup.seats,
            tuple(map(float, self.utilities[k, :n_seats])),
            tuple(map(float, self.points[k, :n_seats])),
            tuple(map(int, self.asked[row, :n_seats])),
            int(self.tables.states["decision"][row]),
            None if inspect is None else inspect(self.tables.states, row),
        )

    def replay(self, row: int, index: int, options: Mapping[str, Any]) -> Replay:
        """Return the replay of a game that `finish` has just named."""
        lineup, moves = self.lineups[index], self.moves[row]
        return record(
            self.game,
            lineup.seed,
            [action for action, _ in moves],
            {**options, "players": len(lineup.seats)},
            lineup.seats,
            [note for _, note in moves],
            forced=False,
        )

    def play(self, agents: Sequence[Agent], thinking: ThinkingTime | None) -> None:
        """Let every agent act once at the tables where its seat is to move."""
        states = self.tables.states
        rows = self.playing[states["over"][self.playing] == 0]
        seats = states["seat"][rows]
        owner = self.owner[rows, seats]
        words = self.tables.words(rows)
        actions = np.zeros(len(rows), np.int64)
        for number in np.unique(owner):
            mine = np.flatnonzero(owner == number)
            begun = time.perf_counter()
            decision = agents[number].act(self.game, states, rows[mine], words[mine])
            actions[mine] = decision.action
            if thinking is not None:
                thinking.add(self.names[number], time.perf_counter() - begun, len(mine))
            if self.recording:
                for k, row in enumerate(rows[mine]):
                    note = thought(self.game, decision, k)
                    self.moves[row].append((int(decision.action[k]), note))
        self.asked[rows, seats] += 1
        self.tables.step(rows, actions)


def thought(game: Game, decision: Decision, k: int) -> dict[str, Any]:
    """Return what an agent says of its decision in row `k`, JSON-ready: value, likeliest moves."""
    note: dict[str, Any] = {}
    if decision.value is not None:
        note["value"] = round(float(decision.value[k]), 4)
    if decision.policy is not None:
        shares = decision.policy[k]
        best = [int(a) for a in np.argsort(-shares, kind="stable")[:_MOVES_NOTED] if shares[a] > 0]
        note["policy"] = {game.action_name(a): round(float(shares[a]), 4) for a in best}
    return note
