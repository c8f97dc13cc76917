"""Whether a position is sound: invariants that play keeps and loaded positions must meet."""

from __future__ import annotations

from enum import IntFlag

import numpy as np

from dwarrow.envs.aquilon.cards import (
    ANY_COLUMN,
    COGNAR_COLUMN,
    DWARF_ERA,
    DWARF_FIVE,
    EXCHANGE_3,
    FIRST_GOLD,
    FIRST_MERCENARY,
    GOLD_STOCK,
    N_COGNARS,
    N_COINS,
    N_DWARFS,
    N_GOLD,
    N_ORDERS,
    N_RECRUITS,
    ZERO,
    Cognar,
    Order,
)
from dwarrow.envs.aquilon.layout import (
    HIGHEST_GEM,
    MAX_SEATS,
    N_ERAS,
    N_PLACES,
    N_SLOTS,
    N_TAVERNS,
    N_WANDERING,
    PURSE,
    Phase,
    State,
)
from dwarrow.envs.aquilon.rules.army import add_dwarf
from dwarrow.envs.aquilon.rules.bids import cards_per_tavern
from dwarrow.envs.aquilon.rules.cognars import add_cognar, recruits_owed
from dwarrow.envs.core.kernels import States, kernel
from dwarrow.envs.core.record import NONE


class Violation(IntFlag):
    """Bits of `violations`."""

    DWARF_CARD_TWICE_OR_MISSING = 1
    DWARF_CARD_NOT_OF_THIS_GAME = 2
    DECK_SIZE_DOES_NOT_FIT_THE_TURN = 4
    COINS_DO_NOT_ADD_UP = 8
    GEMS_ARE_NOT_THE_HIGHEST = 16
    COGNARS_ARE_MISPLACED = 32
    COUNTS_DO_NOT_MATCH_ARMY_AND_COGNARS = 64
    RECRUITS_DO_NOT_MATCH_LINES = 128
    NO_SUCH_SEAT_PHASE_OR_ORDER = 256
    TAVERNS_DO_NOT_FIT_THE_TURN = 512
    COIN_PLACES_ARE_MIXED_UP = 1024
    COVERED_POINTS_DO_NOT_FIT = 2048


# Kernels want plain numbers.
_DWARF_CARD_TWICE_OR_MISSING = int(Violation.DWARF_CARD_TWICE_OR_MISSING)
_DWARF_CARD_NOT_OF_THIS_GAME = int(Violation.DWARF_CARD_NOT_OF_THIS_GAME)
_DECK_SIZE_DOES_NOT_FIT_THE_TURN = int(Violation.DECK_SIZE_DOES_NOT_FIT_THE_TURN)
_COINS_DO_NOT_ADD_UP = int(Violation.COINS_DO_NOT_ADD_UP)
_GEMS_ARE_NOT_THE_HIGHEST = int(Violation.GEMS_ARE_NOT_THE_HIGHEST)
_COGNARS_ARE_MISPLACED = int(Violation.COGNARS_ARE_MISPLACED)
_COUNTS_DO_NOT_MATCH_ARMY_AND_COGNARS = int(Violation.COUNTS_DO_NOT_MATCH_ARMY_AND_COGNARS)
_RECRUITS_DO_NOT_MATCH_LINES = int(Violation.RECRUITS_DO_NOT_MATCH_LINES)
_NO_SUCH_SEAT_PHASE_OR_ORDER = int(Violation.NO_SUCH_SEAT_PHASE_OR_ORDER)
_TAVERNS_DO_NOT_FIT_THE_TURN = int(Violation.TAVERNS_DO_NOT_FIT_THE_TURN)
_COIN_PLACES_ARE_MIXED_UP = int(Violation.COIN_PLACES_ARE_MIXED_UP)
_COVERED_POINTS_DO_NOT_FIT = int(Violation.COVERED_POINTS_DO_NOT_FIT)


