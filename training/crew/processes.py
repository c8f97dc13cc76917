"""Workers as processes: spawned on every system, arrays through shared memory, one thread each."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

from dwarrow.training.crew.commons import Commons, SharedCommons
from dwarrow.training.crew.crew import Done, Failed, Lost, Recipe
from dwarrow.training.crew.line import BEAT, SILENCE, Line, Mail, serve

SLOW_START = 300.0
"""`SILENCE` for a process's first sign of life: it has libraries to load."""

_PATIENCE = 5.0  # seconds in which a process that is told to end may do so


class ProcessBackend:
    """See `crew.Backend`."""

    remote = False

    def __init__(self, silence: float = SILENCE) -> None:
        """Begin without workers; see `SILENCE`."""
        self.silence = silence
        self._hosts: dict[int, _Host] = {}

    def start(self, worker: int, recipe: Recipe) -> None:
        """Spawn a process."""
        self._hosts[worker] = _Host(worker, recipe)

    def submit(self, worker: int, method: str, arguments: tuple[Any, ...]) -> None:
        """Send a request."""
        self._hosts[worker].line.send((method, arguments))

    def wait(self, seconds: float) -> Sequence[Done | Failed | Lost]:
        """Return what has come in."""
        until = time.monotonic() + seconds
        found: list[Done | Failed | Lost] = []
        while not found:
            begun = time.monotonic()
            signs: list[Any] = []
            for host in self._hosts.values():
                signs += [host.line.pipe, host.process.sentinel]
            ready = connection.wait(signs, max(0.0, min(BEAT, until - begun)))
            listened = min(time.monotonic() - begun, 2 * BEAT)
            for worker, host in list(self._hosts.items()):
                heard = host.line.pipe in ready or host.process.sentinel in ready
                answer = host.receive() if heard else host.missed(listened, self.silence)
                if answer is not None:
                    found.append(answer)
                if isinstance(answer, Lost):
                    self.stop(worker)
            if time.monotonic() >= until:
                break
        return found

    def share(self, value: Any) -> Any:
        """Return the value: it is copied into each worker's segment."""
        return value

    def commons(self, size: int) -> Commons:
        """Return shared memory."""
        return SharedCommons(size)

    def stop(self, worker: int) -> None:
        """Kill a process."""
        self._hosts.pop(worker).end(0.0)

    def close(self) -> None:
        """Ask all processes to end, kill those that do not, free all memory."""
        for host in self._hosts.values():
            host.line.pipe.close()  # an idle worker ends at that
        until = time.monotonic() + _PATIENCE
        while self._hosts:
            host = self._hosts.popitem()[1]
            # one that works on something nobody waits for need not finish it
            host.end(0.0 if host.line.busy else max(0.0, until - time.monotonic()))

    def process_ids(self) -> dict[int, int]:
        """Return the id of each worker's process."""
        return {worker: int(host.process.pid or 0) for worker, host in self._hosts.items()}


class _Host:
    """This side of one worker process."""

    def __init__(self, worker: int, recipe: Recipe) -> None:
        context = get_context("spawn")
        pipe, theirs = context.Pipe()
        self.line = Line(worker, pipe)
        self.process: SpawnProcess = context.Process(
            target=_serve, args=(theirs, recipe), name=f"dwarrow-worker-{worker}", daemon=True
        )
        with one_thread_each():
            self.process.start()
        theirs.close()

    def receive(self) -> Done | Failed | Lost | None:
        """Read what the process has sent; None if that was only a sign of life."""
        try:
            found = self.line.receive()
        except (OSError, EOFError):
            pass
        else:
            if found is not None or self.process.is_alive():
                return found
        self.process.join(_PATIENCE)
        reason = f"process {self.process.pid} {_ending(self.process.exitcode)}"
        return Lost(self.line.worker, reason)

    def missed(self, listened: float, silence: float) -> Lost | None:
        """Count a time in which nothing came; return that it is lost if that was too long."""
        allowed = silence if self.line.heard else max(silence, SLOW_START)
        if not self.line.missed(listened, allowed):
            return None
        reason = f"process {self.process.pid}: no sign of life for {allowed:g} s"
        return Lost(self.line.worker, reason)

    def end(self, patience: float) -> None:
        """Let the process end, or kill it; free its segments."""
        self.line.pipe.close()
        if patience:
            self.process.join(patience)
        if self.process.is_alive():
            self.process.kill()
        self.process.join()
        self.process.close()
        self.line.free()


def _ending(code: int | None) -> str:
    """Say how a process ended."""
    if code is None:
        return "does not answer"
    if code >= 0:
        return f"ended with exit status {code}"
    name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
    why = ": out of memory, perhaps" if name == "SIGKILL" else ""
    return f"was ended by {name}{why}"


@contextmanager
def one_thread_each() -> Iterator[None]:
    """Let processes begun meanwhile compute on one thread: there is one for every core."""
    names = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


# In the worker process


def _serve(pipe: Connection, recipe: Recipe) -> None:
    # Ctrl-C is for the parent to handle: it ends the workers itself
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    serve(Mail(pipe), recipe.make)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # views of shared memory need no tidying up
