"""`violations`: what can never be, however the game was played or a position was typed."""

from __future__ import annotations

from enum import IntFlag
from typing import Any

import numpy as np

from dwarrow.envs.core.kernels import States, kernel
from dwarrow.envs.core.record import NONE
from dwarrow.envs.dwar7s_fall.board import dwarfs_on, find_regions, is_monster, stack_of
from dwarrow.envs.dwar7s_fall.cards import GEM_CARDS, OGRE_CARDS, SPOTS
from dwarrow.envs.dwar7s_fall.layout import (
    MAX_DWARFS,
    MAX_SEATS,
    N_CELLS,
    N_GEMS,
    N_KINDS,
    N_OGRES,
    N_ROW,
    N_TILES,
    Phase,
    Place,
)
from dwarrow.envs.dwar7s_fall.scoring import N_GOALS


class Violation(IntFlag):
    """Broken invariants."""

    TILE_PLACE = 1  # place, cell, winner of a tile do not fit together
    STACK = 2  # levels with gaps, types mixed, something on a monster
    UPPERMOST = 4  # `top` or `region` does not follow from the tiles
    DWARFS = 8  # not seven of each colour, too many on a tile, some on a covered tile
    GEMS = 16
    OGRE_CARDS = 32
    TRADING_GOALS = 64
    SECRET_GOALS = 128
    KNOWLEDGE = 256  # a king knows of cards that are not there
    TURN = 512  # seat, phase and choice do not fit together


@kernel
def violations(states: States, i: int) -> int:
    """Return the broken invariants as bits of `Violation`; see `Kernels.violations`."""
    s = states[i]
    bits = 0
    if not tiles_are_placed(s):
        bits |= Violation.TILE_PLACE.value
    elif not stacks_are_sound(s):
        bits |= Violation.STACK.value
    elif not tops_are_sound(s):
        bits |= Violation.UPPERMOST.value
    if not dwarfs_are_all_there(s):
        bits |= Violation.DWARFS.value
    if not gems_are_all_there(s):
        bits |= Violation.GEMS.value
    if not ogres_are_all_there(s):
        bits |= Violation.OGRE_CARDS.value
    if not trading_goals_are_all_there(s):
        bits |= Violation.TRADING_GOALS.value
    if not secrets_differ(s):
        bits |= Violation.SECRET_GOALS.value
    if not knowledge_is_true(s):
        bits |= Violation.KNOWLEDGE.value
    if not turn_is_sound(s):
        bits |= Violation.TURN.value
    return bits


@kernel
def tiles_are_placed(s: Any) -> bool:
    """Return whether each tile is in one place only."""
    for tile in range(N_TILES):
        on = s.tiles[tile]
        in_box = tile // N_KINDS >= s.n_seats
        if (on.place == Place.BOX) != in_box or (on.place == Place.BOARD) != (on.cell != NONE):
            return False
        if (on.place == Place.BEATEN) != (on.beaten_by != NONE) or on.beaten_by >= s.n_seats:
            return False
        if on.place == Place.BEATEN and not is_monster(tile):
            return False
        if on.cell == NONE and (on.level != 0 or on.turned != 0):
            return False
        if not 0 <= on.turned <= 3:
            return False
    return True


@kernel
def stacks_are_sound(s: Any) -> bool:
    """Return whether levels count up from 0, types match, and monsters lie on top."""
    for tile in range(N_TILES):
        on = s.tiles[tile]
        if on.cell == NONE:
            continue
        below, above = 0, 0
        for other in range(N_TILES):
            if other == tile or s.tiles[other].cell != on.cell:
                continue
            if stack_of(other) != stack_of(tile) or s.tiles[other].level == on.level:
                return False
            below += s.tiles[other].level < on.level
            above += s.tiles[other].level > on.level
        if below != on.level or (above and is_monster(tile)):
            return False
    return True


@kernel
def tops_are_sound(s: Any) -> bool:
    """Return whether `top` and `region` follow from the tiles."""
    for cell in range(N_CELLS):
        if s.top[cell] != NONE and s.tiles[s.top[cell]].cell != cell:
            return False
    for tile in range(N_TILES):
        cell = s.tiles[tile].cell
        if cell == NONE:
            continue
        top = s.top[cell]
        if top == NONE or s.tiles[top].level < s.tiles[tile].level:
            return False
    region = np.zeros(N_TILES, np.int16)
    find_regions(s, region)
    for tile in range(N_TILES):  # noqa: SIM110
        if region[tile] != s.tiles[tile].region:
            return False
    return True


