"""What Ray runs: an actor that holds a worker's object.

An actor on the caller's node takes requests from a pipe, and their arrays from shared memory, as a
process of the caller's own would; that takes a fraction of the time of going through Ray.
"""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from dwarrow.training.crew.commons import Commons, Memory, SharedCommons
from dwarrow.training.crew.crew import Recipe
from dwarrow.training.crew.line import Mail, keep_to_one_thread, serve
from dwarrow.training.crew.segment import Window


@dataclass(frozen=True)
class Greeting:
    """Where an actor lives.

    Attributes:
        node: id of its node.
        pid: id of its process there.
        near: whether it takes requests from the pipe.
    """

    node: str
    pid: int
    near: bool


class Host:
    """The actor.

    The object is made with the first request, so that what goes wrong there is an error, not a
    loss.
    """

    def __init__(self, recipe: Recipe) -> None:
        """Note the recipe."""
        self.recipe, self.made = recipe, None
        self.pipe: Connection | None = None

    def hello(self, home: str, path: str, name: str | None) -> Greeting:
        """Say where this is.

        Args:
            home: the caller's node.
            path: a socket there that the caller listens at.
            name: shared memory of the caller.
        """
        here = node()
        if here == home and Window(child=False).buffer(name) is not None:
            with suppress(OSError):
                self.pipe = connected(path)
        return Greeting(here, os.getpid(), self.pipe is not None)

    def serve(self) -> None:
        """Do what is asked over the pipe until the caller closes it."""
        assert self.pipe is not None
        serve(Mail(self.pipe, child=False), self.recipe.make)

    def call(self, method: str, *arguments: Any) -> Any:
        """Do one thing."""
        if self.made is None:
            self.made = self.recipe.make()
            keep_to_one_thread()
        return getattr(self.made, method)(*arguments)


def connected(path: str) -> Connection:
    """Return a pipe to who listens at a socket.

    Raises:
        OSError: nobody does.
    """
    with socket.socket(socket.AF_UNIX) as found:
        found.connect(path)
        return Connection(found.detach())


def node() -> str:
    """Return the id of the node on which this process runs."""
    import ray

    return str(ray.get_runtime_context().get_node_id())


class NodeCommons(SharedCommons):
    """Shared memory for actors on the caller's node."""

    def __init__(self, size: int) -> None:
        """Allocate so many bytes."""
        super().__init__(size)
        self.node = node()

    def __reduce__(self) -> tuple[Any, ...]:
        """Send the names alone."""
        return SeenByActor, (self.name, self.node)


class SeenByActor(Commons):
    """`NodeCommons` as an actor sees it, if it lives there."""

    _window = Window(child=False)

    def __init__(self, name: str | None, node: str) -> None:
        """Note where to look."""
        self.name, self.node = name, node

    def seen(self) -> Memory | None:
        """Map it, if that was not done for the request before."""
        found = self._window.buffer(self.name) if self.node == node() else None
        return None if found is None else np.frombuffer(found, np.uint8)
