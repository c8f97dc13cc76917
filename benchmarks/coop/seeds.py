"""The frozen seed lists: ``dev`` to try things out on, ``test`` for what is published."""

from __future__ import annotations

import hashlib
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "seeds"
LISTS = ("dev", "test")


def seeds(name: str, n: int) -> list[int]:
    """Return the first `n` seeds of a list.

    Raises:
        ValueError: no such list, or it is shorter.
    """
    if name not in LISTS:
        raise ValueError(f"unknown seed list {name!r}: known are {', '.join(LISTS)}")
    lines = (FOLDER / f"{name}.csv").read_text(encoding="utf-8").split()[1:]
    if n > len(lines):
        raise ValueError(f"the seed list {name} has {len(lines)} seeds, {n} are wanted")
    return [int(line) for line in lines[:n]]


def seeds_hash(name: str) -> str:
    """Return the hash of a list, as results record it."""
    data = (FOLDER / f"{name}.csv").read_bytes()
    return hashlib.blake2b(data, digest_size=8).hexdigest()
