"""sb3-contrib's MaskablePPO learns to bid against two greedy lords.

    pip install "dwarrow[sb3]"
    python examples/sb3_maskable_ppo.py

`Tables` gives Stable-Baselines3 many games that are stepped together in compiled code. The plain
way works too, one game at a time and slower:

    MaskablePPO("MultiInputPolicy", envs.single("aquilon", opponents=agents.make("greedy", game)))
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv, VecMonitor

from dwarrow import agents, envs


class Tables(VecEnv):
    """A `VectorGame` as a `VecEnv`: one learner's seat in each of many games.

    The policy is shown the observation alone; MaskablePPO asks for the masks by `env_method`.
    """

    def __init__(self, games: envs.VectorGame, seed: int) -> None:
        self.games, self.render_mode = games, None
        self.view, self.info = games.reset(seed=seed)
        space = games.single_observation_space["observation"]
        super().__init__(games.num_envs, space, games.single_action_space)

    def reset(self) -> np.ndarray:
        self.view, self.info = self.games.reset()
        return self.view["observation"]

    def step_async(self, actions: np.ndarray) -> None:
        self.actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        self.view, rewards, over, _, self.info = self.games.step(self.actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(over):
            infos[row] = {
                "terminal_observation": self.info["final_obs"][row]["observation"],
                "breakdown": self.info["breakdown"][row],
            }
        return self.view["observation"], rewards.astype(np.float32), over, infos

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **more: Any) -> list:
        if method_name == "action_masks":
            return list(self.games.action_masks()[self._get_indices(indices)])
        raise AttributeError(method_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        if attr_name not in ("render_mode", "action_masks"):
            raise AttributeError(attr_name)
        return [getattr(self, attr_name, self.env_method)] * len(self._get_indices(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(f"{attr_name} cannot be set")

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        return [False] * len(self._get_indices(indices))

    def close(self) -> None:
        self.games.close()


def train(steps: int, seed: int = 0, n: int = 64) -> MaskablePPO:
    """Learn from `steps` decisions of one seat at a time in `n` games of three lords."""
    greedy = agents.make("greedy", envs.game("aquilon"))
    tables = Tables(envs.vector("aquilon", n, players=3, opponents=greedy), seed)
    model = MaskablePPO(
        "MlpPolicy",
        VecMonitor(tables),
        n_steps=128,
        batch_size=1024,
        n_epochs=4,
        gamma=1.0,  # points count at the end, however long that takes
        learning_rate=5e-4,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [256, 256]},
        seed=seed,
        device="cpu",
        verbose=1,
    )
    return model.learn(steps)


def play(model: MaskablePPO, opponents: str, games: int, seed: int = 1) -> np.ndarray:
    """Return the utilities [games] of the model, rank from +1 to -1, against two `opponents`.

    One game a table, so that long games count as often as short ones.
    """
    others = agents.make(opponents, envs.game("aquilon"))
    tables = Tables(envs.vector("aquilon", games, players=3, opponents=others), seed)
    earned, playing = np.zeros(games), np.ones(games, bool)
    observation = tables.view["observation"]
    while playing.any():
        masks = np.stack(tables.env_method("action_masks"))
        actions, _ = model.predict(observation, action_masks=masks, deterministic=True)
        observation, rewards, over, _ = tables.step(actions)
        earned[playing & over] = rewards[playing & over]
        playing &= ~over
    return earned


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=300_000)
    parser.add_argument("--games", type=int, default=500)
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    model = train(options.steps)
    for opponents in ("random", "greedy"):
        earned = play(model, opponents, options.games)
        error = earned.std() / len(earned) ** 0.5
        print(f"mean utility against two {opponents}: {earned.mean():+.2f} ± {1.96 * error:.2f}")


if __name__ == "__main__":
    main()
