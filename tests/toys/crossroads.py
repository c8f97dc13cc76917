"""Three travellers with unequal utilities; seat 0 moves twice, seat 2 may interrupt.

Seat 0 turns left or right, seat 0 turns again, seat 2 lets it pass or ends the journey there, else
seat 1 turns. Every end has a utility for each seat, and none of them sums to zero.
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
from dwarrow.envs.core.record import NONE, Header, Names

LEFT, RIGHT, PASS, END_IT = range(4)


class Phase(IntEnum):
    FIRST = 0
    SECOND = 1
    ANSWER = 2
    LAST = 3
    OVER = 4


SEAT_OF = (0, 0, 2, 1, NONE)

# [first turn, second turn, how it ended: seat 2 ended it, seat 1 left, seat 1 right, seat]
UTILITY = np.array(
    [
        [
            [[0.1, -0.5, 0.2], [0.9, -0.3, -0.4], [-0.8, 0.3, 0.6]],
            [[0.3, 0.2, -0.1], [0.7, 0.8, 0.4], [1.0, 0.1, -1.0]],
        ],
        [
            [[-0.2, 0.9, 0.5], [1.0, 0.4, 0.1], [0.5, -0.6, 1.0]],
            [[-0.4, -0.1, 0.3], [0.2, 0.6, -0.2], [0.8, 0.5, 0.9]],
        ],
    ],
    np.float32,
)


class Choices:
    players: Annotated[int, np.int16]


class State(Header):
    phase: Annotated[int, np.int16, Names(Phase)]
    options: Annotated[Choices, Choices]
    first: Annotated[int, np.int16]
    second: Annotated[int, np.int16]
    end: Annotated[int, np.int16]


@dataclass(frozen=True)
class ToyOptions(Options):
    players: int = option(3, (3,), "travellers")


LAYOUT = Observation(
    ("phase", (5,), "phase, one-hot"),
    ("turns", (2,), "turns taken so far: 0 left, 1 right"),
)


@kernel
def setup(states: States, i: int) -> None:
    states[i].seat = 0


@kernel
def legal(states: States, i: int, mask: Mask) -> int:
    mask[:] = 0
    if states[i].over:
        return 0
    if states[i].phase == Phase.ANSWER:
        mask[PASS:] = 1
    else:
        mask[:PASS] = 1
    return 2


@kernel
def step(states: States, i: int, action: int) -> bool:
    s = states[i]
    s.decision += 1
    if s.phase == Phase.FIRST:
        s.first = action
    elif s.phase == Phase.SECOND:
        s.second = action
    elif s.phase == Phase.LAST:
        s.end = 1 + action
    s.phase += 1
    if action == END_IT or s.phase == Phase.OVER:
        s.phase = Phase.OVER
        s.over = 1
    s.seat = SEAT_OF[s.phase]
    return s.over == 1


@kernel
def observe(states: States, i: int, seat: int, out: Floats) -> None:
    s = states[i]
    out[s.phase] = 1
    out[5] = s.first
    out[6] = s.second


@kernel
def returns(states: States, i: int, out: Floats) -> None:
    s = states[i]
    for p in range(3):
        out[p] = UTILITY[s.first, s.second, s.end, p]


@kernel
def scores(states: States, i: int, out: Floats) -> None:
    out[:3] = 0


@kernel
def resample(states: States, i: int, seat: int) -> None:
    pass  # nothing is hidden


@kernel
def seen(states: States, i: int, action: int, actor: int, seat: int) -> int:
    return action + 1


@kernel
def violations(states: States, i: int) -> int:
    return 0


class Violation(IntFlag):
    NEVER = 1


GAME = Game(
    name="crossroads",
    title="Toy Crossroads",
    version="1",
    state=State,
    options=ToyOptions,
    kernels=Kernels(setup, legal, step, observe, returns, scores, resample, seen, violations),
    actions=("left", "right", "pass", "end it"),
    observation=LAYOUT,
    violation=Violation,
    max_seats=3,
    pack=Pack("crossroads", Path(__file__).parent),
    why=lambda states, i, action: "it is not asked for.",
    breakdown_of=lambda states, i: {},
    text_of=lambda states, i, seat: str(states[i]),
    max_decisions=4,
)


def max_n(first: int | None = None, second: int | None = None) -> Any:
    """Return the utilities under best play by backward induction, given the first turns."""
    if first is None:
        return max((max_n(f) for f in range(2)), key=lambda u: u[0])
    if second is None:
        return max((max_n(first, s) for s in range(2)), key=lambda u: u[0])
    ended, *turns = UTILITY[first, second]
    last = max(turns, key=lambda u: u[1])
    return max((ended, last), key=lambda u: u[2])
