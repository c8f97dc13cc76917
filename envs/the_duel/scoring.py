"""The end of the duel: points in the display, tie-break, utilities."""

from __future__ import annotations

from dwarrow.envs.core.kernels import Floats, States, kernel
from dwarrow.envs.the_duel.cards import N_ALLIES, N_WITH_LIFE, POINTS
from dwarrow.envs.the_duel.layout import N_SEATS, State


@kernel
def points(s: State, seat: int) -> int:
    """Return the victory points in a display.

    Rule: points (p. 2).
    """
    total = 0
    for kind in range(N_ALLIES, N_WITH_LIFE):
        total += s.players[seat].display[kind] * POINTS[kind]
    return total


@kernel
def winner(s: State) -> int:
    """Return who has more points; on a tie, whose draw pile is not used up.

    Rule: tie (p. 2).
    """
    other = 1 - s.used_up
    return int(s.used_up) if points(s, s.used_up) > points(s, other) else int(other)


@kernel
def scores(states: States, i: int, out: Floats) -> None:
    """Write the points of both seats."""
    s: State = states[i]
    for seat in range(N_SEATS):
        out[seat] = points(s, seat)


@kernel
def returns(states: States, i: int, out: Floats) -> None:
    """Write +1 for the winner and -1 for the loser."""
    s: State = states[i]
    won = winner(s)
    for seat in range(N_SEATS):
        out[seat] = 1 if seat == won else -1
