"""The learner's side of an executor: workers collect by its weights, their chunks become one.

A request holds all that its chunk depends on besides the worker's state, and every chunk comes with
the state after it. So a worker that is lost is put back to where it stood after its last chunk
and makes the lost one again, the same to the bit.

Workers on this machine write their rows side by side into one memory, where they are moved together
when all are done; rows of the others come with their answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from dwarrow.agents.neural.network import Network
from dwarrow.agents.neural.weights import luggage
from dwarrow.training.crew import Backend, Commons, Crew, Recipe, Request, say_on_stderr
from dwarrow.training.executors.host import Collected, Desk, RolloutHost, Weights
from dwarrow.training.matchmaking import LEARNER, League
from dwarrow.training.rollout import WorkerJob, WorkerState, copied
from dwarrow.training.scholar import EXPERT, Study
from dwarrow.training.trajectory import Chunk


class Executor:
    """Runs rollout workers; one unit of exchange is a chunk, at least 100 ms of work.

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
        self._jobs: Sequence[WorkerJob] = ()
        self._weights: dict[str, Weights] = {}
        self._shared: Any = None
        self._known: tuple[str, ...] = ()  # specs whose weights the workers have
        self._specs: dict[str, str] = {}
        self._states: list[WorkerState | None] = []
        self._pending = False
        self._parts: dict[int, Collected] = {}
        self._hall: _Hall | None = None

    def start(self, jobs: Sequence[WorkerJob]) -> None:
        """Start a worker for each job."""
        jobs[0].game.ready()  # compiled once here, not in every worker at the same time
        self._jobs = jobs
        self._states = [None] * len(jobs)
        self.crew = Crew(
            self.backend,
            [Recipe.of(RolloutHost, job) for job in jobs],
            deadline=self.deadline,
            say=self.say,
            revive=self._revive,
        )

    def publish(self, network: Network, name: str = LEARNER) -> None:
        """Let a learner of every worker act by the present weights from its next chunk on."""
        copy = {k: v.detach().numpy().copy() for k, v in network.state_dict().items()}
        self._weights = {**self._weights, name: copy}  # a request in hand keeps the others
        self._shared = None

    def collect(self, league: League, decisions: int) -> Chunk:
        """Return one chunk of about that many decisions; valid until the next call.

        With `overlap` it is the one asked for the call before.
        """
        if not self._pending:
            self._ask(league, decisions)
        crew, hall = self._started(), self._hall
        assert hall is not None
        for worker, found in crew.answers():
            self._parts[worker] = found
            self._states[worker] = copied(found.state)
        self._pending = False
        # whoever was lost meanwhile may not be dead, and go on writing where its desk is
        fresh = len(self.incidents) > hall.number
        chunk = hall.joined([self._parts.pop(worker) for worker in range(len(crew))], fresh)
        del found
        if self.overlap:
            self._ask(league, decisions)
        return chunk

    def states(self) -> list[WorkerState]:
        """Return where each worker stood after its last chunk, for a checkpoint."""
        crew = self._started()
        unknown = [worker for worker, state in enumerate(self._states) if state is None]
        if unknown and not self._pending:
            for worker in unknown:
                crew.ask(worker, "state")
            for worker, state in crew.answers():
                self._states[worker] = copied(state)
        return [state for state in self._states if state is not None]

    def restore(self, states: Sequence[WorkerState], specs: Mapping[str, str]) -> None:
        """Let the workers go on from `states`; `specs` make the opponents by name.

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
        for worker, state in enumerate(states):
            method, arguments = self._restoring(state)
            crew.ask(worker, method, *arguments)
        for _ in crew.answers():
            pass

    def close(self) -> None:
        """Stop the workers; calling it again does nothing."""
        if self.crew is not None:
            self.crew.close()
        self._parts.clear()
        if self._hall is not None:
            self._hall.commons.free()
            self._hall = None

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
        for worker, desk in enumerate(self._desks()):
            share = decisions // len(crew) + (worker < decisions % len(crew))
            crew.ask(worker, "collect", self._shared, files, league, share, desk)
        self._pending = True

    def _desks(self) -> list[Desk]:
        """Return where the workers are to write next."""
        losses = len(self.incidents)
        if self._hall is None or losses > self._hall.number:
            # whoever was lost may not be dead, and write to the memory it was given
            if self._hall is not None:
                self._hall.commons.free()
            self._hall = _Hall(self.backend, self._jobs, losses, 2 if self.overlap else 1)
        return self._hall.desks()

    def _carried(self, specs: tuple[str, ...]) -> Any:
        """Return the weights files of `specs` for workers that may not have them; None: they do."""
        if not self.backend.remote or self._known == specs:
            return None
        self._known = specs
        return self.backend.share(luggage(specs))

    def _revive(self, worker: int) -> list[Request]:
        """Return the requests that put a new worker where the one before it stood."""
        state = self._states[worker]
        shunning: Request = "shun", (len(self.incidents) - 1,)
        return [shunning] if state is None else [shunning, self._restoring(state)]

    def _restoring(self, state: WorkerState) -> Request:
        names = {name for name in state[1]["owners"].values() if name not in (LEARNER, EXPERT)}
        specs = {name: self._specs[name] for name in sorted(names)}
        files = luggage([*self._known, *specs.values()]) if self.backend.remote else None
        return "restore", (state, specs, files)

    def _started(self) -> Crew:
        if self.crew is None:
            raise RuntimeError("the executor was not started")
        return self.crew


class _Hall:
    """Memory in which every worker has a desk; two of each if one chunk is read, another written.

    Attributes:
        commons: the memory.
        number: counts the halls of an executor, as workers are told.
    """

    def __init__(
        self, backend: Backend, jobs: Sequence[WorkerJob], number: int, sides: int
    ) -> None:
        self.number, self._jobs, self._sides = number, jobs, sides
        self._room = sum(job.room for job in jobs)
        self._size = Chunk.size(self._room, *jobs[0].widths)
        self._side = -1
        self.commons: Commons = backend.commons(sides * self._size)

    def desks(self) -> list[Desk]:
        """Go to the next side and return every worker's desk there."""
        self._side = (self._side + 1) % self._sides
        firsts = accumulate((job.room for job in self._jobs[:-1]), initial=0)
        begin = self._side * self._size
        return [Desk(self.commons, self.number, begin, self._room, first) for first in firsts]

    def joined(self, found: Sequence[Collected], fresh: bool) -> Chunk:
        """Return the workers' chunks one after another, here or in `fresh` memory."""
        begin = self._side * self._size
        whole = Chunk.allocate(self._room, *self._jobs[0].widths, self.commons.memory[begin:])
        firsts = accumulate((job.room for job in self._jobs), initial=0)
        parts = []
        for first, part in zip(firsts, found, strict=False):
            if len(part.chunk) < part.n:  # it lies there
                rows = whole.rows(slice(first, first + part.n))
                parts.append(part.chunk.holding(rows.arrays()))
            else:
                parts.append(part.chunk)
        return join(parts, Chunk.allocate(self._room, *self._jobs[0].widths) if fresh else whole)


def join(parts: Sequence[Chunk], whole: Chunk) -> Chunk:
    """Bring chunks one after another into `whole` and return what is filled of it.

    They may lie in `whole` already, each not before the place where it goes.
    """
    n = sum(map(len, parts))
    joined = whole.rows(slice(0, n))
    begin = 0
    for part in parts:
        there = joined.rows(slice(begin, begin + len(part)))
        for name, array in there.arrays().items():
            # with one dimension NumPy moves what overlaps without copying it aside
            array.reshape(-1)[:] = part.arrays()[name].reshape(-1)
        there.next_index[there.next_index >= 0] += begin
        begin += len(part)
    joined.episodes = [episode for part in parts for episode in part.episodes]
    joined.decisions = sum(part.decisions for part in parts)
    names = dict.fromkeys(name for part in parts for name in part.seconds)
    joined.seconds = {name: sum(part.seconds.get(name, 0.0) for part in parts) for name in names}
    studies = [part.study for part in parts if part.study is not None]
    joined.study = Study.joined(studies) if studies else None
    return joined
