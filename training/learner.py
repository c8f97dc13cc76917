"""The network being learned, what trains it, and the one way in which it takes a step."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from dwarrow.agents.neural.network import Network, frozen_copy
from dwarrow.training.learning import Steps


class TrainingDivergedError(ValueError):
    """A loss was not finite."""


@dataclass
class Learner:
    """The network and what trains it.

    Attributes:
        network: the policy and value being learned.
        optimiser: Adam over its parameters.
        magnet: the slow copy that the KL term draws to, if there is such a term.
    """

    network: Network
    optimiser: torch.optim.Optimizer
    magnet: Network | None

    @classmethod
    def build(cls, network: Network, config: Steps, magnet: bool = False) -> Learner:
        """Begin to train a network, with a slow copy of it if `magnet`."""
        adam = torch.optim.Adam(network.parameters(), lr=config.lr, eps=1e-5, fused=True)
        return cls(network, adam, frozen_copy(network) if magnet else None)

    def set_rate(self, rate: float) -> None:
        """Take steps of this learning rate from now on."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate

    def step(self, loss: Tensor, config: Steps, iteration: int) -> Tensor:
        """Take a step down a loss; return the norm of its gradient, before it was scaled down.

        Raises:
            TrainingDivergedError: loss or gradient is not finite; nothing is changed.
        """
        self.optimiser.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        norm = torch.nn.utils.clip_grad_norm_(self.network.parameters(), config.max_grad_norm)
        if not torch.isfinite(loss + norm):
            raise TrainingDivergedError(
                f"training diverged in iteration {iteration}: loss {loss.item()}, gradient "
                f"norm {norm.item()}; try a lower --lr (it was {config.lr})"
            )
        self.optimiser.step()
        return norm.detach()

    def follow(self, rate: float) -> None:
        """Let the magnet follow the network by a share of the way."""
        if self.magnet is not None:
            with torch.no_grad():
                for slow, fast in zip(
                    self.magnet.parameters(), self.network.parameters(), strict=True
                ):
                    slow.lerp_(fast, rate)
