"""A game in play between people and agents: moves, what each seat saw of them, taking back, saving.

Nothing here prints. An agent's luck follows from the game's seed, its seat and the decision, as in
matches, so that a game that is saved and continued goes on as if it had never been interrupted.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from dwarrow.agents.base import Agent, make
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import States
from dwarrow.envs.core.record import as_records
from dwarrow.envs.core.replay import Replay, record, told
from dwarrow.training.match import thought
from dwarrow.training.tables import decision_words

HUMAN = "human"

TAKEN_BACK = "taken back"
"""In the notes of a move: how many choices its seat took back here although it had seen more."""

N_REDRAWS = 64
"""How often what a seat does not know is redrawn to tell whether a choice revealed any of it."""


@dataclass(frozen=True)
class Made:
    """A move that was made.

    Attributes:
        seat: who moved.
        action: the action.
        forced: there was nothing else.
        notes: what a replay keeps of it.
    """

    seat: int
    action: int
    forced: bool
    notes: Mapping[str, Any] = field(default_factory=dict)


class Session:
    """One game in play.

    Attributes:
        game: the rules.
        options: the game's options, players among them.
        seed: of the game.
        seats: `HUMAN` or the spec of the agent in each seat.
        states: the state [1] now.
        moves: all moves so far.
    """

    def __init__(
        self, game: Game, options: Mapping[str, Any], seed: int, seats: Sequence[str]
    ) -> None:
        """Set the game up and make the agents.

        Raises:
            ValueError: options, seed or a spec that do not fit the game, or not a spec a seat.
        """
        self.game, self.seed, self.seats = game, seed, tuple(seats)
        self.options = game.options.parse(dict(options)).to_dict()
        if len(seats) != self.options["players"]:
            raise ValueError(
                f"{len(seats)} seats are given for {self.options['players']} players: name the "
                f"agent of each seat, {HUMAN!r} for a person"
            )
        self.agents: dict[str, Agent] = {
            spec: make(spec, game) for spec in dict.fromkeys(seats) if spec != HUMAN
        }
        self.states = game.new(1, seed, **self.options)
        self.moves: list[Made] = []
        self._before: list[States] = []
        self._taken_back = 0

    @property
    def seat(self) -> int:
        """Who decides now."""
        return int(self.states["seat"][0])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.is_over(self.states, 0)

    @property
    def people(self) -> list[int]:
        """The seats that people play."""
        return [seat for seat, spec in enumerate(self.seats) if spec == HUMAN]

    def name(self, seat: int) -> str:
        """Return how to call a seat."""
        return f"seat {seat} ({self.seats[seat]})"

    # Moves

    def advance(self) -> bool:
        """Make one move that no person has to decide; return whether there was one to make."""
        if self.over:
            return False
        legal = self.game.legal(self.states, 0)
        if len(legal) == 1:
            self._make(int(legal[0]), forced=True)
            return True
        if self.seats[self.seat] == HUMAN:
            return False
        agent = self.agents[self.seats[self.seat]]
        word = np.array([self.word()], np.uint64)
        decision = agent.act(self.game, self.states, np.zeros(1, np.int64), word)
        self._make(int(decision.action[0]), notes=thought(self.game, decision, 0))
        return True

    def choose(self, action: int) -> None:
        """Make the choice of the person to move.

        Raises:
            ValueError: the action is illegal, and why.
        """
        notes = {TAKEN_BACK: self._taken_back} if self._taken_back else {}
        self._make(action, notes=notes)
        self._taken_back = 0

    def _make(
        self, action: int, *, forced: bool = False, notes: Mapping[str, Any] | None = None
    ) -> None:
        before, seat = self.states.copy(), self.seat
        self.game.step(self.states, 0, action)
        self._before.append(before)
        self.moves.append(Made(seat, action, forced, notes or {}))

    def word(self) -> int:
        """Return the luck of the decision to take: always the same for the same seed and seat."""
        words = np.empty(1, np.uint64)
        decision_words(as_records(self.states), np.zeros(1, np.int64), np.array([self.seed]), words)
        return int(words[0])

    def told(self, k: int, viewer: int) -> str:
        """Return move `k` in words, as far as `viewer` noticed it; empty if it did not."""
        move = self.moves[k]
        what = told(self.game, self._before[k], move.seat, move.action, viewer)
        if not what:
            return ""
        who = "you" if move.seat == viewer else self.name(move.seat)
        return f"{who}: {what}" + (" (nothing else was possible)" if move.forced else "")

    # Taking back

    def last_choice(self, seat: int) -> int | None:
        """Return the index of the last choice of the person in `seat`."""
        chosen = (k for k, m in enumerate(self.moves) if m.seat == seat and not m.forced)
        return max(chosen, default=None)

    def came_of(self, k: int) -> str:
        """Return what has come to light since the choice `k`, or nothing if it can be undone.

        Whoever takes a choice back must not know more than before it. So no other seat may have
        made a choice since, no chance stream may have moved, and the same moves must lead to the
        same view whatever the seat does not know had been different, as far as redraws show.
        """
        seat, since = self.moves[k].seat, self.moves[k:]
        answered = [m for m in since if m.seat != seat and not m.forced]
        if answered:
            return f"{self.name(answered[0].seat)} has chosen since"
        if not np.array_equal(self._before[k]["rng"], self.states["rng"]):
            return "chance has decided something since"
        now = self.game.observe(self.states, 0, seat)
        for draw in range(N_REDRAWS):
            other = self.game.resample(self._before[k], 0, seat, draw)
            for move in since:
                if int(other["seat"][0]) != move.seat or self.game.explain(other, 0, move.action):
                    return "something hidden has come to light since"
                self.game.step(other, 0, move.action)
            if not np.array_equal(now, self.game.observe(other, 0, seat)):
                return "something hidden has come to light since"
        return ""

    def take_back(self, seat: int, *, anyway: bool = False) -> int:
        """Undo the last choice of the person in `seat`, and all after it; return moves undone.

        Dice, cards and the luck of agents stay what they were. A choice taken back `anyway`,
        although something came of it, is noted in the replay with the choice that replaces it.

        Raises:
            ValueError: there is none, or something came of it.
        """
        k = self.last_choice(seat)
        if k is None:
            raise ValueError("you have made no choice yet")
        known = self.came_of(k)
        if known and not anyway:
            raise ValueError(
                f"{known}: that choice stands; --allow-undo takes back any, and the replay says so"
            )
        undone = len(self.moves) - k
        if known:
            self._taken_back += 1 + int(self.moves[k].notes.get(TAKEN_BACK, 0))
        self.states = self._before[k]
        del self.moves[k:], self._before[k:]
        return undone

    # Keeping

    def replay(self) -> Replay:
        """Return the game so far as a replay."""
        actions, notes = [m.action for m in self.moves], [m.notes for m in self.moves]
        return record(self.game, self.seed, actions, self.options, self.seats, notes)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the game as a replay, from which `resumed` goes on."""
        return self.replay().save(path)


def resumed(replay: Replay, seats: Sequence[str] = ()) -> Session:
    """Return the game of a checked replay, in play again; `seats` may put others there.

    Raises:
        ValueError: the game is over, or nobody is known to sit in its seats.
    """
    who = tuple(seats) or replay.agents
    if not who:
        raise ValueError(
            "the file does not say who plays: name a player for each seat with --seats"
        )
    session = Session(replay.game, replay.options, replay.seed, who)
    for move in replay.moves:
        forced = len(replay.game.legal(session.states, 0)) == 1
        session._make(move.action, forced=forced, notes=move.notes)
    if session.over:
        raise ValueError("this game is over: dwarrow replay FILE steps through it")
    return session
