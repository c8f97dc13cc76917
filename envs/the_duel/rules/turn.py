"""The turn: from phase to phase, windows for the other player, Joker cards, the next turn."""

from __future__ import annotations

from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_duel.cards import (
    MOST_DICE_OF_A_COST,
    N_LASTING,
    N_NUMBERS,
    N_WITH_LIFE,
    Kind,
)
from dwarrow.envs.the_duel.layout import (
    N_FACES,
    N_JOKER_CARDS,
    N_SEATS,
    PILE,
    Phase,
    State,
)
from dwarrow.envs.the_duel.rules.damage import heal, hit, suffer
from dwarrow.envs.the_duel.rules.dice import could_hold, power_may_be_played_now, roll
from dwarrow.envs.the_duel.rules.payment import (
    may_pay_axes,
    may_pay_jokers,
    may_pay_with,
    pay,
    pay_axes,
    pay_with,
    usable_joker_cards,
)
from dwarrow.envs.the_duel.rules.playing import (
    carry_out,
    may_remove,
    may_rest,
    n_ways_to_rest,
    remove,
    rest,
    take_joker_card,
)
from dwarrow.envs.the_duel.rules.supply import draw_cards, most_cards_to_draw


@kernel
def clear_turn(s: State) -> None:
    """Put the dice back and forget what concerned the last turn alone."""
    for face in range(N_FACES):
        s.dice[face] = 0
    s.rolled = 0
    s.re_rolls = 0
    s.die_used = 0
    s.ended = 0
    s.new_joker_cards = 0
    s.card = NONE
    s.pay_number = NONE
    s.pay_axes = NONE
    s.dealer = NONE
    s.target = NONE


@kernel
def begin_turn(s: State, seat: int) -> None:
    """Begin a player's turn with the supply phase.

    Rule: course_of_play (p. 1).
    """
    s.turn += 1
    s.active = seat
    s.phase = Phase.SUPPLY


@kernel
def reward_unused_dice(s: State, seat: int) -> None:
    """Give a Joker card to who used no die in the turn and has not got all three.

    Rule: joker_card (p. 2). Ruling: A4.
    """
    if not s.die_used and s.players[seat].joker_cards < N_JOKER_CARDS:
        take_joker_card(s, seat)


@kernel
def end_turn(s: State) -> None:
    """End the turn: Joker card, damage wiped, the other player's turn.

    Rule: course_of_play (p. 1).
    """
    reward_unused_dice(s, int(s.active))
    for seat in range(N_SEATS):
        heal(s, seat)
    clear_turn(s)
    begin_turn(s, 1 - int(s.active))


@kernel
def close_window(s: State) -> None:
    """Go on after the other player's window: to the cards, or on to the next turn.

    Rule: twists_at_any_time (p. 2). Ruling: A15.
    """
    if s.ended:
        end_turn(s)
    else:
        s.phase = Phase.CARDS


@kernel
def keep_dice(s: State) -> None:
    """End the dice phase; the other player's first window follows.

    Rule: twists_at_any_time (p. 2). Ruling: A16.
    """
    s.re_rolls = 0
    s.phase = Phase.WINDOW if s.options.window_after_roll else Phase.CARDS


@kernel
def asked_seat(s: State) -> int:
    """Return who has to answer the question of this phase."""
    if s.phase == Phase.WINDOW:
        return 1 - int(s.active)
    if s.phase == Phase.ANSWER:
        return 1 - int(s.dealer)
    return int(s.dealer) if s.phase == Phase.TARGET else int(s.active)


# What is asked depends on what everybody sees, never on a hand. A question with one answer, known
# to all, is not asked.


@kernel
def proceed(s: State) -> None:
    """Go on to the next question that leaves a choice, and set who is asked."""
    while s.over == 0 and not is_question(s):
        go_on(s)
    s.seat = NONE if s.over else asked_seat(s)


@kernel
def is_question(s: State) -> bool:
    """Return whether this phase leaves a choice, for all that the table shows."""
    active, phase = int(s.active), s.phase
    if phase == Phase.SUPPLY:
        return most_cards_to_draw(s, active) > 1
    if phase == Phase.EXTRA_DICE or phase == Phase.DICE:
        power = power_may_be_played_now(s) and could_hold(s, active, Kind.ANDOKAIS_POWER)
        return power or s.re_rolls > 0
    if phase == Phase.TARGET:
        return n_with_life(s, 1 - int(s.dealer)) > 0
    if phase == Phase.ANSWER:
        return could_hold(s, 1 - int(s.dealer), Kind.CHAIN_MAIL)
    if phase == Phase.WINDOW:
        return could_hold(s, 1 - active, Kind.THROWING_AXE)
    return phase == Phase.CARDS or n_answers(s, active) > 1


@kernel
def n_with_life(s: State, seat: int) -> int:
    """Return how many cards of a display have life."""
    total = 0
    for kind in range(N_WITH_LIFE):
        total += s.players[seat].display[kind]
    return total


@kernel
def n_answers(s: State, seat: int) -> int:
    """Count the answers to the questions about a card that has been announced."""
    total = 0
    if s.phase == Phase.REST:
        return n_ways_to_rest(s)
    if s.phase == Phase.NUMBER:
        for number in range(N_NUMBERS + 1):
            total += may_pay_with(s, seat, number)
    elif s.phase == Phase.AXES:
        for n in range(MOST_DICE_OF_A_COST + 1):
            total += may_pay_axes(s, seat, n)
    elif s.phase == Phase.JOKERS:
        for n in range(usable_joker_cards(s, seat) + 1):
            total += may_pay_jokers(s, seat, int(s.pay_axes), n)
    elif s.phase == Phase.REMOVE:
        for kind in range(N_LASTING):
            total += may_remove(s, seat, kind)
    return total


@kernel
def go_on(s: State) -> None:
    """Do what happens where there is no choice."""
    active, phase = int(s.active), s.phase
    if phase == Phase.SUPPLY:
        draw_cards(s, active, 1)
    elif phase == Phase.EXTRA_DICE:
        roll(s, active)
    elif phase == Phase.DICE:
        keep_dice(s)
    elif phase == Phase.TARGET:
        hit(s, PILE)
    elif phase == Phase.ANSWER:
        suffer(s)
    elif phase == Phase.WINDOW:
        close_window(s)
    else:
        give_only_answer(s, active)


@kernel
def give_only_answer(s: State, seat: int) -> None:
    """Answer a question about an announced card that has one answer, or none."""
    if s.phase == Phase.REST:
        for number in range(N_NUMBERS):
            if may_rest(s, number):
                rest(s, number)
                return
        s.phase = Phase.WINDOW  # its own cost took the last die
    elif s.phase == Phase.NUMBER:
        for number in range(N_NUMBERS + 1):
            if may_pay_with(s, seat, number):
                pay_with(s, number)
                return
    elif s.phase == Phase.AXES:
        for n in range(MOST_DICE_OF_A_COST + 1):
            if may_pay_axes(s, seat, n):
                pay_axes(s, n)
                return
    elif s.phase == Phase.JOKERS:
        for n in range(usable_joker_cards(s, seat) + 1):
            if may_pay_jokers(s, seat, int(s.pay_axes), n):
                pay(s, seat, n)
                carry_out(s, seat)
                return
    elif s.phase == Phase.REMOVE:
        for kind in range(N_LASTING):
            if may_remove(s, seat, kind):
                remove(s, seat, kind)
                return
