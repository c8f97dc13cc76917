"""Scripted players of Dwarves of Aquilon: `greedy` counts points, `rule` plays as advice goes.

Both read only what the seat to move may know: of the others' coins the five each has, never where
they lie; of the decks nothing but Svara's five cards when they are theirs to look at.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dwarrow.agents.players import Players, Words, register
from dwarrow.envs.aquilon import GAME, actions
from dwarrow.envs.aquilon.actions import BID_COINS, N_BIDS
from dwarrow.envs.aquilon.cards import (
    ANY_COLUMN,
    COGNAR_COLUMN,
    COGNAR_MALTS,
    COGNAR_OCCULTS,
    COGNAR_PER_RANK,
    COGNAR_POINTS,
    COGNAR_RANKS,
    COGNAR_RUNES,
    COGNAR_TOKENS,
    COIN_VALUE,
    COMMAND,
    DERDHR_UPGRADE,
    DWARF_MALTS,
    DWARF_OCCULTS,
    DWARF_ORDER,
    DWARF_POINTS,
    DWARF_RUNE,
    GAAT_POINTS,
    JORUN_PER_RUNE,
    MAX_RANKS,
    N_ORDERS,
    SHIELD_TRACK,
    Cognar,
    Order,
)
from dwarrow.envs.aquilon.layout import N_PLACES, N_SLOTS, N_TAVERNS, PURSE, Phase, State
from dwarrow.envs.aquilon.rules.army import is_in_wanderers
from dwarrow.envs.aquilon.rules.cognars import completing_column, is_mercenary
from dwarrow.envs.aquilon.rules.coins import treasury_coin
from dwarrow.envs.aquilon.scoring import has, malt_rate, runes
from dwarrow.envs.core.kernels import Floats, Mask, States, kernel
from dwarrow.envs.core.record import NONE
from dwarrow.envs.core.rng import word_below

LINE = 26.0  # what a Cognar is worth
STEP = 0.20  # share of it that one of the five ranks of the next line earns
STEP_BEYOND = 0.07  # and a rank of the line after that
COIN_EARLY = 1.0  # what a point of coin value earns in bids over a whole game, beyond itself
MAJORITY = 2.5  # a rank where an Elite is contested
OCCULT_LATER = 0.45  # Temple points still to come, per turn left, that an Occult multiplies
MALT_LATER = 0.5  # a Malt towards the Liquor Certification
DENY = 0.2  # share of what a card is worth to the lord who would like it most
SVARA_CARD = 11.0  # best of five cards
KARDUM_COIN = 4.0  # the 0 becomes a 3, and still exchanges


# What a card adds to the Bravery Value at once


@kernel
def added(
    s: State, seat: int, column: int, ranks: int, points: int, malts: int, occults: int, new: int
) -> float:
    """Return the Bravery gained by ranks and points in a column, Malts, Occults and new runes."""
    me = s.players[seat]
    value = malts * malt_rate(s, seat)
    have, multiplier = int(me.points[Order.TEMPLE]), int(me.occults)
    mine = points if column == Order.TEMPLE else 0
    value += (have + mine) * (multiplier + occults) - have * multiplier
    if new:
        different = runes(s, seat)
        value += new * (2 * different + new)
        if has(s, seat, Cognar.JORUN):
            value += JORUN_PER_RUNE * new
    if column == Order.SHIELD:
        old = int(me.ranks[Order.SHIELD])
        value += int(SHIELD_TRACK[min(old + ranks, MAX_RANKS)]) - int(SHIELD_TRACK[old])
        for cognar in (Cognar.ABOKAR, Cognar.TISS):
            if has(s, seat, cognar):
                value += ranks * int(COGNAR_PER_RANK[cognar])
    elif column != Order.TEMPLE:
        value += points
    return float(value)


@kernel
def card_points(s: State, seat: int, card: int) -> float:
    """Return the Bravery that a dwarf brings a lord at once."""
    order, points, new = int(DWARF_ORDER[card]), int(DWARF_POINTS[card]), 0
    if order == Order.WANDERERS and is_in_wanderers(s, seat, points, False):
        points = 0
    if DWARF_RUNE[card] != NONE and not int(s.players[seat].runes) >> int(DWARF_RUNE[card]) & 1:
        new = 1
    if order == Order.TALION:
        points += 1  # the coin rises
    malts, occults = int(DWARF_MALTS[card]), int(DWARF_OCCULTS[card])
    return added(s, seat, order, 1, points, malts, occults, new)


@kernel
def rise(s: State, coin: int, by: int) -> int:
    """Return by how much the value of a coin changes when it is upgraded."""
    old = int(COIN_VALUE[coin])
    return int(COIN_VALUE[treasury_coin(s, old + by, old)]) - old


@kernel
def column_points(s: State, seat: int, cognar: int, column: int) -> float:
    """Return the Bravery that a mercenary or Ga'at brings at once in a column."""
    if is_mercenary(cognar):
        return added(s, seat, column, 1, 0, 0, 0, 0) + int(COGNAR_POINTS[cognar])
    return added(s, seat, column, 1, int(GAAT_POINTS[column]), 0, 0, 0)


