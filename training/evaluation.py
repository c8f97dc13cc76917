"""How strong is the learner now: matches against fixed agents, played in between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dwarrow.agents import Agent, make
from dwarrow.agents.neural.agent import NeuralAgent
from dwarrow.agents.neural.network import Network
from dwarrow.envs.core.game import Game
from dwarrow.training.logging import Metrics
from dwarrow.training.match import Lineup, Row, play_matches

EVALUATION_SEED = 1_000_000_007
"""Deals of evaluations begin here."""


def win_share(row: Row, seat: int) -> float:
    """Return a seat's share of the win: 1 alone on top, split among those who tie, else 0."""
    best = max(row.utilities)
    if row.utilities[seat] < best:
        return 0.0
    if best == min(row.utilities) != 0:  # a co-operative game: all win or all lose
        return float(best > 0)
    return 1 / row.utilities.count(best)


def rotated(hero: str, other: str, n_seats: int, games: int, seed: int) -> list[Lineup]:
    """Return lineups of one `hero` among `other`; every deal is played with every seat his."""
    deals = max(1, round(games / n_seats))
    return [
        Lineup(seed + deal, tuple(hero if p == seat else other for p in range(n_seats)))
        for deal in range(deals)
        for seat in range(n_seats)
    ]


class Evaluator:
    """Measures win shares against fixed agents, of no effect on training.

    It takes well under a second for a network and scripted agents. On a thread beside the training
    it would take twenty times as long: both would wait for Python's lock at every small step.
    """

    def __init__(
        self, game: Game, options: Sequence[dict[str, Any]], against: Sequence[str], games: int
    ) -> None:
        """Measure with `games` games against each agent of `against`; 0: not at all.

        Raises:
            ValueError: a spec of `against` does not name an agent of this game.
        """
        self.game, self.options, self.games = game, options, games
        self.opponents = {spec: make(spec, game) for spec in against if games}

    def measure(self, network: Network) -> dict[str, float]:
        """Play the matches of a network; return the mean win share against each agent."""
        hero = NeuralAgent("learner", self.game, network)
        return {spec: self.share(hero, other, self.games) for spec, other in self.opponents.items()}

    def share(self, hero: Agent, other: Agent, games: int) -> float:
        """Return the mean win share of one `hero` among `other`, in about so many games."""
        shares = []
        for options in self.options:
            others = {k: v for k, v in options.items() if k != "players"}
            lineups = rotated(
                "hero", "other", options["players"], games // len(self.options), EVALUATION_SEED
            )
            rows = play_matches(self.game, others, lineups, {"hero": hero, "other": other})
            shares += [win_share(row, row.seats.index("hero")) for row in rows]
        return float(np.mean(shares))


def wins(shares: Mapping[str, float], prefix: str = "") -> Metrics:
    """Return win shares as they are logged."""
    return {f"win/{prefix}{name}": share for name, share in shares.items()}
