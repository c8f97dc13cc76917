"""TorchRL: the example learns, and rewards are those of the plain loop, seat by seat."""

import numpy as np
import pytest
import torch
import torchrl_ppo as example
from integrations.plain import Recorder, plain_rewards
from torchrl.envs import ActionMask, TransformedEnv
from torchrl.envs.utils import check_env_specs

from dwarrow import envs


def test_rewards_are_those_of_the_plain_loop():
    recorder, rng = Recorder(), np.random.default_rng(0)
    recorder.games = envs.vector("aquilon", 8, players=3, opponents=recorder)
    tables = example.Tables(recorder.games, seed=5)
    now = tables.reset()
    while len(recorder.rewards) < 24:
        actions = recorder.random_actions(now["action_mask"].numpy(), rng)
        stepped, now = tables.step_and_maybe_reset(now.set("action", torch.as_tensor(actions)))
        next_ = stepped["next"]
        recorder.finished(next_["reward"].numpy()[:, 0], next_["done"].numpy()[:, 0])
        assert torch.equal(now["observation"], torch.as_tensor(tables.view["observation"]))
    recorder.check("aquilon", least=24, players=3)


def test_its_specs_hold():
    games = envs.vector("aquilon", 4, players=3)
    masked = TransformedEnv(example.Tables(games, seed=1), ActionMask())
    check_env_specs(masked, break_when_any_done=False)


def test_the_example_learns():
    torch.set_num_threads(1)
    actor = example.train(steps=2048, n=16)
    before = example.networks(example.Tables(envs.vector("aquilon", 1), 0))[0]
    assert [p.shape for p in actor.parameters()] == [p.shape for p in before.parameters()]
    earned = example.play(actor, "random", games=16)
    assert set(earned) <= {-1, -0.5, 0, 0.5, 1}


@pytest.mark.parametrize("players", [2, 3])
def test_the_wrapper_of_torchrl_gives_every_seat_its_reward(players):
    torch.manual_seed(0)
    env = example.every_seat(players)
    env.set_seed(11)
    begun = env.reset()
    seed, actions = env._env.unwrapped.game_seed, []
    game = env.rollout(400, auto_reset=False, tensordict=begun)
    for step in range(len(game)):
        (mover,) = torch.nonzero(game["agents", "mask"][step])[0].tolist()
        actions.append(int(game["agents", "action"][step, mover]))
    plain = plain_rewards("aquilon", seed, actions, players=players)
    earned = game["next", "agents", "reward"].sum(0)[:, 0].tolist()
    assert earned == pytest.approx(list(plain.values()))
