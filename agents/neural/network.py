"""The actor-critic network, built from a game's observation layout."""

from __future__ import annotations

import copy
import math
from collections import defaultdict
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from dwarrow.envs.core.observation import Observation, Piece


@dataclass(frozen=True)
class Shape:
    """The sizes of a network.

    Attributes:
        hidden: width of its layers.
        layers: how many of them.
        channels: channels of the convolutions over board-shaped pieces.
    """

    hidden: int = 256
    layers: int = 2
    channels: int = 16


class Network(nn.Module):
    """Policy logits and the observer's expected utility from an observation.

    Flat pieces go straight into a multilayer perceptron; pieces of board shape (channels, height,
    width) pass two 3x3 convolutions first, boards of one size together. One network serves every
    player count, as the layout does.
    """

    def __init__(self, layout: Observation, n_actions: int, shape: Shape, seed: int = 0) -> None:
        """Build the network with weights drawn from `seed`; no global random state is touched."""
        super().__init__()
        self.shape = shape
        boards, flat = _split(layout)
        self.board_features = [_features(pieces) for pieces in boards]
        self.board_sizes = [pieces[0].shape[1:] for pieces in boards]
        self.flat_features = _features(flat) if boards else None
        width = layout.size if not boards else len(_features(flat))
        self.convolutions = nn.ModuleList()
        with torch.device("meta"):
            for pieces in boards:
                channels = sum(piece.shape[0] for piece in pieces)
                self.convolutions.append(
                    nn.Sequential(
                        nn.Conv2d(channels, shape.channels, 3, padding=1),
                        nn.ReLU(),
                        nn.Conv2d(shape.channels, shape.channels, 3, padding=1),
                        nn.ReLU(),
                        nn.Flatten(),
                    )
                )
                width += shape.channels * math.prod(pieces[0].shape[1:])
            body: list[nn.Module] = []
            for k in range(shape.layers):
                body += [nn.Linear(shape.hidden if k else width, shape.hidden), nn.ReLU()]
            self.body = nn.Sequential(*body)
            self.policy = nn.Linear(shape.hidden, n_actions)
            self.value = nn.Linear(shape.hidden, 1)
        self.to_empty(device="cpu")
        self._initialise(torch.Generator().manual_seed(seed))

    def forward(self, obs: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits [n, n_actions] and value [n] of observations [n, features]."""
        x = obs
        if self.flat_features is not None:
            parts = [obs[:, self.flat_features]]
            for features, size, convolution in zip(
                self.board_features, self.board_sizes, self.convolutions, strict=True
            ):
                board = obs[:, features].reshape(len(obs), -1, *size)
                parts.append(convolution(board))
            x = torch.cat(parts, dim=1)
        x = self.body(x)
        return self.policy(x), self.value(x)[:, 0]

    def _initialise(self, generator: torch.Generator) -> None:
        for module in self.modules():
            if isinstance(module, nn.Linear | nn.Conv2d):
                # the policy starts near uniform, so that the first games try everything
                gain = math.sqrt(2)
                if module is self.policy or module is self.value:
                    gain = 0.01 if module is self.policy else 1.0
                nn.init.orthogonal_(module.weight, gain, generator=generator)
                if module.bias is not None:
                    nn.init.zeros_(module.bias)


def frozen_copy(network: Network, dtype: torch.dtype = torch.float32) -> Network:
    """Return a copy for inference that later training does not change."""
    return copy.deepcopy(network).to(dtype).eval().requires_grad_(False)


def has_bf16() -> bool:
    """Return whether this processor multiplies bfloat16 matrices natively."""
    capabilities: dict[str, object] = getattr(torch.cpu, "get_capabilities", dict)()
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16"))


def _split(layout: Observation) -> tuple[list[list[Piece]], list[Piece]]:
    boards: defaultdict[tuple[int, ...], list[Piece]] = defaultdict(list)
    flat: list[Piece] = []
    for piece in layout.pieces.values():
        if len(piece.shape) == 3:
            boards[piece.shape[1:]].append(piece)
        else:
            flat.append(piece)
    return list(boards.values()), flat


def _features(pieces: list[Piece]) -> list[int]:
    return [k for piece in pieces for k in range(piece.start, piece.start + piece.size)]
