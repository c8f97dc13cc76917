"""Tree searches as agents: budgets, threads, memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from queue import SimpleQueue

import numpy as np

from dwarrow.agents.base import Decision, Rows, Words
from dwarrow.agents.players import players_of
from dwarrow.agents.search import race
from dwarrow.agents.search.mo_ismcts import simulate
from dwarrow.agents.search.plan import (
    TIMED_NODES,
    Budget,
    Rollout,
    Selection,
    Settings,
    plan_for,
)
from dwarrow.agents.search.thought import (
    Thought,
    empty_decision,
    record_choice,
    thought_of,
    without_search,
)
from dwarrow.agents.search.tree import (
    RootRow,
    Tree,
    allocate,
    bytes_needed,
    check_memory,
    clear,
    root_table,
)
from dwarrow.agents.search.tuned import swept
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


class Workspace:
    """What one search at a time needs: a tree, or a race, and the state it plays on."""

    def __init__(self, game: Game, n_nodes: int, n_edges: int) -> None:
        """Allocate."""
        self.tree: Tree = allocate(n_nodes, n_edges, game.max_decisions, game.max_seats)
        self.race = race.allocate(game.n_actions)
        self.work: States = empty(game.dtype, 1)
        self.mask: Mask = np.zeros(game.n_actions, np.int8)
        self.word: Words = np.zeros(1, np.uint64)
        self.values: Floats = floats(game.max_seats)

    def begin(self, states: States, i: int, plan: States) -> None:
        """Forget the last search and make ready for that of ``states[i]``."""
        clear(self.tree)
        if is_race(plan):
            race.line_up(states, i, plan, self.race, self.mask, self.word)

    def simulate(
        self, states: States, i: int, seat: int, plan: States, n: int, settle: bool = False
    ) -> int:
        """Run `n` more simulations of the search for `seat` in ``states[i]``; return how many.

        With `settle` a search by visits ends where the rest could not change its choice.
        """
        own = self.work, self.mask, self.word, self.values
        if is_race(plan):
            race.run(states, i, seat, plan, self.race, *own, n)
            return n
        return int(simulate(states, i, seat, plan, self.tree, *own, n, settle))

    def table(self, seat: int, plan: States) -> list[RootRow]:
        """Return what was found of each action."""
        if is_race(plan):
            return race.table(self.race, float(plan["caution"][0]), float(plan["margin"][0]))
        return root_table(self.tree, seat)


class SearchAgent:
    """Searches in one game, one decision after another, on a given number of threads."""

    def __init__(
        self, game: Game, spec: str, settings: Budget, depth: int = 0, oracle: bool = False
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
        self._depth, self._oracle = depth, oracle
        self._plans: dict[int, States] = {}
        load_players(game, settings)
        n_nodes = (settings.limit or TIMED_NODES) + 1
        width = REGRET_WIDTH if may_match_regrets(game, settings) else 1
        n_edges = n_nodes * width + game.n_actions
        check_memory(bytes_needed(n_nodes, n_edges) * settings.threads)
        self._idle: SimpleQueue[Workspace] = SimpleQueue()
        for _ in range(settings.threads):
            self._idle.put(Workspace(game, n_nodes, n_edges))
        game.ready()
        compile_once(f"{game.name}-search", f"search in {game.title}", self._exercise)
        if settings.seconds is not None:
            self._exercise()  # loading compiled code is not to cost thinking time

    def act(self, game: Game, states: States, rows: Rows, words: Words) -> Decision:
        """Choose an action in each of ``states[rows]``; see `Agent.act`."""
        decision = empty_decision(len(rows), game.n_actions)

        def one(k: int) -> None:
            thought, luck = self._search(states, int(rows[k]), words[k], settle=True)
            record_choice(thought, luck, decision, k)

        side_by_side(one, len(rows), self.settings.threads)
        return decision

    def think(self, game: Game, states: States, i: int, word: int = 0) -> Thought:
        """Return the visit table of the decision in game `i`; `word` seeds the search."""
        return self._search(states, i, np.uint64(word))[0]

    def _plan(self, seats: int) -> States:
        if seats not in self._plans:
            self._plans[seats] = plan_for(
                self.game, self.settings, seats, self._depth, self._oracle
            )
        return self._plans[seats]

    def _search(
        self, states: States, i: int, word: np.uint64, settle: bool = False
    ) -> tuple[Thought, float]:
        """Search in game `i`; return the thought and one number in [0, 1) to choose by.

        With `settle` a search whose budget is simulations, and which will take the most visited
        action, ends when it is known: the choice is the same, its visits are fewer.
        """
        states = as_records(states)
        seat, phase = int(states["seat"][i]), int(states["phase"][i])
        plan = self._plan(int(states["n_seats"][i]))
        legal = self.game.legal(states, i)
        if len(legal) == 1:
            return without_search(self.game, seat, int(legal[0])), 0.0
        with lent(self._idle) as space:
            space.word[0] = word
            space.begin(states, i, plan)
            if is_race(plan) and int(plan["followed"][0]) >> phase & 1:
                followed = int(space.race.field["action"][0])
                return without_search(self.game, seat, followed), 0.0
            settle = settle and settles(self.settings, plan)
            sims = spend(self.settings, lambda n: space.simulate(states, i, seat, plan, n, settle))
            table = space.table(seat, plan)
            luck = float(mix(space.word[0]) >> np.uint64(11)) / 2**53
        return thought_of(self.game, plan, self.settings, phase, seat, sims, table), luck

    def _exercise(self) -> None:
        states = self.game.new()
        space = Workspace(self.game, 9, 9 + self.game.n_actions)
        plan = self._plan(int(states["n_seats"][0])).copy()
        for selection in (Selection.UCB, Selection.RACE):
            plan["selection"] = selection
            space.begin(states, 0, plan)
            space.simulate(states, 0, int(states["seat"][0]), plan, 4)
            space.table(0, plan)


def is_race(plan: States) -> bool:
    """Return whether a plan is one of a race, not of a tree."""
    return int(plan["selection"][0]) == Selection.RACE


def may_match_regrets(game: Game, settings: Budget) -> bool:
    """Return whether regret matching is chosen in `game`, for some number of players at least."""
    if not isinstance(settings, Settings):
        return False
    if settings.selection is not None:
        return settings.selection == "regret"
    return any(row.selection == "regret" for row in swept(game.name).values())


def settles(settings: Budget, plan: States) -> bool:
    """Return whether a search takes the most visited action, of a number of visits known before."""
    drawn = isinstance(settings, Settings) and settings.temperature > 0
    return settings.seconds is None and not drawn and int(plan["selection"][0]) == Selection.UCB


def side_by_side(work: Callable[[int], None], n: int, threads: int) -> None:
    """Call `work` with 0 to ``n - 1`` on so many threads, of which the calling one is the first.

    The caller works too because a system tends to wake two threads on one core while their caller
    sleeps, and takes milliseconds to part them.
    """
    left = iter(range(n))

    def some() -> None:
        for k in left:  # one iterator for all: taking from it is atomic
            work(k)

    helpers = min(threads, n) - 1
    if helpers <= 0:
        some()
        return
    with ThreadPoolExecutor(helpers) as pool:
        others = [pool.submit(some) for _ in range(helpers)]
        some()
        for other in others:
            other.result()


def spend(budget: Budget, run: Callable[[int], int], first: int = FIRST_CHUNK) -> int:
    """Call `run` with numbers of simulations until the budget is spent; return how many it ran.

    A search limited by time looks at the clock after the `first` simulations, then now and then.
    """
    seconds, limit = budget.seconds, budget.limit
    if seconds is None:
        assert limit is not None
        return run(limit)
    begun, done, chunk = time.perf_counter(), 0, first
    if limit is not None:
        chunk = min(chunk, limit)
    while True:
        run(chunk)
        done += chunk
        spent = time.perf_counter() - begun
        left = int(done * (seconds - spent) / spent)
        if limit is not None:
            left = min(left, limit - done)
        if left <= 0:
            return done
        chunk = min(left, done)


def load_players(game: Game, settings: Budget) -> None:
    """Load the game's scripted players, which rollouts may need.

    Raises:
        ValueError: the rollouts ask for them and there are none.
    """
    try:
        players_of(game)
    except KeyError as error:
        if settings.rollout not in (None, Rollout.RANDOM.name.lower()):
            raise ValueError(f"rollout={settings.rollout}: {error.args[0]}") from None
        if isinstance(settings, Settings) and settings.advice:
            raise ValueError(f"advice={settings.advice}: {error.args[0]}") from None
        if isinstance(settings, Settings) and settings.selection == "race":
            raise ValueError(f"selection=race: {error.args[0]}") from None


@contextmanager
def lent(idle: SimpleQueue[Workspace]) -> Iterator[Workspace]:
    """Take a workspace, waiting for one if need be, and give it back afterwards."""
    space = idle.get()
    try:
        yield space
    finally:
        idle.put(space)
