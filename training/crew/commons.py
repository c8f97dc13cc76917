"""Memory of the caller's that workers on its machine write answers to, so that nobody copies them.

It goes to a worker as an argument of a request, of which only the name travels; a worker on another
machine finds no memory under it and has to send what it would have written.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dwarrow.training.crew.segment import Segment, Window

Memory = NDArray[np.uint8]

_LINE = 64
_window = Window()


def zeros(size: int) -> Memory:
    """Return so many bytes, at the beginning of a cache line as shared memory is.

    The last bits of a matrix product may depend on that.
    """
    memory = np.zeros(size + _LINE, np.uint8)
    begin = -memory.ctypes.data % _LINE
    return memory[begin : begin + size]


class Commons:
    """Memory for threads of one process."""

    def __init__(self, size: int) -> None:
        """Allocate so many bytes."""
        self.memory = zeros(size)

    def seen(self) -> Memory | None:
        """Return the memory, as the process sees it that asks; None if it does not."""
        return self.memory

    def free(self) -> None:
        """Give it back; what still looks at it may go on to do so."""


class SharedCommons(Commons):
    """Shared memory of a process and its children; where that is short, they do not see it."""

    def __init__(self, size: int) -> None:
        """Allocate so many bytes."""
        self._segment = Segment()
        buffer = self._segment.buffer if self._segment.grow(size, spare=0.0) else None
        self.memory = zeros(size) if buffer is None else np.frombuffer(buffer, np.uint8)

    @property
    def name(self) -> str | None:
        """What others find it by."""
        return self._segment.name

    def free(self) -> None:
        """Give the name back."""
        self._segment.free()

    def __reduce__(self) -> tuple[Any, ...]:
        """Send the name alone."""
        return SeenInChild, (self.name,)


class SeenInChild(Commons):
    """`SharedCommons` as a child of its owner sees it."""

    def __init__(self, name: str | None) -> None:
        """Note where to look."""
        self.name = name

    def seen(self) -> Memory | None:
        """Map it, if that was not done for the request before."""
        found = _window.buffer(self.name)
        return None if found is None else np.frombuffer(found, np.uint8)
