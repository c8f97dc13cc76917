"""Preparing a turn, revealing bids, ties, and gems."""

from __future__ import annotations

from dwarrow.envs.aquilon.actions import BID_SWAPS, CANONICAL_BIDS
from dwarrow.envs.aquilon.cards import COIN_VALUE
from dwarrow.envs.aquilon.layout import (
    HIGHEST_GEM,
    MIN_SEATS,
    N_PLACES,
    N_SLOTS_TWO_LORDS,
    N_TAVERNS,
    Phase,
    State,
)
from dwarrow.envs.aquilon.rules.coins import show_coin, sort_coins
from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.record import NONE


@kernel
def cards_per_tavern(s: State) -> int:
    """Return how many dwarves enter a tavern: one a lord, but three for two lords.

    Rule: two_lords (p. 4).
    """
    return N_SLOTS_TWO_LORDS if s.n_seats == MIN_SEATS else int(s.n_seats)


@kernel
def dwarves_enter(s: State) -> None:
    """Fill the taverns from the deck of the era and ask for bids.

    Rule: dwarves_enter (p. 8).
    """
    deck = s.decks[s.era]
    for tavern in range(N_TAVERNS):
        for slot in range(cards_per_tavern(s)):
            deck.left -= 1
            s.taverns[tavern, slot] = deck.cards[deck.left]
            deck.cards[deck.left] = NONE
    for k in range(s.n_seats):
        s.order[k] = NONE
        s.revealed[k] = NONE
    s.tavern = 0
    s.at = 0
    s.phase = Phase.BID
    s.seat = 0


@kernel
def coins_back(s: State) -> None:
    """Let every lord take the coins back in hand; where they lay is forgotten.

    Rule: coins_back (p. 10).
    """
    for seat in range(s.n_seats):
        me = s.players[seat]
        sort_coins(me.coins)
        for place in range(N_PLACES):
            me.known[place] = 0


@kernel
def alike_coins(s: State, seat: int) -> int:
    """Return a bit for each coin in hand that is the same as the next."""
    coins = s.players[seat].coins
    bits = 0
    for k in range(N_PLACES - 1):
        if coins[k] == coins[k + 1]:
            bits |= 1 << k
    return bits


@kernel
def may_bid(s: State, seat: int, bid: int) -> bool:
    """Return whether a bid is the one of its equals that is asked for; see `CANONICAL_BIDS`.

    Rule: bids (p. 8).
    """
    return bool(CANONICAL_BIDS[alike_coins(s, seat), bid])


@kernel
def bid(s: State, seat: int, bid: int) -> None:
    """Lay three coins face down at the taverns and the other two in the purse.

    Rule: bids (p. 8).
    """
    coins = s.players[seat].coins
    for place in range(N_PLACES - 1):
        other = BID_SWAPS[bid, place]
        coins[place], coins[other] = coins[other], coins[place]


@kernel
def reveal_bids(s: State) -> None:
    """Show everybody's coin at the tavern and put the lords in order: value, then gem.

    Both are fixed now: what happens to coins later changes neither order nor ties.

    Rule: revealing_bids (p. 8).
    """
    n = s.n_seats
    for seat in range(n):
        me = s.players[seat]
        s.revealed[seat] = COIN_VALUE[me.coins[s.tavern]]
        show_coin(me, s.tavern)
        rank = bid_strength(s, seat)
        k = seat
        while k > 0 and bid_strength(s, s.order[k - 1]) < rank:
            s.order[k] = s.order[k - 1]
            k -= 1
        s.order[k] = seat
    s.at = 0


@kernel
def bid_strength(s: State, seat: int) -> int:
    """Return a number that orders the lords: revealed value first, gem among equals.

    Rule: ties (p. 8).
    """
    return int(s.revealed[seat]) * (HIGHEST_GEM + 1) + int(s.players[seat].gem)


@kernel
def exchange_gems(s: State) -> None:
    """In each group tied at the reveal swap highest gem with lowest, next with next, inwards.

    Rule: gem_exchange (p. 10).
    """
    first = 0
    while first < s.n_seats:
        # `order` lists each group together, its highest gem first
        last = first
        while last + 1 < s.n_seats and (
            s.revealed[s.order[last + 1]] == s.revealed[s.order[first]]
        ):
            last += 1
        high, low = first, last
        while high < low:
            one, other = s.players[s.order[high]], s.players[s.order[low]]
            one.gem, other.gem = other.gem, one.gem
            high += 1
            low -= 1
        first = last + 1
