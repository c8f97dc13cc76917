"""Measure win rates of a cooperative game by level of difficulty, heroes and team."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from dwarrow import envs
from dwarrow.benchmarks.commands._progress import Progress
from dwarrow.benchmarks.coop.play import Coop
from dwarrow.benchmarks.coop.play import run as play
from dwarrow.benchmarks.coop.tables import coop_table, show
from dwarrow.benchmarks.stats import Until
from dwarrow.training.crew import ExecutorName


@dataclass
class Config:
    """Win rates by level, heroes and team, with the reasons of lost games."""

    game: Annotated[str, tyro.conf.Positional]
    """Which game."""
    agents: tuple[str, ...]
    """Specs of the agents; each plays all heroes."""
    players: tuple[int, ...] = ()
    """Numbers of heroes, who are then drawn; the game's default if neither is given."""
    heroes: tuple[str, ...] = ()
    """Sets of heroes by name, such as tungdil+boindil."""
    levels: tuple[str, ...] = ()
    """Levels of difficulty; all if none is given."""
    games: int = 400
    """Games of each cell."""
    options: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME=VALUE")] = ()
    """Other options of the game."""
    seeds: str = "dev"
    """Seed list: dev to try things out on, test for what is published."""
    until: str | None = None
    """Stop a cell as soon as its win rate is known: width=0.06 or margin=0.03."""
    cross: bool = False
    """Also play mixed teams of every two agents."""
    out: Path | None = None
    """Results file (CSV), continued if it exists; results/coop_GAME.csv if not given."""
    workers: int | None = None
    """Workers that play; of no influence on the results. Default: 1, or with threads, processes
    or ray one for every core."""
    executor: ExecutorName | None = None
    """Where they play. Default: serial, in this process; processes if there are several workers."""
    address: str | None = None
    """The Ray cluster: auto, or HOST:PORT of its head."""
    seconds: float | None = None
    """Time for a decision; an agent that takes longer loses the game."""


def run(arguments: Sequence[str]) -> int:
    """Run the verb."""
    config = tyro.cli(Config, args=list(arguments), prog="dwarrow coop", description=__doc__)
    game = envs.game(config.game)
    coop = Coop(
        config.game,
        config.agents,
        config.players,
        config.heroes,
        config.levels,
        config.games,
        game.options.read(config.options),
        config.seeds,
        None if config.until is None else Until.parse(config.until),
        config.cross,
        config.seconds,
        config.workers,
        config.executor,
        config.address,
    )
    path = config.out or Path("results") / f"coop_{config.game}.csv"
    command = shlex.join(["dwarrow", "coop", *arguments])
    with Progress() as report:
        outcome = play(coop, path, command, report)
    if outcome.torn:
        print(f"{path}: its torn last line was dropped and played again", file=sys.stderr)
    show(coop_table(outcome.rows, outcome.notes["levels"]), outcome.notes)
    print(f"{len(outcome.rows)} games in {path}; the command that made them: {command}")
    return 0
