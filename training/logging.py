"""Metrics of a run: a line of JSON each iteration, and TensorBoard if it is installed."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from dwarrow.training.config import RunConfig

METRICS = "metrics.jsonl"
Metrics = dict[str, float | int]


class MetricsLog:
    """Writes metrics; a context manager that closes what it opened."""

    def __init__(self, run: Path, config: RunConfig, after: int | None = None) -> None:
        """Open the log of a run.

        Args:
            run: folder of the run.
            config: its settings; they say where to log besides.
            after: when a run is resumed, drop the lines later than this iteration: they will come
                again.
        """
        path = run / METRICS
        if after is not None and path.exists():
            kept = [line for line in read_metrics(run) if line["iteration"] <= after]
            aside = path.with_name(path.name + ".partial")
            aside.write_text("".join(json.dumps(line) + "\n" for line in kept), encoding="utf-8")
            os.replace(aside, path)
        self._file = path.open("a", encoding="utf-8")
        self._board = _tensorboard(run, after) if config.tensorboard else None

    def write(self, metrics: Mapping[str, float | int]) -> None:
        """Log the metrics of one iteration; ``iteration`` is among them."""
        self._file.write(json.dumps(dict(metrics)) + "\n")
        self._file.flush()
        if self._board is not None:
            for name, value in metrics.items():
                self._board.add_scalar(name, value, metrics["iteration"])

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
        self._file.close()
        if self._board is not None:
            self._board.close()


def read_metrics(run: Path) -> list[dict[str, Any]]:
    """Return the metrics of a run, a dict an iteration; a line cut off by a crash is left out."""
    lines = []
    for text in (run / METRICS).read_text(encoding="utf-8").splitlines():
        try:
            lines.append(json.loads(text))
        except ValueError:
            break
    return lines


def _tensorboard(run: Path, after: int | None) -> Any:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return None
    writer: Any = SummaryWriter  # it has no types
    return writer(str(run / "tensorboard"), purge_step=None if after is None else after + 1)
