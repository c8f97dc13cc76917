"""Rates that say how sure they are: medians with their spread, on one core, with a calibrator."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

Chunk = Callable[[], int]
"""Does a piece of work and returns how many things of the counted kind it did."""

BUSY_SPREAD = 1.2
"""A calibration so many times slower than the median means that other work ran meanwhile."""


@dataclass(frozen=True)
class Rate:
    """Things per second: the median over the repeats, the slowest and the fastest of them."""

    median: float
    low: float
    high: float
    repeats: int

    @classmethod
    def of(cls, samples: list[float]) -> Rate:
        """Summarise the repeats."""
        return cls(statistics.median(samples), min(samples), max(samples), len(samples))

    @property
    def spread(self) -> float:
        """How many times faster the fastest repeat was than the slowest."""
        return self.high / self.low if self.low > 0 else float("inf")


def rate(chunk: Chunk, seconds: float, repeats: int) -> Rate:
    """Repeat `chunk` for `seconds`, `repeats` times over; the first call of all is not counted."""
    chunk()
    samples = []
    for _ in range(repeats):
        done, begun = 0, time.perf_counter()
        elapsed = 0.0
        while elapsed < seconds:
            done += chunk()
            elapsed = time.perf_counter() - begun
        samples.append(done / elapsed)
    return Rate.of(samples)


def calibrate(n: int = 300_000) -> float:
    """Return the speed of a plain Python loop in million rounds per second, the best of three.

    Figures of different or busy machines compare as ratios to it. One hiccup of a few milliseconds
    is no other work, and the medians bear it.
    """
    best = float("inf")
    for _ in range(3):
        x, begun = 1, time.perf_counter()
        for _ in range(n):
            x = (x * 1103515245 + 12345) & 0x7FFFFFFF
        best = min(best, time.perf_counter() - begun)
    return n / best / 1e6


@contextmanager
def one_core() -> Iterator[bool]:
    """Keep this process on one core while measuring; yields whether the system allows that."""
    if not hasattr(os, "sched_setaffinity"):
        yield False
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield True
    finally:
        os.sched_setaffinity(0, allowed)
