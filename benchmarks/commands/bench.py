"""Measure this machine: `dwarrow bench speed`, every layer of every game, peers beside them.

`dwarrow bench workers` measures what it costs to play on several workers.
"""

from __future__ import annotations

import json
import shlex
import sys
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro

from dwarrow import envs
from dwarrow.benchmarks.machine import machine
from dwarrow.benchmarks.results import write_aside
from dwarrow.benchmarks.speed import PLAYERS, Effort, measure
from dwarrow.benchmarks.speed_tables import show
from dwarrow.training.crew import ExecutorName


@dataclass
class Config:
    """Measure the speed of every layer on one core, the promised figures beside it, or workers."""

    what: Annotated[Literal["speed", "workers"], tyro.conf.Positional] = "speed"
    """What is measured: every layer on one core, or collecting on several workers."""
    games: tuple[str, ...] = ()
    """Games; all if none is given."""
    layers: tuple[str, ...] = ()
    """Layers; all if none is given."""
    peers: bool = False
    """Also measure the nearest games of the peers that are installed, in the same run."""
    cold: Literal["first", "all", "none"] = "first"
    """Which games are compiled afresh, up to a minute each."""
    quick: bool = False
    """Measure each figure only briefly, and compile nothing afresh."""
    json: Path | None = None
    """Write everything to this file too."""
    workers: int = 2
    """For `workers`: how many."""
    executors: tuple[ExecutorName, ...] = ("threads", "processes", "ray")
    """For `workers`: where they play, beside serial."""
    batch: int | None = None
    """For `workers`: decisions asked for at a time; as in training if not given."""
    address: str | None = None
    """For `workers`: the Ray cluster; Ray is started on this machine if not given."""


def run(arguments: Sequence[str]) -> int:
    """Run the verb."""
    config = tyro.cli(Config, args=list(arguments), prog="dwarrow bench", description=__doc__)
    names = list(config.games or envs.games())
    for name in names:
        envs.module_of(name)  # an unknown one shows before minutes have passed
    if config.what == "workers":
        return _workers(config, names, shlex.join(["dwarrow", "bench", *arguments]))
    afresh = [] if config.quick or config.cold == "none" else names
    if config.cold == "first":
        afresh = afresh[:1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # peers warn of their own affairs
        report = measure(
            names,
            Effort.quick() if config.quick else Effort(),
            peers=config.peers,
            compile_afresh=afresh,
            only=config.layers,
            say=_Say(),
        )
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    command = shlex.join(["dwarrow", "bench", *arguments])
    show(report, command)
    if config.json is not None:
        text = json.dumps(report.to_json(command), indent=1, sort_keys=True)
        write_aside(config.json, text + "\n")
        print(f"written to {config.json}")
    return 0


def _workers(config: Config, names: Sequence[str], command: str) -> int:
    from dwarrow.benchmarks import workers  # brings torch with it

    written = []
    for name in names:
        game, players = envs.game(name), PLAYERS.get(name, 2)
        lines = workers.measure(
            game,
            players,
            config.workers,
            config.executors,
            1.0 if config.quick else 5.0,
            config.batch,
            config.address,
            _Say(),
        )
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr)
        workers.show(lines, game, players, command)
        written += [{"game": name, "players": players, **asdict(line)} for line in lines]
    if config.json is not None:
        whole = {"command": command, "machine": machine(), "workers": written}
        write_aside(config.json, json.dumps(whole, indent=1, sort_keys=True) + "\n")
        print(f"written to {config.json}")
    return 0


class _Say:
    """Says what is being measured: all of it in a terminal, elsewhere a line for each new name."""

    def __init__(self) -> None:
        self.last = ""

    def __call__(self, what: str) -> None:
        name = what.split()[0]
        if sys.stderr.isatty():
            print(f"\r\033[Kmeasuring {what}", end="", file=sys.stderr, flush=True)
        elif name != self.last:
            print(f"measuring {name} ...", file=sys.stderr, flush=True)
        self.last = name
