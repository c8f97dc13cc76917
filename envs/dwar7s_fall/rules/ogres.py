"""The five ogre cards: who or what may be their target, and what they do to it."""

from __future__ import annotations

from typing import Any

from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.record import NONE
from dwarrow.envs.dwar7s_fall.board import dwarfs_on, has_free_spot, way_out
from dwarrow.envs.dwar7s_fall.layout import N_SIDES, N_TILES, Ogre
from dwarrow.envs.dwar7s_fall.rules.dwarfs import send_home, shift_dwarf
from dwarrow.envs.dwar7s_fall.rules.hands import discard_ogre, gems_of, ogres_of


@kernel
def may_ambush(s: Any, cell: int) -> bool:
    """Return whether an Ambush may aim at a cell: some dwarf stands there."""
    return bool(s.top[cell] != NONE and dwarfs_on(s, s.top[cell]) > 0)


@kernel
def ambush(s: Any, cell: int) -> None:
    """Send all dwarfs of a tile back to their kings' piles, one's own too.

    Rule: ambush (4 Tavern). Ruling: R24.
    """
    tile = s.top[cell]
    for king in range(s.n_seats):
        send_home(s, king, tile, s.tiles[tile].dwarfs[king])


@kernel
def may_brute(s: Any, seat: int, cell: int, king: int, own: int) -> bool:
    """Return whether a Brute may swap a dwarf of `king` on a cell with one's own on cell `own`."""
    target, mine = s.top[cell], s.top[own]
    if target == NONE or mine == NONE or cell == own or king == seat:
        return False
    return bool(s.tiles[target].dwarfs[king] > 0 and s.tiles[mine].dwarfs[seat] > 0)


@kernel
def has_dwarf_off(s: Any, seat: int, cell: int) -> bool:
    """Return whether a dwarf of a king stands on another cell than this."""
    for tile in range(N_TILES):  # noqa: SIM110
        if s.tiles[tile].dwarfs[seat] and s.tiles[tile].cell != cell:
            return True
    return False


@kernel
def brute(s: Any, seat: int, cell: int, king: int, own: int) -> None:
    """Swap an enemy dwarf with one of one's own on another tile, however far away.

    Rule: brute (4 Tavern). Ruling: R22.
    """
    shift_dwarf(s, king, cell, own)
    shift_dwarf(s, seat, own, cell)


@kernel
def may_panic(s: Any, seat: int, cell: int, king: int, target: int) -> bool:
    """Return whether a dwarf of `king` can run from a cell in two steps to another cell.

    Rule: panic (4 Tavern). Ruling: R23.
    """
    tile = s.top[cell]
    if tile == NONE or king == seat or s.tiles[tile].dwarfs[king] == 0 or target == cell:
        return False
    for first in range(N_SIDES):
        halfway = way_out(s, tile, first)
        if halfway == NONE or not has_free_spot(s, halfway):
            continue
        for second in range(N_SIDES):
            end = way_out(s, halfway, second)
            if end != NONE and s.tiles[end].cell == target and has_free_spot(s, end):
                return True
    return False


@kernel
def can_panic(s: Any, cell: int) -> bool:
    """Return whether a dwarf on a cell has somewhere to run to in two steps."""
    tile = s.top[cell]
    if tile == NONE:
        return False
    for first in range(N_SIDES):
        halfway = way_out(s, tile, first)
        if halfway == NONE or not has_free_spot(s, halfway):
            continue
        for second in range(N_SIDES):
            end = way_out(s, halfway, second)
            if end != NONE and end != tile and has_free_spot(s, end):
                return True
    return False


@kernel
def panic(s: Any, cell: int, king: int, target: int) -> None:
    """Move an enemy dwarf by two tiles."""
    shift_dwarf(s, king, cell, target)


@kernel
def may_rob(s: Any, seat: int, king: int) -> bool:
    """Return whether a Thief may aim at a king: another one, with a gem."""
    return king != seat and king < s.n_seats and gems_of(s, king) > 0


@kernel
def may_crown(s: Any, seat: int, king: int) -> bool:
    """Return whether a Crown may aim at a king: another one, with an ogre card."""
    return king != seat and king < s.n_seats and ogres_of(s, king) > 0


@kernel
def enemies_on(s: Any, seat: int, cell: int) -> int:
    """Return how many other kings have a dwarf on a cell."""
    tile = s.top[cell]
    count = 0
    if tile != NONE:
        for king in range(s.n_seats):
            if king != seat and s.tiles[tile].dwarfs[king] > 0:
                count += 1
    return count


@kernel
def may_aim_at(s: Any, seat: int, ogre: int, cell: int) -> bool:
    """Return whether an Ambush, Brute or Panic can be finished after this cell is chosen."""
    if ogre == Ogre.AMBUSH:
        return may_ambush(s, cell)
    if enemies_on(s, seat, cell) == 0:
        return False
    if ogre == Ogre.BRUTE:
        return has_dwarf_off(s, seat, cell)
    return can_panic(s, cell)


@kernel
def may_play_ogre(s: Any, seat: int, ogre: int) -> bool:
    """Return whether an ogre card of the hand has a target."""
    if s.players[seat].ogres[ogre] == 0:
        return False
    if ogre in (Ogre.THIEF, Ogre.CROWN):
        for king in range(s.n_seats):
            may = may_rob(s, seat, king) if ogre == Ogre.THIEF else may_crown(s, seat, king)
            if may:
                return True
        return False
    for tile in range(N_TILES):
        cell = s.tiles[tile].cell
        if cell != NONE and s.top[cell] == tile and may_aim_at(s, seat, ogre, cell):
            return True
    return False


@kernel
def play_ogre(s: Any, seat: int, ogre: int) -> None:
    """Lay an ogre card on the discard pile, which is free; its effect follows.

    Rule: ogre_cards (4 Tavern).
    """
    discard_ogre(s, seat, ogre)
