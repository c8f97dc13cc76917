"""What every environment form shares: agent names, spaces, utilities, checked options, seeds."""

from __future__ import annotations

import operator
import secrets
from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from dwarrow.envs.core.game import LATEST_SEED, Game
from dwarrow.envs.core.kernels import Mask, States

Utility = Literal["rank", "win", "margin"]
"""What a finished game is worth to a seat: its rank, its share of the win, its lead in points."""

Illegal = Literal["raise", "terminate"]
"""What an illegal action does: raise an error that explains, or end the game for all."""

RENDER_MODES = ("ansi", "rgb_array", "human")

BOUND = 8.0
"""Observations are scaled to about [-1, 2]; no feature leaves [-BOUND, BOUND]."""

ILLEGAL_REWARD = -1.0

SeenBySeat = dict[str, NDArray[Any]]
"""``{"observation": float32 [features], "action_mask": int8 [n_actions]}``."""


def agent_name(seat: int) -> str:
    """Return the PettingZoo name of a seat."""
    return f"player_{seat}"


def observation_space(game: Game) -> spaces.Dict:
    """Return a new observation space, equal for all seats and player counts of a game."""
    return spaces.Dict(
        {
            "observation": spaces.Box(-BOUND, BOUND, (game.observation.size,), np.float32),
            "action_mask": spaces.Box(0, 1, (game.n_actions,), np.int8),
        }
    )


def check_choice(option: str, value: object, allowed: Sequence[object]) -> None:
    """Check an environment option.

    Raises:
        ValueError: naming the option, the value and what is allowed.
    """
    if value not in allowed:
        raise ValueError(f"option {option}={value!r}: allowed are {list(allowed)}")


def check_utility(game: Game, utility: str) -> None:
    """Check a utility; all seats of a cooperative game score alike, so it has no margin.

    Raises:
        ValueError: not a utility of this game.
    """
    known = get_args(Utility)
    check_choice("utility", utility, known[:2] if game.cooperative else known)


def utilities(game: Game, states: States, i: int, utility: str) -> list[float]:
    """Return what finished game `i` is worth to each seat [n_seats].

    ``rank`` is `Game.returns`. ``win`` is the share of the win: winners split 1, and in a
    cooperative game all have 1 or 0. ``margin`` is the lead over the best other seat, as a part of
    the largest score, within [-1, 1].
    """
    returns = game.returns(states, i)
    if utility == "rank":
        return [float(r) for r in returns]
    if utility == "win":
        if game.cooperative:
            return [float(r > 0) for r in returns]
        first = returns == returns.max()
        return [float(f) / int(first.sum()) for f in first]
    scores = [float(x) for x in game.scores(states, i)]
    scale = max(1.0, *map(abs, scores))
    leads = [
        (own - max(scores[:seat] + scores[seat + 1 :])) / scale for seat, own in enumerate(scores)
    ]
    return [min(1.0, max(-1.0, lead)) for lead in leads]


def action_number(game: Game, action: Any) -> int:
    """Return an action as a Python int.

    Raises:
        ValueError: not a whole number within the action space.
    """
    try:
        number = operator.index(action)
    except TypeError:
        raise ValueError(
            f"{game.title}: an action is a whole number from 0 to {game.n_actions - 1}, "
            f"not {action!r}"
        ) from None
    game.action_name(number)
    return number


def masks_of_waiting(game: Game) -> Mask:
    """Return the all-zero mask of a seat that is not to move, freshly allocated."""
    return np.zeros(game.n_actions, np.int8)


def check_seed(seed: int) -> int:
    """Return a seed of a game.

    Raises:
        ValueError: out of range.
    """
    if not 0 <= seed < LATEST_SEED:
        raise ValueError(f"seed={seed}: a seed is a whole number from 0 to {LATEST_SEED - 1}")
    return int(seed)


def fresh_seed() -> int:
    """Return a seed nobody chose, for an environment that is reset without one."""
    return secrets.randbelow(LATEST_SEED)


def next_seed(seed: int) -> int:
    """Return the seed of the game after the one with `seed`, as ``reset()`` without a seed uses."""
    return int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0] >> 2)
