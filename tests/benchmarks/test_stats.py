import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from dwarrow.benchmarks.stats import (
    Estimate,
    Interval,
    Until,
    bootstrap_iqm,
    bootstrap_mean,
    games_for_width,
    games_needed,
    iqm,
    paired_bootstrap,
    share,
    wilson,
)


@pytest.mark.parametrize(
    ("wins", "n", "low", "high"),
    [
        (0, 10, 0.0, 0.27754),
        (1, 10, 0.01787, 0.40415),
        (5, 10, 0.23659, 0.76341),
        (81, 263, 0.2553, 0.3662),  # Newcombe (1998), table I
        (15, 148, 0.0624, 0.1605),  # the same
        (0, 20, 0.0, 0.1611),  # the same
        (1, 29, 0.0061, 0.1718),  # the same
        (300, 300, 0.98736, 1.0),
    ],
)
def test_wilson_gives_the_published_intervals(wins, n, low, high):
    interval = wilson(wins, n)
    assert interval.low == pytest.approx(low, abs=6e-5)
    assert interval.high == pytest.approx(high, abs=6e-5)


def test_wilson_agrees_with_scipy_at_every_count_and_level():
    for confidence in (0.8, 0.95, 0.99):
        for wins in range(41):
            theirs = scipy_stats.binomtest(wins, 40).proportion_ci(confidence, method="wilson")
            ours = wilson(wins, 40, confidence)
            assert ours == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_wilson_of_no_games_knows_nothing():
    assert wilson(0, 0) == Interval(0.0, 1.0)
    assert math.isnan(share(0, 0).value)


def test_wilson_takes_split_wins_but_no_impossible_ones():
    assert wilson(2.5, 10).low < 0.25 < wilson(2.5, 10).high
    with pytest.raises(ValueError, match="11 wins in 10 games"):
        wilson(11, 10)
    with pytest.raises(ValueError, match="confidence=95"):
        wilson(1, 10, confidence=95)


@pytest.mark.parametrize(
    ("base", "better", "games"),
    [(0.5, 0.55, 783), (0.5, 0.53, 2178), (1 / 3, 0.4, 402), (0.25, 0.3, 609), (0.25, 0.35, 156)],
)
def test_planner_gives_the_known_number_of_games(base, better, games):
    assert games_needed(base, better) == pytest.approx(games, abs=2)


def test_planned_games_have_the_promised_power_and_level():
    rng = np.random.default_rng(1)
    n = games_needed(0.5, 0.55)
    found = {}
    for truth in (0.5, 0.55):
        wins = rng.binomial(n, truth, size=20_000)
        z = (wins / n - 0.5) / math.sqrt(0.25 / n)
        found[truth] = float((np.abs(z) > 1.959964).mean())
    assert found[0.5] == pytest.approx(0.05, abs=0.008)
    assert found[0.55] == pytest.approx(0.80, abs=0.015)


def test_planner_for_two_measured_agents_has_the_promised_power():
    rng = np.random.default_rng(2)
    n = games_needed(0.42, 0.45, both=True)
    first, second = rng.binomial(n, 0.42, 20_000) / n, rng.binomial(n, 0.45, 20_000) / n
    mean = (first + second) / 2
    z = (second - first) / np.sqrt(2 * mean * (1 - mean) / n)
    assert float((z > 1.959964).mean()) == pytest.approx(0.80, abs=0.015)
    assert n > 2 * games_needed(0.42, 0.45)


def test_planner_refuses_questions_without_an_answer():
    with pytest.raises(ValueError, match=r"both shares are 0\.5"):
        games_needed(0.5, 0.5)
    with pytest.raises(ValueError, match="better=1"):
        games_needed(0.5, 1)


def test_width_planner_finds_the_first_number_that_is_enough():
    n = games_for_width(0.5, 0.04)
    assert n == pytest.approx(2400, abs=5)
    assert wilson(n / 2, n).width <= 0.04 < wilson((n - 1) / 2, n - 1).width
    with pytest.raises(ValueError, match="width=0"):
        games_for_width(0.5, 0)


def test_until_reads_both_words_and_refuses_others():
    assert Until.parse("width=0.03").width == Until.parse("margin=0.015").width == 0.03
    for text in ("0.03", "width=", "width=3", "half=0.1", "width=nan"):
        with pytest.raises(ValueError, match="wanted width=W"):
            Until.parse(text)


def test_stopping_on_the_width_keeps_the_coverage():
    rng = np.random.default_rng(3)
    until, batch, covered = Until(0.1), 20, 0
    truth, runs = 0.3, 2000
    for _ in range(runs):
        wins = n = 0
        while not until.reached([share(wins, n)]):
            wins += int(rng.binomial(batch, truth))
            n += batch
        covered += wilson(wins, n).covers(truth)
        assert n <= games_for_width(0.5, 0.1) + batch
    assert covered / runs == pytest.approx(0.95, abs=0.015)


def test_bootstrap_interval_of_a_mean_covers_as_often_as_it_says():
    rng = np.random.default_rng(4)
    deals = np.repeat(np.arange(60), 3)
    covered = 0
    for k in range(400):
        # the three games of a deal share its luck: the interval must not treat them as apart
        luck = np.repeat(rng.normal(size=60), 3)
        covered += bootstrap_mean(luck + 0.1 * rng.normal(size=180), deals, seed=k).interval.covers(
            0.0
        )
    assert covered / 400 == pytest.approx(0.94, abs=0.03)


def test_bootstrap_mean_counts_deals_and_knows_the_plain_mean():
    found = bootstrap_mean([1, 2, 3, 6], [7, 7, 9, 9])
    assert (found.value, found.n) == (3.0, 2)
    assert found.interval == Interval(1.5, 4.5)
    assert bootstrap_mean([], []).n == 0
    with pytest.raises(ValueError, match="one deal per value"):
        bootstrap_mean([1, 2], [1])


def test_pairing_removes_the_luck_that_two_agents_share():
    rng = np.random.default_rng(5)
    luck = rng.normal(size=200)
    first, second = luck + 0.2 + 0.1 * rng.normal(size=200), luck + 0.1 * rng.normal(size=200)
    paired = paired_bootstrap(first, second, np.arange(200))
    assert paired.estimate.interval.covers(0.2)
    assert paired.estimate.interval.low > 0.15
    assert paired.favours_first == 1.0
    apart = bootstrap_mean(first, np.arange(200)).interval.width
    assert paired.estimate.interval.width < apart / 4


def test_pairing_wants_the_same_deals():
    with pytest.raises(ValueError, match="same deals"):
        paired_bootstrap([1, 2], [1, 2], [0, 1], [0, 2])


def test_iqm_is_the_trimmed_mean_and_ignores_one_wild_seed():
    rng = np.random.default_rng(6)
    for n in (3, 4, 5, 8, 13):
        values = rng.normal(size=n)
        assert iqm(values) == pytest.approx(scipy_stats.trim_mean(values, 0.25))
    assert iqm([1, 1, 1, 1000]) == 1.0
    with pytest.raises(ValueError, match="no values"):
        iqm([])


def test_bootstrap_iqm_lies_around_the_iqm():
    found = bootstrap_iqm([[0.1, 0.2, 0.3, 0.2, 0.9], [0.3, 0.2, 0.25, 0.2, 0.3]])
    assert found.interval.low < found.value < found.interval.high
    assert found.n == 5


def test_same_seed_same_interval():
    deals = np.arange(50)
    values = np.sin(deals)
    assert bootstrap_mean(values, deals, seed=3) == bootstrap_mean(values, deals, seed=3)
    assert isinstance(bootstrap_mean(values, deals), Estimate)
