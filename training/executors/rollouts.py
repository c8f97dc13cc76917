"""Executors on several workers: each holds a `RolloutWorker`, their chunks are joined in order.

A request holds all that its chunk depends on besides the worker's state, and every chunk comes with
the state after it. So a worker that is lost is put back to where it stood after its last chunk
and makes the lost one again, the same to the bit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from dwarrow.agents.neural.network import Network
from dwarrow.agents.neural.weights import carry, luggage
from dwarrow.training.crew import Backend, Crew, Recipe, Request, say_on_stderr
from dwarrow.training.matchmaking import LEARNER, League
from dwarrow.training.rollout import RolloutWorker, WorkerJob, WorkerState
from dwarrow.training.scholar import EXPERT, Study
from dwarrow.training.trajectory import Chunk

Weights = dict[str, dict[str, NDArray[Any]]]
"""Arrays of each learner's network."""
Files = Mapping[str, bytes]
"""Weights files that specs name, for workers that do not have them."""


@dataclass
class Collected:
    """A chunk on its way, and the state of the worker after it."""

    chunk: Chunk
    state: WorkerState


class RolloutHost:
    """What a worker of a crew holds: a `RolloutWorker` that is given everything with a request."""

    def __init__(self, job: WorkerJob) -> None:
        """Make the worker."""
        self.worker = RolloutWorker(job)
        shapes = {LEARNER: job.shape}
        if job.search is not None:
            shapes[EXPERT] = job.search.shape
        game = job.game
        self.networks = {
            name: Network(game.observation, game.n_actions, shape) for name, shape in shapes.items()
        }

    def collect(self, weights: Weights, files: Files, league: League, decisions: int) -> Collected:
        """Play by these weights against this league; see `RolloutWorker.collect`."""
        carry(files)
        for name, arrays in weights.items():
            network = self.networks[name]
            network.load_state_dict({k: torch.tensor(array) for k, array in arrays.items()})
            self.worker.set_weights(network, name)
        chunk = self.worker.collect(league, decisions)
        return Collected(chunk, self.worker.state())

    def state(self) -> WorkerState:
        """Return the worker's state."""
        return self.worker.state()

    def restore(self, state: WorkerState, specs: Mapping[str, str], files: Files) -> None:
        """Let the worker go on from `state`."""
        carry(files)
        self.worker.restore(copied(state), specs)


