"""The other seats of the single-agent and vector forms: anything that chooses for a batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import States

Rows = NDArray[np.int64]
Words = NDArray[np.uint64]


class Choice(Protocol):
    """What an opponent answers."""

    @property
    def action(self) -> NDArray[np.integer[Any]]:
        """Its actions [len(rows)]."""
        ...


class Opponent(Protocol):
    """Whoever chooses actions for the seats to move in some games of a batch."""

    def act(self, game: Game, states: States, rows: Rows, words: Words) -> Choice:
        """Choose an action for the seat to move in each game of `rows`.

        `words` [len(rows)] is its randomness: one word of it a row.
        """
        ...


@dataclass(frozen=True)
class Chosen:
    """Actions alone."""

    action: NDArray[np.int64]


class UniformOpponent:
    """Plays any legal action, each as often: who sits at the table if nobody else is named."""

    def act(self, game: Game, states: States, rows: Rows, words: Words) -> Chosen:
        """Choose uniformly."""
        chosen = np.empty(len(rows), np.int64)
        for k, row in enumerate(rows):
            legal = game.legal(states, int(row))
            chosen[k] = legal[int(words[k]) % len(legal)]
        return Chosen(chosen)


def words_for(rows: Rows, rng: np.random.Generator) -> Words:
    """Draw one random word for each row."""
    return rng.integers(0, 2**64, len(rows), dtype=np.uint64)


class Seating:
    """Who sits where: the learner's seat and, on the seats after it in turn, the opponents."""

    def __init__(self, players: int, opponents: Sequence[Opponent] | Opponent | None) -> None:
        """Seat the opponents.

        Raises:
            ValueError: not as many opponents as free seats.
        """
        if opponents is None or not isinstance(opponents, Sequence):
            opponents = [UniformOpponent() if opponents is None else opponents] * (players - 1)
        if len(opponents) != players - 1:
            raise ValueError(
                f"{len(opponents)} opponents for {players} players: give {players - 1}, "
                "one for each other seat, or a single one for them all"
            )
        self.players, self.opponents = players, list(opponents)

    def at(self, seat: int, learner: int) -> int:
        """Return which opponent sits on `seat` when the learner sits on `learner`."""
        return (seat - learner - 1) % self.players
