"""Strength in small matches: enough to notice a broken search, not to rank a good one."""

import pytest
from search.fairness import tables

from dwarrow.agents import make
from dwarrow.benchmarks.stats import wilson
from dwarrow.envs import game
from dwarrow.training.match import Lineup, play_matches

pytestmark = pytest.mark.slow

TABLES = [(name, players) for name, players in tables() if name != "goofspiel"]
RIVAL = [(name, players) for name, players in TABLES if not game(name).cooperative]
TEAM = [(name, players) for name, players in TABLES if game(name).cooperative]


def win_share(name: str, players: int, one: str, others: str, deals: int) -> tuple[float, int]:
    """Return the wins, ties split, of `one` against a table of `others`, and the games."""
    g = game(name)
    agents = {"one": make(one, g), "others": make(others, g)}
    lineups = [
        Lineup(deal, tuple("one" if p == seat else "others" for p in range(players)))
        for deal in range(deals)
        for seat in range(players)
    ]
    wins = 0.0
    for row in play_matches(g, {}, lineups, agents):
        best = max(row.utilities)
        own = row.utilities[row.seats.index("one")]
        wins += (own == best) / row.utilities.count(best)
    return wins, len(lineups)


@pytest.mark.parametrize(("name", "players"), RIVAL)
def test_search_beats_random_play_by_far(name: str, players: int):
    wins, n = win_share(name, players, "mcts:sims=200,threads=2", "random", 30 // players)
    assert wins / n > 0.5 + 0.5 / players - 0.1


@pytest.mark.parametrize(("name", "players"), RIVAL)
def test_ten_times_the_simulations_are_not_worse(name: str, players: int):
    spec = "mcts:sims={},threads=2"
    wins, n = win_share(name, players, spec.format(300), spec.format(30), 40 // players)
    assert wilson(wins, n).high > 1 / players
    assert wins / n > 1 / players


@pytest.mark.parametrize(("name", "players"), TEAM)
def test_a_searching_team_gets_further_than_a_random_one(name: str, players: int):
    g = game(name)
    lineups = [Lineup(deal, ("team",) * players) for deal in range(12)]
    searching = play_matches(g, {}, lineups, {"team": make("mcts:sims=100,threads=2", g)})
    random = play_matches(g, {}, lineups, {"team": make("random", g)})
    assert sum(row.scores[0] for row in searching) > sum(row.scores[0] for row in random)
