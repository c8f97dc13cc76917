"""Agents of your own: an object with ``act``, or a plain function of what a seat sees."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from dwarrow.agents.base import Agent, Decision, Rows, Words, make
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import States

Choose = Callable[..., Any]
"""``(observation, mask) -> action`` or ``(observation, mask, rng) -> action``."""


def as_agent(given: str | Agent | Choose, game: Game) -> Agent:
    """Return an agent made of a spec, of an object with ``act``, or of a plain function.

    What was not made here is asked one wrong answer at most: an illegal action raises ValueError
    with the reason.

    Raises:
        ValueError: a spec that names no agent of this game.
        TypeError: none of the three.
    """
    if isinstance(given, str):
        return make(given, game)
    if isinstance(given, type):
        raise TypeError(f"agent {given.__name__} is a class: give an instance of it")
    if callable(getattr(given, "act", None)):
        return Checked(given)  # type: ignore[arg-type]
    if callable(given):
        return Checked(FunctionAgent(given))
    raise TypeError(
        f"{given!r} is no agent: give a spec such as 'rule', an object with act(game, states, "
        "rows, words), or a function (observation, mask) -> action"
    )


class FunctionAgent:
    """Acts by a function ``(observation, mask)`` or ``(observation, mask, rng)`` -> action.

    The function gets what the seat to move may know (`Game.observe`) and the legal actions as 0 and
    1, and with a third parameter a NumPy generator that is seeded anew for every decision: what it
    draws there is the same whenever the game is played again.
    """

    ranked = True

    def __init__(self, choose: Choose, spec: str = "") -> None:
        """Act by `choose`, under the name `spec`, or its own."""
        self.spec = spec or getattr(choose, "__name__", type(choose).__name__)
        self._choose, self._wants_rng = choose, _takes_three(choose)

    def act(self, game: Game, states: States, rows: Rows, words: Words) -> Decision:
        """Choose an action in each of ``states[rows]``; see `Agent.act`."""
        actions = np.empty(len(rows), np.int64)
        for k, row in enumerate(rows):
            i = int(row)
            given = game.observe(states, i, int(states["seat"][i])), game.mask(states, i)
            extra = (np.random.default_rng(int(words[k])),) if self._wants_rng else ()
            actions[k] = _number(self._choose(*given, *extra), self.spec)
        return Decision(actions)


class Checked:
    """Passes an agent's decisions on, once they are known to be legal."""

    def __init__(self, agent: Agent) -> None:
        """Check `agent`; it needs no attributes but ``act``."""
        self.agent = agent
        self.spec = str(getattr(agent, "spec", "") or type(agent).__name__)
        self.ranked = bool(getattr(agent, "ranked", True))

    def act(self, game: Game, states: States, rows: Rows, words: Words) -> Decision:
        """Choose as the agent does; see `Agent.act`.

        Raises:
            ValueError: the agent answered with an illegal action, or not with one a row.
        """
        decision = self.agent.act(game, states, rows, words)
        actions = np.asarray(getattr(decision, "action", None))
        if actions.shape != (len(rows),) or actions.dtype.kind not in "iu":
            raise ValueError(
                f"agent {self.spec!r}: act answers with a Decision whose action is an array of "
                f"{len(rows)} whole numbers, one a row; it was {decision!r}"
            )
        for action, row in zip(actions, rows, strict=True):
            if problem := _problem(game, states, int(row), int(action)):
                raise ValueError(f"agent {self.spec!r}: {problem}")
        decision.action = actions.astype(np.int64)
        return decision


def _problem(game: Game, states: States, i: int, action: int) -> str:
    if not 0 <= action < game.n_actions:
        return f"{action} is no action: they are 0 to {game.n_actions - 1}"
    return game.explain(states, i, action)


def _number(answer: object, spec: str) -> int:
    """Return a function's answer as a number; 3.0 or a name is a mistake that shows early."""
    if isinstance(answer, int | np.integer) and not isinstance(answer, bool):
        return int(answer)
    raise ValueError(f"agent {spec!r} answered {answer!r}: expected the number of an action")


def _takes_three(choose: Choose) -> bool:
    """Return whether a function has a third parameter that may be given by place."""
    places = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    try:
        known = inspect.signature(choose).parameters.values()
    except ValueError:  # some built-in functions have no signature
        return False
    return sum(p.kind in places for p in known) >= 3
