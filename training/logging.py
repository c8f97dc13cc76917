"""Metrics of a run: a line of JSON each iteration, and TensorBoard if it is installed."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from dwarrow.training.checkpoint import writing
from dwarrow.training.config import RunConfig

METRICS = "metrics.jsonl"
Metrics = dict[str, float | int]


class MetricsLog:
    """Writes metrics; a context manager that closes what it opened.

    Where the disk fails, `checkpoint.RunEndedError` says what that means.
    """

    def __init__(self, run: Path, config: RunConfig, after: int | None = None) -> None:
        """Open the log of a run.

        Args:
            run: folder of the run.
            config: its settings; they say where to log besides.
            after: when a run is resumed, drop the lines later than this iteration: they will come
                again.
        """
        self._run, path = run, run / METRICS
        with writing(run):
            if after is not None and path.exists():
                kept = [line for line in read_metrics(run) if line["iteration"] <= after]
                aside = path.with_name(path.name + ".partial")
                text = "".join(json.dumps(line) + "\n" for line in kept)
                aside.write_text(text, encoding="utf-8")
                os.replace(aside, path)
            self._file = path.open("a", encoding="utf-8")
            self._board = _tensorboard(run, after) if config.tensorboard else None
        self._tracker = _tracker(run, config, resumed=after is not None)

    def write(self, metrics: Mapping[str, float | int]) -> None:
        """Log the metrics of one iteration; ``iteration`` is among them."""
        with writing(self._run):
            self._file.write(json.dumps(dict(metrics)) + "\n")
            self._file.flush()
            if self._board is not None:
                for name, value in metrics.items():
                    self._board.add_scalar(name, value, metrics["iteration"])
        if self._tracker is not None:
            self._tracker.log(dict(metrics), step=int(metrics["iteration"]))

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the files."""
        with writing(self._run):
            self._file.close()
            if self._board is not None:
                self._board.close()
        if self._tracker is not None:
            self._tracker.finish()


def read_metrics(run: Path) -> list[dict[str, Any]]:
    """Return the metrics of a run, a dict an iteration; a line cut off by a crash is left out."""
    lines = []
    for text in (run / METRICS).read_text(encoding="utf-8").splitlines():
        try:
            lines.append(json.loads(text))
        except ValueError:
            break
    return lines


def check_tracker(config: RunConfig) -> None:
    """Look whether the tracker that a run asks for is there.

    Raises:
        ValueError: it is not installed; says how to install it.
    """
    if config.tracker != "none" and find_spec(config.tracker) is None:
        raise ValueError(
            f"--tracker {config.tracker}: it is not installed; pip install {config.tracker}"
        )


def _tracker(run: Path, config: RunConfig, resumed: bool) -> Any:
    """Return what logs a run to a tracker; the two have one interface."""
    if config.tracker == "none":
        return None
    tracker: Any = import_module(config.tracker)
    about: dict[str, Any] = {"resume": "allow"} if resumed else {}
    if config.tracker == "wandb":
        about |= {"id": run.name, "dir": str(run)}
    settings = json.loads(json.dumps(asdict(config), default=str))
    return tracker.init(project="dwarrow", name=run.name, config=settings, **about)


def _tensorboard(run: Path, after: int | None) -> Any:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return None
    writer: Any = SummaryWriter  # it has no types
    return writer(str(run / "tensorboard"), purge_step=None if after is None else after + 1)
