"""Golden playthroughs of any game: every decision with its legal actions, and the table at times.

A trace begins with a line of JSON (game, rules version, options, seed, limit), from which the rest
follows: `trace` writes it again, and a test compares line by line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from dwarrow.envs import Game, game

FOLDER = Path(__file__).parent
SHOW_EVERY = 40
LIMIT_OF_VARIANTS = 80


def settings(g: Game) -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and header of every trace of a game: each player count, each value of each option."""
    header = {"game": g.name, "version": g.version}
    for players in g.player_counts:
        options = {"players": players}
        yield f"{players}-players", {**header, "options": options, "seed": players, "limit": None}
    for f in fields(g.options):
        for k, value in enumerate(f.metadata.get("allowed") or ()):
            if f.name != "players" and value != f.default:
                rest = {"options": {f.name: value}, "seed": 100 + k, "limit": LIMIT_OF_VARIANTS}
                yield f"{f.name}-{value}".lower().replace(" ", "_"), {**header, **rest}


def choose(legal: np.ndarray, seed: int, decision: int) -> int:
    """Pick an action in a way that looks random and needs no generator."""
    digest = blake2b(f"{seed} {decision}".encode(), digest_size=4).digest()
    return int(legal[int.from_bytes(digest, "big") % len(legal)])


def trace(header: dict[str, Any]) -> list[str]:
    """Play the game that a header describes; return the lines of its trace."""
    g = game(header["game"])
    lines = [json.dumps(header)]
    if header["version"] != g.version:
        return [*lines, f"the rules are at version {g.version}"]
    states = g.new(1, seed=header["seed"], **header["options"])
    decision = 0
    while not g.is_over(states, 0) and decision != header["limit"]:
        if decision % SHOW_EVERY == 0:
            lines += table(g, states)
        legal = g.legal(states, 0)
        action = choose(legal, header["seed"], decision)
        names = ", ".join(g.action_name(int(a)) for a in legal)
        lines.append(f"{decision} seat {states['seat'][0]}: {g.action_name(action)} <- {names}")
        g.step(states, 0, action)
        decision += 1
    lines += table(g, states)
    lines.append(f"scores {g.scores(states, 0).tolist()} returns {g.returns(states, 0).tolist()}")
    return lines


def table(g: Game, states: np.ndarray) -> list[str]:
    """The whole position as text, and a hash of what each seat sees."""
    seen = [g.observe(states, 0, seat) for seat in range(int(states["n_seats"][0]))]
    hashes = [blake2b(np.round(o, 3).tobytes(), digest_size=4).hexdigest() for o in seen]
    return [*(f"  {line}" for line in g.text(states, 0).splitlines()), f"  seen: {hashes}"]
