"""Play one game between agents and keep it: dwarrow record GAME --agents ... --out FILE."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from dwarrow import envs
from dwarrow.agents import make
from dwarrow.envs.core.replay import Replay
from dwarrow.training.match import Lineup, play_matches


@dataclass(frozen=True)
class Config:
    """Play one game and write it as a replay, with what the agents thought of their moves."""

    game: Annotated[str, tyro.conf.Positional]
    """Which game."""
    agents: tuple[str, ...]
    """The agent of each seat in order, such as rule mcts:sims=1000 ppo:RUN; one alone takes all."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])]
    """The file to write, JSON lines."""
    players: int | None = None
    """Seats at the table; as many as agents, or the game's default for one agent."""
    options: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME=VALUE")] = ()
    """Other options of the game."""
    seed: int = 0
    """Seed of the game and of the agents' luck."""


def run(arguments: Sequence[str]) -> int:
    """Run the verb."""
    config = tyro.cli(Config, prog="dwarrow record", args=list(arguments), description=__doc__)
    game = envs.game(config.game)
    options = game.options.read(config.options)
    if config.players is not None:
        options["players"] = config.players
    elif len(config.agents) > 1:
        options["players"] = len(config.agents)
    chosen = game.options.parse(options).to_dict()
    seats = config.agents
    if len(seats) == 1:
        seats *= chosen["players"]
    if len(seats) != chosen["players"]:
        raise ValueError(f"{len(seats)} agents for {chosen['players']} seats")
    if config.seed < 0:
        raise ValueError(f"--seed {config.seed}: a seed is 0 or more")
    agents = {spec: make(spec, game) for spec in dict.fromkeys(seats)}

    def keep(_: int, replay: Replay) -> None:
        replay.save(config.out)

    lineups = [Lineup(config.seed, seats)]
    others = {name: value for name, value in chosen.items() if name != "players"}
    [row] = play_matches(game, others, lineups, agents, on_replay=keep)
    points = ", ".join(f"{spec} {score:g}" for spec, score in zip(seats, row.scores, strict=True))
    print(f"{config.out}: {row.moves} moves of {game.title}, seed {config.seed}; points: {points}")
    print(f"next: dwarrow replay {config.out} -o {config.out.with_suffix('.html')}")
    return 0
