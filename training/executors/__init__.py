"""Where rollout workers run: behind one interface, so that learners do not know."""

from dwarrow.training.executors.base import Executor
from dwarrow.training.executors.serial import SerialExecutor

__all__ = ["Executor", "SerialExecutor"]
