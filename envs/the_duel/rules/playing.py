"""The card phase: playing cards from the hand, Events, the Ally that fetches Joker cards."""

from __future__ import annotations

from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_duel.cards import (
    COST_DICE,
    COST_NUMBER,
    N_LASTING,
    N_NUMBERS,
    N_WITH_LIFE,
    SHORT_REST_NUMBER,
    Kind,
)
from dwarrow.envs.the_duel.layout import ANY_DIE, AXE, N_JOKER_CARDS, Phase, State
from dwarrow.envs.the_duel.rules.damage import may_throw, throw
from dwarrow.envs.the_duel.rules.payment import (
    can_pay,
    choose_cheapest_payment,
    n_of_die,
    pay,
    use_dice,
)


@kernel
def display_size(s: State, seat: int) -> int:
    """Return the number of cards in a display, Joker cards apart."""
    total = 0
    for kind in range(N_LASTING):
        total += s.players[seat].display[kind]
    return total


@kernel
def may_rest(s: State, number: int) -> bool:
    """Return whether Short Rest may turn an unused die of that number into an axe.

    Rule: short_rest (p. 1). Ruling: A9.
    """
    return bool(s.dice[number] > 0) and (
        s.options.short_rest == ANY_DIE or bool(number == SHORT_REST_NUMBER)
    )


@kernel
def rest(s: State, number: int) -> None:
    """Turn an unused die into an axe.

    Rule: short_rest (p. 1).
    """
    s.dice[number] -= 1
    s.dice[AXE] += 1
    s.phase = Phase.WINDOW


@kernel
def n_ways_to_rest(s: State) -> int:
    """Return for how many numbers Short Rest may be used."""
    total = 0
    for number in range(N_NUMBERS):
        total += may_rest(s, number)
    return total


@kernel
def may_remove(s: State, seat: int, kind: int) -> bool:
    """Return whether a card of that kind lies in the opponent's display.

    Rule: begone (p. 2). Ruling: A6.
    """
    return bool(s.players[1 - seat].display[kind] > 0)


@kernel
def remove(s: State, seat: int, kind: int) -> None:
    """Put a card of the opponent's display on his discard pile, an undamaged one if there is one.

    Rule: begone (p. 2).
    """
    other = s.players[1 - seat]
    other.display[kind] -= 1
    other.discard[kind] += 1
    if kind < N_WITH_LIFE and other.display[kind] == 0:
        other.damage[kind] = 0
    s.phase = Phase.WINDOW


@kernel
def may_play(s: State, seat: int, kind: int) -> bool:
    """Return whether a card may be played from the hand in the card phase.

    Rule: playing_cards (p. 2).
    """
    if s.players[seat].hand[kind] == 0 or not can_pay(s, seat, kind):
        return False
    if kind == Kind.SHORT_REST:
        return n_ways_to_rest(s) > 0
    if kind == Kind.BEGONE:
        return display_size(s, 1 - seat) > 0
    if kind == Kind.THROWING_AXE:
        return may_throw(s, seat)
    return kind < N_LASTING


@kernel
def play(s: State, seat: int, kind: int) -> None:
    """Play a card: announce it, then pay its cost, then carry it out.

    Rule: playing_cards (p. 2), free_cards (p. 2).
    """
    if kind == Kind.THROWING_AXE:
        throw(s, seat)
        return
    s.players[seat].hand[kind] -= 1
    s.card = kind
    if COST_DICE[kind] == 0:
        carry_out(s, seat)
    elif s.options.automatic_payment:
        pay(s, seat, choose_cheapest_payment(s, seat))
        carry_out(s, seat)
    elif COST_NUMBER[kind] != NONE:
        s.pay_number = COST_NUMBER[kind]
        s.phase = Phase.AXES
    else:
        s.phase = Phase.NUMBER


@kernel
def carry_out(s: State, seat: int) -> None:
    """Lay a paid card into the display, or carry out the Event and discard it.

    Rule: card_effects (p. 2). Ruling: A17.
    """
    kind = int(s.card)
    s.card = NONE
    if kind < N_LASTING:
        s.players[seat].display[kind] += 1
        s.phase = Phase.WINDOW
        return
    s.players[seat].discard[kind] += 1
    s.phase = Phase.REST if kind == Kind.SHORT_REST else Phase.REMOVE


@kernel
def may_fetch_joker_card(s: State, seat: int, die: int) -> bool:
    """Return whether the Joker Ally may turn a die, or a Joker card, into a new Joker card.

    Rule: joker_ally (p. 2). Ruling: R3.
    """
    me = s.players[seat]
    return (
        bool(me.display[Kind.JOKER_ALLY] > 0)
        and bool(me.joker_cards < N_JOKER_CARDS)
        and n_of_die(s, seat, die) > 0
    )


@kernel
def fetch_joker_card(s: State, seat: int, die: int) -> None:
    """Use a die with the Joker Ally; the card it brings serves from the next turn on.

    Rule: joker_ally (p. 2).
    """
    use_dice(s, seat, die, 1)
    take_joker_card(s, seat)
    s.new_joker_cards += 1
    s.phase = Phase.WINDOW


@kernel
def take_joker_card(s: State, seat: int) -> None:
    """Take a Joker card from the middle of the table, or from the opponent if none lies there.

    Rule: joker_card (p. 2).
    """
    other = s.players[1 - seat]
    if s.players[seat].joker_cards + other.joker_cards == N_JOKER_CARDS:
        other.joker_cards -= 1
    s.players[seat].joker_cards += 1
