"""What follows from a position given in part: counts, treasury, decks, order of the lords."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dwarrow.envs.aquilon.cards import (
    DWARF_ERA,
    DWARF_FIVE,
    DWARF_ORDER,
    DWARF_POINTS,
    ERA_1_CARDS,
    ERA_1_FIVE,
    FIRST_GOLD,
    GOLD_STOCK,
    N_DWARFS,
    N_GOLD,
    N_RECRUITS,
    Cognar,
    Order,
)
from dwarrow.envs.aquilon.layout import MAX_SEATS, N_ERAS, N_TAVERNS, PURSE, Phase, State
from dwarrow.envs.aquilon.rules.army import check_pariah, lines
from dwarrow.envs.aquilon.rules.bids import cards_per_tavern, reveal_bids
from dwarrow.envs.aquilon.rules.coins import sort_coins
from dwarrow.envs.aquilon.soundness import recount
from dwarrow.envs.core.kernels import States, kernel
from dwarrow.envs.core.record import NONE


@kernel
def recount_all(states: States, i: int) -> None:
    """Count every lord's army afresh."""
    s: State = states[i]
    for seat in range(s.n_seats):
        recount(s, seat)


@kernel
def open_first_tavern(states: States, i: int) -> None:
    """Reveal the bids of the tavern of a position that gives coins by place."""
    s: State = states[i]
    tavern = s.tavern
    for seat in range(s.n_seats):
        me = s.players[seat]
        if me.known[PURSE] == me.known[PURSE + 1] and me.coins[PURSE] > me.coins[PURSE + 1]:
            me.coins[PURSE], me.coins[PURSE + 1] = me.coins[PURSE + 1], me.coins[PURSE]
    for earlier in range(tavern + 1):
        s.tavern = earlier
        reveal_bids(s)


@kernel
def cover_equals(states: States, i: int, seat: int) -> None:
    """Lay the Pariah tokens that placing the army in the order given would have laid."""
    s: State = states[i]
    me = s.players[seat]
    count = me.n_army
    for k in range(count):
        if DWARF_ORDER[me.army[k]] == Order.WANDERERS:
            me.n_army = k
            check_pariah(s, seat, int(DWARF_POINTS[me.army[k]]), True, True)
    me.n_army = count


@kernel
def hand_sorted(states: States, i: int, first: int) -> None:
    """Sort the coins of every seat from `first` on: they are in hand."""
    s: State = states[i]
    for seat in range(first, s.n_seats):
        sort_coins(s.players[seat].coins)


@kernel
def owed_nothing(states: States, i: int, seat: int) -> None:
    """Set what a lord has recruited, and count lines beyond that as lost."""
    s: State = states[i]
    me = s.players[seat]
    me.recruited = 0
    for cognar in range(N_RECRUITS):
        if s.holder[cognar] == seat:
            me.recruited += 1
    me.lost = max(0, lines(s, seat) - int(me.recruited))


def complete(states: States, i: int, given: Mapping[str, Any]) -> None:
    """Derive what follows from a position given in part.

    Armies and Cognars decide ranks, points, symbols; hands decide the treasury; cards given to
    armies and taverns leave decks and taverns, which are refilled from what is left; coins by place
    decide the order of the lords.
    """
    s = states[i]
    n = int(s["n_seats"])
    players = given.get("players", {})
    by_seat: dict[int, Mapping[str, Any]] = (
        {int(k): v for k, v in players.items()}
        if isinstance(players, Mapping)
        else dict(enumerate(players))
    )
    if "phase" not in given and int(s["over"]):
        s["phase"] = Phase.OVER
    if s["phase"] == Phase.OVER:
        s["over"], s["seat"], s["tavern"], s["at"] = 1, NONE, 0, 0
    _complete_cards(s, given, by_seat)
    recount_all(states, i)
    for seat in range(n):
        mine = by_seat.get(seat, {})
        if "army" in mine and "covered" not in mine:
            cover_equals(states, i, seat)
        if "recruited" not in mine and "lost" not in mine and s["phase"] != Phase.RECRUIT:
            owed_nothing(states, i, seat)
    if "treasury" not in given:
        _complete_treasury(s)
    phase = int(s["phase"])
    if phase in (Phase.BID, Phase.ORDO, Phase.OVER):
        hand_sorted(states, i, int(s["seat"]) if phase == Phase.BID else 0)
    elif "order" not in given:
        at = int(s["at"])
        open_first_tavern(states, i)
        s["at"] = at
        s["seat"] = s["order"][at]


