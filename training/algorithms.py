"""The ways to learn, by the settings that name them."""

from __future__ import annotations

from pathlib import Path

from dwarrow.training import expert, mixed, ppo
from dwarrow.training.config import ExpertConfig, MixedConfig, PPOConfig, RunConfig


def train(
    config: RunConfig, run: Path, *, resume: bool = False, stop_after: int | None = None
) -> Path:
    """Train as `config` says and return the folder of the run; see `ppo.train`.

    Raises:
        ValueError: what the way to learn raises.
    """
    if isinstance(config, PPOConfig):
        return ppo.train(config, run, resume=resume, stop_after=stop_after)
    if isinstance(config, ExpertConfig):
        return expert.train(config, run, resume=resume, stop_after=stop_after)
    if isinstance(config, MixedConfig):
        return mixed.train(config, run, resume=resume, stop_after=stop_after)
    raise ValueError(f"{type(config).__name__}: not the settings of a way to learn")
