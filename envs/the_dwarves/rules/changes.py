"""After the throw of Number dice: everything that may change a roll, until it stands."""

from __future__ import annotations

from dwarrow.envs.core.kernels import kernel, part
from dwarrow.envs.the_dwarves.actions import (
    CAST,
    INCREASE,
    PASS,
    PICK_DIE,
    REPEAT,
    REROLL,
    REROLL_ALL,
    REROLL_SPEED,
    SET_SIX,
    USE,
)
from dwarrow.envs.the_dwarves.cards import HERO_ABILITY, SPELL_AMOUNT
from dwarrow.envs.the_dwarves.layout import Phase, Purpose, Rule, State, Used
from dwarrow.envs.the_dwarves.rules.gear import owns, return_spell, spend
from dwarrow.envs.the_dwarves.rules.rolls import (
    CHANGE,
    FACES,
    PREPARE,
    is_fight_roll,
    may_prepare,
    reroll_highest,
    throw,
)
from dwarrow.envs.the_dwarves.rules.stack import ask, pop, push, seats, wide
from dwarrow.envs.the_dwarves.rules.windows import holds_spell
from dwarrow.envs.the_dwarves.words import Ability, Attribute, Box, Equipment, Spell


@kernel
def run_roll(s: State) -> bool:
    """Go on with a roll; return whether it stands and its purpose can be fulfilled.

    Rule: number_dice (p. 9).
    """
    f = s.stack[s.depth - 1]
    roller = wide(f.seat)
    if f.stage == PREPARE:
        while f.c < s.n_seats:
            p = (roller + wide(f.c)) % seats(s)
            if may_prepare(s, p, roller):
                ask(s, Phase.PREPARE, p)
                return False
            f.c += 1
        f.stage, f.c = CHANGE, 0
        s.n_dice += s.crossbow  # the last die is the Crossbow's
        for k in range(wide(s.n_dice)):
            throw(s, k)
        reroll_highest(s)
    while f.c < s.n_seats:
        p = (roller + wide(f.c)) % seats(s)
        if may_change(s, p, roller):
            ask(s, Phase.DICE, p)
            return False
        f.c += 1
    return True


@kernel
def may_reroll_one(s: State, seat: int, roller: int) -> bool:
    """Return whether the council lets the roller re-roll one die.

    Rule: council_reroll_one (p. 7). Ruling: R36, R37.
    """
    return seat == roller and s.council == Box.REROLL_ONE and not s.used & Used.COUNCIL


@kernel
def may_increase(s: State, seat: int, roller: int) -> bool:
    """Return whether a hero's ability can raise a die by one.

    Rule: increase_die (p. 15). Ruling: R36, R44.
    """
    if seat != roller or s.used & Used.INCREASE:
        return False
    ability = HERO_ABILITY[s.players[seat].hero]
    if ability == Ability.INCREASE_DISPATCHES:
        return s.purpose == Purpose.DISPATCHES
    if ability == Ability.INCREASE_FIGHT:
        return is_fight_roll(s)
    if ability == Ability.INCREASE_CHECK:
        return s.purpose == Purpose.CHECK or s.purpose == Purpose.EQUIPMENT
    return False


@kernel
def may_reroll_all(s: State, seat: int, roller: int) -> bool:
    """Return whether a hero's ability lets all dice be thrown again.

    Rule: reroll_all (p. 15). Ruling: R36.
    """
    if seat != roller or s.used & Used.ALL:
        return False
    ability = HERO_ABILITY[s.players[seat].hero]
    if ability == Ability.REROLL_FIGHT:
        return is_fight_roll(s)
    if ability != Ability.REROLL_CRAFT:
        return False
    return s.purpose == Purpose.EQUIPMENT or (s.purpose == Purpose.CHECK and is_craft_check(s))


@part
def is_craft_check(s: State) -> bool:
    """Return whether the check on top of the stack is for Craft; frame: d attribute."""
    return bool(s.stack[s.depth - 1].d == Attribute.CRAFT)


@kernel
def may_reroll_speed(s: State, seat: int, roller: int) -> bool:
    """Return whether the true Tungdil can throw Speed dice of a Move again.

    Rule: reroll_speed (p. 15).
    """
    return (
        seat == roller
        and s.purpose == Purpose.MOVE
        and not s.used & Used.SPEED
        and HERO_ABILITY[s.players[seat].hero] == Ability.REROLL_SPEED
    )


