"""Play a kingdom tile: beside another tile, on top of one of its own type, or as the first."""

from __future__ import annotations

from typing import Any

from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.record import NONE
from dwarrow.envs.dwar7s_fall.board import (
    dwarfs_on,
    is_closed,
    is_monster,
    is_table_empty,
    redraw_regions,
    stack_of,
)
from dwarrow.envs.dwar7s_fall.cards import SAME_AS
from dwarrow.envs.dwar7s_fall.layout import (
    MIDDLE,
    N_KINDS,
    N_SIDES,
    N_TILES,
    NEIGHBOUR,
    Place,
)


@kernel
def may_stack_on(s: Any, tile: int, under: int) -> bool:
    """Return whether `tile` may be laid on the uppermost tile `under`.

    Rule: stack (1 Perform Actions).
    """
    return (
        stack_of(tile) == stack_of(under) and dwarfs_on(s, under) == 0 and not is_closed(s, under)
    )


@kernel
def may_lay_at(s: Any, tile: int, cell: int) -> bool:
    """Return whether `tile` may be laid on an empty cell: beside a tile, or the first.

    Rule: lay (1 Perform Actions). Ruling: R2, R4, R5.
    """
    if s.options.monster_stack_only and is_monster(tile):
        return False
    for side in range(N_SIDES):
        beside = NEIGHBOUR[cell, side]
        if beside != NONE and s.top[beside] != NONE:
            return True
    return cell == MIDDLE and is_table_empty(s)


@kernel
def may_play_tile(s: Any, seat: int, kind: int, cell: int) -> bool:
    """Return whether a king may play this tile of his hand to a cell."""
    tile = seat * N_KINDS + kind
    if s.tiles[tile].place != Place.HAND:
        return False
    if s.top[cell] == NONE:
        return may_lay_at(s, tile, cell)
    return may_stack_on(s, tile, s.top[cell])


@kernel
def can_play_tile(s: Any, seat: int, kind: int) -> bool:
    """Return whether there is a cell for this tile of the king's hand."""
    if s.tiles[seat * N_KINDS + kind].place != Place.HAND:
        return False
    empty = True
    for tile in range(N_TILES):
        cell = s.tiles[tile].cell
        if cell == NONE or s.top[cell] != tile:
            continue
        empty = False
        if may_play_tile(s, seat, kind, cell):
            return True
        for side in range(N_SIDES):
            beside = NEIGHBOUR[cell, side]
            if beside != NONE and may_play_tile(s, seat, kind, beside):
                return True
    return empty and may_play_tile(s, seat, kind, MIDDLE)


@kernel
def may_turn(kind: int, turned: int) -> bool:
    """Return whether this turn of a card is offered: of turns that look alike, the first.

    Rule: turn (1 Perform Actions). Ruling: R1.
    """
    return bool(SAME_AS[kind, turned] == turned)


@kernel
def play_tile(s: Any, seat: int, kind: int, cell: int, turned: int) -> None:
    """Lay a tile of the king's hand on a cell, its top pointing to `turned`.

    Rule: play_tile (1 Perform Actions).
    """
    tile = seat * N_KINDS + kind
    under = s.top[cell]
    s.tiles[tile].place = Place.BOARD
    s.tiles[tile].cell = cell
    s.tiles[tile].level = 0 if under == NONE else s.tiles[under].level + 1
    s.tiles[tile].turned = turned
    s.top[cell] = tile
    redraw_regions(s)
