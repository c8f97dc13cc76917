"""Compile a game's kernels once, in sight; later processes load them from the cache."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from typing import Any

from numba.core import event

from dwarrow.envs.core.kernels import CACHE, JIT


class _Progress(event.Listener):
    """Says on stderr what is compiled, if anything is: a bar in a terminal, two lines elsewhere."""

    def __init__(self, what: str) -> None:
        self.what, self.count, self.begun = what, 0, time.monotonic()
        self.bar: Any = None
        self.task: Any = None

    def on_start(self, event: event.Event) -> None:
        if self.count == 0 and self.bar is None:
            self._announce()
        self.count += 1
        if self.bar is not None:
            name = getattr(event.data.get("dispatcher"), "__name__", "")
            self.bar.update(
                self.task, description=f"compiling {self.what} (once): {self.count} {name}"
            )

    def on_end(self, event: event.Event) -> None:
        pass

    def _announce(self) -> None:
        if not sys.stderr.isatty():
            print(
                f"dwarrow: compiling {self.what} (once, up to a minute) ...",
                file=sys.stderr,
                flush=True,
            )
            return
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
        self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self.task = self.bar.add_task(f"compiling {self.what} (once)")
        self.bar.start()

    def close(self) -> None:
        if self.bar is not None:
            self.bar.stop()
        if self.count:
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
    collecting = gc.isenabled()
    gc.disable()  # looking for garbage in what a compiler keeps takes a seventh of the time
    try:
        with event.install_listener("numba:compile", progress):
            exercise()
    finally:
        progress.close()
        if collecting:
            gc.enable()
    CACHE.mkdir(parents=True, exist_ok=True)
    mark.touch()
