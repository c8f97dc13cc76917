"""The conversation with the people at the table: show, ask, explain, until the game is over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np

from dwarrow.agents.search.thought import Thought
from dwarrow.benchmarks.play.session import Session
from dwarrow.benchmarks.play.words import Choice, columns, groups
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import States

WIDTH = 110
MOST_HINTED = 10
MOST_NEWS = 40

HELP = """Type the number of a choice, its name, or the beginning of its name ("t 1" for "take 1").
  ?           ask the search for a hint: what it would choose, from what you may know
  undo (u)    take back your last choice, if nothing came of it yet (--allow-undo: any)
  list (l)    list your choices again
  board (b)   show the position again
  why NAME    say why an action is not legal now
  save [FILE] save the game; dwarrow play --resume FILE goes on
  help (h)    print this
  quit (q)    save and stop"""

COMMANDS = {
    "u": "undo",
    "l": "list",
    "b": "board",
    "h": "help",
    "q": "quit",
    "hint": "?",
}
"""Short for what; see `HELP`."""


@runtime_checkable
class Thinker(Protocol):
    """An agent that can say what it thinks."""

    def think(self, game: Game, states: States, i: int, word: int = 0) -> Thought:
        """Return the visit table of the decision in game `i`."""
        ...


class StopPlaying(Exception):  # noqa: N818 - no error
    """The person at the table has had enough."""


@dataclass
class Table:
    """The people at one terminal, and the game.

    Attributes:
        session: the game.
        ask: prints a prompt and returns what was typed; EOFError when there is no more.
        say: prints a line.
        hint: makes the search that gives hints, when the first is asked for.
        clear: hides what the screen showed so far.
        file: where the game is saved.
        allow_undo: any choice may be taken back.
    """

    session: Session
    ask: Callable[[str], str]
    say: Callable[[str], object]
    hint: Callable[[], Thinker]
    clear: Callable[[], object]
    file: Path
    allow_undo: bool = False

    def __post_init__(self) -> None:
        """Begin with all told."""
        self.thinker: Thinker | None = None
        self.told = dict.fromkeys(range(len(self.session.seats)), len(self.session.moves))
        self.last_seat: int | None = None

    def play(self) -> bool:
        """Play on; return whether the game was played to its end.

        Raises:
            KeyboardInterrupt: Ctrl-C; the game is saved.
        """
        session = self.session
        try:
            while not session.over:
                while session.advance():
                    pass
                if not session.over:
                    self._turn()
        except StopPlaying:
            self._save()
            return False
        except KeyboardInterrupt:
            self.say("")
            self._save()
            raise
        self._end()
        return True

    # One decision

    def _turn(self) -> None:
        """Let the person to move decide something, or take something back."""
        seat = self.session.seat
        self._curtain(seat)
        self._news(seat)
        self._board()
        choices = self._list()
        while True:
            words = self._answer(f"seat {seat}> ").split()
            if not words:
                continue
            command = COMMANDS.get(words[0].lower(), words[0].lower())
            if command == "undo" and len(words) == 1:
                if self._undo():
                    return
            elif not self._command(command, words[1:], choices):
                chosen = self._understood(words, choices)
                if chosen is not None:
                    self.session.choose(chosen.action)
                    self.last_seat = seat
                    return

    def _answer(self, prompt: str) -> str:
        try:
            return self.ask(prompt)
        except EOFError:
            self.say("")
            raise StopPlaying from None

    def _command(self, command: str, rest: list[str], choices: list[Choice]) -> bool:
        """Do what is no choice; return whether `command` was such a thing."""
        if command == "why":
            self._why(" ".join(rest))
        elif command == "save":
            self._save(Path(" ".join(rest)) if rest else None)
        elif rest:
            return False
        elif command == "?":
            self._hint(choices)
        elif command == "list":
            self._list()
        elif command == "board":
            self._board()
        elif command == "help":
            self.say(HELP)
        elif command == "quit":
            raise StopPlaying
        else:
            return False
        return True

    def _understood(self, words: list[str], choices: list[Choice]) -> Choice | None:
        """Return the choice that was typed; say what is the matter if it is none."""
        text, game = " ".join(words), self.session.game
        if text.isdigit():
            if 1 <= int(text) <= len(choices):
                return choices[int(text) - 1]
            self.say(f"{text}: your choices have the numbers 1 to {len(choices)}; list shows them")
            return None
        typed = [word.lower() for word in words]
        exact = [c for c in choices if c.name.lower().split(" ") == typed]
        found = exact or [c for c in choices if _begins(c.name, typed)]
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(f"{c.number}) {c.name}" for c in found[:12])
            more = f" and {len(found) - 12} more" if len(found) > 12 else ""
            self.say(f"{text!r} may be {names}{more}")
            return None
        named = [a for a in game.actions if a.lower().split(" ") == typed]
        if named:
            self._why(named[0])
        else:
            self.say(f"{text!r} is no choice: type a number or a name; list shows them, help more")
        return None

    # What is said

    def _curtain(self, seat: int) -> None:
        """Hide what the last person saw, if the next may not see it."""
        session, last = self.session, self.last_seat
        self.last_seat = seat
        if len(session.people) < 2 or last == seat:
            return
        game, states = session.game, session.states
        if last is None:
            last = next(other for other in session.people if other != seat)
        if game.text(states, 0, seat) == game.text(states, 0, last):
            return
        self.clear()
        self._answer(f"It is seat {seat}'s turn. Press Enter when nobody else looks: ")
        self.clear()

    def _news(self, seat: int) -> None:
        """Say what this seat noticed since it was last asked."""
        first = self.told[seat]
        lines = [self.session.told(k, seat) for k in range(first, len(self.session.moves))]
        lines = [line for line in lines if line]
        self.told[seat] = len(self.session.moves)
        if len(lines) > MOST_NEWS:
            self.say(f"({len(lines) - MOST_NEWS} earlier moves are left out)")
        for line in lines[-MOST_NEWS:]:
            self.say(line)

    def _board(self) -> None:
        session = self.session
        self.say("\n" + session.game.text(session.states, 0, session.seat))

    def _list(self) -> list[Choice]:
        """Say which choices there are, and return them by number."""
        listed = groups(self.session.game, self.session.states)
        self.say(f"\nYour choices, seat {self.session.seat} (help lists what else you may type):")
        for group in listed:
            self.say(f" {group.meaning}:")
            for line in columns([str(choice) for choice in group.choices], WIDTH):
                self.say(line)
        return [choice for group in listed for choice in group.choices]

    def _why(self, name: str) -> None:
        session = self.session
        known = {a.lower(): k for k, a in enumerate(session.game.actions)}
        if name.lower() not in known:
            self.say(f"why WHAT? {name!r} is no action of {session.game.title}; try: why pass")
            return
        problem = session.game.explain(session.states, 0, known[name.lower()])
        self.say(problem or f"{name!r} is legal now.")

    def _hint(self, choices: list[Choice]) -> None:
        """Say what the search thinks; it knows what the seat to move may know, and no more."""
        session = self.session
        if self.thinker is None:
            self.thinker = self.hint()
        thought = self.thinker.think(session.game, session.states, 0, session.word())
        best = thought.candidates[:MOST_HINTED]
        number = {c.action: c.number for c in choices}
        shown = [replace(c, name=f"{number[c.action]}) {c.name}") for c in best]
        self.say(str(replace(thought, candidates=shown)))
        if len(thought.candidates) > MOST_HINTED:
            self.say(f"({len(thought.candidates) - MOST_HINTED} others are left out)")

    def _undo(self) -> bool:
        """Take the last choice back; return whether that was possible."""
        seat = self.session.seat
        try:
            undone = self.session.take_back(seat, anyway=self.allow_undo)
        except ValueError as error:
            self.say(str(error))
            return False
        left = len(self.session.moves)
        self.told = {k: min(n, left) for k, n in self.told.items()}
        self.told[seat] = left
        self.say(f"{undone} move{'s' if undone > 1 else ''} taken back")
        return True

    def _save(self, path: Path | None = None) -> None:
        """Save the game and say where; a file that cannot be written does not end the game."""
        target = path or self.file
        try:
            self.session.save(target)
        except OSError as error:
            self.say(f"not saved: {error}")
            return
        self.say(f"saved; to go on: dwarrow play --resume {target}")

    def _end(self) -> None:
        session = self.session
        game, states = session.game, session.states
        for seat in session.people[:1]:
            self._news(seat)
        self.say("\n" + game.text(states, 0))
        why = game.breakdown(states, 0).get("end_reason", "")
        self.say(f"\nThe game is over{f': {why}' if why else ''}.")
        returns, scores = game.returns(states, 0), game.scores(states, 0)
        for seat in np.argsort(-returns, kind="stable"):
            won = " wins" if returns[seat] == returns.max() and returns[seat] > 0 else ""
            self.say(f"{session.name(int(seat))}: {scores[seat]:g} points{won}")


def _begins(name: str, typed: list[str]) -> bool:
    """Return whether each typed word begins the word of `name` in its place."""
    words = name.lower().split(" ")
    return len(typed) <= len(words) and all(
        word.startswith(part) for word, part in zip(words, typed, strict=False)
    )
