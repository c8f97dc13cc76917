"""A mixed run: PPO and the expert learn at the same tables, and the log says who beats whom.

In a share of the games some seats are PPO's and the others the expert's. Of these games, PPO learns
from its own decisions and the expert from its searches; in the rest PPO plays itself, past selves
and scripted players, as in a run of its own. ``ppo:RUN`` is PPO's agent, ``net:RUN/expert`` the
expert's network, which ``mcts:sims=..,net=RUN/expert`` searches with.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from dwarrow.training.config import MixedConfig
from dwarrow.training.expert import WINDOW, WindowKept, study
from dwarrow.training.learner import Learner
from dwarrow.training.logging import Metrics
from dwarrow.training.matchmaking import LEARNER, League
from dwarrow.training.ppo import update
from dwarrow.training.scholar import EXPERT
from dwarrow.training.trajectory import Chunk, Episode
from dwarrow.training.window import Window


class Training(WindowKept):
    """A mixed run in the making."""

    config: MixedConfig

    def __init__(self, config: MixedConfig, run: Path, resume: bool) -> None:
        """Begin a run, or take up where its latest checkpoint left off."""
        super().__init__(config, run)
        self.of_ppo = config.of_ppo()
        magnet = config.ppo.kl_magnet > 0
        self.ppo = Learner.build(self.new_network(resume), config.ppo, magnet=magnet)
        self.expert = Learner.build(self.new_network(resume), config.expert)
        self.window = Window(run / WINDOW, self.game, config.expert.window)
        search = config.expert.search(config.shape, config.uses_bf16)
        learners = {LEARNER: self.ppo, EXPERT: self.expert}
        self.open(learners, self.job(config.ppo.batch, search=search), resume)

    def iterate(self) -> Metrics:
        """Collect and learn once; return what there is to log."""
        return self.play_and_learn(self.config.ppo.batch)

    def league(self, done: float) -> League:
        """Return who plays now: the expert is among PPO's opponents."""
        return super().league(done).joined_by(EXPERT, self.config.shared_share)

    def learn(self, chunk: Chunk, league: League, done: float) -> Metrics:
        """Let each learner learn from its own decisions."""
        assert chunk.study is not None
        config, iteration = self.config, self.counters.iteration
        metrics = update(self.ppo, chunk, self.of_ppo, iteration, done)
        found = study(
            self.expert,
            self.window,
            chunk.study,
            config.expert,
            config.seed,
            iteration,
            done,
            config.uses_bf16,
        )
        return {
            **metrics,
            **{f"expert/{name}": value for name, value in found.items()},
            **at_one_table(chunk.episodes),
        }


def at_one_table(episodes: Sequence[Episode]) -> Metrics:
    """Return how the games went in which both learners sat: what a seat of each was paid."""
    paid: dict[str, list[float]] = {LEARNER: [], EXPERT: []}
    games = 0
    for episode in episodes:
        if EXPERT in episode.owners and LEARNER in episode.owners:
            games += 1
            for owner, utility in zip(episode.owners, episode.utilities, strict=True):
                paid[owner].append(utility)
    if not games:
        return {"shared/games": 0}
    return {
        "shared/games": games,
        "shared/ppo": float(np.mean(paid[LEARNER])),
        "shared/expert": float(np.mean(paid[EXPERT])),
    }
