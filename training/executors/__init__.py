"""Where rollout workers run: behind one interface, so that learners do not know."""

from dwarrow.training.executors.base import Executor
from dwarrow.training.executors.rollouts import CrewExecutor
from dwarrow.training.executors.serial import SerialExecutor
from dwarrow.training.executors.settings import WorkerSettings, executor_for, split

__all__ = [
    "CrewExecutor",
    "Executor",
    "SerialExecutor",
    "WorkerSettings",
    "executor_for",
    "split",
]
