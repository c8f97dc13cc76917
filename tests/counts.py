"""How many ways a game can go from a position, to some depth: a slip in a rule changes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from contract.cases import policy

from dwarrow.envs import Game
from dwarrow.envs.core.kernels import States

KEPT = Path(__file__).parent / "contract" / "counts.json"
SEED = 1
STARTS = (0, 30)
"""Decisions played before the counting begins."""

MOST = 2000
"""Positions to be reached at the last depth."""


def counts(g: Game, players: int) -> dict[str, Any]:
    """Return by start the sequences of decisions of length 1, 2, ... and where they lead."""
    by_start = {}
    for start in STARTS:
        states = g.new(1, seed=SEED, players=players)
        for decision in range(start):
            g.step(states, 0, policy(g.legal(states, 0), SEED, decision))
            assert not g.is_over(states, 0)
        by_start[f"after {start}"] = widths(g, states)
    return {"version": g.version, **by_start}


def widths(g: Game, root: States) -> list[list[int]]:
    """Return ``[sequences, different positions]`` at each depth, up to `MOST` sequences."""
    found, layer = [], [root]
    while 0 < sum(int(g.mask(states, 0).sum()) for states in layer) <= MOST:
        layer = [child(g, states, int(a)) for states in layer for a in g.legal(states, 0)]
        found.append([len(layer), len({states.tobytes() for states in layer})])
        if len(found) == 12:  # a position without choices goes on and on
            break
    return found


def child(g: Game, states: States, action: int) -> States:
    twin: States = states.copy()
    g.kernels.step(twin, 0, action)
    return twin


def load() -> dict[str, Any]:
    """Return the counts that are kept."""
    kept: dict[str, Any] = json.loads(KEPT.read_text("utf-8"))
    return kept


def write(games: list[Game]) -> None:
    """Count again for some games."""
    kept = load() if KEPT.exists() else {}
    for g in games:
        kept[g.name] = {str(players): counts(g, players) for players in g.player_counts}
    lines = (f"{json.dumps(name)}: {json.dumps(kept[name])}" for name in sorted(kept))
    KEPT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
