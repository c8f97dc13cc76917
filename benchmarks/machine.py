"""What every result says of where it comes from: machine, versions, rules and components."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from pathlib import Path
from typing import Any

from dwarrow.envs.core.game import Game
from dwarrow.training.crew.choose import cores

LIBRARIES = ("dwarrow", "numpy", "numba", "torch", "gymnasium", "pettingzoo")
PEERS = ("open_spiel", "rlcard", "pgx", "jax")


def processor() -> str:
    """Return the processor's name as the system gives it."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def machine() -> dict[str, Any]:
    """Describe the machine, JSON-ready; no name or path of it is recorded."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "processor": processor(),
        "cores": cores(),
        "system": f"{platform.system()} {platform.machine()}",
        "load_at_start": load,
    }


def version_of(library: str) -> str | None:
    """Return the installed version of a distribution, None if it is not installed."""
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return None


def versions() -> dict[str, str]:
    """Return Python's version and those of the libraries and peers that are installed."""
    found = {name: version_of(name) for name in (*LIBRARIES, *PEERS)}
    return {"python": platform.python_version(), **{k: v for k, v in found.items() if v}}


def stamp(game: Game) -> dict[str, Any]:
    """Return what a game's results depend on: rules version, pack, its hash and provenance."""
    return {
        "rules": game.version,
        "pack": game.pack.name,
        "pack_hash": game.pack.hash,
        "provenance": game.pack.provenance(),
    }
