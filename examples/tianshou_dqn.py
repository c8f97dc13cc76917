"""Tianshou's DQN plays all seats of a bidding game against itself and learns.

    pip install "dwarrow[tianshou]"
    python examples/tianshou_dqn.py

Every seat has an algorithm of its own, as Tianshou wants it. In its buffer the next decision of a
game is mostly another seat's, so a target that looks one step ahead would read the wrong seat's
value. Hence `HORIZON`: targets are what the seat itself had at the end of the game.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
import torch
from tianshou.algorithm import DQN, MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step

from dwarrow.envs import aquilon_v0

PLAYERS = 2
HORIZON = 300  # decisions; no game of Aquilon has more
EXPLORED = 0.2  # of the decisions


def table() -> PettingZooEnv:
    """Return one game with all its seats, as Tianshou reads it."""
    return PettingZooEnv(aquilon_v0.env(players=PLAYERS))


def learner(env: PettingZooEnv) -> DQN:
    """Return what learns for one seat."""
    n_features = env.observation_space["observation"].shape
    policy = DiscreteQLearningPolicy(
        model=Net(state_shape=n_features, action_shape=env.action_space.n, hidden_sizes=[256, 256]),
        action_space=env.action_space,
        observation_space=env.observation_space,
    )
    return DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=5e-4),
        gamma=1.0,
        n_step_return_horizon=HORIZON,
    )


def train(steps: int, seed: int = 0, n: int = 8) -> MultiAgentOffPolicyAlgorithm:
    """Learn from `steps` decisions of all seats together, in `n` games at a time."""
    np.random.seed(seed)  # noqa: NPY002  # Tianshou explores with it
    torch.manual_seed(seed)
    env = table()
    algorithm = MultiAgentOffPolicyAlgorithm(
        algorithms=[learner(env) for _ in range(PLAYERS)], env=env
    )
    buffer = VectorReplayBuffer(50_000, n)
    collector = Collector(algorithm, DummyVectorEnv([table] * n), buffer, exploration_noise=True)
    collector.reset(gym_reset_kwargs={"seed": seed})
    explore(algorithm, EXPLORED)
    done = 0
    with policy_within_training_step(algorithm.policy):
        while done < steps:
            # whole games: while one goes on nobody knows what a decision in it was worth
            stats = collector.collect(n_episode=2 * n)
            done += stats.n_collected_steps
            losses = [
                algorithm.update(buffer, sample_size=512).get_loss_stats_dict()
                for _ in range(stats.n_collected_steps // 32)
            ]
            mean = np.mean([loss["player_0/loss"] for loss in losses])
            print(f"{done} decisions: loss of seat 0 {mean:.3f}")
    explore(algorithm, 0.0)
    return algorithm


def explore(algorithm: MultiAgentOffPolicyAlgorithm, share: float) -> None:
    """Let every seat choose at random in a `share` of its decisions.

    That a seat is being trained is known to the policy of all seats together and not to its own:
    hence both rates.
    """
    for policy in algorithm.policy.policies.values():
        policy.set_eps_training(share)
        policy.set_eps_inference(share)


def play(algorithm: MultiAgentOffPolicyAlgorithm, games: int, seed: int = 1) -> np.ndarray:
    """Return the utilities [games] of what learned, on each seat in turn, among random bidders."""
    env, earned = table(), np.zeros(games)
    rng = np.random.default_rng(seed)
    for k in range(games):
        me = env.agents[k % PLAYERS]
        seen, _ = env.reset(seed=seed + k)
        over = False
        while not over:
            action = rng.choice(np.flatnonzero(seen["mask"]))
            if seen["agent_id"] == me:
                mine = Batch(
                    obs=Batch(obs=seen["obs"][None], mask=np.array([seen["mask"]])), info={}
                )
                action = algorithm.policy.policies[me](mine).act[0]
            seen, rewards, over, _, _ = env.step(int(action))
        earned[k] = rewards[k % PLAYERS]
    return earned


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=50_000)
    parser.add_argument("--games", type=int, default=200)
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    earned = play(train(options.steps), options.games)
    error = earned.std() / len(earned) ** 0.5
    print(f"mean utility against one random: {earned.mean():+.2f} ± {1.96 * error:.2f}")


if __name__ == "__main__":
    main()
