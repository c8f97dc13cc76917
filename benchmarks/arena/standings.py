"""What the games of an arena say: shares with intervals, seats, mirrors, ratings."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dwarrow.benchmarks.arena.rows import GameRow
from dwarrow.benchmarks.arena.schedule import Pairing
from dwarrow.benchmarks.ratings import Finish, Rating, plackett_luce
from dwarrow.benchmarks.stats import (
    CONFIDENCE,
    N_BOOTSTRAPS,
    Estimate,
    bootstrap_mean,
    share,
)

REFERENCE = "random"


@dataclass(frozen=True)
class Cell:
    """How the one of a pairing did.

    Attributes:
        share: of the wins, ties split, with Wilson's interval; `n` counts games.
        utility: mean rank utility from -1 to 1, bootstrap over deals.
        margin: mean points over the best of the rest, bootstrap over deals.
        seats: win share in each seat.
        forfeits: games that the one forfeited.
    """

    share: Estimate
    utility: Estimate
    margin: Estimate
    seats: tuple[Estimate, ...]
    forfeits: int


@dataclass(frozen=True)
class Mirror:
    """An agent against copies of itself.

    Attributes:
        one: win share of the copy that is called the one.
        seats: win share of each seat.
        fair: whether the one has the fair share; all mirrors of an arena judged together at 95 %.
        outliers: seats that do not have the fair share; all seats of all mirrors judged together.
    """

    one: Estimate
    seats: tuple[Estimate, ...]
    fair: bool
    outliers: tuple[int, ...]


@dataclass(frozen=True)
class Standings:
    """All tables of an arena.

    Attributes:
        agents: ranked ones by falling rating, then the unranked.
        unranked: agents that see more than their seat may.
        players: seats at the table.
        cells: one per pairing played, also seen from the other side with two seats.
        overall: every agent as the one, all its opponents together, and its seats.
        mirrors: by agent.
        ratings: by ranked agent, None if they were not all joined by games.
        reference: the agent with rating 0.
        forfeits: reasons of forfeits with how often, by agent.
    """

    agents: tuple[str, ...]
    unranked: tuple[str, ...]
    players: int
    cells: dict[Pairing, Cell]
    overall: dict[str, Cell]
    mirrors: dict[str, Mirror]
    ratings: dict[str, Rating]
    reference: str
    forfeits: dict[str, dict[str, int]]

    @property
    def fair(self) -> float:
        """The share that an agent like all others wins."""
        return 1 / self.players


@dataclass(frozen=True)
class _Side:
    """A game seen from one agent's seat."""

    deal: int
    seat: int
    win: float
    utility: float
    margin: float
    forfeit: bool


def _side(row: GameRow, seat: int) -> _Side:
    best = max(row.utilities)
    win = (row.utilities[seat] == best) / row.utilities.count(best)
    margin = row.scores[seat] - max(s for k, s in enumerate(row.scores) if k != seat)
    forfeit = row.forfeit.startswith(f"seat {seat}:")
    return _Side(row.deal, seat, win, row.utilities[seat], margin, forfeit)


def _cell(sides: Sequence[_Side], players: int, n_bootstraps: int) -> Cell:
    deals = [side.deal for side in sides]

    def mean(of: Callable[[_Side], float]) -> Estimate:
        return bootstrap_mean([of(side) for side in sides], deals, n_bootstraps=n_bootstraps)

    return Cell(
        share(sum(side.win for side in sides), len(sides)),
        mean(lambda side: side.utility),
        mean(lambda side: side.margin),
        _by_seat([(side.seat, side.win) for side in sides], players),
        sum(side.forfeit for side in sides),
    )


def _by_seat(wins: Sequence[tuple[int, float]], players: int) -> tuple[Estimate, ...]:
    found = []
    for seat in range(players):
        mine = [win for k, win in wins if k == seat]
        found.append(share(sum(mine), len(mine)))
    return tuple(found)


