"""One process at a time works on the folder of a run.

The file ``lock.json`` says who does: process and machine. What counts is the operating system's
lock on the file, which ends with its process, however that ends; so a file left behind by a killed
process is no obstacle. (On Windows it counts whether the process is still alive.)
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path

if sys.platform != "win32":
    import fcntl

LOCK = "lock.json"

_PATIENCE = 0.3
"""Seconds to try: somebody who only looks holds the lock for a moment."""


@dataclass(frozen=True)
class Holder:
    """Who works on a run.

    Attributes:
        pid: number of the process.
        host: name of the machine.
    """

    pid: int
    host: str

    def __str__(self) -> str:
        """Return both in words."""
        return f"process {self.pid} on {self.host}"


@contextmanager
def locked(run: Path) -> Iterator[None]:
    """Keep others off the folder of a run, which must exist.

    Raises:
        ValueError: another process is at work on it; names it.
    """
    path = run / LOCK
    with path.open("a+", encoding="utf-8") as file:
        if not _take(file, path):
            raise ValueError(f"{run}: {_holder(path) or 'another process'} is at work on this run")
        file.truncate(0)
        file.write(json.dumps({"pid": os.getpid(), "host": socket.gethostname()}) + "\n")
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)


def holder(run: Path) -> Holder | None:
    """Return who is at work on a run now, None if nobody is."""
    path = run / LOCK
    if not path.is_file():
        return None
    if sys.platform == "win32":
        return _living(_holder(path))
    with path.open("r", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return _holder(path) or Holder(0, "unknown")
        fcntl.flock(file, fcntl.LOCK_UN)
    return None


def _take(file: TextIOWrapper, path: Path) -> bool:
    if sys.platform == "win32":
        return _living(_holder(path)) is None
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() > until:
                return False
            time.sleep(0.02)
        else:
            return True


def _holder(path: Path) -> Holder | None:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        return Holder(int(values["pid"]), str(values["host"]))
    except (ValueError, KeyError, TypeError, OSError):
        return None


def _living(found: Holder | None) -> Holder | None:
    if found is None or found.host != socket.gethostname():
        return found
    try:
        os.kill(found.pid, 0)
    except OSError:
        return None
    return found
