"""The scripted players: legal, no peeking, and each better than the one before."""

import numpy as np
import pytest
from aquilon.table import GAME, Box, load

from dwarrow.agents.players import greedy, players_of, rule
from dwarrow.envs.core.kernels import kernel, legal, returns, step
from dwarrow.envs.core.rng import mix
from dwarrow.envs.core.table import begin, random_action

players_of(GAME)
RANDOM, GREEDY, RULE = range(3)


@kernel
def play_match(states, seed, who, mask, out, wins, limit):
    """Play each deal with seats rotated; add up shares of wins; return the first illegal choice."""
    n = states[0].n_seats
    word = np.zeros(1, np.uint64)
    for i in range(len(states)):
        begin(states, i, seed + i // n)
        word[0] = mix(np.uint64(seed + i))
        for _ in range(limit):
            n_legal = legal(states, i, mask)
            if n_legal == 0:
                break
            kind = who[(states[i].seat + i) % n]
            if kind == 0:
                action = random_action(mask, n_legal, word)
            elif kind == 1:
                action = greedy(states, i, mask, word)
            else:
                action = rule(states, i, mask, word)
            if action < 0 or not mask[action]:
                return i
            step(states, i, action)
        returns(states, i, out)
        best = out[:n].max()
        share = 1 / np.sum(out[:n] == best)
        for seat in range(n):
            if out[seat] == best:
                wins[(seat + i) % n] += share
    return -1


def win_share(*who, games):
    states = GAME.blank(games, GAME.options.parse({"players": len(who)}))
    wins, mask = np.zeros(len(who)), np.zeros(GAME.n_actions, np.int8)
    out = np.zeros(GAME.max_seats, np.float32)
    fault = play_match(states, 0, np.array(who), mask, out, wins, GAME.max_decisions)
    assert fault == -1
    return wins[0] / games


@pytest.mark.parametrize(
    ("players", "better", "worse", "at_least"),
    [
        (3, GREEDY, RANDOM, 0.60),
        (3, RULE, GREEDY, 0.60),
        (3, RULE, RANDOM, 0.90),
        (2, RULE, GREEDY, 0.85),
        (4, RULE, GREEDY, 0.50),
        (5, RULE, GREEDY, 0.40),
    ],
)
def test_one_of_the_better_players_beats_a_table_of_the_worse(players, better, worse, at_least):
    # fair share is one in `players`
    assert win_share(better, *[worse] * (players - 1), games=300 * players) > at_least


def choice(player, states):
    mask = GAME.mask(states, 0)
    return GAME.action_name(int(player(states, 0, mask, np.zeros(1, np.uint64))))


def tavern_of(*first, army=(), players=3):
    box = Box()
    own = box.of(**dict(army))
    taverns = [box.tavern(*first, size=3), box.tavern(size=3), box.tavern(size=3)]
    hands = [["5", "2", "3", "0", "4"], ["4", "2", "3", "0", "5"], ["2", "3", "4", "0", "5"]]
    lords = [{"coins": hand, "gem": gem} for hand, gem in zip(hands, (5, 4, 3), strict=True)]
    lords[0]["army"] = own
    return load(options={"players": 3}, phase="take", taverns=taverns, players=lords)


def test_greedy_takes_most_points():
    states = tavern_of("Talion 3 Malt", "Wanderers 13", "Temple 4")
    assert choice(greedy, states) == "take 1"


def test_rule_prefers_a_line_to_a_few_points():
    army = {"shield": 1, "wanderers": 2, "forge": 1, "talion": 1}
    states = tavern_of("Wanderers 8 Malt", "Temple 4", "Temple 3", army=army)
    assert choice(greedy, states) == "take 0"
    assert choice(rule, states) == "take 1"


def test_rule_lays_the_0_in_the_first_turn_so_that_coins_grow():
    for number in range(20):
        assert "0" in choice(rule, GAME.new(seed=number)).split(" ")[1:]