@kernel
def recount(s: State, seat: int) -> None:
    """Count ranks, points and symbols of a lord afresh from army and Cognars."""
    me = s.players[seat]
    for order in range(N_ORDERS):
        me.ranks[order] = 0
        me.points[order] = 0
    me.mercenary_points = 0
    me.command_points = 0
    me.malts = 0
    me.occults = 1  # printed on the board
    me.runes = 0
    me.unique_runes = 0
    for k in range(me.n_army):
        add_dwarf(me, me.army[k])
    for cognar in range(N_COGNARS):
        if s.holder[cognar] != seat:
            continue
        column = int(COGNAR_COLUMN[cognar])
        if column == ANY_COLUMN:
            column = int(s.column[cognar - FIRST_MERCENARY])
        if column != NONE:
            add_cognar(s, me, cognar, column)


@kernel
def is_in_game(s: State, card: int) -> bool:
    """Return whether a dwarf card plays with this number of lords.

    Rule: five_lords (p. 4).
    """
    return bool(s.n_seats == MAX_SEATS or not DWARF_FIVE[card])


@kernel
def dwarf_faults(s: State) -> int:
    """Return the bits of dwarf cards that are twice somewhere, missing or not of this game."""
    places = np.zeros(N_DWARFS, np.int16)
    bits = 0
    for era in range(N_ERAS):
        for k in range(s.decks[era].left):
            card = s.decks[era].cards[k]
            if not 0 <= card < N_DWARFS or DWARF_ERA[card] != era:
                return _DWARF_CARD_NOT_OF_THIS_GAME
            places[card] += 1
    for tavern in range(N_TAVERNS):
        for slot in range(N_SLOTS):
            card = s.taverns[tavern, slot]
            if card != NONE:
                places[card] += 1
    for seat in range(s.n_seats):
        for k in range(s.players[seat].n_army):
            card = s.players[seat].army[k]
            if not 0 <= card < N_DWARFS:
                return _DWARF_CARD_NOT_OF_THIS_GAME
            places[card] += 1
    missing = 0
    for card in range(N_DWARFS):
        if places[card] > 1:
            bits |= _DWARF_CARD_TWICE_OR_MISSING
        if places[card] and not is_in_game(s, card):
            bits |= _DWARF_CARD_NOT_OF_THIS_GAME
        if places[card] == 0 and is_in_game(s, card):
            missing += 1
    if missing != s.discarded:
        bits |= _DWARF_CARD_TWICE_OR_MISSING
    return bits


@kernel
def are_taverns_sound(s: State) -> bool:
    """Return whether the taverns hold what they should at this point of the turn."""
    n = cards_per_tavern(s)
    for tavern in range(N_TAVERNS):
        count = 0
        for slot in range(N_SLOTS):
            if s.taverns[tavern, slot] != NONE:
                count += 1
        if s.phase in (Phase.OVER, Phase.ORDO) or tavern < s.tavern:
            if count != 0:
                return False
        elif s.phase == Phase.BID or tavern > s.tavern:
            if count != n:
                return False
        elif s.phase == Phase.TAKE and count < 2:
            return False
    return True


@kernel
def is_deck_sound(s: State) -> bool:
    """Return whether the decks hold whole turns, and the odd card of Era 2."""
    a_turn = N_TAVERNS * cards_per_tavern(s)
    if s.era == 1 and s.decks[0].left != 0:
        return False
    if s.decks[0].left % a_turn != 0:
        return False
    odd = s.decks[1].left % a_turn
    return bool(odd == 0 or (odd == 1 and s.holder[Cognar.SVARA] == NONE) or is_svara_coming(s))


@kernel
def is_svara_coming(s: State) -> bool:
    """Return whether Svara stands but her card is not yet taken."""
    return bool(s.phase == Phase.SVARA and s.decks[1].left > 1)


