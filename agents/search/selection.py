"""How a decision inside the tree is made: UCB with availability, regret matching, PUCT.

Every kernel takes the mask of what is legal in the running simulation and uses it up.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dwarrow.agents.search.tree import Tree, add_edge
from dwarrow.envs.core.kernels import Mask, kernel
from dwarrow.envs.core.record import NONE
from dwarrow.envs.core.rng import word_below
from dwarrow.envs.core.table import pick

EXPLORATION = 0.4
EXPLORATION_VISITS = 100
"""Regret matching chooses at random in a share of visits, as sampling needs; it begins with
`EXPLORATION` and has halved after three times `EXPLORATION_VISITS`, so that the opponents to whom
a seat adapts are not careless for ever."""

_UNIT = 1 << 30


@kernel
def chance(word: Any) -> float:
    """Draw a number in [0, 1) from a stream of the search's own."""
    return word_below(word, _UNIT) / _UNIT


@kernel
def by_ucb(tree: Tree, node: int, mask: Mask, n_legal: int, c: float, word: Any) -> int:
    """Return the edge to follow: an untried action at random, else the highest upper bound.

    The bound counts how often the action was *available*, since in another determinization it may
    not have been (Cowling, Powley & Whitehouse 2012, "Information set Monte Carlo tree search").
    """
    walk = tree.head[0].walk
    complete = tree.nodes[node].n_edges >= n_legal  # else some legal action is surely untried
    known, best, best_bound = 0, NONE, -math.inf
    counted, log = 0, 0.0
    e = tree.nodes[node].first
    while e != NONE:
        edge = tree.edges[e]
        if mask[edge.action]:
            mask[edge.action] = 0
            known += 1
            edge.available += 1
            edge.walk = walk
            if complete:
                if edge.available != counted:
                    counted = edge.available
                    log = math.log(counted)
                bound = edge.value / edge.visits + c * math.sqrt(log / edge.visits)
                if bound > best_bound:
                    best, best_bound = e, bound
        e = edge.next
    if known == n_legal:
        return best
    return add_edge(tree, node, pick(mask, word_below(word, n_legal - known)))


@kernel
def mean_value(tree: Tree, node: int) -> float:
    """Return the mean value of a node's decisions so far, 0 before the first."""
    value = 0.0
    e = tree.nodes[node].first
    while e != NONE:
        value += tree.edges[e].value
        e = tree.edges[e].next
    visits = tree.nodes[node].visits
    return value / visits if visits else 0.0


@kernel
def by_advice(
    tree: Tree,
    node: int,
    mask: Mask,
    n_legal: int,
    c: float,
    trust: float,
    advised: int,
    word: Any,
) -> int:
    """Return the edge to follow by value and trust: `trust` in the advice, the rest evenly shared.

    The bound is that of PUCT; an action not yet tried has the node's mean value. So the advice is
    tried first, and others are where what they lead to is better, or much remains to be spent.
    """
    walk = tree.head[0].walk
    owner = tree.nodes[node]
    start = mean_value(tree, node)
    asked = advised != NONE and mask[advised] == 1
    even = (1.0 - trust) / (n_legal - 1) if asked else 1.0 / n_legal
    known, best, best_bound = 0, NONE, -math.inf
    e = owner.first
    while e != NONE:
        edge = tree.edges[e]
        if mask[edge.action]:
            mask[edge.action] = 0
            known += 1
            edge.available += 1
            edge.walk = walk
            share = trust if edge.action == advised else even
            mean = edge.value / edge.visits if edge.visits else start
            bound = mean + c * share * math.sqrt(edge.available) / (1 + edge.visits)
            if bound > best_bound:
                best, best_bound = e, bound
        e = edge.next
    if asked and mask[advised]:
        return add_edge(tree, node, advised)
    if known < n_legal and start + c * even * math.sqrt(owner.visits) > best_bound:
        return add_edge(tree, node, pick(mask, word_below(word, n_legal - known)))
    return best


@kernel
def by_regret(tree: Tree, node: int, mask: Mask, n_legal: int, word: Any) -> int:
    """Return the edge to follow, drawn by regret matching with some exploration.

    Hart & Mas-Colell 2000; in simultaneous-move search: Lanctot, Lisy & Winands 2013.
    """
    if not open_edges(tree, node, mask):
        return NONE
    walk = tree.head[0].walk
    total = 0.0
    e = tree.nodes[node].first
    while e != NONE:
        edge = tree.edges[e]
        if edge.walk == walk and edge.regret > 0:
            total += edge.regret
        e = edge.next
    left = chance(word)
    chosen = NONE
    visits = tree.nodes[node].visits
    exploration = EXPLORATION / math.sqrt(1 + visits / EXPLORATION_VISITS)
    e = tree.nodes[node].first
    while e != NONE:
        edge = tree.edges[e]
        if edge.walk == walk:
            matched = max(edge.regret, 0.0) / total if total > 0 else 1.0 / n_legal
            edge.strategy += matched
            edge.chance = (1 - exploration) * matched + exploration / n_legal
            if left >= 0 or chosen == NONE:
                chosen = e
            left -= edge.chance
        e = edge.next
    return chosen


@kernel
def by_puct(tree: Tree, node: int, mask: Mask, c: float) -> int:
    """Return the edge to follow by value and prior; untried actions start at the node's mean.

    Actions that are legal here but were not when the node was expanded have prior 0 until then.
    """
    if not open_edges(tree, node, mask):
        return NONE
    walk = tree.head[0].walk
    start = mean_value(tree, node)
    best, best_bound = NONE, -math.inf
    e = tree.nodes[node].first
    while e != NONE:
        edge = tree.edges[e]
        if edge.walk == walk:
            mean = edge.value / edge.visits if edge.visits else start
            bound = mean + c * edge.prior * math.sqrt(edge.available) / (1 + edge.visits)
            if bound > best_bound:
                best, best_bound = e, bound
        e = edge.next
    return best


@kernel
def open_edges(tree: Tree, node: int, mask: Mask) -> bool:
    """Mark the edges legal in this simulation and add those missing; false if the tree is full."""
    walk = tree.head[0].walk
    e = tree.nodes[node].first
    while e != NONE:
        edge = tree.edges[e]
        if mask[edge.action]:
            mask[edge.action] = 0
            edge.available += 1
            edge.walk = walk
        e = edge.next
    for action in range(len(mask)):
        if mask[action] and add_edge(tree, node, action) == NONE:
            return False
    return True


def visit_policy(visits: Any, temperature: float) -> Any:
    """Return probabilities in proportion to ``visits ** (1 / temperature)``; 0: the most visited.

    Args:
        visits: float64 [n], the most visited first.
        temperature: 0 or more.
    """
    if temperature == 0:
        policy = np.zeros(len(visits))
        policy[int(np.argmax(visits))] = 1.0
        return policy
    scaled: Any = (visits / visits.max()) ** (1 / temperature)
    return scaled / scaled.sum()
