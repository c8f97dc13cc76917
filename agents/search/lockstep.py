"""Search guided by a network: many searches advance together, their leaves judged in one batch.

Each step of the lock-step draws a state for every search, walks down its trees by PUCT until a new
decision, and asks the network about all these leaves at once: priors for the seat to move there and
utilities for every seat. Observations are written from the drawn states for the seat they belong
to, so the network too sees only what a seat may know.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from dwarrow.agents.base import Decision, Rows, Words
from dwarrow.agents.search.agent import spend
from dwarrow.agents.search.mo_ismcts import descend, determinize
from dwarrow.agents.search.plan import PLAN, Settings, plan_for
from dwarrow.agents.search.selection import chance
from dwarrow.agents.search.thought import (
    Thought,
    empty_decision,
    record_choice,
    thought_of,
    without_search,
)
from dwarrow.agents.search.tree import (
    EDGE,
    HEAD,
    NODE,
    SLOT,
    STEP,
    Tree,
    add_edge,
    backup,
    bytes_needed,
    check_memory,
    clear,
    find,
    n_slots,
    root_table,
)
from dwarrow.envs.core.compiling import compile_once
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Floats, Mask, States, kernel, legal, observe, returns
from dwarrow.envs.core.record import NONE, as_records, empty
from dwarrow.envs.core.rng import mix
from dwarrow.envs.core.table import floats

LANES = 64
"""Searches that advance together at most."""

TIMED_LANE_NODES = 20_000
"""Room in the trees of one search that is limited by time."""

WIDTH = 64
"""Edges a node has at most on average; where all are used up the tree stops growing."""


class Evaluator(Protocol):
    """Judges leaves; `dwarrow.agents.neural.agent.NeuralAgent` is one."""

    def evaluate(self, obs: Floats) -> tuple[Floats, Floats]:
        """Return logits [n, n_actions] and the observer's utility [n] for observations [n, F]."""
        ...


class Forest(NamedTuple):
    """The trees of all lanes: the arrays of `Tree` with a first axis for the lane."""

    heads: States
    nodes: States
    edges: States
    slots: States
    paths: States
    keys: NDArray[np.uint64]


class Leaves(NamedTuple):
    """Where every lane stands, and what the network is asked; kernels write all of it."""

    work: States  # the drawn states [lanes]
    length: Rows  # of each path [lanes]
    mask: Mask  # legal actions at the leaf [lanes, n_actions]
    values: Floats  # utilities [lanes, max_seats]
    asked: Rows  # row of `obs` for each seat, NONE if not asked [lanes, max_seats]
    obs: Floats  # [lanes * max_seats, n_features]


def lane(forest: Forest, b: int) -> Tree:
    """Return the tree of lane `b`; the memory is shared."""
    return Tree(
        forest.heads[b : b + 1],
        forest.nodes[b],
        forest.edges[b],
        forest.slots[b],
        forest.paths[b],
        forest.keys[b],
    )


tree_of = kernel(lane)
"""The same for kernels alone: compiled, it lends arrays, which Python would take for its own."""


@kernel
def plant(forest: Forest, first: int, last: int) -> None:
    """Clear the trees of the lanes from `first` to before `last`."""
    for b in range(first, last):
        clear(tree_of(forest, b))


@kernel
def advance(
    states: States,
    rows: Rows,
    plans: States,
    forest: Forest,
    leaves: Leaves,
    words: Words,
    first: int,
    last: int,
) -> None:
    """Draw a state for each lane and walk down to its leaf."""
    for b in range(first, last):
        word, plan = words[b : b + 1], plans[b : b + 1]
        determinize(states, rows[b], states[rows[b]].seat, plan, leaves.work, b, word)
        leaves.length[b] = descend(leaves.work, b, plan, tree_of(forest, b), leaves.mask[b], word)


@kernel
def ask(plans: States, leaves: Leaves, n: int) -> int:
    """Write the observations that judge the leaves of `n` lanes; return how many.

    Between two seats, and in a team, the seat to move speaks for all; else every seat is asked.
    """
    asked = 0
    for b in range(n):
        s = leaves.work[b]
        leaves.asked[b] = NONE
        if s.over:
            continue
        alone = s.n_seats <= 2 or plans[b].cooperative
        for seat in range(s.n_seats):
            if alone and seat != s.seat:
                continue
            leaves.asked[b, seat] = asked
            leaves.obs[asked] = 0
            observe(leaves.work, b, seat, leaves.obs[asked])
            asked += 1
    return asked


