"""Fight the Army of Evil."""

from __future__ import annotations

from typing import Final

import numpy as np

from dwarrow.envs.core.kernels import kernel, part
from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_dwarves.actions import (
    BESIDE,
    DEFEAT,
    HERE,
    N_PLACES,
    ON_SLOT,
    PASS,
    SLOT,
    TROOP,
)
from dwarrow.envs.the_dwarves.board import N_DIRECTIONS
from dwarrow.envs.the_dwarves.cards import MAP, TROPHY
from dwarrow.envs.the_dwarves.layout import N_SLOTS, ONE, Phase, Purpose, Rule, State
from dwarrow.envs.the_dwarves.notation import MAX_PARTS
from dwarrow.envs.the_dwarves.rules.health import lose
from dwarrow.envs.the_dwarves.rules.lookup import has_ability, hero_hex, troops_in
from dwarrow.envs.the_dwarves.rules.quests import card_troops, is_part_place, part_word
from dwarrow.envs.the_dwarves.rules.rolls import begin_attribute_roll
from dwarrow.envs.the_dwarves.rules.stack import ask, pop, push, wide
from dwarrow.envs.the_dwarves.words import N_TROOPS, Ability, Attribute, Part

_NEIGHBOUR = MAP.neighbour
HIT = np.array([4, 5, 6], dtype=np.int16)
"""Face that defeats a troop, by Troop."""
LOWEST_HIT: Final[int] = np.int64(4)  # type: ignore[assignment]
BATTLE: Final[int] = np.int64(Attribute.BATTLE)  # type: ignore[assignment]
_DICE, _EXTRA = 0, 1


@kernel
def are_card_troops_here(s: State, seat: int, j: int) -> bool:
    """Return whether troops lie on a card whose place is the hero's hex.

    Rule: troops_on_cards (p. 9).
    """
    if s.slots[j].card == NONE or card_troops(s, j) == 0:
        return False
    for k in range(MAX_PARTS):
        if part_word(s, j, k) == Part.TROOPS and is_part_place(s, j, k, hero_hex(s, seat)):
            return True
    return False


@part
def may_fight(s: State, seat: int) -> bool:
    """Return whether there are troops to fight.

    Rule: fight (p. 9). Ruling: R40, R41.
    """
    if troops_in(s, hero_hex(s, seat)) > 0:
        return True
    for j in range(N_SLOTS):
        if are_card_troops_here(s, seat, j):
            return True
    if has_ability(s, seat, Ability.FIGHT_ADJACENT):
        for d in range(N_DIRECTIONS):
            side = wide(_NEIGHBOUR[hero_hex(s, seat), d])
            if side != NONE and troops_in(s, side) > 0:
                return True
    return False


@part
def fight(s: State, seat: int) -> None:
    """Roll Battle dice against the troops here.

    Rule: fight (p. 9).
    """
    begin_attribute_roll(s, seat, Purpose.FIGHT, BATTLE, LOWEST_HIT)


@part
def begin_hits(s: State, seat: int) -> None:
    """Let the dice hit one by one; frame: a troops defeated, b die that hits now."""
    s.chosen[:] = 0
    push(s, Rule.FIGHT, seat)


@part
def begin_bolt(s: State, seat: int) -> None:
    """Let only the Crossbow's die hit, beside a strike at Nod'onn."""
    s.chosen[:] = 1
    s.chosen[s.n_dice - 1] = 0
    s.stack[push(s, Rule.FIGHT, seat)].a = 1  # the strike answers for its own penalty


@kernel
def is_bolt(s: State, k: int) -> bool:
    """Return whether a die is the Crossbow's, which hits adjacent hexes only."""
    return s.crossbow == 1 and k == s.n_dice - 1


@kernel
def may_defeat(s: State, seat: int, k: int, place: int, troop: int) -> bool:
    """Return whether die `k` can defeat a kind of troop at a place.

    Rule: fight (p. 9). Ruling: R40, R42.
    """
    if s.dice[k] < HIT[troop]:
        return False
    if place == HERE:
        return s.troops[hero_hex(s, seat)][troop] > 0 and not is_bolt(s, k)
    if place < BESIDE:
        j = place - ON_SLOT
        return (
            s.slots[j].troops[troop] > 0 and not is_bolt(s, k) and are_card_troops_here(s, seat, j)
        )
    if not is_bolt(s, k) and not has_ability(s, seat, Ability.FIGHT_ADJACENT):
        return False
    side = wide(_NEIGHBOUR[hero_hex(s, seat), place - BESIDE])
    return side != NONE and s.troops[side][troop] > 0


