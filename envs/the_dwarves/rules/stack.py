"""The stack of rules at work, and the questions they ask."""

from __future__ import annotations

import numpy as np

from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_dwarves.layout import Phase, State


@kernel
def wide(x: int) -> int:
    """Widen a record field, so that helpers are compiled for one kind of integer only."""
    return np.int64(x)  # type: ignore[return-value]


@kernel
def seats(s: State) -> int:
    """Return the number of heroes."""
    return wide(s.n_seats)


@kernel
def push(s: State, rule: int, seat: int) -> int:
    """Let a rule begin for `seat` on top of the stack; return where its frame lies."""
    depth = wide(s.depth)
    s.stack[depth].rule = rule
    s.stack[depth].seat = seat
    s.depth = depth + 1
    return depth


@kernel
def pop(s: State) -> None:
    """End the rule on top of the stack."""
    s.depth -= 1
    f = s.stack[s.depth]
    f.rule, f.stage, f.seat, f.a, f.b, f.c, f.d = 0, 0, 0, 0, 0, 0, 0


@kernel
def is_at_work(s: State, rule: int) -> bool:
    """Return whether a rule is at work, on top of the stack or below."""
    for k in range(s.depth):  # noqa: SIM110
        if s.stack[k].rule == rule:
            return True
    return False


@kernel
def ask(s: State, phase: int, seat: int) -> None:
    """Let `seat` answer the question `phase`; the frame on top takes the answer."""
    s.phase = phase
    s.seat = seat


@kernel
def finish(s: State, end: int) -> None:
    """End the game."""
    if not s.over:
        s.over = 1
        s.end = end
        s.seat = NONE
        s.phase = Phase.OVER
