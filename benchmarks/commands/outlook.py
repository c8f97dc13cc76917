"""Learn what to expect of positions in a game, for searches to judge by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from dwarrow import envs
from dwarrow.agents import make
from dwarrow.agents.players import prospects_of
from dwarrow.agents.players.outlook import spelled
from dwarrow.benchmarks.coop.play import LEVEL, NO_LEVEL, levels_of
from dwarrow.benchmarks.results import write_aside
from dwarrow.training.outlook import fit, joined, sample, sample_of


@dataclass
class Config:
    """Play games with the rule player, on every level if there are any, and fit a small network."""

    game: Annotated[str, tyro.conf.Positional]
    """Which game."""
    games: int = 16_000
    """Games a level at the game's usual number of players."""
    others: int = 1_000
    """Games a level at any other number of players, and with each of the further options."""
    also: tuple[str, ...] = ()
    """Further options to play with, NAME=VALUE, one at a time."""
    by: tuple[str, ...] = ()
    """Agents: positions of games that each plays by itself are learned from too."""
    by_games: int = 200
    """Games that each of them plays at each number of players."""
    units: int = 32
    """Units of the network."""
    epochs: int = 4
    """Passes through the positions."""
    seed: int = 50_000_000
    """Seed of the first game."""
    out: Path | None = None
    """Where to write the weights; the file that searches read if not given."""


def run(arguments: Sequence[str]) -> None:
    """Run the verb."""
    config = tyro.cli(Config, args=list(arguments), prog="dwarrow outlook", description=__doc__)
    game = envs.game(config.game)
    found = prospects_of(game)
    for name in ("games", "others", "by_games", "units", "epochs"):
        if getattr(config, name) < 1:
            raise ValueError(f"{name}={getattr(config, name)}: at least 1")
    usual = int(game.options().to_dict()["players"])
    samples, seed = [], config.seed
    for players in game.player_counts:
        for level in levels_of(game):
            for extra in ({}, *(game.options.read([word]) for word in config.also)):
                games = config.games if players == usual and not extra else config.others
                own = {} if level == NO_LEVEL else {LEVEL: level}
                samples.append(sample(game, {"players": players, **own, **extra}, games, seed))
                seed += games
        for spec in config.by:
            agent = make(spec, game)
            samples.append(sample_of(game, {"players": players}, agent, config.by_games, seed))
            seed += config.by_games
        print(f"{players} players: {sum(len(s.won) for s in samples)} positions", flush=True)
    weights = fit(
        joined(samples),
        len(found.features),
        config.units,
        config.epochs,
        config.seed,
        lambda epoch, loss: print(f"epoch {epoch + 1}: loss {loss:.4f}", flush=True),
    )
    out = config.out or found.file
    write_aside(out, spelled(found.features, weights))
    print(f"kept in {out}")
