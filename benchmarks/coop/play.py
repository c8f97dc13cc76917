"""Runs a co-op table: every team on every level with every set of heroes, on the same seeds."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from dwarrow import envs
from dwarrow.benchmarks.campaign import Campaign, Outcome, Report, play
from dwarrow.benchmarks.coop.seeds import seeds, seeds_hash
from dwarrow.benchmarks.crew import Crew, Job, Unit
from dwarrow.benchmarks.results import Format, rounded
from dwarrow.benchmarks.stats import Until
from dwarrow.envs.core.game import Game
from dwarrow.training.crew import ExecutorName
from dwarrow.training.match import Lineup, Row

LEVEL, HEROES = "difficulty", "heroes"
"""The options that are the level, and the heroes by name."""

OWN = {"players": "--players", LEVEL: "--levels", HEROES: "--heroes"}
"""Options that make the cells of the table, and the settings that say so."""

NO_LEVEL = "-"
ROUND = 50
"""Games of each series before the next one's turn."""

WITH = " with "
"""Joins the agents of a mixed team."""


@dataclass(frozen=True)
class Origin:
    """What the rows of one file have in common.

    Attributes:
        game: its name.
        rules: its rules version.
        pack: hash of the component pack.
        options: the game's other options, as sorted JSON.
        seeds: name and hash of the seed list.
    """

    game: str
    rules: str
    pack: str
    options: str
    seeds: str


class Series(NamedTuple):
    """One cell of the table.

    Attributes:
        level: of difficulty.
        heroes: their number if they are drawn, else their names joined by ``+``.
        team: the agent of all seats, or two joined by `WITH`.
    """

    level: str
    heroes: str
    team: str

    @property
    def players(self) -> int:
        """Number of heroes."""
        return int(self.heroes) if self.heroes.isdigit() else len(self.heroes.split("+"))

    def seats(self, deal: int) -> tuple[str, ...]:
        """Return the agent of each seat; in a mixed team they alternate, and who begins too."""
        agents = self.team.split(WITH)
        return tuple(agents[(seat + deal) % len(agents)] for seat in range(self.players))

    def options(self) -> dict[str, Any]:
        """Return the options that make this cell."""
        level = {} if self.level == NO_LEVEL else {LEVEL: self.level}
        named = {} if self.heroes.isdigit() else {HEROES: tuple(self.heroes.split("+"))}
        return {**level, **named}


class Item(NamedTuple):
    """One game to play."""

    series: Series
    deal: int


@dataclass(frozen=True)
class CoopRow:
    """One finished game.

    Attributes:
        level: of difficulty.
        heroes: their number if they are drawn, else their names.
        team: who played them.
        deal: number of the game.
        seed: its seed.
        won: 1 or 0.
        score: the rulebook's points: scenarios completed.
        moves: moves of the whole game.
        ending: why it ended.
        forfeit: who crashed or overran its time, and how; such a game is lost.
    """

    level: str
    heroes: str
    team: str
    deal: int
    seed: int
    won: int
    score: float
    moves: int
    ending: str
    forfeit: str = ""

    @property
    def series(self) -> Series:
        """The cell that this game belongs to."""
        return Series(self.level, self.heroes, self.team)

    def check(self, origin: Origin) -> None:
        """Check what the types do not say.

        Raises:
            ValueError: naming the column.
        """
        if self.won not in (0, 1):
            raise ValueError(f"column won: {self.won} is not 0 or 1")


FORMAT = Format(Origin, CoopRow, key=("level", "heroes", "team", "deal"))
"""How co-op games lie on disk."""


