"""RLlib: the example learns, and rewards are those of the plain loop, seat by seat."""

import gymnasium
import numpy as np
import pytest
import ray
import rllib_ppo as example
import torch
from integrations.plain import plain_rewards


@pytest.fixture(scope="module", autouse=True)
def no_ray_is_left():
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def learner():
    torch.set_num_threads(1)
    learner = example.algorithm(batch=500)
    yield learner
    learner.stop()


def test_rllib_has_the_gymnasium_that_it_asks_for():
    assert gymnasium.__version__.startswith("1.2")


def test_sampled_rewards_are_those_of_the_plain_loop(learner):
    """What RLlib's own runner collects for every seat."""
    runner = learner.env_runner
    (table,) = [env.unwrapped for env in getattr(runner.env.unwrapped, "envs", [runner.env])]
    table = getattr(table, "unwrapped", table)
    begun, played = [], []
    reset, step = table.reset, table.step

    def watched_reset(**more):
        seen = reset(**more)
        begun.append(table.env.game_seed)
        played.append([])
        return seen

    def watched_step(action):
        played[-1].append(int(action[table.env.agent_selection]))
        return step(action)

    table.reset, table.step = watched_reset, watched_step
    episodes = runner.sample(num_episodes=3, random_actions=False, force_reset=True)
    assert len(episodes) == 3
    for episode, seed, actions in zip(episodes, begun, played, strict=False):
        plain = plain_rewards("aquilon", seed, actions, players=example.PLAYERS)
        for agent, reward in plain.items():
            own = episode.agent_episodes[agent].get_rewards()
            assert own[-1] == pytest.approx(reward)
            assert not np.any(own[:-1])


def test_the_example_learns(learner):
    before = [p.clone() for p in learner.get_module("lord").parameters()]
    result = learner.train()
    assert result["env_runners"]["num_env_steps_sampled_lifetime"] >= 500
    after = learner.get_module("lord").parameters()
    assert any(not torch.equal(one, other) for one, other in zip(before, after, strict=True))
    assert set(example.play(learner, games=3)) <= {-1, -0.5, 0, 0.5, 1}
