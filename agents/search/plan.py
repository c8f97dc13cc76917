"""What a search is told to do: settings from a spec, and the numbers its kernels read."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Annotated, Any

import numpy as np

from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import States
from dwarrow.envs.core.record import as_records, empty, record


class Selection(IntEnum):
    """How a decision inside the tree is made."""

    UCB = 0
    REGRET = 1  # regret matching where all seats decide at once, UCB elsewhere
    PUCT = 2


class Rollout(IntEnum):
    """Who plays on where the tree ends."""

    RANDOM = 0
    GREEDY = 1
    RULE = 2


SELECTIONS = tuple(m.name.lower() for m in Selection)
ROLLOUTS = tuple(m.name.lower() for m in Rollout)
MAX_SECONDS = 3600.0
TIMED_NODES = 500_000
"""Room in the trees of a search that is limited by time; when they are full it goes on without
adding nodes."""


@dataclass(frozen=True)
class Settings:
    """A search as its spec describes it.

    Attributes:
        sims: simulations a decision; not together with `seconds`.
        seconds: time a decision.
        c: exploration constant; utilities lie in [-1, 1].
        rollout: who plays on where the tree ends: ``random``, ``greedy``, ``rule``.
        epsilon: share of random actions in the rollouts of a scripted player.
        cutoff: rollouts stop after so many decisions and are judged by the scores; 0: never.
        selection: ``ucb``, ``regret`` (regret matching where seats decide at once) or ``puct``.
        threads: searches of one batch that run side by side.
        temperature: 0 takes the most visited action; 1 draws in proportion to the visits.
    """

    sims: int = 0
    seconds: float = 0.0
    c: float = math.sqrt(2)
    rollout: str = "random"
    epsilon: float = 0.1
    cutoff: int = 0
    selection: str = "ucb"
    threads: int = 1
    temperature: float = 0.0

    def __post_init__(self) -> None:
        """Check every value.

        Raises:
            ValueError: naming the setting, the value and what is allowed.
        """
        if self.sims and self.seconds:
            raise ValueError(f"sims={self.sims} and seconds={self.seconds}: one budget, not both")
        if not self.seconds and not _is_whole(self.sims, 1):
            raise ValueError(f"sims={self.sims}: allowed are whole numbers from 1")
        if not 0 <= self.seconds <= MAX_SECONDS:
            raise ValueError(f"seconds={self.seconds}: allowed is up to {MAX_SECONDS:g}, above 0")
        if not (0 <= self.c < 1000):
            raise ValueError(f"c={self.c}: allowed is 0 to 1000")
        for name, known in (("rollout", ROLLOUTS), ("selection", SELECTIONS)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name}={getattr(self, name)!r}: known are {list(known)}")
        if not 0 <= self.epsilon <= 1:
            raise ValueError(f"epsilon={self.epsilon}: allowed is 0 to 1")
        if not _is_whole(self.cutoff, 0):
            raise ValueError(f"cutoff={self.cutoff}: allowed are whole numbers from 0")
        if not _is_whole(self.threads, 1) or self.threads > 256:
            raise ValueError(f"threads={self.threads}: allowed are whole numbers from 1 to 256")
        if not 0 <= self.temperature <= 100:
            raise ValueError(f"temperature={self.temperature}: allowed is 0 to 100")

    def changed(self, **values: Any) -> Settings:
        """Return a copy with other values."""
        return replace(self, **values)


def _is_whole(value: Any, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


class Plan:
    """The numbers that search kernels read; see `Settings`."""

    selection: Annotated[int, np.int32]
    rollout: Annotated[int, np.int32]
    cutoff: Annotated[int, np.int32]
    depth: Annotated[int, np.int32]  # decisions recorded a simulation
    cooperative: Annotated[int, np.int32]
    oracle: Annotated[int, np.int32]  # 1: search the true state, hidden cards and all
    simultaneous: Annotated[int, np.int64]  # phases in which seats decide at once, as bits
    c: Annotated[float, np.float64]
    epsilon: Annotated[float, np.float64]


PLAN = record(Plan)


def plan_for(game: Game, settings: Settings, depth: int = 0, oracle: bool = False) -> States:
    """Return the plan [1] of a search in `game`; `depth` 0 means down to the end of the game."""
    plan = empty(PLAN, 1)
    plan["selection"] = Selection[settings.selection.upper()]
    plan["rollout"] = Rollout[settings.rollout.upper()]
    plan["cutoff"] = min(settings.cutoff or game.max_decisions, game.max_decisions)
    plan["depth"] = depth or game.max_decisions
    plan["cooperative"] = game.cooperative
    plan["oracle"] = oracle
    plan["simultaneous"] = sum(1 << int(phase) for phase in game.simultaneous_phases)
    plan["c"] = settings.c
    plan["epsilon"] = settings.epsilon
    return as_records(plan)