@dataclass(frozen=True)
class Coop:
    """What to play.

    Attributes:
        game: its name.
        agents: specs.
        players: numbers of heroes, who are then drawn.
        heroes: sets of heroes by name, each joined by ``+``.
        levels: of difficulty; all if empty.
        games: games of each cell.
        options: other options of the game.
        seeds: name of the seed list.
        until: stop a cell when its win rate is known so well, `games` at the latest.
        cross: also play mixed teams of every two agents.
        seconds: time for a decision; an agent that takes longer loses the game.
        workers: how many play; None: see `executor`.
        executor: where they play; None: here if there is one, else in processes.
        address: the Ray cluster, if they play there.
    """

    game: str
    agents: tuple[str, ...]
    players: tuple[int, ...] = ()
    heroes: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    games: int = 400
    options: Mapping[str, Any] = field(default_factory=dict)
    seeds: str = "dev"
    until: Until | None = None
    cross: bool = False
    seconds: float | None = None
    workers: int | None = None
    executor: ExecutorName | None = None
    address: str | None = None

    def teams(self) -> list[str]:
        """Return every agent alone in all seats, and if asked for every two alternating."""
        mixed = [WITH.join(pair) for pair in combinations(self.agents, 2)] if self.cross else []
        return [*self.agents, *mixed]

    def cells(self, game: Game) -> list[Series]:
        """Return the cells of the table, levels from the easiest on.

        Raises:
            ValueError: a competitive game, an unknown level, options that do not fit, nothing to
                play, an agent twice.
        """
        if not game.cooperative:
            raise ValueError(f"{game.name} is competitive: measure it with `dwarrow arena`")
        if not self.agents or len(set(self.agents)) != len(self.agents):
            raise ValueError(f"agents {list(self.agents)}: at least one, none twice")
        if self.games < 1:
            raise ValueError(f"games={self.games}: at least 1")
        for option, setting in OWN.items():
            if option in self.options:
                raise ValueError(
                    f"option {option}={self.options[option]}: give {setting}, by which the table "
                    "has its cells"
                )
        known = levels_of(game)
        for level in self.levels:
            if level not in known:
                raise ValueError(f"unknown level {level!r}: {game.name} has {', '.join(known)}")
        default = str(game.options().to_dict()["players"])
        sets = [*map(str, self.players), *self.heroes] or [default]
        cells = [
            Series(level, heroes, team)
            for heroes in sets
            for team in self.teams()
            for level in known
            if level in (self.levels or known)
        ]
        for cell in cells:
            game.options.parse({**self.options, **cell.options(), "players": cell.players})
        return cells


def levels_of(game: Game) -> list[str]:
    """Return the levels of difficulty from the easiest on; one without a name if there are none."""
    for f in fields(game.options):
        if f.name == LEVEL:
            return [str(level) for level in f.metadata["allowed"]]
    return [NO_LEVEL]


def row_of(item: Item, row: Row) -> CoopRow:
    """Turn a played game into a row; a game with a forfeit is lost."""
    fault, ending = row.extra
    return CoopRow(
        *item.series,
        item.deal,
        row.seed,
        int(row.utilities[0] > 0 and fault is None),
        rounded(row.scores[:1])[0],
        row.moves,
        ending if fault is None else "forfeit",
        "" if fault is None else f"{row.seats[fault[0]]}: {fault[1]}",
    )


def run(coop: Coop, path: Path, command: str, report: Report | None = None) -> Outcome[CoopRow]:
    """Play a co-op table into the results file `path`, going on where an earlier run stopped.

    Raises:
        ValueError: something that does not fit, or a results file that does not.
        KeyError: an unknown game.
        KeyboardInterrupt: the user stopped it; what was played is kept.
    """
    game = envs.game(coop.game)  # what does not fit shows before agents are made
    cells, chosen = coop.cells(game), seeds(coop.seeds, coop.games)
    job = Job(coop.game, dict(coop.options), coop.agents, coop.seconds)
    crew = Crew(job, coop.workers, coop.executor, coop.address)
    origin = Origin(
        game.name,
        game.version,
        game.pack.hash,
        json.dumps(dict(coop.options), sort_keys=True),
        f"{coop.seeds} {seeds_hash(coop.seeds)}",
    )
    series = {
        cell: [
            [Item(cell, deal) for deal in range(k, min(k + ROUND, coop.games))]
            for k in range(0, coop.games, ROUND)
        ]
        for cell in cells
    }

    def unit(items: Sequence[Item]) -> Unit:
        cell = items[0].series
        lineups = [Lineup(chosen[item.deal], cell.seats(item.deal)) for item in items]
        return Unit(lineups, cell.options())

    campaign = Campaign(
        FORMAT,
        origin,
        series,
        unit,
        row_of,
        lambda row: Item(row.series, row.deal),
        lambda row: float(row.won),
        sorted({cell.players for cell in cells}),
        coop.until,
        {
            "kind": "coop",
            "options": dict(coop.options),
            "seeds": coop.seeds,
            "levels": levels_of(game),
        },
    )
    return play(campaign, crew, path, command, report)
