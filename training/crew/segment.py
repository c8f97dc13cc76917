"""Shared memory for the arrays of a message; the rest of it goes through a pipe.

Pickling sets large arrays aside (protocol 5). They are copied into a segment that both processes
map, and are read there in place.
"""

from __future__ import annotations

import os
import pickle
from contextlib import suppress
from multiprocessing.shared_memory import SharedMemory
from typing import Any

Layout = tuple[bytes, list[tuple[int, int]]]
"""A pickled value, and where in the segment each array set aside begins and ends."""

SMALL = 1 << 15
"""Values with fewer bytes of arrays go through the pipe whole."""

_ALIGN = 64


class Parcel:
    """A value taken apart for sending.

    Attributes:
        text: all of it but the arrays.
        places: where each array goes in a segment: begin and end.
        size: bytes that a segment needs for it; 0: there is nothing for a segment.
    """

    def __init__(self, value: Any) -> None:
        """Take `value` apart; it must not change until the parcel is packed."""
        buffers: list[pickle.PickleBuffer] = []
        self.text = pickle.dumps(value, 5, buffer_callback=buffers.append)
        self._arrays = [buffer.raw() for buffer in buffers]
        self.places: list[tuple[int, int]] = []
        end = 0
        for array in self._arrays:
            self.places.append((end, end + array.nbytes))
            end += -(-array.nbytes // _ALIGN) * _ALIGN
        self.size = end
        if end < SMALL:
            self.keep_whole(value)

    def keep_whole(self, value: Any) -> None:
        """Do without a segment."""
        if self._arrays:
            self.text, self._arrays, self.places = pickle.dumps(value, 5), [], []
            self.size = 0

    def pack(self, memory: memoryview | None) -> Layout:
        """Copy the arrays into a segment, if any is needed, and return what to send beside it."""
        for array, (begin, end) in zip(self._arrays, self.places, strict=True):
            assert memory is not None
            memory[begin:end] = array
        return self.text, self.places


def unpack(layout: Layout, memory: memoryview | None) -> Any:
    """Put a value together again; its arrays are views of the segment."""
    text, places = layout
    if not places:
        return pickle.loads(text)
    assert memory is not None
    return pickle.loads(text, buffers=[memory[begin:end] for begin, end in places])


class Segment:
    """A piece of shared memory of one owner, who replaces it when it is too small."""

    def __init__(self) -> None:
        """Begin without memory."""
        self.memory: SharedMemory | None = None

    @property
    def name(self) -> str | None:
        """What the other process finds it by."""
        return None if self.memory is None else self.memory.name

    @property
    def buffer(self) -> memoryview | None:
        """The memory itself."""
        return None if self.memory is None else self.memory.buf

    def grow(self, size: int) -> bool:
        """Have room for `size` bytes; return whether there is.

        There is not if shared memory is short, as in a container with little of it.
        """
        if self.memory is not None and self.memory.size >= size:
            return True
        self.free()
        room = size + size // 4
        memory = SharedMemory(create=True, size=room)
        try:
            if hasattr(os, "posix_fallocate"):  # promised memory may not exist; ask for it now
                os.posix_fallocate(memory._fd, 0, room)  # type: ignore[attr-defined]
        except OSError:
            _drop(memory)
            return False
        self.memory = memory
        return True

    def free(self) -> None:
        """Give the memory back."""
        if self.memory is not None:
            _drop(self.memory)
            self.memory = None


class Window:
    """The other process's view of a segment."""

    def __init__(self) -> None:
        """Begin without a view."""
        self._open: dict[str, SharedMemory] = {}

    def buffer(self, name: str | None) -> memoryview | None:
        """Map the segment of that name, instead of the one before."""
        if name is None:
            return None
        if name not in self._open:
            self.close()
            self._open[name] = SharedMemory(name)
        return self._open[name].buf

    def close(self) -> None:
        """Let go of the segment."""
        for name, memory in list(self._open.items()):
            with suppress(BufferError):  # something still looks at it: it goes with the process
                memory.close()
                del self._open[name]


def _drop(memory: SharedMemory) -> None:
    with suppress(FileNotFoundError):
        memory.unlink()
    with suppress(BufferError):  # the caller still looks at an answer; the memory goes with that
        memory.close()
