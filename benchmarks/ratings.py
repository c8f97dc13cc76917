"""Plackett-Luce ratings from finishing orders: fitted in one batch, intervals by bootstrap.

In the Plackett-Luce model the winner is drawn with odds proportional to strength, then the second
from those left, and so on. Fitted by Hunter's MM iteration (Annals of Statistics 32, 2004), for all
bootstraps at once. Tied seats split: each order of theirs counts in equal parts. An agent
may hold several seats of a game; its seats are then compared with one another at no gain or loss.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np

from dwarrow.benchmarks.stats import (
    CONFIDENCE,
    N_BOOTSTRAPS,
    Interval,
    Reals,
    deal_weights,
    percentiles,
)

POINTS = 400 / math.log(10)
"""Rating points per unit of log strength: 400 points are odds of ten to one."""

VIRTUAL_GAMES = 0.5
"""Drawn games added to each pair that met, so that an agent that never lost has a finite rating."""


@dataclass(frozen=True)
class Finish:
    """One finished game.

    Attributes:
        deal: which deal it was; the games of a deal are drawn together.
        agents: agent number of each seat.
        utility: of each seat; equal ones are tied.
    """

    deal: int
    agents: tuple[int, ...]
    utility: tuple[float, ...]


@dataclass(frozen=True)
class Rating:
    """An agent's rating in points over the reference agent."""

    points: float
    interval: Interval


def orders(finish: Finish) -> list[tuple[tuple[int, ...], float]]:
    """Return the finishing orders of a game, best first, each with its part of the game."""
    groups = [
        [a for a, u in zip(finish.agents, finish.utility, strict=True) if u == level]
        for level in sorted(set(finish.utility), reverse=True)
    ]
    choices = [sorted(set(permutations(group))) for group in groups]
    found = [tuple(a for part in parts for a in part) for parts in product(*choices)]
    return [(order, 1 / len(found)) for order in found]


class _Table:
    """Distinct finishing orders, what each says of each stage, and their weight per deal."""

    def __init__(self, games: Sequence[Finish], n_agents: int) -> None:
        deals = {deal: k for k, deal in enumerate(sorted({g.deal for g in games}))}
        pairs = sorted({(a, b) for g in games for a in g.agents for b in g.agents if a != b})
        numbers: dict[tuple[int, ...], int] = {pair: k for k, pair in enumerate(pairs)}
        entries = [
            (deals[game.deal], numbers.setdefault(order, len(numbers)), part)
            for game in games
            for order, part in orders(game)
        ]
        self.weight = np.zeros((len(deals), len(numbers)))
        for deal, number, part in entries:
            self.weight[deal, number] += part
        self.virtual = np.zeros(len(numbers))
        self.virtual[: len(pairs)] = VIRTUAL_GAMES / 2  # `pairs` holds both orders of each pair
        # left: how many seats of each agent are unplaced at each stage; the last seat is no choice
        n_stages = max(map(len, numbers)) - 1
        self.left = np.zeros((len(numbers), n_stages, n_agents))
        self.placed = np.zeros((len(numbers), n_agents))
        for order, number in numbers.items():
            for stage, agent in enumerate(order[:-1]):
                self.placed[number, agent] += 1
                for unplaced in order[stage:]:
                    self.left[number, stage, unplaced] += 1
        self.stages = (self.left.sum(axis=2) > 0).astype(np.float64)


def _fit(weight: Reals, table: _Table, tolerance: float = 1e-7, most: int = 20_000) -> Reals:
    """Return the log strengths [batch, n_agents] for weights [batch, orders], mean 0."""
    gains = weight @ table.placed
    strength = np.ones_like(gains)
    n_orders, n_stages, n_agents = table.left.shape
    left = table.left.reshape(-1, n_agents)
    for _ in range(most):
        pool = (strength @ left.T).reshape(-1, n_orders, n_stages)
        share = weight[:, :, None] * table.stages / np.where(pool > 0, pool, 1.0)
        fresh = gains / (share.reshape(len(weight), -1) @ left)
        fresh /= np.exp(np.log(fresh).mean(axis=1, keepdims=True))
        moved = float(np.abs(np.log(fresh / strength)).max())
        strength = fresh
        if moved < tolerance:
            break
    return np.log(strength)


def plackett_luce(
    games: Iterable[Finish],
    n_agents: int,
    reference: int = 0,
    confidence: float = CONFIDENCE,
    n_bootstraps: int = N_BOOTSTRAPS,
    seed: int = 0,
) -> list[Rating]:
    """Return each agent's rating; the reference agent has 0 points.

    Args:
        games: finished games; those between copies of one agent say nothing and are left out.
        n_agents: agents are numbered from 0.
        reference: the agent whose rating is 0.
        confidence: of the intervals, from a bootstrap over deals.
        n_bootstraps: how many sets of deals are drawn.
        seed: of the draws.

    Raises:
        ValueError: an agent that met no other, or two groups of agents that never met.
    """
    kept = [g for g in games if len(set(g.agents)) > 1]
    apart = _unconnected(kept, n_agents)
    if apart:
        raise ValueError(f"agents {apart} never met the rest: no common scale for their ratings")
    table = _Table(kept, n_agents)
    draws = deal_weights(len(table.weight), n_bootstraps, seed) @ table.weight
    batch = np.vstack([table.weight.sum(axis=0), draws]) + table.virtual
    log_strength = _fit(batch, table)
    points = POINTS * (log_strength - log_strength[:, reference : reference + 1])
    return [
        Rating(float(points[0, a]), percentiles(points[1:, a], confidence)) for a in range(n_agents)
    ]


def _unconnected(games: Sequence[Finish], n_agents: int) -> list[int]:
    """Return the agents that no chain of games joins to agent 0."""
    reached, grown = {0}, True
    seats = {frozenset(g.agents) for g in games}
    while grown:
        grown = False
        for agents in seats:
            if agents & reached and not agents <= reached:
                reached |= agents
                grown = True
    return [a for a in range(n_agents) if a not in reached]
