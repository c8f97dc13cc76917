"""Plays units of matches here, in threads, processes or on Ray; the same rows everywhere.

A unit is always played whole and by itself, so a row never depends on which worker played it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

import numpy as np

from dwarrow import envs
from dwarrow.agents import base
from dwarrow.agents.base import AgentSpec
from dwarrow.benchmarks.guard import Fault, Guard
from dwarrow.benchmarks.identity import network_of
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import States
from dwarrow.training import crew
from dwarrow.training.crew import ExecutorName, backend_for, settle
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

    def __post_init__(self) -> None:
        """Check the time.

        Raises:
            ValueError: no time at all.
        """
        if self.seconds is not None and not self.seconds > 0:
            raise ValueError(f"seconds={self.seconds}: more than 0")


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
    """Plays units; every worker holds one."""

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


class Crew:
    """Workers for one job; one worker plays in this process unless told otherwise."""

    def __init__(
        self,
        job: Job,
        workers: int | None = None,
        executor: ExecutorName | None = None,
        address: str | None = None,
    ) -> None:
        """Make the agents here in any case: a bad spec shows at once.

        Args:
            job: what to know.
            workers: how many; see `training.crew.settle`.
            executor: where they play.
            address: the Ray cluster, if that is where.

        Raises:
            ValueError: options that contradict one another, or what `Player` refuses.
        """
        self.executor, self.workers = settle(executor, workers, address)
        self.job, self.address = job, address
        self.files = _weights(job.agents)
        self.player = self._make()
        self.game: Game = self.player.game
        self._crew: crew.Crew | None = None

    def __enter__(self) -> Self:
        """Use as ``with Crew(...) as crew``; workers begin with the first unit."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the workers; nobody waits for units that are in play."""
        if self._crew is not None:
            self._crew.close()
            self._carry({})  # threads have carried them for this process too

    def play(self, units: Iterable[Unit]) -> Iterator[Played]:
        """Play units and yield them in their order.

        Raises:
            ChildProcessError: workers died again and again.
            ValueError: Ray is not installed, or has no cluster there.
        """
        if self.executor == "serial":
            yield from map(self.player.play, units)
            return
        if self._crew is None:
            self._crew = self._begin()
        try:
            yield from self._crew.map("play", units)
        except ChildProcessError as error:
            raise ChildProcessError(
                f"{error}. What was played is kept: run the same command again, with fewer workers"
            ) from None

    def _begin(self) -> crew.Crew:
        self.game.ready()  # compiled once here, not in every worker at the same time
        backend = backend_for(self.executor, self.workers, self.address)
        recipe = crew.Recipe.of(Player, self.job, files=self.files)
        return crew.Crew(backend, [recipe] * self.workers)

    def _make(self) -> Player:
        """Make the agents of this process, by the weights that all workers are given."""
        self._carry(self.files)
        try:
            return Player(self.job)
        finally:
            self._carry({})

    def _carry(self, files: Mapping[str, bytes]) -> None:
        if self.files:
            from dwarrow.agents.neural.weights import carry  # brings torch with it

            carry(files)


def _weights(specs: Sequence[str]) -> Mapping[str, bytes]:
    """Read the weights that specs name, once for all workers: a run may be at work on them."""
    if not any(network_of(AgentSpec.parse(spec)) for spec in specs):
        return {}
    from dwarrow.agents.neural.weights import luggage

    with suppress(ValueError):  # who makes the agents says what is missing, and for whom
        return luggage(specs)
    return {}