@kernel
def dwarfs_are_all_there(s: Any) -> bool:
    """Return whether every king has seven dwarfs, and none stands where none can."""
    for tile in range(N_TILES):
        on = dwarfs_on(s, tile)
        if on > SPOTS[tile % N_KINDS] or (on and s.tiles[tile].region == NONE):
            return False
    for seat in range(MAX_SEATS):
        count = s.players[seat].pile
        for tile in range(N_TILES):
            if s.tiles[tile].dwarfs[seat] < 0:
                return False
            count += s.tiles[tile].dwarfs[seat]
        if s.players[seat].pile < 0 or count != (MAX_DWARFS if seat < s.n_seats else 0):
            return False
    return True


@kernel
def gems_are_all_there(s: Any) -> bool:
    """Return whether hands and piles hold all gem cards."""
    for gem in range(N_GEMS):
        count = s.gem_piles[gem]
        if count < 0:
            return False
        for seat in range(MAX_SEATS):
            if s.players[seat].gems[gem] < 0:
                return False
            count += s.players[seat].gems[gem]
        if count != GEM_CARDS[gem]:
            return False
    return True


@kernel
def ogres_are_all_there(s: Any) -> bool:
    """Return whether hands, deck and discard pile hold all ogre cards."""
    for ogre in range(N_OGRES):
        count = s.ogre_discard[ogre]
        if count < 0:
            return False
        for k in range(s.ogre_deck_size):
            count += s.ogre_deck[k] == ogre
        for seat in range(MAX_SEATS):
            if s.players[seat].ogres[ogre] < 0:
                return False
            count += s.players[seat].ogres[ogre]
        if count != OGRE_CARDS[ogre]:
            return False
    return True


@kernel
def trading_goals_are_all_there(s: Any) -> bool:
    """Return whether each trading goal is in one place, and the row has no avoidable gap."""
    for goal in range(N_GOALS):
        count = 0
        for k in range(s.goals_left):
            count += s.goal_deck[k] == goal
        for slot in range(N_ROW):
            count += s.goal_row[slot] == goal
        for seat in range(MAX_SEATS):
            if s.players[seat].goals[goal] not in (0, 1):
                return False
            count += s.players[seat].goals[goal]
        if count != 1:
            return False
    for slot in range(N_ROW):  # noqa: SIM110
        if s.goal_row[slot] == NONE and s.goals_left > 0:
            return False
    return True


@kernel
def secrets_differ(s: Any) -> bool:
    """Return whether every king at the table has a secret goal of his own."""
    for a in range(MAX_SEATS):
        if (s.players[a].secret == NONE) != (a >= s.n_seats):
            return False
        for b in range(a):
            if a < s.n_seats and s.players[a].secret == s.players[b].secret:
                return False
    return True


@kernel
def knowledge_is_true(s: Any) -> bool:
    """Return whether nobody knows of more cards in a hand than it holds."""
    for observer in range(MAX_SEATS):
        me = s.players[observer]
        for king in range(MAX_SEATS):
            for gem in range(N_GEMS):
                known = me.known_gems[king, gem]
                limit = 0 if king == observer else s.players[king].gems[gem]
                if not 0 <= known <= limit:
                    return False
            for ogre in range(N_OGRES):
                known = me.known_ogres[king, ogre]
                limit = 0 if king == observer else s.players[king].ogres[ogre]
                if not 0 <= known <= limit:
                    return False
    return True


@kernel
def turn_is_sound(s: Any) -> bool:
    """Return whether seat, phase and the choice under way fit together."""
    if s.over:
        return bool(s.phase == Phase.OVER and s.seat == NONE)
    if s.phase == Phase.OVER or not 0 <= s.seat < s.n_seats or not 0 <= s.active < s.n_seats:
        return False
    window = s.phase == Phase.WINDOW
    if window == (s.seat == s.active) or window != (s.resume != NONE):
        return False
    if not 1 <= s.turn <= s.options.cap or s.used < 0 or s.tasks < 0:
        return False
    laying = s.phase in (Phase.TILE_CELL, Phase.TILE_TURN)
    aiming = Phase.BRUTE_KING <= s.phase <= Phase.PANIC_TO and s.phase != Phase.PANIC_CELL
    to_cell = s.phase in (Phase.TILE_TURN, Phase.MOVE_TO) or aiming
    if laying != (s.chosen.kind != NONE) or to_cell != (s.chosen.cell != NONE):
        return False
    if laying and s.tiles[s.active * N_KINDS + s.chosen.kind].place != Place.HAND:
        return False
    struck = window and s.resume in (Phase.THIEF_KING, Phase.CROWN_KING)
    at_king = s.phase in (Phase.BRUTE_OWN, Phase.PANIC_TO) or struck
    return bool(at_king == (s.chosen.king != NONE))
