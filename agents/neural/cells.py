"""What a network makes of boards: cells that matter, seen with their neighbours.

A board of many cells is nearly empty, so only its live cells are looked at: those that hold
something, and those beside them. Each is described by what it and its eight neighbours hold and by
where it lies; the same small network reads every cell, as a convolution does, at the price of the
cells in use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from dwarrow.envs.core.compiling import compile_once
from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.observation import Piece

Numbers = NDArray[np.int64]
Marks = NDArray[np.uint8]
Bits = NDArray[np.uint16] | NDArray[np.uint32]
"""Floats as they lie in memory: kernels only move them and ask whether they are 0, and NumPy has
no bfloat16."""

AROUND = 3
"""Width of the square of cells that is seen around each."""
BLOCK = 1024
"""Cells evaluated together outside training. The last bits of a matrix product depend on its size,
so a fixed size, filled up if need be, keeps a cell's result independent of the others."""
_SUM_SCALE = 0.1  # sums over cells are this much smaller, to be of the size of other features


class Live(NamedTuple):
    """The live cells of a batch of observations, row by row.

    Attributes:
        row: whose cell it is [m].
        cell: which cell it is [m].
        seen: what it and its neighbours hold, `AROUND` x `AROUND` cells of all planes [m, seen];
            filled up with zeros to whole blocks.
    """

    row: Tensor
    cell: Tensor
    seen: Tensor


class CellNet(nn.Module):
    """Reads the live cells of boards of one size, two layers deep."""

    def __init__(self, pieces: list[Piece], channels: int) -> None:
        """Lay out a network for the planes of all `pieces`."""
        super().__init__()
        self.height, self.width = pieces[0].shape[1:]
        size = self.height * self.width
        starts = [p.start + k * size for p in pieces for k in range(p.shape[0])]
        self.planes: Numbers = np.array(starts, np.int64)
        self.seen = nn.Linear(AROUND**2 * len(starts), channels)
        self.place = nn.Embedding(size, channels)
        self.second = nn.Linear(channels, channels)
        _ready()

    def look(self, obs: Tensor) -> Live:
        """Find the live cells of observations [n, features], float32 or bfloat16."""
        bits = torch.uint16 if obs.dtype == torch.bfloat16 else torch.uint32
        whole: Bits = obs.detach().view(bits).numpy()
        near = np.zeros((len(whole), self.height * self.width), np.uint8)
        m = mark_live(whole, self.planes, self.height, self.width, near)
        row, cell = np.empty(m, np.int64), np.empty(m, np.int64)
        seen = np.zeros((m + -m % BLOCK, self.seen.in_features), whole.dtype)
        describe_live(whole, self.planes, self.height, self.width, near, row, cell, seen)
        found = torch.from_numpy(seen).view(obs.dtype).to(self.seen.weight.dtype)
        return Live(torch.from_numpy(row), torch.from_numpy(cell), found)

    def forward(self, live: Live) -> Tensor:
        """Return what each live cell amounts to [m, channels]."""
        seen = in_blocks(self.seen, live.seen, self.training)[: len(live.cell)]
        first = torch.relu(seen + self.place(live.cell).to(seen.dtype))
        return torch.relu(in_blocks(self.second, first, self.training))


class Pointer(nn.Module):
    """Says how good it would be to choose a cell, from what it amounts to and the whole position.

    Dead cells are judged too, all alike.
    """

    def __init__(self, channels: int, hidden: int, size: int) -> None:
        """Judge `size` cells described by `channels` numbers in positions described by `hidden`."""
        super().__init__()
        self.size = size
        self.cell = nn.Linear(channels, 2 * channels, bias=False)
        self.position = nn.Linear(hidden, 2 * channels)
        self.point = nn.Linear(2 * channels, 1)

    def forward(self, position: Tensor, cells: Tensor, live: Live) -> Tensor:
        """Return a logit for each cell [n, size], in float32."""
        asked = self.position(position)
        dead = self.point(torch.relu(asked))
        joined = in_blocks(self.cell, cells, self.training) + asked.index_select(0, live.row)
        found = in_blocks(self.point, torch.relu(joined), self.training)
        logits: Tensor = dead.float().expand(-1, self.size)
        return logits.index_put((live.row, live.cell), found[:, 0].float())


def sum_by_row(values: Tensor, row: Tensor, n: int) -> Tensor:
    """Return the sum of the values [m, channels] of each row's cells [n, channels], in float32."""
    total = torch.zeros(n, values.shape[1], dtype=torch.float32)
    return total.index_add(0, row, values.float()) * _SUM_SCALE


def in_blocks(layer: Callable[[Tensor], Tensor], cells: Tensor, training: bool) -> Tensor:
    """Apply a layer to cells [m, ...] in blocks of one size; in training to all blocks at once.

    Even then there are few sizes: each new one costs the matrix library a preparation, and memory.
    """
    m = len(cells)
    whole = nn.functional.pad(cells, (0, 0, 0, -m % BLOCK)) if m % BLOCK else cells
    if training:
        return layer(whole)[:m]
    blocks = [layer(whole[k : k + BLOCK]) for k in range(0, max(m, 1), BLOCK)]
    return torch.cat(blocks)[:m]


@kernel
def mark_live(obs: Bits, planes: Numbers, height: int, width: int, near: Marks) -> int:
    """Mark in `near` [n, cells] the cells with something in or beside them; return how many."""
    size, total = height * width, 0
    held = np.zeros(size, np.uint8)
    for k in range(len(obs)):
        held[:] = 0
        for start in planes:
            for cell in range(size):
                held[cell] |= obs[k, start + cell] != 0
        for cell in range(size):
            if not held[cell]:
                continue
            y, x = cell // width, cell % width
            for v in range(max(y - 1, 0), min(y + 2, height)):
                for u in range(max(x - 1, 0), min(x + 2, width)):
                    near[k, v * width + u] = 1
        for cell in range(size):
            total += near[k, cell]
    return total


@kernel
def describe_live(
    obs: Bits,
    planes: Numbers,
    height: int,
    width: int,
    near: Marks,
    row: Numbers,
    cell_of: Numbers,
    seen: Bits,
) -> None:
    """Write `Live`: row and cell [m] of the marked cells, and into the zeroed `seen` the rest."""
    size, n_planes, m = height * width, len(planes), 0
    number = np.zeros(size, np.int64)
    for k in range(len(obs)):
        for cell in range(size):
            if near[k, cell]:
                row[m], cell_of[m], number[cell] = k, cell, m
                m += 1
        for cell in range(size):
            if not near[k, cell]:
                continue
            y, x = cell // width, cell % width
            for c in range(n_planes):
                value = obs[k, planes[c] + cell]
                if value == 0:
                    continue
                for v in range(max(y - 1, 0), min(y + 2, height)):
                    for u in range(max(x - 1, 0), min(x + 2, width)):
                        # from the neighbour at (u, v) this cell lies at (x - u, y - v)
                        place = (y - v + 1) * AROUND + x - u + 1
                        seen[number[v * width + u], place * n_planes + c] = value


def _ready() -> None:
    """Compile the kernels above once, in sight."""

    def exercise() -> None:
        planes = np.zeros(1, np.int64)
        for bits in (np.uint16, np.uint32):
            obs: Any = np.ones((1, 1), bits)
            near = np.zeros((1, 1), np.uint8)
            mark_live(obs, planes, 1, 1, near)
            one = np.zeros(1, np.int64)
            seen: Any = np.zeros((1, 9), bits)
            describe_live(obs, planes, 1, 1, near, one, one.copy(), seen)

    compile_once("cells", "the eyes of networks", exercise)
