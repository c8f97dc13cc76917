"""A warm start: the network learns a teacher's choices, and the value of the games that follow.

At each of the learner's decisions the teacher says what it would choose. At first the learner's
seats follow that advice, so that games are sensible ones; the share of games that are led so falls
to none, and the network is corrected in the positions that it comes to by itself (DAgger). Its
value is then the value of its own play, which is what PPO goes on from.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from dwarrow.agents.neural.masked import masked_entropy, masked_log_softmax
from dwarrow.agents.neural.network import Network
from dwarrow.envs.core.record import NONE
from dwarrow.training.config import PPOConfig
from dwarrow.training.learner import Learner
from dwarrow.training.logging import Metrics
from dwarrow.training.matchmaking import League
from dwarrow.training.trajectory import Chunk, advantages

_SHUFFLE = 4  # what a stream of random numbers is for; see matchmaking
_LED_UNTIL = 0.6
"""Part of the lessons after which the learner plays all its games by itself."""

_FIGURES = "agreement", "loss/imitation", "loss/value", "entropy", "grad_norm"


def lesson(league: League, config: PPOConfig, done: float) -> League:
    """Return the league with the teacher in it while the run's first share, the lessons, lasts."""
    if config.teacher is None or done >= config.teacher_share:
        return league
    led = max(0.0, 1 - done / (config.teacher_share * _LED_UNTIL))
    return replace(league, teacher=config.teacher, led=led)


def imitate(
    learner: Learner, chunk: Chunk, config: PPOConfig, iteration: int, done: float
) -> Metrics:
    """Do one iteration's gradient steps towards the advice in a chunk; return how they went.

    Args:
        learner: network and optimiser, changed in place.
        chunk: what was collected, with advice.
        config: the settings.
        iteration: number of the iteration, from which its shuffling follows.
        done: share of the run that is done, by which rates fall.
    """
    # results as they came: a value that knows nothing yet is of no help
    _, target, rows = advantages(chunk, config.gamma, 1.0)
    rows = rows[chunk.advice[rows] != NONE]  # some may have waited since before the teacher came
    obs = torch.from_numpy(chunk.obs)
    obs = obs.bfloat16() if config.uses_bf16 else obs
    mask = torch.from_numpy(chunk.mask).view(torch.bool)
    advice, results = torch.from_numpy(chunk.advice), torch.from_numpy(target)
    learner.set_rate(config.lr + done * (config.lr_end - config.lr))
    rng = np.random.default_rng((config.seed, _SHUFFLE, iteration))
    figures = []
    for _ in range(config.epochs):
        shuffled = torch.from_numpy(rng.permutation(rows))
        for b in shuffled.chunk(max(1, round(len(rows) / config.minibatch))):
            loss, figure = losses(learner.network, obs[b], mask[b], advice[b], results[b], config)
            norm = learner.step(loss, config, iteration)
            figures.append(torch.cat([figure, norm[None]]))
    learner.follow(1.0)
    means = torch.stack(figures).double().mean(0).tolist()
    unexplained = np.var((target - chunk.value)[rows]) / (np.var(target[rows]) + 1e-8)
    return {
        **dict(zip(_FIGURES, means, strict=True)),
        "explained_variance": float(1 - unexplained),
        "decisions": len(rows),
    }


def losses(
    network: Network, obs: Tensor, mask: Tensor, advice: Tensor, target: Tensor, config: PPOConfig
) -> tuple[Tensor, Tensor]:
    """Return the loss over some rows, and figures about it for the log."""
    with torch.autocast("cpu", torch.bfloat16, enabled=config.uses_bf16):
        logits, value = network(obs)
    logp = masked_log_softmax(logits, mask)
    imitation_loss = -logp.gather(1, advice[:, None]).mean()
    value_loss = 0.5 * (value.float() - target).square().mean()
    entropy = masked_entropy(logp, mask)
    loss = imitation_loss + config.value_weight * value_loss - config.entropy * entropy.mean()
    with torch.no_grad():
        best = logits.float().masked_fill(~mask, -torch.inf).argmax(1)
        agreement = (best == advice).float().mean()
        relative = (entropy / mask.sum(-1).log()).mean()  # 1: even among what is legal
        return loss, torch.stack([agreement, imitation_loss, value_loss, relative])
