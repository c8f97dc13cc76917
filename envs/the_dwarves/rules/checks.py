"""Send Dispatches, and attribute checks with all their relatives."""

from __future__ import annotations

from typing import Final

import numpy as np

from dwarrow.envs.core.kernels import kernel, part
from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_dwarves.actions import QUEST
from dwarrow.envs.the_dwarves.cards import COUNCIL_STEP, PART_COUNT, PART_FACE, PART_WHAT
from dwarrow.envs.the_dwarves.layout import N_SLOTS, ONE, Ends, Phase, Purpose, Rule, State
from dwarrow.envs.the_dwarves.notation import MAX_PARTS
from dwarrow.envs.the_dwarves.rules.choices import choose_die
from dwarrow.envs.the_dwarves.rules.health import lose
from dwarrow.envs.the_dwarves.rules.lookup import (
    all_heroes,
    has_ability,
    hero_hex,
    heroes_in,
)
from dwarrow.envs.the_dwarves.rules.markers import move_council
from dwarrow.envs.the_dwarves.rules.quests import has_flag, may_attempt, part_word
from dwarrow.envs.the_dwarves.rules.rolls import (
    FACES,
    begin_attribute_roll,
    begin_roll,
    highest_die,
    successes,
)
from dwarrow.envs.the_dwarves.rules.stack import ask, pop, push, seats, wide
from dwarrow.envs.the_dwarves.words import Ability, Attribute, Box, Flag, Part

EARLY_FACE = 5  # what Furgas needs away from the box
EQUIPMENT_FACE = 4  # what anyone needs on it
CRAFT: Final[int] = np.int64(Attribute.CRAFT)  # type: ignore[assignment]


@part
def may_send_dispatches(s: State) -> bool:
    """Return whether the Council marker can go further right.

    Rule: dispatches (p. 10).
    """
    return s.council != Box.EQUIPMENT


@part
def send_dispatches(s: State, seat: int) -> None:
    """Roll Craft dice against the number right of the Council marker.

    Rule: dispatches (p. 10). Ruling: R38.
    """
    need = wide(COUNCIL_STEP[s.council])
    begin_attribute_roll(s, seat, Purpose.DISPATCHES, CRAFT, need)


@part
def end_dispatches(s: State) -> None:
    """Move the Council marker one space right if one die is high enough.

    Rule: dispatches (p. 10).
    """
    if highest_die(s) >= s.need:
        move_council(s, ONE)


@part
def may_check_for_equipment(s: State, seat: int) -> bool:
    """Return whether a Craft check can bring Equipment: by the council, or for Furgas.

    Rule: council_equipment (p. 7).
    """
    return s.council == Box.EQUIPMENT or has_ability(s, seat, Ability.EARLY_EQUIPMENT)


@part
def check_for_equipment(s: State, seat: int) -> None:
    """Roll Craft dice for one Equipment card.

    Rule: council_equipment (p. 7). Ruling: R39.
    """
    need = wide(EQUIPMENT_FACE if s.council == Box.EQUIPMENT else EARLY_FACE)
    begin_attribute_roll(s, seat, Purpose.EQUIPMENT, CRAFT, need)


@part
def end_check_for_equipment(s: State) -> None:
    """Draw one Equipment card if any die is high enough.

    Rule: council_equipment (p. 7). Ruling: R39.
    """
    if highest_die(s) >= s.need:
        s.stack[push(s, Rule.EQUIP, s.active)].c = all_heroes(s)


@part
def attempt(s: State, seat: int, j: int, k: int) -> None:
    """Roll for part `k` of the card in slot `j`, which is named before the roll.

    Rule: attribute_check (p. 10). Ruling: R34.
    """
    card = s.slots[j].card
    word, face, what = part_word(s, j, k), wide(PART_FACE[card, k]), wide(PART_WHAT[card, k])
    if word == Part.STRIKE:
        frame = begin_attribute_roll(s, seat, Purpose.STRIKE, what, face)
    elif word == Part.HEALTH_DICE:
        frame = begin_roll(s, seat, Purpose.HEALTH, wide(s.players[seat].health), face)
    else:
        frame = begin_attribute_roll(s, seat, Purpose.CHECK, what, face)
    f = s.stack[frame]
    f.a, f.b, f.d = j, k, what


@part
def may_check_attribute(s: State, seat: int, what: int) -> bool:
    """Return whether any card here asks for a check of this attribute."""
    for j in range(N_SLOTS):
        for k in range(MAX_PARTS):
            if may_assign(s, seat, j, k, what):
                return True
    return False


@kernel
def may_assign(s: State, seat: int, j: int, k: int, what: int) -> bool:
    """Return whether successes of an attribute can go to part `k` of the card in slot `j`."""
    if not may_attempt(s, seat, j, k) or part_word(s, j, k) > Part.PLANT:
        return False
    return bool(PART_WHAT[s.slots[j].card, k] == what)


