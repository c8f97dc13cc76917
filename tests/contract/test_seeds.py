"""One seed, one game: in any process, with any hash seed, compiled or not, after any other game."""

import os
import subprocess
import sys
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from contract.cases import module_of
from contract.digests import digests

TESTS = Path(__file__).resolve().parents[1]
WHOLE_GAME = 10**6
LIMIT = 500


def elsewhere(name: str, counts: list[int], limit: int, **environment: str) -> list[list[str]]:
    path = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
    out = subprocess.run(
        [sys.executable, "-m", "contract.digests", name, str(limit), *map(str, counts)],
        env={**os.environ, "PYTHONPATH": path, **environment},
        check=True,
        capture_output=True,
        text=True,
    )
    return [line.split() for line in out.stdout.splitlines()]


def test_a_seed_gives_the_same_game_in_a_forked_process(any_game, g):
    """Whatever this process has played before: a fork takes all of it along."""
    players = g.player_counts[-1]
    here = digests(any_game, players, 78, LIMIT)
    with get_context("fork").Pool(1) as pool:
        assert pool.apply(digests, (any_game, players, 78, LIMIT)) == here


@pytest.mark.parametrize("hash_seed", ["0", "12345"])
def test_a_seed_gives_the_same_game_in_another_process(any_game, g, hash_seed):
    counts = list(g.player_counts)
    here = [digests(any_game, players, 77, WHOLE_GAME) for players in counts]
    assert elsewhere(any_game, counts, WHOLE_GAME, PYTHONHASHSEED=hash_seed) == here


def test_a_seed_gives_the_same_game_without_compilation(any_game, g):
    """Plain Python is slow, so one whole game of the fewest players."""
    counts = [g.player_counts[0]]
    here = [digests(any_game, players, 77, WHOLE_GAME) for players in counts]
    assert elsewhere(any_game, counts, WHOLE_GAME, NUMBA_DISABLE_JIT="1") == here


def test_other_seeds_give_other_games(any_game, g):
    assert len({g.digest(g.new(1, seed=seed), 0) for seed in range(20)}) == 20
    batch = g.new(5, seed=100)
    assert [g.digest(batch, i) for i in range(5)] == [
        g.digest(g.new(1, seed=100 + i), 0) for i in range(5)
    ]


def test_reset_without_a_seed_goes_on_with_the_stream(any_game):
    def run(*seeds):
        env, seen = module_of(any_game).env(), []
        for seed in seeds:
            env.reset(seed=seed)
            seen.append(env.digest())
        return seen

    first = run(3, None, None)
    assert first == run(3, None, None)
    assert len(set(first)) == 3
    assert run(3, 4, None)[2] == run(4, None)[1]
    assert run(None)[0] != run(None)[0]  # nobody's seed


def test_global_random_numbers_are_neither_read_nor_moved(any_game, g):
    np.random.seed(1)  # noqa: NPY002
    before = np.random.get_state()[1].tobytes()  # noqa: NPY002
    env = module_of(any_game).env()
    env.reset(seed=5)
    digest = env.digest()
    for _ in range(5):
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
        if not any(env.infos[env.agents[0]]["action_mask"]) and env.terminations["player_0"]:
            break
    assert np.random.get_state()[1].tobytes() == before  # noqa: NPY002
    np.random.seed(2)  # noqa: NPY002
    env.reset(seed=5)
    assert env.digest() == digest


@pytest.mark.parametrize("seed", [-1, 2**62])
def test_a_seed_out_of_range_is_refused(any_game, g, seed):
    with pytest.raises(ValueError, match=f"seed={seed}"):
        g.new(seed=seed)
    with pytest.raises(ValueError, match=f"seed={seed}"):
        module_of(any_game).env().reset(seed=seed)
