"""Scripted players: two kernels a game, `greedy` and `rule`, dispatched on the state's dtype.

A module ``agents/players/<game>.py`` (or any module handed to `add_players`) ends with
``register(GAME.dtype, Players(greedy, rule))``. Both act for the seat to move and read only what
that seat may know; they also serve as rollout policies, so they are fast.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Mask, States, dispatch

Words = NDArray[np.uint64]
Chooser = Callable[[States, int, Mask, Words], int]
"""``(states, i, mask, word) -> action``: mask of legal actions; word uint64 [1] for tie-breaks."""


@dataclass(frozen=True)
class Players:
    """The scripted players of one game.

    Attributes:
        greedy: takes what is worth most points at once.
        rule: follows the advice a good player would give.
    """

    greedy: Chooser
    rule: Chooser


_PLAYERS: dict[Any, Players] = {}
_MODULES: dict[str, str] = {}


def register(dtype: np.dtype[np.void], players: Players) -> None:
    """Let `greedy` and `rule` find a game's players by the dtype of its states."""
    for key in (dtype, np.dtype((np.record, dtype)), numba.from_dtype(dtype)):
        _PLAYERS[key] = players


def add_players(game: str, module: str) -> None:
    """Name the module that registers the players of a game of your own."""
    _MODULES[game] = module


def module_of(game: str) -> str | None:
    """Return the module named by `add_players` for a game, None for a game of the package."""
    return _MODULES.get(game)


def players_of(game: Game) -> Players:
    """Return the scripted players of a game.

    Raises:
        KeyError: the game has none.
    """
    module = _MODULES.get(game.name, f"{__name__}.{game.name}")
    try:
        import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise KeyError(f"{game.name} has no scripted players ({module} is missing)") from error
    return _PLAYERS[game.dtype]


def known(dtype: Any) -> bool:
    """Return whether the players of a NumPy or Numba record type are registered."""
    return dtype in _PLAYERS


def greedy(states: States, i: int, mask: Mask, word: Words) -> int:
    """Return the greedy player's action in game `i`."""
    return _PLAYERS[states.dtype].greedy(states, i, mask, word)


def rule(states: States, i: int, mask: Mask, word: Words) -> int:
    """Return the rule player's action in game `i`."""
    return _PLAYERS[states.dtype].rule(states, i, mask, word)


dispatch(greedy, lambda dtype: _PLAYERS[dtype].greedy)
dispatch(rule, lambda dtype: _PLAYERS[dtype].rule)
