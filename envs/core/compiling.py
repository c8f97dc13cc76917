"""Compile a game's kernels once, in sight; later processes load them from the cache."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from numba.core import event

from dwarrow.envs.core.kernels import CACHE, JIT


class _Progress(event.Listener):
    """Counts compiled functions and says so on stderr: a bar in a terminal, two lines elsewhere."""

    def __init__(self, what: str) -> None:
        self.what, self.count, self.depth, self.begun = what, 0, 0, time.monotonic()
        self.bar: Any = None
        self.task: Any = None
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

            columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
            self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self.task = self.bar.add_task(f"compiling {what} (once)")
            self.bar.start()
        else:
            print(
                f"dwarrow: compiling {what} (once, up to a minute) ...", file=sys.stderr, flush=True
            )

    def on_start(self, event: event.Event) -> None:
        self.depth += 1

    def on_end(self, event: event.Event) -> None:
        self.depth -= 1
        self.count += 1
        if self.bar is not None:
            name = getattr(event.data.get("dispatcher"), "__name__", "")
            self.bar.update(
                self.task, description=f"compiling {self.what} (once): {self.count} {name}"
            )

    def close(self) -> None:
        if self.bar is not None:
            self.bar.stop()
        seconds = time.monotonic() - self.begun
        print(
            f"dwarrow: {self.what}: {self.count} functions in {seconds:.0f} s",
            file=sys.stderr,
            flush=True,
        )


def compile_once(key: str, what: str, exercise: Callable[[], None]) -> None:
    """Run `exercise`, which calls every kernel once, unless this state of the sources is compiled.

    Args:
        key: file-name-safe name of what is compiled.
        what: the same for people.
        exercise: calls the kernels with the argument types that will be used.
    """
    mark = CACHE / f"{key}.compiled"
    if not JIT or mark.exists():
        return
    progress = _Progress(what)
    try:
        with event.install_listener("numba:compile", progress):
            exercise()
    finally:
        progress.close()
    CACHE.mkdir(parents=True, exist_ok=True)
    mark.touch()