@kernel
def coin_faults(s: State) -> int:
    """Return the bits of coins: each where it can be, gold as many as there are."""
    gold = np.zeros(N_GOLD, np.int16)
    bits = 0
    for seat in range(s.n_seats):
        me = s.players[seat]
        exchange_coins = 0
        for place in range(N_PLACES):
            coin = me.coins[place]
            if not 0 <= coin < N_COINS:
                return _COINS_DO_NOT_ADD_UP
            if coin >= FIRST_GOLD:
                gold[coin - FIRST_GOLD] += 1
            elif coin <= EXCHANGE_3:
                exchange_coins += 1
            for other in range(place):
                if coin < FIRST_GOLD and me.coins[other] == coin:
                    bits |= _COINS_DO_NOT_ADD_UP
            if coin == EXCHANGE_3 and s.holder[Cognar.KARDUM] != seat:
                bits |= _COINS_DO_NOT_ADD_UP
            if coin == ZERO and s.holder[Cognar.KARDUM] == seat:
                bits |= _COINS_DO_NOT_ADD_UP
        if exchange_coins > 1 or (exchange_coins == 0 and s.holder[Cognar.KARDUM] != seat):
            bits |= _COINS_DO_NOT_ADD_UP
        bits |= place_faults(s, seat)
    for k in range(N_GOLD):
        if s.treasury[k] < 0 or s.treasury[k] + gold[k] != GOLD_STOCK[k]:
            bits |= _COINS_DO_NOT_ADD_UP
    return bits


@kernel
def place_faults(s: State, seat: int) -> int:
    """Return the bit of coins that do not lie in the order of hand or purse."""
    me = s.players[seat]
    in_hand = s.phase in (Phase.OVER, Phase.ORDO) or (s.phase == Phase.BID and seat >= s.seat)
    for place in range(1, N_PLACES):
        before, after = me.coins[place - 1], me.coins[place]
        if not in_hand and (place <= PURSE or me.known[place - 1] != me.known[place]):
            continue
        if before > after:
            return _COIN_PLACES_ARE_MIXED_UP
    for place in range(N_PLACES):
        known = me.known[place]
        if known not in (0, 1) or (known and (in_hand or s.phase == Phase.BID)):
            return _COIN_PLACES_ARE_MIXED_UP
        revealed = s.phase != Phase.BID and place <= s.tavern and place < PURSE
        if revealed and not in_hand and not known:
            return _COIN_PLACES_ARE_MIXED_UP
    if not in_hand and me.known[PURSE] < me.known[PURSE + 1]:
        return _COIN_PLACES_ARE_MIXED_UP
    return 0


@kernel
def are_gems_sound(s: State) -> bool:
    """Return whether the lords have the highest gems, one each."""
    bits = 0
    for seat in range(s.n_seats):
        gem = s.players[seat].gem
        if not HIGHEST_GEM - s.n_seats < gem <= HIGHEST_GEM:
            return False
        bits |= 1 << gem
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count == s.n_seats


@kernel
def are_cognars_sound(s: State) -> bool:
    """Return whether every Cognar stands where it may."""
    for cognar in range(N_COGNARS):
        if not NONE <= s.holder[cognar] < s.n_seats:
            return False
    waits = s.phase == Phase.PLACE
    for k in range(N_WANDERING):
        stands = s.holder[FIRST_MERCENARY + k] != NONE
        if stands != (s.column[k] != NONE) or not NONE <= s.column[k] < N_ORDERS:
            return False
    if waits and s.chosen == NONE:
        return False
    if not waits and s.chosen != NONE:
        return False
    gaat_due = waits and s.chosen == Cognar.GAAT
    if gaat_due:
        return bool(s.holder[Cognar.OBERON] == s.seat and s.holder[Cognar.GAAT] == NONE)
    return bool(s.holder[Cognar.OBERON] == s.holder[Cognar.GAAT])


