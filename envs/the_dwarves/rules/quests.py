"""Quests of faceup cards: what is open, what is done, and what completing one sets off."""

from __future__ import annotations

from dwarrow.envs.core.kernels import kernel, part
from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_dwarves.cards import (
    DECK_OF,
    FEWER,
    FLAGS,
    LEVEL_OF,
    PART,
    PART_COUNT,
    PART_PLACE,
    PART_PLACE_KIND,
    PART_START,
    TOGETHER,
    TROPHY,
)
from dwarrow.envs.the_dwarves.layout import N_DISPLAY, N_SLOTS, NIL, SCENARIO, End, Rule, State
from dwarrow.envs.the_dwarves.notation import MAX_PARTS, MOST_MARKERS
from dwarrow.envs.the_dwarves.rules.lookup import (
    clear_slot,
    count_bits,
    hero_hex,
    heroes_in,
    is_place,
    troops_in,
    troops_on_map,
)
from dwarrow.envs.the_dwarves.rules.stack import finish, push, seats, wide
from dwarrow.envs.the_dwarves.words import N_TROOPS, Box, Deck, Flag, Level, Part

FEW_HEROES = 4  # below this many, some meetings need fewer
ALONE = 1


@kernel
def has_flag(s: State, j: int, flag: int) -> bool:
    """Return whether the quest in slot `j` carries a flag."""
    return bool(FLAGS[s.slots[j].card] & flag != 0)


@kernel
def part_word(s: State, j: int, k: int) -> int:
    """Return what part `k` of the card in slot `j` asks for, or NONE."""
    return wide(PART[s.slots[j].card, k])


@kernel
def is_part_place(s: State, j: int, k: int, h: int) -> bool:
    """Return whether hex `h` is the place of a part."""
    card = s.slots[j].card
    return is_place(s, j, wide(PART_PLACE_KIND[card, k]), wide(PART_PLACE[card, k]), h)


@kernel
def heroes_at_part(s: State, j: int, k: int) -> int:
    """Return the set of heroes at the place of a part."""
    found = 0
    for p in range(seats(s)):
        if is_part_place(s, j, k, hero_hex(s, p)):
            found |= 1 << p
    return found


@kernel
def heroes_needed(s: State, j: int, k: int) -> int:
    """Return how many heroes must meet; never more than there are.

    Rule: meeting (p. 15). Ruling: R54.
    """
    card = s.slots[j].card
    wanted = wide(PART_COUNT[card, k])
    if FEWER[card] and s.n_seats < FEW_HEROES:
        wanted = wide(FEWER[card])
    return min(wanted, seats(s))


@kernel
def card_troops(s: State, j: int) -> int:
    """Return the number of troops that lie on a card."""
    count = 0
    for troop in range(N_TROOPS):
        count += s.slots[j].troops[troop]
    return count


@part
def is_cleared(s: State, j: int, k: int) -> bool:
    """Return whether a hero stands at the place and no troops do."""
    for p in range(seats(s)):
        h = hero_hex(s, p)
        if is_part_place(s, j, k, h) and troops_in(s, h) == 0:
            return True
    return False


@kernel
def is_part_done(s: State, j: int, k: int) -> bool:
    """Return whether a part of the card in slot `j` is done.

    Rule: quests (p. 15). Ruling: R30, R54.
    """
    word = part_word(s, j, k)
    card = s.slots[j].card
    if word == NONE or word == Part.PLANT:  # where markers are laid matters only to carry them
        return True
    if word == Part.MEET:
        if s.n_seats == ALONE and has_flag(s, j, Flag.SOLO_GO):
            return bool(s.slots[j].done[k] == 1)
        return count_bits(heroes_at_part(s, j, k)) >= heroes_needed(s, j, k)
    if word == Part.TROOPS:
        return card_troops(s, j) == 0
    if word == Part.TROPHY:
        if s.slots[j].trophies >= PART_COUNT[card, k]:
            return True
        return troops_on_map(s, wide(TROPHY[card])) == 0
    if word == Part.COUNCIL:
        return bool(s.council - Box.AXE >= PART_COUNT[card, k])
    if word == Part.CLEAR:
        return is_cleared(s, j, k)
    if word == Part.CARRY:
        return bool(s.delivered >= PART_COUNT[card, k])
    return bool(s.slots[j].done[k] == 1)


@kernel
def is_quest_done(s: State, j: int) -> bool:
    """Return whether the whole quest of the card in slot `j` is done."""
    for k in range(MAX_PARTS):  # noqa: SIM110
        if not is_part_done(s, j, k):
            return False
    return True


@kernel
def is_part_open(s: State, j: int, k: int) -> bool:
    """Return whether a part is still to be done, and those before it are if order matters."""
    word = part_word(s, j, k)
    if word == NONE or s.slots[j].done[k] == 1:
        return False
    if has_flag(s, j, Flag.IN_ORDER):
        for before in range(k):
            if not is_part_done(s, j, before):
                return False
    return True


@kernel
def is_check(word: int) -> bool:
    """Return whether a part is done with dice, as an action of its own."""
    return Part.CHECK <= word <= Part.HEALTH_DICE


@kernel
def may_attempt(s: State, seat: int, j: int, k: int) -> bool:
    """Return whether a hero can roll for part `k` of the card in slot `j`.

    Rule: attribute_check (p. 10). Ruling: R34, R35.
    """
    slot = s.slots[j]
    if slot.card == NONE or not is_check(part_word(s, j, k)) or not is_part_open(s, j, k):
        return False
    h = hero_hex(s, seat)
    if not is_part_place(s, j, k, h):
        return False
    if has_flag(s, j, Flag.CLEAR) and troops_in(s, h) > 0:
        return False
    if part_word(s, j, k) == Part.PLANT and slot.markers == 0:
        return False
    return count_bits(heroes_in(s, h)) >= min(wide(TOGETHER[slot.card]), seats(s))


