"""The interpreter of effects: set-ups, rewards and threats as rows of the card tables."""

from __future__ import annotations

from typing import Final

import numpy as np

from dwarrow.envs.core.kernels import kernel, part
from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_dwarves.board import N_DIRECTIONS, N_HEXES
from dwarrow.envs.the_dwarves.cards import (
    DECK_OF,
    EFFECT,
    EFFECT_COUNT,
    EFFECT_FACE,
    EFFECT_PLACE,
    EFFECT_PLACE_KIND,
    EFFECT_TROOPS,
    EFFECT_WHAT,
    MAP,
)
from dwarrow.envs.the_dwarves.layout import NIL, ONE, Ends, Rule, State, Where, Why
from dwarrow.envs.the_dwarves.rules.army import perish, perish_all, place_troops, settle
from dwarrow.envs.the_dwarves.rules.choices import choose_hero, choose_hex, recruit
from dwarrow.envs.the_dwarves.rules.gear import (
    draw_to_pick,
    heroes_with_equipment,
)
from dwarrow.envs.the_dwarves.rules.health import lose, split_loss
from dwarrow.envs.the_dwarves.rules.lookup import (
    all_heroes,
    is_held,
    nearest_heroes,
    place_hex,
    troops_in,
)
from dwarrow.envs.the_dwarves.rules.markers import move_council, move_doom
from dwarrow.envs.the_dwarves.rules.stack import push, seats, wide
from dwarrow.envs.the_dwarves.words import N_TROOPS, Deck, Effect, Troop

_BLACKSADDLE, _NEIGHBOUR = MAP.blacksaddle, MAP.neighbour
ALL_DICE: Final[int] = np.int64((1 << N_TROOPS) - 1)  # type: ignore[assignment]
ELFAR_DIE: Final[int] = np.int64(1 << Troop.ELFAR)  # type: ignore[assignment]


@kernel
def perform(s: State, card: int, k: int, j: int, here: int, heroes: int) -> None:
    """Perform effect `k` of a card.

    Args:
        s: state.
        card: row of the card tables.
        k: column of EFFECT.
        j: slot of the card, if it still lies in one.
        here: hex where it was completed.
        heroes: the set of heroes who were there.
    """
    word = wide(EFFECT[card, k])
    if word == NONE:
        return
    count, what = wide(EFFECT_COUNT[card, k]), wide(EFFECT_WHAT[card, k])
    if word < Effect.TUNNEL:
        perform_for_heroes(s, card, k, heroes)
    elif word < Effect.LOSE:
        perform_on_map(s, word, what, count, here)
    elif word < Effect.PUT:
        perform_loss(s, card, k, j)
    elif word < Effect.MARKERS:
        perform_army(s, card, k, j)
    else:
        perform_setup(s, card, k, j)


@part
def perform_for_heroes(s: State, card: int, k: int, heroes: int) -> None:
    """Perform rewards that heroes and tracks get.

    Rule: rewards (p. 15).
    """
    word, count = wide(EFFECT[card, k]), wide(EFFECT_COUNT[card, k])
    what, active = wide(EFFECT_WHAT[card, k]), wide(s.active)
    others = heroes & ~(1 << active)
    if word == Effect.EQUIP:
        for _ in range(count):
            s.stack[push(s, Rule.EQUIP, active)].c = all_heroes(s)
    elif word == Effect.EQUIP_BOTH:
        choose_hero(s, Why.EQUIP, NIL, others, NIL)
        s.stack[push(s, Rule.EQUIP, active)].c = 1 << active
    elif word == Effect.PICK_EQUIPMENT:
        draw_to_pick(s, count)
    elif word == Effect.SEARCH_EQUIPMENT:
        s.stack[push(s, Rule.PICK, active)].a = 1
    elif word == Effect.HEAL:
        for _ in range(count):
            choose_hero(s, Why.HEAL, ONE, all_heroes(s), NIL)
    elif word == Effect.HEAL_BOTH:
        choose_hero(s, Why.HEAL, count, others, NIL)
        choose_hero(s, Why.HEAL, count, 1 << active, NIL)
    elif word == Effect.MAX_HEALTH:
        choose_hero(s, Why.MAX_HEALTH, ONE, heroes, NIL)
    elif word == Effect.ATTRIBUTE:
        receivers = all_heroes(s) if EFFECT_FACE[card, k] else 1 << active
        choose_hero(s, Why.ATTRIBUTE, count, receivers, what)
    elif word == Effect.COUNCIL:
        move_council(s, count)
    elif word == Effect.DOOM:
        move_doom(s, count)


