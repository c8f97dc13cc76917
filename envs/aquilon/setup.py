"""Setting the game up: coins, gems, treasury, decks, and the first cards in the taverns."""

from __future__ import annotations

from dwarrow.envs.aquilon.cards import (
    DWARF_ERA,
    DWARF_FIVE,
    FIRST_BRONZE,
    GOLD_STOCK,
    N_COGNARS,
    N_DWARFS,
    N_GOLD,
    ZERO,
)
from dwarrow.envs.aquilon.layout import (
    HIGHEST_GEM,
    MAX_ARMY,
    MAX_DECK,
    MAX_SEATS,
    N_ERAS,
    N_PLACES,
    N_SLOTS,
    N_TAVERNS,
    N_WANDERING,
    State,
)
from dwarrow.envs.aquilon.rules.bids import dwarves_enter
from dwarrow.envs.core.kernels import States, kernel
from dwarrow.envs.core.record import NONE, Stream
from dwarrow.envs.core.rng import shuffle


@kernel
def give_coins(s: State, seat: int) -> None:
    """Give a lord the 0 and the bronze coins 2 to 5, and clear the board.

    Rule: setup (p. 4).
    """
    me = s.players[seat]
    me.coins[0] = ZERO
    for k in range(1, N_PLACES):
        me.coins[k] = FIRST_BRONZE + k - 1
    for k in range(MAX_ARMY):
        me.army[k] = NONE
    me.occults = 1  # printed on the board


@kernel
def deal_gems(s: State) -> None:
    """Deal the highest gems at random, one a lord.

    Rule: gems (p. 4).
    """
    for seat in range(s.n_seats):
        s.order[seat] = HIGHEST_GEM - seat
    shuffle(s, Stream.SETUP, s.order, s.n_seats)
    for seat in range(s.n_seats):
        s.players[seat].gem = s.order[seat]


@kernel
def shuffle_deck(s: State, era: int) -> None:
    """Shuffle the cards of an era; marked cards only play with five lords.

    Rule: five_lords (p. 4).
    """
    deck = s.decks[era]
    for card in range(N_DWARFS):
        if DWARF_ERA[card] == era and (s.n_seats == MAX_SEATS or not DWARF_FIVE[card]):
            deck.cards[deck.left] = card
            deck.left += 1
    for k in range(deck.left, MAX_DECK):
        deck.cards[k] = NONE
    shuffle(s, Stream.DECK, deck.cards, deck.left)


@kernel
def setup(states: States, i: int) -> None:
    """Lay out game `i` and let the first dwarves enter.

    Rule: setup (p. 4).
    """
    s: State = states[i]
    for seat in range(s.n_seats):
        give_coins(s, seat)
    for k in range(N_GOLD):
        s.treasury[k] = GOLD_STOCK[k]
    for k in range(N_COGNARS):
        s.holder[k] = NONE
    for k in range(N_WANDERING):
        s.column[k] = NONE
    for tavern in range(N_TAVERNS):
        for slot in range(N_SLOTS):
            s.taverns[tavern, slot] = NONE
    s.chosen = NONE
    deal_gems(s)
    for era in range(N_ERAS):
        shuffle_deck(s, era)
    dwarves_enter(s)
