"""Set-up: shuffle, draw four cards, begin the start player's turn."""

from __future__ import annotations

from dwarrow.envs.core.kernels import States, kernel
from dwarrow.envs.core.record import NONE, Stream
from dwarrow.envs.core.rng import random_below, shuffle
from dwarrow.envs.the_duel.cards import COPIES, DECK_SIZE, N_KINDS
from dwarrow.envs.the_duel.layout import N_SEATS, START_HAND, State
from dwarrow.envs.the_duel.rules.supply import draw_card
from dwarrow.envs.the_duel.rules.turn import begin_turn, clear_turn, proceed


@kernel
def shuffle_deck(s: State, seat: int) -> None:
    """Make the 35 cards of a side its draw pile.

    Rule: components (p. 1).
    """
    me = s.players[seat]
    for kind in range(N_KINDS):
        for _ in range(COPIES[kind]):
            me.pile[me.pile_size] = kind
            me.pile_size += 1
    shuffle(s, Stream.DECK, me.pile, DECK_SIZE)


@kernel
def setup(states: States, i: int) -> None:
    """Lay out the duel. The start player is drawn by lot.

    Rule: setup (p. 1). Ruling: A22.
    """
    s: State = states[i]
    s.used_up = NONE
    s.end_reason = NONE
    for seat in range(N_SEATS):
        shuffle_deck(s, seat)
        for _ in range(START_HAND):
            draw_card(s, seat)
    clear_turn(s)
    s.starter = random_below(s, Stream.SETUP, N_SEATS)
    s.turn = 0
    begin_turn(s, s.starter)
    proceed(s)
