"""What the games of a co-op table say: win rates by level, why games are lost, whether it rises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import Any

from rich.table import Table

from dwarrow.benchmarks.arena.standings import percent
from dwarrow.benchmarks.campaign import milliseconds, stopping
from dwarrow.benchmarks.coop.play import WITH, CoopRow, Series
from dwarrow.benchmarks.stats import Difference, Estimate, paired_bootstrap, share
from dwarrow.benchmarks.terminal import console, table


@dataclass(frozen=True)
class Cell:
    """One team on one level.

    Attributes:
        share: of the games won, with Wilson's interval.
        score: mean points: scenarios completed.
        moves: mean moves of a game.
        losses: reasons of lost games, with how often.
        forfeits: games lost because an agent crashed or overran its time, by what happened.
    """

    share: Estimate
    score: float
    moves: float
    losses: Counter[str]
    forfeits: Counter[str]


@dataclass(frozen=True)
class Step:
    """From one level to the next harder one, on the same deals: how much the win rate falls."""

    easier: Series
    harder: Series
    fall: Difference

    @property
    def verdict(self) -> str:
        """``falls``, ``rises``, or ``not shown`` if the games do not tell."""
        low, high = self.fall.estimate.interval
        if low > 0:
            return "falls"
        return "rises" if high < 0 else "not shown"


@dataclass(frozen=True)
class CoopTable:
    """All cells and the steps between neighbouring levels."""

    levels: tuple[str, ...]
    cells: dict[Series, Cell]
    steps: list[Step]

    @property
    def rows(self) -> list[tuple[str, str]]:
        """(heroes, team) in the order played."""
        return list(dict.fromkeys((s.heroes, s.team) for s in self.cells))


def coop_table(rows: Sequence[CoopRow], levels: Sequence[str]) -> CoopTable:
    """Compute the table; `levels` from the easiest on."""
    games: dict[Series, list[CoopRow]] = {}
    for row in rows:
        games.setdefault(row.series, []).append(row)
    found = tuple(level for level in levels if any(s.level == level for s in games))
    pairs = dict.fromkeys((s.heroes, s.team) for s in games)
    steps = [
        _step(Series(easier, *pair), Series(harder, *pair), games)
        for pair in pairs
        for easier, harder in pairwise(found)
        if Series(easier, *pair) in games and Series(harder, *pair) in games
    ]
    return CoopTable(found, {s: _cell(played) for s, played in games.items()}, steps)


def _cell(rows: Sequence[CoopRow]) -> Cell:
    return Cell(
        share(sum(row.won for row in rows), len(rows)),
        fmean(row.score for row in rows),
        fmean(row.moves for row in rows),
        Counter(row.ending for row in rows if not row.won),
        Counter(row.forfeit for row in rows if row.forfeit),
    )


def _step(easier: Series, harder: Series, games: Mapping[Series, Sequence[CoopRow]]) -> Step:
    """Compare two levels on the deals that both were played on."""
    both = {row.deal for row in games[easier]} & {row.deal for row in games[harder]}
    first, second = (
        sorted((row.deal, row.won) for row in games[s] if row.deal in both)
        for s in (easier, harder)
    )
    fall = paired_bootstrap(
        [won for _, won in first], [won for _, won in second], [deal for deal, _ in first]
    )
    return Step(easier, harder, fall)


def win_rates(found: CoopTable, notes: Mapping[str, Any]) -> Table:
    """Return the main table."""
    out = table("Won games, %", "heroes", "team", *found.levels, "ms")
    out.columns[1].justify = "left"
    for heroes, team in found.rows:
        cells = [found.cells.get(Series(level, heroes, team)) for level in found.levels]
        shares = ["-" if cell is None else percent(cell.share) for cell in cells]
        asked = [f"{milliseconds(notes, spec):.3g}" for spec in team.split(WITH)]
        out.add_row(heroes, team, *shares, ", ".join(asked))
    return out


def endings(found: CoopTable) -> Table:
    """Return length, points and reasons of loss of every cell."""
    out = table("How games went", "heroes", "team", "level", "games", "score", "moves", "lost by")
    for column in (1, 2, 6):
        out.columns[column].justify = "left"
    out.columns[6].no_wrap = False
    for series, cell in found.cells.items():
        lost = ", ".join(f"{reason} {n}" for reason, n in cell.losses.most_common())
        numbers = str(cell.share.n), f"{cell.score:.2f}", f"{cell.moves:.0f}"
        out.add_row(series.heroes, series.team, series.level, *numbers, lost)
    return out


def remarks(found: CoopTable, notes: Mapping[str, Any]) -> list[str]:
    """Return in sentences what the reader has to know beside the tables."""
    lines = ["Win rates with Wilson intervals, 95 %. All cells play the same seeds."]
    for step in found.steps:
        if step.verdict == "rises":
            low, high = step.fall.estimate.interval
            lines.append(
                f"NOT MONOTONE: {step.harder.team} with {step.harder.heroes} heroes wins more on "
                f"{step.harder.level} than on {step.easier.level}, by {-100 * high:.1f} to "
                f"{-100 * low:.1f} points."
            )
    counts = Counter(step.verdict for step in found.steps)
    if found.steps:
        lines.append(
            f"From a level to the next the win rate falls in {counts['falls']} of "
            f"{len(found.steps)} steps, rises in {counts['rises']}; in {counts['not shown']} the "
            "games do not tell (paired bootstrap over deals, 95 %)."
        )
    for series, cell in found.cells.items():
        lines += [
            f"{series.team}, {series.heroes} heroes, {series.level}: {n} games lost because of "
            f"{reason}."
            for reason, n in cell.forfeits.items()
        ]
    lines += stopping(notes)
    lines.append(
        f"Rules {notes['rules']}, pack {notes['pack']} ({notes['pack_hash']}), seed list "
        f"{notes['seeds']}."
    )
    return lines


def show(found: CoopTable, notes: Mapping[str, Any]) -> None:
    """Print everything."""
    out = console()
    out.print(f"[bold]{notes['title']}[/bold]")
    out.print(win_rates(found, notes))
    out.print(endings(found))
    for line in remarks(found, notes):
        out.print(line, markup=False)
