"""Train an agent by self-play: dwarrow train GAME --players 3 --minutes 10.

With ``--resume RUN`` a run that was interrupted goes on.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro

from dwarrow import envs
from dwarrow.agents.neural.weights import runs_folder
from dwarrow.training.config import PPOConfig
from dwarrow.training.ppo import resumed, train


@dataclass(frozen=True)
class Resume:
    """Go on with a run from its latest checkpoint."""

    resume: Path
    """Folder of the run, or its name in runs/."""

    minutes: float | None = None
    """Train for so many minutes in all, instead of what the run was begun with."""

    iterations: int | None = None
    """The same in iterations."""


def run(arguments: Sequence[str]) -> int:
    """Train, or go on training, as the command line says."""
    if any(word.split("=")[0] == "--resume" for word in arguments):
        again = tyro.cli(Resume, prog="dwarrow train", args=arguments)
        folder = again.resume if again.resume.is_dir() else runs_folder() / again.resume
        config = resumed(folder, again.minutes, again.iterations)
        train(config, folder, resume=True)
    else:
        config = tyro.cli(PPOConfig, prog="dwarrow train", args=arguments)
        folder = config.run or new_run(config)
        if folder.exists():
            raise ValueError(f"--run {folder}: it exists; --resume {folder} goes on with a run")
        train(config, folder)
    print(f"saved: {folder}; as an agent: ppo:{folder}")
    return 0


def new_run(config: PPOConfig) -> Path:
    """Return a folder for a new run, named by game, players and time."""
    envs.game(config.game)
    players = "-".join(map(str, config.players)) + "p-" if config.players else ""
    return runs_folder() / f"{config.game}-{players}{time.strftime('%Y%m%d-%H%M%S')}"
