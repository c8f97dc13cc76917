"""What one seat may see: the observation, resampling of what it may not see, and events."""

from __future__ import annotations

from typing import Any

import numpy as np

from dwarrow.envs.aquilon.actions import N_ACTIONS, PICK, RECRUIT, UPGRADE
from dwarrow.envs.aquilon.cards import (
    COIN_VALUE,
    DWARF_KIND,
    DWARF_MALTS,
    DWARF_OCCULTS,
    DWARF_ORDER,
    DWARF_POINTS,
    DWARF_RUNE,
    GOLD_STOCK,
    MAX_RUNE_TYPES,
    N_DWARFS,
    N_GOLD,
    N_ORDERS,
    N_RECRUITS,
    Cognar,
    Order,
)
from dwarrow.envs.aquilon.layout import (
    HIGHEST_GEM,
    MAX_SEATS,
    MIN_SEATS,
    N_PLACES,
    N_SLOTS,
    N_TAVERNS,
    PURSE,
    SVARA_LOOKS_AT,
    Phase,
    State,
)
from dwarrow.envs.aquilon.rules.army import would_cover
from dwarrow.envs.aquilon.rules.cognars import recruits_owed, svara_cards
from dwarrow.envs.aquilon.rules.coins import has_exchange, sort_coins, sort_purse
from dwarrow.envs.aquilon.rules.turn import step
from dwarrow.envs.aquilon.scoring import bravery, coin_total, elites, has, runes, tokens_removed
from dwarrow.envs.core.kernels import Floats, States, kernel
from dwarrow.envs.core.observation import Observation
from dwarrow.envs.core.record import NONE, Ints, Stream
from dwarrow.envs.core.rng import mix, random_below, shuffle

N_PHASES = len(Phase) - 1
N_CARD = N_ORDERS + 4

OBSERVATION = Observation(
    ("phase", (N_PHASES,), "what is decided, one-hot: bid, take, upgrade, discard, recruit, place, "
     "svara, derdhr, exchange, ordo"),
    ("lords", (MAX_SEATS - MIN_SEATS + 1,), "lords at the table, one-hot: 2, 3, 4, 5"),
    ("era", (1,), "0 in Era 1, 1 in Era 2"),
    ("turn", (1,), "turn of the era, from 0", 4.0),
    ("tavern", (N_TAVERNS,), "tavern being resolved, one-hot; all 0 during bids"),
    ("to_move", (MAX_SEATS,), "who decides, one-hot"),
    ("treasury", (N_GOLD,), "share of each gold coin, 5 to 25, still in the treasury"),
    ("taverns", (N_TAVERNS * N_SLOTS, N_CARD), "cards by tavern and slot: Order one-hot, points / "
     "13, Malts, Occults, and 1 unless the rune or the Wanderers points would count for nothing "
     "with the observer"),
    ("svara", (SVARA_LOOKS_AT, N_CARD), "the cards that the observer looks at, as in taverns"),
    ("recruits", (N_RECRUITS,), "Cognars still on the card holder, in the order of the actions"),
    ("own_runes", (MAX_RUNE_TYPES,), "runes on the observer's dwarfs"),
    ("own_known", (N_PLACES,), "places whose coin the other lords know"),
    ("gem", (MAX_SEATS,), "gem; 0 for an empty seat", 5.0),
    ("coins", (MAX_SEATS, N_PLACES), "the five coins, exchange coin first, then rising", 25.0),
    ("places", (MAX_SEATS, N_PLACES), "coin at taverns 0, 1, 2 and in the purse; -1 where the "
     "observer does not know it or nothing lies", 25.0),
    ("order", (MAX_SEATS,), "place in the order of the tavern, first 1, falling; 0 who has played"),
    ("ranks", (MAX_SEATS, N_ORDERS), "ranks by column", 6.0),
    ("points", (MAX_SEATS, N_ORDERS), "points by column, without mercenaries", 50.0),
    ("covered", (MAX_SEATS,), "Wanderers points covered by Pariah tokens", 20.0),
    ("symbols", (MAX_SEATS, 3), "Malts / 10, Occults / 4, different runes / 6"),
    ("recruited", (MAX_SEATS,), "Cognars recruited", 6.0),
    ("owed", (MAX_SEATS,), "recruits owed", 2.0),
    ("cognars", (MAX_SEATS, 8), "Abokar, Tiss, Jorun, Gurdan, Borogam, Liquor Certification; "
     "tokens to remove / 3; Elites / 5"),
    ("coin_total", (MAX_SEATS,), "value of the five coins", 50.0),
    ("score", (MAX_SEATS,), "Bravery Value now", 200.0),
)  # fmt: skip

