"""Find a search's exploration constant and rollouts for a game and player count."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from dwarrow import envs
from dwarrow.agents.search.tuned import TUNED_FILE
from dwarrow.benchmarks.tuning import Outcome, candidates, keep, sweep


@dataclass
class Config:
    """Play every combination of constant and rollout; keep the best as the default of `mcts`."""

    game: Annotated[str, tyro.conf.Positional]
    """Which game."""
    players: int | None = None
    """Seats at the table; the game's default if not given."""
    c: tuple[float, ...] = (0.35, 0.7, 1.0, 1.414, 2.0)
    """Exploration constants."""
    rollouts: tuple[str, ...] = ("random",)
    """Rollout policies: random, greedy:EPSILON, rule:EPSILON@CUTOFF."""
    advice: tuple[float, ...] = (0.0,)
    """Shares of trust in what the scripted player of the rollouts would do further on."""
    selections: tuple[str, ...] = ("ucb",)
    """Ways to decide: ucb, regret, race."""
    sims: int = 1000
    """Simulations a decision."""
    games: int = 120
    """Games a candidate."""
    options: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME=VALUE")] = ()
    """Other options of the game."""
    against: str | None = None
    """Opponent, as an agent's spec; the textbook's search of as many simulations if not given."""
    seed: int = 0
    """Seed of the first deal."""
    threads: int = 1
    """Searches that run side by side; of no influence on the results."""
    out: Path = TUNED_FILE
    """Where to keep the result: searches read the default file."""


def run(arguments: Sequence[str]) -> None:
    """Run the verb."""
    config = tyro.cli(Config, args=list(arguments), prog="dwarrow tune", description=__doc__)
    game = envs.game(config.game)
    words = list(config.options)
    if config.players is not None:
        words.append(f"players={config.players}")
    options = game.options.parse(game.options.read(words)).to_dict()
    players = options.pop("players")
    if config.games < 1:
        raise ValueError(f"games={config.games}: at least 1")
    tried = candidates(config.c, config.rollouts, config.advice, config.selections)
    opponent = "the textbook's" if config.against is None else config.against
    versus = "" if game.cooperative else f", against {opponent}"
    print(f"{game.title}, {players} players, {config.sims} simulations{versus}")
    print("     c  rollout       share  95 % interval  utility   points  ms/decision", flush=True)
    outcomes = sweep(
        game,
        options,
        players,
        tried,
        config.sims,
        config.games,
        config.seed,
        config.threads,
        config.against,
        lambda outcome: print(line(outcome), flush=True),
    )
    command = shlex.join(["dwarrow", "tune", *arguments])
    keep(config.out, game.name, players, command, outcomes)
    print(f"kept in {config.out}: {outcomes[0].rollout}, c={outcomes[0].c}")


def line(outcome: Outcome) -> str:
    """Return an outcome as a row of the table."""
    rollout = outcome.rollout
    if rollout != "random":
        rollout += f":{outcome.epsilon:g}"
    if outcome.cutoff:
        rollout += f"@{outcome.cutoff}"
    if outcome.advice:
        rollout += f"+{outcome.advice:g}"
    if outcome.selection != "ucb":
        rollout += f" {outcome.selection}"
    return (
        f"{outcome.c:>6g}  {rollout:<11}  {outcome.share:>6.1%}  "
        f"{outcome.low:>6.1%}-{outcome.high:<6.1%}  {outcome.utility:>+7.3f}  "
        f"{outcome.points:>7.1f}  {outcome.milliseconds:>11.1f}"
    )
