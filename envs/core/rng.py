"""Chance from the record itself: one splitmix64 word a stream, scripts for tests and what-if.

No kernel reads or writes any other source of randomness, so the same seed gives the same game in
any process, on any number of workers, with the JIT on or off.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dwarrow.envs.core.kernels import JIT, kernel
from dwarrow.envs.core.record import N_STREAMS, Ints

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_LOW_32 = np.uint64(0xFFFFFFFF)

if not JIT:  # 64-bit words wrap on purpose here; NumPy scalars would warn of each
    warnings.filterwarnings(
        "ignore", "overflow encountered", RuntimeWarning, r"dwarrow\.envs\.core\.rng"
    )


@kernel
def mix(word: np.uint64) -> np.uint64:
    """Return splitmix64's output for a counter word."""
    word = (word ^ (word >> _S30)) * _MIX_1
    word = (word ^ (word >> _S27)) * _MIX_2
    return word ^ (word >> _S31)


@kernel
def seed_streams(s: Any, seed: int) -> None:
    """Start every stream of record `s` from one seed."""
    word = mix(np.uint64(seed) + _GOLDEN)
    for stream in range(N_STREAMS):
        word = mix(word + _GOLDEN)
        s.rng[stream] = word


@kernel
def next_word(s: Any, stream: int) -> np.uint64:
    """Draw 64 random bits from a stream of record `s`."""
    word = s.rng[stream] + _GOLDEN
    s.rng[stream] = word
    return mix(word)


@kernel
def random_below(s: Any, stream: int, n: int) -> int:
    """Draw a whole number in [0, n), never scripted. Bias is below n / 2**32."""
    return int(np.int64(((next_word(s, stream) & _LOW_32) * np.uint64(n)) >> _S32))


@kernel
def word_below(word: NDArray[np.uint64], n: int) -> int:
    """Draw a whole number in [0, n) from a caller's own stream, one uint64 [1], which is advanced.

    Searches and players use this; the game's streams are never theirs.
    """
    word[0] += _GOLDEN
    return int(np.int64(((mix(word[0]) & _LOW_32) * np.uint64(n)) >> _S32))


@kernel
def draw(s: Any, stream: int, n: int) -> int:
    """Draw a whole number in [0, n): the script's next value if there is one, else at random."""
    if s.script_next < s.script_end:
        value = int(s.script[s.script_next])
        s.script_next += 1
        if 0 <= value < n:
            return value
        s.script_fault = 1
    return random_below(s, stream, n)


@kernel
def shuffle(s: Any, stream: int, cards: Ints, n: int) -> None:
    """Shuffle the first `n` entries of `cards` in place; never scripted."""
    for k in range(n - 1, 0, -1):
        j = random_below(s, stream, k + 1)
        card = cards[k]
        cards[k] = cards[j]
        cards[j] = card
