"""The layout of an observation: named pieces of one flat float32 vector."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Piece:
    """One named part of an observation.

    Attributes:
        name: what to ask for it by.
        shape: its shape; a board piece has (channels, height, width).
        meaning: in a sentence; seats count from the observer (0 is the observer).
        scale: what the raw count was divided by.
        start: index of its first feature.
        actions: for a board, the action that each cell stands for where a cell is to be chosen,
            row by row, `NONE` for a cell that none stands for; empty if cells are not chosen.
    """

    name: str
    shape: tuple[int, ...]
    meaning: str
    scale: float
    start: int
    actions: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """Number of features."""
        return math.prod(self.shape)

    @property
    def slice(self) -> slice:
        """Where the piece lies in the vector."""
        return slice(self.start, self.start + self.size)


class Observation:
    """All pieces in order: ``layout["gems"].slice`` for people, ``layout.at`` for kernels."""

    def __init__(
        self,
        *pieces: tuple[str, tuple[int, ...], str] | tuple[str, tuple[int, ...], str, float],
        actions: Mapping[str, Sequence[int]] = MappingProxyType({}),
    ) -> None:
        """Lay the pieces out one after another.

        Args:
            pieces: each (name, shape, meaning[, scale]).
            actions: `Piece.actions` of boards, by name.
        """
        self.pieces: dict[str, Piece] = {}
        self.size = 0
        for name, shape, meaning, *scale in pieces:
            if name in self.pieces:
                raise TypeError(f"two observation pieces are called {name}")
            chosen = tuple(actions.get(name, ()))
            if chosen and (len(shape) != 3 or len(chosen) != shape[1] * shape[2]):
                raise TypeError(f"{len(chosen)} actions do not fit cells of {name} {shape}")
            factor = float(scale[0]) if scale else 1.0
            piece = Piece(name, shape, meaning, factor, self.size, chosen)
            self.pieces[name] = piece
            self.size += piece.size
        if strange := set(actions) - set(self.pieces):
            raise TypeError(f"actions for {strange}, which are no pieces")

    def __getitem__(self, name: str) -> Piece:
        """Return a piece by name.

        Raises:
            KeyError: no such piece; the known ones are listed.
        """
        if name not in self.pieces:
            raise KeyError(f"no observation piece {name!r}: known are {list(self.pieces)}")
        return self.pieces[name]

    def at(self, name: str) -> int:
        """Return where a piece starts, to be kept as a module constant for a kernel."""
        return self[name].start

    @property
    def schema(self) -> str:
        """Hash of names, shapes, scales and cells: a network fits one schema only."""
        text = repr([(p.name, p.shape, p.scale, p.actions) for p in self.pieces.values()])
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def table(self) -> str:
        """Return the layout as a Markdown table, as the game's spec sheet shows it."""
        rows = [
            f"| {p.start} | `{p.name}` | {_times(p.shape)} | {p.scale:g} | {p.meaning} |"
            for p in self.pieces.values()
        ]
        return "\n".join(
            ["| from | piece | shape | scale | meaning |", "|---|---|---|---|---|", *rows]
        )


def _times(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape))
