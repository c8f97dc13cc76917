"""The tables of an arena in a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table

from dwarrow.benchmarks.arena.schedule import Pairing
from dwarrow.benchmarks.arena.standings import Standings, number, percent
from dwarrow.benchmarks.campaign import milliseconds, stopping
from dwarrow.benchmarks.terminal import console, table


def strength(found: Standings, notes: Mapping[str, Any]) -> Table:
    """Return the main table: one row an agent, the strongest first."""
    rows = table(
        "Strength, each agent alone against tables full of another",
        "agent",
        f"rating ({found.reference} = 0)",
        "win %",
        "rank utility",
        "margin",
        "ms",
        "games",
    )
    for spec in found.agents:
        cell = found.overall.get(spec)
        if cell is None:
            continue
        rating = found.ratings.get(spec)
        name = f"{spec} (sees everything, unranked)" if spec in found.unranked else spec
        rows.add_row(
            name,
            "-"
            if rating is None
            else f"{rating.points:.0f} [{rating.interval.low:.0f}, {rating.interval.high:.0f}]",
            percent(cell.share),
            number(cell.utility),
            number(cell.margin, 1),
            f"{milliseconds(notes, spec):.3g}",
            str(cell.share.n),
        )
    return rows


def matrix(found: Standings) -> Table:
    """Return the win share of every agent (row) alone against every other (column)."""
    rows = table("Win % of the row, alone, against the column", "", *found.agents)
    for one in found.agents:
        cells = [found.cells.get(Pairing(one, rest)) for rest in found.agents]
        rows.add_row(one, *("-" if cell is None else percent(cell.share) for cell in cells))
    return rows


def seats(found: Standings) -> Table:
    """Return the win share of every agent by seat."""
    columns = [f"seat {k}" for k in range(found.players)]
    rows = table("Win % by seat, all opponents", "agent", *columns)
    for spec in found.agents:
        cell = found.overall.get(spec)
        if cell is not None:
            rows.add_row(spec, *(percent(seat) for seat in cell.seats))
    return rows


def mirror(found: Standings) -> Table:
    """Return the mirror control of every agent."""
    columns = [f"seat {k}" for k in range(found.players)]
    rows = table("Control: every agent against copies of itself, win %", "agent", "one", *columns)
    for spec, control in found.mirrors.items():
        shares = [
            percent(seat) + (" !" if k in control.outliers else "")
            for k, seat in enumerate(control.seats)
        ]
        rows.add_row(spec, percent(control.one), *shares)
    return rows


def remarks(found: Standings, notes: Mapping[str, Any]) -> list[str]:
    """Return in sentences what the reader has to know beside the tables."""
    lines = [
        f"Fair share {100 * found.fair:.1f} %. Shares with Wilson intervals, ties split; "
        "rank utility, margin (points over the best of the rest) and Plackett-Luce ratings with "
        "bootstrap over deals; all 95 %."
    ]
    for spec, control in found.mirrors.items():
        if not control.fair:
            lines.append(f"Mirror of {spec}: {percent(control.one)} is not the fair share.")
        lines += [
            f"Mirror of {spec}: seat {seat} wins {percent(control.seats[seat])}, an outlier."
            for seat in control.outliers
        ]
    if found.mirrors and len(lines) == 1:
        lines.append(
            "All mirror matches have the fair share and no seat is an outlier, judged together."
        )
    for spec, reasons in found.forfeits.items():
        lines += [f"{spec} forfeited {n} games: {reason}." for reason, n in reasons.items()]
    lines += stopping(notes)
    lines.append(
        f"Rules {notes['rules']}, pack {notes['pack']} ({notes['pack_hash']}), "
        f"deals from seed {notes['seed']}."
    )
    made_up = sum(sources.get("reconstructed", 0) for sources in notes["provenance"].values())
    if made_up:
        lines.append(f"{made_up} rows of the component pack are reconstructed, not printed values.")
    return lines


def show(found: Standings, notes: Mapping[str, Any]) -> None:
    """Print everything."""
    out = console()
    out.print(f"[bold]{notes['title']}[/bold], {found.players} players")
    if found.overall:
        for each in (strength(found, notes), matrix(found), seats(found)):
            out.print(each)
    if found.mirrors:
        out.print(mirror(found))
    for line in remarks(found, notes):
        out.print(line, markup=False)
