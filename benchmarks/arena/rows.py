"""The rows of an arena: what its games have in common, and one game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from dwarrow.benchmarks.results import Format


@dataclass(frozen=True)
class Origin:
    """What the rows of one file have in common.

    Attributes:
        game: its name.
        rules: its rules version.
        pack: hash of the component pack.
        options: the game's options but for the number of players, as sorted JSON.
        players: seats at the table.
    """

    game: str
    rules: str
    pack: str
    options: str
    players: int


@dataclass(frozen=True)
class GameRow:
    """One finished game.

    Attributes:
        one: the agent that sits alone.
        rest: the agent in all other seats; the same as `one` in a mirror match.
        deal: number of the deal.
        seat: where `one` sat.
        seed: seed of the game.
        utilities: by seat.
        scores: the rulebook's points, by seat.
        decisions: decisions taken, by seat; forced moves are not counted.
        moves: moves of the whole game.
        forfeit: seats whose agent crashed or overran its time, with a short reason; else empty.
        ending: why the game ended, as its breakdown says.
    """

    one: str
    rest: str
    deal: int
    seat: int
    seed: int
    utilities: tuple[float, ...]
    scores: tuple[float, ...]
    decisions: tuple[int, ...]
    moves: int
    forfeit: str = ""
    ending: str = ""

    @property
    def seats(self) -> tuple[str, ...]:
        """The agent of each seat."""
        return tuple(self.one if k == self.seat else self.rest for k in range(len(self.utilities)))

    @property
    def win(self) -> float:
        """The part of the win that `one` has: ties for the best utility split it."""
        best = max(self.utilities)
        return (self.utilities[self.seat] == best) / self.utilities.count(best)

    @property
    def margin(self) -> float:
        """Points of `one` over the best of the rest."""
        return self.scores[self.seat] - max(
            score for k, score in enumerate(self.scores) if k != self.seat
        )

    @property
    def across(self) -> Self:
        """The same game between two seats, told from the other one."""
        return replace(self, one=self.rest, rest=self.one, seat=1 - self.seat)

    def check(self, origin: Origin) -> None:
        """Check what the types do not say.

        Raises:
            ValueError: naming the column.
        """
        for name in ("utilities", "scores", "decisions"):
            n = len(getattr(self, name))
            if n != origin.players:
                raise ValueError(f"column {name}: {n} seats, wanted {origin.players}")
        if not 0 <= self.seat < origin.players:
            raise ValueError(f"column seat: {self.seat} at a table of {origin.players}")


def told_once(rows: Sequence[GameRow]) -> list[GameRow]:
    """Tell all games of two agents at two seats from one side, and each of them once.

    There A alone against B is B alone against A: a file may have been continued with the agents
    named the other way round.
    """
    sides: dict[frozenset[str], str] = {}
    found: dict[tuple[str, str, int, int], GameRow] = {}
    for row in rows:
        told = row
        if len(row.utilities) == 2:
            one = sides.setdefault(frozenset((row.one, row.rest)), row.one)
            told = row if row.one == one else row.across
        found.setdefault((told.one, told.rest, told.deal, told.seat), told)
    return list(found.values())


FORMAT = Format(Origin, GameRow, key=("one", "rest", "deal", "seat"), tidy=told_once)
"""How games of an arena lie on disk."""
