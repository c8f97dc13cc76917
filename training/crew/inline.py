"""The worker in this process and this thread: it works while its answer is waited for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dwarrow.training.crew.commons import Commons
from dwarrow.training.crew.crew import Done, Failed, Lost, Recipe


class InlineBackend:
    """See `crew.Backend`; for one worker it is the fastest there is."""

    remote = False

    def __init__(self) -> None:
        """Begin without workers."""
        self._made: dict[int, Any] = {}
        self._requests: dict[int, tuple[str, tuple[Any, ...]]] = {}

    def start(self, worker: int, recipe: Recipe) -> None:
        """Make the object."""
        self._made[worker] = recipe.make()

    def submit(self, worker: int, method: str, arguments: tuple[Any, ...]) -> None:
        """Note the request."""
        self._requests[worker] = (method, arguments)

    def wait(self, seconds: float) -> Sequence[Done | Failed | Lost]:
        """Do what was asked first."""
        worker = next(iter(self._requests))
        method, arguments = self._requests.pop(worker)
        try:
            return [Done(worker, getattr(self._made[worker], method)(*arguments))]
        except Exception as error:
            return [Failed(worker, error)]

    def share(self, value: Any) -> Any:
        """Return the value."""
        return value

    def commons(self, size: int) -> Commons:
        """Return plain memory."""
        return Commons(size)

    def stop(self, worker: int) -> None:
        """Let the object go."""
        self._made.pop(worker, None)
        self._requests.pop(worker, None)

    def close(self) -> None:
        """Let all objects go."""
        self._made.clear()
        self._requests.clear()
