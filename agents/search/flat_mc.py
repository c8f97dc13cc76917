"""Flat Monte Carlo: a bandit over the root's actions, each tried in states that may be true."""

from __future__ import annotations

from dwarrow.agents.search.agent import SearchAgent
from dwarrow.agents.search.plan import Budget
from dwarrow.envs.core.game import Game


class FlatMC(SearchAgent):
    """UCB over the actions of the decision at hand; below it, rollouts only."""

    def __init__(self, game: Game, spec: str, settings: Budget) -> None:
        """See `SearchAgent`; the tree is one decision deep."""
        super().__init__(game, spec, settings, depth=1)
