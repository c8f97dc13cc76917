"""Multiple-observer information-set MCTS, for any game, through `resample` and `seen` alone.

Each simulation draws a state that the searching seat cannot tell from the true one, walks down
every seat's tree at once, adds one decision, plays the game out and credits every seat with its own
utility (Cowling, Powley & Whitehouse 2012; values as a vector: max^n). All chance is the search's
own: the game's streams are replaced when a state is drawn.
"""

from __future__ import annotations

from typing import Any

from dwarrow.agents.search.plan import Selection
from dwarrow.agents.search.rollout import play_out, scripted
from dwarrow.agents.search.selection import by_advice, by_puct, by_regret, by_ucb
from dwarrow.agents.search.tree import Tree, backup, find_or_add, lead, note, start
from dwarrow.envs.core.kernels import Floats, Mask, States, kernel, legal, step
from dwarrow.envs.core.record import NONE
from dwarrow.envs.core.rng import word_below
from dwarrow.envs.core.table import copy_state, pick, resample_into

SETTLE_EVERY = 16
"""Simulations between two looks at whether the choice is settled."""

_HALF = 1 << 31


@kernel
def simulate(
    states: States,
    i: int,
    seat: int,
    plan: States,
    tree: Tree,
    work: States,
    mask: Mask,
    word: Any,
    values: Floats,
    n: int,
    settle: bool,
) -> int:
    """Run `n` simulations for `seat`, to move in ``states[i]``; only ``work[0]`` is played on.

    With `settle` they end once the rest could no longer change which action has the most visits.
    Return how many were run.
    """
    for k in range(n):
        if settle and k % SETTLE_EVERY == 0 and lead(tree) > n - k:
            return k
        determinize(states, i, seat, plan, work, 0, word)
        length = descend(work, 0, plan, tree, mask, word)
        play_out(work, 0, plan, mask, word, values)
        backup(tree, length, values)
    return n


@kernel
def determinize(
    states: States, i: int, seat: int, plan: States, work: States, j: int, word: Any
) -> None:
    """Write to ``work[j]`` a state that `seat` takes for possible; an oracle takes the true one."""
    imagine(states, i, seat, plan, work, j, new_seed(word))


@kernel
def new_seed(word: Any) -> int:
    """Draw the seed of a world."""
    return word_below(word, _HALF) * _HALF + word_below(word, _HALF)


@kernel
def imagine(
    states: States, i: int, seat: int, plan: States, work: States, j: int, seed: int
) -> None:
    """Write to ``work[j]`` the state that `seat` takes for possible with this seed."""
    if plan[0].oracle:
        copy_state(states, i, work, j)
    else:
        resample_into(states, i, seat, seed, work, j)


@kernel
def descend(work: States, i: int, plan: States, tree: Tree, mask: Mask, word: Any) -> int:
    """Walk down the trees in ``work[i]`` until a new decision is made; return the path's length.

    Forced moves are played and seen, but are no decisions. With PUCT the walk ends *before* a new
    decision: the network will judge it.
    """
    rules = plan[0]
    s = work[i]
    start(tree)
    length = 0
    while not s.over and length < rules.depth:
        n_legal = legal(work, i, mask)
        seat = s.seat
        fresh = False
        if n_legal == 1:
            action = pick(mask, 0)
        else:
            edge = decide(work, i, plan, tree, mask, n_legal, length, word)
            if edge == NONE:
                break
            length += 1
            action = tree.edges[edge].action
            fresh = rules.selection != Selection.PUCT and tree.edges[edge].visits == 0
        if not fresh:
            note(work, i, action, seat, s.n_seats, tree)
        step(work, i, action)
        if fresh:
            break
    return length


@kernel
def decide(
    work: States, i: int, plan: States, tree: Tree, mask: Mask, n_legal: int, k: int, word: Any
) -> int:
    """Choose an edge for the seat to move and record it as step `k`; `NONE` where the tree ends.

    Advice is for what lies ahead, where it stands for how the seats will play; at the decision at
    hand (step 0) it would draw the simulations to an action because it is advised. It is asked
    every time, since a node may gather many dice and hands, which call for different actions.
    """
    rules = plan[0]
    seat = work[i].seat
    node = find_or_add(tree, seat)
    if node == NONE:
        return NONE
    regret = rules.selection == Selection.REGRET and (rules.simultaneous >> work[i].phase) & 1 == 1
    if rules.selection == Selection.PUCT:
        if tree.nodes[node].n_edges == 0:
            return NONE
        edge = by_puct(tree, node, mask, rules.c)
    elif regret:
        edge = by_regret(tree, node, mask, n_legal, word)
    elif rules.advice > 0 and k > 0:
        advised = scripted(work, i, mask, word, rules.rollout)
        edge = by_advice(tree, node, mask, n_legal, rules.c, rules.advice, advised, word)
    else:
        edge = by_ucb(tree, node, mask, n_legal, rules.c, word)
    if edge != NONE:
        taken = tree.path[k]
        taken.node = node
        taken.edge = edge
        taken.seat = seat
        taken.regret = regret
    return edge
