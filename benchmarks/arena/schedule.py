"""Who meets whom on which deal.

A pairing is one agent against a table full of another. With two seats each pair of agents makes one
pairing, with more it makes two: one A against n-1 B and one B against n-1 A. Every deal is played
once for each seat of the one. All pairings play the same deals.

In a mirror match an agent meets copies of itself. There each deal is played once only, the seat of
"the one" going round: rotated, all its games would be the same game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from dwarrow.training.match import Lineup

ROUND = 20
"""Deals of each pairing that are played before the next pairing's turn."""


class Pairing(NamedTuple):
    """One agent against copies of another."""

    one: str
    rest: str

    @property
    def mirror(self) -> bool:
        """Whether an agent meets itself."""
        return self.one == self.rest

    @property
    def across(self) -> Pairing:
        """The pairing told from the other side; between two seats the same games."""
        return Pairing(self.rest, self.one)


class Match(NamedTuple):
    """One game to play; with the first seed it names a `Lineup`."""

    one: str
    rest: str
    deal: int
    seat: int

    def lineup(self, players: int, first_seed: int) -> Lineup:
        """Return seed and seats."""
        seats = tuple(self.one if seat == self.seat else self.rest for seat in range(players))
        return Lineup(first_seed + self.deal, seats)


def pairings(agents: Sequence[str], players: int, *, mirror: bool) -> list[Pairing]:
    """Return all pairings in the order in which they are played."""
    found = []
    for a, b in combinations(agents, 2):
        found.append(Pairing(a, b))
        if players > 2:
            found.append(Pairing(b, a))
    return found + [Pairing(a, a) for a in agents if mirror]


def deals_of(pairing: Pairing, players: int, games: int) -> int:
    """Return the deals that make at least `games` games, every seat equally often."""
    rotations = -(-games // players)
    return rotations * players if pairing.mirror else rotations


def matches(pairing: Pairing, players: int, deals: range) -> Iterator[Match]:
    """Yield the games of a pairing on these deals."""
    for deal in deals:
        seats = [deal % players] if pairing.mirror else range(players)
        for seat in seats:
            yield Match(pairing.one, pairing.rest, deal, seat)


def rounds(pairing: Pairing, players: int, games: int) -> list[range]:
    """Return the deals of each round of a pairing; mirror rounds hold as many games as others."""
    total = deals_of(pairing, players, games)
    size = ROUND * players if pairing.mirror else ROUND
    return [range(k, min(k + size, total)) for k in range(0, total, size)]