@part
def check_attribute(s: State, seat: int, what: int) -> None:
    """Roll for a check whose card is named after the roll.

    Rule: attribute_check (p. 10). Ruling: R34.
    """
    need = wide(FACES)
    for j in range(N_SLOTS):
        for k in range(MAX_PARTS):
            if may_assign(s, seat, j, k, what):
                need = min(need, wide(PART_FACE[s.slots[j].card, k]))
    f = s.stack[begin_attribute_roll(s, seat, Purpose.CHECK, what, need)]
    f.a, f.d = NONE, what


@part
def end_check(s: State, seat: int, j: int, k: int, what: int) -> None:
    """Give the successes to the named card, or ask which card gets them."""
    if j == NONE:
        f = s.stack[push(s, Rule.ASSIGN, seat)]
        f.d = what
    else:
        count_successes(s, seat, j, k)


@kernel
def run_assign(s: State) -> None:
    """Ask which card gets the successes; frame: d attribute."""
    f = s.stack[s.depth - 1]
    count, only = 0, wide(NONE)
    for j in range(N_SLOTS):
        for k in range(MAX_PARTS):
            if may_assign(s, wide(f.seat), j, k, wide(f.d)):
                count += 1
                only = j * MAX_PARTS + k
    if count > 1:
        ask(s, Phase.ASSIGN, f.seat)
    else:
        answer_assign(s, QUEST + only)


@kernel
def answer_assign(s: State, action: int) -> None:
    """Give the successes to one card only.

    Rule: attribute_check (p. 10). Ruling: R33.
    """
    seat = wide(s.stack[s.depth - 1].seat)
    pop(s)
    if action >= QUEST:
        count_successes(s, seat, (action - QUEST) // MAX_PARTS, (action - QUEST) % MAX_PARTS)


@kernel
def count_successes(s: State, seat: int, j: int, k: int) -> None:
    """Count the dice that succeed for a part; what is too much has no effect.

    Rule: attribute_check (p. 10). Ruling: R32.
    """
    slot = s.slots[j]
    hits = successes(s, wide(PART_FACE[slot.card, k]))
    wanted = wide(PART_COUNT[slot.card, k])
    if has_flag(s, j, Flag.SIDE_BY_SIDE):
        stand_by(s, seat, j, k, hits >= wanted)
        return
    if hits == 0 and has_flag(s, j, Flag.BACKLASH):
        choose_die(s, wide(s.active), Ends.TO_CARD, j)
    slot.hits[k] += hits
    total = wide(slot.hits[k])
    before = (seat - 1) % seats(s)
    if hero_hex(s, before) == hero_hex(s, seat):
        total += slot.carried_over
    if total < wanted:
        return
    if part_word(s, j, k) == Part.PLANT:
        plant_marker(s, seat, j, k)
    elif has_flag(s, j, Flag.REPEAT):
        remove_marker(s, seat, j, k)
    else:
        slot.done[k] = 1


@part
def stand_by(s: State, seat: int, j: int, k: int, succeeded: bool) -> None:
    """Note a success that counts once another hero in the hex has one in the same round.

    Rule: side_by_side (p. 15).
    """
    slot = s.slots[j]
    if not succeeded:
        return
    slot.stood[seat] = 1
    here = heroes_in(s, hero_hex(s, seat))
    for p in range(seats(s)):
        if s.n_seats == 1 or (p != seat and slot.stood[p] and (here >> p) & 1):
            slot.done[k] = 1


@part
def plant_marker(s: State, seat: int, j: int, k: int) -> None:
    """Lay one of the card's markers where the hero stands.

    Rule: carrying_markers (p. 16).
    """
    slot = s.slots[j]
    slot.hits[k] = 0
    slot.markers -= 1
    for n in range(len(s.marker_hex)):
        if s.marker_hex[n] == NONE:
            s.marker_hex[n] = s.players[seat].hex
            return


@part
def remove_marker(s: State, seat: int, j: int, k: int) -> None:
    """Take a marker off the card (and the tile off the hex); without markers the part is done.

    Rule: marker_quests (p. 15).
    """
    slot = s.slots[j]
    slot.hits[k] = 0
    slot.markers -= 1
    slot.done[k] = slot.markers == 0
    if has_flag(s, j, Flag.RESTORE):
        s.tile[hero_hex(s, seat)] = NONE


@part
def end_health_dice(s: State, j: int, k: int) -> None:
    """Complete a card that wants one high die out of as many as the hero's health.

    Rule: health_dice (p. 15).
    """
    s.slots[j].done[k] = highest_die(s) >= s.need


@part
def end_strike(s: State, seat: int, j: int, k: int) -> None:
    """Strike at Nod'onn: each hit removes a marker; none costs the hero a heart.

    Rule: vanquish_nodonn (p. 16). Ruling: R44.
    """
    slot = s.slots[j]
    hits = successes(s, wide(s.need))
    slot.markers = max(0, slot.markers - hits)
    slot.done[k] = slot.markers == 0
    if hits == 0:
        lose(s, seat, ONE)
