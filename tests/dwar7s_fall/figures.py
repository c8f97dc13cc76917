"""Figures of the spec sheet: ``python tests/dwar7s_fall/figures.py 1000``."""

from __future__ import annotations

import sys

import numpy as np

from dwarrow import envs
from dwarrow.envs.core.kernels import kernel, legal, step
from dwarrow.envs.core.rng import mix
from dwarrow.envs.core.table import begin, random_action

GAME = envs.game("dwar7s_fall")


@kernel
def count_choices(states, seed, mask, found):
    """Play every game at random; write how many actions were legal at each decision to `found`."""
    total = 0
    word = np.zeros(1, np.uint64)
    for i in range(len(states)):
        begin(states, i, seed + i)
        word[0] = mix(np.uint64(seed + i))
        while True:
            n_legal = legal(states, i, mask)
            found[total % len(found)] = n_legal
            total += 1
            if step(states, i, random_action(mask, n_legal, word)):
                break
    return total


def line(players: int, games: int) -> str:
    """Return the row of the table for a number of kings."""
    states = GAME.new(games, players=players)
    found = np.zeros(games * 600 * players, np.int64)
    total = count_choices(states, 0, np.zeros(GAME.n_actions, np.int8), found)
    found = found[:total]
    decisions = states["decision"]
    cells = states["tiles"]["cell"]
    far = np.maximum(np.abs(cells % 17 - 8), np.abs(cells // 17 - 8))[cells >= 0]
    numbers = (
        players,
        f"{decisions.mean():.0f}",
        decisions.max(),
        f"{100 * (found > 1).mean():.0f} %",
        f"{found[found > 1].mean():.1f}",
        int(np.quantile(found, 0.95)),
        found.max(),
        f"{100 * (states['last_round'] == 0).mean():.0f} %",
        states["tiles"]["level"].max() + 1,
        far.max(),
    )
    return "| " + " | ".join(map(str, numbers)) + " |"


if __name__ == "__main__":
    for kings in GAME.player_counts:
        print(line(kings, int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
