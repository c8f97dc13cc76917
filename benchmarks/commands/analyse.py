"""Search a position and print what is thought of every action."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Protocol, runtime_checkable

import tyro

from dwarrow import envs
from dwarrow.agents import make
from dwarrow.agents.search import Thought
from dwarrow.envs import Game
from dwarrow.envs.core.kernels import States


@dataclass
class Config:
    """Search a position and print the visit table of the decision there."""

    game: Annotated[str, tyro.conf.Positional]
    """Which game."""
    position: Annotated[Path, tyro.conf.Positional]
    """A position as JSON, whole or partial; what is missing is as in a set-up."""
    agent: str = "mcts:sims=5000"
    """Which search: flat_mc, mcts or oracle_mcts, with their options."""
    seed: int = 0
    """Seed of the search."""
    board: bool = True
    """Print the position first, as the seat to move sees it."""


@runtime_checkable
class Thinker(Protocol):
    """An agent that can say what it thinks."""

    def think(self, game: Game, states: States, i: int, word: int = 0) -> Thought:
        """Return the visit table of the decision in game `i`."""
        ...


def run(arguments: Sequence[str]) -> int:
    """Run the verb."""
    config = tyro.cli(Config, args=list(arguments), prog="dwarrow analyse", description=__doc__)
    game = envs.game(config.game)
    if config.seed < 0:
        raise ValueError(f"seed={config.seed}: allowed is 0 or more")
    states = game.load(_read(config.position))
    if game.is_over(states, 0):
        raise ValueError(f"{config.position}: the game is over, there is nothing to decide")
    agent = make(config.agent, game)
    if not isinstance(agent, Thinker):
        raise ValueError(f"agent {config.agent!r} keeps no visit table: take flat_mc or mcts")
    if config.board:
        print(game.text(states, 0, int(states["seat"][0])), end="\n\n")
    print(agent.think(game, states, 0, config.seed))
    return 0


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: not JSON ({error})") from None
    if not isinstance(found, dict):
        raise ValueError(f"{path}: a position is a JSON object")
    return found