class CrewExecutor:
    """An `Executor` on a crew.

    What it returns follows from its jobs, the weights and the leagues, not from the backend, from
    how fast anyone is, or from who was lost.
    """

    def __init__(
        self,
        backend: Backend,
        *,
        overlap: bool = False,
        deadline: float = 900.0,
        say: Callable[[str], None] = say_on_stderr,
    ) -> None:
        """Wait for `start`.

        Args:
            backend: where the workers live.
            overlap: let them collect while the learner learns, by the weights before.
            deadline: seconds after which a worker that does not answer is replaced.
            say: told of every worker that is lost.
        """
        self.backend, self.overlap = backend, overlap
        self.deadline, self.say = deadline, say
        self.crew: Crew | None = None
        self._weights: Weights = {}
        self._shared: Any = None
        self._files: tuple[tuple[str, ...], Any] = ((), {})
        self._specs: dict[str, str] = {}
        self._states: list[WorkerState | None] = []
        self._pending = False
        self._parts: dict[int, Collected] = {}
        self._whole: Chunk | None = None
        self._room = 0

    def start(self, jobs: Sequence[WorkerJob]) -> None:
        """Start the workers; see `Executor.start`."""
        job = jobs[0]
        job.game.ready()  # compiled once here, not in every worker at the same time
        self._room = sum(j.decisions + j.tables * (j.game.max_seats + 1) for j in jobs)
        self._states = [None] * len(jobs)
        self.crew = Crew(
            self.backend,
            [Recipe.of(RolloutHost, job) for job in jobs],
            deadline=self.deadline,
            say=self.say,
            revive=self._revive,
        )

    def publish(self, network: Network, name: str = LEARNER) -> None:
        """Take a copy of the weights; it goes with the next request."""
        copy = {k: v.detach().numpy().copy() for k, v in network.state_dict().items()}
        self._weights = {**self._weights, name: copy}  # a request in hand keeps the others
        self._shared = None

    def collect(self, league: League, decisions: int) -> Chunk:
        """Return the workers' chunks as one; with `overlap` those asked for the call before."""
        if not self._pending:
            self._ask(league, decisions)
        crew = self._started()
        for worker, found in crew.answers():
            self._parts[worker] = found
            self._states[worker] = copied(found.state)
        self._pending = False
        parts = [self._parts.pop(worker).chunk for worker in range(len(crew))]
        if self._whole is None:
            features, n_actions = parts[0].obs.shape[1], parts[0].mask.shape[1]
            seats = parts[0].views.shape[1] // features
            self._whole = Chunk.allocate(self._room, features, n_actions, seats)
        chunk = join(parts, self._whole)
        del parts, found
        if self.overlap:
            self._ask(league, decisions)
        return chunk

    def states(self) -> list[WorkerState]:
        """Return where each worker stood after its last chunk."""
        crew = self._started()
        unknown = [worker for worker, state in enumerate(self._states) if state is None]
        if unknown and not self._pending:
            for worker in unknown:
                crew.ask(worker, "state")
            for worker, state in crew.answers():
                self._states[worker] = copied(state)
        return [state for state in self._states if state is not None]

    def restore(self, states: Sequence[WorkerState], specs: Mapping[str, str]) -> None:
        """Let the workers go on from `states`.

        Raises:
            ValueError: the states are those of another number of workers.
        """
        crew = self._started()
        if len(states) != len(crew):
            raise ValueError(
                f"the checkpoint has the games of {len(states)} workers, not {len(crew)}: "
                f"go on with --workers {len(states)}"
            )
        self._specs.update(specs)
        self._states = list(states)
        for worker in range(len(crew)):
            for method, arguments in self._revive(worker):
                crew.ask(worker, method, *arguments)
        for _ in crew.answers():
            pass

    def close(self) -> None:
        """Stop the workers."""
        if self.crew is not None:
            self.crew.close()
        self._parts.clear()

    @property
    def incidents(self) -> list[str]:
        """Which workers were lost and replaced, a line each."""
        return [] if self.crew is None else self.crew.incidents

    def _ask(self, league: League, decisions: int) -> None:
        crew = self._started()
        self._specs.update(zip(league.names, league.specs, strict=True))
        taught = () if league.teacher is None else (league.teacher,)
        files = self._carried((*league.specs, *taught))
        if self._shared is None:
            self._shared = self.backend.share(self._weights)
        for worker in range(len(crew)):
            share = decisions // len(crew) + (worker < decisions % len(crew))
            crew.ask(worker, "collect", self._shared, files, league, share)
        self._pending = True

    def _carried(self, specs: tuple[str, ...]) -> Any:
        """Return the weights files of `specs` for workers that may not have them."""
        if self.backend.remote and self._files[0] != specs:
            self._files = (specs, self.backend.share(luggage(specs)))
        return self._files[1]

    def _revive(self, worker: int) -> list[Request]:
        """Return the request that puts a new worker where the one before it stood."""
        state = self._states[worker]
        if state is None:
            return []
        names = {name for name in state[1]["owners"].values() if name not in (LEARNER, EXPERT)}
        specs = {name: self._specs[name] for name in sorted(names)}
        files = luggage(specs.values()) if self.backend.remote else {}
        return [("restore", (state, specs, files))]

    def _started(self) -> Crew:
        if self.crew is None:
            raise RuntimeError("the executor was not started")
        return self.crew


def join(parts: Sequence[Chunk], whole: Chunk) -> Chunk:
    """Copy chunks one after another into `whole` and return what is filled of it."""
    n = sum(map(len, parts))
    joined = whole.rows(slice(0, n))
    begin = 0
    for part in parts:
        rows = slice(begin, begin + len(part))
        for name, array in joined.arrays().items():
            array[rows] = part.arrays()[name]
        following = joined.next_index[rows]
        following[following >= 0] += begin
        begin += len(part)
    joined.episodes = [episode for part in parts for episode in part.episodes]
    joined.decisions = sum(part.decisions for part in parts)
    names = dict.fromkeys(name for part in parts for name in part.seconds)
    joined.seconds = {name: sum(part.seconds.get(name, 0.0) for part in parts) for name in names}
    studies = [part.study for part in parts if part.study is not None]
    joined.study = Study.joined(studies) if studies else None
    return joined


def copied(state: WorkerState) -> WorkerState:
    """Return a state whose arrays are its own."""
    arrays, values = state
    return {name: np.array(array) for name, array in arrays.items()}, values
