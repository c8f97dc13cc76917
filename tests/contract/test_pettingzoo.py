"""PettingZoo's own tests, over every game and player count."""

import numpy as np
import pettingzoo
import pytest
from contract.cases import REAL_GAMES, module_of
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.test.seed_test import parallel_seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

# Said of every environment with a dict observation that is not on a list inside PettingZoo.
DICT_OBSERVATION = (
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
)
pytestmark = [pytest.mark.filterwarnings(said) for said in DICT_OBSERVATION]

CYCLES = 150


def test_aec_passes_the_api_test(case, players):
    module = module_of(case[0])
    api_test(module.env(players=players), CYCLES)
    api_test(module.raw_env(players=players), 5)


def test_spaces_are_equal_for_all_agents_and_player_counts_and_stay_the_same_objects(any_game, g):
    envs = [module_of(any_game).env(players=players) for players in g.player_counts]
    first = envs[0]
    for env in envs:
        for agent in env.possible_agents:
            seen, act = env.observation_space(agent), env.action_space(agent)
            assert seen is env.observation_space(agent)
            assert act is env.action_space(agent)
            assert seen == first.observation_space("player_0")
            assert act == first.action_space("player_0")
            assert seen["observation"].dtype == np.float32
            assert seen["action_mask"].dtype == np.int8


def test_aec_passes_the_seed_test(case, players):
    seed_test(lambda: module_of(case[0]).env(players=players), CYCLES)


def test_parallel_passes_the_api_test(case, players):
    parallel_api_test(module_of(case[0]).parallel_env(players=players), CYCLES)


def test_parallel_passes_the_seed_test(case, players):
    """It samples without masks, so that most games end at once here; see the next test."""
    module = module_of(case[0])
    parallel_seed_test(lambda: module.parallel_env(players=players, illegal="terminate"), CYCLES)


def test_parallel_repeats_a_seed_to_the_end(case, players):
    first, second = (module_of(case[0]).parallel_env(players=players) for _ in range(2))
    shown = first.reset(seed=9), second.reset(seed=9)
    while first.agents:
        assert data_equivalence(*shown)
        actions = {
            agent: int(np.argmax(first._masks[agent]) if agent in first.acting else 0)
            for agent in first.agents
        }
        shown = first.step(actions), second.step(actions)
    assert data_equivalence(*shown)
    assert first.digest() == second.digest()


def test_aec_converts_to_parallel_and_passes_the_api_test(case, players):
    parallel_api_test(turn_based_aec_to_parallel(module_of(case[0]).env(players=players)), CYCLES)


def test_aec_converted_to_parallel_passes_the_seed_test(any_game):
    module = module_of(any_game)
    parallel_seed_test(lambda: turn_based_aec_to_parallel(module.env(illegal="terminate")), CYCLES)


def test_there_is_no_wrapper_to_unwrap(any_game):
    for env in (module_of(any_game).env(), module_of(any_game).parallel_env()):
        assert env.unwrapped is env


def test_aec_passes_the_render_test(any_game, capsys):
    render_test(lambda **more: module_of(any_game).env(**more))
    assert capsys.readouterr().out.strip()  # human mode prints, with or without a display


@pytest.mark.parametrize("kind", ["aec", "parallel"])
def test_pettingzoo_finds_the_games_by_id(kind):
    from dwarrow.envs.registration import pettingzoo_id

    if not hasattr(pettingzoo, "aec_registry"):  # before 1.27
        assert pettingzoo.__version__ < "1.27"
        return
    for name in REAL_GAMES:
        env = pettingzoo.make(kind, pettingzoo_id(name))
        assert str(env) == f"{name}_v0"