@kernel
def credit(
    plans: States,
    forest: Forest,
    leaves: Leaves,
    logits: Floats,
    value: Floats,
    noise: float,
    words: Words,
    n: int,
) -> None:
    """Open the new nodes of `n` lanes with the network's priors, and credit their paths."""
    for b in range(n):
        s = leaves.work[b]
        tree = tree_of(forest, b)
        if s.over:
            returns(leaves.work, b, leaves.values[b])
        else:
            spread(leaves, b, value, plans[b].cooperative == 1)
            legal(leaves.work, b, leaves.mask[b])
            node = find(tree, s.seat)
            if node != NONE and tree.nodes[node].n_edges == 0:
                open_node(tree, node, leaves.mask[b], logits[leaves.asked[b, s.seat]])
                if noise > 0 and leaves.length[b] == 0:
                    blur(tree, node, noise, words[b : b + 1])
        backup(tree, leaves.length[b], leaves.values[b])


@kernel
def spread(leaves: Leaves, b: int, value: Floats, together: bool) -> None:
    """Write the utilities of all seats of lane `b` from what the network answered."""
    s = leaves.work[b]
    own = min(max(value[leaves.asked[b, s.seat]], -1.0), 1.0)
    for seat in range(s.n_seats):
        row = leaves.asked[b, seat]
        if row != NONE:
            leaves.values[b, seat] = min(max(value[row], -1.0), 1.0)
        else:
            leaves.values[b, seat] = own if together else -own


@kernel
def open_node(tree: Tree, node: int, mask: Mask, logits: Floats) -> None:
    """Add every legal action to a new node, with the softmax of its logit as prior."""
    best = -math.inf
    for action in range(len(mask)):
        if mask[action]:
            best = max(best, logits[action])
    total = 0.0
    for action in range(len(mask)):
        if mask[action]:
            total += math.exp(logits[action] - best)
    for action in range(len(mask)):
        if mask[action]:
            edge = add_edge(tree, node, action)
            if edge == NONE:
                return
            tree.edges[edge].prior = math.exp(logits[action] - best) / total
            tree.edges[edge].available = 0


@kernel
def blur(tree: Tree, node: int, noise: float, word: Any) -> None:
    """Mix a random point of the simplex (a flat Dirichlet draw) into the priors of a node."""
    total = 0.0
    e = tree.nodes[node].first
    while e != NONE:
        edge = tree.edges[e]
        edge.chance = -math.log(1 - chance(word))
        total += edge.chance
        e = edge.next
    e = tree.nodes[node].first
    while e != NONE:
        edge = tree.edges[e]
        edge.prior = (1 - noise) * edge.prior + noise * edge.chance / total
        e = edge.next


