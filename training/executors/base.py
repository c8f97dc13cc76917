"""The interface between a learner and the workers that play for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from dwarrow.agents.neural.network import Network
from dwarrow.training.matchmaking import LEARNER, League
from dwarrow.training.rollout import WorkerJob, WorkerState
from dwarrow.training.trajectory import Chunk


class Executor(Protocol):
    """Runs rollout workers; one unit of exchange is a chunk, at least 100 ms of work."""

    def start(self, jobs: Sequence[WorkerJob]) -> None:
        """Start a worker for each job."""
        ...

    def publish(self, network: Network, name: str = LEARNER) -> None:
        """Let a learner of every worker act by the present weights from its next chunk on."""
        ...

    def collect(self, league: League, decisions: int) -> Chunk:
        """Return one chunk of about that many decisions; valid until the next call."""
        ...

    def states(self) -> list[WorkerState]:
        """Return the state of each worker, for a checkpoint."""
        ...

    def restore(self, states: Sequence[WorkerState], specs: Mapping[str, str]) -> None:
        """Let the workers go on from `states`; `specs` make the opponents by name."""
        ...

    def close(self) -> None:
        """Stop the workers; calling it again does nothing."""
        ...
