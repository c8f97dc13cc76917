"""Tables in a terminal, and as plain text where the output is none."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.table import Table

WIDTH = 140
"""Columns when the output is no terminal."""


def console() -> Console:
    """Return a console for results on stdout."""
    return Console(width=None if sys.stdout.isatty() else WIDTH, highlight=False)


def table(title: str, *columns: str) -> Table:
    """Return an empty table; all columns but the first are numbers, never folded."""
    found = Table(title=title, title_justify="left", title_style="bold")
    for k, column in enumerate(columns):
        found.add_column(column, justify="left" if k == 0 else "right", no_wrap=k > 0)
    return found
