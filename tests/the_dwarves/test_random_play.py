"""Thousands of random games of every team size, level and expansion keep every invariant."""

import numpy as np
import pytest
from contract.examine import CHANGED, FAULTS, examine, workspace

from dwarrow.envs.core.kernels import JIT
from dwarrow.envs.the_dwarves import GAME
from dwarrow.envs.the_dwarves.cards import LEVELS
from dwarrow.envs.the_dwarves.layout import HERO_IDS, End

EXPANSIONS = (
    {},
    {"elfar": True},
    {"combined_might": True},
    {"elfar": True, "combined_might": True},
    {"elfar": True, "combined_might": True, "finales": "all"},
)
GAMES = 40 if JIT else 1


@pytest.mark.parametrize("players", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("expansions", EXPANSIONS, ids=lambda e: "+".join(e) or "base")
def test_random_games_keep_every_invariant(players, expansions):
    longest = 0
    for k, level in enumerate(LEVELS):
        options = {"players": players, "difficulty": level, **expansions}
        states = GAME.blank(GAMES, GAME.options.parse(options))
        report = np.zeros(CHANGED + 1, np.int64)
        first = 1000 * players + 100 * k
        fault = examine(states, first, GAME.max_decisions, 8, True, workspace(GAME), report)
        assert fault == 0, (FAULTS[fault], options, report[:3], GAME.violated(states, report[0]))
        longest = max(longest, int(states["decision"].max()))
        assert set(states["end"].tolist()) <= {End.WON, End.MARKERS_MET, End.HERO_DIED}
    assert longest < GAME.max_decisions / 20


def test_heroes_are_drawn_all_alike():
    states = GAME.blank(2000 if JIT else 40, GAME.options.parse({"players": 3}))
    from dwarrow.envs.core.table import begin

    for i in range(len(states)):
        begin(states, i, i)
    drawn = np.bincount(states["players"]["hero"][:, :3].ravel(), minlength=len(HERO_IDS))
    assert drawn.min() > 0
    if JIT:
        assert drawn.min() > 400  # 500 each on average
