"""The worker runs in the learner's own process, by turns with it: the fast path up to one core."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dwarrow.agents.neural.network import Network
from dwarrow.training.matchmaking import LEARNER, League
from dwarrow.training.rollout import RolloutWorker, WorkerJob, WorkerState
from dwarrow.training.trajectory import Chunk


class SerialExecutor:
    """One worker, called directly."""

    def __init__(self) -> None:
        """Wait for `start`."""
        self.worker: RolloutWorker | None = None

    def start(self, jobs: Sequence[WorkerJob]) -> None:
        """Start the one worker; see `Executor.start`."""
        (job,) = jobs
        self.worker = RolloutWorker(job)

    def publish(self, network: Network, name: str = LEARNER) -> None:
        """Copy the weights to the worker."""
        self._started().set_weights(network, name)

    def collect(self, league: League, decisions: int) -> Chunk:
        """Let the worker play."""
        return self._started().collect(league, decisions)

    def states(self) -> list[WorkerState]:
        """Return the worker's state."""
        return [self._started().state()]

    def restore(self, states: Sequence[WorkerState], specs: Mapping[str, str]) -> None:
        """Let the worker go on from its state."""
        (state,) = states
        self._started().restore(state, specs)

    def close(self) -> None:
        """Let the worker go."""
        self.worker = None

    def _started(self) -> RolloutWorker:
        if self.worker is None:
            raise RuntimeError("the executor was not started")
        return self.worker
