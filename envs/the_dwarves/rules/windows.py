"""Windows for cards that may be played at any time, by whoever owns them."""

from __future__ import annotations

from dwarrow.envs.core.kernels import kernel, part
from dwarrow.envs.the_dwarves.actions import CAST, PASS, USE
from dwarrow.envs.the_dwarves.cards import EQUIPMENT_AMOUNT, SPELL_AMOUNT
from dwarrow.envs.the_dwarves.layout import MAX_DEPTH, NIL, Ends, Phase, Rule, State, Why
from dwarrow.envs.the_dwarves.rules.choices import choose_die, choose_hero
from dwarrow.envs.the_dwarves.rules.gear import owns, return_spell, spend
from dwarrow.envs.the_dwarves.rules.lookup import (
    count_bits,
    free_heroes,
    has_ability,
    troops_on_map,
    wounded_heroes,
)
from dwarrow.envs.the_dwarves.rules.stack import ask, pop, push, seats, wide
from dwarrow.envs.the_dwarves.words import N_SPELLS, N_TROOPS, Ability, Equipment, Spell

ROOM = 12  # frames that what follows a loss may need


@kernel
def holds_spell(s: State, seat: int, spell: int) -> bool:
    """Return whether this hero is Andokai with the spell in hand."""
    return s.hand[spell] == 1 and has_ability(s, seat, Ability.SPELLS)


@kernel
def may_use(s: State, seat: int, title: int) -> bool:
    """Return whether a hero may discard this Equipment now, where any time will do.

    Rule: equipment_any_time (p. 15).
    """
    if not owns(s, seat, title):
        return False
    if title == Equipment.HERBS:
        return wounded_heroes(s) != 0
    if title == Equipment.SKULL:
        for troop in range(N_TROOPS):
            if troops_on_map(s, troop) > 0:
                return True
    return False


@kernel
def may_cast(s: State, seat: int, spell: int) -> bool:
    """Return whether Andokai may cast this spell now, where any time will do.

    Rule: spells (p. 15).
    """
    if not holds_spell(s, seat, spell):
        return False
    if spell == Spell.MEND or spell == Spell.WARMTH:
        return wounded_heroes(s) != 0
    if spell == Spell.STEP_THROUGH:
        return free_heroes(s) != 0
    if spell == Spell.EXCHANGE:
        return count_bits(free_heroes(s)) > 1
    return False


@kernel
def may_interrupt(s: State, seat: int) -> bool:
    """Return whether a hero could play anything now."""
    if may_use(s, seat, Equipment.HERBS) or may_use(s, seat, Equipment.SKULL):
        return True
    if has_ability(s, seat, Ability.SPELLS):
        for spell in range(N_SPELLS):
            if may_cast(s, seat, spell):
                return True
    return False


@part
def use(s: State, seat: int, title: int) -> None:
    """Discard Healing Herbs or the Skull of the Infamous for its effect.

    Rule: equipment_any_time (p. 15).
    """
    amount = wide(EQUIPMENT_AMOUNT[title])
    spend(s, seat, title)
    if title == Equipment.HERBS:
        choose_hero(s, Why.HEAL, amount, wounded_heroes(s), NIL)
        s.stack[s.depth - 1].seat = seat
    else:
        choose_die(s, seat, Ends.REMOVE, NIL)
        s.stack[push(s, Rule.LOSE, seat)].a = amount


@part
def cast(s: State, seat: int, spell: int) -> None:
    """Cast a spell that needs no roll; it goes under the spell deck.

    Rule: spells (p. 15).
    """
    return_spell(s, spell)
    amount = wide(SPELL_AMOUNT[spell])
    if spell == Spell.MEND:
        choose_hero(s, Why.HEAL, amount, wounded_heroes(s), NIL)
    elif spell == Spell.WARMTH:
        choose_hero(s, Why.WARMTH, amount, wounded_heroes(s), NIL)
    elif spell == Spell.STEP_THROUGH:
        choose_hero(s, Why.TELEPORT, NIL, free_heroes(s), NIL)
    else:
        choose_hero(s, Why.EXCHANGE, NIL, free_heroes(s), NIL)
    s.stack[s.depth - 1].seat = seat


@kernel
def open_window(s: State) -> None:
    """Let every hero who can play something now do so, the hero whose turn it is first.

    Rule: windows (p. 15).
    """
    if s.depth > MAX_DEPTH - ROOM:
        return
    for p in range(seats(s)):
        if may_interrupt(s, p):
            push(s, Rule.WINDOW, s.active)
            return


@kernel
def run_window(s: State) -> None:
    """Ask the next hero who can play something; frame: a heroes who have passed."""
    f = s.stack[s.depth - 1]
    while f.a < s.n_seats:
        p = (wide(s.active) + f.a) % seats(s)
        if may_interrupt(s, p):
            ask(s, Phase.WINDOW, p)
            return
        f.a += 1
    pop(s)


@kernel
def answer_window(s: State, action: int) -> None:
    """Play a card, after which the same hero may play another; or pass."""
    if action == PASS:
        s.stack[s.depth - 1].a += 1
    else:
        play(s, wide(s.seat), action)


@kernel
def play(s: State, seat: int, action: int) -> None:
    """Play the card that the action names."""
    if action >= CAST:
        cast(s, seat, action - CAST)
    else:
        use(s, seat, action - USE)
