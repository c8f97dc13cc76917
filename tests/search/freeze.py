"""Write the frozen searches anew: ``python tests/search/freeze.py`` with ``tests`` on the path."""

import json
from pathlib import Path
from typing import Any

from search.fairness import positions, tables

from dwarrow.agents import make
from dwarrow.envs import game

FILE = Path(__file__).parent / "frozen.json"
PLAIN = "mcts:sims=150,c=1.4,rollout=random,cutoff=0,advice=0"
SPECS = (f"{PLAIN},selection=ucb", f"{PLAIN},selection=regret")  # nothing that a sweep may change
SEED = 7


def visits(name: str, players: int, spec: str) -> list[dict[str, Any]]:
    """Return the visit counts of two positions, by action name."""
    g = game(name)
    agent = make(spec, g)
    return [
        {c.name: c.visits for c in agent.think(g, states, 0, SEED).candidates}
        for states in positions(g, players, 2)
    ]


def main() -> None:
    frozen = {
        f"{name}; {players}; {spec}": visits(name, players, spec)
        for name, players in tables()
        for spec in SPECS
    }
    FILE.write_text(json.dumps(frozen, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
