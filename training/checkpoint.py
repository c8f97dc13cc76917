"""Checkpoints: everything that a run needs to go on to the same numbers, verified when read.

A checkpoint is a folder ``checkpoints/<iteration>/`` of a run:

* ``weights.safetensors``: the network; all that an agent ``ppo:RUN`` needs; a second learner's is
  called like the learner, such as ``expert.safetensors`` for ``net:RUN/expert``;
* ``optim.safetensors``: state of the optimiser, and the magnet if there is one;
* ``worker-<k>.safetensors``: the games in play and the decisions still open;
* ``state.json``: counters, pool manifest, identity of the game, hashes of the other files.

It is written aside and renamed, then ``checkpoints/latest`` is made to name it: a run killed at any
moment, or a full disk, leaves the checkpoint before.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.numpy
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from dwarrow.agents.neural.network import Network
from dwarrow.agents.neural.weights import (
    LATEST,
    WEIGHTS,
    check_identity,
    identity,
    load_weights,
    save_weights,
)
from dwarrow.envs.core.game import Game
from dwarrow.training.matchmaking import LEARNER
from dwarrow.training.rollout import WorkerState

FORMAT = 1
"""Version of the checkpoint format."""

STATE = "state.json"
OPTIMISER = "optim.safetensors"
KEEP = 3
"""Checkpoints kept in a run."""


@dataclass
class Checkpoint:
    """What a checkpoint holds.

    Attributes:
        networks: the learners by name, the run's agent first.
        optimiser: tensors of the optimisers (and magnet), by name.
        workers: the state of each worker.
        values: counters and manifests, JSON-ready.
    """

    networks: Mapping[str, Network]
    optimiser: dict[str, Tensor]
    workers: Sequence[WorkerState]
    values: dict[str, Any]


class RunEndedError(OSError):
    """The folder of a run could not be written to; it holds an earlier checkpoint."""


@contextmanager
def writing(run: Path) -> Iterator[None]:
    """Write to the folder of a run: say of an error of the disk what it means for the run.

    Raises:
        RunEndedError: the disk is full or out of order.
    """
    try:
        yield
    except (OSError, SafetensorError) as error:
        kept = checkpoints(run)
        state = (
            f"its checkpoint of iteration {int(kept[-1].name)} is whole: make room and go on with "
            f"--resume {run}"
            if kept
            else "it has no checkpoint yet"
        )
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise RunEndedError(f"{run}: the run could not be written ({reason}); {state}") from error


def save_checkpoint(run: Path, iteration: int, checkpoint: Checkpoint, game: Game) -> Path:
    """Write a checkpoint into the folder of a run and return its folder."""
    folder = run / "checkpoints" / f"{iteration:06d}"
    if folder in checkpoints(run)[-1:]:  # nothing happened since
        return folder
    aside = folder.with_name(folder.name + ".partial")
    shutil.rmtree(aside, ignore_errors=True)
    try:
        _fill(aside, checkpoint, game)
        shutil.rmtree(folder, ignore_errors=True)
        os.replace(aside, folder)
        pointer = folder.parent / (LATEST + ".partial")
        _write(pointer, folder.name + "\n")
        os.replace(pointer, folder.parent / LATEST)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)  # a full disk gets its room back
        raise
    _drop_old(folder.parent, folder.name)
    return folder


def checkpoints(run: Path) -> list[Path]:
    """Return the folders of a run's checkpoints, the latest last; later ones are not counted."""
    folder = run / "checkpoints"
    found = sorted(path for path in folder.glob("*") if path.name.isdigit())
    latest = folder / LATEST
    if latest.is_file():
        name = latest.read_text(encoding="utf-8").strip()
        found = [*(path for path in found if path.name < name), folder / name]
    return found


