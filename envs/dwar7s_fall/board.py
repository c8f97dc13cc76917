"""Tiles on the table: stacks, walls, spots, and the walled regions that are the kingdoms."""

from __future__ import annotations

from typing import Any

import numpy as np

from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.record import NONE, Ints
from dwarrow.envs.dwar7s_fall.cards import SPOTS, STACK, WALLS
from dwarrow.envs.dwar7s_fall.layout import (
    MAX_SEATS,
    N_KINDS,
    N_SIDES,
    N_TILES,
    NEIGHBOUR,
    Guards,
    Kind,
    Place,
    Side,
    Stack,
    Takes,
)


@kernel
def stack_of(tile: int) -> int:
    """Return the stacking type of a tile."""
    return int(STACK[tile % N_KINDS])


@kernel
def is_monster(tile: int) -> bool:
    """Return whether a tile is a fire dragon or a frost giant."""
    kind = tile % N_KINDS
    return bool(kind == Kind.FIRE_DRAGON or kind == Kind.FROST_GIANT)


@kernel
def is_uppermost(s: Any, tile: int) -> bool:
    """Return whether a tile lies on the board with nothing on top of it."""
    return bool(s.tiles[tile].region != NONE)


@kernel
def dwarfs_on(s: Any, tile: int) -> int:
    """Return the number of dwarfs of all colours on a tile."""
    count = 0
    for seat in range(MAX_SEATS):
        count += s.tiles[tile].dwarfs[seat]
    return count


@kernel
def has_free_spot(s: Any, tile: int) -> bool:
    """Return whether one more dwarf may stand on a tile."""
    return bool(dwarfs_on(s, tile) < SPOTS[tile % N_KINDS])


@kernel
def is_walled(s: Any, a: int, b: int, side: int) -> bool:
    """Return whether a wall stands between two adjacent uppermost tiles, `b` lying `side` of `a`.

    One wall of either tile is enough.

    Rule: walls (1 Perform Actions). Ruling: R3.
    """
    return bool(
        WALLS[a % N_KINDS, s.tiles[a].turned, side]
        or WALLS[b % N_KINDS, s.tiles[b].turned, (side + 2) % N_SIDES]
    )


@kernel
def way_out(s: Any, tile: int, side: int) -> int:
    """Return the uppermost tile next to a tile that no wall parts from it, or NONE."""
    cell = NEIGHBOUR[s.tiles[tile].cell, side]
    if cell == NONE:
        return NONE
    beyond = s.top[cell]
    if beyond == NONE or is_walled(s, tile, beyond, side):
        return NONE
    return int(beyond)


@kernel
def find_regions(s: Any, region: Ints) -> None:
    """Write to `region` [N_TILES] for each uppermost tile the lowest tile of its walled area.

    A region is every set of uppermost tiles joined by unwalled edges, with or without a castle; an
    outer edge without a wall leaks nothing.

    Rule: kingdom (1.3 Kingdom Building). Ruling: R6.
    """
    for tile in range(N_TILES):
        on_top = s.tiles[tile].place == Place.BOARD and s.top[s.tiles[tile].cell] == tile
        region[tile] = tile if on_top else NONE
    for tile in range(N_TILES):
        if region[tile] == NONE:
            continue
        for side in range(Side.EAST, Side.WEST):  # east and south: each edge once
            other = way_out(s, tile, side)
            if other == NONE:
                continue
            a, b = root_of(region, tile), root_of(region, other)
            if a < b:
                region[b] = a
            else:
                region[a] = b
    for tile in range(N_TILES):
        if region[tile] != NONE:
            region[tile] = region[region[tile]]  # roots are lower, hence already final


@kernel
def root_of(region: Ints, tile: int) -> int:
    """Follow the links of a half-joined region to its lowest tile."""
    while region[tile] != tile:
        tile = int(region[tile])
    return tile


@kernel
def redraw_regions(s: Any) -> None:
    """Find the regions anew; needed after every change of uppermost tiles, and only then."""
    region = np.zeros(N_TILES, np.int16)
    find_regions(s, region)
    for tile in range(N_TILES):
        s.tiles[tile].region = region[tile]


@kernel
def is_guarded(s: Any, tile: int, stack: int) -> bool:
    """Return whether a monster of type `stack` lives in the region of an uppermost tile.

    Rule: monster_blocks (3 Monsters). Ruling: R7.
    """
    if stack == Stack.INN:
        return False
    monster = Kind.FIRE_DRAGON if stack == Stack.MINE else Kind.FROST_GIANT
    region = s.tiles[tile].region
    for seat in range(s.n_seats):  # noqa: SIM110
        if s.tiles[seat * N_KINDS + monster].region == region:
            return True
    return False


@kernel
def is_closed(s: Any, tile: int) -> bool:
    """Return whether an uppermost tile may be neither stacked on nor dug because of monsters.

    Rule: monster_guards (Reference). Ruling: R8.
    """
    if is_monster(tile):
        return True
    return bool(s.options.monster_guards == Guards.REGION and is_guarded(s, tile, stack_of(tile)))


@kernel
def castle_works(s: Any, seat: int) -> bool:
    """Return whether a king's castle is in play and grants him its benefits.

    Rule: frost_giant (1.4 Frost Giant). Ruling: R7.
    """
    castle = seat * N_KINDS + Kind.CASTLE
    if not is_uppermost(s, castle):
        return False
    return not (s.options.giant_takes == Takes.REGION and is_guarded(s, castle, Stack.CASTLE))


@kernel
def lift_top(s: Any, cell: int) -> None:
    """Take the uppermost tile off a cell; the one below, if any, becomes the uppermost."""
    tile = s.top[cell]
    level = s.tiles[tile].level
    s.top[cell] = NONE
    for below in range(N_TILES):
        if s.tiles[below].cell == cell and s.tiles[below].level == level - 1:
            s.top[cell] = below
    s.tiles[tile].cell = NONE
    s.tiles[tile].level = 0
    s.tiles[tile].turned = Side.NORTH


@kernel
def is_table_empty(s: Any) -> bool:
    """Return whether no tile lies on the table."""
    for tile in range(N_TILES):  # noqa: SIM110
        if s.tiles[tile].place == Place.BOARD:
            return False
    return True
