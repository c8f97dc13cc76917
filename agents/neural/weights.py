"""Weights on disk: one safetensors file that says which game, rules and layout it is for."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import load, load_file, save_file

from dwarrow.agents.base import AgentSpec
from dwarrow.agents.neural.network import Network, Shape
from dwarrow.envs.core.game import Game

WEIGHTS = "weights.safetensors"
LATEST = "latest"
RUNS = "DWARROW_RUNS"
"""Environment variable that names the folder of runs; without it they lie in ``runs/``."""

_MEANING = {
    "game": "game",
    "rules": "rules version",
    "observation": "observation layout",
    "actions": "action list",
    "pack": "component pack",
}


def identity(game: Game) -> dict[str, str]:
    """Return what a network must fit: game, rules version, layouts and component pack."""
    return {
        "game": game.name,
        "rules": game.version,
        "observation": game.observation.schema,
        "actions": hashlib.blake2b("\n".join(game.actions).encode(), digest_size=8).hexdigest(),
        "pack": game.pack.hash,
    }


def check_identity(found: dict[str, str], game: Game, where: Path) -> None:
    """Compare what a file was written for with a game.

    Raises:
        ValueError: they differ; says in what.
    """
    wanted = identity(game)
    for key, meaning in _MEANING.items():
        if found.get(key) != wanted[key]:
            raise ValueError(
                f"{where}: made for {meaning} {found.get(key)!r}, "
                f"{game.title} here has {wanted[key]!r}"
            )


def save_weights(path: Path, network: Network, game: Game) -> None:
    """Write a network; an older file is replaced only when the new one is whole."""
    metadata = {**identity(game), "shape": json.dumps(asdict(network.shape))}
    aside = path.with_name(path.name + ".partial")
    tensors = {name: tensor.contiguous() for name, tensor in network.state_dict().items()}
    save_file(tensors, aside, metadata)
    os.replace(aside, path)


def load_weights(path: Path, game: Game) -> Network:
    """Read a network for a game.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is not a whole weights file, or is for another game, rules or layout.
    """
    data = _carried.get(str(path))
    if data is None and not path.is_file():
        raise FileNotFoundError(f"{path}: no such weights file")
    try:
        if data is not None:
            metadata, tensors = _metadata(data), load(data)
        else:
            with safe_open(path, framework="pt") as file:
                metadata = dict(file.metadata() or {})
            tensors = load_file(path)
    except SafetensorError as error:
        raise ValueError(f"{path}: not a whole weights file ({error})") from None
    if "shape" not in metadata:
        raise ValueError(f"{path}: a safetensors file, but no weights of dwarrow")
    check_identity(metadata, game, path)
    network = Network(game.observation, game.n_actions, Shape(**json.loads(metadata["shape"])))
    network.load_state_dict(tensors)
    return network


def runs_folder() -> Path:
    """Return the folder in which runs lie."""
    return Path(os.environ.get(RUNS, "runs"))


def find_weights(source: str) -> Path:
    """Find the weights file that ``ppo:SOURCE`` means: a file, a checkpoint, a run or its name.

    A run with several learners may be followed by the name of one: ``RUN/expert``.

    Raises:
        ValueError: there is none; says where it was looked for.
    """
    if str(Path(source)) in _carried:
        return Path(source)
    tried = []
    for base in dict.fromkeys([Path(source), runs_folder() / source]):
        for run, name in ((base, WEIGHTS), (base.parent, f"{base.name}.safetensors")):
            latest = run / "checkpoints" / LATEST
            if latest.is_file():
                found = latest.parent / latest.read_text(encoding="utf-8").strip() / name
                if run == base or found.is_file():
                    return found
        if (base / WEIGHTS).is_file():
            return base / WEIGHTS
        if base.is_file():
            return base
        tried.append(str(base))
    raise ValueError(
        f"no run or weights {source!r}: looked for a weights file, a checkpoint or a run at "
        f"{' and '.join(tried)}"
    )


# Weights of another machine


_carried: dict[str, bytes] = {}


def luggage(specs: Iterable[str]) -> dict[str, bytes]:
    """Return the weights files that `specs` name, for a machine that lacks them: see `carry`."""
    sources = set()
    for text in specs:
        spec = AgentSpec.parse(text)
        source = spec.source if spec.kind in ("ppo", "net") else spec.options.get("net")
        if source is not None:
            sources.add(source)
    return {source: find_weights(source).read_bytes() for source in sorted(sources)}


def carry(files: Mapping[str, bytes]) -> None:
    """Let specs find these weights in memory from now on, and no others that were carried."""
    _carried.clear()
    _carried.update({str(Path(source)): data for source, data in files.items()})


def _metadata(data: bytes) -> dict[str, str]:
    """Read the header of a safetensors file: its length in eight bytes, then JSON."""
    end = 8 + int.from_bytes(data[:8], "little")
    header: dict[str, Any] = json.loads(data[8:end])
    return dict(header.get("__metadata__", {}))
