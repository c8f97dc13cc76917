"""The dice phase: how many dice, the roll, Andôkai's Power, re-rolls."""

from __future__ import annotations

from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.record import Stream
from dwarrow.envs.core.rng import draw
from dwarrow.envs.the_duel.cards import COPIES, N_KINDS, Kind
from dwarrow.envs.the_duel.layout import BASE_DICE, MAX_DICE, N_FACES, POWER_DICE, Phase, State


@kernel
def hand_size(s: State, seat: int) -> int:
    """Return the number of cards in hand, which everybody may count."""
    total = 0
    for kind in range(N_KINDS):
        total += s.players[seat].hand[kind]
    return total


@kernel
def could_hold(s: State, seat: int, kind: int) -> bool:
    """Return whether, for all that the table shows, `seat` may have that Twist in hand.

    Questions about Twists are asked whenever this holds, also of those who hold none: being asked,
    or not, tells the opponent nothing. Ruling: R1.
    """
    return bool(s.players[seat].discard[kind] < COPIES[kind]) and hand_size(s, seat) > 0


@kernel
def roll_die(s: State) -> None:
    """Roll one die and lay it among the unused ones.

    Rule: axe_face (p. 1).
    """
    s.dice[draw(s, Stream.DICE, N_FACES)] += 1


@kernel
def roll(s: State, seat: int) -> None:
    """Roll the dice of this turn; Rodario's Trickery allows a re-roll each.

    Rule: dice_phase (p. 1).
    """
    for _ in range(s.rolled):
        roll_die(s)
    s.re_rolls = s.players[seat].display[Kind.TRICKERY]
    s.phase = Phase.DICE


@kernel
def take_dice(s: State, seat: int) -> None:
    """Count the dice to be rolled: three, one more for each Reinforcement, never more than six.

    Rule: additional_dice (p. 1).
    """
    s.rolled = min(BASE_DICE + s.players[seat].display[Kind.REINFORCEMENT], MAX_DICE)


@kernel
def power_may_be_played_now(s: State) -> bool:
    """Return whether this is the moment of Andôkai's Power and a seventh die is not the only gain.

    Ruling: A7.
    """
    moment = Phase.DICE if s.options.extra_dice_after_roll else Phase.EXTRA_DICE
    return bool(s.phase == moment) and bool(s.rolled < MAX_DICE)


@kernel
def may_play_andokais_power(s: State, seat: int) -> bool:
    """Return whether two more dice may be had.

    Rule: andokais_power (p. 2).
    """
    return power_may_be_played_now(s) and s.players[seat].hand[Kind.ANDOKAIS_POWER] > 0


@kernel
def play_andokais_power(s: State, seat: int) -> None:
    """Roll two more dice, or as many as make six.

    Rule: andokais_power (p. 2). Ruling: A7.
    """
    me = s.players[seat]
    me.hand[Kind.ANDOKAIS_POWER] -= 1
    me.discard[Kind.ANDOKAIS_POWER] += 1
    more = min(POWER_DICE, MAX_DICE - s.rolled)
    s.rolled += more
    if s.phase == Phase.DICE:
        for _ in range(more):
            roll_die(s)


@kernel
def may_re_roll(s: State, face: int) -> bool:
    """Return whether a die that shows `face` may be rolled again.

    Rule: re_roll (p. 1).
    """
    return bool(s.re_rolls > 0) and s.dice[face] > 0


@kernel
def re_roll(s: State, face: int) -> None:
    """Roll a die again; the next re-roll may take the same die.

    Rule: re_roll (p. 1).
    """
    s.re_rolls -= 1
    s.dice[face] -= 1
    roll_die(s)
