"""Three-card Goofspiel: the smallest sealed-bid auction with a deck, to test what is game-neutral.

Every seat holds coins 1, 2, 3; prizes 1, 2, 3 come up in shuffled order; all bid one coin unseen;
the highest single bid takes the prize, a tied best bid wastes it. The last round is forced.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Floats, Kernels, Mask, States, kernel
from dwarrow.envs.core.observation import Observation
from dwarrow.envs.core.options import Options, option
from dwarrow.envs.core.pack import Pack
from dwarrow.envs.core.record import NONE, Header, Ints, Keys, Names, Stream
from dwarrow.envs.core.rng import random_below, shuffle

N_CARDS = 3
MAX_SEATS = 3


class Phase(IntEnum):
    BID = 0
    OVER = 1


class Coin(IntEnum):
    ONE = 0
    TWO = 1
    THREE = 2


class Player:
    spent: Annotated[Ints, np.int16, N_CARDS, Keys(Coin)]
    bid: Annotated[int, np.int16, Names(Coin)]
    score: Annotated[int, np.int16]


class Choices:
    players: Annotated[int, np.int16]


class State(Header):
    phase: Annotated[int, np.int16, Names(Phase)]
    options: Annotated[Choices, Choices]
    turn: Annotated[int, np.int16]
    deck: Annotated[Ints, np.int16, N_CARDS]
    players: Annotated[Any, Player, MAX_SEATS]


@dataclass(frozen=True)
class ToyOptions(Options):
    players: int = option(2, range(2, MAX_SEATS + 1), "bidders at the table")


LAYOUT = Observation(
    ("turn", (N_CARDS,), "turn, one-hot"),
    ("prize", (1,), "prize on offer", 3.0),
    ("spent", (MAX_SEATS, N_CARDS), "coins already shown, from the observer on"),
    ("score", (MAX_SEATS,), "points, from the observer on", 6.0),
    ("own_bid", (N_CARDS,), "the observer's pending bid"),
)
PRIZE, SPENT, SCORE, OWN_BID = (LAYOUT.at(p) for p in ("prize", "spent", "score", "own_bid"))


@kernel
def setup(states: States, i: int) -> None:
    s = states[i]
    for k in range(N_CARDS):
        s.deck[k] = k + 1
    shuffle(s, Stream.DECK, s.deck, N_CARDS)
    for p in range(MAX_SEATS):
        s.players[p].bid = NONE
    s.seat = 0


@kernel
def legal(states: States, i: int, mask: Mask) -> int:
    s = states[i]
    mask[:] = 0
    if s.over:
        return 0
    n = 0
    for k in range(N_CARDS):
        if s.players[s.seat].spent[k] == 0:
            mask[k] = 1
            n += 1
    return n


@kernel
def step(states: States, i: int, action: int) -> bool:
    s = states[i]
    s.decision += 1
    s.players[s.seat].bid = action
    if s.seat + 1 < s.n_seats:
        s.seat += 1
        return False
    best, winner = NONE, NONE
    for p in range(s.n_seats):
        bid = s.players[p].bid
        if bid > best:
            best, winner = bid, p
        elif bid == best:
            winner = NONE
    if winner != NONE:
        s.players[winner].score += s.deck[s.turn]
    for p in range(s.n_seats):
        s.players[p].spent[s.players[p].bid] = 1
        s.players[p].bid = NONE
    s.turn += 1
    s.seat = 0
    if s.turn == N_CARDS:
        s.over, s.seat, s.phase = 1, NONE, Phase.OVER
    return s.over == 1


@kernel
def observe(states: States, i: int, seat: int, out: Floats) -> None:
    s = states[i]
    if s.turn < N_CARDS:
        out[s.turn] = 1
        out[PRIZE] = s.deck[s.turn] / 3
    for k in range(s.n_seats):
        p = (seat + k) % s.n_seats
        for c in range(N_CARDS):
            out[SPENT + k * N_CARDS + c] = s.players[p].spent[c]
        out[SCORE + k] = s.players[p].score / 6
    if s.players[seat].bid != NONE:
        out[OWN_BID + s.players[seat].bid] = 1


@kernel
def scores(states: States, i: int, out: Floats) -> None:
    s = states[i]
    for p in range(s.n_seats):
        out[p] = s.players[p].score


@kernel
def returns(states: States, i: int, out: Floats) -> None:
    s = states[i]
    for p in range(s.n_seats):
        out[p] = 0
        for q in range(s.n_seats):
            if s.players[p].score > s.players[q].score:
                out[p] += 1 / (s.n_seats - 1)
            elif s.players[p].score < s.players[q].score:
                out[p] -= 1 / (s.n_seats - 1)


@kernel
def resample(states: States, i: int, seat: int) -> None:
    s = states[i]
    s.deck[s.turn + 1 :].sort()  # a fixed order first: only the seed may decide
    for k in range(N_CARDS - 1, s.turn + 1, -1):
        j = s.turn + 1 + random_below(s, Stream.DECK, k - s.turn)
        s.deck[k], s.deck[j] = s.deck[j], s.deck[k]
    for p in range(s.n_seats):
        if p != seat and s.players[p].bid != NONE:
            count = 0
            for c in range(N_CARDS):
                if s.players[p].spent[c] == 0:
                    count += 1
                    if random_below(s, Stream.SETUP, count) == 0:
                        s.players[p].bid = c


@kernel
def seen(states: States, i: int, action: int, actor: int, seat: int) -> int:
    if actor == seat:
        return action + 1
    s = states[i]
    if actor + 1 < s.n_seats:
        return 0
    # the last bid reveals all: the event is every bid
    key = action
    for p in range(s.n_seats - 1):
        key = key * N_CARDS + s.players[p].bid
    return 10 + key


@kernel
def violations(states: States, i: int) -> int:
    s = states[i]
    bits = 0
    total = 0
    for k in range(N_CARDS):
        total += 1 << s.deck[k]
    if total != 14:
        bits |= 1
    for p in range(s.n_seats):
        count = 0
        for c in range(N_CARDS):
            count += s.players[p].spent[c]
        if count != s.turn:
            bits |= 2
    return bits


class Violation(IntFlag):
    DECK_IS_NOT_ONE_TO_THREE = 1
    SPENT_COINS_DO_NOT_MATCH_THE_TURN = 2


def why(states: States, i: int, action: int) -> str:
    return f"coin {action + 1} is spent."


def breakdown(states: States, i: int) -> dict[str, Any]:
    return {"end_reason": "all prizes are out" if states["over"][i] else ""}


def text(states: States, i: int, seat: int | None) -> str:
    s = states[i]
    lines = [f"round {s['turn']}, prizes so far {s['deck'][: s['turn'] + 1].tolist()}"]
    for p in range(s["n_seats"]):
        player = s["players"][p]
        bid = player["bid"] if seat in (None, p) else "hidden"
        lines.append(
            f"seat {p}: spent {player['spent'].tolist()} score {player['score']} bid {bid}"
        )
    return "\n".join(lines)


GAME = Game(
    name="goofspiel",
    title="Toy Goofspiel",
    version="1",
    state=State,
    options=ToyOptions,
    kernels=Kernels(setup, legal, step, observe, returns, scores, resample, seen, violations),
    actions=("bid 1", "bid 2", "bid 3"),
    observation=LAYOUT,
    violation=Violation,
    max_seats=MAX_SEATS,
    pack=Pack("goofspiel", Path(__file__).parent),
    why=why,
    breakdown_of=breakdown,
    text_of=text,
    max_decisions=N_CARDS * MAX_SEATS,
    simultaneous_phases=(Phase.BID,),
)
