"""What Ray runs: an actor that holds a worker's object.

An actor on the caller's node finds the arrays of a request in shared memory and leaves those of its
answer there, as a process of its own would (see `segment`); through Ray go the rest and a name.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from dwarrow.training.crew.commons import Commons, Memory, SharedCommons
from dwarrow.training.crew.crew import Recipe
from dwarrow.training.crew.processes import keep_to_one_thread
from dwarrow.training.crew.segment import Layout, Parcel, Window, unpack


@dataclass(frozen=True)
class Greeting:
    """Where an actor lives.

    Attributes:
        node: id of its node.
        pid: id of its process there.
        near: whether it sees the caller's shared memory.
    """

    node: str
    pid: int
    near: bool


@dataclass(frozen=True)
class Parcelled:
    """An answer in shared memory, or whole if there is too little of that.

    Attributes:
        room: bytes that it needs there.
        layout: what is not there.
    """

    room: int
    layout: Layout


class Host:
    """The actor.

    The object is made with the first call, so that what goes wrong there is an error, not a loss.
    """

    def __init__(self, recipe: Recipe) -> None:
        """Note the recipe."""
        self.recipe, self.made = recipe, None
        self.requests, self.answers = Window(child=False), Window(child=False)

    def hello(self, home: str, name: str | None) -> Greeting:
        """Say where this is, to a caller on the node `home` who has shared memory of that name."""
        here = node()
        near = here == home and self.requests.buffer(name) is not None
        return Greeting(here, os.getpid(), near)

    def call(self, method: str, *arguments: Any) -> Any:
        """Ask the object."""
        return getattr(self._object(), method)(*arguments)

    def call_near(self, requests: str | None, answers: str | None, layout: Layout) -> Parcelled:
        """Do the same for a caller on this node."""
        there = self._object()
        method, arguments = unpack(layout, self.requests.buffer(requests))
        answer = getattr(there, method)(*arguments)
        parcel, memory = Parcel(answer), self.answers.buffer(answers)
        size = parcel.size
        if size and (memory is None or len(memory) < size):
            parcel.keep_whole(answer)
        return Parcelled(size, parcel.pack(memory))

    def _object(self) -> Any:
        if self.made is None:
            self.made = self.recipe.make()
            keep_to_one_thread()
        return self.made


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
