"""The tables of a speed run in a terminal."""

from __future__ import annotations

import statistics

from rich.table import Table

from dwarrow.benchmarks.machine import machine, versions
from dwarrow.benchmarks.speed import Figure, PeerFigure, Report, times
from dwarrow.benchmarks.terminal import console, table
from dwarrow.benchmarks.timing import Rate


def quantity(value: float, seconds: bool = False) -> str:
    """Return a figure for people: ``2.31 M``, ``48,200``, ``1.24 s``."""
    if seconds:
        return f"{value:.2f} s"
    if value >= 1e6:
        return f"{value / 1e6:.2f} M"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _spread(found: Rate, seconds: bool = False) -> str:
    if found.repeats == 1:
        return "once"
    return f"{quantity(found.low, seconds)} - {quantity(found.high, seconds)}"


def layers(report: Report) -> Table:
    """Return our figures."""
    found = table("Per second, one core", "game", "layer", "median", "spread", "what is counted")
    for column in (1, 4):
        found.columns[column].justify = "left"
    found.columns[4].no_wrap = False
    last = ""
    for figure in report.figures:
        seconds = times(figure)
        name = f"{figure.game}, {figure.players} seats"
        found.add_row(
            "" if name == last else name,
            figure.layer,
            quantity(figure.rate.median, seconds),
            _spread(figure.rate, seconds),
            figure.counts,
        )
        last = name
    return found


def beside(report: Report) -> Table:
    """Return the peers' figures with ours and the ratios."""
    found = table(
        "Beside peers in the same run",
        "peer, its nearest game",
        "counts",
        "theirs",
        "ours",
        "ratio",
    )
    found.columns[0].no_wrap = found.columns[1].no_wrap = False
    found.columns[1].justify = "left"
    ours = {(f.game, f.layer): f for f in report.figures}
    for peer in report.peers:
        mine = [ours[game, peer.layer] for game in peer.near if (game, peer.layer) in ours]
        found.add_row(
            f"{peer.library} {peer.game}",
            peer.counts,
            f"{quantity(peer.rate.median)} ({_spread(peer.rate)})",
            "\n".join(f"{f.game} {f.layer} {quantity(f.rate.median)}" for f in mine) or "-",
            "\n".join(ratio(f, peer) for f in mine) or "-",
        )
    return found


def ratio(mine: Figure, peer: PeerFigure) -> str:
    """Return how many times as fast ours is, and between the slowest and fastest repeats."""
    low, high = mine.rate.low / peer.rate.high, mine.rate.high / peer.rate.low
    return f"x{mine.rate.median / peer.rate.median:.2g} ({low:.2g} - {high:.2g})"


def promises(report: Report) -> Table:
    """Return every promise with what was measured."""
    found = table("Promised", "what", "measured", "reached")
    for verdict in report.verdicts():
        value = verdict.measured
        if value is None:
            text = "-"
        elif verdict.goal.of is not None:
            text = f"{value:.2f} times"
        else:
            text = quantity(value, verdict.goal.at_most)
        found.add_row(str(verdict.goal), text, _reached(verdict.reached))
    for beside_peer in report.peer_verdicts():
        text = "-" if beside_peer.ratio is None else f"{beside_peer.ratio:.2g} times"
        what = f"{beside_peer.goal} ({beside_peer.beside})"
        found.add_row(what, text, _reached(beside_peer.reached))
    found.columns[0].no_wrap = False
    return found


def _reached(reached: bool | None) -> str:
    return {True: "yes", False: "no", None: "not measured"}[reached]


def remarks(report: Report, command: str) -> list[str]:
    """Return in sentences what the reader has to know beside the tables."""
    about = machine()
    pinned = "pinned to one core" if report.pinned else "not pinned to a core"
    lines = [
        f"{about['processor']}, {about['cores']} cores, {about['system']}; {pinned}; "
        f"took {report.seconds:.0f} s.",
        ", ".join(f"{name} {version}" for name, version in versions().items()) + ".",
        f"A plain Python loop ran {statistics.median(report.calibrations):.1f} M rounds/s "
        f"({min(report.calibrations):.1f} - {max(report.calibrations):.1f}).",
    ]
    if report.busy:
        lines.append(
            "Once that loop was much slower: other work ran meanwhile. Do not quote these figures."
        )
    lines += [
        f"{name}: rules {stamp['rules']}, pack {stamp['pack']} ({stamp['pack_hash']})."
        for name, stamp in report.games.items()
    ]
    lines += [f"Left out: {what}: {why}." for what, why in report.left_out]
    return [*lines, f"The command: {command}"]


def show(report: Report, command: str) -> None:
    """Print everything."""
    out = console()
    if report.figures:
        out.print(layers(report))
    if report.peers:
        out.print(beside(report))
    if report.verdicts():
        out.print(promises(report))
    for line in remarks(report, command):
        out.print(line, markup=False)
