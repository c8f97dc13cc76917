"""The course of play: whose turn it is, what must be decided, and the entry kernels."""

from __future__ import annotations

from dwarrow.envs.aquilon import actions
from dwarrow.envs.aquilon.actions import CANONICAL_BIDS, N_BIDS, N_CANONICAL_BIDS
from dwarrow.envs.aquilon.cards import DERDHR_UPGRADE, N_ORDERS, N_RECRUITS, Cognar
from dwarrow.envs.aquilon.layout import (
    MIN_SEATS,
    N_PLACES,
    N_SLOTS,
    N_TAVERNS,
    PURSE,
    WAITS,
    Phase,
    State,
)
from dwarrow.envs.aquilon.rules.army import place_dwarf
from dwarrow.envs.aquilon.rules.bids import (
    alike_coins,
    bid,
    coins_back,
    dwarves_enter,
    exchange_gems,
    reveal_bids,
)
from dwarrow.envs.aquilon.rules.cognars import (
    can_recruit,
    may_recruit,
    may_recruit_mercenary,
    pick,
    place_chosen,
    recruit,
    recruits_owed,
    svara_cards,
)
from dwarrow.envs.aquilon.rules.coins import (
    exchange_coins,
    has_exchange,
    higher_purse_place,
    is_choice_of_coin,
    may_upgrade,
    reveal_purse,
    upgrade,
)
from dwarrow.envs.aquilon.rules.eras import (
    evaluate_orders,
    is_ordo_choice,
    ordo,
    ordo_first,
    ordo_lower,
)
from dwarrow.envs.core.kernels import Mask, States, kernel
from dwarrow.envs.core.record import NONE


@kernel
def cards_left(s: State) -> int:
    """Return how many cards the tavern being resolved still holds."""
    count = 0
    for slot in range(N_SLOTS):
        if s.taverns[s.tavern, slot] != NONE:
            count += 1
    return count


@kernel
def may_take(s: State, slot: int) -> bool:
    """Return whether there is a card in this slot of the tavern.

    Rule: placing_a_dwarf (p. 9).
    """
    return bool(s.taverns[s.tavern, slot] != NONE)


@kernel
def take(s: State, seat: int, slot: int) -> bool:
    """Take a card of the tavern; return whether a purse coin must be chosen for an upgrade.

    Rule: placing_a_dwarf (p. 9).
    """
    card = s.taverns[s.tavern, slot]
    s.taverns[s.tavern, slot] = NONE
    place_dwarf(s, seat, card)
    return bool(s.phase == Phase.UPGRADE)


@kernel
def is_discard_due(s: State) -> bool:
    """Return whether the first of two lords still has to discard in the second tavern.

    Rule: two_lords (p. 4).
    Ruling: T-2.
    """
    return bool(s.n_seats == MIN_SEATS and s.tavern == 1 and s.at == 0 and cards_left(s) == 2)


@kernel
def discard(s: State, slot: int) -> None:
    """Discard a card of the tavern, out of the game.

    Rule: two_lords (p. 4).
    """
    s.taverns[s.tavern, slot] = NONE
    s.discarded += 1


@kernel
def must_recruit(s: State, seat: int) -> bool:
    """Return whether the lord must recruit now; a recruit nobody is eligible for is lost.

    Rule: recruiting (p. 9).
    Ruling: R-6.
    """
    if recruits_owed(s, seat) == 0:
        return False
    if can_recruit(s, seat):
        return True
    if s.options.unfilled_recruit != WAITS:
        s.players[seat].lost += recruits_owed(s, seat)
    return False


@kernel
def is_decision_left(s: State) -> bool:
    """Finish the active lord's turn as far as nothing must be decided; return whether it must.

    Rule: active_lords_turn (p. 9).
    Ruling: R-2.
    """
    seat = s.seat
    if is_discard_due(s):
        s.phase = Phase.DISCARD
        return True
    if must_recruit(s, seat):
        s.phase = Phase.RECRUIT
        return True
    s.chain = 0
    if has_exchange(s, seat):
        reveal_purse(s, seat)
        coins = s.players[seat].coins
        if is_choice_of_coin(s, coins[PURSE], coins[PURSE + 1]):
            s.phase = Phase.EXCHANGE
            return True
        exchange_coins(s, seat, higher_purse_place(s, seat))
    return False


@kernel
def close_tavern(s: State) -> None:
    """Discard what two lords left, exchange gems, go on to the next tavern.

    Rule: two_lords (p. 4), gem_exchange (p. 10).
    """
    for slot in range(N_SLOTS):
        if may_take(s, slot):
            discard(s, slot)
    exchange_gems(s)
    s.tavern += 1


