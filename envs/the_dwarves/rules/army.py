"""The Army of Evil: placing troops, Perished Land, its cascades, Blacksaddle."""

from __future__ import annotations

import numpy as np

from dwarrow.envs.core.kernels import kernel, part
from dwarrow.envs.core.record import NONE, Ints
from dwarrow.envs.the_dwarves.board import N_DIRECTIONS, N_HEXES, SQUARES
from dwarrow.envs.the_dwarves.cards import MAP, TILES
from dwarrow.envs.the_dwarves.layout import OVERRUN, Rule, State
from dwarrow.envs.the_dwarves.rules.lookup import is_perished, troops_in
from dwarrow.envs.the_dwarves.rules.markers import advance_doom
from dwarrow.envs.the_dwarves.rules.stack import is_at_work, wide
from dwarrow.envs.the_dwarves.words import N_TROOPS

_ARROW, _NEIGHBOUR, _ORDER = MAP.arrow, MAP.neighbour, MAP.order
_BLACKSADDLE = MAP.blacksaddle
_TILE_ARROW, _SQUARE = TILES.arrow, TILES.square
SIDE = np.array([-1, -1, 1, 1], dtype=np.int16)
"""Where each square of a tile sends its troop, in sixths of a turn clockwise from the arrow.

Ruling: R4. This table is the only place that knows."""


@kernel
def tile_direction(s: State, h: int) -> int:
    """Return where the large arrow of the tile in `h` points."""
    return wide(_ARROW[h, _TILE_ARROW[s.tile[h]]])


@kernel
def resting_hex(s: State, h: int) -> int:
    """Return where troops that enter `h` come to rest: they follow arrows off Perished Land.

    Rule: perished_land_flow (p. 8). Every step leads one ring inward, so this ends.
    """
    while is_perished(s, h):
        h = wide(_NEIGHBOUR[h, tile_direction(s, h)])
    return h


@kernel
def place_troops(s: State, h: int, troop: int, n: int) -> int:
    """Put troops from the supply on a hex, as many as there are; return how many were missing.

    Rule: place_troops (p. 7). Ruling: R11, R13.
    """
    placed = min(n, wide(s.supply[troop]))
    s.supply[troop] -= placed
    s.troops[resting_hex(s, h)][troop] += placed
    return n - placed


@kernel
def lay_tile(s: State, h: int) -> bool:
    """Turn a hex into Perished Land if a tile is left; its troops still stand there.

    Rule: perished_land (p. 8). Ruling: R12.
    """
    if s.n_pile == 0 or is_perished(s, h) or h == _BLACKSADDLE:
        return False
    s.n_pile -= 1
    s.tile[h] = s.tile_pile[s.n_pile]
    s.tile_pile[s.n_pile] = NONE
    return True


@kernel
def move_out(s: State, h: int) -> None:
    """Move the troops out of a hex that has just perished: sideways first, then with the arrow.

    A troop whose side is blocked is kept for the arrow; no other square may have it.

    Rule: troop_movement (p. 8). Ruling: R4, R5, R6, R8, R9.
    """
    arrow = tile_direction(s, h)
    tile = wide(s.tile[h])
    ahead = resting_hex(s, h)
    for k in range(SQUARES):
        troop = _SQUARE[tile, k]
        if s.troops[h][troop] == 0:
            continue
        s.troops[h][troop] -= 1
        side = wide(_NEIGHBOUR[h, (arrow + SIDE[k]) % N_DIRECTIONS])
        if side == NONE or is_perished(s, side):
            side = ahead
        s.troops[side][troop] += 1
    for troop in range(N_TROOPS):
        s.troops[ahead][troop] += s.troops[h][troop]
        s.troops[h][troop] = 0


@kernel
def overrun_hex(s: State) -> int:
    """Return the outermost hex that must perish now, or NONE.

    Ruling: R7.
    """
    if s.n_pile == 0:
        return NONE
    for k in range(N_HEXES):
        h = wide(_ORDER[k])
        if h != _BLACKSADDLE and troops_in(s, h) >= OVERRUN and not is_perished(s, h):
            return h
    return NONE


@kernel
def settle(s: State) -> None:
    """After troops were placed or moved: overrun hexes perish, one after another.

    A Threat that happens may move troops again; it looks at Blacksaddle when it is done.

    Rule: perished_land (p. 8). Ruling: R10.
    """
    h = overrun_hex(s)
    while h != NONE:
        lay_tile(s, h)
        move_out(s, h)
        h = overrun_hex(s)
    if not is_at_work(s, Rule.THREAT):
        empty_blacksaddle(s)


@kernel
def empty_blacksaddle(s: State) -> None:
    """Send a crowd at Blacksaddle back to the supply; the Doom marker advances once.

    Rule: blacksaddle (p. 8). Ruling: R10.
    """
    if troops_in(s, _BLACKSADDLE) >= OVERRUN:
        for troop in range(N_TROOPS):
            s.supply[troop] += s.troops[_BLACKSADDLE][troop]
            s.troops[_BLACKSADDLE][troop] = 0
        advance_doom(s)


@kernel
def perish(s: State, h: int) -> None:
    """Turn one hex into Perished Land by a card.

    Rule: perished_by_card (p. 9).
    """
    if lay_tile(s, h):
        move_out(s, h)
    settle(s)


@part
def perish_all(s: State, marked: Ints) -> None:
    """Turn all marked hexes into Perished Land, then move their troops; once.

    Rule: perished_wave (p. 16). Ruling: R17.
    """
    for k in range(N_HEXES):
        h = wide(_ORDER[k])
        if marked[h] and not lay_tile(s, h):
            marked[h] = 0
    for k in range(N_HEXES):
        h = wide(_ORDER[k])
        if marked[h]:
            move_out(s, h)
    settle(s)
