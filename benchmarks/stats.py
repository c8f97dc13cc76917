"""Statistics of results: intervals, how many games a question needs, when to stop.

Win shares count a tie as a split win, so "wins" need not be whole numbers. Games of one deal,
played with seats rotated, belong together: the bootstraps draw whole deals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Reals = NDArray[np.float64]

CONFIDENCE = 0.95
N_BOOTSTRAPS = 1000


class Interval(NamedTuple):
    """A confidence interval; both ends belong to it."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """Distance between the ends."""
        return self.high - self.low

    def covers(self, value: float) -> bool:
        """Return whether `value` lies within."""
        return self.low <= value <= self.high


@dataclass(frozen=True)
class Estimate:
    """A value with its confidence interval and the number of games (or deals) behind it."""

    value: float
    interval: Interval
    n: int


def two_sided(confidence: float = CONFIDENCE) -> float:
    """Return the normal quantile that leaves half of ``1 - confidence`` on each side.

    Raises:
        ValueError: `confidence` is not between 0 and 1.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence={confidence}: it lies between 0 and 1")
    return NormalDist().inv_cdf((1 + confidence) / 2)


def wilson(wins: float, n: int, confidence: float = CONFIDENCE) -> Interval:
    """Return Wilson's score interval of a share; (0, 1) when nothing was played.

    Raises:
        ValueError: wins outside [0, n].
    """
    if not -1e-9 <= wins <= n + 1e-9:
        raise ValueError(f"{wins} wins in {n} games: wins lie between 0 and the games")
    if n == 0:
        return Interval(0.0, 1.0)
    z, share = two_sided(confidence), min(max(wins / n, 0.0), 1.0)
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # at a share of 0 or 1 the end is exact; rounding would leave 1e-17
    low = 0.0 if share == 0 else max(0.0, centre - half)
    high = 1.0 if share == 1 else min(1.0, centre + half)
    return Interval(low, high)


def share(wins: float, n: int, confidence: float = CONFIDENCE) -> Estimate:
    """Return a win share with Wilson's interval."""
    return Estimate(wins / n if n else math.nan, wilson(wins, n, confidence), n)


# How many games a question needs


def games_needed(
    base: float, better: float, alpha: float = 0.05, power: float = 0.8, *, both: bool = False
) -> int:
    """Return the games that tell a share of `better` from `base`, two-sided.

    `base` is a known number, such as the fair share 1/n; with `both` it is the share of another
    agent that has to be measured too, and each of the two needs that many games.

    Raises:
        ValueError: shares outside (0, 1) or equal, levels outside (0, 1).
    """
    for name, level in (("base", base), ("better", better), ("alpha", alpha), ("power", power)):
        if not 0 < level < 1:
            raise ValueError(f"{name}={level}: it lies between 0 and 1")
    if base == better:
        raise ValueError(f"both shares are {base}: no number of games tells them apart")
    z_alpha, z_power = two_sided(1 - alpha), NormalDist().inv_cdf(power)
    spread, spread_better = base * (1 - base), better * (1 - better)
    if both:
        mean = (base + better) / 2
        under_null, under_truth = 2 * mean * (1 - mean), spread + spread_better
    else:
        under_null, under_truth = spread, spread_better
    reach = z_alpha * math.sqrt(under_null) + z_power * math.sqrt(under_truth)
    return math.ceil((reach / (better - base)) ** 2)


def games_for_width(share: float, width: float, confidence: float = CONFIDENCE) -> int:
    """Return the games after which Wilson's interval at `share` is at most `width` wide.

    Raises:
        ValueError: a share outside [0, 1], a width outside (0, 1).
    """
    if not 0 <= share <= 1 or not 0 < width < 1:
        raise ValueError(f"share={share}, width={width}: a share in [0, 1], a width in (0, 1)")
    low, high = 0, 1
    while wilson(share * high, high, confidence).width > width:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if wilson(share * middle, middle, confidence).width > width:
            low = middle
        else:
            high = middle
    return high


@dataclass(frozen=True)
class Until:
    """When to stop a series: every interval is at most `width` wide.

    Stopping on the width, not on the result, leaves the interval's coverage what it says.

    Attributes:
        width: widest interval that is good enough.
        at_least: games before which no interval is trusted.
    """

    width: float
    at_least: int = 50

    @classmethod
    def parse(cls, text: str) -> Until:
        """Read ``width=0.03`` (end to end) or ``margin=0.015`` (the same, as plus or minus).

        Raises:
            ValueError: anything else.
        """
        name, _, number = text.partition("=")
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        if name not in ("width", "margin") or not 0 < value < 1:
            raise ValueError(
                f"until {text!r}: wanted width=W (end to end) or margin=M (plus or minus), "
                "a number between 0 and 1, for example width=0.03"
            )
        return cls(value if name == "width" else 2 * value)

    def reached(self, shares: Sequence[Estimate]) -> bool:
        """Return whether all shares are known well enough."""
        return all(s.n >= self.at_least and s.interval.width <= self.width for s in shares)


# Bootstraps over deals


