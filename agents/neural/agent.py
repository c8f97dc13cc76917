"""`ppo:RUN`: an agent that samples from a trained network's policy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from dwarrow.agents.base import Actions, AgentSpec, Decision, Kind, Rows, Words, register_kind
from dwarrow.agents.batch import choose_rows, observe_rows, ready
from dwarrow.agents.neural.masked import masked_log_softmax
from dwarrow.agents.neural.network import Network, frozen_copy
from dwarrow.agents.neural.weights import find_weights, load_weights
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Floats, Mask, States
from dwarrow.envs.core.record import NONE, as_records

BLOCK = 32
"""Rows evaluated together in play. The last bits of a matrix product depend on its size, so a fixed
size, filled up if need be, keeps a row's result independent of the batch it is in."""


class NeuralAgent:
    """Acts by a network's policy.

    Attributes:
        network: what is asked; a frozen copy, unless it is a learner's own.
        block: rows evaluated together, the rest filled up; None takes the rows as they come, which
            is a little faster and lets results depend on the batch.
    """

    ranked = True

    def __init__(
        self,
        spec: str,
        game: Game,
        network: Network,
        *,
        greedy: bool = False,
        bf16: bool = False,
        block: int | None = BLOCK,
    ) -> None:
        """Copy `network` and act by it: by its best action if `greedy`, else by drawing."""
        self.spec, self.greedy, self.block = spec, greedy, block
        self.network = frozen_copy(network, torch.bfloat16 if bf16 else torch.float32)
        self._features, self._n_actions = game.observation.size, game.n_actions
        ready(game)

    def update(self, network: Network) -> None:
        """Take over the weights of a network of the same shape."""
        with torch.no_grad():
            for mine, new in zip(self.network.parameters(), network.parameters(), strict=True):
                mine.copy_(new)

    def act(self, game: Game, states: States, rows: Rows, words: Words) -> Decision:
        """Choose an action in each of ``states[rows]``; see `Agent.act`."""
        obs = np.empty((len(rows), self._features), np.float32)
        mask = np.empty((len(rows), self._n_actions), np.int8)
        observe_rows(as_records(states), rows, obs, mask)
        return self.choose(obs, mask, words)

    def choose(
        self, obs: Floats, mask: Mask, words: Words, advice: Actions | None = None
    ) -> Decision:
        """Choose from what is seen: observations [n, features] and masks [n, n_actions].

        Where there is advice [n], not `NONE`, it is followed; the probability is the policy's own.
        """
        logits, value = self.evaluate(obs)
        actions, logp = np.empty(len(obs), np.int64), np.empty(len(obs), np.float32)
        choose_rows(logits, mask, words, self.greedy, actions, logp)
        if advice is not None:
            actions = np.where(advice == NONE, actions, advice)
            own = masked_log_softmax(torch.from_numpy(logits), torch.from_numpy(mask).bool())
            logp = own.gather(1, torch.from_numpy(actions)[:, None])[:, 0].numpy()
        return Decision(actions, logp, value)

    def foretell(self, views: Floats) -> Floats:
        """Return the central value [n] of what all seats see; see `Network.foretell`."""
        with torch.inference_mode():
            value: Floats = self.network.foretell(torch.from_numpy(views)).float().numpy()
            return value

    def evaluate(self, obs: Floats) -> tuple[Floats, Floats]:
        """Return logits [n, n_actions] and value [n] of observations [n, features]."""
        if self.block is None:
            return self._forward(obs)
        n = len(obs)
        whole = np.zeros((-(-n // self.block) * self.block, self._features), np.float32)
        whole[:n] = obs
        logits = np.empty((len(whole), self._n_actions), np.float32)
        value = np.empty(len(whole), np.float32)
        for start in range(0, len(whole), self.block):
            part = slice(start, start + self.block)
            logits[part], value[part] = self._forward(whole[part])
        return logits[:n], value[:n]

    def _forward(self, obs: Floats) -> tuple[Floats, Floats]:
        with torch.inference_mode():
            logits, value = self.network(torch.from_numpy(obs))
            return logits.float().numpy(), value.float().numpy()


@dataclass(frozen=True)
class PPOOptions:
    """What a ``ppo:RUN`` spec may set.

    Attributes:
        greedy: take the most probable action instead of drawing one.
        bf16: evaluate in bfloat16, faster on processors that have it.
    """

    greedy: bool = False
    bf16: bool = False


def _build(game: Game, spec: AgentSpec, options: PPOOptions) -> NeuralAgent:
    try:
        network = load_weights(find_weights(str(spec.source)), game)
    except (ValueError, FileNotFoundError) as error:
        raise ValueError(f"agent {spec.text!r}: {error}") from None
    return NeuralAgent(spec.text, game, network, greedy=options.greedy, bf16=options.bf16)


register_kind(Kind("ppo", _build, PPOOptions, "RUN", "a trained network's policy"))
register_kind(Kind("net", _build, PPOOptions, "RUN", "the same, whatever it was trained by"))
