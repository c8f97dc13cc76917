"""The ways to learn, by the settings that name them."""

from __future__ import annotations

from pathlib import Path

from dwarrow.training import expert, mixed, ppo
from dwarrow.training.config import ExpertConfig, MixedConfig, PPOConfig, RunConfig
from dwarrow.training.loop import Training, drive


def train(
    config: RunConfig, run: Path, *, resume: bool = False, stop_after: int | None = None
) -> Path:
    """Train as `config` says and return the folder of the run; ``ppo:RUN`` is then an agent.

    Ctrl-C ends the run after the iteration in hand, with a checkpoint to resume from.

    Args:
        config: the settings.
        run: folder of the run; new, unless `resume`.
        resume: go on from the run's latest checkpoint.
        stop_after: stop, as by Ctrl-C, once so many iterations are done.

    Raises:
        ValueError: a setting that does not fit the game, or a checkpoint that cannot be used.
        TrainingDivergedError: a loss was not finite.
        RunEndedError: the disk is full or out of order.
    """

    def begin() -> Training:
        if isinstance(config, PPOConfig):
            return ppo.Training(config, run, resume)
        if isinstance(config, ExpertConfig):
            return expert.Training(config, run, resume)
        if isinstance(config, MixedConfig):
            return mixed.Training(config, run, resume)
        raise ValueError(f"{type(config).__name__}: not the settings of a way to learn")

    return drive(begin, config, run, resume=resume, stop_after=stop_after)
