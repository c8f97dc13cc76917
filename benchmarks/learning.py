"""Collecting and learning as chunks of work: what PPO costs, on one thread."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Literal

from dwarrow.benchmarks.timing import Chunk
from dwarrow.envs.core.game import Game

if TYPE_CHECKING:
    from dwarrow.training.config import PPOConfig
    from dwarrow.training.executors import Executor
    from dwarrow.training.learner import Learner

ROLLOUT = 5_000
"""Decisions in a chunk of rollout."""

BATCH = 20_000
"""Decisions in an iteration of PPO, as by default."""


def _begin(game: Game, players: int, bf16: bool, batch: int) -> tuple[PPOConfig, Learner, Executor]:
    """Lay the tables as a training run with default settings does."""
    import torch

    from dwarrow.agents.neural.network import Network
    from dwarrow.training.config import PPOConfig
    from dwarrow.training.learner import Learner
    from dwarrow.training.rollout import WorkerJob

    torch.set_num_threads(1)
    precision: Literal["on", "off"] = "on" if bf16 else "off"
    config = PPOConfig(game.name, players=(players,), bf16=precision, batch=batch)
    network = Network(game.observation, game.n_actions, config.shape, config.seed)
    job = WorkerJob(
        game,
        config.games(game),
        config.tables,
        config.batch,
        config.seed,
        config.shape,
        config.utility,
        config.uses_bf16,
    )
    return config, Learner.build(network, config), config.started(job)


def rollout(game: Game, players: int) -> Chunk:
    """Self-play recorded for learning, float32; counts decisions."""
    from dwarrow.training.matchmaking import League

    _, learner, executor = _begin(game, players, bf16=False, batch=ROLLOUT)
    executor.publish(learner.network)
    league = League()

    def chunk() -> int:
        executor.collect(league, ROLLOUT)
        return ROLLOUT

    return chunk


def ppo(game: Game, players: int, bf16: bool, batch: int = BATCH) -> Chunk:
    """Whole iterations of PPO in self-play, default settings; counts decisions learned from."""
    from dwarrow.training.matchmaking import League
    from dwarrow.training.ppo import update

    config, learner, executor = _begin(game, players, bf16, batch)
    league, iterations = League(), count()

    def chunk() -> int:
        executor.publish(learner.network)
        collected = executor.collect(league, config.batch)
        update(learner, collected, config, next(iterations), 0.0)
        return config.batch

    return chunk
