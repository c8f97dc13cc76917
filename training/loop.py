"""What every run does, however it learns: iterate, log, show, save; stop when told; leave it whole.

Whenever a run ends, by Ctrl-C, a full disk or a kill, its folder holds a checkpoint to go on from.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from dwarrow.training.config import MINUTES, RunConfig
from dwarrow.training.interrupt import stop_on_interrupt
from dwarrow.training.lock import locked
from dwarrow.training.logging import Metrics, MetricsLog, check_tracker
from dwarrow.training.progress import progress


@dataclass
class Counters:
    """How far a run is.

    Attributes:
        iteration: iterations done.
        decisions: decisions learned from.
        games: games finished.
        seconds: seconds trained.
        snapshots: snapshots kept.
        evaluations: measurements begun.
    """

    iteration: int = 0
    decisions: int = 0
    games: int = 0
    seconds: float = 0.0
    snapshots: int = 0
    evaluations: int = 0

    def done(self, config: RunConfig) -> float:
        """Return the share of the run that is done, up to 1."""
        if config.iterations is not None:
            return min(1.0, self.iteration / config.iterations)
        return min(1.0, self.seconds / (60 * (config.minutes or MINUTES)))

    def metrics(self) -> Metrics:
        """Return how far the run is, for the log."""
        return {
            "iteration": self.iteration,
            "seconds": self.seconds,
            "games": self.games,
            "total_decisions": self.decisions,
        }


class Training(Protocol):
    """A run in the making."""

    counters: Counters

    def iterate(self) -> Metrics:
        """Collect and learn once; return what there is to log."""
        ...

    def measure(self) -> Metrics:
        """Return how strong the learners are."""
        ...

    def checkpoint(self) -> None:
        """Write everything that a later process needs to go on."""
        ...

    def close(self) -> None:
        """Stop workers."""
        ...


def drive(
    begin: Callable[[], Training],
    config: RunConfig,
    run: Path,
    *,
    resume: bool,
    stop_after: int | None = None,
) -> Path:
    """Take a run to its end and return its folder.

    Args:
        begin: makes the run in a new folder, or takes it up where its checkpoint left off.
        config: the settings.
        run: folder of the run.
        resume: whether it exists.
        stop_after: stop, as by Ctrl-C, once so many iterations are done.

    Raises:
        ValueError: what `begin` raises, or another process is at work on the run.
        RunEndedError: the disk is full or out of order.
    """
    check_tracker(config)
    with ExitStack() as stack:
        if resume:
            stack.enter_context(locked(run))
        training = stack.enter_context(closing(begin()))
        if not resume:
            stack.enter_context(locked(run))
        counters = training.counters
        log = stack.enter_context(MetricsLog(run, config, counters.iteration if resume else None))
        interrupted = stack.enter_context(stop_on_interrupt())
        show = stack.enter_context(progress(config, run))
        training.checkpoint()
        saved = time.monotonic()
        while counters.done(config) < 1 and counters.iteration != stop_after and not interrupted():
            metrics = training.iterate()
            log.write(metrics)
            show(counters.done(config), metrics)
            if time.monotonic() - saved > 60 * config.checkpoint_minutes:
                training.checkpoint()
                saved = time.monotonic()
        training.checkpoint()
        if counters.done(config) == 1 and not interrupted():
            metrics = {**counters.metrics(), **training.measure()}
            log.write(metrics)
            show(1.0, metrics)
    return run
