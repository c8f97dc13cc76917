"""Sweep of a search's exploration constant and rollouts; what wins becomes its default.

Competitive games: each candidate alone against a table full of one opponent, every deal with every
seat. Co-op: a table full of the candidate; its win rate, and where hardly anyone wins the points.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dwarrow.agents import Agent, make
from dwarrow.benchmarks.results import write_aside
from dwarrow.benchmarks.stats import wilson
from dwarrow.envs import Game
from dwarrow.training.match import Lineup, Row, ThinkingTime, play_matches


@dataclass(frozen=True)
class Candidate:
    """One setting of the search."""

    c: float
    rollout: str
    epsilon: float
    cutoff: int = 0
    advice: float = 0.0
    selection: str = "ucb"

    def spec(self, sims: int, threads: int) -> str:
        """Return the agent's spec."""
        return (
            f"mcts:sims={sims},c={self.c},rollout={self.rollout},epsilon={self.epsilon},"
            f"cutoff={self.cutoff},advice={self.advice},selection={self.selection},threads={threads}"
        )


TEXTBOOK = Candidate(round(math.sqrt(2), 3), "random", 0.1)


@dataclass(frozen=True)
class Outcome:
    """How a candidate did.

    Attributes:
        c: exploration constant.
        rollout: who plays on.
        epsilon: share of random actions in the rollouts of a scripted player.
        cutoff: rollouts stop after so many decisions; 0: never.
        advice: trust in the scripted player's choice.
        selection: how decisions are made.
        games: games played.
        share: share of wins, ties split; fair is one over the players, co-op: games won.
        low: lower end of its 95 % interval.
        high: upper end.
        utility: mean utility.
        points: mean points of the candidate's seats.
        milliseconds: time a decision.
    """

    c: float
    rollout: str
    epsilon: float
    cutoff: int
    advice: float
    selection: str
    games: int
    share: float
    low: float
    high: float
    utility: float
    points: float
    milliseconds: float


def candidates(
    cs: Sequence[float],
    rollouts: Sequence[str],
    advice: Sequence[float] = (0.0,),
    selections: Sequence[str] = ("ucb",),
) -> list[Candidate]:
    """Return every combination; a rollout is ``random``, ``greedy:0.1`` or ``rule:0.2``.

    With ``@60`` it is cut off after 60 decisions.

    Raises:
        ValueError: an ill-formed rollout.
    """
    found = []
    for text in rollouts:
        policy, _, cutoff = text.partition("@")
        rollout, _, epsilon = policy.partition(":")
        try:
            share = float(epsilon) if epsilon else TEXTBOOK.epsilon
            length = int(cutoff) if cutoff else 0
        except ValueError:
            raise ValueError(f"rollout {text!r}: write random, greedy:0.1 or rule:0.2@60") from None
        found += [
            Candidate(c, rollout, share, length, trust, selection)
            for selection in selections
            for trust in advice
            for c in cs
        ]
    return found


def sweep(
    game: Game,
    options: Mapping[str, Any],
    players: int,
    tried: Sequence[Candidate],
    sims: int,
    games: int,
    seed: int = 0,
    threads: int = 1,
    against: str | None = None,
    say: Callable[[Outcome], None] = lambda outcome: None,
) -> list[Outcome]:
    """Play every candidate and return the outcomes, best first.

    Args:
        game: the game.
        options: its options, without the players.
        players: seats at the table.
        tried: the candidates.
        sims: simulations a decision.
        games: games a candidate, rounded up to whole deals.
        seed: of the first deal.
        threads: searches side by side.
        against: spec of the opponent; the textbook's search of as many simulations if not given.
        say: told of every outcome.

    Raises:
        ValueError: a candidate or the opponent does not fit the game; in co-op there is none.
    """
    if against is not None and game.cooperative:
        raise ValueError(f"against={against}: in {game.title} there is no opponent")
    opponents: dict[str, Agent] = {}
    if not game.cooperative:
        spec = TEXTBOOK.spec(sims, threads) if against is None else against
        opponents["opponent"] = make(spec, game)
    for candidate in tried:  # what does not fit shows before anything is played
        make(candidate.spec(sims, threads), game)
    outcomes = []
    for candidate in tried:
        agents = {"candidate": make(candidate.spec(sims, threads), game), **opponents}
        thinking = ThinkingTime()
        rows = play_matches(
            game,
            options,
            list(_lineups(game, players, games, seed)),
            agents,
            thinking=thinking,
        )
        outcome = _outcome(candidate, rows, thinking)
        say(outcome)
        outcomes.append(outcome)
    return sorted(outcomes, key=lambda o: (-o.share, -o.utility, -o.points))


def _lineups(game: Game, players: int, games: int, seed: int) -> Iterator[Lineup]:
    if game.cooperative:
        for k in range(games):
            yield Lineup(seed + k, ("candidate",) * players)
        return
    for k in range(math.ceil(games / players)):
        for seat in range(players):
            seats = ["opponent"] * players
            seats[seat] = "candidate"
            yield Lineup(seed + k, tuple(seats))


def _outcome(candidate: Candidate, rows: Sequence[Row], thinking: ThinkingTime) -> Outcome:
    wins = utility = points = 0.0
    for row in rows:
        seat = row.seats.index("candidate")
        own, best = row.utilities[seat], max(row.utilities)
        if "opponent" in row.seats:
            wins += (own == best) / row.utilities.count(best)
        else:
            wins += own > 0
        utility += own
        points += row.scores[seat]
    n = len(rows)
    interval = wilson(wins, n)
    spent = thinking.seconds["candidate"] / max(thinking.decisions["candidate"], 1)
    return Outcome(
        **asdict(candidate),
        games=n,
        share=round(wins / n, 4),
        low=round(interval.low, 4),
        high=round(interval.high, 4),
        utility=round(utility / n, 4),
        points=round(points / n, 2),
        milliseconds=round(1000 * spent, 2),
    )


def keep(path: Path, game: str, players: int, command: str, outcomes: Sequence[Outcome]) -> None:
    """Write the best outcome into a file of tuned settings, with what it was chosen from."""
    rows = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    rows = [row for row in rows if (row["game"], row["players"]) != (game, players)]
    best = outcomes[0]
    rows.append(
        {
            "game": game,
            "players": players,
            "c": best.c,
            "rollout": best.rollout,
            "epsilon": best.epsilon,
            "cutoff": best.cutoff,
            "advice": best.advice,
            "selection": best.selection,
            "command": command,
            "date": time.strftime("%Y-%m-%d"),
            "outcomes": [asdict(outcome) for outcome in outcomes],
        }
    )
    rows.sort(key=lambda row: (row["game"], row["players"]))
    write_aside(path, json.dumps(rows, indent=1) + "\n")
