"""List the games, their player counts and options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import tyro

from dwarrow import envs


@dataclass
class Config:
    """List the games, their player counts and options."""


def run(arguments: Sequence[str]) -> int:
    """Run the verb."""
    tyro.cli(Config, args=list(arguments), prog="dwarrow games", description=__doc__)
    for name in envs.games():
        game = envs.game(name)
        kind = "cooperative" if game.cooperative else "competitive"
        print(f"{name}: {game.title}, {kind}, rules version {game.version}")
        print(f"    {game.n_actions} actions, {game.observation.size} features observed")
        for field in fields(game.options):
            allowed, meaning = field.metadata.get("allowed"), field.metadata.get("meaning", "")
            values = f" (of {', '.join(map(str, allowed))})" if allowed else ""
            print(f"    {field.name}={_text(field.default)}{values}: {meaning}")
    return 0


def _text(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
