"""TorchRL's PPO learns to bid against two greedy lords.

    pip install "dwarrow[torchrl]"
    python examples/torchrl_ppo.py

`Tables` is a batched TorchRL environment: one learner's seat in many games that are stepped
together in compiled code. `every_seat` is the way through TorchRL's own wrapper, in which all seats
are the learner's; it is much slower, as it steps one game and observes all agents each time.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
import torch
from pettingzoo.utils import BaseWrapper
from tensordict import TensorDict, TensorDictBase
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.data import Binary, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase, MarlGroupMapType, PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from dwarrow import agents, envs
from dwarrow.envs import aquilon_v0


class Tables(EnvBase):
    """A `VectorGame` as a TorchRL environment of batch size [games]."""

    def __init__(self, games: envs.VectorGame, seed: int) -> None:
        n, n_actions = games.num_envs, int(games.single_action_space.n)
        features = games.single_observation_space["observation"].shape[0]
        super().__init__(batch_size=[n])
        self.games, self.seed = games, seed
        self.observation_spec = Composite(
            observation=Unbounded((n, features)),
            action_mask=Binary(n_actions, (n, n_actions), dtype=torch.bool),
            shape=[n],
        )
        self.action_spec = Categorical(n_actions, (n,))
        self.reward_spec = Unbounded((n, 1))
        self.done_spec = Binary(1, (n, 1), dtype=torch.bool)

    def _reset(self, tensordict: TensorDictBase | None = None, **_: object) -> TensorDictBase:
        # A finished game has begun again by itself: its first view is there already.
        if tensordict is None or "_reset" not in tensordict:
            self.view, _ = self.games.reset(seed=self.seed)
            self.seed = None  # later resets go on with the stream
        return self._seen(self.view)

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        self.view, rewards, over, _, infos = self.games.step(tensordict["action"].numpy())
        last = {name: array.copy() for name, array in self.view.items()}
        for row in np.flatnonzero(over):
            for name, array in infos["final_obs"][row].items():
                last[name][row] = array
            last["action_mask"][row] = 1  # a distribution wants at least one action
        result = self._seen(last)
        result["reward"] = torch.as_tensor(rewards, dtype=torch.float32)[:, None]
        result["done"] = result["terminated"] = torch.as_tensor(over)[:, None]
        return result

    def _set_seed(self, seed: int | None) -> None:
        self.seed = seed

    def _seen(self, view: dict[str, np.ndarray]) -> TensorDict:
        return TensorDict(
            observation=torch.as_tensor(view["observation"]),
            action_mask=torch.as_tensor(view["action_mask"] != 0),
            batch_size=self.batch_size,
        )


class WithoutInfos(BaseWrapper):
    """Leaves out the infos: TorchRL takes only numbers there, and no mask that is twice there."""

    @property
    def infos(self) -> dict[str, dict[str, object]]:
        return {agent: {} for agent in self.env.infos}


def every_seat(players: int = 3) -> PettingZooWrapper:
    """Return all seats of one game through TorchRL's wrapper, in one group."""
    return PettingZooWrapper(
        WithoutInfos(aquilon_v0.env(players=players)),
        use_mask=True,  # who is not to move is masked out
        group_map=MarlGroupMapType.ALL_IN_ONE_GROUP,
        categorical_actions=True,
    )


def networks(env: EnvBase) -> tuple[ProbabilisticActor, ValueOperator]:
    """Return an actor that keeps to the mask, and a critic."""
    features = env.observation_spec["observation"].shape[-1]

    def layers(n_outputs: int) -> nn.Module:
        return nn.Sequential(
            nn.Linear(features, 256), nn.Tanh(), nn.Linear(256, 256), nn.Tanh(),
            nn.Linear(256, n_outputs),
        )  # fmt: skip

    n_actions = env.observation_spec["action_mask"].shape[-1]
    actor = ProbabilisticActor(
        TensorDictModule(layers(n_actions), in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        out_keys=["action"],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    return actor, ValueOperator(layers(1), in_keys=["observation"])


def train(steps: int, seed: int = 0, n: int = 64) -> ProbabilisticActor:
    """Learn from `steps` decisions of one seat at a time in `n` games of three lords."""
    torch.manual_seed(seed)
    greedy = agents.make("greedy", envs.game("aquilon"))
    tables = Tables(envs.vector("aquilon", n, players=3, opponents=greedy), seed)
    actor, critic = networks(tables)
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01, critic_coeff=0.5)
    optimizer = torch.optim.Adam(loss.parameters(), lr=5e-4)
    collector = Collector(tables, actor, frames_per_batch=128 * n, total_frames=steps)
    for k, batch in enumerate(collector):
        for _ in range(4):
            with torch.no_grad():
                advantage(batch)
            for part in batch.reshape(-1)[torch.randperm(batch.numel())].split(1024):
                parts = loss(part)
                total = parts["loss_objective"] + parts["loss_critic"] + parts["loss_entropy"]
                optimizer.zero_grad()
                total.backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
        next_ = batch["next"]
        mean = next_["reward"][next_["done"]].mean()
        print(f"{(k + 1) * batch.numel()} decisions: mean utility of finished games {mean:+.2f}")
    collector.shutdown()
    return actor


def play(actor: ProbabilisticActor, opponents: str, games: int, seed: int = 1) -> np.ndarray:
    """Return the utilities [games] of the actor, rank from +1 to -1, against two `opponents`."""
    others = agents.make(opponents, envs.game("aquilon"))
    tables = Tables(envs.vector("aquilon", games, players=3, opponents=others), seed)
    earned, playing = np.zeros(games), np.ones(games, bool)
    with torch.no_grad():
        now = tables.reset()
        while playing.any():
            stepped, now = tables.step_and_maybe_reset(actor(now))
            over = stepped["next", "done"].numpy()[:, 0]
            rewards = stepped["next", "reward"].numpy()[:, 0]
            earned[playing & over] = rewards[playing & over]
            playing &= ~over
    return earned


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=300_000)
    parser.add_argument("--games", type=int, default=500)
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    actor = train(options.steps)
    for opponents in ("random", "greedy"):
        earned = play(actor, opponents, options.games)
        error = earned.std() / len(earned) ** 0.5
        print(f"mean utility against two {opponents}: {earned.mean():+.2f} ± {1.96 * error:.2f}")


if __name__ == "__main__":
    main()
