"""The games: ``game("aquilon")`` opens one, ``games()`` lists them.

Only the game asked for is imported and compiled.
"""

from __future__ import annotations

from importlib import import_module

from dwarrow.envs.core.game import Game

_GAMES: dict[str, str] = {}
"""Game name -> module that holds its ``GAME``."""


def games() -> list[str]:
    """Return the names of all games."""
    return list(_GAMES)


def game(name: str) -> Game:
    """Return a game by name.

    Raises:
        KeyError: no such game; the known ones are listed.
    """
    if name not in _GAMES:
        raise KeyError(f"unknown game {name!r}: known are {games()}")
    found: Game = import_module(_GAMES[name]).GAME
    return found


def add_game(name: str, module: str) -> None:
    """Make a game of your own known: `module` is imported when asked for and holds ``GAME``."""
    _GAMES[name] = module


__all__ = ["Game", "add_game", "game", "games"]
