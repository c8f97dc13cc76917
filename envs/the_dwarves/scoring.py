"""The end of the game, and whether a record is sound."""

from __future__ import annotations

from enum import IntFlag

import numpy as np

from dwarrow.envs.core.kernels import Floats, States, kernel, part
from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_dwarves.board import N_HEXES, N_TILES
from dwarrow.envs.the_dwarves.cards import (
    BOOK_OF,
    DECK_OF,
    EQUIPMENT_BOOK,
    EQUIPMENT_COPIES,
    MAP,
    N_CARDS,
    TROPHY,
)
from dwarrow.envs.the_dwarves.layout import (
    DOOM_START,
    MAX_DEPTH,
    N_DISPLAY,
    N_SLOTS,
    OVERRUN,
    SUPPLY,
    End,
    Phase,
    Rule,
    State,
    Why,
)
from dwarrow.envs.the_dwarves.rules.lookup import max_health, seat_of_ability, troops_in
from dwarrow.envs.the_dwarves.rules.stack import is_at_work, seats, wide
from dwarrow.envs.the_dwarves.setup import is_in_game
from dwarrow.envs.the_dwarves.words import (
    N_BOXES,
    N_EQUIPMENT,
    N_SPELLS,
    N_TROOPS,
    Ability,
    Deck,
    Equipment,
)

_BLACKSADDLE = MAP.blacksaddle
GIVING, GIVEN = Rule.HERO, Why.GIVE


class Violation(IntFlag):
    """What can be wrong with a record."""

    TROOPS_DO_NOT_ADD_UP = 1
    A_CARD_IS_TWICE_OR_MISSING = 2
    A_TILE_IS_TWICE = 4
    TROOPS_STAND_ON_PERISHED_LAND_OR_OVERRUN_A_HEX = 8
    HEALTH_OUT_OF_RANGE = 16
    EQUIPMENT_DOES_NOT_ADD_UP = 32
    A_HERO_IS_TWICE_OR_OFF_THE_MAP = 64
    MARKERS_OUT_OF_RANGE = 128
    SPELLS_DO_NOT_ADD_UP = 256
    NOBODY_IS_ASKED = 512


@kernel
def returns(states: States, i: int, out: Floats) -> None:
    """Write +1 for all if the team won, -1 for all if not."""
    s: State = states[i]
    for p in range(seats(s)):
        out[p] = 1 if s.end == End.WON else -1


@kernel
def scores(states: States, i: int, out: Floats) -> None:
    """Write the number of Scenarios completed, for all."""
    s: State = states[i]
    for p in range(seats(s)):
        out[p] = s.n_completed


@kernel
def violations(states: States, i: int) -> int:
    """Return the broken invariants as bits."""
    s: State = states[i]
    bits = troop_violations(s) | card_violations(s) | equipment_violations(s)
    return bits | hero_violations(s) | marker_violations(s)


@part
def troop_violations(s: State) -> int:
    """Check that no troop is lost, and that none stands where it cannot."""
    bits = 0
    for troop in range(N_TROOPS):
        count = wide(s.supply[troop])
        low = count
        for h in range(N_HEXES):
            count += s.troops[h][troop]
            low = min(low, wide(s.troops[h][troop]))
        for j in range(N_SLOTS):
            count += s.slots[j].troops[troop]
            low = min(low, wide(s.slots[j].troops[troop]))
            if s.slots[j].card != NONE and TROPHY[s.slots[j].card] == troop:
                count += s.slots[j].trophies
        for k in range(s.depth):  # defeated, and about to be laid on a card
            count += s.stack[k].rule == Rule.TROPHY and s.stack[k].a == troop
        if count != SUPPLY[troop] or low < 0:
            bits |= Violation.TROOPS_DO_NOT_ADD_UP.value
    tiles = np.zeros(N_TILES, np.int16)
    for k in range(s.n_pile):
        tiles[s.tile_pile[k]] += 1
    for h in range(N_HEXES):
        n = troops_in(s, h)
        if s.tile[h] != NONE:
            tiles[s.tile[h]] += 1
        late = h == _BLACKSADDLE and is_at_work(s, Rule.THREAT)  # emptied when the Threat is done
        full = n >= OVERRUN and s.n_pile > 0 and not s.over and not late
        if (s.tile[h] != NONE and n > 0) or full:
            bits |= Violation.TROOPS_STAND_ON_PERISHED_LAND_OR_OVERRUN_A_HEX.value
    if s.tile[_BLACKSADDLE] != NONE:
        bits |= Violation.TROOPS_STAND_ON_PERISHED_LAND_OR_OVERRUN_A_HEX.value
    for k in range(N_TILES):
        if tiles[k] > 1:
            bits |= Violation.A_TILE_IS_TWICE.value
    return bits