@kernel
def next_die(s: State) -> int:
    """Return the highest die that has not hit yet, or NONE; sixes come first.

    Ruling: R43.
    """
    best = NONE
    for k in range(s.n_dice):
        if s.chosen[k] or s.dice[k] < LOWEST_HIT:
            continue
        if best == NONE or s.dice[k] > s.dice[best]:
            best = k
    return best


@kernel
def run_fight(s: State) -> None:
    """Let the next die hit; where there is only one target it is hit at once.

    Rule: fight (p. 9).
    """
    f = s.stack[s.depth - 1]
    seat = wide(f.seat)
    k = next_die(s)
    while f.stage == _DICE and k != NONE:
        count, only = 0, wide(NONE)
        for place in range(N_PLACES):
            for troop in range(N_TROOPS):
                if may_defeat(s, seat, k, place, troop):
                    count += 1
                    only = place * N_TROOPS + troop
        f.b = k
        if count > 1:
            ask(s, Phase.ALLOCATE, seat)
            return
        s.chosen[k] = 1
        if count == 1:
            defeat(s, seat, only // N_TROOPS, only % N_TROOPS)
            return
        k = next_die(s)
    if f.stage == _DICE:
        f.stage = _EXTRA
        if may_remove_extra(s, seat):
            ask(s, Phase.EXTRA_TROOP, seat)
            return
    end_fight(s)


@kernel
def answer_allocate(s: State, action: int) -> None:
    """Hit the chosen troop."""
    f = s.stack[s.depth - 1]
    s.chosen[f.b] = 1
    target = action - DEFEAT
    defeat(s, wide(f.seat), target // N_TROOPS, target % N_TROOPS)


@kernel
def defeat(s: State, seat: int, place: int, troop: int) -> None:
    """Defeat one troop: it returns to the supply, or onto a card that collects its kind.

    Rule: fight (p. 9).
    """
    s.stack[s.depth - 1].a += 1
    if ON_SLOT <= place < BESIDE:
        s.slots[place - ON_SLOT].troops[troop] -= 1
        s.supply[troop] += 1
        return
    h = hero_hex(s, seat)
    if place >= BESIDE:
        h = wide(_NEIGHBOUR[h, place - BESIDE])
    s.troops[h][troop] -= 1
    collect_trophy(s, seat, troop)


@kernel
def collects(s: State, j: int, troop: int) -> bool:
    """Return whether the card in slot `j` collects this kind of troop."""
    card = s.slots[j].card
    return bool(card != NONE and TROPHY[card] == troop)


@part
def collect_trophy(s: State, seat: int, troop: int) -> None:
    """Put a defeated troop on a card that collects it; of several the hero chooses one.

    Rule: trophy_cards (p. 15).
    """
    count, only = 0, NONE
    for j in range(N_SLOTS):
        if collects(s, j, troop):
            count += 1
            only = j
    if count == 0:
        s.supply[troop] += 1
    elif count == 1:
        s.slots[only].trophies += 1
    else:
        s.stack[push(s, Rule.TROPHY, seat)].a = troop


@kernel
def run_trophy(s: State) -> None:
    """Ask which card gets the defeated troop (frame: a)."""
    ask(s, Phase.TROPHY, s.stack[s.depth - 1].seat)


@kernel
def answer_trophy(s: State, action: int) -> None:
    """Put the defeated troop on the chosen card."""
    pop(s)
    s.slots[action - SLOT].trophies += 1


@part
def may_remove_extra(s: State, seat: int) -> bool:
    """Return whether Narmora can remove one more troop from her hex.

    Rule: narmora (p. 15).
    """
    return (
        s.purpose == Purpose.FIGHT
        and has_ability(s, seat, Ability.EXTRA_TROOP)
        and troops_in(s, hero_hex(s, seat)) > 0
    )


@kernel
def answer_extra(s: State, action: int) -> None:
    """Remove one more troop from Narmora's hex, or none.

    Rule: narmora (p. 15).
    """
    if action != PASS:
        defeat(s, wide(s.stack[s.depth - 1].seat), wide(HERE), action - TROOP)


@part
def end_fight(s: State) -> None:
    """End the fight; who defeated nobody loses a heart.

    Rule: fight_without_success (p. 9). Ruling: R43.
    """
    f = s.stack[s.depth - 1]
    seat, defeated = wide(f.seat), wide(f.a)
    pop(s)
    if defeated == 0:
        lose(s, seat, ONE)
