"""Place a dwarf and move a dwarf."""

from __future__ import annotations

from typing import Any

from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.record import NONE
from dwarrow.envs.dwar7s_fall.board import castle_works, has_free_spot, way_out
from dwarrow.envs.dwar7s_fall.layout import BASE_ACTIONS, N_SIDES, N_TILES, NEIGHBOUR


@kernel
def n_actions_of(s: Any, seat: int) -> int:
    """Return how many actions a king has as the table stands now.

    Rule: extra_action (1.1 Extra Action). Ruling: R10.
    """
    return BASE_ACTIONS + 1 if castle_works(s, seat) else BASE_ACTIONS


@kernel
def may_place_dwarf(s: Any, seat: int, cell: int) -> bool:
    """Return whether a king may place a dwarf of his pile on a cell's uppermost tile."""
    tile = s.top[cell]
    return tile != NONE and s.players[seat].pile > 0 and has_free_spot(s, tile)


@kernel
def place_dwarf(s: Any, seat: int, cell: int) -> None:
    """Place a dwarf of the pile on any free spot of the board.

    Rule: place_dwarf (1 Perform Actions).
    """
    s.players[seat].pile -= 1
    s.tiles[s.top[cell]].dwarfs[seat] += 1


@kernel
def may_move_dwarf(s: Any, seat: int, cell: int, side: int) -> bool:
    """Return whether a dwarf of a king may step off a cell to a side: no wall, and a free spot."""
    tile = s.top[cell]
    if tile == NONE or s.tiles[tile].dwarfs[seat] == 0:
        return False
    beyond = way_out(s, tile, side)
    return beyond != NONE and has_free_spot(s, beyond)


@kernel
def can_move_dwarf(s: Any, seat: int, cell: int) -> bool:
    """Return whether a dwarf of a king may step off a cell at all."""
    for side in range(N_SIDES):  # noqa: SIM110
        if may_move_dwarf(s, seat, cell, side):
            return True
    return False


@kernel
def can_move_any(s: Any, seat: int) -> bool:
    """Return whether some dwarf of a king may move."""
    for tile in range(N_TILES):
        if s.tiles[tile].dwarfs[seat] and can_move_dwarf(s, seat, s.tiles[tile].cell):
            return True
    return False


@kernel
def move_dwarf(s: Any, seat: int, cell: int, side: int) -> None:
    """Move one dwarf to the adjacent tile.

    Rule: move_dwarf (1 Perform Actions).
    """
    shift_dwarf(s, seat, cell, NEIGHBOUR[cell, side])


@kernel
def shift_dwarf(s: Any, seat: int, cell: int, target: int) -> None:
    """Take a king's dwarf from one cell to another."""
    s.tiles[s.top[cell]].dwarfs[seat] -= 1
    s.tiles[s.top[target]].dwarfs[seat] += 1


@kernel
def send_home(s: Any, seat: int, tile: int, count: int) -> None:
    """Return dwarfs from a tile to their king's pile."""
    s.tiles[tile].dwarfs[seat] -= count
    s.players[seat].pile += count
