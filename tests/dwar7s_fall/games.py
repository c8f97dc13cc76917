"""Whole games of scripted and random kings, in one compiled kernel."""

from __future__ import annotations

import numpy as np
from dwar7s_fall.table import GAME

from dwarrow.agents.players import greedy, players_of, rule
from dwarrow.envs.core.kernels import kernel, legal, step, violations
from dwarrow.envs.core.table import begin, random_action

RANDOM, GREEDY, RULE = 0, 1, 2
players_of(GAME)


@kernel
def play_game(states, i, seed, kings, mask, word, limit, checked):
    """Play game `i`; return its decisions, or a negative number if something is wrong."""
    begin(states, i, seed)
    for count in range(limit):
        n_legal = legal(states, i, mask)
        king = kings[states[i].seat]
        if king == RANDOM:
            action = random_action(mask, n_legal, word)
        elif king == GREEDY:
            action = greedy(states, i, mask, word)
        else:
            action = rule(states, i, mask, word)
        if not mask[action]:
            return -1
        over = step(states, i, action)
        if checked and violations(states, i) != 0:
            return -2
        if over:
            return count + 1
    return limit if checked == 0 else -3


@kernel
def play_games(states, seed, seatings, mask, word, checked):
    """Play every game of the batch, seated in turn as `seatings` [k, n_seats] says."""
    total = 0
    for i in range(len(states)):
        kings = seatings[i % len(seatings)]
        count = play_game(states, i, seed + i, kings, mask, word, 1_000_000, checked)
        if count < 0:
            return count * 1_000_000 - i
        total += count
    return total


def games(n: int, seatings: list[list[int]], seed: int = 0, checked: bool = False, **options):
    """Return `n` finished games."""
    states = GAME.new(n, players=len(seatings[0]), **options)
    word = np.array([seed + 1], np.uint64)
    mask = np.zeros(GAME.n_actions, np.int8)
    total = play_games(states, seed, np.array(seatings), mask, word, int(checked))
    assert total > 0, f"fault {total}"
    return states


def part(seed: int, kings: list[int], limit: int, **options):
    """Return one game after at most `limit` decisions."""
    states = GAME.new(1, players=len(kings), **options)
    word = np.array([seed + 1], np.uint64)
    mask = np.zeros(GAME.n_actions, np.int8)
    play_game(states, 0, seed, np.array(kings), mask, word, limit, 0)
    return states