@part
def is_visit(s: State, j: int, word: int) -> bool:
    """Return whether entering the place is enough for a part."""
    if word == Part.MEET:
        return s.n_seats == ALONE and has_flag(s, j, Flag.SOLO_GO)
    return word == Part.GO


@part
def enter_for_quests(s: State, seat: int) -> None:
    """Note what a hero does by entering a hex during a Move: journeys begin and end, visits count.

    Rule: travel_quests (p. 15). Ruling: R30, R31.
    """
    h = hero_hex(s, seat)
    for j in range(N_SLOTS):
        slot = s.slots[j]
        if slot.card == NONE or (has_flag(s, j, Flag.ATTACHED) and slot.attached != seat):
            continue
        for k in range(MAX_PARTS):
            word = part_word(s, j, k)
            if word == Part.ROUTE:
                if slot.journey[seat] and is_part_place(s, j, k, h):
                    slot.done[k] = 1
                if h == PART_START[slot.card, k]:
                    slot.journey[seat] = 1
            elif is_visit(s, j, word) and is_part_place(s, j, k, h):
                slot.done[k] = 1


@kernel
def start_journeys(s: State, seat: int) -> None:
    """Begin every route that starts where the hero stands: a Move begins, or others were broken.

    Rule: travel_quests (p. 15). Ruling: R31.
    """
    for j in range(N_SLOTS):
        slot = s.slots[j]
        if slot.card == NONE:
            continue
        for k in range(MAX_PARTS):
            if part_word(s, j, k) == Part.ROUTE and slot.journey[seat] == 0:
                slot.journey[seat] = PART_START[slot.card, k] == s.players[seat].hex


@kernel
def break_journeys(s: State, seat: int) -> None:
    """End the journeys of a hero who does anything but move.

    Rule: travel_quests (p. 15). Ruling: R31.
    """
    for j in range(N_SLOTS):
        s.slots[j].journey[seat] = 0


@part
def deliver_markers(s: State) -> None:
    """Count the markers of heroes who stand where they are to be carried.

    Rule: carrying_markers (p. 16).
    """
    if s.slots[SCENARIO].card == NONE:
        return
    for k in range(MAX_PARTS):
        if part_word(s, SCENARIO, k) != Part.CARRY:
            continue
        for p in range(seats(s)):
            if s.players[p].carries and is_part_place(s, SCENARIO, k, hero_hex(s, p)):
                s.players[p].carries = 0
                s.delivered += 1


@kernel
def evaluate_quests(s: State) -> bool:
    """Complete the first quest that is done, if any: routes before visits, then slot by slot.

    Rule: completing_cards (p. 15).
    """
    deliver_markers(s)
    for routes in (True, False):
        for j in range(N_SLOTS):
            if s.slots[j].card == NONE or (part_word(s, j, NIL) == Part.ROUTE) != routes:
                continue
            if is_quest_done(s, j):
                complete_card(s, j)
                return True
    return False


@kernel
def settle_trophies(s: State, happening: int) -> bool:
    """Complete the first card that collects troops if it has enough, or none is on the map.

    A Threat that is `happening` is too late to avert.

    Rule: trophy_cards (p. 15).
    """
    for j in range(N_SLOTS):
        card = s.slots[j].card
        if j != happening and card != NONE and TROPHY[card] != NONE and is_quest_done(s, j):
            complete_card(s, j)
            return True
    return False


@kernel
def complete_card(s: State, j: int) -> None:
    """Complete a Scenario or Adventure, or avert a Threat.

    Rule: completing_cards (p. 15).
    """
    card = wide(s.slots[j].card)
    if DECK_OF[card] == Deck.THREAT:
        discard_card(s, j)
        return
    here = hero_hex(s, wide(s.active))
    heroes = heroes_in(s, here)
    if part_word(s, j, NIL) == Part.MEET:
        heroes = heroes_at_part(s, j, NIL)
    if DECK_OF[card] == Deck.ADVENTURE:
        break_journeys(s, wide(s.active))
        start_journeys(s, wide(s.active))
    discard_card(s, j)
    if DECK_OF[card] == Deck.SCENARIO:
        s.completed[s.n_completed] = card
        s.n_completed += 1
        if LEVEL_OF[card] == Level.C:
            finish(s, End.WON)
            return
    f = s.stack[push(s, Rule.COMPLETE, s.active)]
    f.a, f.b, f.c = card, here, heroes


@kernel
def discard_card(s: State, j: int) -> None:
    """Take a card off its slot; troops on it return to the supply, markers to the box.

    Rule: discarding_cards (p. 9). Ruling: R22.
    """
    slot = s.slots[j]
    for troop in range(N_TROOPS):
        s.supply[troop] += slot.troops[troop]
    if slot.trophies > 0:
        s.supply[TROPHY[slot.card]] += slot.trophies
    if j < N_DISPLAY:
        s.discard[s.n_discard] = slot.card
        s.n_discard += 1
    else:
        s.delivered = 0
        for k in range(MOST_MARKERS):
            s.marker_hex[k] = NONE
        for p in range(seats(s)):
            s.players[p].carries = 0
    clear_slot(s, j)


@part
def end_turn_of_quests(s: State) -> None:
    """Forget successes that do not stay; those of a shared check stay for the next hero.

    Rule: partial_checks (p. 10). Ruling: R32.
    """
    for j in range(N_SLOTS):
        slot = s.slots[j]
        if slot.card == NONE or has_flag(s, j, Flag.PERSIST):
            continue
        slot.carried_over = slot.hits[0] if has_flag(s, j, Flag.CARRY_OVER) else 0
        slot.hits[:] = 0
