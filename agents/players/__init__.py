"""Scripted players: two kernels a game, `greedy` and `rule`, dispatched on the state's dtype.

A module ``agents/players/<game>.py`` (or any module handed to `add_players`) ends with
``register(GAME.dtype, Players(greedy, rule))``. Both act for the seat to move and read only what
that seat may know; they also serve as rollout policies, so they are fast.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Floats, Mask, States, dispatch
from dwarrow.envs.core.record import Ints

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


@dataclass(frozen=True)
class Prospects:
    """What a seat may expect of a position if `rule` plays on for all.

    Attributes:
        describe: ``(states, i, seat, at, value) -> n``: write the features that a position has for
            a seat, those that are not zero, and their values; 0 where it cannot be judged: play on
            a little, then ask again.
        expect: ``(states, i, seat) -> utility`` in [-1, 1]; NaN where it cannot be judged.
        features: their names.
        most: features of one position at most.
        file: where the weights lie.
        follow: phases whose choices it cannot tell apart: a race leaves them to `rule`.
    """

    describe: Callable[[States, int, int, Ints, Floats], int]
    expect: Callable[[States, int, int], float]
    features: tuple[str, ...]
    most: int
    file: Path
    follow: tuple[int, ...] = ()


_PLAYERS: dict[Any, Players] = {}
_PROSPECTS: dict[Any, Prospects] = {}
_MODULES: dict[str, str] = {}


def register(dtype: np.dtype[np.void], players: Players) -> None:
    """Let `greedy` and `rule` find a game's players by the dtype of its states."""
    for key in _keys(dtype):
        _PLAYERS[key] = players


def register_prospects(dtype: np.dtype[np.void], prospects: Prospects) -> None:
    """Let searches find what judges the positions of a game where their rollouts end."""
    for key in _keys(dtype):
        _PROSPECTS[key] = prospects


def _keys(dtype: np.dtype[np.void]) -> tuple[Any, ...]:
    return dtype, np.dtype((np.record, dtype)), numba.from_dtype(dtype)


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
    if find_spec(f"{module}_prospects"):
        import_module(f"{module}_prospects")
    return _PLAYERS[game.dtype]


def known(dtype: Any) -> bool:
    """Return whether the players of a NumPy or Numba record type are registered."""
    return dtype in _PLAYERS


def prospects_of(game: Game) -> Prospects:
    """Return what judges the positions of a game.

    Raises:
        KeyError: nothing does.
    """
    players_of(game)
    if game.dtype not in _PROSPECTS:
        raise KeyError(f"{game.name} has no features to judge its positions by")
    return _PROSPECTS[game.dtype]


def followed(dtype: Any) -> tuple[int, ...]:
    """Return the phases of a game in which races follow `rule`; see `Prospects`."""
    return _PROSPECTS[dtype].follow if dtype in _PROSPECTS else ()


def has_prospects(dtype: Any) -> bool:
    """Return whether positions of a NumPy or Numba record type can be judged."""
    return dtype in _PROSPECTS


def greedy(states: States, i: int, mask: Mask, word: Words) -> int:
    """Return the greedy player's action in game `i`."""
    return _PLAYERS[states.dtype].greedy(states, i, mask, word)


def rule(states: States, i: int, mask: Mask, word: Words) -> int:
    """Return the rule player's action in game `i`."""
    return _PLAYERS[states.dtype].rule(states, i, mask, word)


def expect(states: States, i: int, seat: int) -> float:
    """Return the utility that a seat may expect of game `i`; see `Prospects`."""
    return _PROSPECTS[states.dtype].expect(states, i, seat)


def describe(states: States, i: int, seat: int, at: Ints, value: Floats) -> int:
    """Write the features of game `i` for a seat; see `Prospects`."""
    return _PROSPECTS[states.dtype].describe(states, i, seat, at, value)


dispatch(greedy, lambda dtype: _PLAYERS[dtype].greedy)
dispatch(rule, lambda dtype: _PLAYERS[dtype].rule)
dispatch(expect, lambda dtype: _PROSPECTS[dtype].expect)
dispatch(describe, lambda dtype: _PROSPECTS[dtype].describe)
