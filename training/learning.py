"""The settings that each learner learns by, and what numbers are allowed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dwarrow.agents.neural.network import Shape
from dwarrow.training.scholar import SearchJob

_BOUNDS = (
    ("minutes", 0.01, 1e6),
    ("sims cheap_sims window", 1, 10**9),
    ("search_games temperature exploration", 0, 1e6),
    ("full_share", 1e-3, 1),
    ("reuse", 1e-3, 1e3),
    ("iterations tables epochs hidden layers channels threads snapshots evaluations", 1, 10**9),
    ("batch minibatch", 16, 10**9),
    ("seed evaluate_games checkpoint_minutes", 0, 10**9),
    ("lr clip max_grad_norm", 1e-9, 1e3),
    ("lr_end entropy entropy_end value_weight kl_magnet", 0, 1e3),
    ("gamma gae_lambda past_share scripted_share magnet_rate teacher_share noise", 0, 1),
)


@dataclass(frozen=True)
class Steps:
    """How steps down a gradient are taken."""

    batch: int = 10_000
    """Decisions learned from in an iteration."""

    minibatch: int = 1024
    """Decisions in a gradient step."""

    lr: float = 1.5e-3
    """Learning rate at the start; it falls in a line."""

    lr_end: float = 2e-5
    """Learning rate at the end."""

    value_weight: float = 0.5
    """Weight of the value loss."""

    max_grad_norm: float = 0.5
    """Gradients are scaled down to this norm."""


@dataclass(frozen=True)
class PPOSettings(Steps):
    """How PPO learns from what was played."""

    epochs: int = 2
    """Times that each batch is gone through."""

    clip: float = 0.2
    """How far a decision's probability ratio may move the policy."""

    entropy: float = 0.015
    """Bonus for the policy's entropy at the start; it falls in a line."""

    entropy_end: float = 0.002
    """The same at the end."""

    gamma: float = 1.0
    """Discount from one decision of a seat to its next."""

    gae_lambda: float = 0.95
    """Trade of bias against variance in the advantages."""

    kl_magnet: float = 0.0
    """Weight of the KL term that draws the policy to a slow copy of itself (MMD); 0: none."""

    magnet_rate: float = 0.05
    """Share by which the slow copy follows in an iteration."""


@dataclass(frozen=True)
class ExpertSettings(Steps):
    """How the expert searches, and how its network learns from that."""

    batch: int = 1_000
    """Decisions of full searches collected in an iteration."""

    minibatch: int = 512
    """Decisions in a gradient step."""

    lr: float = 1e-3
    """Learning rate at the start; it falls in a line."""

    lr_end: float = 1e-4
    """Learning rate at the end."""

    value_weight: float = 1.0
    """Weight of the value loss."""

    max_grad_norm: float = 1.0
    """Gradients are scaled down to this norm."""

    sims: int = 64
    """Simulations of a full search, of which the network learns."""

    cheap_sims: int = 12
    """Simulations of a cheap search, which is only played by."""

    full_share: float = 0.25
    """Share of decisions that get a full search."""

    noise: float = 0.25
    """Share of the root's priors that is random in a full search."""

    temperature: float = 1.0
    """How the search plays: 1 in proportion to its visits, 0 the most visited action."""

    exploration: float | None = None
    """Exploration constant of the search. Default: its own."""

    window: int = 50_000
    """Decisions of full searches kept to learn from."""

    reuse: float = 4.0
    """Times that a decision is learned from, on average."""

    search_games: int = 60
    """Games of a measurement in which the expert searches; 0: none."""

    def check_search(self, prefix: str = "") -> None:
        """Check what no type says; `prefix` stands before the names on the command line.

        Raises:
            ValueError: settings that contradict one another.
        """
        if self.cheap_sims > self.sims:
            raise ValueError(
                f"--{prefix}cheap-sims {self.cheap_sims}: more than --{prefix}sims {self.sims}"
            )
        if self.minibatch > self.window:
            raise ValueError(
                f"--{prefix}minibatch {self.minibatch}: more than --{prefix}window {self.window}"
            )

    def search(self, shape: Shape, bf16: bool) -> SearchJob:
        """Return the search for workers, guided by a network of this shape."""
        return SearchJob(
            self.sims,
            self.cheap_sims,
            self.full_share,
            self.noise,
            self.temperature,
            self.exploration,
            shape,
            bf16,
        )


def check_bounds(settings: Any, prefix: str = "") -> None:
    """Check the numbers of a dataclass of settings.

    Args:
        settings: the dataclass.
        prefix: what stands before its settings' names on the command line.

    Raises:
        ValueError: naming the setting, its value and what is allowed.
    """
    for names, low, high in _BOUNDS:
        for name in names.split():
            value = getattr(settings, name, None)
            if value is not None and not low <= value <= high:
                option = f"--{prefix}{name.replace('_', '-')}"
                raise ValueError(f"{option} {value}: allowed is {low:g} to {high:g}")
