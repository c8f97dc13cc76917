"""Two agents compared in one call, for notebooks: ``dwarrow.duel("rule", "greedy", ...)``."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dwarrow import envs
from dwarrow.agents.base import Agent
from dwarrow.agents.own import Choose, as_agent
from dwarrow.benchmarks.bar import bar
from dwarrow.benchmarks.stats import bootstrap_mean, wilson
from dwarrow.envs.core.game import Game
from dwarrow.training.evaluation import win_share
from dwarrow.training.match import Lineup, Row, play_matches

if TYPE_CHECKING:
    import pandas as pd

A, B = "a", "b"  # what lineups call the two, who may have one name

_ROUND_SECONDS = 0.5
"""Rounds grow until they take so long: Ctrl-C loses at most about twice that, or one deal."""

_LARGEST_ROUND = 64  # deals


class Match(NamedTuple):
    """One game of a duel.

    Attributes:
        deal: number of the deal.
        hero: whose result it counts as, `A` or `B`.
        seat: where the hero sits, alone among the others; NONE if the hero has every seat.
        lineup: seed and seats.
    """

    deal: int
    hero: str
    seat: int
    lineup: Lineup


def duel(
    a: str | Agent | Choose,
    b: str | Agent | Choose,
    *,
    game: str,
    games: int = 200,
    players: int | None = None,
    seed: int = 0,
    per_game: bool = False,
    progress: bool = True,
    **options: Any,
) -> pd.DataFrame:
    """Let two agents meet and return what came of it, a row for each agent.

    Every deal is played with seats rotated. At a table of more than two, each agent in turn sits
    alone among copies of the other. In a cooperative game they do not meet: each has every seat of
    the same deals, and a win is a win over the board. A tie splits the win.

    Ctrl-C (in a notebook: the stop button) ends the duel early; the table then holds the deals that
    were played whole, says so, and has ``attrs["interrupted"]`` set.

    Args:
        a: a spec such as ``"mcts:sims=200"``, an object with ``act`` (see `dwarrow.agents.Agent`),
            or a function ``(observation, mask) -> action``, with ``rng`` as a third parameter if
            it draws lots.
        b: the other.
        game: name of the game.
        games: games to play for each row, rounded up to whole deals.
        players: seats at the table; the game's default if not given.
        seed: of the first deal; the same seed gives the same table.
        per_game: return a row for each game instead.
        progress: show how far it is.
        options: other options of the game, such as ``difficulty="brave"``.

    Returns:
        A frame with the index ``agent`` and the columns ``games``, ``wins``, ``share`` with its
        Wilson interval ``low`` to ``high``, ``fair`` (the share of equals; NaN if cooperative),
        ``points``, ``margin`` over the best other with its bootstrap interval (not if cooperative),
        ``decisions`` per game, and ``seat 0``, ... for the share by seat. ``attrs`` say game,
        options, component pack and whether it was interrupted.

    Raises:
        ValueError: an unknown agent or option, no games, or an illegal action of an agent.
        KeyError: an unknown game.
        TypeError: an agent that is none.
        ImportError: pandas is not installed.
    """
    pandas = _pandas()
    rules = envs.game(game)
    chosen = dict(options) if players is None else {**options, "players": players}
    chosen = rules.options.parse(chosen).to_dict()
    n_seats = chosen.pop("players")
    if games < 1 or seed < 0:
        raise ValueError(f"games={games}, seed={seed}: at least 1 game, a seed of 0 or more")
    if n_seats < 2 and not rules.cooperative:
        raise ValueError(f"a duel needs two seats: {rules.title} has {n_seats} here")
    sides = {A: as_agent(a, rules), B: as_agent(b, rules)}
    names = _names(sides)
    deals = _deals(rules, n_seats, games, seed)
    played, interrupted = _play(rules, chosen, deals, sides, progress)
    if per_game:
        frame = pandas.DataFrame([_game_row(rules, names, *pair) for pair in played])
    else:
        rows = [_summary(rules, n_seats, [p for p in played if p[0].hero == s]) for s in (A, B)]
        frame = pandas.DataFrame(rows, index=pandas.Index([names[A], names[B]], name="agent"))
    frame.attrs.update(
        game=rules.name,
        rules_version=rules.version,
        components=rules.pack.name,
        options={**chosen, "players": n_seats},
        seed=seed,
        interrupted=interrupted,
    )
    return frame


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise ImportError(
            "dwarrow.duel returns a pandas frame: pip install 'dwarrow[notebooks]'"
        ) from None
    return pandas


def _names(sides: Mapping[str, Agent]) -> dict[str, str]:
    """Return how to call the two; namesakes are told apart."""
    a, b = sides[A].spec, sides[B].spec
    return {A: a, B: b} if a != b else {A: f"{a} (a)", B: f"{b} (b)"}


def _deals(game: Game, n_seats: int, games: int, seed: int) -> list[list[Match]]:
    """Return the games deal by deal, so that all rows rest on the same deals."""
    if game.cooperative:
        return [
            [Match(k, hero, -1, Lineup(seed + k, (hero,) * n_seats)) for hero in (A, B)]
            for k in range(games)
        ]
    found = []
    for k in range(-(-games // n_seats)):
        deal = []
        for hero, other in ((A, B), (B, A)):
            for seat in range(n_seats):
                seats = [other] * n_seats
                seats[seat] = hero
                deal.append(Match(k, hero, seat, Lineup(seed + k, tuple(seats))))
        found.append(deal)
    return found


Played = tuple[Match, Row]


def _play(
    game: Game,
    options: Mapping[str, Any],
    deals: Sequence[Sequence[Match]],
    sides: Mapping[str, Agent],
    progress: bool,
) -> tuple[list[Played], bool]:
    """Play the deals in rounds of whole ones; return the games and whether Ctrl-C ended it."""
    played: list[Played] = []
    total, games, done, at_once = sum(map(_n_lineups, deals)), 0, 0, 1
    try:
        with bar(total, "games", shown=progress) as tell:
            while done < len(deals):
                begun = time.monotonic()
                these = deals[done : done + at_once]
                matches = [match for deal in these for match in deal]
                rows = _distinct(game, options, matches, sides)
                played += zip(matches, rows, strict=True)
                games += sum(map(_n_lineups, these))
                done += len(these)
                tell(games)
                if time.monotonic() - begun < _ROUND_SECONDS:
                    at_once = min(2 * at_once, _LARGEST_ROUND)
    except KeyboardInterrupt:
        print(
            f"dwarrow.duel: interrupted; {games} of {total} games are in the table",
            file=sys.stderr,
        )
        return played, True
    return played, False


def _n_lineups(deal: Sequence[Match]) -> int:
    return len({match.lineup for match in deal})


def _distinct(
    game: Game, options: Mapping[str, Any], matches: Sequence[Match], sides: Mapping[str, Agent]
) -> list[Row]:
    """Play each lineup once: with two seats, a game of `A` is one of `B` seen from across."""
    lineups = list(dict.fromkeys(match.lineup for match in matches))
    rows = dict(zip(lineups, play_matches(game, options, lineups, sides), strict=True))
    return [rows[match.lineup] for match in matches]


def _margin(row: Row, seat: int) -> float:
    return row.scores[seat] - max(s for k, s in enumerate(row.scores) if k != seat)


def _summary(game: Game, n_seats: int, played: Sequence[Played]) -> dict[str, float]:
    """Return one agent's row."""
    seats = [max(match.seat, 0) for match, _ in played]
    rows = [row for _, row in played]
    wins = [win_share(row, seat) for row, seat in zip(rows, seats, strict=True)]
    n = len(rows)
    interval = wilson(sum(wins), n)
    found = {
        "games": n,
        "wins": sum(wins),
        "share": sum(wins) / n if n else np.nan,
        "low": interval.low,
        "high": interval.high,
        "fair": np.nan if game.cooperative else 1 / n_seats,
        "points": _mean([row.scores[seat] for row, seat in zip(rows, seats, strict=True)]),
    }
    if not game.cooperative:
        margins = [_margin(row, seat) for row, seat in zip(rows, seats, strict=True)]
        margin = bootstrap_mean(margins, [match.deal for match, _ in played])
        found["margin"] = margin.value
        found["margin low"], found["margin high"] = margin.interval
    taken = [row.decisions for row in rows]
    if game.cooperative:
        found["decisions"] = _mean([sum(each) for each in taken])
        return found
    found["decisions"] = _mean([each[seat] for each, seat in zip(taken, seats, strict=True)])
    for k in range(n_seats):
        found[f"seat {k}"] = _mean(
            [win for win, seat in zip(wins, seats, strict=True) if seat == k]
        )
    return found


def _game_row(game: Game, names: Mapping[str, str], match: Match, row: Row) -> dict[str, Any]:
    seat = max(match.seat, 0)
    found: dict[str, Any] = {
        "deal": match.deal,
        "seed": row.seed,
        "agent": names[match.hero],
        "seat": match.seat,
        "win": win_share(row, seat),
        "utility": row.utilities[seat],
        "points": row.scores[seat],
        "moves": row.moves,
    }
    if not game.cooperative:
        found["margin"] = _margin(row, seat)
    return found


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else np.nan