@kernel
def may_use_rune(s: State, seat: int, roller: int) -> bool:
    """Return whether the roller can discard a Rune Stone.

    Rule: rune_stone (p. 15).
    """
    return seat == roller and owns(s, seat, Equipment.RUNE_STONE)


@kernel
def may_repeat(s: State, seat: int, k: int) -> bool:
    """Return whether the Signal Mirror can repeat this die, which has failed.

    Rule: signal_mirror (p. 15).
    """
    return owns(s, seat, Equipment.MIRROR) and s.dice[k] < s.need


@kernel
def may_set(s: State, seat: int, k: int) -> bool:
    """Return whether Andokai can set this die by a spell.

    Rule: spells (p. 15).
    """
    return s.dice[k] < SPELL_AMOUNT[Spell.GUIDE_THE_HAND] and holds_spell(
        s, seat, Spell.GUIDE_THE_HAND
    )


@kernel
def may_raise(s: State, k: int) -> bool:
    """Return whether one more on this die could matter: a 7 counts as a 6.

    Ruling: R44.
    """
    return bool(s.dice[k] < FACES)


@part
def may_change(s: State, seat: int, roller: int) -> bool:
    """Return whether a hero can change the roll."""
    if (
        may_reroll_one(s, seat, roller)
        or may_reroll_all(s, seat, roller)
        or may_reroll_speed(s, seat, roller)
        or may_use_rune(s, seat, roller)
        or holds_spell(s, seat, Spell.SECOND_FATE)
    ):
        return True
    increase = may_increase(s, seat, roller)
    for k in range(s.n_dice):
        if (increase and may_raise(s, k)) or may_repeat(s, seat, k) or may_set(s, seat, k):
            return True
    return False


@kernel
def answer_dice(s: State, action: int) -> None:
    """Change the roll, after which the roller is asked first again; or let it stand.

    Rule: number_dice (p. 9). Ruling: R36.
    """
    f = s.stack[s.depth - 1]
    seat = wide(s.seat)
    if action == PASS:
        f.c += 1
        return
    f.c = 0
    if action < INCREASE:
        s.used |= Used.COUNCIL
        throw(s, action - REROLL)
    elif action < SET_SIX:
        s.used |= Used.INCREASE
        s.dice[action - INCREASE] += 1
    elif action < REPEAT:
        return_spell(s, Spell.GUIDE_THE_HAND)
        s.dice[action - SET_SIX] = SPELL_AMOUNT[Spell.GUIDE_THE_HAND]
    elif action < PICK_DIE:
        spend(s, seat, Equipment.MIRROR)
        throw(s, action - REPEAT)
    elif action == REROLL_ALL:
        reroll_all(s)
    else:
        if action == REROLL_SPEED:
            s.used |= Used.SPEED
        elif action == USE + Equipment.RUNE_STONE:
            spend(s, seat, Equipment.RUNE_STONE)
        elif action == CAST + Spell.SECOND_FATE:
            return_spell(s, Spell.SECOND_FATE)
        s.chosen[:] = 0
        push(s, Rule.SELECT, seat)


@part
def reroll_all(s: State) -> None:
    """Throw all dice again; the boxes of the council act anew.

    Rule: reroll_all (p. 15). Ruling: R36.
    """
    s.used |= Used.ALL
    s.used &= ~Used.COUNCIL.value
    for k in range(wide(s.n_dice)):
        throw(s, k)
    reroll_highest(s)


@kernel
def run_select(s: State) -> None:
    """Ask for the next die to throw again; frame: a first die that may still be picked."""
    f = s.stack[s.depth - 1]
    if f.a < s.n_dice:
        ask(s, Phase.SELECT, f.seat)
    else:
        throw_selected(s)


@part
def is_any_chosen(s: State) -> bool:
    """Return whether a die was picked."""
    for k in range(s.n_dice):  # noqa: SIM110
        if s.chosen[k]:
            return True
    return False


@kernel
def answer_select(s: State, action: int) -> None:
    """Pick a die, from the first to the last; or throw those picked."""
    if action == PASS:
        throw_selected(s)
    else:
        s.chosen[action - PICK_DIE] = 1
        s.stack[s.depth - 1].a = action - PICK_DIE + 1


@kernel
def throw_selected(s: State) -> None:
    """Throw the picked dice again."""
    pop(s)
    for k in range(wide(s.n_dice)):
        if s.chosen[k]:
            throw(s, k)
    s.chosen[:] = 0