_PHASE, _LORDS, _ERA, _TURN = map(OBSERVATION.at, ("phase", "lords", "era", "turn"))
_TAVERN, _TO_MOVE, _TREASURY = map(OBSERVATION.at, ("tavern", "to_move", "treasury"))
_TAVERNS, _SVARA, _RECRUITS = map(OBSERVATION.at, ("taverns", "svara", "recruits"))
_OWN_RUNES, _OWN_KNOWN, _GEM = map(OBSERVATION.at, ("own_runes", "own_known", "gem"))
_COINS, _PLACES, _ORDER = map(OBSERVATION.at, ("coins", "places", "order"))
_RANKS, _POINTS, _COVERED = map(OBSERVATION.at, ("ranks", "points", "covered"))
_SYMBOLS, _RECRUITED, _OWED = map(OBSERVATION.at, ("symbols", "recruited", "owed"))
_COGNARS, _COIN_TOTAL, _SCORE = map(OBSERVATION.at, ("cognars", "coin_total", "score"))
_SHOWN_COGNARS = (
    Cognar.ABOKAR,
    Cognar.TISS,
    Cognar.JORUN,
    Cognar.GURDAN,
    Cognar.BOROGAM,
    Cognar.LIQUOR_CERTIFICATION,
)
_N_SHOWN = len(_SHOWN_COGNARS)


@kernel
def observe_card(s: State, seat: int, card: int, out: Floats, at: int) -> None:
    """Write a card's features into `out` from `at` on."""
    order = DWARF_ORDER[card]
    out[at + order] = 1
    out[at + N_ORDERS] = DWARF_POINTS[card] / 13
    out[at + N_ORDERS + 1] = DWARF_MALTS[card]
    out[at + N_ORDERS + 2] = DWARF_OCCULTS[card]
    idle = order == Order.WANDERERS and would_cover(s, seat, int(DWARF_POINTS[card]))
    if DWARF_RUNE[card] != NONE and s.players[seat].runes >> int(DWARF_RUNE[card]) & 1:
        idle = True
    if not idle:
        out[at + N_ORDERS + 3] = 1


@kernel
def observe_table(s: State, seat: int, out: Floats) -> None:
    """Write what lies in the middle of the table, and Svara's cards to who looks at them."""
    if s.over:
        out[_LORDS + s.n_seats - MIN_SEATS] = 1
        return
    out[_PHASE + s.phase] = 1
    out[_LORDS + s.n_seats - MIN_SEATS] = 1
    out[_ERA] = s.era
    out[_TURN] = s.turn / 4
    if s.phase not in (Phase.BID, Phase.ORDO):
        out[_TAVERN + s.tavern] = 1
    out[_TO_MOVE + (s.seat - seat + s.n_seats) % s.n_seats] = 1
    for k in range(N_GOLD):
        out[_TREASURY + k] = s.treasury[k] / GOLD_STOCK[k]
    for k in range(N_RECRUITS):
        if s.holder[k] == NONE:
            out[_RECRUITS + k] = 1
    for tavern in range(N_TAVERNS):
        for slot in range(N_SLOTS):
            card = s.taverns[tavern, slot]
            if card != NONE:
                at = _TAVERNS + (tavern * N_SLOTS + slot) * N_CARD
                observe_card(s, seat, card, out, at)
    if s.phase == Phase.SVARA and s.seat == seat:
        deck = s.decks[1]
        for k in range(svara_cards(s)):
            card = deck.cards[deck.left - 1 - k]
            observe_card(s, seat, card, out, _SVARA + k * N_CARD)


