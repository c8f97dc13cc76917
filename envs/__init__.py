"""The games: ``game("aquilon")`` opens one, ``games()`` lists them.

Only the game asked for is imported and compiled, and neither PettingZoo nor Gymnasium is imported
before an environment is asked for: ``dwarrow.envs.aquilon_v0.env()`` and so on for PettingZoo,
`single` and `vector` for Gymnasium.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dwarrow.envs.core.game import Game

if TYPE_CHECKING:
    from dwarrow.envs.core.single import SingleGame
    from dwarrow.envs.core.vector_env import VectorGame

_GAMES: dict[str, str] = {
    "aquilon": "dwarrow.envs.aquilon",
    "dwar7s_fall": "dwarrow.envs.dwar7s_fall",
    "the_duel": "dwarrow.envs.the_duel",
    "the_dwarves": "dwarrow.envs.the_dwarves",
}
"""Game name -> module that holds its ``GAME``."""


def games() -> list[str]:
    """Return the names of all games."""
    return list(_GAMES)


def game(name: str) -> Game:
    """Return a game by name.

    Raises:
        KeyError: no such game; the known ones are listed.
    """
    found: Game = import_module(module_of(name)).GAME
    return found


def add_game(name: str, module: str) -> None:
    """Make a game of your own known: `module` is imported when asked for and holds ``GAME``."""
    _GAMES[name] = module


def module_of(name: str) -> str:
    """Return the module that holds a game, so that another process can make it known there too.

    Raises:
        KeyError: no such game; the known ones are listed.
    """
    if name not in _GAMES:
        raise KeyError(f"unknown game {name!r}: known are {games()}")
    return _GAMES[name]


def single(name: str, **options: Any) -> SingleGame:
    """Return a game as a `gymnasium.Env` of one seat; see `core.single.SingleGame`.

    ``envs.single("aquilon", opponents=[a, b], players=3)``.

    Raises:
        KeyError: no such game; the known ones are listed.
        ValueError: an unknown option or a value that is not allowed.
    """
    from dwarrow.envs.core.single import SingleGame

    return SingleGame(game(name), **options)


def vector(name: str, num_envs: int = 1, **options: Any) -> VectorGame:
    """Return many games as one `gymnasium.vector.VectorEnv`; see `core.vector_env.VectorGame`.

    Raises:
        KeyError: no such game; the known ones are listed.
        ValueError: an unknown option or a value that is not allowed.
    """
    from dwarrow.envs.core.vector_env import VectorGame

    return VectorGame(game(name), num_envs, **options)


__all__ = ["Game", "add_game", "game", "games", "module_of", "single", "vector"]