def _complete_treasury(s: Any) -> None:
    for k in range(N_GOLD):
        held = sum(
            int((s["players"][seat]["coins"] == FIRST_GOLD + k).sum())
            for seat in range(int(s["n_seats"]))
        )
        s["treasury"][k] = GOLD_STOCK[k] - held


def _complete_cards(
    s: Any, given: Mapping[str, Any], by_seat: Mapping[int, Mapping[str, Any]]
) -> None:
    """Take cards given to armies or taverns out of decks and other taverns, and refill those."""
    if "decks" in given:
        return
    n = int(s["n_seats"])
    five = n == MAX_SEATS
    used = {
        int(card)
        for seat in range(n)
        for card in s["players"][seat]["army"][: int(s["players"][seat]["n_army"])]
    }
    if "taverns" in given:
        used |= {int(card) for card in s["taverns"].ravel() if card != NONE}
    else:
        _refill_taverns(s, used)
    present = {int(card) for card in s["taverns"].ravel() if card != NONE} | used
    all_cards = [c for c in range(N_DWARFS) if five or not DWARF_FIVE[c]]
    a_turn = N_TAVERNS * int(cards_per_tavern(s))
    for era in range(N_ERAS):
        deck = s["decks"][era]
        old = [int(card) for card in deck["cards"][: int(deck["left"])]]
        # what was on top stays on top
        spare = [c for c in all_cards if DWARF_ERA[c] == era and c not in present and c not in old]
        spare += [c for c in old if c not in present]
        size = _deck_size(s, era, len(spare), a_turn)
        deck["cards"][:] = NONE
        deck["cards"][:size] = spare[len(spare) - size :]
        deck["left"] = size
        present |= {int(card) for card in deck["cards"][:size]}
    s["discarded"] = len(set(all_cards) - present)


def _deck_size(s: Any, era: int, spare: int, a_turn: int) -> int:
    """Return the size of a deck at this turn: whole turns as far as cards go, and the odd card."""
    cards = ERA_1_CARDS + (ERA_1_FIVE if int(s["n_seats"]) == MAX_SEATS else 0)
    turns = cards // a_turn
    if int(s["era"]) > era:
        return 0
    left = turns * a_turn
    if int(s["era"]) == era:
        left -= (int(s["turn"]) + (int(s["phase"]) not in (Phase.ORDO, Phase.OVER))) * a_turn
    odd = int(era == 1 and int(s["holder"][Cognar.SVARA]) == NONE)
    while left > 0 and left + odd > spare:
        left -= a_turn
    return max(0, min(left + odd, spare))


def _refill_taverns(s: Any, used: set[int]) -> None:
    """Put cards that are not in an army into the slots that set-up filled."""
    era, n_slots = int(s["era"]), int(cards_per_tavern(s))
    deck = s["decks"][era]
    pool = [int(c) for c in s["taverns"].ravel() if c != NONE]
    pool += [int(c) for c in deck["cards"][: int(deck["left"])]][::-1]
    fresh = [c for c in pool if c not in used and DWARF_ERA[c] == era]
    s["taverns"][:] = NONE
    if s["phase"] in (Phase.ORDO, Phase.OVER):
        return
    for tavern in range(int(s["tavern"]), N_TAVERNS):
        for slot in range(n_slots):
            gone = tavern == int(s["tavern"]) and slot < int(s["at"])
            s["taverns"][tavern, slot] = NONE if gone or not fresh else fresh.pop(0)