@kernel
def end_turn(s: State) -> bool:
    """Take coins back; at the end of an era evaluate the Orders or end the game.

    Return whether Ordo's holder must choose a coin before the next turn.

    Rule: end_of_era_1 (p. 12), end_of_game (p. 13).
    """
    coins_back(s)
    s.turn += 1
    if s.era == 1 and s.decks[1].left <= 1:
        s.over = 1
        s.phase = Phase.OVER
        s.seat = NONE
        s.tavern = 0
        s.at = 0
        return False
    if s.era == 0 and s.decks[0].left == 0:
        s.era = 1
        s.turn = 0
        evaluate_orders(s)
        holder = s.holder[Cognar.ORDO]
        if holder != NONE:
            if is_ordo_choice(s, holder):
                s.phase = Phase.ORDO
                s.seat = holder
                return True
            ordo(s, holder, ordo_lower(s, holder))
    return False


@kernel
def pass_turn(s: State) -> bool:
    """Give the turn to the next lord, tavern or game turn; return whether a decision is due.

    The last card of a tavern is no choice: its lord takes it at once.

    Rule: active_lords_turn (p. 9).
    """
    s.at += 1
    if s.at == s.n_seats:
        close_tavern(s)
        if s.tavern == N_TAVERNS:
            if not end_turn(s) and not s.over:
                dwarves_enter(s)
            return True
        reveal_bids(s)
    s.seat = s.order[s.at]
    s.phase = Phase.TAKE
    if cards_left(s) > 1:
        return True
    for slot in range(N_SLOTS):
        if may_take(s, slot):
            return take(s, s.seat, slot)
    return False


@kernel
def play_on(s: State) -> None:
    """Go on until a lord must decide something, or the game is over."""
    while not is_decision_left(s):
        if pass_turn(s):
            return


@kernel
def bid_and_reveal(s: State, action: int) -> None:
    """Lay a bid; after the last one open the first tavern.

    Rule: bids (p. 8), revealing_bids (p. 8).
    """
    bid(s, s.seat, action - actions.BID)
    if s.seat + 1 < s.n_seats:
        s.seat += 1
        return
    reveal_bids(s)
    s.seat = s.order[0]
    s.phase = Phase.TAKE


@kernel
def step(states: States, i: int, action: int) -> bool:
    """Play a legal action; return whether the game is over."""
    s: State = states[i]
    s.decision += 1
    seat, phase = s.seat, s.phase
    if phase == Phase.BID:
        bid_and_reveal(s, action)
        return False
    asked = False  # something more to decide before the turn goes on
    if phase == Phase.TAKE:
        asked = take(s, seat, action - actions.TAKE)
    elif phase == Phase.UPGRADE:
        upgrade(s, seat, action - actions.UPGRADE, 1)
    elif phase == Phase.DISCARD:
        discard(s, action - actions.DISCARD)
    elif phase == Phase.RECRUIT:
        asked = recruit(s, seat, action - actions.RECRUIT)
    elif phase == Phase.PLACE:
        place_chosen(s, seat, action - actions.PLACE)
    elif phase == Phase.SVARA:
        asked = pick(s, seat, action - actions.PICK)
    elif phase == Phase.DERDHR:
        upgrade(s, seat, action - actions.UPGRADE, DERDHR_UPGRADE)
    elif phase == Phase.EXCHANGE:
        exchange_coins(s, seat, PURSE + action - actions.GIVE_UP)
        asked = pass_turn(s)
    else:
        ordo(s, seat, ordo_first(s, seat) + action - actions.GIVE_UP)
        dwarves_enter(s)
        asked = True
    if not asked:
        play_on(s)
    return bool(s.over)


@kernel
def legal(states: States, i: int, mask: Mask) -> int:
    """Write 0/1 into `mask` for every action; return how many are legal."""
    s: State = states[i]
    mask[:] = 0
    if s.over:
        return 0
    seat, phase, n = s.seat, s.phase, 0
    if phase == Phase.BID:
        alike = alike_coins(s, seat)
        for k in range(N_BIDS):
            mask[actions.BID + k] = CANONICAL_BIDS[alike, k]
        return int(N_CANONICAL_BIDS[alike])
    if phase in (Phase.TAKE, Phase.DISCARD):
        first = actions.TAKE if phase == Phase.TAKE else actions.DISCARD
        for slot in range(N_SLOTS):
            if may_take(s, slot):
                mask[first + slot] = 1
                n += 1
    elif phase == Phase.RECRUIT:
        mercenaries = may_recruit_mercenary(s, seat)
        for cognar in range(N_RECRUITS):
            if may_recruit(s, cognar, mercenaries):
                mask[actions.RECRUIT + cognar] = 1
                n += 1
    elif phase in (Phase.UPGRADE, Phase.DERDHR):
        for place in range(PURSE if phase == Phase.UPGRADE else 0, N_PLACES):
            if may_upgrade(s, seat, place):
                mask[actions.UPGRADE + place] = 1
                n += 1
    else:
        first, count = actions.GIVE_UP, 2
        if phase == Phase.PLACE:
            first, count = actions.PLACE, N_ORDERS
        elif phase == Phase.SVARA:
            first, count = actions.PICK, svara_cards(s)
        for k in range(count):
            mask[first + k] = 1
        n = count
    return n