def _mirror(rows: Sequence[GameRow], players: int, n_mirrors: int) -> Mirror:
    wins = [(seat, _side(row, seat).win) for row in rows for seat in range(players)]

    def fair(won: Sequence[float], n_judged: int) -> bool:
        # each at a level that lets only 5 % of wholly fair arenas through as unfair
        each = 1 - (1 - CONFIDENCE) / n_judged
        return share(sum(won), len(won), each).interval.covers(1 / players)

    one = [row.win for row in rows]
    by_seat = [[win for k, win in wins if k == seat] for seat in range(players)]
    return Mirror(
        share(sum(one), len(one)),
        _by_seat(wins, players),
        fair(one, n_mirrors),
        tuple(k for k, won in enumerate(by_seat) if not fair(won, n_mirrors * players)),
    )


def _ratings(
    rows: Sequence[GameRow], agents: Sequence[str], reference: str, n_bootstraps: int
) -> dict[str, Rating]:
    numbers = {spec: k for k, spec in enumerate(agents)}
    games = [
        Finish(row.deal, tuple(numbers[spec] for spec in row.seats), row.utilities)
        for row in rows
        if row.one in numbers and row.rest in numbers
    ]
    if len(agents) < 2:
        return {}
    found = plackett_luce(games, len(agents), numbers[reference], n_bootstraps=n_bootstraps)
    return dict(zip(agents, found, strict=True))


def standings(
    rows: Sequence[GameRow],
    agents: Sequence[str],
    players: int,
    unranked: Sequence[str] = (),
    n_bootstraps: int = N_BOOTSTRAPS,
) -> Standings:
    """Compute every table of an arena from its games."""
    sides: dict[Pairing, list[_Side]] = {}
    for row in rows:
        sides.setdefault(Pairing(row.one, row.rest), []).append(_side(row, row.seat))
        if players == 2 and row.one != row.rest:
            sides.setdefault(Pairing(row.rest, row.one), []).append(_side(row, 1 - row.seat))
    met = {pairing: found for pairing, found in sides.items() if not pairing.mirror}
    overall = {
        spec: [side for pairing, found in met.items() if pairing.one == spec for side in found]
        for spec in agents
    }
    mirrored = [spec for spec in agents if Pairing(spec, spec) in sides]
    mirrors = {
        spec: _mirror([r for r in rows if r.one == r.rest == spec], players, len(mirrored))
        for spec in mirrored
    }
    ranked = [spec for spec in agents if spec not in unranked]
    reference = REFERENCE if REFERENCE in ranked else (ranked or list(agents))[0]
    ratings = _ratings(rows, ranked, reference, n_bootstraps)
    order = sorted(ranked, key=lambda spec: -ratings[spec].points if ratings else 0.0)
    return Standings(
        (*order, *(spec for spec in agents if spec in unranked)),
        tuple(unranked),
        players,
        {pairing: _cell(found, players, n_bootstraps) for pairing, found in met.items()},
        {s: _cell(found, players, n_bootstraps) for s, found in overall.items() if found},
        mirrors,
        ratings,
        reference,
        _forfeits(rows),
    )


def _forfeits(rows: Sequence[GameRow]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for row in rows:
        if row.forfeit:
            seat, _, reason = row.forfeit.partition(": ")
            agent = row.seats[int(seat.removeprefix("seat "))]
            reasons = found.setdefault(agent, {})
            reasons[reason] = reasons.get(reason, 0) + 1
    return found


def percent(estimate: Estimate) -> str:
    """Return a share as ``62.1 [58.2, 65.9]`` in percent."""
    if math.isnan(estimate.value):
        return "-"
    low, high = estimate.interval
    return f"{100 * estimate.value:.1f} [{100 * low:.1f}, {100 * high:.1f}]"


def number(estimate: Estimate, digits: int = 2) -> str:
    """Return a value as ``0.31 [0.22, 0.40]``."""
    low, high = estimate.interval
    return f"{estimate.value:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"