class NetSearch:
    """PUCT with a network, many decisions at a time."""

    ranked = True

    def __init__(self, game: Game, spec: str, settings: Settings, evaluator: Evaluator) -> None:
        """Plan the trees; they are allocated for as many lanes as a batch turns out to need.

        Args:
            game: the game.
            spec: how the agent is called.
            settings: budget and manners; rollouts play no part.
            evaluator: judges leaves, for this game.

        Raises:
            ValueError: settings that have no meaning here, or trees beyond this machine's memory.
        """
        for name in ("rollout", "epsilon", "cutoff"):
            if getattr(settings, name) is not None:
                raise ValueError(f"{name}={getattr(settings, name)}: a network replaces rollouts")
        if settings.selection not in (None, "ucb"):
            raise ValueError(f"selection={settings.selection}: a network brings its own, PUCT")
        self.game, self.spec, self.settings, self.evaluator = game, spec, settings, evaluator
        self._n_nodes = (settings.limit or TIMED_LANE_NODES) + 1
        self._n_edges = self._n_nodes * min(game.n_actions, WIDTH) + game.n_actions
        check_memory(bytes_needed(self._n_nodes, self._n_edges) * LANES)
        self._lanes = 0
        game.ready()
        compile_once(f"{game.name}-lockstep", f"guided search in {game.title}", self._exercise)
        if settings.seconds is not None:
            self._exercise()  # loading compiled code is not to cost thinking time

    def act(self, game: Game, states: States, rows: Rows, words: Words) -> Decision:
        """Choose an action in each of ``states[rows]``; see `Agent.act`."""
        decision = empty_decision(len(rows), game.n_actions)
        for k, (thought, luck) in enumerate(self._think_all(states, rows, words)):
            record_choice(thought, luck, decision, k)
        return decision

    def think(self, game: Game, states: States, i: int, word: int = 0) -> Thought:
        """Return the visit table of the decision in game `i`; `word` seeds the search."""
        rows, words = np.array([i]), np.array([word], np.uint64)
        return self._think_all(states, rows, words)[0][0]

    def _think_all(self, states: States, rows: Rows, words: Words) -> list[tuple[Thought, float]]:
        """Return what is thought in each row, and a number in [0, 1) to choose by.

        Forced moves are not searched.
        """
        states = as_records(states)
        found: dict[int, tuple[Thought, float]] = {}
        for k, i in enumerate(rows):
            legal_there = self.game.legal(states, int(i))
            if len(legal_there) == 1:
                seat = int(states["seat"][i])
                found[k] = without_search(self.game, seat, int(legal_there[0])), 0.0
        free = np.setdiff1d(np.arange(len(rows)), list(found))
        for first in range(0, len(free), LANES):
            part = free[first : first + LANES]
            found.update(
                zip(part, self._think_together(states, rows[part], words[part]), strict=True)
            )
        return [found[k] for k in range(len(rows))]

    def _think_together(
        self, states: States, rows: Rows, words: Words
    ) -> Iterator[tuple[Thought, float]]:
        """Search in some rows, at most as many as there are lanes; `words` are used up."""
        n = len(rows)
        self._grow(n)
        plans = self._plans(states["n_seats"][rows])
        plant(self.forest, 0, n)
        with ThreadPoolExecutor(self.settings.threads) as pool:

            def run(sims: int) -> int:
                for _ in range(sims):
                    self._step(states, rows, plans, words, pool)
                return sims

            sims = spend(self.settings, run, first=1)
        for b in range(n):
            i, tree = rows[b], lane(self.forest, b)
            seat, phase = int(states["seat"][i]), int(states["phase"][i])
            table = root_table(tree, seat)
            luck = float(mix(words[b]) >> np.uint64(11)) / 2**53
            yield (
                thought_of(self.game, plans[b : b + 1], self.settings, phase, seat, sims, table),
                luck,
            )

    def _step(
        self, states: States, rows: Rows, plans: States, words: Words, pool: ThreadPoolExecutor
    ) -> None:
        """Run one simulation in every lane."""
        n, forest, leaves = len(rows), self.forest, self.leaves
        threads = min(self.settings.threads, n)
        if threads == 1:
            advance(states, rows, plans, forest, leaves, words, 0, n)
        else:
            arrays = (states, rows, plans, forest, leaves, words)
            mine, *others = pairwise(n * t // threads for t in range(threads + 1))
            waiting = [pool.submit(advance, *arrays, *part) for part in others]
            advance(*arrays, *mine)
            for other in waiting:
                other.result()
        asked = ask(plans, leaves, n)
        logits, value = self.evaluator.evaluate(leaves.obs[:asked]) if asked else self._nothing
        credit(plans, forest, leaves, logits, value, self.settings.noise, words, n)

    @property
    def _nothing(self) -> tuple[Floats, Floats]:
        return np.zeros((0, self.game.n_actions), np.float32), floats(0)

    def _plans(self, n_seats: NDArray[Any]) -> States:
        plans = empty(PLAN, len(n_seats))
        for b, seats in enumerate(n_seats):
            plans[b] = plan_for(self.game, self.settings, int(seats), guided=True)[0]
        return plans

    def _grow(self, lanes: int) -> None:
        """Allocate trees and leaves for so many lanes, unless they are there."""
        if lanes <= self._lanes:
            return
        game = self.game
        seats, depth = game.max_seats, game.max_decisions
        self.forest = Forest(
            empty(HEAD, lanes),
            _grid(NODE, lanes, self._n_nodes),
            _grid(EDGE, lanes, self._n_edges),
            _grid(SLOT, lanes, n_slots(self._n_nodes)),
            _grid(STEP, lanes, depth),
            np.zeros((lanes, seats), np.uint64),
        )
        self.leaves = Leaves(
            empty(game.dtype, lanes),
            np.zeros(lanes, np.int64),
            np.zeros((lanes, game.n_actions), np.int8),
            np.zeros((lanes, seats), np.float32),
            np.zeros((lanes, seats), np.int64),
            np.zeros((lanes * seats, game.observation.size), np.float32),
        )
        self._lanes = lanes

    def _exercise(self) -> None:
        states = as_records(self.game.new())
        self._grow(1)
        rows, words = np.zeros(1, np.int64), np.zeros(1, np.uint64)
        plans = self._plans(states["n_seats"])
        plant(self.forest, 0, 1)
        advance(states, rows, plans, self.forest, self.leaves, words, 0, 1)
        n = ask(plans, self.leaves, 1)
        logits, value = np.zeros((n, self.game.n_actions), np.float32), floats(n)
        credit(plans, self.forest, self.leaves, logits, value, 0.0, words, 1)


def _grid(dtype: np.dtype[np.void], lanes: int, n: int) -> States:
    return empty(dtype, lanes * n).reshape(lanes, n)
