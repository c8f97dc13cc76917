"""Play the published tables of strength: every agent in every game, resumable, cheapest first."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import tyro

from dwarrow import envs
from dwarrow.agents.base import kind_of
from dwarrow.benchmarks.commands._progress import Progress
from dwarrow.benchmarks.reference import AGENTS, TABLES, Line, Reference, Sits, play, summary
from dwarrow.benchmarks.reference import write_summary as write
from dwarrow.benchmarks.stats import Until
from dwarrow.benchmarks.terminal import console, table


@dataclass
class Config:
    """Plays what is missing and writes a summary; stop it at will, the same command goes on."""

    only: tuple[str, ...] = ()
    """Games; all if none is given."""
    players: tuple[int, ...] = ()
    """Seats; all of the tables if none is given."""
    agents: tuple[str, ...] = AGENTS
    """Specs, from the cheapest to the dearest."""
    also: tuple[str, ...] = ()
    """More specs, such as ppo:RUN mcts:sims=200,net=RUN."""
    focus: str | None = None
    """Only the pairings of this agent, such as mcts:sims=1000."""
    sits: Sits = "both"
    """Where that agent sits: alone at a table of another, at the table of one alone, or both."""
    games: int = 200
    """Games of each pairing or level; 600 give intervals of at most 4 points either way."""
    until: str | None = None
    """Stop a pairing or level before as soon as it is known: width=0.08 or margin=0.04."""
    mirrors: bool = True
    """Also every agent against copies of itself."""
    folder: Path = field(default=Path("results/reference"))
    """Where the rows of all games are kept."""
    summary: Path = field(default=Path("results/reference.csv"))
    """Where the summary of everything in that folder goes."""
    workers: int = 1
    """Processes that play; of no influence on the results."""


def run(arguments: Sequence[str]) -> int:
    """Run the verb."""
    config = tyro.cli(Config, args=list(arguments), prog="dwarrow reference", description=__doc__)
    for name in config.only:
        envs.game(name)
    for spec in (*config.agents, *config.also, *filter(None, [config.focus])):
        kind_of(spec)
    tables = [
        (name, players)
        for name, players in TABLES
        if name in (config.only or (name,)) and players in (config.players or (players,))
    ]
    if not tables:
        raise ValueError(f"no such table: known are {[f'{g} {n}' for g, n in TABLES]}")
    reference = Reference(
        tables,
        tuple(dict.fromkeys((*config.agents, *config.also))),
        config.focus,
        config.sits,
        config.games,
        None if config.until is None else Until.parse(config.until),
        config.mirrors,
        config.folder,
        config.workers,
    )
    command = shlex.join(["dwarrow", "reference", *arguments])
    try:
        with Progress() as report:
            play(reference, command, report, lambda what: print(what, file=sys.stderr))
    finally:
        lines = summary(config.folder)
        write(config.summary, lines)
        _show(lines)
        print(f"summary in {config.summary}; the command that made it: {command}")
    return 0


def _show(lines: Sequence[Line]) -> None:
    rows = table("Games won, %", "game", "players", "level", "one", "rest", "games", "won", "ms")
    for line in lines:
        won = f"{100 * line.share:.1f} [{100 * line.low:.1f}, {100 * line.high:.1f}]"
        cells = line.game, str(line.players), line.level, line.one, line.rest, str(line.games)
        rows.add_row(*cells, won, f"{line.one_ms:.3g}")
    console().print(rows)
