"""Tree searches as agents: budgets, threads, the visit table, the choice at the end."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any

import numpy as np

from dwarrow.agents.base import Decision, Rows, Words
from dwarrow.agents.players import players_of
from dwarrow.agents.search.mo_ismcts import simulate
from dwarrow.agents.search.plan import TIMED_NODES, Budget, Rollout, Selection, Settings, plan_for
from dwarrow.agents.search.selection import visit_policy
from dwarrow.agents.search.tree import (
    Tree,
    allocate,
    bytes_needed,
    check_memory,
    clear,
    root_table,
)
from dwarrow.envs.core.compiling import compile_once
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Floats, Mask, States
from dwarrow.envs.core.record import as_records, empty
from dwarrow.envs.core.rng import mix
from dwarrow.envs.core.table import floats

FIRST_CHUNK = 32
"""Simulations run before a timed search looks at the clock for the first time."""

REGRET_WIDTH = 8
"""Edges a simulation adds at most on average, where regret matching opens all at once."""


@dataclass(frozen=True)
class Candidate:
    """A row of the visit table.

    Attributes:
        action: its number.
        name: its name in the rulebook's words.
        visits: simulations that began with it.
        value: mean utility of the searching seat over these, in [-1, 1].
        availability: simulations in which it was legal.
        share: probability with which the search would play it.
    """

    action: int
    name: str
    visits: int
    value: float
    availability: int
    share: float


@dataclass(frozen=True)
class Thought:
    """What a search thinks of a decision.

    Attributes:
        seat: the seat to move.
        sims: simulations run.
        value: utility that `seat` expects, in [-1, 1].
        candidates: the legal actions that were tried, the most visited first.
    """

    seat: int
    sims: int
    value: float
    candidates: list[Candidate] = field(default_factory=list)

    def __str__(self) -> str:
        """Return the visit table as text."""
        width = max([len(c.name) for c in self.candidates], default=6)
        lines = [f"{'action':<{width}}  visits   value  available   share"]
        lines += [
            f"{c.name:<{width}}  {c.visits:>6}  {c.value:+.3f}  {c.availability:>9}  "
            f"{c.share:>6.1%}"
            for c in self.candidates
        ]
        return "\n".join(
            [*lines, f"seat {self.seat} expects {self.value:+.3f} after {self.sims} simulations"]
        )


class Workspace:
    """What one search at a time needs: a tree and the state it plays on."""

    def __init__(self, game: Game, n_nodes: int, n_edges: int) -> None:
        """Allocate."""
        self.tree: Tree = allocate(n_nodes, n_edges, game.max_decisions, game.max_seats)
        self.work: States = empty(game.dtype, 1)
        self.mask: Mask = np.zeros(game.n_actions, np.int8)
        self.word = np.zeros(1, np.uint64)
        self.values: Floats = floats(game.max_seats)


class SearchAgent:
    """Searches in one game, one decision after another, on a given number of threads."""

    def __init__(
        self,
        game: Game,
        spec: str,
        settings: Budget,
        depth: int = 0,
        oracle: bool = False,
    ) -> None:
        """Allocate the trees.

        Args:
            game: the game.
            spec: how the agent is called.
            settings: budget and manners.
            depth: decisions kept in the tree; 0: all, 1: a bandit over the root's actions.
            oracle: search the true state, hidden cards and chance to come included.

        Raises:
            ValueError: the settings do not fit the game, or the trees this machine.
        """
        self.game, self.spec, self.settings = game, spec, settings
        self.ranked = not oracle
        self.depth, self.oracle = depth, oracle
        self._plans: dict[int, States] = {}
        check_rollout(game, settings)
        self.n_nodes = (settings.limit or TIMED_NODES) + 1
        wide = isinstance(settings, Settings) and settings.selection == "regret"
        self.n_edges = self.n_nodes * (REGRET_WIDTH if wide else 1) + game.n_actions
        check_memory(bytes_needed(self.n_nodes, self.n_edges) * settings.threads, spec)
        self._idle: SimpleQueue[Workspace] = SimpleQueue()
        for _ in range(settings.threads):
            self._idle.put(Workspace(game, self.n_nodes, self.n_edges))
        game.ready()
        compile_once(f"{game.name}-search", f"search in {game.title}", self._exercise)

    def act(self, game: Game, states: States, rows: Rows, words: Words) -> Decision:
        """Choose an action in each of ``states[rows]``; see `Agent.act`."""
        decision = empty_decision(len(rows), game.n_actions)

        def one(k: int) -> None:
            thought, luck = self._search(states, int(rows[k]), words[k])
            self._choose(thought, luck, decision, k)

        if self.settings.threads == 1 or len(rows) == 1:
            for k in range(len(rows)):
                one(k)
        else:
            with ThreadPoolExecutor(self.settings.threads) as pool:
                list(pool.map(one, range(len(rows))))
        return decision

    def think(self, game: Game, states: States, i: int, word: int = 0) -> Thought:
        """Return the visit table of the decision in game `i`; `word` seeds the search."""
        return self._search(states, i, np.uint64(word))[0]

    def plan(self, seats: int) -> States:
        """Return the plan for games of so many seats."""
        if seats not in self._plans:
            self._plans[seats] = plan_for(self.game, self.settings, seats, self.depth, self.oracle)
        return self._plans[seats]

    def _search(self, states: States, i: int, word: Any) -> tuple[Thought, float]:
        """Search in game `i`; return the thought and one number in [0, 1) for the choice."""
        states = as_records(states)
        seat, plan = int(states["seat"][i]), self.plan(int(states["n_seats"][i]))
        with lent(self._idle) as space:
            space.word[0] = word
            clear(space.tree)
            legal = self.game.legal(states, i)
            if len(legal) == 1:
                only = int(legal[0])
                return self._thought(seat, 0, [(only, 0, 0.0, 0, 0.0)], plan, states, i), 0.0
            sims = self._spend(
                lambda n: simulate(
                    states,
                    i,
                    seat,
                    plan,
                    space.tree,
                    space.work,
                    space.mask,
                    space.word,
                    space.values,
                    n,
                )
            )
            table = root_table(space.tree, seat)
            luck = float(mix(space.word[0]) >> np.uint64(11)) / 2**53
        return self._thought(seat, sims, table, plan, states, i), luck

    def _spend(self, run: Callable[[int], None]) -> int:
        """Call `run` with numbers of simulations until the budget is spent; return how many."""
        seconds, limit = self.settings.seconds, self.settings.limit
        if seconds is None:
            assert limit is not None
            run(limit)
            return limit
        begun, done, chunk = time.perf_counter(), 0, FIRST_CHUNK
        while True:
            run(chunk)
            done += chunk
            spent = time.perf_counter() - begun
            left = int(done * (seconds - spent) / spent)
            if limit is not None:
                left = min(left, limit - done)
            if left <= 0:
                return done
            chunk = min(left, max(done, FIRST_CHUNK))

    def _thought(
        self,
        seat: int,
        sims: int,
        table: list[tuple[int, int, float, int, float]],
        plan: States,
        states: States,
        i: int,
    ) -> Thought:
        visits = np.array([row[1] for row in table], np.float64)
        regret = plan["selection"][0] == Selection.REGRET and (
            int(plan["simultaneous"][0]) >> int(states["phase"][i]) & 1
        )
        if not sims:
            share = np.ones(1)
        elif regret:
            share = np.array([row[4] for row in table])
            share /= share.sum()
        else:
            share = visit_policy(visits, getattr(self.settings, "temperature", 0.0))
        value = float(sum(row[1] * row[2] for row in table) / max(visits.sum(), 1))
        candidates = [
            Candidate(action, self.game.actions[action], n, mean, available, float(p))
            for (action, n, mean, available, _), p in zip(table, share, strict=True)
        ]
        return Thought(seat, sims, value, candidates)

    def _choose(self, thought: Thought, luck: float, decision: Decision, k: int) -> None:
        record_choice(thought, luck, decision, k)

    def _exercise(self) -> None:
        states = self.game.new()
        space = Workspace(self.game, 9, 9 + self.game.n_actions)
        clear(space.tree)
        simulate(
            states,
            0,
            int(states["seat"][0]),
            self.plan(int(states["n_seats"][0])),
            space.tree,
            space.work,
            space.mask,
            space.word,
            space.values,
            4,
        )


def record_choice(thought: Thought, luck: float, decision: Decision, k: int) -> None:
    """Write what a thought comes to into row `k` of a decision; `luck` in [0, 1) draws it."""
    assert decision.logp is not None
    assert decision.value is not None
    assert decision.policy is not None
    shares = np.array([c.share for c in thought.candidates])
    chosen = min(int(np.searchsorted(np.cumsum(shares), luck, "right")), len(shares) - 1)
    decision.action[k] = thought.candidates[chosen].action
    decision.logp[k] = np.log(max(shares[chosen], 1e-30))
    decision.value[k] = thought.value
    visits = sum(c.visits for c in thought.candidates)
    for c in thought.candidates:
        decision.policy[k, c.action] = c.visits / visits if visits else 1.0


def empty_decision(n: int, n_actions: int) -> Decision:
    """Allocate a decision for `n` rows with all its parts."""
    return Decision(
        np.zeros(n, np.int64),
        np.zeros(n, np.float32),
        np.zeros(n, np.float32),
        np.zeros((n, n_actions), np.float32),
    )


def check_rollout(game: Game, settings: Budget) -> None:
    """Load the game's scripted players, which rollouts may need.

    Raises:
        ValueError: the rollouts ask for them and there are none.
    """
    try:
        players_of(game)
    except KeyError as error:
        if settings.rollout not in (None, Rollout.RANDOM.name.lower()):
            raise ValueError(f"rollout={settings.rollout}: {error.args[0]}") from None


@contextmanager
def lent(idle: SimpleQueue[Any]) -> Any:
    """Take a workspace, waiting for one if need be, and give it back afterwards."""
    space = idle.get()
    try:
        yield space
    finally:
        idle.put(space)
