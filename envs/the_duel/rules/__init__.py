"""The rules in the leaflet's order: supply, dice, payment, playing cards, damage, the turn."""

from __future__ import annotations

from dwarrow.envs.core.kernels import Mask, States, kernel
from dwarrow.envs.the_duel import actions
from dwarrow.envs.the_duel.cards import MOST_DICE_OF_A_COST, N_KINDS, N_LASTING, N_NUMBERS, Kind
from dwarrow.envs.the_duel.layout import (
    MOST_DRAWN,
    N_DIE_KINDS,
    N_FACES,
    N_JOKER_CARDS,
    N_TARGETS,
    Phase,
    State,
)
from dwarrow.envs.the_duel.rules.damage import (
    hit,
    may_hit,
    may_prevent,
    may_strike,
    may_throw,
    prevent,
    strike,
    suffer,
    throw,
)
from dwarrow.envs.the_duel.rules.dice import (
    may_play_andokais_power,
    may_re_roll,
    play_andokais_power,
    re_roll,
    roll,
)
from dwarrow.envs.the_duel.rules.payment import (
    may_pay_axes,
    may_pay_jokers,
    may_pay_with,
    pay,
    pay_axes,
    pay_with,
)
from dwarrow.envs.the_duel.rules.playing import (
    carry_out,
    fetch_joker_card,
    may_fetch_joker_card,
    may_play,
    may_remove,
    may_rest,
    play,
    remove,
    rest,
)
from dwarrow.envs.the_duel.rules.supply import draw_cards, may_draw_cards
from dwarrow.envs.the_duel.rules.turn import close_window, keep_dice, proceed

# Numbers of the single actions, as kernels see them.
PLAY, DRAW, ROLL, KEEP = actions.PLAY, actions.DRAW, actions.ROLL, actions.KEEP
PASS, END_TURN, RE_ROLL, NUMBER = actions.PASS, actions.END_TURN, actions.RE_ROLL, actions.NUMBER
AXES, JOKERS, STRIKE, FETCH = actions.AXES, actions.JOKERS, actions.STRIKE, actions.FETCH
HIT, REMOVE = actions.HIT, actions.REMOVE


@kernel
def legal(states: States, i: int, mask: Mask) -> int:
    """Write the mask of legal actions and return how many there are."""
    s: State = states[i]
    mask[:] = 0
    if s.over:
        return 0
    seat, phase = int(s.seat), s.phase
    if phase == Phase.CARDS:
        mark_card_phase(s, seat, mask)
    elif phase == Phase.WINDOW:
        mask[PASS] = 1
        mask[PLAY + Kind.THROWING_AXE] = may_throw(s, seat)
    elif phase == Phase.ANSWER:
        mask[PASS] = 1
        mask[PLAY + Kind.CHAIN_MAIL] = may_prevent(s, seat)
    elif phase == Phase.TARGET:
        for target in range(N_TARGETS):
            mask[HIT + target] = may_hit(s, seat, target)
    elif phase == Phase.SUPPLY or phase == Phase.EXTRA_DICE or phase == Phase.DICE:
        mark_dice_phase(s, seat, mask)
    else:
        mark_announced_card(s, seat, mask)
    n = 0
    for action in range(len(mask)):
        n += mask[action]
    return n


@kernel
def mark_dice_phase(s: State, seat: int, mask: Mask) -> None:
    """Write to `mask` what may be done in the supply and dice phases."""
    if s.phase == Phase.SUPPLY:
        for n in range(1, MOST_DRAWN + 1):
            mask[DRAW + n - 1] = may_draw_cards(s, seat, n)
        return
    mask[ROLL if s.phase == Phase.EXTRA_DICE else KEEP] = 1
    mask[PLAY + Kind.ANDOKAIS_POWER] = may_play_andokais_power(s, seat)
    for face in range(N_FACES):
        mask[RE_ROLL + face] = may_re_roll(s, face)


@kernel
def mark_card_phase(s: State, seat: int, mask: Mask) -> None:
    """Write to `mask` what may be done in the card phase."""
    for kind in range(N_KINDS):
        mask[PLAY + kind] = may_play(s, seat, kind)
    for die in range(N_DIE_KINDS):
        mask[STRIKE + die] = may_strike(s, seat, die)
        mask[FETCH + die] = may_fetch_joker_card(s, seat, die)
    mask[END_TURN] = 1


@kernel
def mark_announced_card(s: State, seat: int, mask: Mask) -> None:
    """Write to `mask` the answers to a question about the card that was announced."""
    if s.phase == Phase.REST:
        for number in range(N_NUMBERS):
            mask[NUMBER + number] = may_rest(s, number)
    elif s.phase == Phase.NUMBER:
        for number in range(N_NUMBERS + 1):
            mask[NUMBER + number] = may_pay_with(s, seat, number)
    elif s.phase == Phase.AXES:
        for n in range(MOST_DICE_OF_A_COST + 1):
            mask[AXES + n] = may_pay_axes(s, seat, n)
    elif s.phase == Phase.JOKERS:
        for n in range(N_JOKER_CARDS + 1):
            mask[JOKERS + n] = may_pay_jokers(s, seat, int(s.pay_axes), n)
    else:
        for kind in range(N_LASTING):
            mask[REMOVE + kind] = may_remove(s, seat, kind)


@kernel
def step(states: States, i: int, action: int) -> bool:
    """Play a legal action and go on to the next question; return whether the game is over."""
    s: State = states[i]
    s.decision += 1
    seat, phase = int(s.seat), s.phase
    if phase == Phase.CARDS:
        act_in_card_phase(s, seat, action)
    elif phase == Phase.WINDOW:
        if action == PASS:
            close_window(s)
        else:
            throw(s, seat)
    elif phase == Phase.ANSWER:
        if action == PASS:
            suffer(s)
        else:
            prevent(s, seat)
    elif phase == Phase.TARGET:
        hit(s, action - HIT)
    elif phase == Phase.SUPPLY:
        draw_cards(s, seat, action - DRAW + 1)
    elif phase == Phase.EXTRA_DICE or phase == Phase.DICE:
        act_in_dice_phase(s, seat, action)
    else:
        answer_about_card(s, seat, action)
    proceed(s)
    return bool(s.over == 1)


@kernel
def act_in_dice_phase(s: State, seat: int, action: int) -> None:
    """Carry out an action of the dice phase."""
    if action == ROLL:
        roll(s, seat)
    elif action == KEEP:
        keep_dice(s)
    elif action >= RE_ROLL:
        re_roll(s, action - RE_ROLL)
    else:
        play_andokais_power(s, seat)


@kernel
def act_in_card_phase(s: State, seat: int, action: int) -> None:
    """Carry out an action of the card phase."""
    if action == END_TURN:
        s.ended = 1
        s.phase = Phase.WINDOW
    elif action >= FETCH:
        fetch_joker_card(s, seat, action - FETCH)
    elif action >= STRIKE:
        strike(s, seat, action - STRIKE)
    else:
        play(s, seat, action - PLAY)


@kernel
def answer_about_card(s: State, seat: int, action: int) -> None:
    """Carry out an answer about the card that was announced."""
    if s.phase == Phase.REST:
        rest(s, action - NUMBER)
    elif s.phase == Phase.NUMBER:
        pay_with(s, action - NUMBER)
    elif s.phase == Phase.AXES:
        pay_axes(s, action - AXES)
    elif s.phase == Phase.JOKERS:
        pay(s, seat, action - JOKERS)
        carry_out(s, seat)
    else:
        remove(s, seat, action - REMOVE)


__all__ = ["legal", "step"]