def _fill(aside: Path, checkpoint: Checkpoint, game: Game) -> None:
    aside.mkdir(parents=True)
    for k, (name, network) in enumerate(checkpoint.networks.items()):
        save_weights(aside / _weights(name, k), network, game)
    save_file({k: v.contiguous() for k, v in checkpoint.optimiser.items()}, aside / OPTIMISER)
    workers = []
    for k, (arrays, values) in enumerate(checkpoint.workers):
        whole = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
        safetensors.numpy.save_file(whole, aside / f"worker-{k}.safetensors")
        workers.append(values)
    state = {
        "format": FORMAT,
        "identity": identity(game),
        "values": checkpoint.values,
        "learners": list(checkpoint.networks),
        "workers": workers,
        "files": {path.name: _digest(path) for path in sorted(aside.iterdir())},
    }
    _write(aside / STATE, json.dumps(state, indent=1))


def load_checkpoint(run: Path, game: Game) -> Checkpoint:
    """Read the latest checkpoint of a run.

    Raises:
        ValueError: there is none, a file is missing, truncated or changed, or it was made for
            another game, other rules, another layout or other components.
    """
    found = checkpoints(run)
    if not found:
        raise ValueError(f"{run}: the run has no checkpoint to go on from")
    folder = found[-1]
    state = verified(folder)
    check_identity(state["identity"], game, folder)
    workers = [
        (safetensors.numpy.load_file(folder / f"worker-{k}.safetensors"), values)
        for k, values in enumerate(state["workers"])
    ]
    networks = {
        name: load_weights(folder / _weights(name, k), game)
        for k, name in enumerate(state.get("learners", [LEARNER]))
    }
    return Checkpoint(networks, load_file(folder / OPTIMISER), workers, state["values"])


def verified(folder: Path) -> dict[str, Any]:
    """Return the ``state.json`` of a checkpoint whose files are all there, as they were written.

    Raises:
        ValueError: a file is missing, truncated or changed, or the format is another version's.
    """
    state = _read_state(folder)
    for name, digest in state["files"].items():
        path = folder / name
        if not path.is_file():
            raise ValueError(f"{path}: this file of the checkpoint is missing")
        if _digest(path) != digest:
            raise ValueError(f"{path}: truncated or changed since it was written")
    return state


def optimiser_tensors(optimiser: torch.optim.Optimizer) -> dict[str, Tensor]:
    """Return the tensors of an optimiser's state, by parameter number and name."""
    state = optimiser.state_dict()["state"]
    return {f"{k}.{name}": tensor for k, values in state.items() for name, tensor in values.items()}


def restore_optimiser(optimiser: torch.optim.Optimizer, tensors: Mapping[str, Tensor]) -> None:
    """Give an optimiser the tensors of `optimiser_tensors`; other names are ignored."""
    whole = optimiser.state_dict()
    state: dict[int, dict[str, Tensor]] = {}
    for key, tensor in tensors.items():
        number, _, name = key.partition(".")
        if number.isdigit():
            state.setdefault(int(number), {})[name] = tensor
    optimiser.load_state_dict({**whole, "state": state})


def _weights(name: str, k: int) -> str:
    """Return the file of learner number `k`; the first is what ``ppo:RUN`` means."""
    return f"{name}.safetensors" if k else WEIGHTS


def _read_state(folder: Path) -> dict[str, Any]:
    path = folder / STATE
    try:
        state: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"{path}: this file of the checkpoint is missing") from None
    except ValueError as error:
        raise ValueError(f"{path}: truncated or changed since it was written ({error})") from None
    if state.get("format") != FORMAT:
        raise ValueError(
            f"{path}: checkpoint format {state.get('format')!r}, this version reads {FORMAT}"
        )
    return state


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def _write(path: Path, text: str) -> None:
    """Write a file through to the disk, so that a rename after it never finds it empty."""
    with path.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _drop_old(folder: Path, newest: str) -> None:
    names = sorted(p.name for p in folder.iterdir() if p.name.isdigit() and p.name != newest)
    for name in names[: len(names) - (KEEP - 1)] if len(names) >= KEEP else []:
        shutil.rmtree(folder / name, ignore_errors=True)