@kernel
def recruit_faults(s: State, seat: int) -> int:
    """Return the bit of Cognars that do not fit a lord's lines."""
    me = s.players[seat]
    count = 0
    for cognar in range(N_RECRUITS):
        if s.holder[cognar] == seat:
            count += 1
    if s.phase == Phase.PLACE and s.seat == seat and s.chosen != Cognar.GAAT:
        count += 1  # chosen, but not yet placed
    owed = recruits_owed(s, seat)
    busy = s.seat == seat and s.phase not in (Phase.BID, Phase.TAKE, Phase.ORDO)
    if (
        count != me.recruited
        or me.lost < 0
        or owed < 0
        or (owed > 0 and not busy and not waits_for_recruit(s))
    ):
        return _RECRUITS_DO_NOT_MATCH_LINES
    return 0


@kernel
def waits_for_recruit(s: State) -> bool:
    """Return whether recruits owed may be outstanding between turns.

    Ruling: R-6.
    """
    return bool(s.options.unfilled_recruit == 1)


@kernel
def covered_fault(s: State, seat: int) -> int:
    """Return the bit of covered points that do not fall or that no card can account for."""
    me = s.players[seat]
    bit = _COVERED_POINTS_DO_NOT_FIT
    for k in range(1, me.n_covered):
        if me.covered[k] > me.covered[k - 1]:
            return bit
    total = int(me.points[Order.WANDERERS]) + int(me.mercenary_points)
    cards = 0
    for k in range(me.n_covered):
        total -= int(me.covered[k])
        cards += 1
    return bit if total < 0 or cards > me.ranks[Order.WANDERERS] else 0


@kernel
def is_order_sound(s: State) -> bool:
    """Return whether seat, phase and order of the lords are possible."""
    if s.over:
        return bool(s.phase == Phase.OVER and s.seat == NONE)
    if not 0 <= s.seat < s.n_seats or s.phase == Phase.OVER or not 0 <= s.era < N_ERAS:
        return False
    if not 0 <= s.tavern < N_TAVERNS and s.phase != Phase.ORDO:
        return False
    if s.phase in (Phase.BID, Phase.ORDO):
        return True
    if not 0 <= s.at < s.n_seats or s.order[s.at] != s.seat:
        return False
    bits = 0
    for k in range(s.n_seats):
        if not 0 <= s.order[k] < s.n_seats:
            return False
        bits |= 1 << s.order[k]
    return bool(bits == (1 << s.n_seats) - 1)


@kernel
def count_faults(states: States, i: int) -> int:
    """Return the bit of counts kept in the record that differ from a fresh count."""
    fresh = states[i : i + 1].copy()
    s: State = states[i]
    for seat in range(s.n_seats):
        recount(fresh[0], seat)
        mine, other = s.players[seat], fresh[0].players[seat]
        same = mine.malts == other.malts and mine.occults == other.occults
        same = same and mine.runes == other.runes and mine.unique_runes == other.unique_runes
        same = same and mine.command_points == other.command_points
        same = same and mine.mercenary_points == other.mercenary_points
        for order in range(N_ORDERS):
            same = same and mine.ranks[order] == other.ranks[order]
            same = same and mine.points[order] == other.points[order]
        if not same:
            return _COUNTS_DO_NOT_MATCH_ARMY_AND_COGNARS
    return 0


@kernel
def violations(states: States, i: int) -> int:
    """Return the broken invariants as bits of `Violation`; 0 when the position is sound."""
    s: State = states[i]
    bits = dwarf_faults(s) | coin_faults(s)
    if not is_order_sound(s):
        return bits | _NO_SUCH_SEAT_PHASE_OR_ORDER
    if not are_cognars_sound(s):
        return bits | _COGNARS_ARE_MISPLACED
    if not are_gems_sound(s):
        bits |= _GEMS_ARE_NOT_THE_HIGHEST
    if not is_deck_sound(s):
        bits |= _DECK_SIZE_DOES_NOT_FIT_THE_TURN
    if not are_taverns_sound(s):
        bits |= _TAVERNS_DO_NOT_FIT_THE_TURN
    for seat in range(s.n_seats):
        bits |= recruit_faults(s, seat) | covered_fault(s, seat)
    return bits | count_faults(states, i)
