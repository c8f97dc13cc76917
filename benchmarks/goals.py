"""What the project promises of its speed, and whether a measurement keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

Measured = Mapping[tuple[str, str], float]
"""(game, layer) -> the median."""


@dataclass(frozen=True)
class Goal:
    """A promise.

    Attributes:
        game: of which game.
        layer: of which layer.
        bound: the number to reach; in seconds, the number not to exceed.
        of: the bound is so many times the median of this layer.
    """

    game: str
    layer: str
    bound: float
    of: str | None = None

    @property
    def at_most(self) -> bool:
        """Whether less is better: the layer is a time."""
        return self.layer in TIMES

    def __str__(self) -> str:
        """Return the goal in words."""
        sense = "at most" if self.at_most else "at least"
        if self.of is not None:
            return f"{self.game} {self.layer}: {sense} {self.bound:g} times {self.of}"
        bound = f"{self.bound:g} s" if self.at_most else f"{self.bound:,.0f}/s"
        return f"{self.game} {self.layer}: {sense} {bound}"


@dataclass(frozen=True)
class Verdict:
    """A goal and what was measured: None if nothing was."""

    goal: Goal
    measured: float | None

    @property
    def reached(self) -> bool | None:
        """Whether the goal is reached; None if it was not measured."""
        if self.measured is None:
            return None
        return (
            self.measured <= self.goal.bound
            if self.goal.at_most
            else self.measured >= self.goal.bound
        )


TIMES = ("cold", "warm")
"""Layers measured in seconds."""

GAMES = ("aquilon", "the_duel", "dwar7s_fall", "the_dwarves")

SIMULATIONS = {"aquilon": 40_000, "the_duel": 30_000, "the_dwarves": 5_000, "dwar7s_fall": 3_000}

GOALS: tuple[Goal, ...] = (
    Goal("aquilon", "core", 2_000_000),
    Goal("aquilon", "vector", 400_000),
    Goal("aquilon", "raw_env", 45_000),
    Goal("aquilon", "env", 0.8, of="raw_env"),
    Goal("aquilon", "copies", 5_000_000),
    Goal("aquilon", "resamples", 300_000),
    Goal("aquilon", "rollout", 150_000),
    Goal("aquilon", "ppo", 20_000),
    Goal("aquilon", "ppo_bf16", 40_000),
    *(Goal(game, "search", bound) for game, bound in SIMULATIONS.items()),
    *(Goal(game, "search_2", 1.8, of="search") for game in GAMES),
    *(Goal(game, "cold", 60) for game in GAMES),
    *(Goal(game, "warm", 1.5) for game in GAMES),
)
"""On one core of a machine without other work; bfloat16 where the processor computes in it."""


def verdicts(measured: Measured, goals: tuple[Goal, ...] = GOALS) -> list[Verdict]:
    """Judge the goals of all games that were measured."""
    games = {game for game, _ in measured}
    found = []
    for goal in goals:
        if goal.game not in games or (goal.layer == "ppo_bf16" and not native_bf16()):
            continue
        value = measured.get((goal.game, goal.layer))
        if value is not None and goal.of is not None:
            base = measured.get((goal.game, goal.of))
            value = value / base if base else None
        found.append(Verdict(goal, value))
    return found


def native_bf16() -> bool:
    """Return whether this processor computes in bfloat16 itself, as far as it says."""
    info = Path("/proc/cpuinfo")
    text = info.read_text(encoding="utf-8", errors="replace") if info.exists() else ""
    return "avx512_bf16" in text or "amx_bf16" in text


@dataclass(frozen=True)
class PeerGoal:
    """A promise beside a peer: our layer is `times` as fast as its best nearest game.

    Attributes:
        game: ours.
        layer: ours, and the peers' figures for it.
        times: how many times as fast.
        library: beside this peer only; None: the best of all.
        unlike: games of peers that are measured but too short to be compared.
    """

    game: str
    layer: str
    times: float
    library: str | None = None
    unlike: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the goal in words."""
        whom = self.library or "the best peer"
        return f"{self.game} {self.layer}: at least {self.times:g} times {whom}'s nearest game"


PEER_GOALS = (
    PeerGoal("aquilon", "core", 3),
    PeerGoal("aquilon", "vector", 4, "OpenSpiel"),
    PeerGoal("aquilon", "search", 2, "OpenSpiel", unlike=("leduc_poker",)),  # 2 to 8 decisions
)
