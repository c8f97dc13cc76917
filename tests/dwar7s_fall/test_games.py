"""Thousands of games: nothing breaks, a slow scorer agrees, scripted kings finish and win."""

import numpy as np
import pytest
from dwar7s_fall import slow
from dwar7s_fall.games import GREEDY, RANDOM, RULE, games, part
from dwar7s_fall.table import GAME


def seatings(players: int) -> list[list[int]]:
    kings = [RULE, RANDOM, GREEDY, RULE]
    return [[kings[(k + shift) % 4] for k in range(players)] for shift in range(4)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_5000_games_of_random_and_scripted_kings_break_nothing(players):
    states = games(5000, seatings(players), checked=True)
    assert states["over"].all()
    assert (states["script_fault"] == 0).all()


@pytest.mark.parametrize(
    "options",
    [
        {"monster_stack_only": 1},
        {"monster_guards": "stack", "giant_takes": "region"},
        {"reveal_interrupt": 1, "cap": 10},
    ],
)
def test_games_with_other_options_break_nothing(options):
    states = games(500, seatings(3), seed=9, checked=True, **options)
    assert states["over"].all()
    assert (states["turn"] <= states["options"]["cap"]).all()


def test_a_slow_scorer_agrees_on_thousands_of_positions():
    compared = 0
    for seed in range(700):
        players = 2 + seed % 3
        takes = ("castle", "region")[seed % 2]
        kings = seatings(players)[seed % 4]
        states = part(seed, kings, 20 + seed % 180, giant_takes=takes)
        position = GAME.position(states, 0)
        found: dict[str, set[str]] = {}
        for name, tile in position["tiles"].items():
            if tile["region"] is not None:
                found.setdefault(tile["region"], set()).add(name)
        assert sorted(map(sorted, found.values())) == sorted(map(sorted, slow.regions(position))), (
            seed
        )
        scores = GAME.scores(states, 0)
        for seat in range(players):
            assert scores[seat] == slow.points(position, seat), (seed, seat)
            compared += 1
    assert compared > 2000


def test_final_ranks_agree_with_a_slow_scorer():
    for players in (2, 3, 4):
        states = games(60, seatings(players), seed=500)
        for i in range(60):
            places = slow.order(GAME.position(states, i))
            returns = GAME.returns(states, i)
            for a in range(players):
                for b in range(players):
                    assert (places[a] < places[b]) == (returns[a] > returns[b])
            assert abs(returns.sum()) < 1e-5


def test_the_edge_of_the_window_is_hardly_ever_reached():
    at_edge = {}
    for players in (2, 3, 4):
        cells = games(1000, seatings(players), seed=77)["tiles"]["cell"]
        far = np.maximum(np.abs(cells % 17 - 8), np.abs(cells // 17 - 8)) == 8
        at_edge[players] = float((far & (cells >= 0)).any(axis=1).mean())
    assert max(at_edge.values()) < 0.01


def share_of(first: int, second: int, n: int = 400) -> float:
    """Share of two-king games that `first` wins against `second`, both seats alike."""
    states = games(n, [[first, second], [second, first]], seed=4000)
    wins = [GAME.returns(states, i)[i % 2] for i in range(n)]
    return float(np.mean([(w + 1) / 2 for w in wins]))


def test_rule_beats_greedy_and_greedy_beats_random():
    assert share_of(GREEDY, RANDOM) > 0.9
    assert share_of(RULE, RANDOM) > 0.95
    assert share_of(RULE, GREEDY) > 0.6


@pytest.mark.parametrize("king", [GREEDY, RULE])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_scripted_kings_finish_their_games(king, players):
    states = games(400, [[king] * players], seed=9000)
    assert 8 <= np.median(states["turn"]) <= 13
    stalled = (states["last_round"] == 0).mean()
    assert stalled < 0.15
