"""Workers as processes: spawned on every system, arrays through shared memory, one thread each.

What goes over a worker's pipe. To it: ``(name of the request's segment, name of the answer's
segment, layout of the request)``. From it: ``("alive",)`` every second; ``("room", n)`` when an
answer needs n bytes of segment, which is answered with a name or None; ``("done", layout)``;
``("failed", error)``. This process owns all segments; if it dies, Python's resource tracker frees
them.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

from dwarrow.training.crew.commons import Commons, SharedCommons
from dwarrow.training.crew.crew import Done, Failed, Lost, Recipe
from dwarrow.training.crew.segment import Parcel, Segment, Window, unpack

BEAT = 1.0
"""Seconds between two signs of life."""

SILENCE = 60.0
"""A process that gives none for so long, while somebody listens, is lost."""

SLOW_START = 300.0
"""The same for its first: it has libraries to load."""

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
        self._hosts[worker].send((method, arguments))

    def wait(self, seconds: float) -> Sequence[Done | Failed | Lost]:
        """Return what has come in."""
        until = time.monotonic() + seconds
        found: list[Done | Failed | Lost] = []
        while not found:
            begun = time.monotonic()
            signs: list[Any] = []
            for host in self._hosts.values():
                signs += [host.pipe, host.process.sentinel]
            ready = connection.wait(signs, max(0.0, min(BEAT, until - begun)))
            listened = min(time.monotonic() - begun, 2 * BEAT)
            for host in list(self._hosts.values()):
                heard = host.pipe in ready or host.process.sentinel in ready
                answer = host.receive() if heard else host.missed(listened, self.silence)
                if answer is not None:
                    found.append(answer)
                if isinstance(answer, Lost):
                    self.stop(host.worker)
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
            host.pipe.close()  # an idle worker ends at that
        until = time.monotonic() + _PATIENCE
        while self._hosts:
            host = self._hosts.popitem()[1]
            # one that works on something nobody waits for need not finish it
            host.end(0.0 if host.busy else max(0.0, until - time.monotonic()))

    def process_ids(self) -> dict[int, int]:
        """Return the id of each worker's process."""
        return {worker: int(host.process.pid or 0) for worker, host in self._hosts.items()}


class _Host:
    """This side of one worker process."""

    def __init__(self, worker: int, recipe: Recipe) -> None:
        self.worker, self.busy = worker, False
        self.silent, self.heard = 0.0, False
        self.requests, self.answers = Segment(), Segment()
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(
            target=_serve, args=(theirs, recipe), name=f"dwarrow-worker-{worker}", daemon=True
        )
        with one_thread_each():
            self.process.start()
        theirs.close()

    def send(self, request: Any) -> None:
        """Send a request, its arrays through the segment."""
        self.busy = True
        parcel = Parcel(request)
        if parcel.size and not self.requests.grow(parcel.size):
            parcel.keep_whole(request)
        layout = parcel.pack(self.requests.buffer)
        with suppress(OSError):  # it died: noticed when its answer is waited for
            self.pipe.send((self.requests.name, self.answers.name, layout))

    def receive(self) -> Done | Failed | Lost | None:
        """Read what the process has sent; None if that was only a sign of life."""
        try:
            while self.pipe.poll():
                self.silent, self.heard = 0.0, True
                kind, *rest = self.pipe.recv()
                if kind == "room":
                    self.pipe.send(self.answers.name if self.answers.grow(rest[0]) else None)
                elif kind == "done":
                    self.busy = False
                    return Done(self.worker, unpack(rest[0], self.answers.buffer))
                elif kind == "failed":
                    self.busy = False
                    return Failed(self.worker, rest[0])
        except (OSError, EOFError):
            pass
        else:
            if self.process.is_alive():
                return None
        self.process.join(_PATIENCE)
        return Lost(self.worker, f"process {self.process.pid} {_ending(self.process.exitcode)}")

    def missed(self, listened: float, silence: float) -> Lost | None:
        """Count a time in which nothing came; return that the process is lost if it was too long.

        Only time spent listening counts: the learner may be busy, or everything suspended.
        """
        self.silent += listened
        allowed = silence if self.heard else max(silence, SLOW_START)
        if self.silent < allowed:
            return None
        return Lost(self.worker, f"process {self.process.pid}: no sign of life for {allowed:g} s")

    def end(self, patience: float) -> None:
        """Let the process end, or kill it; free its segments."""
        self.pipe.close()
        if patience:
            self.process.join(patience)
        if self.process.is_alive():
            self.process.kill()
        self.process.join()
        self.process.close()
        self.requests.free()
        self.answers.free()


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


class _Mail:
    """The worker's side of the pipe."""

    def __init__(self, pipe: Connection) -> None:
        self.pipe, self.lock = pipe, threading.Lock()
        self.requests, self.answers = Window(), Window()
        self.room: str | None = None
        self._sign()  # before any work: from now on silence means something
        threading.Thread(target=self._beat, daemon=True).start()

    def _beat(self) -> None:
        while True:
            time.sleep(BEAT)
            self._sign()

    def _sign(self) -> None:
        try:
            self.send(("alive",))
        except OSError:
            os._exit(1)  # nobody is there to work for

    def send(self, message: tuple[Any, ...]) -> None:
        with self.lock:
            self.pipe.send(message)

    def receive(self) -> Any:
        """Wait for a request and return it; arrays are views."""
        name, self.room, layout = self.pipe.recv()
        return unpack(layout, self.requests.buffer(name))

    def reply(self, value: Any) -> None:
        """Send an answer, its arrays through the segment."""
        parcel = Parcel(value)
        memory = self.answers.buffer(self.room)
        if parcel.size and (memory is None or len(memory) < parcel.size):
            del memory
            self.send(("room", parcel.size))
            self.room = self.pipe.recv()
            memory = self.answers.buffer(self.room)
            if memory is None:
                parcel.keep_whole(value)
        self.send(("done", parcel.pack(memory)))

    def fail(self, error: BaseException) -> None:
        """Send an error, with what led to it as a note."""
        text = "".join(traceback.format_exception(error))
        try:
            error.add_note(f"in a worker process:\n{text}")
            error.__traceback__ = None
            pickle.loads(pickle.dumps(error))
        except Exception:  # not every error survives the journey
            error = RuntimeError(f"in a worker process: {text}")
        self.send(("failed", error))


def _serve(pipe: Connection, recipe: Recipe) -> None:
    """Make the object and do what is asked until the pipe is closed."""
    # Ctrl-C is for the parent to handle: it ends the workers itself
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    mail = _Mail(pipe)
    made: Any = None
    with suppress(OSError, EOFError):
        while True:
            method, arguments = mail.receive()
            try:
                if made is None:
                    made = recipe.make()
                    keep_to_one_thread()
                answer = getattr(made, method)(*arguments)
            except (Exception, SystemExit) as error:
                mail.fail(error)
            else:
                mail.reply(answer)
                del answer
            del arguments
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # views of shared memory need no tidying up


def keep_to_one_thread() -> None:
    """Let torch, if it is in use, compute on one thread."""
    torch: Any = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)
