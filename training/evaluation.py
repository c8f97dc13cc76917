"""How strong is the learner now: matches against fixed agents, played beside the training."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from dwarrow.agents import Agent, make
from dwarrow.agents.neural.agent import NeuralAgent
from dwarrow.agents.neural.network import Network
from dwarrow.envs.core.game import Game
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
    """Measures win shares against fixed agents on a thread of its own, of no effect on training.

    The compiled games and torch both let go of Python's lock, so a second core does this work.
    """

    def __init__(
        self, game: Game, options: Sequence[dict[str, Any]], against: Sequence[str], games: int
    ) -> None:
        """Measure with `games` games against each agent of `against`.

        Raises:
            ValueError: a spec of `against` does not name an agent of this game.
        """
        self.game, self.options, self.games = game, options, games
        self.opponents: dict[str, Agent] = {spec: make(spec, game) for spec in against}
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="evaluation")
        self._waiting: Future[dict[str, float]] | None = None

    def submit(self, network: Network) -> None:
        """Start measuring the present weights; dropped if the last measurement still runs."""
        if self._waiting is None and self.games and self.opponents:
            hero = NeuralAgent("learner", self.game, network)
            self._waiting = self._pool.submit(self.measure, hero)

    def results(self, wait: bool = False) -> dict[str, float] | None:
        """Return the win share against each agent if a measurement is done, once.

        Args:
            wait: wait for a measurement that still runs.
        """
        if self._waiting is None or not (wait or self._waiting.done()):
            return None
        found, self._waiting = self._waiting.result(), None
        return found

    def measure(self, hero: Agent) -> dict[str, float]:
        """Play the matches; return the mean win share against each agent."""
        found = {}
        for spec, opponent in self.opponents.items():
            shares = []
            for options in self.options:
                others = {k: v for k, v in options.items() if k != "players"}
                n = options["players"]
                games = self.games // len(self.options)
                lineups = rotated("hero", "other", n, games, EVALUATION_SEED)
                rows = play_matches(self.game, others, lineups, {"hero": hero, "other": opponent})
                shares += [win_share(row, row.seats.index("hero")) for row in rows]
            found[spec] = float(np.mean(shares))
        return found

    def close(self) -> None:
        """Wait for what still runs and end the thread."""
        self._pool.shutdown()
