"""A worker at the other end of a pipe on this machine: arrays go through shared memory.

What goes over the pipe. To the worker: ``(name of the request's segment, name of the answer's
segment, layout of the request)``. From it: ``("alive",)`` every second; ``("room", n)`` when an
answer needs n bytes of segment, which is answered with a name or None; ``("done", layout)``;
``("failed", error)``. The caller owns all segments; if it dies, Python's resource tracker frees
them.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from dwarrow.training.crew.crew import Done, Failed
from dwarrow.training.crew.segment import Parcel, Segment, Window, unpack

BEAT = 1.0
"""Seconds between two signs of life."""

SILENCE = 60.0
"""A worker that gives none for so long, while somebody listens, is lost."""


class Line:
    """The caller's side.

    Attributes:
        pipe: what to wait for.
        busy: whether an answer is due.
        silent: seconds for which nothing came, while somebody listened.
        heard: whether anything ever came.
    """

    def __init__(self, worker: int, pipe: Connection) -> None:
        """Begin without segments."""
        self.worker, self.pipe = worker, pipe
        self.busy, self.silent, self.heard = False, 0.0, False
        self.requests, self.answers = Segment(), Segment()

    def send(self, request: Any) -> None:
        """Send a request, its arrays through the segment."""
        self.busy = True
        parcel = Parcel(request)
        if parcel.size and not self.requests.grow(parcel.size):
            parcel.keep_whole(request)
        layout = parcel.pack(self.requests.buffer)
        with suppress(OSError):  # it died: noticed when its answer is waited for
            self.pipe.send((self.requests.name, self.answers.name, layout))

    def receive(self) -> Done | Failed | None:
        """Read what the worker has sent; None if that was only a sign of life.

        Raises:
            OSError: there is no worker any more.
            EOFError: the same.
        """
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
        return None

    def missed(self, listened: float, silence: float) -> bool:
        """Count a time in which nothing came; return whether it was too long.

        Only time spent listening counts: the caller may be busy, or everything suspended.
        """
        self.silent += listened
        return self.silent >= silence

    def free(self) -> None:
        """Give the segments back."""
        self.requests.free()
        self.answers.free()


class Mail:
    """The worker's side of the pipe."""

    def __init__(self, pipe: Connection, child: bool = True) -> None:
        """Give a sign of life, and go on to do so; `child`: see `Window`."""
        self.pipe, self.lock = pipe, threading.Lock()
        self.requests, self.answers = Window(child), Window(child)
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
        """Send a message."""
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


def serve(mail: Mail, make: Callable[[], Any]) -> None:
    """Make an object with the first request and do what is asked until the pipe is closed."""
    made: Any = None
    with suppress(OSError, EOFError):
        while True:
            method, arguments = mail.receive()
            try:
                if made is None:
                    made = make()
                    keep_to_one_thread()
                answer = getattr(made, method)(*arguments)
            except (Exception, SystemExit) as error:
                mail.fail(error)
            else:
                mail.reply(answer)
                del answer
            del arguments


def keep_to_one_thread() -> None:
    """Let torch, if it is in use, compute on one thread."""
    torch: Any = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)
