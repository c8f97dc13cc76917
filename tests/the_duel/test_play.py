"""Random games in bulk, inside one kernel: invariants, lengths, determinism."""

import os
import subprocess
import sys
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from the_duel.table import GAME

from dwarrow.envs.core.kernels import Mask, States, kernel, legal, step, violations
from dwarrow.envs.core.rng import mix
from dwarrow.envs.core.table import begin, play_random_games, random_action
from dwarrow.envs.the_duel.layout import MAX_DECISIONS, MAX_TURNS

FLAGS = ("automatic_payment", "extra_dice_after_roll", "joker_card_is_die", "window_after_roll")


@kernel
def play_checked(states: States, seed: int, mask: Mask) -> int:
    """Play all games at random, stopping at the first violation; return its bits."""
    word = np.zeros(1, np.uint64)
    for i in range(len(states)):
        begin(states, i, seed + i)
        word[0] = mix(np.uint64(seed + i))
        while not states[i].over:
            broken = violations(states, i)
            n = legal(states, i, mask)
            if broken or n == 0:
                return broken if broken else -1
            step(states, i, random_action(mask, n, word))
        if violations(states, i):
            return violations(states, i)
    return 0


def mask() -> NDArray[np.int8]:
    return np.zeros(GAME.n_actions, np.int8)


def test_ten_thousand_random_games_without_a_violation() -> None:
    states = GAME.blank(10_000, GAME.options())
    assert play_checked(states, 0, mask()) == 0
    assert states["over"].all()
    turns = states["turn"]
    assert 36 < turns.mean() < 41
    assert turns.max() <= MAX_TURNS
    assert states["decision"].max() < MAX_DECISIONS / 2
    won = [GAME.returns(states, i)[states["starter"][i]] for i in range(2000)]
    assert 0.48 < np.mean(np.array(won) > 0) < 0.60


@pytest.mark.parametrize("chosen", list(product((False, True), repeat=len(FLAGS))))
def test_random_games_with_every_flag(chosen: tuple[bool, ...]) -> None:
    flags = dict(zip(FLAGS, chosen, strict=True))
    rest = "printed" if sum(chosen) % 2 else "any"
    options = GAME.options.parse({**flags, "short_rest": rest})
    states = GAME.blank(200, options)
    assert play_checked(states, 77, mask()) == 0
    assert states["turn"].max() <= MAX_TURNS


def test_the_utilities_sum_to_zero() -> None:
    states = GAME.new(50)
    play_random_games(states, 3, mask(), MAX_DECISIONS)
    for i in range(len(states)):
        assert sorted(GAME.returns(states, i).tolist()) == [-1, 1]
        points = GAME.scores(states, i)
        if points[0] != points[1]:
            assert GAME.returns(states, i)[points.argmax()] == 1


SAME_GAME = """
import numpy as np
from dwarrow import envs
from dwarrow.envs.core.table import play_random_games
game = envs.game("the_duel")
states = game.new(2, seed=11)
play_random_games(states, 11, np.zeros(game.n_actions, np.int8), {limit})
print([game.digest(states, i) for i in range(2)])
"""


def test_the_same_seed_gives_the_same_game_in_every_process_and_without_the_jit() -> None:
    found = set()
    for hash_seed, no_jit in (("1", "0"), ("2", "1")):
        environment = {"PYTHONHASHSEED": hash_seed, "NUMBA_DISABLE_JIT": no_jit}
        done = subprocess.run(
            [sys.executable, "-c", SAME_GAME.format(limit=150)],
            env={**os.environ, **environment},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        found.add(done.stdout)
    assert len(found) == 1
