"""What dwarfs and Cognars are worth in Dwarves of Aquilon: at once, and with what may follow."""

from __future__ import annotations

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
from dwarrow.envs.aquilon.layout import State
from dwarrow.envs.aquilon.rules.army import is_in_wanderers
from dwarrow.envs.aquilon.rules.cognars import completing_column, is_mercenary
from dwarrow.envs.aquilon.rules.coins import treasury_coin
from dwarrow.envs.aquilon.scoring import has, malt_rate, runes
from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.record import NONE

LINE = 26.0  # what a Cognar is worth
STEP = 0.20  # share of it that one of the five ranks of the next line earns
STEP_BEYOND = 0.07  # and a rank of the line after that
COIN_EARLY = 1.0  # what a point of coin value earns in bids over a whole game, beyond itself
MAJORITY = 2.5  # a rank where an Elite is contested
OCCULT_LATER = 0.45  # Temple points still to come, per turn left, that an Occult multiplies
MALT_LATER = 0.5  # a Malt towards the Liquor Certification
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
    left = turns_left(s)
    begun, beyond = STEP * min(1.0, 2.2 * left), STEP_BEYOND * left
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
                worth += begun
            if have > fewest + 1:
                worth += beyond
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