@part
def perform_on_map(s: State, word: int, what: int, count: int, here: int) -> None:
    """Perform rewards on the map.

    Rule: rewards (p. 15).
    """
    if word == Effect.TUNNEL:
        choose_hex(s, Where.TUNNEL, NIL, ONE, NIL)
    elif word == Effect.REMOVE_TUNNEL:
        if not s.options.elfar:  # the Portal tile stays
            s.tunnel = NONE
    elif word == Effect.SKIP_HERO_MARKER:
        s.skip_hero_marker = 1
    elif word == Effect.PONIES:
        for p in range(seats(s)):
            s.players[p].pony = 1
    elif word == Effect.REMOVE:
        choose_hex(s, Where.REMOVE_UP_TO, what, count, NIL)
    elif word == Effect.CLEAR_HEX:
        for troop in range(N_TROOPS):
            s.supply[troop] += s.troops[here][troop]
            s.troops[here][troop] = 0
    elif not is_held(s, wide(s.active)):
        choose_hex(s, Where.RELOCATE, wide(s.active), ONE, NIL)


@part
def perform_loss(s: State, card: int, k: int, j: int) -> None:
    """Perform threats to the heroes.

    Rule: threats (p. 8).
    """
    word, count = wide(EFFECT[card, k]), wide(EFFECT_COUNT[card, k])
    attached = wide(s.slots[j].attached)
    if word == Effect.LOSE:
        split_loss(s, count)
    elif word == Effect.LOSE_PER_HERO:
        split_loss(s, count * seats(s))
    elif word == Effect.LOSE_ATTACHED:
        if attached != NONE:
            lose(s, attached, count)
    elif word == Effect.LOSE_NEAREST:
        h = place_hex(s, wide(EFFECT_PLACE_KIND[card, k]), wide(EFFECT_PLACE[card, k]))
        if h != NONE:
            choose_hero(s, Why.LOSE, count, nearest_heroes(s, h), NIL)
    elif word == Effect.SPOIL_EQUIPMENT:
        owners = heroes_with_equipment(s)
        if owners:
            choose_hero(s, Why.SPOIL, NIL, owners, NIL)
        else:
            choose_hero(s, Why.LOSE, ONE, all_heroes(s), NIL)
    else:
        release_troops(s, j)


@part
def release_troops(s: State, j: int) -> None:
    """Let the troops on a card step onto the hex of the hero it lies with."""
    slot = s.slots[j]
    for troop in range(N_TROOPS):
        n = wide(slot.troops[troop])
        slot.troops[troop] = 0
        s.supply[troop] += n
        place_troops(s, wide(s.players[slot.attached].hex), troop, n)
    settle(s)


@part
def perform_army(s: State, card: int, k: int, j: int) -> None:
    """Perform threats on the map.

    Rule: threats (p. 8).
    """
    word, what = wide(EFFECT[card, k]), wide(EFFECT_WHAT[card, k])
    if word == Effect.PERISH_WITH:
        perish_where(s, what, False)
        return
    if word == Effect.PERISH_AROUND:
        perish_where(s, what, True)
        return
    if word == Effect.BLIGHT:
        choose_hex(s, Where.BLIGHT, NIL, ONE, NIL)
        return
    h = place_hex(s, wide(EFFECT_PLACE_KIND[card, k]), wide(EFFECT_PLACE[card, k]))
    if h == NONE:
        return
    if word == Effect.PUT:
        put_troops(s, card, k, h)
    elif word == Effect.RECRUIT:
        recruit(s, h, ALL_DICE, Ends.TO_HEX, j)
    elif word == Effect.RECRUIT_ELFAR:
        recruit(s, h, ELFAR_DIE, Ends.TO_HEX, j)
    else:
        perish(s, h)


