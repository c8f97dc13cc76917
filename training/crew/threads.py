"""Workers as threads of this process: nothing is copied, and compiled code runs side by side.

Kernels, searches and matrix products let go of Python's lock; what lies between them does not.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Sequence
from typing import Any

from dwarrow.training.crew.commons import Commons
from dwarrow.training.crew.crew import Done, Failed, Lost, Recipe

_Errand = tuple[str, tuple[Any, ...]] | None
_PATIENCE = 2.0  # seconds that closing waits for a thread


class ThreadBackend:
    """See `crew.Backend`; a thread cannot be lost, nor ended before its request is done."""

    remote = False

    def __init__(self) -> None:
        """Begin without workers."""
        self._errands: dict[int, queue.SimpleQueue[_Errand]] = {}
        self._threads: dict[int, threading.Thread] = {}
        self._answers: queue.SimpleQueue[tuple[threading.Thread, Done | Failed]]
        self._answers = queue.SimpleQueue()

    def start(self, worker: int, recipe: Recipe) -> None:
        """Begin a thread; its object is made with the first request."""
        errands: queue.SimpleQueue[_Errand] = queue.SimpleQueue()
        thread = threading.Thread(
            target=_work,
            args=(worker, recipe, errands, self._answers),
            name=f"dwarrow-worker-{worker}",
            daemon=True,  # a search of minutes must not keep the program from ending
        )
        self._errands[worker], self._threads[worker] = errands, thread
        thread.start()

    def submit(self, worker: int, method: str, arguments: tuple[Any, ...]) -> None:
        """Hand a request to a thread."""
        self._errands[worker].put((method, arguments))

    def wait(self, seconds: float) -> Sequence[Done | Failed | Lost]:
        """Return what has come in."""
        found: list[Done | Failed | Lost] = []
        try:
            while True:
                thread, answer = self._answers.get(timeout=0 if found else seconds)
                if self._threads.get(answer.worker) is thread:  # else it was given up
                    found.append(answer)
        except queue.Empty:
            return found

    def share(self, value: Any) -> Any:
        """Threads share everything."""
        return value

    def commons(self, size: int) -> Commons:
        """Return plain memory."""
        return Commons(size)

    def stop(self, worker: int) -> None:
        """Let a thread end after its request, whose answer is dropped."""
        self._errands.pop(worker).put(None)
        del self._threads[worker]

    def close(self) -> None:
        """Let all threads end."""
        threads = list(self._threads.values())
        for worker in list(self._threads):
            self.stop(worker)
        for thread in threads:
            thread.join(_PATIENCE)


def _work(
    worker: int,
    recipe: Recipe,
    errands: queue.SimpleQueue[_Errand],
    answers: queue.SimpleQueue[tuple[threading.Thread, Done | Failed]],
) -> None:
    made: Any = None
    answer: Done | Failed
    me = threading.current_thread()
    while (errand := errands.get()) is not None:
        method, arguments = errand
        try:
            made = recipe.make() if made is None else made
            answer = Done(worker, getattr(made, method)(*arguments))
        except BaseException as error:
            answer = Failed(worker, error)
        answers.put((me, answer))
        del answer, arguments, errand