@kernel
def observe_coins(s: State, seat: int, other: int, k: int, out: Floats, hand: Ints) -> None:
    """Write the coins of `other`, who sits `k` after the observer `seat`; `hand` is work space."""
    them = s.players[other]
    for place in range(N_PLACES):
        hand[place] = them.coins[place]
    sort_coins(hand)
    at = k * N_PLACES
    placed = s.phase != Phase.BID or other < s.seat
    if s.phase in (Phase.ORDO, Phase.OVER):
        placed = False
    for place in range(N_PLACES):
        out[_COINS + at + place] = COIN_VALUE[hand[place]] / 25
        seen_ = placed and (other == seat or them.known[place])
        out[_PLACES + at + place] = COIN_VALUE[them.coins[place]] / 25 if seen_ else -1


@kernel
def observe_lord(s: State, other: int, k: int, out: Floats) -> None:
    """Write army and Command zone of `other`, who sits `k` after the observer."""
    them = s.players[other]
    out[_GEM + k] = them.gem / HIGHEST_GEM
    for order in range(N_ORDERS):
        out[_RANKS + k * N_ORDERS + order] = them.ranks[order] / 6
        out[_POINTS + k * N_ORDERS + order] = them.points[order] / 50
    covered = 0
    for j in range(them.n_covered):
        covered += int(them.covered[j])
    out[_COVERED + k] = covered / 20
    out[_SYMBOLS + k * 3] = them.malts / 10
    out[_SYMBOLS + k * 3 + 1] = them.occults / 4
    out[_SYMBOLS + k * 3 + 2] = runes(s, other) / 6
    out[_RECRUITED + k] = them.recruited / 6
    out[_OWED + k] = recruits_owed(s, other) / 2
    at = _COGNARS + k * (_N_SHOWN + 2)
    for j in range(_N_SHOWN):
        if has(s, other, _SHOWN_COGNARS[j]):
            out[at + j] = 1
    out[at + _N_SHOWN] = tokens_removed(s, other) / 3
    out[at + _N_SHOWN + 1] = elites(s, other) / 5
    out[_COIN_TOTAL + k] = coin_total(s, other) / 50
    out[_SCORE + k] = bravery(s, other) / 200


@kernel
def observe(states: States, i: int, seat: int, out: Floats) -> None:
    """Write what `seat` may see into the zeroed `out`; seats count from the observer."""
    s: State = states[i]
    n = s.n_seats
    observe_table(s, seat, out)
    me = s.players[seat]
    for rune in range(MAX_RUNE_TYPES):
        out[_OWN_RUNES + rune] = int(me.runes) >> rune & 1
    for place in range(N_PLACES):
        out[_OWN_KNOWN + place] = me.known[place]
    hand = np.empty(N_PLACES, np.int16)
    for k in range(n):
        other = (seat + k) % n
        observe_coins(s, seat, other, k, out, hand)
        observe_lord(s, other, k, out)
    if not s.over and s.phase not in (Phase.BID, Phase.ORDO):
        for k in range(s.at, n):
            out[_ORDER + (s.order[k] - seat + n) % n] = (n - k) / n


# What a seat may not see


@kernel
def sort_unknown(me: Any) -> None:
    """Put a lord's unknown coins in rising order, so that where they lay plays no part."""
    for place in range(1, N_PLACES):
        if me.known[place]:
            continue
        at = place
        for k in range(place - 1, -1, -1):
            if me.known[k]:
                continue
            if me.coins[k] <= me.coins[at]:
                break
            me.coins[k], me.coins[at] = me.coins[at], me.coins[k]
            at = k


@kernel
def redraw_bid(s: State, me: Any) -> None:
    """Lay a lord's unknown coins anew: every placement that fits what is known is as likely.

    Shuffling the unknown places counts a placement twice if its purse holds two different unknown
    coins, whose order means nothing; half of these draws are made again.
    """
    sort_unknown(me)
    while True:
        for place in range(N_PLACES - 1, 0, -1):
            if me.known[place]:
                continue
            # choose among the unknown places up to this one
            others = 0
            for k in range(place + 1):
                if not me.known[k]:
                    others += 1
            j = random_below(s, Stream.SETUP, others)
            for k in range(place + 1):
                if not me.known[k]:
                    if j == 0:
                        me.coins[k], me.coins[place] = me.coins[place], me.coins[k]
                        break
                    j -= 1
        if me.known[PURSE] or me.known[PURSE + 1] or me.coins[PURSE] == me.coins[PURSE + 1]:
            break
        if random_below(s, Stream.SETUP, 2) == 0:
            break
    sort_purse(me)


