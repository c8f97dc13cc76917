"""`Crew`: objects that live with workers and are asked to do things, wherever the workers are.

One interface for what rollouts, search self-play, evaluations and arenas need of threads, processes
and Ray: an object a worker, one request at a time to each, answers as they come. A worker that is
lost (it died, its machine did, or it does not answer) is replaced, and its request is made again;
its first answer never arrived, so nothing counts twice.
"""

from __future__ import annotations

import os
import pickle
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from types import TracebackType
from typing import Any, Protocol, Self

from dwarrow import envs
from dwarrow.agents import base, players
from dwarrow.training.crew.commons import Commons

MOST_LOSSES = 3
"""So often in a row a worker may be lost at the same request."""

_SLICE = 1.0  # seconds between two looks at deadlines


class Backend(Protocol):
    """Where workers live. A worker is known by its number; it has one request at a time.

    Attributes:
        remote: whether workers may lack this machine's files.
    """

    remote: bool

    def start(self, worker: int, recipe: Recipe) -> None:
        """Begin a worker, in the place of an earlier one that was stopped or lost."""
        ...

    def submit(self, worker: int, method: str, arguments: tuple[Any, ...]) -> None:
        """Ask a worker's object; arrays among the arguments are not the object's to keep."""
        ...

    def wait(self, seconds: float) -> Sequence[Done | Failed | Lost]:
        """Return what has come in; if nothing has, wait for it up to so many seconds.

        Arrays in an answer are valid until the same worker is asked again.
        """
        ...

    def share(self, value: Any) -> Any:
        """Return what to hand to several workers as an argument instead of `value`."""
        ...

    def commons(self, size: int) -> Commons:
        """Return so many bytes that workers on this machine may write to; an argument for them."""
        ...

    def stop(self, worker: int) -> None:
        """End a worker at once, whatever it is doing."""
        ...

    def close(self) -> None:
        """End all workers and give back all memory; calling it again does nothing."""
        ...


@dataclass(frozen=True)
class Done:
    """A worker's answer."""

    worker: int
    value: Any


@dataclass(frozen=True)
class Failed:
    """A worker's object raised an error."""

    worker: int
    error: BaseException


@dataclass(frozen=True)
class Lost:
    """A worker is no more."""

    worker: int
    reason: str


@dataclass(frozen=True)
class Recipe:
    """How a worker makes its object, in another process or on another machine.

    Attributes:
        call: pickled function and arguments, which may name games and agents by name only.
        games: module of each game, and of its players if they are not the package's.
        kinds: module of each kind of agent.
        paths: where this process looks for modules.
        files: weights that specs name, by what they are called there; for workers without them.
    """

    call: bytes
    games: Mapping[str, tuple[str, str | None]]
    kinds: Mapping[str, str]
    paths: tuple[str, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)

    @classmethod
    def of(
        cls, build: Callable[..., Any], *arguments: Any, files: Mapping[str, bytes] | None = None
    ) -> Recipe:
        """Return the recipe for ``build(*arguments)``."""
        modules = {name: (envs.module_of(name), players.module_of(name)) for name in envs.games()}
        paths = tuple(os.path.abspath(path) for path in sys.path)
        call = pickle.dumps((build, arguments))
        return cls(call, modules, dict(base.MODULES), paths, dict(files or {}))

    def make(self) -> Any:
        """Make the object."""
        sys.path += [p for p in self.paths if p not in sys.path and os.path.exists(p)]
        for name, (module, player_module) in self.games.items():
            envs.add_game(name, module)
            if player_module is not None:
                players.add_players(name, player_module)
        base.MODULES.update(self.kinds)
        if self.files:
            import_module("dwarrow.agents.neural.weights").carry(self.files)
        build, arguments = pickle.loads(self.call)
        return build(*arguments)


Request = tuple[str, tuple[Any, ...]]
"""Name of a method, and its arguments."""


@dataclass
class _Post:
    """What a worker has still to do.

    Attributes:
        requests: the first is in hand.
        wanted: whether each answer is wanted by the caller.
        waited: seconds of waiting for the one in hand.
        losses: how often in a row it was lost before all of that was done.
    """

    requests: deque[Request] = field(default_factory=deque)
    wanted: deque[bool] = field(default_factory=deque)
    waited: float = 0.0
    losses: int = 0


def say_on_stderr(line: str) -> None:
    """Print a line where it does not mix with results."""
    print(f"dwarrow: {line}", file=sys.stderr, flush=True)


