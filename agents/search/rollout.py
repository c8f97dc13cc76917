"""From the end of the tree to a result: who plays on, and what the outcome is worth."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba.extending import overload

from dwarrow.agents import players
from dwarrow.agents.search.plan import Rollout
from dwarrow.agents.search.selection import chance
from dwarrow.envs.core.kernels import Floats, Mask, States, kernel, legal, returns, scores, step
from dwarrow.envs.core.rng import word_below
from dwarrow.envs.core.table import pick

PROGRESS_HALF = 4.0
"""Co-op points at which a lost game counts half a step towards a won one inside a search."""


def scripted(states: States, i: int, mask: Mask, word: Any, rollout: int) -> int:
    """Return the scripted player's action, or -1 where the game has no scripted players."""
    if not players.known(states.dtype):
        return -1
    choose = players.greedy if rollout == Rollout.GREEDY else players.rule
    return choose(states, i, mask, word)


@overload(scripted, strict=False)
def _scripted(states: Any, i: Any, mask: Any, word: Any, rollout: Any) -> Any:
    if not players.known(states.dtype):
        return lambda states, i, mask, word, rollout: -1
    greedy, rule, kind = players.greedy, players.rule, Rollout.GREEDY

    def choose(states: Any, i: Any, mask: Any, word: Any, rollout: Any) -> Any:
        if rollout == kind:
            return greedy(states, i, mask, word)
        return rule(states, i, mask, word)

    return choose


def expected(states: States, i: int, seat: int) -> float:
    """Return the utility that a seat may expect; NaN where the game's players cannot tell."""
    if not players.has_prospects(states.dtype):
        return math.nan
    return players.expect(states, i, seat)


@overload(expected, strict=False)
def _expected(states: Any, i: Any, seat: Any) -> Any:
    if not players.has_prospects(states.dtype):
        return lambda states, i, seat: math.nan
    expect = players.expect
    return lambda states, i, seat: expect(states, i, seat)


@kernel
def play_out(work: States, i: int, plan: States, mask: Mask, word: Any, out: Floats) -> None:
    """Play on to the end of the game or to the cut-off; write what every seat got, in [-1, 1]."""
    rules = plan[0]
    over, count = work[i].over != 0, 0
    while not over and count < rules.longest:
        if rules.judged and count >= rules.cutoff and judge_all(work, i, plan, out):
            return
        n_legal = legal(work, i, mask)
        if (
            n_legal == 1
            or rules.rollout == Rollout.RANDOM
            or (rules.epsilon > 0 and chance(word) < rules.epsilon)
        ):
            action = pick(mask, word_below(word, n_legal))
        else:
            action = scripted(work, i, mask, word, rules.rollout)
        over = step(work, i, action)
        count += 1
    evaluate(work, i, plan, out)


@kernel
def judge_all(work: States, i: int, plan: States, out: Floats) -> bool:
    """Write what every seat may expect; return false where the game's players cannot tell.

    In a competitive game utilities are made to cancel out.
    """
    n_seats = work[i].n_seats
    out[:n_seats] = expected(work, i, 0)
    if math.isnan(out[0]):
        return False
    if plan[0].cooperative:
        return True
    mean = out[0] / n_seats
    for p in range(1, n_seats):
        out[p] = expected(work, i, p)
        mean += out[p] / n_seats
    for p in range(n_seats):
        out[p] -= mean
    return True


@kernel
def evaluate(work: States, i: int, plan: States, out: Floats) -> None:
    """Write what every seat got, in [-1, 1]; a game cut off is valued by the points so far.

    Competitive: the rank that the points give now. Co-op: a game not won is worth more the further
    the team came, always less than a game won; so far from a win the search sees a slope. Where
    positions are judged it needs no slope.
    """
    s = work[i]
    if s.over:
        returns(work, i, out)
        if not plan[0].cooperative or out[0] > 0 or plan[0].judged:
            return
    scores(work, i, out)
    if not plan[0].cooperative:
        rank_utility(out, s.n_seats)
        return
    value = -1 + out[0] / (out[0] + PROGRESS_HALF)
    for p in range(s.n_seats):
        out[p] = value


@kernel
def rank_utility(out: Floats, n_seats: int) -> None:
    """Turn points into utilities, linear in rank from +1 to -1, ties shared."""
    points = out.copy()
    for p in range(n_seats):
        beaten = 0
        for q in range(n_seats):
            if points[p] > points[q]:
                beaten += 1
            elif points[p] < points[q]:
                beaten -= 1
        out[p] = beaten / max(n_seats - 1, 1)


def new_values(max_seats: int) -> Floats:
    """Allocate a vector of utilities."""
    return np.zeros(max_seats, np.float32)
