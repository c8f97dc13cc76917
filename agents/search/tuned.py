"""The exploration constant and rollout policy per game and player count, as a sweep found them.

``tuned.json`` holds a row each, with the command that made it; ``dwarrow tune`` writes it. For a
game without a row the textbook's values hold.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

TUNED_FILE = Path(__file__).parent / "tuned.json"


@dataclass(frozen=True)
class Tuned:
    """What a search uses unless its spec says otherwise; see `Budget`."""

    c: float = math.sqrt(2)
    rollout: str = "random"
    epsilon: float = 0.1
    cutoff: int = 0
    advice: float = 0.0
    selection: str = "ucb"


@cache
def _rows() -> dict[tuple[str, int], Tuned]:
    rows = json.loads(TUNED_FILE.read_text(encoding="utf-8"))
    return {
        (row["game"], row["players"]): Tuned(
            **{f.name: row[f.name] for f in fields(Tuned) if f.name in row}
        )
        for row in rows
    }


def swept(game: str) -> dict[int, Tuned]:
    """Return the rows of a game, by players."""
    return {players: row for (name, players), row in _rows().items() if name == game}


def tuned(game: str, players: int) -> Tuned:
    """Return what the sweep chose for a game with so many players, or the textbook's values.

    A player count that was not swept takes the row of the nearest one that was.
    """
    found = swept(game)
    if not found:
        return Tuned()
    return found[min(found, key=lambda count: (abs(count - players), count))]
