"""The ways to learn, by the settings that name them."""

from __future__ import annotations

from pathlib import Path

from dwarrow.training import ppo
from dwarrow.training.config import PPOConfig, RunConfig


def train(config: RunConfig, run: Path, *, resume: bool = False) -> Path:
    """Train as `config` says and return the folder of the run; see `ppo.train`."""
    assert isinstance(config, PPOConfig)
    return ppo.train(config, run, resume=resume)
