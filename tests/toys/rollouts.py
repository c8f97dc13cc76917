"""What the tests of all executors share: a small job on the toy, and what a chunk says."""

import os
import resource
import signal
from dataclasses import replace
from pathlib import Path

import toys.known  # noqa: F401

from dwarrow.agents.neural.network import Network, Shape
from dwarrow.envs import game
from dwarrow.training.executors import Executor, WorkerSettings
from dwarrow.training.matchmaking import LEARNER, League, OpponentPool
from dwarrow.training.rollout import WorkerJob
from dwarrow.training.scholar import EXPERT, SearchJob
from dwarrow.training.trajectory import Chunk

TOY = game("goofspiel")
SHAPE = Shape(32)
JOB = WorkerJob(
    TOY, ({"players": 2}, {"players": 3}), tables=32, decisions=800, seed=3, shape=SHAPE
)
DECISIONS = 800
SEARCHING = replace(JOB, search=SearchJob(8, 4, 0.5, 0.25, 1.0, shape=SHAPE))
"""A job for two learners, of whom one searches."""


def network(seed: int) -> Network:
    return Network(TOY.observation, TOY.n_actions, SHAPE, seed)


def league(folder: Path) -> League:
    """Half of the games against `rule` or a past self that lies in `folder`."""
    past = OpponentPool(folder, TOY).snapshot(network(99), 0)
    return League(0.5, ("rule", past.name), (1.0, 1.0), ("rule", past.spec))


def content(chunk: Chunk) -> tuple:
    """Return all that a chunk says, but for the time it took."""
    arrays = {name: array.tobytes() for name, array in chunk.arrays().items()}
    if chunk.study is not None:
        arrays |= {name: array.tobytes() for name, array in chunk.study.arrays().items()}
    return arrays, chunk.episodes, chunk.decisions


def collected(executor: Executor, against: League, n: int, first: int = 0) -> list[tuple]:
    """Collect `n` chunks, each by other weights."""
    found = []
    for k in range(first, first + n):
        for name in (LEARNER, EXPERT) if EXPERT in against.names else (LEARNER,):
            executor.publish(network(k), name)
        found.append(content(executor.collect(against, DECISIONS)))
    return found


def started(kind: str, workers: int, job: WorkerJob = JOB, **more) -> Executor:
    settings = WorkerSettings(executor=kind, workers=workers, **more)
    return settings.started(job, say=lambda line: None)


def games_counted(chunks: list[tuple]) -> list[int]:
    return [episode.number for _, episodes, _ in chunks for episode in episodes]


def against_others(chunks: list[tuple]) -> set[str]:
    episodes = [episode for _, found, _ in chunks for episode in found]
    return {owner for episode in episodes for owner in episode.owners} - {LEARNER}


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def resident(process: str) -> float:
    """Return the megabytes of memory that are a process's own, without what it shares."""
    fields = Path(f"/proc/{process}/statm").read_text().split()
    return (int(fields[1]) - int(fields[2])) * resource.getpagesize() / 2**20
