"""A sealed all-pay auction between two: both bid 0, 1 or 2 unseen, both pay, the higher bid wins.

The prize is worth `PRIZE`; utility is one's gain less the other's, so it sums to zero. A bid beats
the next lower one and loses to "two lower" (the prize is not worth two), hence the only equilibrium
is mixed: with A the gain of the row over the column, bids 0, 1, 2 have the weights A[2,1], A[0,2],
A[1,0].
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag
from pathlib import Path
from typing import Annotated

import numpy as np

from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Floats, Kernels, Mask, States, kernel
from dwarrow.envs.core.observation import Observation
from dwarrow.envs.core.options import Options, option
from dwarrow.envs.core.pack import Pack
from dwarrow.envs.core.record import NONE, Header, Ints, Names, Stream
from dwarrow.envs.core.rng import random_below

PRIZE = 1.25
N_BIDS = 3
GAIN = np.array(
    [[PRIZE * np.sign(own - other) - own + other for other in range(N_BIDS)] for own in range(3)]
)
EQUILIBRIUM = np.array([GAIN[2, 1], GAIN[0, 2], GAIN[1, 0]])
EQUILIBRIUM /= EQUILIBRIUM.sum()


class Phase(IntEnum):
    BID = 0
    OVER = 1


class Choices:
    players: Annotated[int, np.int16]


class State(Header):
    phase: Annotated[int, np.int16, Names(Phase)]
    options: Annotated[Choices, Choices]
    bids: Annotated[Ints, np.int16, 2]


@dataclass(frozen=True)
class ToyOptions(Options):
    players: int = option(2, (2,), "bidders")


LAYOUT = Observation(("own_bid", (N_BIDS,), "the observer's pending bid"))


@kernel
def setup(states: States, i: int) -> None:
    s = states[i]
    s.seat = 0
    s.bids[:] = NONE


@kernel
def legal(states: States, i: int, mask: Mask) -> int:
    mask[:] = 1 - states[i].over
    return 0 if states[i].over else N_BIDS


@kernel
def step(states: States, i: int, action: int) -> bool:
    s = states[i]
    s.decision += 1
    s.bids[s.seat] = action
    s.seat += 1
    if s.seat == 2:
        s.seat, s.over, s.phase = NONE, 1, Phase.OVER
    return s.over == 1


@kernel
def observe(states: States, i: int, seat: int, out: Floats) -> None:
    bid = states[i].bids[seat]
    if bid != NONE:
        out[bid] = 1


@kernel
def returns(states: States, i: int, out: Floats) -> None:
    s = states[i]
    out[0] = GAIN[s.bids[0], s.bids[1]]
    out[1] = -out[0]


@kernel
def scores(states: States, i: int, out: Floats) -> None:
    if states[i].over:
        returns(states, i, out)
    else:
        out[:2] = 0


@kernel
def resample(states: States, i: int, seat: int) -> None:
    s = states[i]
    for p in range(2):
        if p != seat and s.bids[p] != NONE:
            s.bids[p] = random_below(s, Stream.SETUP, N_BIDS)


@kernel
def seen(states: States, i: int, action: int, actor: int, seat: int) -> int:
    return action + 1 if actor == seat else 0


@kernel
def violations(states: States, i: int) -> int:
    return 0


class Violation(IntFlag):
    NEVER = 1


GAME = Game(
    name="all_pay",
    title="Toy All-Pay Auction",
    version="1",
    state=State,
    options=ToyOptions,
    kernels=Kernels(setup, legal, step, observe, returns, scores, resample, seen, violations),
    actions=("bid 0", "bid 1", "bid 2"),
    observation=LAYOUT,
    violation=Violation,
    max_seats=2,
    pack=Pack("all_pay", Path(__file__).parent),
    why=lambda states, i, action: "the bidding is over.",
    breakdown_of=lambda states, i: {},
    text_of=lambda states, i, seat: "bidding",
    max_decisions=2,
    simultaneous_phases=(Phase.BID,),
)
