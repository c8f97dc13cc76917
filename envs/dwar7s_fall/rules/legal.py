"""`legal`: what each question offers; every stage offers only what can be finished."""

from __future__ import annotations

from typing import Any

from dwarrow.envs.core.kernels import Mask, States, kernel
from dwarrow.envs.core.record import NONE
from dwarrow.envs.dwar7s_fall.actions import (
    AT,
    DISCARD_GEM,
    DISCARD_OGRE,
    GOAL,
    KING,
    MOVE,
    OGRE,
    PASS,
    PLAY,
    REVEAL,
    SIDE,
)
from dwarrow.envs.dwar7s_fall.board import is_table_empty, is_uppermost
from dwarrow.envs.dwar7s_fall.layout import (
    MIDDLE,
    N_GEMS,
    N_KINDS,
    N_OGRES,
    N_ROW,
    N_SIDES,
    N_TILES,
    NEIGHBOUR,
    Ogre,
    Phase,
)
from dwarrow.envs.dwar7s_fall.rules.dwarfs import (
    can_move_any,
    can_move_dwarf,
    may_move_dwarf,
    may_place_dwarf,
)
from dwarrow.envs.dwar7s_fall.rules.goals import may_reveal
from dwarrow.envs.dwar7s_fall.rules.hands import may_discard_gem, may_discard_ogre
from dwarrow.envs.dwar7s_fall.rules.ogres import (
    may_aim_at,
    may_brute,
    may_crown,
    may_panic,
    may_play_ogre,
    may_rob,
)
from dwarrow.envs.dwar7s_fall.rules.tasks import may_dig, may_resolve, may_trade
from dwarrow.envs.dwar7s_fall.rules.tiles import can_play_tile, may_play_tile, may_turn
from dwarrow.envs.dwar7s_fall.rules.turn import may_act


@kernel
def legal(states: States, i: int, mask: Mask) -> int:
    """Write the legal actions to `mask` and return how many; see `Kernels.legal`."""
    s = states[i]
    mask[:] = 0
    if s.over:
        return 0
    phase = s.phase
    if phase == Phase.ACT:
        offer_actions(s, mask)
    elif phase == Phase.TILE_CELL:
        offer_tile_cells(s, mask)
    elif phase in (Phase.TILE_TURN, Phase.MOVE_TO):
        offer_sides(s, mask)
    elif phase in (Phase.BRUTE_KING, Phase.PANIC_KING, Phase.THIEF_KING, Phase.CROWN_KING):
        offer_kings(s, mask)
    elif phase <= Phase.DIG:
        offer_cells(s, mask)
    elif phase == Phase.DISCARD:
        offer_discards(s, mask)
    elif phase == Phase.TRADE:
        for slot in range(N_ROW):
            mask[GOAL + slot] = may_trade(s, s.seat, slot)
    if phase in (Phase.ACT, Phase.DIG, Phase.TRADE, Phase.SHOW, Phase.WINDOW):
        mask[PASS] = 1
    if phase in (Phase.ACT, Phase.RESOLVE, Phase.SHOW, Phase.WINDOW):
        mask[REVEAL] = may_reveal(s, s.seat)
    count = 0
    for action in range(len(mask)):
        count += mask[action]
    return count


@kernel
def offer_actions(s: Any, mask: Mask) -> None:
    """Offer actions while there are some left, and the ogre cards that have a target."""
    if may_act(s, s.seat):
        for kind in range(N_KINDS):
            mask[PLAY + kind] = can_play_tile(s, s.seat, kind)
        for tile in range(N_TILES):
            if is_uppermost(s, tile):
                cell = s.tiles[tile].cell
                mask[AT + cell] = may_place_dwarf(s, s.seat, cell)
        mask[MOVE] = can_move_any(s, s.seat)
    for ogre in range(N_OGRES):
        mask[OGRE + ogre] = may_play_ogre(s, s.seat, ogre)


@kernel
def offer_tile_cells(s: Any, mask: Mask) -> None:
    """Offer the cells of uppermost tiles and their neighbours that the chosen tile may go to."""
    for tile in range(N_TILES):
        if not is_uppermost(s, tile):
            continue
        cell = s.tiles[tile].cell
        mask[AT + cell] = may_play_tile(s, s.seat, s.chosen.kind, cell)
        for side in range(N_SIDES):
            beside = NEIGHBOUR[cell, side]
            if beside != NONE and s.top[beside] == NONE and not mask[AT + beside]:
                mask[AT + beside] = may_play_tile(s, s.seat, s.chosen.kind, beside)
    if is_table_empty(s):
        mask[AT + MIDDLE] = may_play_tile(s, s.seat, s.chosen.kind, MIDDLE)


@kernel
def offer_sides(s: Any, mask: Mask) -> None:
    """Offer the turns of the chosen tile, or the ways of the chosen dwarf."""
    for side in range(N_SIDES):
        if s.phase == Phase.TILE_TURN:
            mask[SIDE + side] = may_turn(s.chosen.kind, side)
        else:
            mask[SIDE + side] = may_move_dwarf(s, s.seat, s.chosen.cell, side)


@kernel
def offer_kings(s: Any, mask: Mask) -> None:
    """Offer the kings whose dwarf, gem or ogre cards may be the target."""
    for k in range(1, s.n_seats):
        king = (s.seat + k) % s.n_seats
        if s.phase == Phase.THIEF_KING:
            mask[KING + k] = may_rob(s, s.seat, king)
        elif s.phase == Phase.CROWN_KING:
            mask[KING + k] = may_crown(s, s.seat, king)
        else:
            mask[KING + k] = s.tiles[s.top[s.chosen.cell]].dwarfs[king] > 0


@kernel
def offer_cells(s: Any, mask: Mask) -> None:
    """Offer the cells of uppermost tiles that fit the question asked."""
    for tile in range(N_TILES):
        if is_uppermost(s, tile):
            mask[AT + s.tiles[tile].cell] = fits(s, tile, s.tiles[tile].cell)


@kernel
def fits(s: Any, tile: int, cell: int) -> bool:
    """Return whether the cell of an uppermost tile is an answer to the question asked."""
    seat, phase = s.seat, s.phase
    if phase == Phase.MOVE_FROM:
        return can_move_dwarf(s, seat, cell)
    if phase == Phase.AMBUSH_CELL:
        return may_aim_at(s, seat, Ogre.AMBUSH, cell)
    if phase == Phase.BRUTE_CELL:
        return may_aim_at(s, seat, Ogre.BRUTE, cell)
    if phase == Phase.PANIC_CELL:
        return may_aim_at(s, seat, Ogre.PANIC, cell)
    if phase == Phase.BRUTE_OWN:
        return may_brute(s, seat, s.chosen.cell, s.chosen.king, cell)
    if phase == Phase.PANIC_TO:
        return may_panic(s, seat, s.chosen.cell, s.chosen.king, cell)
    if phase == Phase.RESOLVE:
        return may_resolve(s, seat, tile)
    return may_dig(s, cell)


@kernel
def offer_discards(s: Any, mask: Mask) -> None:
    """Offer gems and ogre cards to discard; kingdom tiles may not be."""
    for gem in range(N_GEMS):
        mask[DISCARD_GEM + gem] = may_discard_gem(s, s.seat, gem)
    for ogre in range(N_OGRES):
        mask[DISCARD_OGRE + ogre] = may_discard_ogre(s, s.seat, ogre)
