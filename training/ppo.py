"""Proximal policy optimisation by self-play, in one file, top to bottom.

An iteration: collect a batch of decisions, estimate advantages seat by seat, update the network,
log; now and then keep a snapshot as an opponent, measure strength, write a checkpoint. With
``kl_magnet`` the loss draws the policy to a slow copy of itself (magnetic mirror descent). With a
``teacher`` the first iterations imitate it instead, see `imitation`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from dwarrow.agents import make
from dwarrow.agents.neural.masked import masked_entropy, masked_kl, masked_log_softmax
from dwarrow.agents.neural.network import Network
from dwarrow.envs.core.kernels import Floats
from dwarrow.envs.core.record import NONE
from dwarrow.training.config import PPOConfig
from dwarrow.training.imitation import imitate, lesson
from dwarrow.training.learner import Learner
from dwarrow.training.logging import Metrics
from dwarrow.training.matchmaking import LEARNER, League
from dwarrow.training.selfplay import SelfPlay
from dwarrow.training.settings import load_config, with_limit
from dwarrow.training.trajectory import Chunk, advantages

_SHUFFLE = 3  # what a stream of random numbers is for; see matchmaking


class Training(SelfPlay):
    """A PPO run in the making."""

    config: PPOConfig

    def __init__(self, config: PPOConfig, run: Path, resume: bool) -> None:
        """Begin a run, or take up where its latest checkpoint left off."""
        super().__init__(config, run)
        if config.teacher is not None:
            make(config.teacher, self.game)  # refused now rather than at the first table
        self.taught = False  # whether the lessons are over
        magnet = config.kl_magnet > 0
        self.learner = Learner.build(self.new_network(resume), config, magnet=magnet)
        self.open({LEARNER: self.learner}, self.job(config.batch), resume)

    def iterate(self) -> Metrics:
        """Collect and learn once; return what there is to log."""
        return self.play_and_learn(self.config.batch)

    def league(self, done: float) -> League:
        """Return who plays now, with the teacher while the lessons last."""
        league = super().league(done)
        return league if self._lessons_over(done) else lesson(league, self.config, done)

    def learn(self, chunk: Chunk, league: League, done: float) -> Metrics:
        """Imitate the teacher while the lessons last, then improve by PPO."""
        imitating = chunk.advice[-1] != NONE  # with --overlap an earlier league collected it
        step = imitate if imitating else update
        metrics = step(self.learner, chunk, self.config, self.counters.iteration, done)
        return {"imitating": int(imitating), **metrics}

    def values(self) -> dict[str, Any]:
        """Return what a checkpoint is to hold besides tensors."""
        taught = self._lessons_over(self.counters.done(self.config))
        return {**super().values(), "taught": taught}

    def take_over(self, values: Mapping[str, Any]) -> None:
        """Go on from what `values` returned."""
        super().take_over(values)
        self.taught = values.get("taught", False)

    def _lessons_over(self, done: float) -> bool:
        """Look whether the lessons are over; then they stay so, however long the run is made."""
        config = self.config
        if config.teacher is not None and done >= config.teacher_share:
            self.taught = True
        return self.taught


@dataclass
class Batch:
    """A chunk as tensors, with its advantages.

    Attributes:
        obs: observations [n, features], in the precision of the network.
        mask: legal actions, bool [n, n_actions].
        action: chosen actions [n].
        logp: their log-probabilities when chosen [n].
        advantage: how much better than expected they turned out [n].
        target: what the value should have been [n].
        views: what all seats saw [n, seats * features], if the value is central.
        magnet: log-probabilities of the magnet [n, n_actions], if there is one.
    """

    obs: Tensor
    mask: Tensor
    action: Tensor
    logp: Tensor
    advantage: Tensor
    target: Tensor
    views: Tensor
    magnet: Tensor | None


def update(
    learner: Learner, chunk: Chunk, config: PPOConfig, iteration: int, done: float
) -> Metrics:
    """Do one iteration's gradient steps; return how they went.

    Args:
        learner: network and optimiser, changed in place.
        chunk: what was collected.
        config: the settings.
        iteration: number of the iteration, from which its shuffling follows.
        done: share of the run that is done, by which rates fall.
    """
    advantage, target, rows = advantages(chunk, config.gamma, config.gae_lambda)
    batch = _batch(learner, chunk, advantage, target, config)
    entropy_weight = config.entropy + done * (config.entropy_end - config.entropy)
    learner.set_rate(config.lr + done * (config.lr_end - config.lr))
    rng = np.random.default_rng((config.seed, _SHUFFLE, iteration))
    figures = []
    for _ in range(config.epochs):
        shuffled = torch.from_numpy(rng.permutation(rows))
        for b in shuffled.chunk(max(1, round(len(rows) / config.minibatch))):
            loss, figure = losses(learner.network, batch, b, config, entropy_weight)
            norm = learner.step(loss, config, iteration)
            figures.append(torch.cat([figure, norm[None]]))
    learner.follow(config.magnet_rate)
    means = torch.stack(figures).double().mean(0).tolist()
    unexplained = np.var((target - chunk.value)[rows]) / (np.var(target[rows]) + 1e-8)
    return {
        **dict(zip(_FIGURES, means, strict=True)),
        "explained_variance": float(1 - unexplained),
        "decisions": len(rows),
    }


_FIGURES = "loss/policy", "loss/value", "entropy", "kl", "clipped", "grad_norm"


def losses(
    network: Network, batch: Batch, b: Tensor, config: PPOConfig, entropy_weight: float
) -> tuple[Tensor, Tensor]:
    """Return the loss over the rows `b` of a batch, and figures about it for the log."""
    with torch.autocast("cpu", torch.bfloat16, enabled=config.uses_bf16):
        logits, value = network(batch.obs[b])
        central = network.foretell(batch.views[b]) if network.shape.central else None
    mask = batch.mask[b]
    logp_all = masked_log_softmax(logits, mask)
    log_ratio = logp_all.gather(1, batch.action[b, None])[:, 0] - batch.logp[b]
    ratio = log_ratio.exp()
    advantage = batch.advantage[b]
    advantage = (advantage - advantage.mean()) / (advantage.std(correction=0) + 1e-8)
    clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
    policy_loss = -torch.minimum(advantage * ratio, advantage * clipped).mean()
    value_loss = 0.5 * (value.float() - batch.target[b]).square().mean()
    if central is not None:  # the own value is still learned, for searches to ask
        value_loss = value_loss + 0.5 * (central.float() - batch.target[b]).square().mean()
    entropy = masked_entropy(logp_all, mask)
    loss = policy_loss + config.value_weight * value_loss - entropy_weight * entropy.mean()
    if batch.magnet is not None:
        loss = loss + config.kl_magnet * masked_kl(logp_all, batch.magnet[b], mask).mean()
    with torch.no_grad():
        relative = (entropy / mask.sum(-1).log()).mean()  # 1: even among what is legal
        kl = (ratio - 1 - log_ratio).mean()
        moved = ((ratio - 1).abs() > config.clip).float().mean()
        return loss, torch.stack([policy_loss, value_loss, relative, kl, moved])


def _batch(
    learner: Learner, chunk: Chunk, advantage: Floats, target: Floats, config: PPOConfig
) -> Batch:
    obs = torch.from_numpy(chunk.obs)
    mask = torch.from_numpy(chunk.mask).view(torch.bool)
    magnet = None
    if learner.magnet is not None:
        with torch.no_grad():
            logits = [learner.magnet(obs[k : k + 4096])[0] for k in range(0, len(obs), 4096)]
            magnet = masked_log_softmax(torch.cat(logits), mask)
    return Batch(
        obs.bfloat16() if config.uses_bf16 else obs,
        mask,
        torch.from_numpy(chunk.action),
        torch.from_numpy(chunk.logp),
        torch.from_numpy(advantage),
        torch.from_numpy(target),
        torch.from_numpy(chunk.views),
        magnet,
    )


def resumed(run: Path, minutes: float | None = None, iterations: int | None = None) -> PPOConfig:
    """Return the settings of a PPO run, with another limit if one is given.

    Raises:
        ValueError: the folder is no run of PPO.
    """
    config = with_limit(load_config(run), minutes, iterations)
    if not isinstance(config, PPOConfig):
        raise ValueError(f"{run}: a run of {config.algorithm}, not of ppo")
    return config