@part
def card_violations(s: State) -> int:
    """Check that every card is in one place; Scenarios may be in the box."""
    seen = np.zeros(N_CARDS, np.int16)
    for k in range(s.n_scenario):
        seen[s.scenario_deck[k]] += 1
    for k in range(s.n_adventure):
        seen[s.adventure_deck[k]] += 1
    for k in range(s.n_threat):
        seen[s.threat_deck[k]] += 1
    for k in range(s.n_discard):
        seen[s.discard[k]] += 1
    for k in range(s.n_completed):
        seen[s.completed[k]] += 1
    bits = 0
    for j in range(N_SLOTS):
        card = s.slots[j].card
        if card != NONE:
            seen[card] += 1
            if (DECK_OF[card] == Deck.SCENARIO) == (j < N_DISPLAY):
                bits |= Violation.A_CARD_IS_TWICE_OR_MISSING.value
    for card in range(N_CARDS):
        wanted = is_in_game(s, wide(BOOK_OF[card]))
        scenario = DECK_OF[card] == Deck.SCENARIO
        if seen[card] > wanted or (not scenario and seen[card] != wanted):
            bits |= Violation.A_CARD_IS_TWICE_OR_MISSING.value
    return bits


@part
def equipment_violations(s: State) -> int:
    """Check that every Equipment card and every spell is in one place."""
    count = np.zeros(N_EQUIPMENT, np.int16)
    for k in range(s.n_equipment):
        count[s.equipment_deck[k]] += 1
    for k in range(s.n_spent):
        count[s.equipment_discard[k]] += 1
    for k in range(s.n_drawn):
        count[s.drawn[k]] += 1
    for k in range(s.depth):
        if s.stack[k].rule == GIVING and s.stack[k].a == GIVEN:
            count[s.stack[k].d] += 1
    for p in range(seats(s)):
        for title in range(N_EQUIPMENT):
            count[title] += s.players[p].equipment[title]
    bits = 0
    for title in range(len(EQUIPMENT_COPIES)):
        wanted = wide(EQUIPMENT_COPIES[title]) if is_in_game(s, wide(EQUIPMENT_BOOK[title])) else 0
        if count[title] != wanted:
            bits |= Violation.EQUIPMENT_DOES_NOT_ADD_UP.value
    spells = wide(count[Equipment.SPELL_BOOK]) + s.n_spells
    for spell in range(N_SPELLS):
        spells += s.hand[spell]
    wanted = N_SPELLS if seat_of_ability(s, Ability.SPELLS) != NONE else 0
    if spells != wanted:
        bits |= Violation.SPELLS_DO_NOT_ADD_UP.value
    return bits


@part
def hero_violations(s: State) -> int:
    """Check that heroes are different, on the map, and within their hearts."""
    bits = 0
    heroes = 0
    for p in range(seats(s)):
        player = s.players[p]
        if (heroes >> player.hero) & 1 or player.hex < 0 or player.hex >= N_HEXES:
            return bits | Violation.A_HERO_IS_TWICE_OR_OFF_THE_MAP.value
        heroes |= 1 << player.hero
        dead = s.end == End.HERO_DIED and s.fallen == p
        if player.health > max_health(s, p) or (player.health < 1) != dead:
            bits |= Violation.HEALTH_OUT_OF_RANGE.value
    return bits


@part
def marker_violations(s: State) -> int:
    """Check the markers of the tracks, and that somebody is asked unless the game is over."""
    bits = 0
    met = s.hero_marker >= s.doom_marker
    if met != (s.end == End.MARKERS_MET) and s.end != End.HERO_DIED:
        bits |= Violation.MARKERS_OUT_OF_RANGE.value
    if s.doom_marker > DOOM_START or s.hero_marker < 0 or not 0 <= s.council < N_BOXES:
        bits |= Violation.MARKERS_OUT_OF_RANGE.value
    if s.over != (s.phase == Phase.OVER) or s.over != (s.end != End.NOT_YET):
        bits |= Violation.NOBODY_IS_ASKED.value
    if not s.over and (s.phase == Phase.RUN or not 0 < s.depth < MAX_DEPTH or s.seat == NONE):
        bits |= Violation.NOBODY_IS_ASKED.value
    return bits
