"""What a network makes of small boards: two convolutions over all cells, whatever lies there."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from dwarrow.envs.core.observation import Piece


class Planes(nn.Module):
    """Reads small boards of one size; what it makes of each cell keeps its place."""

    def __init__(self, pieces: list[Piece], channels: int) -> None:
        """Lay out a network for the planes of all `pieces`."""
        super().__init__()
        self.size = pieces[0].shape[1:]
        self.features = [
            k for piece in pieces for k in range(piece.start, piece.start + piece.size)
        ]
        self.features_out = channels * math.prod(self.size)
        self.read = nn.Sequential(
            nn.Conv2d(sum(piece.shape[0] for piece in pieces), channels, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(channels, channels, 3, padding=1),
            nn.ReLU(),
            nn.Flatten(),
        )

    def forward(self, obs: Tensor, dtype: torch.dtype) -> Tensor:
        """Return what observations [n, features] amount to [n, features_out]."""
        boards = obs[:, self.features].to(dtype).reshape(len(obs), -1, *self.size)
        found: Tensor = self.read(boards)
        return found
