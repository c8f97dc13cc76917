"""Reads what users type: options of a game as ``name=value``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from dwarrow.envs.core.game import Game


def game_options(game: Game, words: Sequence[str]) -> dict[str, Any]:
    """Read ``name=value`` words as options of a game; a list is ``name=a,b``.

    Raises:
        ValueError: a word without ``=``, an option given twice, an unknown one, a bad value.
    """
    known = {f.name: f for f in fields(game.options)}
    found: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not value:
            raise ValueError(f"option {word!r}: write name=value; known are {list(known)}")
        if name in found:
            raise ValueError(f"option {name} is given twice")
        if name not in known:
            raise ValueError(f"unknown option {name!r}: known are {list(known)}")
        found[name] = _value(value, known[name].metadata.get("allowed"))
    game.options.parse(found)
    return found


def _value(text: str, allowed: Sequence[Any] | None) -> Any:
    """Return the allowed value that is written so; the option itself refuses any other."""
    for value in allowed or ():
        if str(value).lower() == text.lower():
            return value
    if "," in text:
        return tuple(part.strip() for part in text.split(","))
    if text.lstrip("-").isdigit():
        return int(text)
    return (text,) if allowed is None else text
