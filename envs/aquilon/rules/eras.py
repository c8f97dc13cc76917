"""The Evaluation of the Orders at the end of Era 1, and Ordo's exchange."""

from __future__ import annotations

from dwarrow.envs.aquilon.cards import (
    COIN_VALUE,
    COMMAND,
    ELITE_OF_ORDER,
    EXCHANGE_3,
    N_ORDERS,
    Cognar,
)
from dwarrow.envs.aquilon.layout import State
from dwarrow.envs.aquilon.rules.cognars import place_cognar
from dwarrow.envs.aquilon.rules.coins import is_choice_of_coin, replace_coin, sort_coins
from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.record import NONE


@kernel
def most_ranks(s: State, order: int) -> int:
    """Return the lord with most ranks of an Order; NONE if tied.

    Rule: evaluation (p. 12).
    """
    best, winner = NONE, NONE
    for seat in range(s.n_seats):
        ranks = int(s.players[seat].ranks[order])
        if ranks > best:
            best, winner = ranks, seat
        elif ranks == best:
            winner = NONE
    return winner


@kernel
def most_malts(s: State) -> int:
    """Return the lord with most Malts; NONE if tied.

    Rule: liquor_certification (p. 12).
    Ruling: E-2.
    """
    best, winner = NONE, NONE
    for seat in range(s.n_seats):
        malts = int(s.players[seat].malts)
        if malts > best:
            best, winner = malts, seat
        elif malts == best:
            winner = NONE
    return winner


@kernel
def evaluate_orders(s: State) -> None:
    """Award the five Elites and the Liquor Certification; Ordo still has to act.

    Rule: evaluation (p. 12), liquor_certification (p. 12).
    """
    for order in range(N_ORDERS):
        winner = most_ranks(s, order)
        if winner != NONE:
            place_cognar(s, winner, int(ELITE_OF_ORDER[order]), COMMAND)
    winner = most_malts(s)
    if winner != NONE:
        place_cognar(s, winner, Cognar.LIQUOR_CERTIFICATION.value, COMMAND)


@kernel
def ordo_first(s: State, seat: int) -> int:
    """Return where in hand Ordo's two coins begin: after the 0, and after Kardum's coin if skipped.

    Kardum's 3 stands first in hand and is always among the two lowest: there is but one 2. If it
    was upgraded (an option) the hand has no exchange coin.

    Rule: ordo (p. 12).
    Ruling: O-1.
    """
    lowest = s.players[seat].coins[0]
    if lowest > EXCHANGE_3:
        return 0
    return 0 if lowest == EXCHANGE_3 and not s.options.ordo_skips_exchange_coin else 1


@kernel
def ordo_lower(s: State, seat: int) -> int:
    """Return where in hand the lower of Ordo's two coins is; of equal ones the bronze.

    Rule: ordo (p. 12).
    """
    coins = s.players[seat].coins
    first = ordo_first(s, seat)
    lower = COIN_VALUE[coins[first]] < COIN_VALUE[coins[first + 1]]
    equal = COIN_VALUE[coins[first]] == COIN_VALUE[coins[first + 1]]
    if lower or (equal and coins[first] != EXCHANGE_3):
        return first
    return first + 1


@kernel
def is_ordo_choice(s: State, seat: int) -> bool:
    """Return whether Ordo's two coins are different but of equal value.

    Rule: ordo (p. 12).
    """
    first = ordo_first(s, seat)
    coins = s.players[seat].coins
    return is_choice_of_coin(s, coins[first], coins[first + 1])


@kernel
def ordo(s: State, seat: int, place: int) -> None:
    """Replace the coin at `place` in hand, the lower, by the sum of the two lowest but the 0.

    Rule: ordo (p. 12).
    """
    coins = s.players[seat].coins
    first = ordo_first(s, seat)
    total = int(COIN_VALUE[coins[first]]) + int(COIN_VALUE[coins[first + 1]])
    replace_coin(s, seat, place, total)
    sort_coins(coins)