@kernel
def best_column_points(s: State, seat: int, cognar: int) -> float:
    """Return the Bravery that a mercenary or Ga'at brings in the best column."""
    best = column_points(s, seat, cognar, 0)
    for column in range(1, N_ORDERS):
        best = max(best, column_points(s, seat, cognar, column))
    return best


@kernel
def cognar_points(s: State, seat: int, cognar: int) -> float:
    """Return the Bravery that a Cognar brings a lord at once."""
    me = s.players[seat]
    column, points = int(COGNAR_COLUMN[cognar]), int(COGNAR_POINTS[cognar])
    if column == ANY_COLUMN:
        return best_column_points(s, seat, cognar)
    value = added(
        s,
        seat,
        column,
        int(COGNAR_RANKS[cognar]),
        points,
        int(COGNAR_MALTS[cognar]),
        int(COGNAR_OCCULTS[cognar]),
        int(COGNAR_RUNES[cognar]),
    )
    for k in range(min(int(COGNAR_TOKENS[cognar]), me.n_covered)):
        value += int(me.covered[k])
    if cognar == Cognar.ABOKAR:
        value += int(me.ranks[Order.SHIELD]) + 1
    elif cognar == Cognar.JORUN:
        value += JORUN_PER_RUNE * (runes(s, seat) + 1)
    elif cognar == Cognar.DERDHR:
        value += DERDHR_UPGRADE
    elif cognar == Cognar.KARDUM:
        value += int(COIN_VALUE[1])
    elif cognar == Cognar.OBERON:
        value += best_column_points(s, seat, Cognar.GAAT.value)
    other = Cognar.GURDAN if cognar == Cognar.BOROGAM else Cognar.BOROGAM
    if cognar in (Cognar.GURDAN, Cognar.BOROGAM) and has(s, seat, other):
        value += int(me.malts)
    return value


# What it is worth later


@kernel
def turns_left(s: State) -> float:
    """Return the share of the game's turns still to come, this one included."""
    turns = 4.0 if s.n_seats <= 3 else 3.0
    return (turns * (2 - s.era) - s.turn) / (2 * turns)


@kernel
def line_value(s: State, seat: int, column: int, ranks: int) -> float:
    """Return what ranks in a column are worth as lines: completed, begun, and beyond."""
    mine = s.players[seat].ranks
    value = 0.0
    for after in range(2):
        fewest = 1000
        for order in range(N_ORDERS):
            have = int(mine[order]) + (ranks if after and order == column else 0)
            fewest = min(fewest, have)
        worth = float(fewest)
        for order in range(N_ORDERS):
            have = int(mine[order]) + (ranks if after and order == column else 0)
            if have > fewest:
                worth += STEP * min(1.0, 2.2 * turns_left(s))
            if have > fewest + 1:
                worth += STEP_BEYOND * turns_left(s)
        value = worth - value
    return LINE * value


@kernel
def majority_value(s: State, seat: int, order: int) -> float:
    """Return what a rank is worth in the race for an Order's Elite, in Era 1."""
    if s.era == 1:
        return 0.0
    best = 0
    for other in range(s.n_seats):
        if other != seat:
            best = max(best, int(s.players[other].ranks[order]))
    lead = int(s.players[seat].ranks[order]) - best
    return MAJORITY if -1 <= lead <= 1 else 0.0