class Crew:
    """Workers behind a backend, each with an object of its own.

    Attributes:
        incidents: what was lost and replaced, a line each.
    """

    def __init__(
        self,
        backend: Backend,
        recipes: Sequence[Recipe],
        *,
        deadline: float | None = None,
        say: Callable[[str], None] = say_on_stderr,
        revive: Callable[[int], Sequence[Request]] = lambda worker: (),
    ) -> None:
        """Start a worker for each recipe.

        Args:
            backend: where they live.
            recipes: what each is to hold.
            deadline: seconds after which a request counts as lost with its worker; None: never.
            say: told of every loss.
            revive: the requests that bring a replacement where the lost worker stood when its last
                answer came.
        """
        self.backend, self.recipes, self.deadline = backend, recipes, deadline
        self.say, self.revive = say, revive
        self.incidents: list[str] = []
        self._posts = [_Post() for _ in recipes]
        try:
            for worker, recipe in enumerate(recipes):
                backend.start(worker, recipe)
        except BaseException:
            backend.close()
            raise

    def __len__(self) -> int:
        """Return the number of workers."""
        return len(self.recipes)

    def __enter__(self) -> Self:
        """Use as ``with Crew(...) as crew``."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    def close(self) -> None:
        """End all workers at once; calling it again does nothing."""
        self.backend.close()

    def ask(self, worker: int, method: str, *arguments: Any) -> None:
        """Ask a worker that has nothing to do; `answers` brings what it says."""
        assert not self._posts[worker].requests, "a worker has one request at a time"
        self._enqueue(worker, [((method, arguments), True)])

    def answers(self) -> Iterator[tuple[int, Any]]:
        """Yield (worker, answer) as they come, until nobody has anything to do.

        Raises:
            ChildProcessError: workers are lost again and again.
            Exception: whatever a worker's object raises.
        """
        while any(post.requests for post in self._posts):
            begun = time.monotonic()
            found = self.backend.wait(_SLICE)
            passed = min(time.monotonic() - begun, 2 * _SLICE)
            for answer in found:
                if isinstance(answer, Failed):
                    self._arrived(answer.worker)
                    raise answer.error
                if isinstance(answer, Lost):
                    self._replace(answer.worker, answer.reason)
                elif self._arrived(answer.worker):
                    yield answer.worker, answer.value
            self._check_deadlines(passed)

    def map(self, method: str, items: Iterable[Any]) -> Iterator[Any]:
        """Ask whoever is free for one item after another; yield the answers in order of the items.

        Raises:
            ChildProcessError: workers are lost again and again.
            Exception: whatever a worker's object raises.
        """
        todo = iter(enumerate(items))
        in_hand: dict[int, int] = {}
        done: dict[int, Any] = {}
        due = 0

        def employ(worker: int) -> None:
            # workers do not run far ahead of a slow item: what is done must be kept
            if len(done) < 4 * len(self):
                for index, item in todo:
                    in_hand[worker] = index
                    self.ask(worker, method, item)
                    return

        def employ_idle() -> None:
            for worker in range(len(self)):
                if worker not in in_hand:
                    employ(worker)

        employ_idle()
        for worker, value in self.answers():
            done[in_hand.pop(worker)] = value
            employ(worker)
            while due in done:
                yield done.pop(due)
                due += 1
            employ_idle()

    def _enqueue(self, worker: int, requests: Sequence[tuple[Request, bool]]) -> None:
        post = self._posts[worker]
        for request, wanted in requests:
            post.requests.append(request)
            post.wanted.append(wanted)
        self._submit(worker)

    def _submit(self, worker: int) -> None:
        post = self._posts[worker]
        post.waited = 0.0
        self.backend.submit(worker, *post.requests[0])

    def _arrived(self, worker: int) -> bool:
        """Note that the request in hand is done; return whether its answer is wanted."""
        post = self._posts[worker]
        post.requests.popleft()
        wanted = post.wanted.popleft()
        if post.requests:
            self._submit(worker)
        else:
            post.losses = 0
        return wanted

    def _check_deadlines(self, passed: float) -> None:
        """Only time spent listening counts: whoever does not listen cannot hear an answer."""
        for worker, post in enumerate(self._posts):
            if post.requests:
                post.waited += passed
                if self.deadline is not None and post.waited > self.deadline:
                    self.backend.stop(worker)
                    self._replace(worker, f"no answer for {self.deadline:g} s")

    def _replace(self, worker: int, reason: str) -> None:
        post = self._posts[worker]
        wanted = [
            (request, True)
            for request, is_wanted in zip(post.requests, post.wanted, strict=True)
            if is_wanted
        ]
        post.losses += 1
        if post.losses >= MOST_LOSSES:
            raise ChildProcessError(
                f"worker {worker} was lost {post.losses} times at the same work, lastly: {reason}"
            )
        self.incidents.append(f"worker {worker} was lost ({reason}); another takes its place")
        self.say(self.incidents[-1])
        self.backend.start(worker, self.recipes[worker])
        post.requests.clear()
        post.wanted.clear()
        again = [(request, False) for request in self.revive(worker)] + wanted
        if again:
            self._enqueue(worker, again)
