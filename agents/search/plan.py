"""What a search is told to do: settings from a spec, and the numbers its kernels read."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Literal

import numpy as np

from dwarrow.agents import players
from dwarrow.agents.search.tuned import tuned
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import States
from dwarrow.envs.core.record import empty, record


class Selection(IntEnum):
    """How a decision inside the tree is made."""

    UCB = 0
    REGRET = 1  # regret matching where all seats decide at once, UCB elsewhere
    PUCT = 2
    RACE = 3  # no tree: a race of the actions at hand against the advised one


class Rollout(IntEnum):
    """Who plays on where the tree ends."""

    RANDOM = 0
    GREEDY = 1
    RULE = 2


SELECTIONS = ("ucb", "regret", "race")
ROLLOUTS = tuple(m.name.lower() for m in Rollout)
DEFAULT_SIMS = 1000
PUCT_C = 1.25
"""Exploration constant of a search with a network, for utilities in [-1, 1]."""

MAX_SECONDS = 3600
MAX_THREADS = 256
TIMED_NODES = 500_000
"""Room in the trees of a search that is limited by time; when they are full it goes on without
adding nodes."""


@dataclass(frozen=True)
class Budget:
    """How long a search thinks and how it explores and plays on; None stands for the default.

    Attributes:
        sims: simulations a decision (1000 if `seconds` is not given either).
        seconds: time a decision, up to an hour; with `sims` too, what ends first counts.
        c: exploration constant, utilities lying in [-1, 1]; default: the tuned one, or sqrt(2).
        rollout: who plays on where the tree ends; default: the tuned one, or ``random``.
        epsilon: share of random actions in the rollouts of a scripted player.
        cutoff: rollouts stop after so many decisions, 0: never, and are judged by the scores; in a
            game that knows what to expect of a position, at the next one that it can judge;
            default: the tuned one, or never.
        threads: searches of one batch that run side by side.
    """

    sims: int | None = None
    seconds: float | None = None
    c: float | None = None
    rollout: Literal["random", "greedy", "rule"] | None = None
    epsilon: float | None = None
    cutoff: int | None = None
    threads: int = 1

    def __post_init__(self) -> None:
        """Check every value.

        Raises:
            ValueError: naming the setting, the value and what is allowed.
        """
        _check("sims", self.sims, 1, None)
        _check("c", self.c, 0, 1000)
        _check("epsilon", self.epsilon, 0, 1)
        _check("cutoff", self.cutoff, 0, None)
        _check("threads", self.threads, 1, MAX_THREADS)
        if self.seconds is not None and not 0 < self.seconds <= MAX_SECONDS:
            raise ValueError(f"seconds={self.seconds}: allowed is above 0, up to {MAX_SECONDS}")
        if self.rollout is not None and self.rollout not in ROLLOUTS:
            raise ValueError(f"rollout={self.rollout}: known are {', '.join(ROLLOUTS)}")

    @property
    def limit(self) -> int | None:
        """Simulations a decision at most; None if time alone decides."""
        return DEFAULT_SIMS if self.sims is None and self.seconds is None else self.sims


@dataclass(frozen=True)
class Settings(Budget):
    """A tree search as its spec describes it.

    Attributes:
        selection: how decisions in the tree are made: ``ucb``, or ``regret`` for regret matching
            where all seats decide at once and UCB elsewhere; ``race``: no tree, but a race of the
            actions at hand against the scripted player's; default: the tuned one, or ``ucb``.
        caution: standard errors by which another action must lead for a race to prefer it to the
            scripted player's.
        margin: utility by which it must lead besides.
        advice: share of the search's trust that goes to what the scripted player of the rollouts
            (``rule`` if they are random) would do, at every decision below the one at hand; 0: it
            is not asked; default: the tuned one.
        temperature: 0 takes the most visited action; 1 draws in proportion to the visits.
        net: the run whose network gives priors (PUCT) and values instead of rollouts.
        noise: share of the root's priors that is random, with a network.
    """

    selection: Literal["ucb", "regret", "race"] | None = None
    caution: float = 1.0
    margin: float = 0.04
    advice: float | None = None
    temperature: float = 0.0
    net: str | None = None
    noise: float = 0.0

    def __post_init__(self) -> None:
        """Check every value; see `Budget`."""
        super().__post_init__()
        _check("temperature", self.temperature, 0, 100)
        _check("noise", self.noise, 0, 1)
        _check("advice", self.advice, 0, 1)
        _check("caution", self.caution, 0, 100)
        _check("margin", self.margin, 0, 2)
        if self.selection is not None and self.selection not in SELECTIONS:
            raise ValueError(f"selection={self.selection}: known are {', '.join(SELECTIONS)}")


def _check(name: str, value: float | None, low: int, high: int | None) -> None:
    if value is None:
        return
    if not low <= value < math.inf or (high is not None and value > high):
        bounds = f"{low} or more" if high is None else f"{low} to {high}"
        raise ValueError(f"{name}={value}: allowed is {bounds}")


class Plan:
    """The numbers that search kernels read; see `Settings`."""

    selection: Annotated[int, np.int32]
    rollout: Annotated[int, np.int32]
    cutoff: Annotated[int, np.int32]  # decisions after which a rollout may stop
    longest: Annotated[int, np.int32]  # decisions after which it must
    judged: Annotated[int, np.int32]  # 1: it stops where the game knows what to expect
    depth: Annotated[int, np.int32]  # decisions recorded a simulation
    cooperative: Annotated[int, np.int32]
    oracle: Annotated[int, np.int32]  # 1: search the true state, hidden cards and all
    sims: Annotated[int, np.int64]  # the budget, 0 if time alone ends the search
    followed: Annotated[int, np.int64]  # phases that a race leaves to the scripted player, as bits
    simultaneous: Annotated[int, np.int64]  # phases in which seats decide at once, as bits
    c: Annotated[float, np.float64]
    advice: Annotated[float, np.float64]
    epsilon: Annotated[float, np.float64]
    caution: Annotated[float, np.float64]
    margin: Annotated[float, np.float64]


PLAN = record(Plan)


def plan_for(
    game: Game,
    settings: Budget,
    seats: int,
    depth: int = 0,
    oracle: bool = False,
    guided: bool = False,
) -> States:
    """Return the plan [1] of a search in `game`.

    Args:
        game: the game.
        settings: as the spec gives them.
        seats: players at the table.
        depth: decisions kept in the tree; 0: down to the end of the game.
        oracle: search the true state.
        guided: a network gives priors and values.
    """
    found = tuned(game.name, seats)
    plan = empty(PLAN, 1)
    selection = Selection.UCB
    if guided:
        selection = Selection.PUCT
    elif isinstance(settings, Settings):
        selection = Selection[(settings.selection or found.selection).upper()]
    plan["selection"] = selection
    plan["sims"] = settings.limit or 0
    plan["rollout"] = Rollout[(settings.rollout or found.rollout).upper()]
    cutoff = settings.cutoff if settings.cutoff is not None else found.cutoff
    plan["cutoff"] = min(cutoff or game.max_decisions, game.max_decisions)
    plan["judged"] = cutoff > 0 and players.has_prospects(game.dtype)
    if plan["judged"]:
        plan["followed"] = sum(1 << int(phase) for phase in players.followed(game.dtype))
    plan["longest"] = game.max_decisions if plan["judged"] else plan["cutoff"]
    plan["depth"] = depth or game.max_decisions
    plan["cooperative"] = game.cooperative
    plan["oracle"] = oracle
    plan["simultaneous"] = sum(1 << int(phase) for phase in game.simultaneous_phases)
    default = PUCT_C if selection == Selection.PUCT else found.c
    plan["advice"] = found.advice if isinstance(settings, Settings) else 0.0
    if isinstance(settings, Settings) and settings.advice is not None:
        plan["advice"] = settings.advice
    if isinstance(settings, Settings):
        plan["caution"], plan["margin"] = settings.caution, settings.margin
    plan["c"] = settings.c if settings.c is not None else default
    plan["epsilon"] = settings.epsilon if settings.epsilon is not None else found.epsilon
    return plan
