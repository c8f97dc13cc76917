"""What workers cost: decisions collected in a second, on one worker and on several, everywhere."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from dwarrow.agents.neural.network import Network
from dwarrow.envs.core.game import Game
from dwarrow.training.config import PPOConfig
from dwarrow.training.crew import ExecutorName
from dwarrow.training.crew.choose import cores
from dwarrow.training.executors import WorkerSettings
from dwarrow.training.matchmaking import League
from dwarrow.training.rollout import WorkerJob

SERIAL: ExecutorName = "serial"


@dataclass(frozen=True)
class Line:
    """One executor.

    Attributes:
        executor: its name.
        workers: how many played.
        batch: decisions asked for at a time, of all workers together.
        rate: decisions a second.
        playing: share of the time in which the workers played, by their own clocks; the rest goes
            to requests, copies and waiting for the slowest.
        used: share of as many cores as there are workers that was put to use: the rate, as a part
            of that many times the serial rate.
    """

    executor: ExecutorName
    workers: int
    batch: int
    rate: float
    playing: float
    used: float


def measure(
    game: Game,
    players: int,
    workers: int,
    executors: Sequence[ExecutorName],
    seconds: float = 5.0,
    batch: int | None = None,
    address: str | None = None,
    say: Callable[[str], None] = lambda what: None,
) -> list[Line]:
    """Collect self-play without learning from it, first serially, then on each executor.

    Args:
        game: the game.
        players: seats at the table.
        workers: how many workers.
        executors: where they are to play; serial always comes first.
        seconds: how long each is measured.
        batch: decisions asked for at a time; as in training if not given.
        address: the Ray cluster.
        say: told what is being measured.
    """
    found: list[Line] = []
    for executor in (SERIAL, *(name for name in executors if name != SERIAL)):
        say(f"{game.name} {executor}")
        n = 1 if executor == SERIAL else workers
        where = address if executor == "ray" else None
        settings = WorkerSettings(executor=executor, workers=n, address=where)
        line = _line(game, players, settings, n, seconds, batch, found[0].rate if found else None)
        found.append(line)
    return found


def _line(
    game: Game,
    players: int,
    settings: WorkerSettings,
    workers: int,
    seconds: float,
    batch: int | None,
    serial: float | None,
) -> Line:
    torch.set_num_threads(1)
    config = PPOConfig(game.name, players=(players,), bf16="off")
    size = batch or config.batch
    job = WorkerJob(game, config.games(game), config.tables, size, shape=config.shape)
    executor = settings.started(job)
    try:
        executor.publish(Network(game.observation, game.n_actions, config.shape, 0))
        league, played, decisions = League(), 0.0, 0
        for _ in range(3):  # workers load and warm up
            executor.collect(league, size)
        begun = time.perf_counter()
        while (elapsed := time.perf_counter() - begun) < seconds:
            chunk = executor.collect(league, size)
            played += sum(chunk.seconds.values())
            decisions += size
    finally:
        executor.close()
    rate = decisions / elapsed
    name = settings.executor or SERIAL
    used = rate / (workers * serial) if serial else 1.0
    return Line(name, workers, size, rate, played / (workers * elapsed), used)


def show(lines: Sequence[Line], game: Game, players: int, command: str) -> None:
    """Print a table."""
    print(f"{game.title}, {players} players: self-play recorded for learning, float32")
    print(f"{'executor':<12}{'workers':>8}{'batch':>9}{'decisions/s':>14}{'playing':>9}{'used':>7}")
    for line in lines:
        print(
            f"{line.executor:<12}{line.workers:>8}{line.batch:>9,}{line.rate:>14,.0f}"
            f"{line.playing:>8.0%} {line.used:>6.0%}"
        )
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"{cores()} cores{load}; the command that made this: {command}")
