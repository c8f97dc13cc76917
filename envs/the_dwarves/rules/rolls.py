"""Rolls of Number dice: what may be added before, and the throw."""

from __future__ import annotations

from dwarrow.envs.core.kernels import kernel, part
from dwarrow.envs.core.record import Stream
from dwarrow.envs.core.rng import draw
from dwarrow.envs.the_dwarves.actions import (
    PASS,
    USE,
)
from dwarrow.envs.the_dwarves.board import N_DIRECTIONS
from dwarrow.envs.the_dwarves.cards import EQUIPMENT_AMOUNT, MAP, SPELL_AMOUNT
from dwarrow.envs.the_dwarves.layout import BLIND, Purpose, Rule, State
from dwarrow.envs.the_dwarves.notation import MOST_DICE
from dwarrow.envs.the_dwarves.rules.gear import owns, return_spell, spend
from dwarrow.envs.the_dwarves.rules.lookup import attribute, hero_hex, troops_in
from dwarrow.envs.the_dwarves.rules.stack import push, wide
from dwarrow.envs.the_dwarves.rules.windows import holds_spell
from dwarrow.envs.the_dwarves.words import Box, Equipment, Spell

_NEIGHBOUR = MAP.neighbour
FACES = 6
PREPARE, CHANGE = 0, 1


@kernel
def begin_roll(s: State, seat: int, purpose: int, n: int, need: int) -> int:
    """Begin a roll of `n` dice; return its frame, for slot (a) and part (b).

    Frame: a slot, b part, c heroes asked so far; stage as above.
    """
    s.purpose, s.need, s.used, s.crossbow = purpose, need, 0, 0
    s.n_dice = min(n, MOST_DICE)
    s.dice[:] = BLIND
    return push(s, Rule.ROLL, seat)


@kernel
def begin_attribute_roll(s: State, seat: int, purpose: int, what: int, need: int) -> int:
    """Begin a roll of as many dice as an attribute says; a pony adds one to a Move.

    Rule: number_dice (p. 9). Ruling: R45.
    """
    n = attribute(s, seat, what)
    if purpose == Purpose.MOVE and s.players[seat].pony:
        s.players[seat].pony = 0
        n += 1
    return begin_roll(s, seat, purpose, n, need)


# Before the throw


@kernel
def is_fight_roll(s: State) -> bool:
    """Return whether what belongs to the action Fight counts for this roll.

    Ruling: R44.
    """
    if s.purpose == Purpose.STRIKE:
        return bool(s.options.nodonn_abilities)
    return s.purpose == Purpose.FIGHT


@kernel
def has_room(s: State) -> bool:
    """Return whether another die would count."""
    return s.n_dice + s.crossbow < MOST_DICE


@kernel
def may_throw_axes(s: State, seat: int, roller: int) -> bool:
    """Return whether Throwing Axes can be discarded for more dice.

    Rule: throwing_axes (p. 15).
    """
    return (
        seat == roller
        and is_fight_roll(s)
        and has_room(s)
        and owns(s, seat, Equipment.THROWING_AXES)
    )


@kernel
def may_shoot(s: State, seat: int, roller: int) -> bool:
    """Return whether the Crossbow can add a die against an adjacent hex.

    Rule: crossbow (p. 15).
    """
    if seat != roller or not is_fight_roll(s) or s.crossbow or not has_room(s):
        return False
    if not owns(s, seat, Equipment.CROSSBOW):
        return False
    for d in range(N_DIRECTIONS):
        h = wide(_NEIGHBOUR[hero_hex(s, seat), d])
        if h >= 0 and troops_in(s, h) > 0:
            return True
    return False


@kernel
def may_gather(s: State, seat: int) -> bool:
    """Return whether Andokai can add dice to this roll.

    Rule: spells (p. 15).
    """
    return has_room(s) and holds_spell(s, seat, Spell.GATHER_STRENGTH)


@part
def may_prepare(s: State, seat: int, roller: int) -> bool:
    """Return whether a hero can add to the roll before it is thrown."""
    return may_throw_axes(s, seat, roller) or may_shoot(s, seat, roller) or may_gather(s, seat)


@kernel
def add_dice(s: State, n: int) -> None:
    """Add dice to the roll, no more than there are."""
    s.n_dice = min(s.n_dice + n, MOST_DICE - s.crossbow)


@kernel
def answer_prepare(s: State, action: int) -> None:
    """Add dice before the throw, or pass."""
    if action == PASS:
        s.stack[s.depth - 1].c += 1
    elif action == USE + Equipment.THROWING_AXES:
        spend(s, wide(s.seat), Equipment.THROWING_AXES)
        add_dice(s, wide(EQUIPMENT_AMOUNT[Equipment.THROWING_AXES]))
    elif action == USE + Equipment.CROSSBOW:
        s.crossbow = 1
    else:
        return_spell(s, Spell.GATHER_STRENGTH)
        add_dice(s, wide(SPELL_AMOUNT[Spell.GATHER_STRENGTH]))


# The throw


@kernel
def throw(s: State, k: int) -> None:
    """Throw one die."""
    s.dice[k] = 1 + draw(s, Stream.DICE, FACES)


@kernel
def reroll_highest(s: State) -> None:
    """Re-roll one die that shows the highest number, if the council forces it.

    Rule: council_reroll_highest (p. 7). Ruling: R36, R37.
    """
    if s.council != Box.REROLL_HIGHEST:
        return
    highest = 0
    for k in range(s.n_dice):
        if s.dice[k] > s.dice[highest]:
            highest = k
    throw(s, highest)


@kernel
def highest_die(s: State) -> int:
    """Return the highest number rolled; an increased 6 counts as a 6."""
    highest = 0
    for k in range(s.n_dice):
        highest = max(highest, wide(s.dice[k]))
    return highest


@kernel
def successes(s: State, need: int) -> int:
    """Return how many dice show at least `need`; the Crossbow's die does not count."""
    count = 0
    for k in range(s.n_dice - s.crossbow):
        count += s.dice[k] >= need
    return count
