"""An object for workers to hold, which does as it is told, and itself harm if so told."""

import os
import signal
import time
from pathlib import Path

import numpy as np


class Errands:
    def __init__(self, name: str) -> None:
        self.name = name
        self.total = 0

    def square(self, x: int) -> int:
        time.sleep(0.002 * (x % 3))  # answers come out of order
        return x * x

    def add(self, x: int) -> tuple[str, int]:
        self.total += x
        return self.name, self.total

    def put(self, total: int) -> None:
        self.total = total

    def pid(self) -> int:
        return os.getpid()

    def double(self, array: np.ndarray) -> np.ndarray:
        return 2 * array

    def fail(self) -> None:
        raise LookupError("no such errand")

    def die(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def die_once(self, mark: str) -> str:
        """Die, unless somebody has died there before."""
        if not Path(mark).exists():
            Path(mark).touch()
            self.die()
        return "alive"

    def stop_once(self, mark: str) -> str:
        """Freeze, unless somebody has done so before."""
        if not Path(mark).exists():
            Path(mark).touch()
            os.kill(os.getpid(), signal.SIGSTOP)
        return "alive"

    def sleep(self, seconds: float) -> str:
        time.sleep(seconds)
        return "rested"


def shared_memory(process: int | None = None) -> set[str]:
    """Return the names of the shared memory of a process, or of this one."""
    return {path.name for path in Path("/dev/shm").glob(f"dwarrow-{process or os.getpid()}-*")}
