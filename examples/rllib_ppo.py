"""RLlib's PPO plays all seats of a bidding game with one network and learns from them all.

    pip install "dwarrow[rllib]"
    python examples/rllib_ppo.py

RLlib wants gymnasium 1.2.2 and no other: give it a virtual environment of its own.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import torch
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from dwarrow.envs import aquilon_v0

PLAYERS = 3


class Table(PettingZooEnv):
    """One game with all its seats, under the names that RLlib's masking module reads."""

    def __init__(self, config: dict[str, Any] | None = None) -> None:
        super().__init__(aquilon_v0.env(players=PLAYERS))
        seen = self.env.observation_space("player_0")
        space = gymnasium.spaces.Dict(
            {"observations": seen["observation"], "action_mask": seen["action_mask"]}
        )
        self.observation_spaces = dict.fromkeys(self.env.possible_agents, space)
        self.observation_space = gymnasium.spaces.Dict(self.observation_spaces)

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[dict, dict]:
        seen, infos = super().reset(seed=seed, options=options)
        return renamed(seen), infos

    def step(self, action: dict[str, int]) -> tuple[dict, dict, dict, dict, dict]:
        seen, *rest = super().step(action)
        return renamed(seen), *rest


def renamed(seen: dict[str, dict[str, np.ndarray]]) -> dict[str, dict[str, np.ndarray]]:
    return {
        agent: {"observations": view["observation"], "action_mask": view["action_mask"]}
        for agent, view in seen.items()
    }


def algorithm(seed: int = 0, batch: int = 4000) -> PPO:
    """Return PPO whose iterations learn from `batch` decisions of all seats together."""
    register_env("aquilon", Table)
    config = (
        PPOConfig()
        .environment("aquilon", disable_env_checking=True)  # the check chooses without the mask
        .env_runners(num_env_runners=0, num_envs_per_env_runner=1)
        .learners(num_learners=0)
        .multi_agent(policies={"lord"}, policy_mapping_fn=lambda agent, episode, **_: "lord")
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule,
                model_config=DefaultModelConfig(fcnet_hiddens=[256, 256]),
            )
        )
        .training(
            train_batch_size_per_learner=batch,
            minibatch_size=min(512, batch),
            num_epochs=4,
            lr=5e-4,
            gamma=1.0,
            lambda_=0.95,
            entropy_coeff=0.01,
        )
        .debugging(seed=seed, log_level="ERROR")
    )
    return config.build_algo()


def train(iterations: int, seed: int = 0, batch: int = 4000) -> PPO:
    """Learn for some iterations."""
    learner = algorithm(seed, batch)
    for k in range(iterations):
        result = learner.train()
        played = result["env_runners"]["num_episodes_lifetime"]
        entropy = result["learners"]["lord"]["entropy"]
        print(f"iteration {k + 1}: {played} games so far, entropy {entropy:.2f}")
    return learner


def play(learner: PPO, games: int, seed: int = 1) -> np.ndarray:
    """Return the utilities [games] of the network, on each seat in turn, among random bidders."""
    network, env = learner.get_module("lord"), Table()
    rng, earned = np.random.default_rng(seed), np.zeros(games)
    for k in range(games):
        me = env.env.possible_agents[k % PLAYERS]
        seen, _ = env.reset(seed=seed + k)
        over = False
        while not over:
            ((agent, view),) = seen.items()
            action = rng.choice(np.flatnonzero(view["action_mask"]))
            if agent == me:
                batch = {name: torch.as_tensor(array[None]) for name, array in view.items()}
                with torch.no_grad():
                    logits = network.forward_inference({Columns.OBS: batch})
                action = logits[Columns.ACTION_DIST_INPUTS].argmax()
            seen, rewards, terminated, _, _ = env.step({agent: int(action)})
            over = terminated["__all__"]
        earned[k] = rewards[me]
    return earned


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--games", type=int, default=200)
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    learner = train(options.iterations)
    earned = play(learner, options.games)
    learner.stop()
    error = earned.std() / len(earned) ** 0.5
    print(f"mean utility against two random: {earned.mean():+.2f} ± {1.96 * error:.2f}")


if __name__ == "__main__":
    main()
