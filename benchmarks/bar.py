"""How many games of a short series are played: a line that changes, in notebooks and terminals."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

SECONDS = 0.2
"""Seconds from one change of the line to the next."""

WIDTH = 24


@contextmanager
def bar(total: int, what: str, *, shown: bool = True) -> Iterator[Callable[[int], None]]:
    """Yield a function to be told how many of `total` are done.

    A notebook shows one line that changes, a terminal the same on stderr; elsewhere nothing shows.
    """
    begun = time.monotonic()
    said, last = -SECONDS, 0
    show = _shower() if shown else None

    def tell(done: int) -> None:
        nonlocal said, last
        last = done
        passed = time.monotonic() - begun
        if show is not None and (done >= total or passed - said >= SECONDS):
            said = passed
            show(line(done, total, what, passed))

    try:
        yield tell
    finally:
        if show is not None:
            show(line(last, total, what, time.monotonic() - begun))
            if not in_notebook():
                print(file=sys.stderr)


def line(done: int, total: int, what: str, seconds: float) -> str:
    """Return the line after `seconds`."""
    full = round(WIDTH * done / total) if total else WIDTH
    text = f"{'█' * full}{'░' * (WIDTH - full)} {done} of {total} {what}, {seconds:.0f} s"
    if 0 < done < total:
        text += f", {seconds / done * (total - done):.0f} s left"
    return text


def in_notebook() -> bool:
    """Return whether the output goes to a notebook's cell."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None else None
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


def _shower() -> Callable[[str], None] | None:
    if in_notebook():
        from IPython.display import display  # type: ignore[import-not-found,unused-ignore]

        handle: Any = display({"text/plain": ""}, raw=True, display_id=True)  # type: ignore[no-untyped-call,unused-ignore]
        return lambda text: handle.update({"text/plain": text}, raw=True)
    if sys.stderr.isatty():
        return lambda text: print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)
    return None
