"""Play agents against one another and print their strength with intervals and controls."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from dwarrow import envs
from dwarrow.benchmarks.arena.play import Arena, default_path
from dwarrow.benchmarks.arena.play import run as play
from dwarrow.benchmarks.arena.show import show
from dwarrow.benchmarks.arena.standings import standings
from dwarrow.benchmarks.commands._progress import Progress
from dwarrow.benchmarks.stats import N_BOOTSTRAPS, Until
from dwarrow.training.crew import ExecutorName


@dataclass
class Config:
    """Round robin: each agent alone against tables full of every other, on the same deals."""

    game: Annotated[str, tyro.conf.Positional]
    """Which game."""
    agents: tuple[str, ...]
    """Specs of the agents, such as random rule mcts:sims=1000 ppo:RUN."""
    players: int | None = None
    """Seats at the table; the game's default if not given."""
    games: int = 600
    """Games of each pairing, rounded up so that every seat comes equally often."""
    options: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME=VALUE")] = ()
    """Other options of the game."""
    until: str | None = None
    """Stop a pairing as soon as its win share is known: width=0.03 or margin=0.015."""
    out: Path | None = None
    """Results file (CSV), continued if it exists; results/arena_GAME_PLAYERS.csv if not given."""
    seed: int = 0
    """Seed of the first deal."""
    workers: int | None = None
    """Workers that play; of no influence on the results. Default: 1, or with threads, processes
    or ray one for every core."""
    executor: ExecutorName | None = None
    """Where they play. Default: serial, in this process; processes if there are several workers."""
    address: str | None = None
    """The Ray cluster: auto, or HOST:PORT of its head."""
    mirror: bool = True
    """Also play every agent against copies of itself, as a control."""
    seconds: float | None = None
    """Time for a decision; an agent that takes longer forfeits that game."""
    bootstraps: int = N_BOOTSTRAPS
    """Draws of deals behind an interval."""


def run(arguments: Sequence[str]) -> int:
    """Run the verb."""
    config = tyro.cli(Config, args=list(arguments), prog="dwarrow arena", description=__doc__)
    game = envs.game(config.game)
    if config.bootstraps < 1:
        raise ValueError(f"bootstraps={config.bootstraps}: at least 1")
    words = list(config.options)
    if config.players is not None:
        words.append(f"players={config.players}")
    options = game.options.parse(game.options.read(words)).to_dict()
    players = options.pop("players")
    arena = Arena(
        config.game,
        config.agents,
        players,
        config.games,
        options,
        config.seed,
        None if config.until is None else Until.parse(config.until),
        config.mirror,
        config.seconds,
        config.workers,
        config.executor,
        config.address,
    )
    path = config.out or default_path(config.game, players)
    command = shlex.join(["dwarrow", "arena", *arguments])
    with Progress() as report:
        outcome = play(arena, path, command, report)
    if outcome.torn:
        print(f"{path}: its torn last line was dropped and played again", file=sys.stderr)
    found = standings(outcome.rows, arena.agents, players, outcome.unranked, config.bootstraps)
    show(found, outcome.notes)
    print(f"{len(outcome.rows)} games in {path}; the command that made them: {command}")
    return 0
