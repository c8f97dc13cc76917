"""What the contract suite runs over: every registered game, and the toy, at each player count."""

from collections.abc import Iterator

import numpy as np
import toys.known  # noqa: F401

from dwarrow import envs
from dwarrow.envs import Game, game, games
from dwarrow.envs.core.kernels import States
from dwarrow.envs.core.module import Module

TOY = "goofspiel"
# toys of other tests may be known by now too
REAL_GAMES = [name for name in games() if envs.module_of(name).startswith("dwarrow.")]
GAMES = [*REAL_GAMES, TOY]
CASES = [(name, players) for name in GAMES for players in game(name).player_counts]


def module_of(name: str) -> Module:
    return Module(name, version=0)


def policy(legal: np.ndarray, seed: int, decision: int) -> int:
    """A fixed way to play that looks random and needs no generator."""
    word = (seed * 1_000_003 + decision + 1) * 0x9E3779B97F4A7C15 % 2**64
    return int(legal[(word >> 32) % len(legal)])


def play(g: Game, seed: int, **options) -> Iterator[tuple[States, int]]:
    """Yield every decision of a game played by `policy` and its action, before it is played."""
    states = g.new(1, seed=seed, **options)
    while not g.is_over(states, 0):
        action = policy(g.legal(states, 0), seed, int(states["decision"][0]))
        yield states, action
        g.kernels.step(states, 0, action)


def spread(g: Game, seed: int, n: int, **options) -> list[States]:
    """Copies of about `n` decisions spread over a game."""
    all_of_them = [states.copy() for states, _ in play(g, seed, **options)]
    return all_of_them[:: max(1, len(all_of_them) // n)]
