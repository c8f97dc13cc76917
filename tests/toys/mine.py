"""A mine to walk through together: the smallest cooperative game, with levels of difficulty.

The dwarves step in turn, six steps in all. A careful step goes wrong on one of the first `level`
faces of a die of twelve, a bold one on twice as many; one wrong step and all are lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from dwarrow.agents.players import Players, Words, add_players
from dwarrow.agents.players import register as register_players
from dwarrow.envs import add_game
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Floats, Kernels, Mask, States, kernel
from dwarrow.envs.core.observation import Observation
from dwarrow.envs.core.options import Options, option
from dwarrow.envs.core.pack import Pack
from dwarrow.envs.core.record import NONE, Header, Names, Stream
from dwarrow.envs.core.rng import draw

MAX_SEATS = 3
N_STEPS = 6
LEVELS = ("easy", "fair", "hard")


class Phase(IntEnum):
    WALK = 0
    OVER = 1


class Ending(IntEnum):
    WALKING = 0
    THROUGH = 1
    SLIPPED = 2
    FELL = 3


class Choices:
    players: Annotated[int, np.int16]
    difficulty: Annotated[int, np.int16, Names(LEVELS)]
    heroes: Annotated[int, np.int16]


class State(Header):
    phase: Annotated[int, np.int16, Names(Phase)]
    options: Annotated[Choices, Choices]
    ending: Annotated[int, np.int16, Names(Ending)]


@dataclass(frozen=True)
class MineOptions(Options):
    players: int = option(2, range(1, MAX_SEATS + 1), "dwarves in the mine")
    difficulty: str = option("easy", LEVELS, "how deep it is")
    heroes: int = option(0, (0, 1), "a flag, to have another option")


@kernel
def setup(states: States, i: int) -> None:
    states[i].seat = 0


@kernel
def legal(states: States, i: int, mask: Mask) -> int:
    mask[:] = 1 - states[i].over
    return 2 * (1 - states[i].over)


@kernel
def step(states: States, i: int, action: int) -> bool:
    s = states[i]
    s.decision += 1
    s.seat = (s.seat + 1) % s.n_seats
    if draw(s, Stream.DICE, 12) < (s.options.difficulty + 1) * (action + 1):
        s.ending = Ending.SLIPPED + action
    elif s.decision == N_STEPS:
        s.ending = Ending.THROUGH
    if s.ending != Ending.WALKING:
        s.over, s.seat, s.phase = 1, NONE, Phase.OVER
    return s.over == 1


@kernel
def observe(states: States, i: int, seat: int, out: Floats) -> None:
    out[0] = states[i].decision / N_STEPS


@kernel
def scores(states: States, i: int, out: Floats) -> None:
    out[: states[i].n_seats] = states[i].decision


@kernel
def returns(states: States, i: int, out: Floats) -> None:
    out[: states[i].n_seats] = 1 if states[i].ending == Ending.THROUGH else -1


@kernel
def resample(states: States, i: int, seat: int) -> None:
    pass


@kernel
def seen(states: States, i: int, action: int, actor: int, seat: int) -> int:
    return action + 1


@kernel
def violations(states: States, i: int) -> int:
    return 0


@kernel
def careful(states: States, i: int, mask: Mask, word: Words) -> int:
    return 0


@kernel
def bold(states: States, i: int, mask: Mask, word: Words) -> int:
    return 1


class Violation(IntFlag):
    NOTHING = 1


def why(states: States, i: int, action: int) -> str:
    return "nothing is."


def breakdown(states: States, i: int) -> dict[str, Any]:
    return {"end_reason": Ending(states["ending"][i]).name.lower()}


def text(states: States, i: int, seat: int | None) -> str:
    return f"{states['decision'][i]} steps"


GAME = Game(
    name="mine",
    title="Toy Mine",
    version="1",
    state=State,
    options=MineOptions,
    kernels=Kernels(setup, legal, step, observe, returns, scores, resample, seen, violations),
    actions=("careful step", "bold step"),
    observation=Observation(("decision", (1,), "steps taken", float(N_STEPS))),
    violation=Violation,
    max_seats=MAX_SEATS,
    pack=Pack("mine", Path(__file__).parent),
    why=why,
    breakdown_of=breakdown,
    text_of=text,
    max_decisions=N_STEPS,
    cooperative=True,
)
register_players(GAME.dtype, Players(greedy=bold, rule=careful))
add_game("mine", "toys.mine")
add_players("mine", "toys.mine")
