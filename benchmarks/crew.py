"""Plays units of matches in this process or in several; the same rows either way.

A unit is always played whole and by itself, so a row never depends on which worker played it.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import active_children, get_context
from types import TracebackType
from typing import Any, Self

import numpy as np

from dwarrow import envs
from dwarrow.agents import base, players
from dwarrow.benchmarks.guard import Fault, Guard
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import States
from dwarrow.training.match import Lineup, Row, ThinkingTime, play_matches


@dataclass(frozen=True)
class Job:
    """What every worker has to know.

    Attributes:
        game: its name.
        options: its options but for the number of players.
        agents: specs of the agents.
        seconds: time for a decision; None: no limit.
    """

    game: str
    options: Mapping[str, Any]
    agents: tuple[str, ...]
    seconds: float | None = None


@dataclass(frozen=True)
class Unit:
    """Matches that are played together.

    Attributes:
        lineups: the matches.
        options: options of the game that hold for this unit only.
    """

    lineups: Sequence[Lineup]
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Played:
    """A unit that was played: its rows in order, and the agents' time.

    Each row's `extra` is (fault or None, reason why the game ended).
    """

    rows: list[Row]
    thinking: ThinkingTime


class Player:
    """Plays units; a worker process holds one."""

    def __init__(self, job: Job) -> None:
        """Make the game and its agents.

        Raises:
            ValueError: a spec or an option that does not fit.
            KeyError: an unknown game.
        """
        self.job, self.game = job, envs.game(job.game)
        self.faults: dict[int, Fault] = {}
        self.made = {spec: base.make(spec, self.game) for spec in job.agents}
        self.agents = {s: Guard(a, self.faults, job.seconds) for s, a in self.made.items()}
        self._warm = False

    def play(self, unit: Unit) -> Played:
        """Play one unit."""
        self._warm_up()
        thinking = ThinkingTime()
        self.faults.clear()
        rows = play_matches(
            self.game,
            {**self.job.options, **unit.options},
            unit.lineups,
            self.agents,
            inspect=self._inspect,
            thinking=thinking,
        )
        return Played(rows, thinking)

    def _warm_up(self) -> None:
        """Let each agent decide once unwatched: compiling is no thinking time."""
        if not self._warm:
            states = self.game.new(1)
            for agent in self.made.values():
                with suppress(Exception):  # the guard reports what it does in a game
                    agent.act(self.game, states, np.zeros(1, np.int64), np.zeros(1, np.uint64))
            self._warm = True

    def _inspect(self, states: States, i: int) -> tuple[Fault | None, str]:
        reason = self.game.breakdown(states, i).get("end_reason", "")
        return self.faults.pop(i, None), str(reason)


_player: Player | None = None


def _enter(job: Job, modules: tuple[str, str | None]) -> None:
    global _player
    # Ctrl-C is for the parent to handle: it ends the workers itself
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    game_module, player_module = modules
    envs.add_game(job.game, game_module)
    if player_module is not None:
        players.add_players(job.game, player_module)
    _player = Player(job)


def _play(unit: Unit) -> Played:
    assert _player is not None  # set when the process began
    return _player.play(unit)


class Crew:
    """Workers for one job; one worker plays in this process."""

    def __init__(self, job: Job, workers: int = 1) -> None:
        """Make the agents here in any case: a bad spec shows at once.

        Raises:
            ValueError: fewer than one worker, or what `Player` refuses.
        """
        if workers < 1:
            raise ValueError(f"workers={workers}: at least 1")
        self.job, self.workers = job, workers
        self.player = Player(job)
        self.game: Game = self.player.game
        self._pool: ProcessPoolExecutor | None = None
        self._others = set(active_children())

    def __enter__(self) -> Self:
        """Use as ``with Crew(...) as crew``; processes begin with the first unit."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the processes; after an error nobody waits for the units that are in play."""
        if self._pool is None:
            return
        if kind is not None:
            for worker in set(active_children()) - self._others:
                worker.terminate()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def play(self, units: Iterable[Unit]) -> Iterator[Played]:
        """Play units and yield them in their order.

        Raises:
            ChildProcessError: a worker process died.
        """
        if self.workers == 1:
            yield from map(self.player.play, units)
            return
        waiting: deque[Future[Played]] = deque()
        try:
            for unit in units:
                waiting.append(self._submit(unit))
                if len(waiting) >= 2 * self.workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:  # noticed when a unit is handed in or when one is waited for
            raise ChildProcessError(
                "a worker process died (out of memory, perhaps); what was played is kept: "
                "run the same command again, with fewer workers"
            ) from None

    def _submit(self, unit: Unit) -> Future[Played]:
        if self._pool is None:
            self.game.ready()  # compiled once here, not in every worker at the same time
            modules = envs.module_of(self.job.game), players.module_of(self.job.game)
            self._pool = ProcessPoolExecutor(
                self.workers,
                mp_context=get_context("spawn"),
                initializer=_enter,
                initargs=(self.job, modules),
            )
        with one_thread_each():  # submitting is what begins processes
            return self._pool.submit(_play, unit)


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
