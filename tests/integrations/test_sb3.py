"""sb3-contrib's MaskablePPO: the example learns, and its rewards are those of the plain loop."""

import numpy as np
import pytest
import sb3_maskable_ppo as example
import torch
from integrations.plain import Recorder
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_checker import check_env

from dwarrow import envs


def test_rewards_are_those_of_the_plain_loop():
    recorder, rng = Recorder(), np.random.default_rng(0)
    recorder.games = envs.vector("aquilon", 8, players=3, opponents=recorder)
    tables = example.Tables(recorder.games, seed=5)
    while len(recorder.rewards) < 24:
        masks = np.stack(tables.env_method("action_masks"))
        _, rewards, over, infos = tables.step(recorder.random_actions(masks, rng))
        recorder.finished(rewards, over)
        for row in np.flatnonzero(over):
            assert infos[row]["breakdown"]["end_reason"]
            assert infos[row]["terminal_observation"].shape == tables.observation_space.shape
    recorder.check("aquilon", least=24, players=3)


def test_the_example_learns():
    torch.set_num_threads(1)
    model = example.train(steps=2048, n=16)
    assert model.num_timesteps == 2048
    fresh = MaskablePPO(
        "MlpPolicy", model.get_env(), policy_kwargs={"net_arch": [256, 256]}, seed=0
    )
    learned = zip(model.policy.parameters(), fresh.policy.parameters(), strict=True)
    assert any(not torch.equal(one, other) for one, other in learned)
    earned = example.play(model, "random", games=16)
    assert set(earned) <= {-1, -0.5, 0, 0.5, 1}


def test_one_game_at_a_time_learns_too():
    env = envs.single("aquilon", players=3)
    MaskablePPO("MultiInputPolicy", env, n_steps=64, batch_size=64, n_epochs=1).learn(128)


@pytest.mark.parametrize("name", envs.games())
def test_check_env_passes_on_every_game(name):
    check_env(envs.single(name, illegal="terminate"))  # it chooses without the mask
