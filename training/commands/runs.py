"""List the runs in a folder: how far each is, and how strong its agent.

Without a folder it is runs/, or the one that DWARROW_RUNS names.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro
from rich.console import Console
from rich.table import Table
from rich.text import Text

from dwarrow.agents.neural.weights import runs_folder
from dwarrow.training.runs import RunInfo, age, list_runs

_WIDE = 160  # characters of a line that no terminal bounds
_STYLES = {"running": "green", "done": "", "stopped": "yellow", "damaged": "red"}


@dataclass(frozen=True)
class Runs:
    """List the runs in a folder: how far each is, and how strong its agent."""

    folder: tyro.conf.Positional[Path | None] = None
    """The folder; default: runs/, or what DWARROW_RUNS names."""


def run(arguments: Sequence[str]) -> int:
    """Print the table, and what is wrong with damaged runs below it."""
    asked = tyro.cli(Runs, prog="dwarrow runs", args=arguments).folder
    folder = asked or runs_folder()
    if asked is not None and not asked.is_dir():
        raise ValueError(f"{asked}: no such folder")
    found = list_runs(folder)
    if not found:
        print(f"no runs in {folder}")
        return 0
    console = Console(soft_wrap=True, width=None if sys.stdout.isatty() else _WIDE)
    console.print(table(found))
    for info in found:
        if info.state == "damaged":
            console.print(f"{info.folder}: damaged: {info.trouble}", highlight=False)
        if info.worker is not None:
            console.print(f"{info.folder}: {info.worker} is at work on it", highlight=False)
    return 0


def table(found: Sequence[RunInfo]) -> Table:
    """Return the runs as a table."""
    drawn = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("run", "game", "learns by", "state", "done", "trained", "decisions", "changed"):
        drawn.add_column(name, justify="right" if name in ("trained", "decisions") else "left")
    drawn.add_column("wins against")
    for info in found:
        config, counters = info.config, info.counters
        drawn.add_row(
            info.folder.name,
            config.game if config else "?",
            config.algorithm if config else "?",
            Text(info.state, _STYLES[info.state]),
            f"{counters.done(config):.0%}" if config else "",
            f"{int(counters.seconds) // 60}:{int(counters.seconds) % 60:02d}",
            f"{counters.decisions:,}",
            age(info.changed),
            " ".join(f"{name} {share:.0%}" for name, share in info.strength.items()),
        )
    return drawn
