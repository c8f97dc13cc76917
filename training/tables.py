"""Compiled tables: many games begun, stepped and read in one call, without the GIL.

A forced move (one legal action) is played here and never put to an agent.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dwarrow.agents.base import Actions, Rows, Words
from dwarrow.envs.core.compiling import compile_once
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Floats, Mask, States, kernel, legal, returns, scores, step
from dwarrow.envs.core.record import as_records
from dwarrow.envs.core.rng import mix
from dwarrow.envs.core.table import begin, pick

Seeds = NDArray[np.int64]

# Unlike the constant that seeds a game's own streams: an agent's luck is not the deck's.
_AGENTS = np.uint64(0xD1B54A32D192ED03)


@kernel
def skip_forced(states: States, i: int, mask: Mask) -> int:
    """Play forced moves in game `i` until a seat has a choice or the game is over.

    Writes the mask of the decision that is left; returns how many actions are legal there.
    """
    n_legal = legal(states, i, mask)
    while n_legal == 1:
        step(states, i, pick(mask, 0))
        n_legal = legal(states, i, mask)
    return n_legal


@kernel
def begin_games(
    states: States, rows: Rows, templates: States, which: Rows, seeds: Seeds, mask: Mask
) -> None:
    """Begin the games ``states[rows]`` with the options of ``templates[which]`` and these seeds."""
    for k in range(len(rows)):
        states[rows[k]] = templates[which[k]]
        begin(states, rows[k], seeds[k])
        skip_forced(states, rows[k], mask)


@kernel
def step_games(states: States, rows: Rows, actions: Actions, mask: Mask) -> None:
    """Play an action in each of ``states[rows]``, and the forced moves that follow."""
    for k in range(len(rows)):
        step(states, rows[k], actions[k])
        skip_forced(states, rows[k], mask)


@kernel
def results(states: States, rows: Rows, utilities: Floats, points: Floats) -> None:
    """Write returns and scores [n, max_seats] of the finished games ``states[rows]``."""
    for k in range(len(rows)):
        returns(states, rows[k], utilities[k])
        scores(states, rows[k], points[k])


@kernel
def decision_words(states: States, rows: Rows, seeds: Seeds, words: Words) -> None:
    """Write one random word a row, a function of the game's seed, the seat and the decision."""
    for k in range(len(rows)):
        s = states[rows[k]]
        word = mix(np.uint64(seeds[rows[k]]) ^ _AGENTS)
        word = mix(word ^ np.uint64(s.seat))
        words[k] = mix(word ^ np.uint64(s.decision))


class Tables:
    """A batch of games in play.

    Attributes:
        states: the games [n].
        seeds: the seed that each was begun with [n].
    """

    def __init__(self, game: Game, templates: States, n: int) -> None:
        """Lay `n` tables; each game begins from one of `templates`, which carry options."""
        self.game = game
        self.templates = as_records(templates)
        self.states = as_records(np.repeat(templates[:1], n))
        self.seeds = np.zeros(n, np.int64)
        self._mask = np.zeros(game.n_actions, np.int8)
        game.ready()
        compile_once(f"{game.name}-tables", f"tables for {game.title}", self._exercise)

    def begin(self, rows: Rows, which: Rows, seeds: Seeds) -> None:
        """Begin new games in `rows`, from ``templates[which]``."""
        self.seeds[rows] = seeds
        begin_games(self.states, rows, self.templates, which, seeds, self._mask)

    def step(self, rows: Rows, actions: Actions) -> None:
        """Play `actions` in `rows`, and forced moves after them."""
        step_games(self.states, rows, actions, self._mask)

    def words(self, rows: Rows) -> Words:
        """Return one random word for each decision to take."""
        words = np.empty(len(rows), np.uint64)
        decision_words(self.states, rows, self.seeds, words)
        return words

    def results(self, rows: Rows) -> tuple[Floats, Floats]:
        """Return utilities and scores [n, max_seats] of finished games."""
        utilities = np.zeros((len(rows), self.game.max_seats), np.float32)
        points = np.zeros_like(utilities)
        results(self.states, rows, utilities, points)
        return utilities, points

    def _exercise(self) -> None:
        row = np.zeros(1, np.int64)
        scratch = Tables.__new__(Tables)
        scratch.game, scratch.templates = self.game, self.templates
        scratch.states, scratch.seeds = as_records(self.templates[:1].copy()), row.copy()
        scratch._mask = self._mask
        scratch.begin(row, row, row)
        scratch.words(row)
        scratch.results(row)
        action = int(self.game.legal(scratch.states, 0)[0])
        scratch.step(row, np.array([action]))
