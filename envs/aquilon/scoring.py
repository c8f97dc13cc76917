"""Final scoring: the Bravery Value, rank among the lords, utilities."""

from __future__ import annotations

import numpy as np

from dwarrow.envs.aquilon.cards import (
    COGNAR_PER_RANK,
    COGNAR_TOKENS,
    COIN_VALUE,
    FIRST_ELITE,
    JORUN_PER_RUNE,
    N_ELITES,
    SHIELD_TRACK,
    Cognar,
    Order,
)
from dwarrow.envs.aquilon.layout import MAX_SEATS, N_PLACES, State
from dwarrow.envs.core.kernels import Floats, States, kernel


@kernel
def has(s: State, seat: int, cognar: int) -> bool:
    """Return whether a lord has a Cognar, an Elite or the certificate."""
    return bool(s.holder[cognar] == seat)


@kernel
def shield(s: State, seat: int) -> int:
    """Return the Shield value: the track by ranks, and Abokar's point a rank.

    Rule: shield (p. 7), abokar (p. 14).
    """
    ranks = int(s.players[seat].ranks[Order.SHIELD])
    per_rank = int(COGNAR_PER_RANK[Cognar.ABOKAR]) if has(s, seat, Cognar.ABOKAR) else 0
    return int(SHIELD_TRACK[ranks]) + per_rank * ranks


@kernel
def temple(s: State, seat: int) -> int:
    """Return points times Occults; mercenaries' points stay outside the product.

    Rule: temple (p. 7).
    """
    me = s.players[seat]
    return int(me.points[Order.TEMPLE]) * int(me.occults)


@kernel
def tokens_removed(s: State, seat: int) -> int:
    """Return how many Pariah tokens a lord's Cognars remove at the end.

    Rule: token_removal (p. 15).
    """
    count = 0
    for cognar in (Cognar.OOSRAM, Cognar.DROH, Cognar.BRUM):
        if has(s, seat, cognar):
            count += int(COGNAR_TOKENS[cognar])
    return count


@kernel
def wanderers(s: State, seat: int) -> int:
    """Return the visible points: tokens come off the highest covered cards first.

    Rule: wanderers (p. 7), token_removal (p. 15).
    Ruling: S-4.
    """
    me = s.players[seat]
    value = int(me.points[Order.WANDERERS])
    for k in range(tokens_removed(s, seat), me.n_covered):
        value -= int(me.covered[k])
    return value


@kernel
def runes(s: State, seat: int) -> int:
    """Return how many different runes a lord has in army and Command zone.

    Rule: forge (p. 7).
    """
    me = s.players[seat]
    bits, count = int(me.runes), int(me.unique_runes)
    while bits:
        bits &= bits - 1
        count += 1
    return count


@kernel
def forge(s: State, seat: int) -> int:
    """Return points and the square of different runes.

    Rule: forge (p. 7).
    """
    different = runes(s, seat)
    return int(s.players[seat].points[Order.FORGE]) + different * different


@kernel
def talion(s: State, seat: int) -> int:
    """Return the points of the Talion column.

    Rule: talion (p. 7).
    """
    return int(s.players[seat].points[Order.TALION])


@kernel
def command(s: State, seat: int) -> int:
    """Return the points of Elites and white-rank Cognars: printed, Tiss by rank, Jorun by rune.

    Rule: command_zone (p. 13), tiss (p. 12), jorun (p. 15).
    """
    me = s.players[seat]
    value = int(me.command_points)
    if has(s, seat, Cognar.TISS):
        value += int(COGNAR_PER_RANK[Cognar.TISS]) * int(me.ranks[Order.SHIELD])
    if has(s, seat, Cognar.JORUN):
        value += JORUN_PER_RUNE * runes(s, seat)
    return value


@kernel
def malt_rate(s: State, seat: int) -> int:
    """Return what a Malt is worth: 1, and 1 more each for the certificate and for the pair.

    Rule: malts (p. 13), gurdan_and_borogam (p. 15).
    """
    rate = 1
    if has(s, seat, Cognar.LIQUOR_CERTIFICATION):
        rate += 1
    if has(s, seat, Cognar.GURDAN) and has(s, seat, Cognar.BOROGAM):
        rate += 1
    return rate


@kernel
def malt(s: State, seat: int) -> int:
    """Return the points for Malts.

    Rule: malts (p. 13).
    """
    return malt_rate(s, seat) * int(s.players[seat].malts)


@kernel
def coin_total(s: State, seat: int) -> int:
    """Return the value of a lord's five coins.

    Rule: coin_total (p. 13).
    """
    total = 0
    for place in range(N_PLACES):
        total += int(COIN_VALUE[s.players[seat].coins[place]])
    return total


@kernel
def bravery(s: State, seat: int) -> int:
    """Return the Bravery Value.

    Rule: end_of_game (p. 13).
    """
    orders = shield(s, seat) + temple(s, seat) + wanderers(s, seat)
    orders += forge(s, seat) + talion(s, seat) + int(s.players[seat].mercenary_points)
    return orders + command(s, seat) + malt(s, seat) + coin_total(s, seat)


@kernel
def elites(s: State, seat: int) -> int:
    """Return how many Elites a lord has; the Liquor Certification is none.

    Rule: tie_break (p. 13).
    """
    count = 0
    for k in range(N_ELITES):
        if has(s, seat, FIRST_ELITE + k):
            count += 1
    return count


@kernel
def standing(s: State, seat: int) -> int:
    """Return a number that ranks lords: Bravery Value, then Elites.

    Rule: tie_break (p. 13).
    """
    return bravery(s, seat) * (N_ELITES + 1) + elites(s, seat)


@kernel
def scores(states: States, i: int, out: Floats) -> None:
    """Write the Bravery Value of every seat."""
    s: State = states[i]
    for seat in range(s.n_seats):
        out[seat] = bravery(s, seat)


@kernel
def returns(states: States, i: int, out: Floats) -> None:
    """Write utilities: linear in final rank from 1 to -1, ties share."""
    s: State = states[i]
    ranked = np.zeros(MAX_SEATS, np.int32)
    for seat in range(s.n_seats):
        ranked[seat] = standing(s, seat)
    for seat in range(s.n_seats):
        balance = 0
        for other in range(s.n_seats):
            if ranked[other] < ranked[seat]:
                balance += 1
            elif ranked[other] > ranked[seat]:
                balance -= 1
        out[seat] = balance / (s.n_seats - 1)
