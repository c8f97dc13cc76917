"""The scripted players: rule beats greedy beats random, and the levels separate."""

import numpy as np
import pytest

from dwarrow.agents.players import greedy, players_of, rule
from dwarrow.envs.core.kernels import kernel, legal, step
from dwarrow.envs.core.rng import mix
from dwarrow.envs.core.table import begin, random_action
from dwarrow.envs.the_dwarves import GAME
from dwarrow.envs.the_dwarves.layout import MAX_TURNS, End

players_of(GAME)
RANDOM, GREEDY, RULE = range(3)
GAMES = 300


@kernel
def play(states, first_seed, who, mask):
    """Play every game by one team; return whether every action was legal."""
    word = np.zeros(1, np.uint64)
    for i in range(len(states)):
        begin(states, i, first_seed + i)
        word[0] = mix(np.uint64(first_seed + i))
        n_legal = legal(states, i, mask)
        while n_legal > 0:
            if who == GREEDY:
                action = greedy(states, i, mask, word)
            elif who == RULE:
                action = rule(states, i, mask, word)
            else:
                action = random_action(mask, n_legal, word)
            if not mask[action]:
                return False
            step(states, i, action)
            n_legal = legal(states, i, mask)
    return True


def played(who: int, **options) -> np.ndarray:
    states = GAME.blank(GAMES, GAME.options.parse(options))
    assert play(states, 5000, who, np.zeros(GAME.n_actions, np.int8))
    return states


def wins(states) -> float:
    return float((states["end"] == End.WON).mean())


@pytest.mark.parametrize("players", [2, 4])
def test_rule_beats_greedy_beats_random_on_easy(players):
    games = [played(who, players=players) for who in (RANDOM, GREEDY, RULE)]
    scores = [states["n_completed"].mean() for states in games]
    assert scores[0] + 2 < scores[1]
    assert scores[1] + 1 < scores[2]
    assert wins(games[0]) <= wins(games[1])
    assert wins(games[1]) + 0.3 < wins(games[2])


@pytest.mark.parametrize("players", [2, 4])
def test_higher_levels_are_harder(players):
    levels = ("easy", "challenging", "heroic")
    easy, middle, heroic = (wins(played(RULE, players=players, difficulty=d)) for d in levels)
    assert easy > middle + 0.05
    assert middle > heroic + 0.05


@pytest.mark.parametrize("players", [1, 3, 6])
def test_players_know_every_question_of_every_expansion(players):
    for name_card in ("before", "after"):
        options = {"elfar": True, "combined_might": True, "finales": "all", "name_card": name_card}
        for who in (GREEDY, RULE):
            states = played(who, players=players, **options)
            assert states["over"].all()
            assert states["turn"].max() <= MAX_TURNS
            assert states["decision"].max() < GAME.max_decisions / 20
