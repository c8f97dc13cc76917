"""Agents under guard: who crashes or overruns its time forfeits that game; the run goes on."""

from __future__ import annotations

import time

import numpy as np

from dwarrow.agents.base import Actions, Agent, Decision, Rows, Words
from dwarrow.agents.scripted import choose_random
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Mask, States, kernel, legal
from dwarrow.envs.core.record import as_records

Fault = tuple[int, str]
"""The seat that forfeited and why."""

LONGEST_REASON = 80


@kernel
def first_illegal(states: States, rows: Rows, actions: Actions, mask: Mask) -> int:
    """Return the first k whose action is illegal in ``states[rows[k]]``, -1 if all are legal."""
    for k in range(len(rows)):
        legal(states, rows[k], mask)
        if not 0 <= actions[k] < len(mask) or not mask[actions[k]]:
            return k
    return -1


class Guard:
    """Passes decisions through; after a fault its seat plays at random and the game is forfeit.

    Attributes:
        faults: by table, until the game there has ended; shared by all guards of a run.
    """

    def __init__(
        self, agent: Agent, faults: dict[int, Fault], seconds: float | None = None
    ) -> None:
        """Guard `agent`; it may take `seconds` for a decision, on the average of its batch."""
        self.agent, self.faults, self.seconds = agent, faults, seconds
        self.spec, self.ranked = agent.spec, agent.ranked

    def act(self, game: Game, states: States, rows: Rows, words: Words) -> Decision:
        """Choose as the agent does where it can; see `Agent.act`."""
        actions = np.empty(len(rows), np.int64)
        seats = states["seat"][rows]
        given_up = np.array(
            [self.faults.get(int(r), (-1, ""))[0] == s for r, s in zip(rows, seats, strict=True)]
        )
        for chosen, choose in ((given_up, self._at_random), (~given_up, self._guarded)):
            if chosen.any():
                actions[chosen] = choose(game, states, rows[chosen], words[chosen])
        return Decision(actions)

    def _at_random(self, game: Game, states: States, rows: Rows, words: Words) -> Actions:
        actions, mask = np.empty(len(rows), np.int64), np.zeros(game.n_actions, np.int8)
        choose_random(as_records(states), rows, words, mask, actions)
        return actions

    def _guarded(self, game: Game, states: States, rows: Rows, words: Words) -> Actions:
        begun = time.perf_counter()
        try:
            actions = self._checked(game, states, rows, words)
        except Exception:
            actions = self._one_by_one(game, states, rows, words)
        taken = (time.perf_counter() - begun) / len(rows)
        if self.seconds is not None and taken > self.seconds:
            for row in rows:
                self._blame(states, int(row), f"took {taken:.2g} s for a decision")
        return actions

    def _checked(self, game: Game, states: States, rows: Rows, words: Words) -> Actions:
        actions = self.agent.act(game, states, rows, words).action.astype(np.int64)
        mask = np.zeros(game.n_actions, np.int8)
        k = first_illegal(as_records(states), rows, actions, mask)
        if k >= 0:
            raise ValueError(f"chose the illegal action {actions[k]}")
        return actions

    def _one_by_one(self, game: Game, states: States, rows: Rows, words: Words) -> Actions:
        """Ask for each row alone, so that one bad position costs one game."""
        actions = np.empty(len(rows), np.int64)
        for k in range(len(rows)):
            row = slice(k, k + 1)
            try:
                actions[row] = self._checked(game, states, rows[row], words[row])
            except Exception as error:
                self._blame(states, int(rows[k]), f"{type(error).__name__}: {error}")
                actions[row] = self._at_random(game, states, rows[row], words[row])
        return actions

    def _blame(self, states: States, row: int, reason: str) -> None:
        short = " ".join(reason.split())[:LONGEST_REASON]
        self.faults.setdefault(row, (int(states["seat"][row]), short))
