"""Expert iteration: a network learns from the searches that it guides.

An iteration: play by search with the present network, add what full searches found to the window of
the latest decisions, and take steps towards it: the policy to the shares of the visits, the value
to what the seat was paid in the end. ``mcts:sims=..,net=RUN`` is then the agent, ``net:RUN`` its
network by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from dwarrow.agents.neural.masked import masked_entropy, masked_log_softmax
from dwarrow.agents.neural.network import Network
from dwarrow.training.checkpoint import writing
from dwarrow.training.config import ExpertConfig
from dwarrow.training.learner import Learner
from dwarrow.training.learning import ExpertSettings
from dwarrow.training.logging import Metrics
from dwarrow.training.matchmaking import League
from dwarrow.training.scholar import EXPERT, Study
from dwarrow.training.selfplay import SelfPlay
from dwarrow.training.trajectory import Chunk
from dwarrow.training.window import Window

WINDOW = "window"
_DRAW = 5  # what a stream of random numbers is for; see matchmaking


class WindowKept(SelfPlay):
    """A run that learns from searches and keeps their latest decisions in a window."""

    window: Window

    def values(self) -> dict[str, Any]:
        """Return what a checkpoint is to hold besides tensors."""
        return {**super().values(), WINDOW: self.window.manifest()}

    def take_over(self, values: Mapping[str, Any]) -> None:
        """Go on from what `values` returned."""
        super().take_over(values)
        self.window.restore(values[WINDOW])

    def checkpoint(self) -> None:
        """Write the window first: the checkpoint lists its parts."""
        with writing(self.run):
            self.window.save(self.counters.iteration)
        super().checkpoint()
        self.window.tidy()


class Training(WindowKept):
    """A run of expert iteration in the making."""

    config: ExpertConfig

    def __init__(self, config: ExpertConfig, run: Path, resume: bool) -> None:
        """Begin a run, or take up where its latest checkpoint left off."""
        super().__init__(config, run, hero=EXPERT)
        self.learner = Learner.build(self.new_network(resume), config)
        self.window = Window(run / WINDOW, self.game, config.window)
        job = self.job(config.batch, search=config.search(config.shape, config.uses_bf16))
        self.open({EXPERT: self.learner}, job, resume)

    def iterate(self) -> Metrics:
        """Collect and learn once; return what there is to log."""
        return self.play_and_learn(self.config.batch)

    def learn(self, chunk: Chunk, league: League, done: float) -> Metrics:
        """Learn from what searches found, now and lately."""
        assert chunk.study is not None
        config, iteration = self.config, self.counters.iteration
        return study(
            self.learner,
            self.window,
            chunk.study,
            config,
            config.seed,
            iteration,
            done,
            config.uses_bf16,
        )


def study(
    learner: Learner,
    window: Window,
    fresh: Study,
    config: ExpertSettings,
    seed: int,
    iteration: int,
    done: float,
    bf16: bool = False,
) -> Metrics:
    """Add `fresh` decisions to the window and take steps; return how they went.

    Nothing is learned before the window holds a minibatch.

    Args:
        learner: network and optimiser, changed in place.
        window: the latest decisions.
        fresh: what was collected.
        config: the settings.
        seed: of the run.
        iteration: number of the iteration, from which the drawing follows.
        done: share of the run that is done, by which the rate falls.
        bf16: whether to multiply in bfloat16.
    """
    foreseen = _foreseen(learner.network, fresh)
    window.add(fresh)
    metrics: Metrics = {"decisions": len(fresh), "window": len(window)}
    if len(fresh) > 1:
        metrics["explained_variance"] = foreseen
    if len(window) < config.minibatch:
        return metrics
    learner.set_rate(config.lr + done * (config.lr_end - config.lr))
    rng = np.random.default_rng((seed, _DRAW, iteration))
    figures = []
    for _ in range(max(1, round(config.reuse * len(fresh) / config.minibatch))):
        loss, figure = losses(learner.network, window.sample(rng, config.minibatch), config, bf16)
        norm = learner.step(loss, config, iteration)
        figures.append(torch.cat([figure, norm[None]]))
    means = torch.stack(figures).double().mean(0).tolist()
    return {**metrics, **dict(zip(_FIGURES, means, strict=True))}


_FIGURES = "loss/policy", "loss/value", "entropy", "distance", "grad_norm"


def losses(
    network: Network, part: Study, config: ExpertSettings, bf16: bool
) -> tuple[Tensor, Tensor]:
    """Return the loss over some decisions, and figures about it for the log.

    ``distance`` is the KL divergence of the policy from what the searches found.
    """
    obs = torch.from_numpy(part.obs)
    with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
        logits, value = network(obs.bfloat16() if bf16 else obs.float())
    mask = torch.from_numpy(part.mask).view(torch.bool)
    found = torch.from_numpy(part.policy).float()
    found = found / found.sum(-1, keepdim=True)
    logp = masked_log_softmax(logits, mask)
    policy_loss = -(found * logp).sum(-1).mean()
    value_loss = 0.5 * (value.float() - torch.from_numpy(part.value)).square().mean()
    loss = policy_loss + config.value_weight * value_loss
    with torch.no_grad():
        relative = (masked_entropy(logp, mask) / mask.sum(-1).log()).mean()
        distance = policy_loss + torch.xlogy(found, found).sum(-1).mean()
        return loss, torch.stack([policy_loss, value_loss, relative, distance])


def _foreseen(network: Network, fresh: Study) -> float:
    """Return the share of the variance of results that the value foresaw."""
    if len(fresh) < 2:
        return 0.0
    with torch.no_grad():
        value = network(torch.from_numpy(fresh.obs).float())[1].numpy()
    return float(1 - np.var(fresh.value - value) / (np.var(fresh.value) + 1e-8))
