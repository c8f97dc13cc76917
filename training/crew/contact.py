"""The caller's side of a Ray actor: over a pipe if the actor is on this node, else through Ray."""

from __future__ import annotations

import os
import signal
import socket
import tempfile
from contextlib import suppress
from multiprocessing import connection
from typing import Any

from dwarrow.training.crew.actor import Greeting, node
from dwarrow.training.crew.crew import Done, Failed, Lost
from dwarrow.training.crew.line import SILENCE, Line
from dwarrow.training.crew.segment import Segment

START = 300.0
"""An actor that has not begun for so long, while its answer is waited for, is lost."""

PATIENCE = 60.0
"""Seconds for fetching an answer that is ready."""


class Shared:
    """A value for several workers."""

    def __init__(self, value: Any) -> None:
        """Take it as it is; it is put into the object store when somebody elsewhere needs it."""
        self.value = value
        self._reference: Any = None

    def reference(self) -> Any:
        """Return what stands for it in the object store."""
        if self._reference is None:
            import ray

            self._reference = ray.put(self.value)
        return self._reference


class Contact:
    """An actor, as seen from here.

    Attributes:
        greeting: what it said of itself; None: nothing yet.
        line: the pipe to it, if it is near.
        due: whether an answer is.
    """

    def __init__(self, worker: int, actor: Any) -> None:
        """Call to it."""
        self.worker, self.actor = worker, actor
        self.greeting: Greeting | None = None
        self.line: Line | None = None
        self.due = False
        self._held: tuple[str, tuple[Any, ...]] | None = None  # asked before it greeted
        self._waited = 0.0
        self._answer: Any = None  # references
        self._serving: Any = None
        self._door = _Door()
        self._hello = actor.hello.remote(node(), self._door.path, self._door.segment.name)

    def ask(self, method: str, arguments: tuple[Any, ...]) -> None:
        """Send a request, or keep it until it is known where to."""
        self.due = True
        if self.greeting is None:
            self._held = method, arguments
        elif self.line is not None:
            near = tuple(a.value if isinstance(a, Shared) else a for a in arguments)
            self.line.send((method, near))
        else:
            far = [a.reference() if isinstance(a, Shared) else a for a in arguments]
            self._answer = self.actor.call.remote(method, *far)

    @property
    def reference(self) -> Any:
        """What to ask Ray for, if an answer is due that does not come through the pipe."""
        if not self.due:
            return None
        return self._hello if self.greeting is None else self._answer

    def receive(self) -> Done | Failed | Lost | None:
        """Read what has come in; Ray's errors say that the actor is lost."""
        import ray

        if self.greeting is None:
            self.meet(PATIENCE)
            return None
        if self.line is None:
            reference, self._answer, self.due = self._answer, None, False
            return Done(self.worker, ray.get(reference, timeout=PATIENCE))
        try:
            found = self.line.receive()
        except (OSError, EOFError):
            ray.get(self._serving, timeout=PATIENCE)  # says what has become of it
            return Lost(self.worker, f"process {self.greeting.pid} does not answer")
        self.due = found is None
        return found

    def missed(self, listened: float) -> Lost | None:
        """Count a time in which nothing came; return that the actor is lost if it was too long."""
        if not self.due:
            return None
        if self.greeting is None:
            self._waited += listened
            if self._waited > START:
                return Lost(self.worker, f"its actor did not begin within {START:g} s")
        elif self.line is not None and self.line.missed(listened, SILENCE):
            with suppress(ProcessLookupError):  # Ray would ask it to end, which it may not hear
                os.kill(self.greeting.pid, signal.SIGKILL)
            return Lost(self.worker, f"no sign of life for {SILENCE:g} s")
        return None

    def meet(self, seconds: float) -> None:
        """Note where the actor is; send it what was kept.

        Raises:
            TimeoutError: it does not begin within so many seconds.
        """
        import ray

        greeting = ray.get(self._hello, timeout=seconds)
        if greeting.near:
            self.line = Line(self.worker, self._door.opened())
            self._serving = self.actor.serve.remote()
        self._door.close()
        self.greeting = greeting
        if self._held is not None:
            request, self._held = self._held, None
            self.ask(*request)

    def end(self) -> None:
        """Kill the actor."""
        import ray

        if ray.is_initialized():
            ray.kill(self.actor)
        if self.line is not None:
            self.line.pipe.close()
            self.line.free()
        self._door.close()


class _Door:
    """Where an actor of this node comes in: a socket in a folder of its own.

    Attributes:
        path: of the socket; empty: there is none, and all actors are spoken to through Ray.
        segment: shared memory, to see whether it sees any.
    """

    def __init__(self) -> None:
        self.path, self.segment = "", Segment()
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        if hasattr(socket, "AF_UNIX") and self.segment.grow(1):
            self._folder = tempfile.TemporaryDirectory(prefix="dwarrow-")
            self._socket = socket.socket(socket.AF_UNIX)
            self._socket.settimeout(PATIENCE)
            path = os.path.join(self._folder.name, "door")
            with suppress(OSError):  # there are names too long for a socket
                self._socket.bind(path)
                self._socket.listen(1)
                self.path = path

    def opened(self) -> connection.Connection:
        """Return a pipe to the actor that stands there."""
        found, _ = self._socket.accept()
        found.setblocking(True)
        return connection.Connection(found.detach())

    def close(self) -> None:
        """Take the door away; doing so again does nothing."""
        self.segment.free()
        if self._folder is not None:
            self._socket.close()
            self._folder.cleanup()
            self._folder = None
