"""What a worker hands to a learner: decisions of learning seats, linked seat by seat, and episodes.

"Next" always means the same seat's next decision in the same game, so a value is never bootstrapped
from another seat's position, and the end of a game pays every seat, whoever moved last.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dwarrow.agents.base import Actions, Rows
from dwarrow.envs.core.kernels import Floats, Mask, kernel
from dwarrow.envs.core.record import NONE
from dwarrow.training.crew.commons import zeros
from dwarrow.training.scholar import Study

END = -1
"""`Chunk.next_index` of a seat's last decision in a finished game."""

OPEN = -2
"""`Chunk.next_index` of a seat's latest decision in a game that goes on. Such a row gives the rows
before it their bootstrap value and is not learned from; it comes again, first in the next chunk."""


@dataclass(frozen=True)
class Episode:
    """A finished game.

    Attributes:
        number: its number in the run; seed and seating follow from it.
        owners: who sat where; `matchmaking.LEARNER` or the name of an opponent.
        utilities: what each seat was paid.
        scores: the rulebook's points.
        moves: moves of all seats, forced ones included.
    """

    number: int
    owners: tuple[str, ...]
    utilities: tuple[float, ...]
    scores: tuple[float, ...]
    moves: int


@dataclass
class Chunk:
    """Decisions of the learning seats, in the order they were taken.

    Attributes:
        obs: what the seat saw [n, features].
        mask: its legal actions [n, n_actions].
        action: what it chose [n].
        logp: the log-probability of that [n].
        value: the utility it expected [n].
        reward: what it was paid between this decision and its next [n].
        next_index: the row of its next decision, `END` or `OPEN` [n].
        advice: what a teacher would have chosen, `NONE` without one [n].
        views: what all seats saw [n, seats * features], of size 0 unless the value is central.
        episodes: games finished meanwhile.
        seconds: where time went: ``env``, ``infer``.
        decisions: decisions of all seats, those of opponents too.
        study: what searches found in the games finished meanwhile, if one of the learners searches.
    """

    obs: Floats
    mask: Mask
    action: Actions
    logp: Floats
    value: Floats
    reward: Floats
    next_index: Rows
    advice: Actions
    views: Floats
    episodes: list[Episode] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    decisions: int = 0
    study: Study | None = None

    @classmethod
    def allocate(
        cls,
        n: int,
        features: int,
        n_actions: int,
        seats: int = 0,
        memory: NDArray[np.uint8] | None = None,
    ) -> Chunk:
        """Allocate room for `n` rows, with the views of so many seats.

        In `memory`, if it is given, of at least `Chunk.size` bytes; it is taken as it is.
        """
        if memory is None:
            found = cls.allocate(
                n, features, n_actions, seats, zeros(cls.size(n, features, n_actions, seats))
            )
            found.advice[:] = NONE
            return found
        arrays, end = [], 0
        for shape, dtype in _shapes(n, features, n_actions, seats):
            begin, end = end, end + _bytes(shape, dtype)
            array = memory[begin:end].view(dtype)
            arrays.append(array[: math.prod(shape)].reshape(shape))
        return cls(*arrays)  # type: ignore[arg-type]

    @staticmethod
    def size(n: int, features: int, n_actions: int, seats: int = 0) -> int:
        """Return how many bytes `allocate` needs for `n` rows."""
        return sum(_bytes(*shape) for shape in _shapes(n, features, n_actions, seats))

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.action)

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the arrays by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)[:9]}

    def holding(self, arrays: Mapping[str, NDArray[Any]]) -> Chunk:
        """Return this chunk with other rows."""
        return replace(self, **arrays)  # type: ignore[arg-type]

    def bare(self) -> Chunk:
        """Return all but the rows."""
        return self.holding({name: array[:0] for name, array in self.arrays().items()})

    def rows(self, which: slice | Rows) -> Chunk:
        """Return some rows alone; a slice shares the memory."""
        chosen = {name: array[which] for name, array in self.arrays().items()}
        return Chunk(**chosen)  # type: ignore[arg-type]


def _shapes(
    n: int, features: int, n_actions: int, seats: int
) -> tuple[tuple[tuple[int, ...], type[np.generic]], ...]:
    """Return shape and type of the arrays of a chunk, in the order of its fields."""
    return (
        ((n, features), np.float32),
        ((n, n_actions), np.int8),
        ((n,), np.int64),
        ((n,), np.float32),
        ((n,), np.float32),
        ((n,), np.float32),
        ((n,), np.int64),
        ((n,), np.int64),
        ((n, seats * features), np.float32),
    )


def _bytes(shape: tuple[int, ...], dtype: type[np.generic]) -> int:
    """Return the bytes of an array, rounded up so that the next begins at a cache line."""
    return -(-math.prod(shape) * np.dtype(dtype).itemsize // 64) * 64


def advantages(chunk: Chunk, gamma: float, gae_lambda: float) -> tuple[Floats, Floats, Rows]:
    """Return advantage [n] and value target [n] of every row, and the rows to learn from."""
    out = np.zeros(len(chunk), np.float32)
    estimate(chunk.reward, chunk.value, chunk.next_index, gamma, gae_lambda, out)
    return out, out + chunk.value, np.flatnonzero(chunk.next_index != OPEN)


@kernel
def estimate(
    reward: Floats,
    value: Floats,
    next_index: Rows,
    gamma: float,
    gae_lambda: float,
    advantage: Floats,
) -> None:
    """Write the generalised advantage estimate of every row; open rows get 0.

    A row's next row always comes after it, so one pass from the end suffices.
    """
    for t in range(len(reward) - 1, -1, -1):
        following = next_index[t]
        if following == OPEN:
            advantage[t] = 0
        elif following == END:
            advantage[t] = reward[t] - value[t]
        else:
            delta = reward[t] + gamma * value[following] - value[t]
            advantage[t] = delta + gamma * gae_lambda * advantage[following]


@kernel
def link(last: Rows, tables: Rows, seats: Rows, first: int, next_index: Rows) -> None:
    """Enter new rows ``first, first + 1, ...``: the latest decision of these seats at these tables.

    Writes `last` [n_tables, max_seats], each seat's latest row or `END`, and `next_index`.
    """
    for k in range(len(tables)):
        before = last[tables[k], seats[k]]
        if before != END:
            next_index[before] = first + k
        next_index[first + k] = OPEN
        last[tables[k], seats[k]] = first + k


@kernel
def pay(last: Rows, tables: Rows, utilities: Floats, reward: Floats, next_index: Rows) -> None:
    """Close the trajectories of finished games: every seat's latest row gets its utility.

    `utilities` is [n, max_seats] for the `tables`; writes `last`, `reward` and `next_index`.
    """
    for k in range(len(tables)):
        for seat in range(last.shape[1]):
            row = last[tables[k], seat]
            if row != END:
                reward[row] += utilities[k, seat]
                next_index[row] = END
                last[tables[k], seat] = END
