"""The tables of strength that the project publishes: every agent, every game, cheapest games first.

Every table is an arena or a co-op table of its own file, so a run may be stopped at any moment and
goes on where it was. What is committed is the summary: a row for each pairing or cell.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import combinations
from pathlib import Path
from typing import Literal

from dwarrow import envs
from dwarrow.benchmarks.arena import play as arenas
from dwarrow.benchmarks.arena.play import Arena
from dwarrow.benchmarks.arena.rows import FORMAT as ARENA
from dwarrow.benchmarks.campaign import Report, milliseconds
from dwarrow.benchmarks.coop import play as teams
from dwarrow.benchmarks.coop.play import FORMAT as COOP
from dwarrow.benchmarks.coop.play import Coop
from dwarrow.benchmarks.results import read_notes, write_aside
from dwarrow.benchmarks.stats import Until, share

AGENTS = (
    "random",
    "greedy",
    "rule",
    "mcts:sims=100",
    "flat_mc:sims=1000",
    "mcts:sims=1000",
    "oracle_mcts:sims=1000",
    "mcts:sims=5000",
)
"""From the cheapest to the dearest; runs of networks come behind them."""

TABLES = (
    ("the_duel", 2),
    ("aquilon", 2),
    ("aquilon", 3),
    ("aquilon", 4),
    ("dwar7s_fall", 2),
    ("dwar7s_fall", 3),
    ("dwar7s_fall", 4),
    ("the_dwarves", 2),
    ("the_dwarves", 3),
    ("the_dwarves", 4),
)
"""Games and seats, from the cheapest to the dearest."""

SEEDS = "test"
"""The frozen seeds of the co-op tables."""

Said = Callable[[str], None]

Sits = Literal["both", "alone", "table"]


@dataclass(frozen=True)
class Reference:
    """What to play.

    Attributes:
        tables: games and seats.
        agents: specs, from the cheapest to the dearest.
        focus: play only the pairings of this agent; None: everyone against everyone.
        sits: where the focus sits: alone at a table of another, at the table of one alone, or both.
        games: games of each pairing or cell at most.
        until: when a pairing or cell is known well enough; None: play all games.
        mirrors: also every agent against copies of itself.
        folder: of the files with a row a game.
        workers: processes that play.
    """

    tables: Sequence[tuple[str, int]] = TABLES
    agents: Sequence[str] = AGENTS
    focus: str | None = None
    sits: Sits = "both"
    games: int = 200
    until: Until | None = None
    mirrors: bool = True
    folder: Path = Path("results/reference")
    workers: int = 1

    def __post_init__(self) -> None:
        """Check what is not checked by arena and co-op table.

        Raises:
            ValueError: a focus that does not play, a place for no focus.
        """
        if self.focus is not None and self.focus not in self.agents:
            raise ValueError(f"focus {self.focus!r} is none of the agents {list(self.agents)}")
        if self.focus is None and self.sits != "both":
            raise ValueError(f"sits={self.sits}: say with focus who sits there")

    def groups(self) -> list[tuple[str, ...]]:
        """Return the pairs of agents, cheapest first, then the mirrors."""
        cost = {spec: 2**k for k, spec in enumerate(self.agents)}
        pairs: list[tuple[str, ...]] = [
            pair for pair in combinations(self.agents, 2) if self.focus in (None, *pair)
        ]
        pairs.sort(key=lambda pair: sum(cost[spec] for spec in pair))
        return pairs + [(spec,) for spec in self.agents if self.mirrors]

    def alone(self, group: tuple[str, ...]) -> str | None:
        """Return who of a pair sits alone; None: one after the other."""
        if self.sits == "both" or len(group) == 1:
            return None
        return self.focus if self.sits == "alone" else next(s for s in group if s != self.focus)


def play(
    reference: Reference, command: str, report: Report | None = None, say: Said = lambda what: None
) -> None:
    """Play what is missing of all tables.

    Raises:
        ValueError: something that does not fit, or a damaged file.
        KeyError: an unknown game.
        KeyboardInterrupt: the user stopped it; what was played is kept.
    """
    for name, players in reference.tables:
        path = reference.folder / f"{name}_{players}.csv"
        if envs.game(name).cooperative:
            for spec in reference.agents:
                say(f"{name}, {players} heroes: {spec}")
                coop = Coop(
                    name,
                    (spec,),
                    (players,),
                    games=reference.games,
                    seeds=SEEDS,
                    until=reference.until,
                    workers=reference.workers,
                )
                teams.run(coop, path, command, report)
            continue
        for group in reference.groups():
            say(f"{name}, {players} players: {' against '.join(group)}")
            arena = Arena(
                name,
                group,
                players,
                reference.games,
                until=reference.until,
                mirror=len(group) == 1,
                workers=reference.workers,
                alone=reference.alone(group),
            )
            arenas.run(arena, path, command, report)


@dataclass(frozen=True)
class Line:
    """A row of the summary: a pairing of an arena, or a team on a level.

    Attributes:
        game: its name.
        rules: its rules version.
        pack: hash of the component pack.
        players: seats.
        level: of difficulty, co-op games only.
        one: the agent that sits alone, or the team.
        rest: the agent of the other seats; empty in a co-op game.
        games: games played.
        share: share of the games won, ties split.
        low: lower end of Wilson's interval at 95 %.
        high: upper end.
        margin: mean points over the best of the rest; co-op: mean points.
        one_ms: mean time of a decision of `one`, on the machine that played.
        rest_ms: of `rest`.
    """

    game: str
    rules: str
    pack: str
    players: int
    level: str
    one: str
    rest: str
    games: int
    share: float
    low: float
    high: float
    margin: float
    one_ms: float
    rest_ms: float | str


def summary(folder: Path) -> list[Line]:
    """Summarise the tables that lie in a folder.

    Raises:
        ValueError: a damaged file.
    """
    lines: list[Line] = []
    for name, players in TABLES:
        path = folder / f"{name}_{players}.csv"
        if path.exists():
            lines += _cells(path) if envs.game(name).cooperative else _pairings(path)
    return lines


def _place(specs: Sequence[str]) -> tuple[bool, list[tuple[int, str]]]:
    """Return by what to sort: mirrors last, cheap agents first."""
    known = [AGENTS.index(spec) if spec in AGENTS else len(AGENTS) for spec in specs]
    return len(specs) != len(set(specs)), list(zip(known, specs, strict=True))


def _pairings(path: Path) -> Iterator[Line]:
    origin, rows, _ = ARENA.read(path)
    if origin is None:
        return
    notes = read_notes(path)
    for one, rest in sorted({(row.one, row.rest) for row in rows}, key=_place):
        games = [row for row in rows if (row.one, row.rest) == (one, rest)]
        won = share(sum(row.win for row in games), len(games))
        yield Line(
            origin.game,
            origin.rules,
            origin.pack,
            origin.players,
            "",
            one,
            rest,
            won.n,
            round(won.value, 4),
            round(won.interval.low, 4),
            round(won.interval.high, 4),
            round(sum(row.margin for row in games) / won.n, 2),
            float(f"{milliseconds(notes, one):.3g}"),
            float(f"{milliseconds(notes, rest):.3g}"),
        )


def _cells(path: Path) -> Iterator[Line]:
    origin, rows, _ = COOP.read(path)
    if origin is None:
        return
    notes = read_notes(path)
    levels = list(notes["levels"])
    for series in sorted(
        {row.series for row in rows}, key=lambda s: (_place((s.team,)), levels.index(s.level))
    ):
        games = [row for row in rows if row.series == series]
        won = share(sum(row.won for row in games), len(games))
        yield Line(
            origin.game,
            origin.rules,
            origin.pack,
            series.players,
            series.level,
            series.team,
            "",
            won.n,
            round(won.value, 4),
            round(won.interval.low, 4),
            round(won.interval.high, 4),
            round(sum(row.score for row in games) / won.n, 2),
            float(f"{milliseconds(notes, series.team):.3g}"),
            "",
        )


def write_summary(path: Path, lines: Sequence[Line]) -> None:
    """Write the summary as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([field.name for field in fields(Line)])
    writer.writerows(asdict(line).values() for line in lines)
    write_aside(path, text.getvalue())
