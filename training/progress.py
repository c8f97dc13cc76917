"""How a run goes, while it goes.

A live table in a terminal, one changing line in a notebook, plain lines elsewhere.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from dwarrow.training.config import RunConfig
from dwarrow.training.logging import Metrics

Progress = Callable[[float, Metrics], None]
"""``(share done, metrics of the iteration)``: show them."""

PLAIN_SECONDS = 15
"""Seconds from one plain line to the next."""

_TIMES = "env", "infer", "search", "learn", "eval"
_BARS = "▁▂▃▄▅▆▇█"


@contextmanager
def progress(config: RunConfig, run: Path) -> Iterator[Progress]:
    """Yield what shows the progress of a run in the way that suits where it is written to."""
    board = Board(config, run)
    if _in_notebook():
        yield _NotebookLine(board)
    elif sys.stdout.isatty():
        with Live(board.table(), console=Console(), refresh_per_second=4) as live:

            def show(done: float, metrics: Metrics) -> None:
                board.take(done, metrics)
                live.update(board.table())

            yield show
    else:
        yield _PlainLines(board)


class Board:
    """What is known of a run so far, and how to draw it."""

    def __init__(self, config: RunConfig, run: Path) -> None:
        """Begin with nothing known."""
        self.config, self.run = config, run
        self.done = 0.0
        self.metrics: Metrics = {}
        self.wins: defaultdict[str, list[float]] = defaultdict(list)

    def take(self, done: float, metrics: Metrics) -> None:
        """Take in the metrics of an iteration."""
        self.done = done
        self.metrics.update(metrics)
        for name, value in metrics.items():
            if name.startswith("win/"):
                self.wins[name.removeprefix("win/")].append(value)

    def table(self) -> RenderableType:
        """Return the live table."""
        m, figures = self.metrics, Table.grid(padding=(0, 3))
        figures.add_column(style="dim")
        figures.add_column(justify="right")
        figures.add_column(style="dim")
        figures.add_column(justify="right")
        cells = [
            ("decisions/s", f"{m.get('decisions_per_second', 0):,.0f}"),
            ("decisions", f"{m.get('total_decisions', 0):,.0f}"),
            ("games", f"{m.get('games', 0):,.0f}"),
            ("iteration", f"{m.get('iteration', 0):,.0f}"),
            ("entropy of legal choice", f"{m.get('entropy', 1):.2f}"),
            ("KL per update", f"{m.get('kl', 0):.4f}"),
            ("result foreseen", f"{max(0, m.get('explained_variance', 0)):.0%}"),
            ("time goes to", self.times()),
        ]
        for left, right in zip(cells[::2], cells[1::2], strict=True):
            figures.add_row(*left, *right)
        wins = Table.grid(padding=(0, 2))
        for name, shares in self.wins.items():
            wins.add_row(Text(f"wins against {name}", "dim"), f"{shares[-1]:.0%}", _curve(shares))
        if not self.wins:
            wins.add_row(Text("wins: measuring ...", "dim"))
        bar = Table.grid(padding=(0, 2))
        bar.add_row(ProgressBar(total=1, completed=self.done, width=44), self.left())
        return Panel(
            Group(bar, "", figures, "", wins),
            title=f"{self.config.game}: {self.phase() or 'learning, '}run {self.run}",
            title_align="left",
            width=98,
        )

    def line(self) -> str:
        """Return the same in a line."""
        m = self.metrics
        wins = " ".join(f"{name} {shares[-1]:.0%}" for name, shares in self.wins.items())
        return (
            f"{self.done:4.0%} {self.left()} | {self.phase()}"
            f"{m.get('total_decisions', 0):,.0f} decisions, "
            f"{m.get('decisions_per_second', 0):,.0f}/s | entropy {m.get('entropy', 1):.2f} "
            f"kl {m.get('kl', 0):.4f} foreseen {max(0, m.get('explained_variance', 0)):.0%} | "
            f"{self.times()}" + (f" | wins: {wins}" if wins else "")
        )

    def phase(self) -> str:
        """Return how far a teacher is followed, while one is."""
        if not self.metrics.get("imitating"):
            return ""
        return f"imitating, {self.metrics['agreement']:.0%} alike | "

    def times(self) -> str:
        """Return where the time of an iteration goes."""
        spent = {name: self.metrics.get(f"time/{name}", 0.0) for name in _TIMES}
        total = sum(spent.values()) or 1.0
        if not spent["search"]:
            del spent["search"]
        return " ".join(f"{name} {seconds / total:.0%}" for name, seconds in spent.items())

    def left(self) -> str:
        """Return the time left."""
        elapsed = self.metrics.get("seconds", 0.0)
        if not self.done or not elapsed:
            return "starting"
        seconds = round(elapsed / self.done - elapsed)
        return f"{seconds // 60}:{seconds % 60:02d} left"


class _PlainLines:
    def __init__(self, board: Board) -> None:
        self.board, self.next = board, 0.0
        print(f"{board.config.game}: learning, run {board.run}", flush=True)

    def __call__(self, done: float, metrics: Metrics) -> None:
        self.board.take(done, metrics)
        if time.monotonic() >= self.next or done >= 1:
            self.next = time.monotonic() + PLAIN_SECONDS
            print(self.board.line(), flush=True)


class _NotebookLine:
    def __init__(self, board: Board) -> None:
        self.board, self.handle = board, _display("starting", display_id=True)
        self.next = 0.0

    def __call__(self, done: float, metrics: Metrics) -> None:
        self.board.take(done, metrics)
        if time.monotonic() >= self.next or done >= 1:
            self.next = time.monotonic() + 0.5
            bar = "█" * round(20 * done) + "░" * (20 - round(20 * done))
            self.handle.update({"text/plain": f"{bar} {self.board.line()}"}, raw=True)


def _display(text: str, display_id: bool) -> Any:
    from IPython.display import display  # type: ignore[import-not-found,unused-ignore]

    return display({"text/plain": text}, raw=True, display_id=display_id)  # type: ignore[no-untyped-call,unused-ignore]


def _in_notebook() -> bool:
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None else None
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


def _curve(shares: list[float]) -> str:
    """Return the last values, from 0 to 1, as a row of small bars."""
    return "".join(_BARS[min(7, int(8 * share))] for share in shares[-30:])
