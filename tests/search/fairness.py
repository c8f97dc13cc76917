"""What every fair agent must pass: no difference between states that its seat cannot tell apart."""

from collections.abc import Iterator

import numpy as np
import toys.known  # noqa: F401

from dwarrow import envs
from dwarrow.agents import Agent
from dwarrow.envs import Game
from dwarrow.envs.core.kernels import States
from dwarrow.envs.core.record import as_records
from dwarrow.envs.core.table import play_random


def tables() -> list[tuple[str, int]]:
    """Return every game with its fewest and its most players."""
    found = []
    for name in envs.games():
        counts = envs.game(name).player_counts
        found += [(name, n) for n in sorted({min(counts), max(counts)})]
    return found


def positions(game: Game, players: int, n: int, **options: object) -> Iterator[States]:
    """Yield `n` positions [1] spread over random games, none of them over and none forced."""
    length = typical_length(game, players)
    found, seed = 0, 0
    while found < n:
        states = as_records(game.new(1, seed, players=players, **options))
        word = np.array([seed], np.uint64)
        ahead = seed * 7919 % length
        play_random(states, 0, np.zeros(game.n_actions, np.int8), word, ahead)
        seed += 1
        if not game.is_over(states, 0) and len(game.legal(states, 0)) > 1:
            found += 1
            yield states


def typical_length(game: Game, players: int) -> int:
    states = as_records(game.new(1, 0, players=players))
    mask = np.zeros(game.n_actions, np.int8)
    return play_random(states, 0, mask, np.zeros(1, np.uint64), game.max_decisions)


def leak(game: Game, agent: Agent, states: States, tries: int = 3) -> str:
    """Return how `agent` acts on something that the seat to move cannot know; empty if it does not.

    The position is compared with states drawn from the same information set, at the same luck.
    """
    seat = int(states["seat"][0])
    row, word = np.zeros(1, np.int64), np.array([12345], np.uint64)
    wanted = agent.act(game, states, row, word)
    for seed in range(tries):
        other = game.resample(states, 0, seat, seed)
        found = agent.act(game, other, row, word)
        if found.action[0] != wanted.action[0]:
            was, now = (game.action_name(int(d.action[0])) for d in (wanted, found))
            return f"{agent.spec}: {was} became {now} when only hidden things changed"
        for part in ("policy", "value", "logp"):
            a, b = getattr(wanted, part), getattr(found, part)
            if a is not None and not np.array_equal(a, b):
                return f"{agent.spec}: its {part} changed when only hidden things changed"
    return ""