def by_deal(values: ArrayLike, deals: ArrayLike) -> tuple[Reals, Reals]:
    """Return the sum and the count of `values` per deal, deals in rising order.

    Raises:
        ValueError: the two differ in length.
    """
    x, labels = np.asarray(values, dtype=np.float64), np.asarray(deals)
    if x.shape != labels.shape:
        raise ValueError(f"{x.size} values for {labels.size} deals: one deal per value")
    _, index = np.unique(labels, return_inverse=True)
    n = int(index.max()) + 1 if index.size else 0
    count = np.bincount(index, minlength=n)
    return np.bincount(index, x, n).astype(np.float64), count.astype(np.float64)


def deal_weights(n_deals: int, n_bootstraps: int, seed: int = 0) -> Reals:
    """Return how often each bootstrap draws each deal, [n_bootstraps, n_deals]."""
    rng = np.random.default_rng(seed)
    even = np.full(n_deals, 1 / n_deals)
    return rng.multinomial(n_deals, even, size=n_bootstraps).astype(np.float64)


def percentiles(draws: Reals, confidence: float = CONFIDENCE) -> Interval:
    """Return the interval that holds the middle `confidence` of bootstrap draws."""
    tail = (1 - confidence) / 2
    low, high = np.quantile(draws, (tail, 1 - tail))
    return Interval(float(low), float(high))


def bootstrap_mean(
    values: ArrayLike,
    deals: ArrayLike,
    confidence: float = CONFIDENCE,
    n_bootstraps: int = N_BOOTSTRAPS,
    seed: int = 0,
) -> Estimate:
    """Return the mean of `values` with a bootstrap interval over whole deals; `n` counts deals."""
    total, count = by_deal(values, deals)
    if not total.size:
        return Estimate(math.nan, Interval(math.nan, math.nan), 0)
    weights = deal_weights(total.size, n_bootstraps, seed)
    draws = (weights @ total) / (weights @ count)
    mean = float(total.sum() / count.sum())
    return Estimate(mean, percentiles(draws, confidence), total.size)


@dataclass(frozen=True)
class Difference:
    """How much better one agent did than another on the same deals.

    Attributes:
        estimate: mean difference per deal with its interval; `n` counts deals.
        favours_first: share of bootstraps in which the first agent is ahead, a tie counting half.
    """

    estimate: Estimate
    favours_first: float


def paired_bootstrap(
    first: ArrayLike,
    second: ArrayLike,
    deals: ArrayLike,
    deals_second: ArrayLike | None = None,
    confidence: float = CONFIDENCE,
    n_bootstraps: int = N_BOOTSTRAPS,
    seed: int = 0,
) -> Difference:
    """Compare two series of results deal by deal.

    Args:
        first: results of the first agent, one a game.
        second: results of the second agent.
        deals: the deal of each result of `first`, and of `second` unless told otherwise.
        deals_second: the deals of `second`.
        confidence: of the interval.
        n_bootstraps: how many sets of deals are drawn.
        seed: of the draws.

    Raises:
        ValueError: the two were not played on the same deals.
    """
    others = deals if deals_second is None else deals_second
    if not np.array_equal(np.unique(np.asarray(deals)), np.unique(np.asarray(others))):
        raise ValueError("the two series were not played on the same deals")
    gaps = np.subtract(*(s / n for s, n in (by_deal(first, deals), by_deal(second, others))))
    draws = deal_weights(gaps.size, n_bootstraps, seed) @ gaps / gaps.size
    estimate = Estimate(float(gaps.mean()), percentiles(draws, confidence), gaps.size)
    return Difference(estimate, float(((draws > 0) + 0.5 * (draws == 0)).mean()))


# Several training seeds


def iqm(values: ArrayLike) -> float:
    """Return the interquartile mean: the mean without the lowest and the highest quarter.

    Raises:
        ValueError: no values.
    """
    ordered = np.sort(np.asarray(values, dtype=np.float64).ravel())
    if not ordered.size:
        raise ValueError("the interquartile mean of no values")
    cut = ordered.size // 4
    return float(ordered[cut : ordered.size - cut].mean())


def bootstrap_iqm(
    values: Sequence[ArrayLike],
    confidence: float = CONFIDENCE,
    n_bootstraps: int = N_BOOTSTRAPS,
    seed: int = 0,
) -> Estimate:
    """Return the interquartile mean over training seeds, each drawn with its own results.

    Args:
        values: for each task (game, opponent ...) the results of its training seeds; within a task
            seeds are drawn with replacement.
        confidence: of the interval.
        n_bootstraps: how many draws.
        seed: of the draws.
    """
    tasks = [np.asarray(v, dtype=np.float64).ravel() for v in values]
    rng = np.random.default_rng(seed)
    draws = np.array(
        [
            iqm(np.concatenate([t[rng.integers(t.size, size=t.size)] for t in tasks]))
            for _ in range(n_bootstraps)
        ]
    )
    return Estimate(
        iqm(np.concatenate(tasks)),
        percentiles(draws, confidence),
        min(t.size for t in tasks),
    )
