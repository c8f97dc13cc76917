"""The search tree: decision nodes found by what their seat has seen, in arrays allocated once.

There is one tree per seat. While a simulation runs, a 64-bit key per seat folds in every event that
the seat notices; a node is looked up by that key when the seat has to decide, and only then. So two
situations share a node exactly if the seat has noticed the same events, a simulation adds at most
one node, and what one seat hides from another never separates the nodes of the other. Chance that
`seen` does not tell, dice say, shares a node too: the search is open-loop.

Clearing is free: a slot of the hash table counts only if it carries the stamp of this search.
"""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dwarrow.envs.core.kernels import Floats, States, kernel, seen
from dwarrow.envs.core.record import NONE, empty, record
from dwarrow.envs.core.rng import mix

Keys = NDArray[np.uint64]


class Head:
    """How far the arrays are filled, and which search they belong to."""

    n_nodes: Annotated[int, np.int64]
    n_edges: Annotated[int, np.int64]
    stamp: Annotated[int, np.int64]  # of the search now running
    walk: Annotated[int, np.int64]  # number of the simulation now running


class Node:
    """A decision of one seat, as that seat knows it."""

    first: Annotated[int, np.int32]  # its edges are a linked list
    last: Annotated[int, np.int32]
    n_edges: Annotated[int, np.int32]
    visits: Annotated[int, np.int32]


class Edge:
    """One action of a node. Values are those of the seat that decides there."""

    action: Annotated[int, np.int32]
    next: Annotated[int, np.int32]
    visits: Annotated[int, np.int32]
    available: Annotated[int, np.int32]  # visits of the node in which the action was legal
    walk: Annotated[int, np.int64]  # the last simulation in which it was legal
    value: Annotated[float, np.float64]  # sum over visits
    prior: Annotated[float, np.float64]  # PUCT: the network's probability
    chance: Annotated[float, np.float64]  # regret matching: probability in this simulation
    regret: Annotated[float, np.float64]  # regret matching: sum
    strategy: Annotated[float, np.float64]  # regret matching: sum of probabilities


class Slot:
    """One place of the hash table."""

    key: Annotated[int, np.uint64]
    stamp: Annotated[int, np.int64]
    node: Annotated[int, np.int64]


class Step:
    """One recorded decision on the way down: where it was taken and by whom."""

    node: Annotated[int, np.int32]
    edge: Annotated[int, np.int32]
    seat: Annotated[int, np.int32]
    regret: Annotated[int, np.int32]  # 1 if regret matching chose it


HEAD, NODE, EDGE, SLOT, STEP = (record(r) for r in (Head, Node, Edge, Slot, Step))


class Tree(NamedTuple):
    """The arrays of one search; kernels write them."""

    head: States  # Head [1]
    nodes: States  # Node
    edges: States  # Edge
    slots: States  # Slot, a power of two
    path: States  # Step, the decisions of the simulation now running
    keys: Keys  # what each seat has seen, uint64 [max_seats]


def n_slots(n_nodes: int) -> int:
    """Return the size of the hash table: a power of two, at most half full."""
    return 1 << max(2 * n_nodes, 2).bit_length()


def bytes_needed(n_nodes: int, n_edges: int) -> int:
    """Return the memory of a tree with room for so many nodes and edges."""
    return n_nodes * NODE.itemsize + n_edges * EDGE.itemsize + n_slots(n_nodes) * SLOT.itemsize


def allocate(n_nodes: int, n_edges: int, depth: int, max_seats: int) -> Tree:
    """Allocate a tree; a search that fills it up goes on without adding nodes."""
    return Tree(
        empty(HEAD, 1),
        empty(NODE, n_nodes),
        empty(EDGE, n_edges),
        empty(SLOT, n_slots(n_nodes)),
        empty(STEP, depth),
        np.zeros(max_seats, np.uint64),
    )


def machine_memory() -> int:
    """Return the machine's memory in bytes."""
    if sys.platform == "win32":
        status = (ctypes.c_ulonglong * 8)()
        ctypes.cast(status, ctypes.POINTER(ctypes.c_uint))[0] = ctypes.sizeof(status)
        ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status))
        return int(status[1])
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def check_memory(needed: int) -> None:
    """Refuse a search that the machine cannot hold, before anything is allocated.

    Raises:
        ValueError: how much it needs and how much there is.
    """
    memory = machine_memory()
    if needed > memory:
        raise ValueError(
            f"a search needs {in_words(needed)} for its trees, this machine has "
            f"{in_words(memory)}; take fewer simulations or fewer threads"
        )


def in_words(n_bytes: int) -> str:
    """Return a number of bytes for people: ``1.5 GB``."""
    size = float(n_bytes)
    for unit in ("B", "kB", "MB", "GB", "TB", "PB"):
        if size < 1000 or unit == "PB":
            break
        size /= 1000
    return f"{size:.3g} {unit}" if size < 1000 else f"{size:.3e} {unit}"


@kernel
def clear(tree: Tree) -> None:
    """Forget everything: the next search may begin."""
    head = tree.head[0]
    head.n_nodes = 0
    head.n_edges = 0
    head.walk = 0
    head.stamp += 1


@kernel
def start(tree: Tree) -> None:
    """Put every seat at the root of its tree."""
    tree.head[0].walk += 1
    for seat in range(len(tree.keys)):
        tree.keys[seat] = mix(np.uint64(seat + 1))


@kernel
def note(work: States, i: int, action: int, actor: int, n_seats: int, tree: Tree) -> None:
    """Fold into every seat's key what it is about to see of `action`."""
    for seat in range(n_seats):
        event = seen(work, i, action, actor, seat)
        if event != NONE:
            tree.keys[seat] = mix(tree.keys[seat] ^ mix(np.uint64(event + 1)))


