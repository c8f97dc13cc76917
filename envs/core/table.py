"""Kernels over any game: begin a game, resample an information set, play at random, copy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dwarrow.envs.core.kernels import Floats, Mask, States, kernel, legal, redraw, setup, step
from dwarrow.envs.core.rng import mix, seed_streams, word_below


@kernel
def begin(states: States, i: int, seed: int) -> None:
    """Set game `i` up afresh: everything but its options and number of seats is cleared first."""
    kept = states[i : i + 1].copy()
    states[i : i + 1].view(np.uint8)[:] = 0
    s = states[i]
    s.options = kept[0].options
    s.n_seats = kept[0].n_seats
    seed_streams(s, seed)
    setup(states, i)


@kernel
def resample_into(states: States, i: int, seat: int, seed: int, out: States, j: int) -> None:
    """Write to ``out[j]`` a state of the information set of `seat` in ``states[i]``.

    Chance to come is new too, and a script of coming draws is dropped: neither is known to a seat.
    """
    out[j] = states[i]
    s = out[j]
    s.script[:] = 0
    s.script_end = 0
    s.script_next = 0
    seed_streams(s, seed)
    redraw(out, j, seat)


@kernel
def copy_state(source: States, i: int, target: States, j: int) -> None:
    """Copy one state; a search clones this way, not with ``states.copy()``."""
    target[j] = source[i]


BLOCK = 16
"""Actions that `pick` counts at once: as many bytes as a vector of any processor holds."""


@kernel
def pick(mask: Mask, k: int) -> int:
    """Return the `k`-th legal action of a mask, counted from 0."""
    start = 0
    while start + BLOCK <= len(mask):
        count = np.int8(0)  # a wider number would not be added up in one vector
        for j in range(BLOCK):
            count = np.int8(count + mask[start + j])
        if k < count:
            break
        k -= int(count)
        start += BLOCK
    for action in range(start, len(mask)):
        if mask[action]:
            if k == 0:
                return action
            k -= 1
    return -1


@kernel
def random_action(mask: Mask, n_legal: int, word: NDArray[np.uint64]) -> int:
    """Pick a legal action uniformly; `word` is one uint64 of a caller's own stream, advanced."""
    return pick(mask, word_below(word, n_legal))


@kernel
def play_random(states: States, i: int, mask: Mask, word: NDArray[np.uint64], limit: int) -> int:
    """Play game `i` at random to its end, or for `limit` decisions; return how many were taken."""
    for count in range(limit):
        n_legal = legal(states, i, mask)
        if n_legal == 0:
            return count
        if step(states, i, random_action(mask, n_legal, word)):
            return count + 1
    return limit


@kernel
def play_random_games(states: States, seed: int, mask: Mask, limit: int) -> int:
    """Begin and play every game of the batch at random; return the decisions taken together."""
    total = 0
    word = np.zeros(1, np.uint64)
    for i in range(len(states)):
        begin(states, i, seed + i)
        word[0] = mix(np.uint64(seed + i))
        total += play_random(states, i, mask, word, limit)
    return total


def floats(n: int) -> Floats:
    """Allocate `n` zeroed float32."""
    return np.zeros(n, dtype=np.float32)