@kernel
def sort_cards(cards: Ints, n: int) -> None:
    """Put the first `n` cards in rising order, so that their true order plays no part."""
    there = np.zeros(N_DWARFS, np.int8)
    for k in range(n):
        there[cards[k]] = 1
    at = 0
    for card in range(N_DWARFS):
        if there[card]:
            cards[at] = card
            at += 1


@kernel
def resample(states: States, i: int, seat: int) -> None:
    """Redraw what `seat` cannot know: others' hidden coins, the order of the decks.

    Svara's five cards are known to her lord alone.
    """
    s: State = states[i]
    if s.phase not in (Phase.ORDO, Phase.OVER):
        for other in range(s.n_seats):
            if other != seat and (s.phase != Phase.BID or other < s.seat):
                redraw_bid(s, s.players[other])
    for era in range(2):
        deck = s.decks[era]
        hidden = int(deck.left)
        if era == 1 and s.phase == Phase.SVARA and s.seat == seat:
            hidden -= svara_cards(s)
        sort_cards(deck.cards, hidden)
        shuffle(s, Stream.SETUP, deck.cards, hidden)


# Events

_N_PLAIN_EVENTS = N_ACTIONS + 1 + N_DWARFS * (SVARA_LOOKS_AT + 1)


@kernel
def may_show_coins(s: State, action: int) -> bool:
    """Return whether an action may lead to a look at coins before the next decision."""
    if s.phase in (Phase.UPGRADE, Phase.DERDHR, Phase.EXCHANGE, Phase.ORDO):
        return True
    if action == RECRUIT + Cognar.KARDUM or has_exchange(s, s.seat):
        return True
    # the last card of a tavern is taken without a decision, then the next coins are revealed
    return bool(s.at + 2 >= s.n_seats)


@kernel
def known_coins(s: State) -> np.uint64:
    """Return a hash of everything that every lord knows about coins."""
    word = np.uint64(0)
    for seat in range(s.n_seats):
        me = s.players[seat]
        pool = np.uint64(0)
        for place in range(N_PLACES):
            coin = np.uint64(me.coins[place] + 1)
            pool += mix(coin)  # a sum: which coins, not where
            shown = coin if me.known[place] else np.uint64(0)
            word = mix(word ^ shown)
        word = mix(word ^ pool)
    return word


@kernel
def seen(states: States, i: int, action: int, actor: int, seat: int) -> int:
    """Return what `seat` will see of `action`, asked before `step`.

    0: only that a bid was laid. Else the action, a card that Svara fetches, and the coins that come
    to light before the next decision.
    """
    s: State = states[i]
    event = action + 1
    if s.phase == Phase.BID:
        if actor + 1 < s.n_seats:
            return event if actor == seat else 0
        if actor != seat:
            event = 0
    elif UPGRADE + PURSE <= action < UPGRADE + N_PLACES and actor != seat:
        # which of the two in the purse is known by its value, if at all: their numbers tell more
        event = UPGRADE + PURSE + 1
    elif s.phase == Phase.SVARA:
        deck = s.decks[1]
        kind = int(DWARF_KIND[deck.cards[deck.left - 1 - (action - PICK)]])
        # others see the card, its lord also which of two alike
        event = N_ACTIONS + 1 + kind
        if actor == seat:
            event += N_DWARFS * (1 + action - PICK)
    if s.phase != Phase.BID and not may_show_coins(s, action):
        return event
    after = states[i : i + 1].copy()
    step(after, 0, action)
    word = mix(known_coins(after[0]) ^ np.uint64(event))
    # beyond the numbers of plain events
    return int(np.int64(word >> np.uint64(2))) + _N_PLAIN_EVENTS
