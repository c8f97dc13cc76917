"""Random games of every player count and option: sound after each step, never longer than said."""

import itertools

import numpy as np
import pytest

from dwarrow import envs
from dwarrow.envs.aquilon.layout import AquilonOptions
from dwarrow.envs.core.kernels import Mask, States, kernel, legal, step, violations
from dwarrow.envs.core.rng import mix
from dwarrow.envs.core.table import begin, random_action

GAME = envs.game("aquilon")
PER_SETTING = 300

SETTINGS = [{}] + [
    {name: value}
    for name, values in {
        "last_mercenary_in_chain": [1],
        "unfilled_recruit": ["waits"],
        "pariah_scope": ["dwarfs", "column"],
        "exchange_coin_upgradable": [1],
        "ordo_skips_exchange_coin": [0],
        "gaat_shield_ranks": [2],
        "equal_coins": ["bronze"],
    }.items()
    for value in values
]


@kernel
def first_fault(states: States, seed: int, mask: Mask, report: np.ndarray, limit: int) -> None:
    """Play every game at random; report game, decision and bits of the first unsound position."""
    word = np.zeros(1, np.uint64)
    for i in range(len(states)):
        begin(states, i, seed + i)
        word[0] = mix(np.uint64(seed + i))
        for decision in range(limit + 1):
            bits = violations(states, i)
            n_legal = legal(states, i, mask)
            over = states[i].over != 0
            if bits != 0 or (n_legal == 0) != over or int(mask.sum()) != n_legal:
                report[0], report[1], report[2] = i, decision, max(bits, 1)
                return
            if over:
                report[3] = max(report[3], decision)
                break
            step(states, i, random_action(mask, n_legal, word))
        if states[i].over == 0:
            report[0], report[1], report[2] = i, limit, 1
            return


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_games_stay_sound_under_every_option(players: int) -> None:
    # 4 x 9 settings x 300 games: 10,800 games
    mask = np.zeros(GAME.n_actions, np.int8)
    for k, setting in enumerate(SETTINGS):
        states = GAME.blank(PER_SETTING, AquilonOptions(players=players, **setting))
        report = np.zeros(4, np.int64)
        first_fault(states, 1000 * k, mask, report, GAME.max_decisions)
        at = f"{setting}, game {report[0]}, decision {report[1]}"
        assert report[2] == 0, f"{at}: {GAME.violated(states, int(report[0]))}"
        assert 0 < report[3] <= GAME.max_decisions


def test_every_option_value_is_tried() -> None:
    tried = {name: {getattr(AquilonOptions(), name)} for name in AquilonOptions().to_dict()}
    for name, value in itertools.chain.from_iterable(setting.items() for setting in SETTINGS):
        tried[name].add(value)
    del tried["players"]
    fields = AquilonOptions.__dataclass_fields__
    assert tried == {name: set(fields[name].metadata["allowed"]) for name in tried}
