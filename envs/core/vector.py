"""`VectorTable`: many games stepped in one compiled call, without the GIL, into fixed buffers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dwarrow.envs.core.compiling import compile_once
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import (
    Floats,
    Mask,
    States,
    kernel,
    legal,
    observe,
    returns,
    scores,
    step,
)
from dwarrow.envs.core.record import empty
from dwarrow.envs.core.seats import check_seed
from dwarrow.envs.core.table import begin

Longs = NDArray[np.int64]

BEGIN = -2
"""Stands for an action: begin the game of this row afresh."""


@kernel
def turn(
    states: States,
    rows: Longs,
    actions: Longs,
    seeds: Longs,
    stride: int,
    observation: Floats,
    mask: Mask,
    seat: Longs,
    result: Floats,
    points: Floats,
    done: NDArray[np.bool_],
) -> None:
    """Play ``actions[k]`` in game ``rows[k]`` and write what the seat that decides next sees.

    Writes all arrays after `stride`, at `rows` only. A game that ends has its `result` (utilities)
    and `points` written, `done` set, and, unless `stride` is 0, begins again with its seed in
    `seeds` raised by `stride`.
    """
    for k in range(len(rows)):
        i = rows[k]
        done[i] = False
        result[i, :] = 0
        points[i, :] = 0
        if actions[k] == BEGIN:
            begin(states, i, seeds[i])
        elif step(states, i, actions[k]):
            done[i] = True
            returns(states, i, result[i])
            scores(states, i, points[i])
            if stride > 0:
                seeds[i] += stride
                begin(states, i, seeds[i])
        observation[i, :] = 0
        seat[i] = states[i].seat
        if legal(states, i, mask[i]) > 0:
            observe(states, i, seat[i], observation[i])


class VectorTable:
    """`n` games at one table each. The buffers are allocated once and written by every step.

    Game i starts with ``seed + i``; when it ends, the next one in its row is seeded ``n`` higher,
    so no two games of a table share a seed and row i always plays the same ones.

    Attributes:
        game: the rules.
        states: the games in play [n], for agents and searches to read.
        observation: what the seat to move sees, float32 [n, features].
        mask: its legal actions, int8 [n, n_actions]; zeros where a game is over.
        seat: who is to move, int64 [n]; NONE where a game is over.
        returns: utilities of the seats of games that ended in the last step, else zeros, float32
            [n, max_seats].
        scores: their points, likewise.
        done: which games ended in the last step, bool [n].
        seeds: seed of the game now in each row, int64 [n].
    """

    def __init__(
        self,
        game: Game,
        n: int | Sequence[Mapping[str, Any]],
        seed: int = 0,
        *,
        auto_reset: bool = True,
        **options: Any,
    ) -> None:
        """Set up `n` games; for rows of different options give a list of them in place of `n`.

        Without `auto_reset` a game that has ended stays as it is until `begin`.

        Raises:
            ValueError: an unknown option or value, n < 1, a seed out of range.
        """
        rows = [dict(options)] * n if isinstance(n, int) else [{**options, **row} for row in n]
        if not rows:
            raise ValueError("a table has at least 1 game")
        self.game, self.n, self.auto_reset = game, len(rows), auto_reset
        self.states = _blank(game, rows)
        self.seeds = check_seed(seed) + np.arange(self.n, dtype=np.int64)
        self._all = np.arange(self.n, dtype=np.int64)
        seats, n_actions = game.max_seats, game.n_actions
        self._observation = np.zeros((self.n, game.observation.size), np.float32)
        self._mask = np.zeros((self.n, n_actions), np.int8)
        self._seat = np.zeros(self.n, np.int64)
        self._returns = np.zeros((self.n, seats), np.float32)
        self._scores = np.zeros((self.n, seats), np.float32)
        self._done = np.zeros(self.n, np.bool_)
        # Views for reading: a scribble on the mask would let illegal actions through.
        self.observation, self.mask = _read_only(self._observation), _read_only(self._mask)
        self.seat, self.done = _read_only(self._seat), _read_only(self._done)
        self.returns, self.scores = _read_only(self._returns), _read_only(self._scores)
        game.ready()
        compile_once(f"{game.name}.vector", f"the vector table of {game.title}", self.begin)
        self.begin()

    def begin(self, rows: NDArray[np.integer[Any]] | None = None) -> None:
        """Begin the games of `rows`, or all, afresh with their seeds in `seeds`.

        Raises:
            ValueError: a row that the table does not have, or one twice.
        """
        chosen = self._rows(rows)
        self._turn(chosen, np.full(len(chosen), BEGIN, np.int64), 0)

    def reset(self, seed: int = 0) -> None:
        """Begin all games again, game i with ``seed + i``.

        Raises:
            ValueError: a seed out of range.
        """
        self.seeds[:] = check_seed(seed) + self._all
        self.begin()

    def step(
        self,
        actions: NDArray[np.integer[Any]] | Sequence[int],
        rows: NDArray[np.integer[Any]] | None = None,
    ) -> None:
        """Play one action in every game, or in the games `rows`, and refresh the buffers there.

        Raises:
            ValueError: an action is illegal, and why, or a row that the table does not have, or
                one twice; nothing has moved in any game.
        """
        chosen = self._rows(rows)
        played = np.asarray(actions)
        if played.shape != chosen.shape or played.dtype.kind not in "iu":
            raise ValueError(
                f"actions are whole numbers [{len(chosen)}], not {played.dtype} {played.shape}"
            )
        played = played.astype(np.int64, copy=False)
        within = (played >= 0) & (played < self.game.n_actions)
        fits = within & (self._mask[chosen, np.where(within, played, 0)] != 0)
        if not fits.all():
            k = int(np.argmin(fits))
            raise ValueError(f"row {chosen[k]}: {self._problem(int(chosen[k]), int(played[k]))}")
        self._turn(chosen, played, self.n if self.auto_reset else 0)

    def _rows(self, rows: NDArray[np.integer[Any]] | None) -> Longs:
        if rows is None:
            return self._all
        chosen = np.asarray(rows, np.int64)
        if chosen.ndim != 1 or len(np.unique(chosen)) != len(chosen):
            raise ValueError(f"rows are a list of different numbers, not {chosen.tolist()}")
        if len(chosen) and not 0 <= chosen.min() <= chosen.max() < self.n:
            raise ValueError(f"rows {chosen.tolist()}: this table has rows 0 to {self.n - 1}")
        return chosen

    def _turn(self, rows: Longs, actions: Longs, stride: int) -> None:
        turn(
            self.states,
            rows,
            actions,
            self.seeds,
            stride,
            self._observation,
            self._mask,
            self._seat,
            self._returns,
            self._scores,
            self._done,
        )

    def _problem(self, row: int, action: int) -> str:
        try:
            return f"{self.game.title}: {self.game.explain(self.states, row, action)}"
        except ValueError as error:
            return str(error)


def _blank(game: Game, rows: Sequence[Mapping[str, Any]]) -> States:
    """Allocate a state for every row of options; equal rows are parsed once."""
    states: States = empty(game.dtype, len(rows))
    blanks: dict[str, States] = {}
    for i, row in enumerate(rows):
        key = repr(sorted(row.items()))
        if key not in blanks:
            blanks[key] = game.blank(1, game.options.parse(dict(row)))
        states[i : i + 1] = blanks[key]
    return states


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view
