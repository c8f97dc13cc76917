"""Masked policy numerics in fp32: illegal actions have no probability, no entropy, no gradient.

`torch.distributions.Categorical` is not used: its checks fail on large masked action spaces.
"""

from __future__ import annotations

import torch
from torch import Tensor


def masked_log_softmax(logits: Tensor, mask: Tensor) -> Tensor:
    """Return log-probabilities [n, n_actions] of legal actions, and 0 for illegal ones.

    Args:
        logits: any float type [n, n_actions].
        mask: bool [n, n_actions], at least one legal action a row.
    """
    logp = torch.log_softmax(logits.float().masked_fill(~mask, -torch.inf), dim=-1)
    return torch.where(mask, logp, 0.0)


def masked_entropy(logp: Tensor, mask: Tensor) -> Tensor:
    """Return the entropy [n] of `masked_log_softmax`'s result."""
    return -(logp.exp() * logp * mask).sum(-1)


def masked_kl(logp: Tensor, other: Tensor, mask: Tensor) -> Tensor:
    """Return KL(policy || other) [n] of two results of `masked_log_softmax`."""
    return (logp.exp() * (logp - other) * mask).sum(-1)