@part
def put_troops(s: State, card: int, k: int, h: int) -> None:
    """Put troops on a hex; a Scenario takes what the supply lacks from the map.

    Rule: troops_on_a_location (p. 16). Ruling: R14.
    """
    missing = False
    for troop in range(N_TROOPS):
        n = place_troops(s, h, troop, wide(EFFECT_TROOPS[card, k, troop]))
        if n > 0 and DECK_OF[card] == Deck.SCENARIO:
            choose_hex(s, Where.TAKE_FOR_HEX, troop, n, h)
            missing = True
    if not missing:
        settle(s)


@kernel
def perish_where(s: State, troop: int, near_heroes: bool) -> None:
    """Mark the hexes with a kind of troop, or those with any next to a hero; then all perish.

    Rule: perished_wave (p. 16). Ruling: R17.
    """
    marked = np.zeros(N_HEXES, np.int16)
    if near_heroes:
        for p in range(seats(s)):
            for d in range(N_DIRECTIONS):
                h = wide(_NEIGHBOUR[s.players[p].hex, d])
                if h != NONE and troops_in(s, h) > 0:
                    marked[h] = 1
    else:
        for h in range(N_HEXES):
            marked[h] = s.troops[h][troop] > 0
    marked[_BLACKSADDLE] = 0
    perish_all(s, marked)


@part
def perform_setup(s: State, card: int, k: int, j: int) -> None:
    """Prepare a card that was just revealed.

    Rule: card_preparations (p. 8).
    """
    word, count = wide(EFFECT[card, k]), wide(EFFECT_COUNT[card, k])
    h = place_hex(s, wide(EFFECT_PLACE_KIND[card, k]), wide(EFFECT_PLACE[card, k]))
    if word == Effect.MARKERS:
        s.slots[j].markers = count
    elif word == Effect.LAY:
        for n in range(count):
            s.marker_hex[n] = h
    elif word == Effect.ASSEMBLE:
        for p in range(seats(s)):
            if not is_held(s, p):
                s.players[p].hex = h
    elif word == Effect.ENGULF:
        engulf(s, card, k, j, h)
    elif EFFECT_FACE[card, k]:
        choose_hero(s, Why.ATTACH, NIL, nearest_heroes(s, h), j)
    else:
        s.slots[j].attached = s.active


@part
def engulf(s: State, card: int, k: int, j: int, h: int) -> None:
    """Draw the troops in and around a hex onto a card, and some from the supply.

    Rule: seal_the_portal (p. 11).
    """
    slot = s.slots[j]
    for troop in range(N_TROOPS):
        slot.troops[troop] += s.troops[h][troop]
        s.troops[h][troop] = 0
        for d in range(N_DIRECTIONS):
            side = wide(_NEIGHBOUR[h, d])
            if side != NONE:
                slot.troops[troop] += s.troops[side][troop]
                s.troops[side][troop] = 0
        add_to_card(s, j, troop, wide(EFFECT_TROOPS[card, k, troop]))


@kernel
def add_to_card(s: State, j: int, troop: int, n: int) -> None:
    """Put troops on a card from the supply, and what it lacks from the map.

    Rule: troops_on_cards (p. 9). Ruling: R14, R16.
    """
    placed = min(n, wide(s.supply[troop]))
    s.supply[troop] -= placed
    s.slots[j].troops[troop] += placed
    if n > placed:
        choose_hex(s, Where.TAKE_FOR_CARD, troop, n - placed, j)
