"""What to expect of a position: a small network over a few features, learned from played-out games.

A game names its features and writes them with a kernel; the weights lie in a file beside it, which
``dwarrow outlook GAME`` learns and writes. Searches judge by it where their rollouts are cut off.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dwarrow.envs.core.kernels import Floats, kernel
from dwarrow.envs.core.record import Ints

BIAS, OUTPUT, LAST = "(bias)", "(output)", "(output bias)"
"""Rows of a file of weights that are not of a feature."""


class Features:
    """The names of features, numbered in the order in which they are named."""

    def __init__(self) -> None:
        """Begin with none."""
        self.names: list[str] = []

    def family(self, name: str, n: int) -> int:
        """Name `n` features alike, numbered; return the first one's number."""
        start = len(self.names)
        self.names.extend(f"{name} {k}" for k in range(n))
        return start

    def families(self, name: str, kept: Features) -> int:
        """Name all of `kept` again, with `name` before them; return the first one's number."""
        start = len(self.names)
        self.names.extend(f"{name} {own}" for own in kept.names)
        return start


class Weights(NamedTuple):
    """One hidden layer of rectified units, then the logit of a win."""

    hidden: Floats  # [n_features, units]
    bias: Floats  # [units]
    output: Floats  # [units]
    last: float


def load(path: Path, features: Sequence[str]) -> Weights:
    """Load weights by the features' names; a new one has no say before it is learned."""
    rows = {}
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            rows = {row[0]: np.array(row[1:], np.float32) for row in csv.reader(file)}
    nothing = np.zeros(len(rows.get(BIAS, (0,))), np.float32)
    hidden = np.stack([rows.get(name, nothing) for name in features])
    last = float(rows[LAST][0]) if rows else 0.0
    return Weights(hidden, rows.get(BIAS, nothing), rows.get(OUTPUT, nothing), last)


def spelled(features: Sequence[str], weights: Weights) -> str:
    """Return the text of a file of weights, three decimals each."""
    names = [*features, BIAS, OUTPUT, LAST]
    rows = [*weights.hidden, weights.bias, weights.output, [weights.last]]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for name, row in zip(names, rows, strict=True):
        writer.writerow([name, *(f"{value:.3f}".rstrip("0").rstrip(".") for value in row)])
    return text.getvalue()


@kernel
def put(at: Ints, value: Floats, n: int, feature: int, x: float) -> int:
    """Write a feature that is not zero at place `n` of `at` and `value`; return the next place."""
    if x == 0.0:
        return n
    at[n] = feature
    value[n] = x
    return n + 1


@kernel
def judge(
    hidden: Floats, bias: Floats, output: Floats, last: float, at: Ints, value: Floats, n: int
) -> float:
    """Return the utility to expect, in [-1, 1], of a position with these `n` features."""
    units = bias.copy()
    for k in range(n):
        weights = hidden[at[k]]
        x = value[k]
        for j in range(len(units)):
            units[j] += x * weights[j]
    logit = last
    for j in range(len(units)):
        if units[j] > 0:
            logit += units[j] * output[j]
    return math.tanh(logit / 2)
