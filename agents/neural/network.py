"""The actor-critic network, built from a game's observation layout."""

from __future__ import annotations

import copy
import math
from collections import defaultdict
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn

from dwarrow.agents.neural.cells import CellNet, Live, Pointer, sum_by_row
from dwarrow.agents.neural.planes import Planes
from dwarrow.envs.core.observation import Observation, Piece

SMALL_BOARD = 2048
"""Features of a board up to which it is read whole, all cells in use or not, and each of them stays
a place of its own: with few cells that learns faster, in a third of the time."""


@dataclass(frozen=True)
class Shape:
    """The sizes of a network.

    Attributes:
        hidden: width of its layers.
        layers: how many of them.
        channels: numbers that describe a cell of a board.
        central: seats whose views a value for training is foretold from; 0: there is none.
    """

    hidden: int = 256
    layers: int = 2
    channels: int = 32
    central: int = 0


class Network(nn.Module):
    """Policy logits and the observer's expected utility from an observation.

    Flat pieces go straight into a multilayer perceptron, small boards by way of two convolutions.
    Large boards pass a `CellNet`, those of one size together, and are summed up. An action that
    stands for a cell of a large board is judged by what lies there, so what is learned of one cell
    holds for all. One network serves every player count, as the layout does.
    """

    def __init__(self, layout: Observation, n_actions: int, shape: Shape, seed: int = 0) -> None:
        """Build the network with weights drawn from `seed`; no global random state is touched."""
        super().__init__()
        self.shape = shape
        boards, small, flat = _split(layout)
        self.flat_features = [
            k for piece in flat for k in range(piece.start, piece.start + piece.size)
        ]
        nets: list[CellNet] = []
        pointers: dict[str, Pointer] = {}  # by the number of the board
        action_of: list[int] = []  # of each column that the pointers write
        with torch.device("meta"):
            for pieces in boards:
                for piece in pieces:
                    if piece.actions:
                        pointer = Pointer(shape.channels, shape.hidden, len(piece.actions))
                        pointers[str(len(nets))] = pointer
                        action_of += piece.actions
                nets.append(CellNet(pieces, shape.channels))
            self.boards, self.pointers = nn.ModuleList(nets), nn.ModuleDict(pointers)
            planes = [Planes(pieces, shape.channels) for pieces in small]
            self.small = nn.ModuleList(planes)
            others = sorted(set(range(n_actions)) - set(action_of))
            width = len(self.flat_features) + shape.channels * len(boards)
            width += sum(net.features_out for net in planes)
            body: list[nn.Module] = []
            for k in range(shape.layers):
                body += [nn.Linear(shape.hidden if k else width, shape.hidden), nn.ReLU()]
            self.body = nn.Sequential(*body)
            self.policy = nn.Linear(shape.hidden, len(others))
            self.value = nn.Linear(shape.hidden, 1)
            self.critic = nn.Sequential()
            if shape.central:
                self.critic.append(nn.Linear(shape.central * shape.hidden, shape.hidden))
                self.critic.append(nn.ReLU())
                self.critic.append(nn.Linear(shape.hidden, 1))
        column_of = {action: k for k, action in enumerate([*others, *action_of])}
        self.columns = [column_of[action] for action in range(n_actions)]
        self.to_empty(device="cpu")
        self._initialise(torch.Generator().manual_seed(seed))

    def forward(self, obs: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits [n, n_actions] and value [n] of observations [n, features].

        Observations may be float32 or, at half the memory, bfloat16.
        """
        x, boards = self._grasp(obs)
        if not boards:
            return self.policy(x), self.value(x)[:, 0]
        logits = [self.policy(x).float()]
        for k, pointer in self.pointers.items():
            live, cells = boards[int(k)]
            logits.append(pointer(x, cells, live))
        return torch.cat(logits, dim=1)[:, self.columns], self.value(x)[:, 0]

    def foretell(self, views: Tensor) -> Tensor:
        """Return the value [n] for the first of the seats that all see, [n, seats * features].

        Training may know it, a player may not: no policy is made of it.

        Raises:
            ValueError: the network was not built for this.
        """
        if not self.shape.central:
            raise ValueError("this network has no central value")
        seats = self.shape.central
        x, _ = self._grasp(views.reshape(len(views) * seats, -1))
        value: Tensor = self.critic(x.reshape(len(views), -1))[:, 0]
        return value

    def _grasp(self, obs: Tensor) -> tuple[Tensor, list[tuple[Live, Tensor]]]:
        """Return what the body makes of observations, and the cells of each board."""
        dtype = self.value.weight.dtype
        if not self.boards and not self.small:
            return self.body(obs.to(dtype)), []
        parts, boards = [obs[:, self.flat_features].to(dtype)], []
        parts += [net(obs, dtype) for net in self.small]
        for net in self.boards:
            live = cast("CellNet", net).look(obs)
            cells = net(live)
            boards.append((live, cells))
            parts.append(sum_by_row(cells, live.row, len(obs)).to(dtype))
        return self.body(torch.cat(parts, dim=1)), boards

    def _initialise(self, generator: torch.Generator) -> None:
        points = [pointer.point for pointer in self.pointers.values()]
        for module in self.modules():
            if isinstance(module, nn.Linear | nn.Conv2d):
                # the policy starts near uniform, so that the first games try everything
                gain = math.sqrt(2)
                if module is self.value or module in list(self.critic)[-1:]:
                    gain = 1.0
                elif module is self.policy or module in points:
                    gain = 0.01
                nn.init.orthogonal_(module.weight, gain, generator=generator)
                if module.bias is not None:
                    nn.init.zeros_(module.bias)
            elif isinstance(module, nn.Embedding):
                nn.init.zeros_(module.weight)


def frozen_copy(network: Network, dtype: torch.dtype = torch.float32) -> Network:
    """Return a copy for inference that later training does not change."""
    return copy.deepcopy(network).to(dtype).eval().requires_grad_(False)


def has_bf16() -> bool:
    """Return whether this processor multiplies bfloat16 matrices natively."""
    capabilities: dict[str, object] = getattr(torch.cpu, "get_capabilities", dict)()
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16"))


def _split(layout: Observation) -> tuple[list[list[Piece]], list[list[Piece]], list[Piece]]:
    """Return the large boards and the small ones, each by size, and the flat pieces."""
    large: defaultdict[tuple[int, ...], list[Piece]] = defaultdict(list)
    small: defaultdict[tuple[int, ...], list[Piece]] = defaultdict(list)
    flat: list[Piece] = []
    for piece in layout.pieces.values():
        if len(piece.shape) == 3:
            boards = large if piece.size > SMALL_BOARD else small
            boards[piece.shape[1:]].append(piece)
        else:
            flat.append(piece)
    return list(large.values()), list(small.values()), flat