@kernel
def find(tree: Tree, seat: int) -> int:
    """Return the node where `seat` now is, or `NONE` if this search has not been there."""
    key = tree.keys[seat]
    head = tree.head[0]
    k = slot_of(tree, key)
    slot = tree.slots[k]
    return int(slot.node) if slot.stamp == head.stamp else NONE


@kernel
def find_or_add(tree: Tree, seat: int) -> int:
    """Return the node where `seat` now is, made if need be; `NONE` if the tree is full."""
    key = tree.keys[seat]
    head = tree.head[0]
    slot = tree.slots[slot_of(tree, key)]
    if slot.stamp == head.stamp:
        return int(slot.node)
    if head.n_nodes == len(tree.nodes):
        return NONE
    node = head.n_nodes
    head.n_nodes += 1
    slot.key = key
    slot.stamp = head.stamp
    slot.node = node
    fresh = tree.nodes[node]
    fresh.first = NONE
    fresh.last = NONE
    fresh.n_edges = 0
    fresh.visits = 0
    return int(node)


@kernel
def slot_of(tree: Tree, key: Any) -> int:
    """Return the hash slot that holds `key`, or the free one where it belongs."""
    stamp = tree.head[0].stamp
    last = len(tree.slots) - 1
    k = np.int64(key & np.uint64(last))
    while tree.slots[k].stamp == stamp and tree.slots[k].key != key:
        k = (k + 1) & last
    return int(k)


@kernel
def add_edge(tree: Tree, node: int, action: int) -> int:
    """Append an action to a node, legal in the running simulation; `NONE` if the tree is full."""
    head = tree.head[0]
    if head.n_edges == len(tree.edges):
        return NONE
    e = head.n_edges
    head.n_edges += 1
    edge = tree.edges[e]
    edge.action = action
    edge.next = NONE
    edge.visits = 0
    edge.available = 1
    edge.walk = head.walk
    edge.value = 0.0
    edge.prior = 0.0
    edge.chance = 0.0
    edge.regret = 0.0
    edge.strategy = 0.0
    owner = tree.nodes[node]
    if owner.first == NONE:
        owner.first = e
    else:
        tree.edges[owner.last].next = e
    owner.last = e
    owner.n_edges += 1
    return int(e)


@kernel
def backup(tree: Tree, length: int, values: Floats) -> None:
    """Credit every decision on the path with what its own seat got: values [max_seats]."""
    for k in range(length):
        taken = tree.path[k]
        value = values[taken.seat]
        edge = tree.edges[taken.edge]
        if taken.regret:
            learn(tree, taken.node, taken.edge, value)
        edge.visits += 1
        edge.value += value
        tree.nodes[taken.node].visits += 1


@kernel
def learn(tree: Tree, node: int, taken: int, value: float) -> None:
    """Add up regrets at a node of regret matching.

    The value of an action not taken is its mean so far; that of the action taken is corrected by
    the surprise over its probability, which keeps the estimate unbiased and its variance small
    (Schmid et al. 2019, "Variance reduction in Monte Carlo counterfactual regret minimization").
    """
    walk = tree.head[0].walk
    edge = tree.edges[taken]
    baseline = edge.value / edge.visits if edge.visits else 0.0
    surprise = (value - baseline) / edge.chance
    mean = surprise * edge.chance
    e = tree.nodes[node].first
    while e != NONE:
        edge = tree.edges[e]
        if edge.walk == walk and edge.visits:
            mean += edge.chance * edge.value / edge.visits
        e = edge.next
    e = tree.nodes[node].first
    while e != NONE:
        edge = tree.edges[e]
        if edge.walk == walk:
            gain = edge.value / edge.visits if edge.visits else 0.0
            edge.regret += gain - mean + (surprise if e == taken else 0.0)
        e = edge.next


@kernel
def lead(tree: Tree) -> int:
    """Return by how many visits the most visited action of the root is ahead of the next."""
    most, next_most = 0, 0
    if tree.head[0].n_nodes == 0:
        return 0
    e = tree.nodes[0].first  # the searching seat decides first, so its root is the first node
    while e != NONE:
        visits = tree.edges[e].visits
        if visits > most:
            most, next_most = visits, most
        elif visits > next_most:
            next_most = visits
        e = tree.edges[e].next
    return int(most - next_most)


class RootRow(NamedTuple):
    """What a root says of one action; see `Edge`."""

    action: int
    visits: int = 0
    value: float = 0.0
    available: int = 0
    strategy: float = 0.0
    prior: float = 0.0


def root_table(tree: Tree, seat: int) -> list[RootRow]:
    """Return the edges of the root of `seat`, most visits first, then highest mean value.

    Those that were never followed are in the order of their priors.
    """
    start(tree)
    node = int(find(tree, seat))
    rows = []
    e = NONE if node == NONE else int(tree.nodes["first"][node])
    while e != NONE:
        edge = tree.edges[e]
        visits = int(edge["visits"])
        mean = float(edge["value"]) / max(visits, 1)
        available, strategy = int(edge["available"]), float(edge["strategy"])
        prior = float(edge["prior"])
        rows.append(RootRow(int(edge["action"]), visits, mean, available, strategy, prior))
        e = int(edge["next"])
    return sorted(rows, key=_rank)


def _rank(row: RootRow) -> tuple[float, ...]:
    return -row.visits, -row.value, 0.0 if row.visits else -row.prior, row.action
