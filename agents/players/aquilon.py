"""Scripted players of Dwarves of Aquilon: `greedy` counts points, `rule` plays as advice goes.

Both read only what the seat to move may know: of the others' coins the five each has, never where
they lie; of the decks nothing but Svara's five cards when they are theirs to look at.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dwarrow.agents.players import Players, Words, register
from dwarrow.agents.players.aquilon_worth import (
    COIN_EARLY,
    card_points,
    card_value,
    cognar_points,
    cognar_value,
    column_points,
    line_value,
    majority_value,
    rise,
    turns_left,
)
from dwarrow.envs.aquilon import GAME, actions
from dwarrow.envs.aquilon.actions import BID_COINS, N_BIDS
from dwarrow.envs.aquilon.cards import (
    COIN_VALUE,
    DERDHR_UPGRADE,
    N_ORDERS,
)
from dwarrow.envs.aquilon.layout import N_PLACES, N_SLOTS, N_TAVERNS, PURSE, Phase, State
from dwarrow.envs.aquilon.rules.coins import treasury_coin
from dwarrow.envs.core.kernels import Floats, Mask, States, kernel
from dwarrow.envs.core.record import NONE
from dwarrow.envs.core.rng import word_below

DENY = 0.2  # share of what a card is worth to the lord who would like it most


@kernel
def best_of(values: Floats, mask: Mask, first: int, count: int, word: Words) -> int:
    """Return the legal action with the highest value among `count` from `first`; ties by lot."""
    best, chosen, ties = -1e9, NONE, 0
    for k in range(count):
        if not mask[first + k]:
            continue
        if values[k] > best:
            best, chosen, ties = values[k], first + k, 1
        elif values[k] == best:
            ties += 1
            if word_below(word, ties) == 0:
                chosen = first + k
    return chosen


@kernel
def choose_coin(s: State, seat: int, mask: Mask, values: Floats, word: Words) -> int:
    """Choose the coin to upgrade that gains most; before an exchange the sum counts too."""
    coins = s.players[seat].coins
    for place in range(N_PLACES):
        if mask[actions.UPGRADE + place] == 0:
            continue
        if s.phase == Phase.DERDHR:
            values[place] = rise(s, coins[place], DERDHR_UPGRADE)
            continue
        mine = int(COIN_VALUE[coins[place]]) + rise(s, coins[place], 1)
        other = int(COIN_VALUE[coins[2 * PURSE + 1 - place]])
        values[place] = min(mine, other) + mine + other
    return best_of(values, mask, actions.UPGRADE, N_PLACES, word)


@kernel
def choose_discard(s: State, seat: int, mask: Mask, values: Floats, word: Words) -> int:
    """Of two cards discard the one that the other lord would like better."""
    for slot in range(actions.PICK - actions.DISCARD):
        card = s.taverns[s.tavern, slot]
        if card != NONE:
            values[slot] = card_value(s, 1 - seat, card)
    return best_of(values, mask, actions.DISCARD, actions.PICK - actions.DISCARD, word)


@kernel
def choose_rest(s: State, seat: int, mask: Mask, values: Floats, word: Words) -> int:
    """Choose where `greedy` and `rule` are of one mind: discards, coins, what to give up."""
    if s.phase == Phase.DISCARD:
        return choose_discard(s, seat, mask, values, word)
    if s.phase in (Phase.UPGRADE, Phase.DERDHR):
        return choose_coin(s, seat, mask, values, word)
    return best_of(values, mask, actions.GIVE_UP, 2, word)


@kernel
def lords_ahead(s: State, seat: int, coin: int) -> float:
    """Return how many lords are likely to play before a coin, each bidding any of his five."""
    mine, gem = int(COIN_VALUE[coin]), int(s.players[seat].gem)
    ahead = 0
    for other in range(s.n_seats):
        if other == seat:
            continue
        wins_ties = int(s.players[other].gem) > gem
        for place in range(N_PLACES):
            theirs = int(COIN_VALUE[s.players[other].coins[place]])
            if theirs > mine or (theirs == mine and wins_ties):
                ahead += 1
    return ahead / N_PLACES


@kernel
def write_exchanges(s: State, seat: int, gains: NDArray[np.float64]) -> None:
    """Write what the exchange of two coins brings, lower coin first: [N_PLACES, N_PLACES].

    With the 0 or Kardum's coin in the purse there is none.
    """
    coins = s.players[seat].coins
    for first in range(1, N_PLACES):
        low = int(COIN_VALUE[coins[first]])
        for second in range(first + 1, N_PLACES):
            high = int(COIN_VALUE[coins[second]])
            gains[first, second] = int(COIN_VALUE[treasury_coin(s, low + high, high)]) - high


@kernel
def greedy_bid(s: State, seat: int, mask: Mask, word: Words) -> int:
    """Bid high where best and worst card differ most, but for what an exchange brings at once."""
    spread = np.zeros(N_TAVERNS)
    for tavern in range(N_TAVERNS):
        low, high = 1e9, -1e9
        for slot in range(N_SLOTS):
            card = s.taverns[tavern, slot]
            if card != NONE:
                low = min(low, card_points(s, seat, card))
                high = max(high, card_points(s, seat, card))
        spread[tavern] = high - low
    coins = s.players[seat].coins
    behind = np.zeros(N_PLACES)
    for k in range(N_PLACES):
        behind[k] = 1 - lords_ahead(s, seat, coins[k]) / (s.n_seats - 1)
    gains = np.zeros((N_PLACES, N_PLACES))
    write_exchanges(s, seat, gains)
    values = np.zeros(N_BIDS, np.float32)
    for bid in range(N_BIDS):
        value = gains[BID_COINS[bid, PURSE], BID_COINS[bid, PURSE + 1]]
        for tavern in range(N_TAVERNS):
            value += spread[tavern] * behind[BID_COINS[bid, tavern]]
        values[bid] = value
    return best_of(values, mask, actions.BID, N_BIDS, word)


@kernel
def greedy(states: States, i: int, mask: Mask, word: Words) -> int:
    """Take what brings most Bravery at once."""
    s: State = states[i]
    seat, phase = s.seat, s.phase
    if phase == Phase.BID:
        return greedy_bid(s, seat, mask, word)
    values = np.zeros(actions.PLACE - actions.RECRUIT, np.float32)
    if phase == Phase.TAKE:
        for slot in range(N_SLOTS):
            if mask[actions.TAKE + slot]:
                values[slot] = card_points(s, seat, s.taverns[s.tavern, slot])
        return best_of(values, mask, actions.TAKE, N_SLOTS, word)
    if phase == Phase.RECRUIT:
        for cognar in range(actions.PLACE - actions.RECRUIT):
            if mask[actions.RECRUIT + cognar]:
                values[cognar] = cognar_points(s, seat, cognar)
        return best_of(values, mask, actions.RECRUIT, actions.PLACE - actions.RECRUIT, word)
    if phase == Phase.PLACE:
        for column in range(N_ORDERS):
            values[column] = column_points(s, seat, s.chosen, column)
        return best_of(values, mask, actions.PLACE, N_ORDERS, word)
    if phase == Phase.SVARA:
        deck = s.decks[1]
        for k in range(actions.RECRUIT - actions.PICK):
            if mask[actions.PICK + k]:
                values[k] = card_points(s, seat, deck.cards[deck.left - 1 - k])
        return best_of(values, mask, actions.PICK, actions.RECRUIT - actions.PICK, word)
    return choose_rest(s, seat, mask, values, word)


@kernel
def tavern_values(s: State, seat: int, tavern: int, values: NDArray[np.float64]) -> int:
    """Write what the cards of a tavern are worth to a lord, falling; return how many there are."""
    n = 0
    for slot in range(N_SLOTS):
        card = s.taverns[tavern, slot]
        if card == NONE:
            continue
        value = card_value(s, seat, card)
        k = n
        while k > 0 and values[k - 1] < value:
            values[k] = values[k - 1]
            k -= 1
        values[k] = value
        n += 1
    return n


@kernel
def rule_bid(s: State, seat: int, mask: Mask, word: Words) -> int:
    """Weigh what each coin is likely to fetch at each tavern against what an exchange brings."""
    coins = s.players[seat].coins
    fetch = np.zeros((N_PLACES, N_TAVERNS))
    values, ahead = np.zeros(N_SLOTS), np.zeros(N_PLACES)
    gains = np.zeros((N_PLACES, N_PLACES))
    write_exchanges(s, seat, gains)
    for k in range(N_PLACES):
        ahead[k] = lords_ahead(s, seat, coins[k])
    for tavern in range(N_TAVERNS):
        n = tavern_values(s, seat, tavern, values)
        for k in range(N_PLACES):
            at = min(ahead[k], n - 1.0)
            below = int(at)
            above = min(below + 1, n - 1)
            fetch[k, tavern] = values[below] + (at - below) * (values[above] - values[below])
    worth = np.zeros(N_BIDS, np.float32)
    early = 1.0 + COIN_EARLY * (turns_left(s) - 0.125)
    for bid in range(N_BIDS):
        value = early * gains[BID_COINS[bid, PURSE], BID_COINS[bid, PURSE + 1]]
        for tavern in range(N_TAVERNS):
            value += fetch[BID_COINS[bid, tavern], tavern]
        worth[bid] = value
    return best_of(worth, mask, actions.BID, N_BIDS, word)


@kernel
def wish_of_others(s: State, seat: int, card: int) -> float:
    """Return what a card is worth to the lord still to play here who would like it most."""
    best = 0.0
    for k in range(s.at + 1, s.n_seats):
        best = max(best, card_value(s, s.order[k], card))
    return best


@kernel
def rule(states: States, i: int, mask: Mask, word: Words) -> int:
    """Collect with lines and Elites in mind, grow coins early, deny a little."""
    s: State = states[i]
    seat, phase = s.seat, s.phase
    if phase == Phase.BID:
        return rule_bid(s, seat, mask, word)
    values = np.zeros(actions.PLACE - actions.RECRUIT, np.float32)
    if phase == Phase.TAKE:
        for slot in range(N_SLOTS):
            if mask[actions.TAKE + slot]:
                card = s.taverns[s.tavern, slot]
                values[slot] = card_value(s, seat, card) + DENY * wish_of_others(s, seat, card)
        return best_of(values, mask, actions.TAKE, N_SLOTS, word)
    if phase == Phase.RECRUIT:
        for cognar in range(actions.PLACE - actions.RECRUIT):
            if mask[actions.RECRUIT + cognar]:
                values[cognar] = cognar_value(s, seat, cognar)
        return best_of(values, mask, actions.RECRUIT, actions.PLACE - actions.RECRUIT, word)
    if phase == Phase.PLACE:
        for column in range(N_ORDERS):
            values[column] = column_points(s, seat, s.chosen, column)
            values[column] += line_value(s, seat, column, 1) + majority_value(s, seat, column)
        return best_of(values, mask, actions.PLACE, N_ORDERS, word)
    if phase == Phase.SVARA:
        deck = s.decks[1]
        for k in range(actions.RECRUIT - actions.PICK):
            if mask[actions.PICK + k]:
                values[k] = card_value(s, seat, deck.cards[deck.left - 1 - k])
        return best_of(values, mask, actions.PICK, actions.RECRUIT - actions.PICK, word)
    return choose_rest(s, seat, mask, values, word)


register(GAME.dtype, Players(greedy, rule))
