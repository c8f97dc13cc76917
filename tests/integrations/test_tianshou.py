"""Tianshou: the example learns, and rewards are those of the plain loop, seat by seat."""

import numpy as np
import tianshou_dqn as example
import torch
from integrations.plain import plain_rewards
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv

from dwarrow.envs import aquilon_v0


class Watched(PettingZooEnv):
    """The example's table, with the seeds of its games."""

    def __init__(self) -> None:
        self.seeds = []
        super().__init__(aquilon_v0.env(players=example.PLAYERS))

    def reset(self, *args, **more):
        begun = super().reset(*args, **more)
        self.seeds.append(self.env.game_seed)
        return begun


def test_collected_rewards_are_those_of_the_plain_loop():
    tables = [Watched() for _ in range(2)]
    algorithm = example.MultiAgentOffPolicyAlgorithm(
        algorithms=[example.learner(tables[0]) for _ in range(example.PLAYERS)], env=tables[0]
    )
    example.explore(algorithm, 1.0)
    buffer = VectorReplayBuffer(4000, 2)
    vector = DummyVectorEnv([lambda table=table: table for table in tables])
    collector = Collector(algorithm, vector, buffer, exploration_noise=True)
    collector.reset(gym_reset_kwargs={"seed": 3})
    begun = [len(table.seeds) - 1 for table in tables]
    collector.collect(n_episode=4)
    compared = 0
    for part, table, skipped in zip(buffer.buffers, tables, begun, strict=True):
        whole = part[:]
        ends = np.flatnonzero(whole.done)
        for k, (first, last) in enumerate(zip([0, *ends[:-1] + 1], ends, strict=True)):
            actions = whole.act[first : last + 1].tolist()
            seed = table.seeds[skipped + k]
            plain = plain_rewards("aquilon", seed, actions, players=example.PLAYERS)
            np.testing.assert_array_equal(whole.rew[last], list(plain.values()))
            assert not whole.rew[first:last].any()
            compared += 1
    assert compared == 4


def test_a_target_is_what_the_seat_itself_had_at_the_end():
    env = example.table()
    algorithm = example.MultiAgentOffPolicyAlgorithm(
        algorithms=[example.learner(env) for _ in range(example.PLAYERS)], env=env
    )
    buffer = VectorReplayBuffer(1000, 1)
    Collector(algorithm, DummyVectorEnv([example.table]), buffer).collect(
        n_episode=1, reset_before_collect=True
    )
    whole, indices = buffer.sample(0)
    targets = algorithm._preprocess_batch(whole, buffer, indices)
    for seat, agent in enumerate(env.agents):
        own = targets[agent].returns.flatten()
        np.testing.assert_allclose(own, np.full(len(own), whole.rew[-1, seat]))


def test_the_example_learns():
    torch.set_num_threads(1)
    algorithm = example.train(steps=500, n=2)
    assert set(example.play(algorithm, games=6)) <= {-1, 0, 1}
