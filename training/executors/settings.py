"""Which executor: the settings, and the executor that they mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from dwarrow.training.crew import ExecutorName, backend_for, say_on_stderr, settle
from dwarrow.training.executors.executor import Executor
from dwarrow.training.rollout import WorkerJob


@dataclass(frozen=True, kw_only=True)
class WorkerSettings:
    """Settings that say where rollouts are played; part of every run's."""

    executor: ExecutorName | None = None
    """Where games are played: serial (by turns with learning), threads, processes or ray. Default:
    serial; processes if there are several workers; ray if there is an address."""

    workers: int | None = None
    """Workers that play. Default: 1 if serial, else one for every core."""

    address: str | None = None
    """The Ray cluster: auto, or HOST:PORT of its head. Default: Ray is started on this machine."""

    overlap: bool = False
    """Play while learning goes on, by the weights before; not with serial."""

    deadline: float = 900.0
    """A worker that has not handed in its part of a batch after so many seconds is replaced."""

    def settle_workers(self) -> None:
        """Fill in what was left open, when the settings are made.

        Raises:
            ValueError: settings that contradict one another.
        """
        executor, workers = settle(self.executor, self.workers, self.address)
        if self.overlap and executor == "serial":
            raise ValueError("--overlap with --executor serial: nobody is there to play meanwhile")
        if not self.deadline > 0:
            raise ValueError(f"--deadline {self.deadline}: more than 0 seconds")
        object.__setattr__(self, "executor", executor)
        object.__setattr__(self, "workers", workers)

    def started(self, job: WorkerJob, say: Callable[[str], None] = say_on_stderr) -> Executor:
        """Return an executor whose workers share out the games of a job.

        Args:
            job: all the games of the run.
            say: told of every worker that is lost.

        Raises:
            ValueError: Ray is not installed, or has no cluster there.
        """
        executor, workers = settle(self.executor, self.workers, self.address)
        found = executor_for(
            executor,
            workers,
            self.address,
            overlap=self.overlap,
            deadline=self.deadline,
            say=say,
        )
        found.start(split(job, workers))
        return found


def split(job: WorkerJob, workers: int) -> list[WorkerJob]:
    """Return jobs that share out the games of one: every worker its tables and its numbers."""
    return [
        replace(
            job,
            tables=max(1, -(-job.tables // workers)),
            decisions=-(-job.decisions // workers),
            first=job.first + k * job.stride,
            stride=job.stride * workers,
        )
        for k in range(workers)
    ]


def executor_for(
    executor: ExecutorName,
    workers: int,
    address: str | None = None,
    *,
    overlap: bool = False,
    deadline: float = 900.0,
    say: Callable[[str], None] = say_on_stderr,
) -> Executor:
    """Return an executor, not yet started.

    Raises:
        ValueError: Ray is not installed, or has no cluster there.
    """
    return Executor(
        backend_for(executor, workers, address),
        overlap=overlap,
        deadline=deadline,
        say=say,
    )
