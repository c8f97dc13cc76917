"""Coins: the treasury, upgrades, exchanges, and what open play tells about where coins lie."""

from __future__ import annotations

from typing import Any

from dwarrow.envs.aquilon.cards import (
    COIN_VALUE,
    EXCHANGE_3,
    FIRST_GOLD,
    N_GOLD,
    ZERO,
)
from dwarrow.envs.aquilon.layout import BRONZE_LEAVES, N_PLACES, N_TAVERNS, PURSE, State
from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.record import NONE, Ints


@kernel
def sort_coins(coins: Ints) -> None:
    """Sort coins in place by number: exchange coin first, then rising value.

    Rule: coins_back (p. 10).
    """
    for last in range(N_PLACES - 1, 0, -1):  # without jumps that no processor could foresee
        for k in range(last):
            a, b = coins[k], coins[k + 1]
            coins[k], coins[k + 1] = min(a, b), max(a, b)


@kernel
def sort_purse(me: Any) -> None:
    """Lay the purse out so that its order tells nothing: known coins first, then rising."""
    a, b = PURSE, PURSE + 1
    if me.known[a] < me.known[b] or (me.known[a] == me.known[b] and me.coins[a] > me.coins[b]):
        me.coins[a], me.coins[b] = me.coins[b], me.coins[a]
        me.known[a], me.known[b] = me.known[b], me.known[a]


@kernel
def deduce_places(me: Any) -> None:
    """Mark what follows from what is known, as every lord knows the five coins of each.

    The last unknown coins have no choice of place once no bid is hidden, one place is left, or
    all of them are the same coin.

    Ruling: B-2.
    """
    bids, places, coin, alike = 0, 0, NONE, True
    for place in range(N_PLACES):
        if me.known[place]:
            continue
        places += 1
        if place < N_TAVERNS:
            bids += 1
        if coin != NONE and me.coins[place] != coin:
            alike = False
        coin = me.coins[place]
    if bids == 0 or places == 1 or alike:
        for place in range(N_PLACES):
            me.known[place] = 1
    sort_purse(me)


@kernel
def show_coin(me: Any, place: int) -> None:
    """Let every lord know the coin at a place."""
    if not me.known[place]:
        me.known[place] = 1
        deduce_places(me)


@kernel
def treasury_coin(s: State, wanted: int, barred: int) -> int:
    """Return the coin taken for a wanted value: the next higher there is, else the next lower.

    A coin worth `barred`, the value given up, may not be taken. Hands hold at most four gold coins
    each, so the treasury never runs dry.

    Rule: special_case (p. 11).
    """
    # gold coins rise by 1, so this is where those worth enough begin
    first = min(max(wanted - int(COIN_VALUE[FIRST_GOLD]), 0), N_GOLD)
    for k in range(first, N_GOLD):
        if s.treasury[k] != 0 and COIN_VALUE[FIRST_GOLD + k] != barred:
            return FIRST_GOLD + k
    for k in range(first - 1, -1, -1):
        if s.treasury[k] != 0 and COIN_VALUE[FIRST_GOLD + k] != barred:
            return FIRST_GOLD + k
    return NONE


@kernel
def replace_coin(s: State, seat: int, place: int, wanted: int) -> None:
    """Take the coin for a wanted value, then discard the one at `place`, in whose place it goes.

    Gold goes back to the treasury; bronze and Kardum's coin leave the game.

    Rule: discarding_coins (p. 11).
    """
    me = s.players[seat]
    old = me.coins[place]
    new = treasury_coin(s, wanted, COIN_VALUE[old])
    s.treasury[new - FIRST_GOLD] -= 1
    if old >= FIRST_GOLD:
        s.treasury[old - FIRST_GOLD] += 1
    me.coins[place] = new


@kernel
def may_upgrade(s: State, seat: int, place: int) -> bool:
    """Return whether the coin at a place may be upgraded: never the 0.

    Rule: zero_coin_stays (p. 11).
    Ruling: C-8.
    """
    coin = s.players[seat].coins[place]
    if coin == EXCHANGE_3:
        return bool(s.options.exchange_coin_upgradable)
    return bool(coin != ZERO)


@kernel
def upgrade(s: State, seat: int, place: int, by: int) -> None:
    """Raise the coin at a place in everybody's sight; the new one lies as the old one did.

    Rule: talion_upgrade (p. 7), derdhr (p. 14).
    """
    me = s.players[seat]
    replace_coin(s, seat, place, int(COIN_VALUE[me.coins[place]]) + by)
    me.known[place] = 1
    deduce_places(me)


@kernel
def has_exchange(s: State, seat: int) -> bool:
    """Return whether the coin at the tavern is the 0 or Kardum's: an exchange ends the turn.

    Ruling: C-9.
    """
    return bool(s.players[seat].coins[s.tavern] <= EXCHANGE_3)


@kernel
def reveal_purse(s: State, seat: int) -> None:
    """Show both purse coins.

    Rule: coin_exchange (p. 11).
    """
    me = s.players[seat]
    me.known[PURSE] = 1
    me.known[PURSE + 1] = 1
    deduce_places(me)


@kernel
def is_choice_of_coin(s: State, first: int, second: int) -> bool:
    """Return whether a lord chooses which of two different coins of equal value to discard.

    Ruling: C-5.
    """
    if s.options.equal_coins == BRONZE_LEAVES or first == second:
        return False
    return bool(COIN_VALUE[first] == COIN_VALUE[second])


@kernel
def exchange_coins(s: State, seat: int, place: int) -> None:
    """Replace one purse coin by the sum of both; the purse was revealed.

    Rule: coin_exchange (p. 11).
    """
    me = s.players[seat]
    total = int(COIN_VALUE[me.coins[PURSE]]) + int(COIN_VALUE[me.coins[PURSE + 1]])
    replace_coin(s, seat, place, total)
    sort_purse(me)


@kernel
def higher_purse_place(s: State, seat: int) -> int:
    """Return the place of the higher purse coin; of equal ones the bronze, which comes first.

    Rule: coin_exchange (p. 11).
    """
    coins = s.players[seat].coins
    higher = COIN_VALUE[coins[PURSE + 1]] > COIN_VALUE[coins[PURSE]]
    return PURSE + 1 if higher else PURSE
