"""The worker's side of an executor: a `RolloutWorker` that is given everything with a request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from numpy.typing import NDArray

from dwarrow.agents.neural.network import Network
from dwarrow.agents.neural.weights import carry
from dwarrow.training.crew import Commons
from dwarrow.training.matchmaking import LEARNER, League
from dwarrow.training.rollout import RolloutWorker, WorkerJob, WorkerState, copied
from dwarrow.training.scholar import EXPERT
from dwarrow.training.trajectory import Chunk

Weights = Mapping[str, Mapping[str, NDArray[Any]]]
"""Arrays of each learner's network."""
Files = Mapping[str, bytes] | None
"""Weights files that specs name, for workers that do not have them; None: as before."""


@dataclass(frozen=True)
class Desk:
    """Where a worker is to write its chunk, if it sees that memory: some rows of a long chunk.

    Attributes:
        commons: the memory.
        number: counts the memories of an executor.
        begin: where the long chunk begins in it.
        room: rows of that.
        first: the worker's first row.
    """

    commons: Commons
    number: int
    begin: int
    room: int
    first: int

    def rows(self, job: WorkerJob) -> Chunk | None:
        """Return the rows to write to, as seen from here."""
        memory = self.commons.seen()
        if memory is None:
            return None
        whole = Chunk.allocate(self.room, *job.widths, memory[self.begin :])
        return whole.rows(slice(self.first, self.first + job.room))


@dataclass
class Collected:
    """A chunk on its way.

    Attributes:
        chunk: the chunk; without its rows, if they were written where the caller sees them.
        n: how many rows those are.
        state: of the worker after it.
    """

    chunk: Chunk
    n: int
    state: WorkerState


class RolloutHost:
    """What a worker of a crew holds."""

    def __init__(self, job: WorkerJob) -> None:
        """Make the worker."""
        self.job, self.worker = job, RolloutWorker(job)
        self.shunned = -1
        shapes = {LEARNER: job.shape}
        if job.search is not None:
            shapes[EXPERT] = job.search.shape
        game = job.game
        self.networks = {
            name: Network(game.observation, game.n_actions, shape) for name, shape in shapes.items()
        }

    def collect(
        self, weights: Weights, files: Files, league: League, decisions: int, desk: Desk
    ) -> Collected:
        """Play by these weights against this league; see `RolloutWorker.collect`."""
        if files is not None:
            carry(files)
        for name, arrays in weights.items():
            network = self.networks[name]
            network.load_state_dict({k: torch.tensor(array) for k, array in arrays.items()})
            self.worker.set_weights(network, name)
        rows = desk.rows(self.job) if desk.number > self.shunned else None
        chunk = self.worker.collect(league, decisions, rows)
        n = len(chunk)
        if rows is not None:
            chunk = chunk.bare()
        return Collected(chunk, n, self.worker.state())

    def shun(self, number: int) -> None:
        """Write nothing to memories up to this: the worker before may not be dead yet."""
        self.shunned = number

    def state(self) -> WorkerState:
        """Return the worker's state."""
        return self.worker.state()

    def restore(self, state: WorkerState, specs: Mapping[str, str], files: Files) -> None:
        """Let the worker go on from `state`."""
        if files is not None:
            carry(files)
        self.worker.restore(copied(state), specs)
