"""What runs by self-play share, whatever learns in them: game, opponents, workers, bookkeeping.

An iteration: keep a snapshot as an opponent if one is due, let the workers play by the present
weights, learn from what they hand in, count, and measure strength if that is due.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from dwarrow import envs
from dwarrow.agents.neural.network import Network
from dwarrow.agents.neural.weights import find_weights, load_weights
from dwarrow.training.checkpoint import (
    Checkpoint,
    checkpoints,
    load_checkpoint,
    optimiser_tensors,
    restore_optimiser,
    save_checkpoint,
    writing,
)
from dwarrow.training.config import RunConfig
from dwarrow.training.crew import say_on_stderr
from dwarrow.training.executors import Executor
from dwarrow.training.learner import Learner
from dwarrow.training.logging import Metrics
from dwarrow.training.loop import Counters
from dwarrow.training.matchmaking import LEARNER, League, OpponentPool
from dwarrow.training.measuring import Measuring, measuring
from dwarrow.training.rollout import WorkerJob
from dwarrow.training.settings import save_config
from dwarrow.training.trajectory import Chunk

POOL = "pool"
INCIDENTS = "workers.log"
"""Which workers were lost and replaced."""

_MAGNET = "magnet."
_MOST_MEASURING = 0.1
"""Measurements are left out while they took more than this part of the time."""


class SelfPlay(ABC):
    """A run in the making; what learns in it, and how, is for each kind of run to say.

    Attributes:
        learners: what learns, by name; the first is the run's agent.
    """

    learners: Mapping[str, Learner]
    executor: Executor
    measures: Measuring

    def __init__(self, config: RunConfig, run: Path, hero: str = LEARNER) -> None:
        """Look whether the settings fit the game; nothing is written yet.

        Raises:
            ValueError: they do not.
        """
        torch.set_num_threads(config.threads)
        self.config, self.run = config, run
        self.game = envs.game(config.game)
        self.options = config.games(self.game)
        self.pool = OpponentPool(run / POOL, self.game, config.opponents, hero=hero)
        self.counters = Counters()
        self.measuring = 0.0  # seconds

    # For each kind of run to say

    @abstractmethod
    def learn(self, chunk: Chunk, league: League, done: float) -> Metrics:
        """Learn from what was collected; the metrics have ``decisions``, those learned from."""

    def league(self, done: float) -> League:
        """Return who plays in the games that begin now."""
        config = self.config
        return self.pool.league(
            config.seed, self.counters.iteration, config.past_share, config.scripted_share
        )

    def values(self) -> dict[str, Any]:
        """Return what a checkpoint is to hold besides tensors, JSON-ready."""
        return {"counters": asdict(self.counters), "pool": self.pool.manifest()}

    def take_over(self, values: Mapping[str, Any]) -> None:
        """Go on from what `values` returned."""
        vars(self.counters).update(values["counters"])
        self.pool.restore(values["pool"])

    # What they share

    def new_network(self, resume: bool) -> Network:
        """Return the network to begin with: one that knows nothing yet, or another run's.

        A run that is resumed takes its weights from its checkpoint.

        Raises:
            ValueError: there is no such run, or its network is of another shape.
        """
        config, game = self.config, self.game
        if config.begin is not None and not (resume and checkpoints(self.run)):
            path = find_weights(config.begin)
            found = load_weights(path, game)
            if found.shape != config.shape:
                raise ValueError(f"--begin {config.begin}: {found.shape}, not {config.shape}")
            return found
        return Network(game.observation, game.n_actions, config.shape, config.seed)

    def open(self, learners: Mapping[str, Learner], job: WorkerJob, resume: bool) -> None:
        """Start the workers; go on from the latest checkpoint, or begin the folder of the run."""
        self.learners = learners
        self.measures = measuring(self.config)
        try:
            self.executor = self.config.started(job, self._note)
        except BaseException:
            self.measures.close()
            raise
        try:
            if resume and checkpoints(self.run):
                self._restore(load_checkpoint(self.run, self.game))
            else:
                self.pool.clear()
                self.run.mkdir(parents=True, exist_ok=resume)
            save_config(self.config, self.run)
        except BaseException:
            self.close()
            raise

    def _note(self, line: str) -> None:
        """Say what became of a worker, and keep it in the run's folder."""
        say_on_stderr(line)
        with writing(self.run), (self.run / INCIDENTS).open("a", encoding="utf-8") as log:
            log.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {line}\n")

    def job(self, decisions: int, **more: Any) -> WorkerJob:
        """Return the job of a worker that is asked for so many decisions at a time."""
        config = self.config
        return WorkerJob(
            self.game,
            self.options,
            tables=config.tables,
            decisions=decisions,
            seed=config.seed,
            shape=config.shape,
            utility=config.utility,
            bf16=config.uses_bf16,
            **more,
        )

    def play_and_learn(self, decisions: int) -> Metrics:
        """Do an iteration with so many decisions; return what there is to log."""
        counters = self.counters
        begun = time.perf_counter()
        done = counters.done(self.config)
        self._snapshot(done)
        league = self.league(done)
        for name, learner in self.learners.items():
            self.executor.publish(learner.network, name)
        chunk = self.executor.collect(league, decisions)
        collected = time.perf_counter()
        metrics = self.learn(chunk, league, done)
        learned = time.perf_counter()
        self.pool.record(chunk.episodes)
        counters.iteration += 1
        counters.decisions += int(metrics["decisions"])
        counters.games += len(chunk.episodes)
        strength = self._strength(done)
        measured = time.perf_counter()
        counters.seconds += measured - begun
        lengths = [episode.moves for episode in chunk.episodes]
        return {
            **counters.metrics(),
            **metrics,
            "decisions_per_second": metrics["decisions"] / (learned - begun),
            "moves_per_game": float(np.mean(lengths)) if lengths else 0.0,
            **{f"time/{name}": seconds for name, seconds in chunk.seconds.items()},
            "time/learn": learned - collected,
            **{f"pool/{e.name}": e.strength for e in self.pool.scripted if e.games},
            "time/eval": measured - learned,
            **strength,
        }

    def measure(self) -> Metrics:
        """Return how strong the learners are now, and what was still being measured."""
        before = self.measures.found(wait=True)
        self.measures.begin(self._networks(), self.counters.iteration)
        return {**before, **self.measures.found(wait=True)}

    def checkpoint(self) -> None:
        """Write everything that a later process needs to go on."""
        tensors: dict[str, Tensor] = {}
        for k, (name, learner) in enumerate(self.learners.items()):
            prefix = f"{name}." if k else ""
            found = optimiser_tensors(learner.optimiser)
            if learner.magnet is not None:
                found |= {_MAGNET + key: t for key, t in learner.magnet.state_dict().items()}
            tensors |= {prefix + key: tensor for key, tensor in found.items()}
        whole = Checkpoint(self._networks(), tensors, self.executor.states(), self.values())
        with writing(self.run):
            save_checkpoint(self.run, self.counters.iteration, whole, self.game)

    def close(self) -> None:
        """Stop the workers."""
        self.executor.close()
        self.measures.close()

    def _snapshot(self, done: float) -> None:
        """Keep the first learner as it is now among the opponents, if that is due."""
        counters, config = self.counters, self.config
        if done * config.snapshots >= counters.snapshots and config.past_share > 0:
            first = next(iter(self.learners.values()))
            with writing(self.run):
                self.pool.snapshot(first.network, counters.iteration)
            counters.snapshots += 1

    def _strength(self, done: float) -> Metrics:
        """Measure, if that is due and has not taken too much of the time; return what is known."""
        counters, begun = self.counters, time.perf_counter()
        if done * self.config.evaluations >= counters.evaluations and (
            self.measuring <= _MOST_MEASURING * counters.seconds
        ):
            counters.evaluations += 1
            self.measures.begin(self._networks(), counters.iteration)
        found = self.measures.found()
        self.measuring += time.perf_counter() - begun
        return found

    def _networks(self) -> dict[str, Network]:
        return {name: learner.network for name, learner in self.learners.items()}

    def _restore(self, found: Checkpoint) -> None:
        for k, (name, learner) in enumerate(self.learners.items()):
            prefix = f"{name}." if k else ""
            tensors = {
                key.removeprefix(prefix): tensor
                for key, tensor in found.optimiser.items()
                if key.startswith(prefix)
            }
            learner.network.load_state_dict(found.networks[name].state_dict())
            restore_optimiser(learner.optimiser, tensors)
            if learner.magnet is not None:
                learner.magnet.load_state_dict(
                    {
                        key.removeprefix(_MAGNET): tensor
                        for key, tensor in tensors.items()
                        if key.startswith(_MAGNET)
                    }
                )
        self.take_over(found.values)
        self.executor.restore(found.workers, self.pool.specs())
