import math

import numpy as np
import pytest

from dwarrow.benchmarks.ratings import POINTS, Finish, orders, plackett_luce


def simulate(strength, seats, deals, rng):
    """Return finished games drawn from the model; `seats` chooses who sits."""
    games = []
    for deal in range(deals):
        agents = seats(rng)
        noise = rng.gumbel(size=len(agents)) + np.log(strength)[agents]
        games.append(
            Finish(deal, tuple(int(a) for a in agents), tuple(np.argsort(noise.argsort())))
        )
    return games


def test_two_agents_are_rated_by_their_odds():
    games = [Finish(k, (0, 1), (0.0, 1.0)) for k in range(3000)]
    games += [Finish(3000 + k, (0, 1), (1.0, 0.0)) for k in range(1000)]
    ratings = plackett_luce(games, 2, n_bootstraps=10)
    assert ratings[0].points == 0
    assert ratings[1].points == pytest.approx(POINTS * math.log(3), abs=0.2)


def test_simulated_strengths_are_recovered_within_their_intervals():
    rng = np.random.default_rng(11)
    strength = np.array([1.0, 2.0, 5.0, 12.0])
    games = simulate(strength, lambda r: r.choice(4, size=3, replace=False), 4000, rng)
    ratings = plackett_luce(games, 4, n_bootstraps=300)
    truth = POINTS * np.log(strength)
    for rating, points in zip(ratings, truth, strict=True):
        assert rating.points == pytest.approx(points, abs=25)
        assert rating.interval.low <= points <= rating.interval.high
        assert rating.interval.width < 60


def test_strengths_are_recovered_when_one_agent_holds_several_seats():
    rng = np.random.default_rng(12)
    strength = np.array([1.0, 3.0])
    one_against_two = ((0, 1, 1), (1, 0, 0))
    games = simulate(
        strength, lambda r: np.array(one_against_two[r.integers(2)])[r.permutation(3)], 6000, rng
    )
    rating = plackett_luce(games, 2, n_bootstraps=100)[1]
    assert rating.points == pytest.approx(POINTS * math.log(3), abs=20)


def test_intervals_cover_as_often_as_they_say():
    rng = np.random.default_rng(13)
    strength, covered = np.array([1.0, 2.5, 1.5]), 0
    for k in range(100):
        games = simulate(strength, lambda r: r.permutation(3), 150, rng)
        rating = plackett_luce(games, 3, n_bootstraps=200, seed=k)[1]
        covered += rating.interval.covers(POINTS * math.log(2.5))
    assert covered >= 88


def test_ties_split_into_all_orders_of_the_tied():
    assert orders(Finish(0, (2, 1, 0), (0.0, 1.0, 0.0))) == [((1, 0, 2), 0.5), ((1, 2, 0), 0.5)]
    assert orders(Finish(0, (1, 1), (0.0, 0.0))) == [((1, 1), 1.0)]
    drawn = [Finish(k, (0, 1), (0.0, 0.0)) for k in range(100)]
    assert plackett_luce(drawn, 2, n_bootstraps=10)[1].points == pytest.approx(0, abs=1e-3)


def test_an_agent_that_never_lost_has_a_finite_rating():
    games = [Finish(k, (0, 1, 1), (1.0, 0.0, -1.0)) for k in range(300)]
    rating = plackett_luce(games, 2, reference=1, n_bootstraps=20)[0]
    assert 500 < rating.points < 2500
    assert math.isfinite(rating.interval.high)


def test_mirror_games_say_nothing_about_strength():
    games = [Finish(k, (0, 1), (1.0, 0.0) if k % 2 else (0.0, 1.0)) for k in range(50)]
    mirror = [Finish(100 + k, (1, 1), (1.0, 0.0)) for k in range(500)]
    assert (
        plackett_luce(games + mirror, 2, n_bootstraps=20)[1]
        == (plackett_luce(games, 2, n_bootstraps=20)[1])
    )


def test_agents_that_never_met_have_no_common_scale():
    games = [Finish(0, (0, 1), (1.0, 0.0)), Finish(1, (2, 3), (1.0, 0.0))]
    with pytest.raises(ValueError, match=r"agents \[2, 3\] never met"):
        plackett_luce(games, 4)