@kernel
def card_value(s: State, seat: int, card: int) -> float:
    """Return what a dwarf is worth to a lord: points, lines, coins and symbols to come."""
    order = int(DWARF_ORDER[card])
    left = turns_left(s)
    value = card_points(s, seat, card) + line_value(s, seat, order, 1)
    value += majority_value(s, seat, order)
    value += int(DWARF_OCCULTS[card]) * OCCULT_LATER * left * 16
    if order == Order.TALION:
        value += COIN_EARLY * left
    if s.era == 0:
        value += int(DWARF_MALTS[card]) * MALT_LATER
    return value


@kernel
def cognar_value(s: State, seat: int, cognar: int) -> float:
    """Return what a Cognar is worth to a lord, lines it completes and powers included."""
    value = cognar_points(s, seat, cognar)
    column = int(COGNAR_COLUMN[cognar])
    if is_mercenary(cognar) and s.chain == 0:
        # the first of a pair stands where it completes a line, which the second one takes
        place = completing_column(s, seat)
        return column_points(s, seat, cognar, place) + line_value(s, seat, place, 1)
    if column < COMMAND:
        value += line_value(s, seat, column, int(COGNAR_RANKS[cognar]))
        value += majority_value(s, seat, column)
    elif column == ANY_COLUMN:
        value += best_line(s, seat)
    left = turns_left(s)
    value += int(COGNAR_OCCULTS[cognar]) * OCCULT_LATER * left * 16
    if cognar == Cognar.SVARA:
        value += SVARA_CARD
    elif cognar == Cognar.KARDUM:
        value += KARDUM_COIN * left
    elif cognar == Cognar.OBERON:
        value += best_line(s, seat)
    elif cognar in (Cognar.GURDAN, Cognar.BOROGAM):
        value += int(s.players[seat].malts) * left * 0.3
    return value


@kernel
def best_line(s: State, seat: int) -> float:
    """Return what a rank is worth as a line in the best column."""
    best = line_value(s, seat, 0, 1)
    for column in range(1, N_ORDERS):
        best = max(best, line_value(s, seat, column, 1))
    return best


# Choosing


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
def exchange_points(s: State, seat: int, bid: int) -> int:
    """Return what the exchange brings if a bid lays the 0 or Kardum's coin at a tavern."""
    if BID_COINS[bid, PURSE] == 0:
        return 0
    coins = s.players[seat].coins
    low = int(COIN_VALUE[coins[BID_COINS[bid, PURSE]]])
    high = int(COIN_VALUE[coins[BID_COINS[bid, PURSE + 1]]])
    return int(COIN_VALUE[treasury_coin(s, low + high, high)]) - high


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
    values = np.zeros(N_BIDS, np.float32)
    for bid in range(N_BIDS):
        value = float(exchange_points(s, seat, bid))
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
    if phase == Phase.DISCARD:
        return choose_discard(s, seat, mask, values, word)
    if phase in (Phase.UPGRADE, Phase.DERDHR):
        return choose_coin(s, seat, mask, values, word)
    return best_of(values, mask, actions.GIVE_UP, 2, word)


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
    values = np.zeros(N_SLOTS)
    for tavern in range(N_TAVERNS):
        n = tavern_values(s, seat, tavern, values)
        for k in range(N_PLACES):
            at = min(lords_ahead(s, seat, coins[k]), n - 1.0)
            below = int(at)
            above = min(below + 1, n - 1)
            fetch[k, tavern] = values[below] + (at - below) * (values[above] - values[below])
    worth = np.zeros(N_BIDS, np.float32)
    early = 1.0 + COIN_EARLY * (turns_left(s) - 0.125)
    for bid in range(N_BIDS):
        value = early * exchange_points(s, seat, bid)
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
    if phase == Phase.DISCARD:
        return choose_discard(s, seat, mask, values, word)
    if phase in (Phase.UPGRADE, Phase.DERDHR):
        return choose_coin(s, seat, mask, values, word)
    return best_of(values, mask, actions.GIVE_UP, 2, word)


register(GAME.dtype, Players(greedy, rule))
