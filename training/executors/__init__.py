"""Where rollout workers run: behind one interface, so that learners do not know."""

from dwarrow.training.executors.executor import Executor
from dwarrow.training.executors.settings import WorkerSettings, executor_for, split

__all__ = ["Executor", "WorkerSettings", "executor_for", "split"]
