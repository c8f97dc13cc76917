"""States are declared once, as classes; the NumPy dtype and the position codec are built from them.

A field is ``name: Annotated[python_type, spec, ...]`` where the specs are

* a NumPy scalar type (``np.int16``) or another record class: what one element is;
* whole numbers: the shape;
* `Names`: the integers stand for names (``NONE`` for no name), written as such in positions;
* `Keys`: the last axis is written as a dict with these keys instead of a list;
* `Counted`: the array is a list whose length stands in another field.

Use int16 for counts and ids: Numba widens, plain NumPy scalars do not, and no count here reaches
32,767.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Annotated, Any, get_type_hints

import numpy as np
from numpy.typing import NDArray

from dwarrow.envs.core.kernels import JIT, States

NONE = -1
"""An empty slot, no seat, no card."""

Ints = NDArray[np.int16]
Words = NDArray[np.uint64]

SCRIPT_SIZE = 64


class Stream(IntEnum):
    """The named chance streams: on one seed deck and dice are the same whatever agents do."""

    SETUP = 0
    DECK = 1
    DICE = 2


N_STREAMS = len(Stream)


def labels(names: Iterable[Any] | type[IntEnum]) -> tuple[str, ...]:
    """Return position names: of an IntEnum its lower-case members, which must count from 0."""
    if isinstance(names, type):
        members = list(names)
        if [int(m) for m in members] != list(range(len(members))):
            raise TypeError(f"{names.__name__} must count 0, 1, 2, ... to name an index")
        return tuple(m.name.lower() for m in members)
    return tuple(str(name) for name in names)


class Names:
    """The integers of this field are indices into `names`; `NONE` is written as null."""

    def __init__(self, names: Iterable[Any] | type[IntEnum]) -> None:
        """Take an IntEnum class or a sequence of unique names."""
        self.names = labels(names)
        self.index = {name: k for k, name in enumerate(self.names)}
        if len(self.index) != len(self.names):
            raise TypeError("names are not unique")


class Keys:
    """The last axis of this field is a dict with the keys `names`."""

    def __init__(self, names: Iterable[Any] | type[IntEnum]) -> None:
        """Take an IntEnum class or a sequence of names."""
        self.names = labels(names)


@dataclass(frozen=True)
class Counted:
    """This array is a list; `field` (of the same record) holds its length, the rest is padding."""

    field: str


@dataclass(frozen=True)
class Field:
    """One field of a record class, as declared."""

    name: str
    element: np.dtype[Any]
    shape: tuple[int, ...]
    nested: type | None
    names: Names | None
    keys: Keys | None
    counted: str | None


@cache
def fields_of(cls: type) -> tuple[Field, ...]:
    """Return the declared fields of a record class, base classes first.

    Raises:
        TypeError: a field without an element type, with an unknown spec, or with a reserved name.
    """
    found = []
    for name, hint in get_type_hints(cls, include_extras=True).items():
        element: np.dtype[Any] | None = None
        nested = names = keys = counted = None
        shape: list[int] = []
        for spec in getattr(hint, "__metadata__", ()):
            if isinstance(spec, Names):
                names = spec
            elif isinstance(spec, Keys):
                keys = spec
            elif isinstance(spec, Counted):
                counted = spec.field
            elif isinstance(spec, int):
                shape.append(int(spec))
            elif isinstance(spec, type) and issubclass(spec, np.generic):
                element = np.dtype(spec)
            elif isinstance(spec, type):
                nested, element = spec, record(spec)
            else:
                raise TypeError(f"{cls.__name__}.{name}: unknown spec {spec!r}")
        if element is None:
            raise TypeError(f"{cls.__name__}.{name}: Annotated[..., np.int16] or a record class")
        if hasattr(np.record, name):  # with the JIT off, s.round would be NumPy's method
            raise TypeError(f"{cls.__name__}.{name}: NumPy scalars have an attribute of that name")
        found.append(Field(name, element, tuple(shape), nested, names, keys, counted))
    return tuple(found)


@cache
def record(cls: type) -> np.dtype[np.void]:
    """Build the aligned NumPy dtype of a record class.

    Padding is spelled out in fields of its own: NumPy's copies leave implicit padding as it was in
    fresh memory, and then equal states would not be equal bytes.
    """
    declared: list[Any] = [(f.name, f.element, f.shape) for f in fields_of(cls)]
    aligned = np.dtype(declared, align=True)
    padded, end = [], 0
    for entry in declared:
        element, offset = (aligned.fields or {})[entry[0]][:2]
        if offset > end:
            padded.append((f"_pad_{end}", np.uint8, (offset - end,)))
        padded.append(entry)
        end = offset + element.itemsize
    if aligned.itemsize > end:
        padded.append((f"_pad_{end}", np.uint8, (aligned.itemsize - end,)))
    return np.dtype(padded, align=True)


class Header:
    """The fields with which the State of every game begins: ``class State(Header)``."""

    rng: Annotated[Words, np.uint64, N_STREAMS]  # by Stream
    script: Annotated[Ints, np.int16, SCRIPT_SIZE, Counted("script_end")]  # coming rolls and draws
    script_end: Annotated[int, np.int16]
    script_next: Annotated[int, np.int16]
    script_fault: Annotated[int, np.int16]  # 1 once a scripted value did not fit the roll asked for
    decision: Annotated[int, np.int32]  # decisions taken so far
    seat: Annotated[int, np.int16]  # who decides now, NONE when over
    n_seats: Annotated[int, np.int16]
    phase: Annotated[int, np.int16]  # each game re-declares it with Names(Phase)
    over: Annotated[int, np.int16]  # 0 or 1


def empty(dtype: np.dtype[np.void], n: int) -> States:
    """Allocate `n` zeroed states; with the JIT off a recarray, so that ``s.field`` works too."""
    states: States = np.zeros(n, dtype=dtype)
    return states if JIT else as_records(states)


def as_records(states: States) -> States:
    """View states so that kernels can read them in the current mode; the memory is shared."""
    if JIT or isinstance(states, np.recarray):
        return states
    return states.view(np.recarray)
