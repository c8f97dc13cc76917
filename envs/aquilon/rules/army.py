"""The army: placing dwarfs with the effects of their Orders, ranks, lines, Pariah tokens."""

from __future__ import annotations

from typing import Any

from dwarrow.envs.aquilon.cards import (
    COGNAR_POINTS,
    DWARF_MALTS,
    DWARF_OCCULTS,
    DWARF_ORDER,
    DWARF_POINTS,
    DWARF_RUNE,
    FIRST_MERCENARY,
    GAAT_POINTS,
    N_MERCENARIES,
    N_ORDERS,
    Cognar,
    Order,
)
from dwarrow.envs.aquilon.layout import Pariah, Phase, State
from dwarrow.envs.aquilon.rules.coins import may_upgrade, upgrade
from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.record import NONE


@kernel
def lines(s: State, seat: int) -> int:
    """Return how many lines of one rank of each Order an army holds.

    Rule: lines (p. 9).
    """
    ranks = s.players[seat].ranks
    fewest = ranks[0]
    for order in range(1, N_ORDERS):
        fewest = min(fewest, ranks[order])
    return int(fewest)


@kernel
def add_dwarf(me: Any, card: int) -> None:
    """Count a dwarf's rank, points and symbols for a lord."""
    order = DWARF_ORDER[card]
    me.ranks[order] += 1
    me.points[order] += DWARF_POINTS[card]
    me.malts += DWARF_MALTS[card]
    me.occults += DWARF_OCCULTS[card]
    if DWARF_RUNE[card] != NONE:
        me.runes |= 1 << DWARF_RUNE[card]


@kernel
def is_in_wanderers(s: State, seat: int, points: int, dwarfs_only: bool) -> bool:
    """Return whether the Wanderers column holds a card of these points.

    Rule: pariah_token (p. 7).
    """
    me = s.players[seat]
    for k in range(me.n_army):
        card = me.army[k]
        if DWARF_ORDER[card] == Order.WANDERERS and DWARF_POINTS[card] == points:
            return True
    if dwarfs_only:
        return False
    for cognar in (Cognar.OOSRAM, Cognar.DROH):
        if s.holder[cognar] == seat and COGNAR_POINTS[cognar] == points:
            return True
    for k in range(N_MERCENARIES + 1):
        cognar_ = FIRST_MERCENARY + k
        if s.holder[cognar_] != seat or s.column[k] != Order.WANDERERS:
            continue
        worth = COGNAR_POINTS[cognar_] if k < N_MERCENARIES else GAAT_POINTS[Order.WANDERERS]
        if worth == points:
            return True
    return False


@kernel
def would_cover(s: State, seat: int, points: int) -> bool:
    """Return whether a Wanderers dwarf of these points would bring a lord a Pariah token.

    Rule: pariah_token (p. 7).
    Ruling: S-3.
    """
    return bool(is_in_wanderers(s, seat, points, s.options.pariah_scope == Pariah.DWARFS))


@kernel
def cover(me: Any, points: int) -> None:
    """Put a Pariah token on a card of these points; the list of covered points falls.

    Rule: pariah_token (p. 7).
    """
    k = me.n_covered
    while k > 0 and me.covered[k - 1] < points:
        me.covered[k] = me.covered[k - 1]
        k -= 1
    me.covered[k] = points
    me.n_covered += 1


@kernel
def check_pariah(s: State, seat: int, points: int, is_dwarf: bool, is_of_order: bool) -> None:
    """Cover the Wanderers card about to be placed if the column holds one of equal points.

    Rule: pariah_token (p. 7).
    Ruling: S-3.
    """
    scope = s.options.pariah_scope
    if scope == Pariah.DWARFS and not is_dwarf:
        return
    if scope == Pariah.LETTER and not is_of_order:
        return
    if would_cover(s, seat, points):
        cover(s.players[seat], points)


@kernel
def place_dwarf(s: State, seat: int, card: int) -> None:
    """Place a dwarf in its column and carry out the effect of its Order.

    If a purse coin must be chosen for a Talion upgrade, the phase says so afterwards.

    Rule: placing_a_dwarf (p. 9).
    """
    me = s.players[seat]
    order = DWARF_ORDER[card]
    if order == Order.WANDERERS:
        check_pariah(s, seat, int(DWARF_POINTS[card]), True, True)
    me.army[me.n_army] = card
    me.n_army += 1
    add_dwarf(me, card)
    if order == Order.TALION:
        talion_upgrade(s, seat)


@kernel
def talion_upgrade(s: State, seat: int) -> None:
    """Raise the coin of the tavern by 1; if it may not be raised, ask for a purse coin.

    Rule: talion_upgrade (p. 7).
    """
    if may_upgrade(s, seat, s.tavern):
        upgrade(s, seat, s.tavern, 1)
    else:
        s.phase = Phase.UPGRADE
