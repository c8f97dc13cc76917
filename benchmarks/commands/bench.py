"""Measure this machine: `dwarrow bench speed`, every layer of every game, peers beside them."""

from __future__ import annotations

import json
import shlex
import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro

from dwarrow import envs
from dwarrow.benchmarks.results import write_aside
from dwarrow.benchmarks.speed import Effort, measure
from dwarrow.benchmarks.speed_tables import show


@dataclass
class Config:
    """Measure the speed of every layer on one core, the promised figures beside it."""

    what: Annotated[Literal["speed"], tyro.conf.Positional] = "speed"
    """What is measured."""
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


def run(arguments: Sequence[str]) -> int:
    """Run the verb."""
    config = tyro.cli(Config, args=list(arguments), prog="dwarrow bench", description=__doc__)
    names = list(config.games or envs.games())
    for name in names:
        envs.module_of(name)  # an unknown one shows before minutes have passed
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
