"""What runs there are, how far they are and how strong their agents."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from dwarrow.training.checkpoint import checkpoints, verified
from dwarrow.training.config import RunConfig
from dwarrow.training.lock import Holder, holder
from dwarrow.training.logging import METRICS, read_metrics
from dwarrow.training.loop import Counters
from dwarrow.training.settings import CONFIG, load_config

State = Literal["running", "done", "stopped", "damaged"]


@dataclass(frozen=True)
class RunInfo:
    """What is known of a run's folder.

    Attributes:
        folder: where it is.
        state: running now, done, stopped before its end, or damaged.
        trouble: what is wrong with it, if it is damaged.
        config: its settings, if they can be read.
        counters: how far it is.
        strength: the newest measured win shares, by opponent.
        changed: when its folder was last written to, in seconds since the epoch.
        worker: who is at work on it.
    """

    folder: Path
    state: State
    trouble: str = ""
    config: RunConfig | None = None
    counters: Counters = field(default_factory=Counters)
    strength: dict[str, float] = field(default_factory=dict)
    changed: float = 0.0
    worker: Holder | None = None


def list_runs(folder: Path) -> list[RunInfo]:
    """Return what is known of every run in a folder, the one changed last first."""
    if not folder.is_dir():
        return []
    found = [look_at(path) for path in folder.iterdir() if _looks_like_a_run(path)]
    return sorted(found, key=lambda info: (-info.changed, info.folder))


def look_at(run: Path) -> RunInfo:
    """Return what is known of one run; what is wrong with it is told, not raised."""
    lines, config, trouble = _metrics(run), None, ""
    counters = Counters()
    worker = holder(run)
    try:
        config = load_config(run)
        kept = checkpoints(run)
        if kept:
            values: dict[str, Any] = verified(kept[-1])["values"]
            counters = Counters(**values["counters"])
        elif worker is None:
            trouble = "no checkpoint was written; it can only begin anew"
    except (ValueError, KeyError, TypeError, OSError) as error:
        trouble = re.sub(r"\s+", " ", str(error))
    state: State = "stopped"
    if worker is not None:
        state, trouble = "running", ""
        counters = _logged(lines, counters)
    elif trouble or config is None:
        state = "damaged"
    elif counters.done(config) >= 1:
        state = "done"
    return RunInfo(run, state, trouble, config, counters, _strength(lines), _changed(run), worker)


def age(seconds: float, now: float | None = None) -> str:
    """Return in words how long ago a time is."""
    passed = max(0.0, (time.time() if now is None else now) - seconds)
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if passed >= length:
            return f"{passed / length:.0f} {unit} ago"
    return f"{passed:.0f} s ago"


def _looks_like_a_run(path: Path) -> bool:
    return path.is_dir() and any(
        (path / name).exists() for name in (CONFIG, METRICS, "checkpoints")
    )


def _metrics(run: Path) -> list[dict[str, Any]]:
    try:
        return read_metrics(run)
    except (OSError, ValueError):
        return []


def _logged(lines: list[dict[str, Any]], saved: Counters) -> Counters:
    """Return the counters of the log's last line: a run at work is ahead of its checkpoint."""
    if not lines:
        return saved
    last = lines[-1]
    return Counters(
        int(last.get("iteration", 0)),
        int(last.get("total_decisions", 0)),
        int(last.get("games", 0)),
        float(last.get("seconds", 0.0)),
    )


def _strength(lines: list[dict[str, Any]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for line in lines:
        for name, value in line.items():
            if name.startswith("win/"):
                found[name.removeprefix("win/")] = value
    return found


def _changed(run: Path) -> float:
    paths = [run / name for name in (METRICS, CONFIG, "checkpoints")]
    return max(path.stat().st_mtime for path in paths if path.exists())
