"""Shared memory for the arrays of a message; the rest of it goes through a pipe.

Pickling sets large arrays aside (protocol 5). They are copied into a segment that both processes
map, and are read there in place.
"""

from __future__ import annotations

import mmap
import os
import pickle
import secrets
import sys
from contextlib import suppress
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from typing import Any

Layout = tuple[bytes, list[tuple[int, int]]]
"""A pickled value, and where in the segment each array set aside begins and ends."""

SMALL = 1 << 15
"""Values with fewer bytes of arrays go through the pipe whole."""

_ALIGN = 64
_SHM = Path("/dev/shm")  # where Linux shows shared memory


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
    """A piece of shared memory of one owner, who replaces it when it is too small.

    Attributes:
        memory: it, if there is any.
        buffer: its bytes.
    """

    def __init__(self) -> None:
        """Begin without memory."""
        self.memory: SharedMemory | None = None
        self.buffer: memoryview | None = None

    @property
    def name(self) -> str | None:
        """What the other process finds it by."""
        return None if self.memory is None else self.memory.name

    def grow(self, size: int, spare: float = 0.25) -> bool:
        """Have room for `size` bytes, and some to spare; return whether there is.

        There is not if shared memory is short, as in a container with little of it.
        """
        if self.memory is not None and self.memory.size >= size:
            return True
        self.free()
        room = size + int(spare * size)
        name = f"dwarrow-{os.getpid()}-{secrets.token_hex(4)}"
        memory = SharedMemory(name, create=True, size=room)
        try:
            if hasattr(os, "posix_fallocate"):  # promised memory may not exist; ask for it now
                os.posix_fallocate(memory._fd, 0, room)  # type: ignore[attr-defined]
        except OSError:
            _drop(memory)
            return False
        self.memory, self.buffer = memory, mapped(memory)
        return True

    def free(self) -> None:
        """Give the memory back; what still looks at it may go on to do so."""
        if self.memory is not None:
            _drop(self.memory)
            self.memory = self.buffer = None


class Window:
    """Another process's view of segments, one at a time."""

    def __init__(self, child: bool = True) -> None:
        """Begin without a view; `child`: whether this process was begun by the segments' owner."""
        self._child = child
        self._seen: tuple[str, memoryview] | None = None

    def buffer(self, name: str | None) -> memoryview | None:
        """Return the segment of that name, or None: the owner has none, or another machine."""
        if name is None:
            return None
        if self._seen is None or self._seen[0] != name:
            self._seen = None
            found = _childs_view(name) if self._child else _strangers_view(name)
            if found is None:
                return None
            self._seen = name, found
        return self._seen[1]


def _childs_view(name: str) -> memoryview:
    memory = SharedMemory(name)
    try:
        return mapped(memory)
    finally:
        memory.close()


def _strangers_view(name: str) -> memoryview | None:
    """Map a segment on Linux; None: it is not there.

    Python's `SharedMemory` would free it with this process, while others still use it.
    """
    try:
        file = os.open(_SHM / name, os.O_RDWR)
    except OSError:
        return None
    try:
        return memoryview(mmap.mmap(file, 0))
    finally:
        os.close(file)


def mapped(memory: SharedMemory) -> memoryview:
    """Map shared memory once more, for as long as anything looks at it.

    `SharedMemory` itself complains if something does when it goes.
    """
    if sys.platform == "win32":
        return memoryview(mmap.mmap(-1, memory.size, tagname=memory.name))
    return memoryview(mmap.mmap(memory._fd, memory.size))  # type: ignore[attr-defined]


def _drop(memory: SharedMemory) -> None:
    with suppress(FileNotFoundError):
        memory.unlink()
    memory.close()
