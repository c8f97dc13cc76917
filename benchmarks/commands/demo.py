"""Watch a bidding agent learn the tavern auctions, then see it play: dwarrow demo.

It trains for DEMO_MINUTES (5), saves the run, plays it against the scripted lords on the same deals
with seats rotated, and shows one game.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import tyro

from dwarrow import envs
from dwarrow.agents import Agent, make, words
from dwarrow.benchmarks.stats import wilson
from dwarrow.benchmarks.terminal import console, table
from dwarrow.envs.core.game import Game
from dwarrow.training.algorithms import train
from dwarrow.training.commands.train import new_run
from dwarrow.training.config import PPOConfig
from dwarrow.training.evaluation import rotated, win_share
from dwarrow.training.match import play_matches

OPPONENTS = ("random", "greedy", "rule")
_DEALS = 77_000_000  # none of the deals that training is measured on


def _minutes() -> float:
    text = os.environ.get("DEMO_MINUTES", "5")
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"DEMO_MINUTES={text}: expected a number of minutes") from None


@dataclass(frozen=True)
class Config:
    """Train an agent by self-play, measure it and show a game."""

    game: str = "aquilon"
    """The game."""
    players: int = 3
    """Players at the table."""
    minutes: float | None = None
    """Minutes of training; DEMO_MINUTES, or 5, if not given."""
    games: int = 600
    """Games against each opponent afterwards."""
    seed: int = 0
    """Seed of the training."""


def run(arguments: Sequence[str]) -> int:
    """Run the verb."""
    config = tyro.cli(Config, prog="dwarrow demo", args=arguments)
    game = envs.game(config.game)
    minutes = _minutes() if config.minutes is None else config.minutes
    learn = PPOConfig(config.game, players=(config.players,), minutes=minutes, seed=config.seed)
    folder = new_run(learn)
    say = console().print
    say(
        f"A network that knows only which moves are legal now plays {game.title} against itself "
        f"and its past selves for {minutes:g} minutes. 'wins' is its share of games won, alone at "
        f"a table of {config.players}; an equal player would win {1 / config.players:.0%}."
    )
    train(learn, folder)

    agents = {"ppo": make(f"ppo:{folder}", game)}
    agents |= {name: make(name, game) for name in OPPONENTS}
    say(strength(game, agents, config.players, config.games))
    say()
    seats = ("ppo",) + ("rule",) * (config.players - 1)
    say(one_game(game, agents, seats, seed=_DEALS - 1), soft_wrap=True)
    say(f"\n{_next_steps(config, str(folder))}", soft_wrap=True)
    return 0


def strength(game: Game, agents: dict[str, Agent], players: int, games: int) -> object:
    """Return a table of how ``ppo`` does, alone against tables full of each other agent."""
    title = f"ppo alone against {players - 1} of the other, fair share {1 / players:.0%}"
    seats = [f"seat {k + 1}" for k in range(players)]
    found = table(title, "against", "games", "wins", "95 %", "points", "their points", *seats)
    for other in agents:
        if other == "ppo":
            continue
        rows = play_matches(game, {}, rotated("ppo", other, players, games, _DEALS), agents)
        at = [row.seats.index("ppo") for row in rows]
        shares = np.array([win_share(row, k) for row, k in zip(rows, at, strict=True)])
        scores = np.array([row.scores for row in rows])
        mine = scores[np.arange(len(rows)), at]
        theirs = (scores.sum(1) - mine) / (players - 1)
        interval = wilson(float(shares.sum()), len(rows))
        found.add_row(
            other,
            f"{len(rows)}",
            f"{shares.mean():.1%}",
            f"{interval.low:.1%} to {interval.high:.1%}",
            f"{mine.mean():.0f}",
            f"{theirs.mean():.0f}",
            *(f"{shares[np.array(at) == k].mean():.0%}" for k in range(players)),
        )
    return found


def one_game(game: Game, agents: dict[str, Agent], seats: Sequence[str], seed: int) -> str:
    """Play a game and return it as text: every move in the rulebook's words, then the end."""
    states = game.new(seed=seed, players=len(seats))
    luck = np.random.default_rng(seed)
    names = [f"{name}/{seat + 1}" for seat, name in enumerate(seats)]
    lines: list[str] = []
    together = False
    while not game.is_over(states, 0):
        seat = int(states["seat"][0])
        choice = agents[seats[seat]].act(game, states, np.zeros(1, np.int64), words(luck, 1))
        move = f"{names[seat]} {game.action_name(int(choice.action[0]))}"
        was, together = together, int(states["phase"][0]) in game.simultaneous_phases
        if together == was and lines:
            lines[-1] += f"; {move}"
        else:  # sealed moves of all seats on one line, what follows from them on the next
            lines.append(f"* {move}" if together else f"  {move}")
        game.step(states, 0, int(choice.action[0]))
    scores = game.scores(states, 0)
    points = ", ".join(f"{name} {score:.0f}" for name, score in zip(names, scores, strict=True))
    moves = [textwrap.fill(line, 118, subsequent_indent="    ") for line in lines]
    return "\n".join(
        [f"A game of it (seed {seed}):", *moves, "", game.text(states, 0), f"points: {points}"]
    )


def _next_steps(config: Config, folder: str) -> str:
    game, players = config.game, config.players
    return "\n".join(
        [
            "What to try next:",
            f"  dwarrow train --resume {folder} --minutes 15    # let it learn longer",
            f"  dwarrow train {game} --players {players} --minutes 10  # your own; --help",
            f"  dwarrow arena {game} --players {players} --agents ppo:{folder} rule mcts:sims=100",
            f"  tensorboard --logdir {folder}",
        ]
    )
