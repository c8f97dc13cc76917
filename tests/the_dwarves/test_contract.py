"""The contract suite on every level and expansion: the same tests, games with other defaults.

A setting is a game of its own name whose options begin otherwise; team sizes take turns. Random
games of every setting with every size are in `test_random_play`.
"""

import sys
from dataclasses import field, fields, make_dataclass, replace
from itertools import product
from types import ModuleType

import pytest
from contract.test_actions import (  # noqa: F401
    test_a_finished_game_takes_no_action,
    test_every_masked_in_action_applies_and_every_masked_out_action_is_refused,
)
from contract.test_copies import (  # noqa: F401
    test_a_parallel_copy_goes_on_alike,
    test_an_aec_copy_goes_on_alike_from_every_decision,
)
from contract.test_forms import (  # noqa: F401
    test_a_pending_choice_is_hidden_from_all_others,
    test_aec_plays_the_core_game,
    test_parallel_plays_the_core_game_whatever_the_order_of_the_seats,
    test_vector_table_plays_the_core_games,
)
from contract.test_gymnasium import (  # noqa: F401
    test_single_plays_whole_games_at_every_player_count,
    test_vector_env_plays_its_seat_in_many_games,
)
from contract.test_information import (  # noqa: F401
    test_a_resampled_state_reads_the_same_to_its_seat,
    test_agents_do_not_peek,
    test_resampling_leaves_the_true_state_alone,
    test_scripted_players_do_not_peek,
    test_texts_of_hidden_things_differ_between_states_and_seats,
)
from contract.test_pettingzoo import (  # noqa: F401
    pytestmark,
    test_aec_converts_to_parallel_and_passes_the_api_test,
    test_aec_passes_the_api_test,
    test_aec_passes_the_seed_test,
    test_parallel_passes_the_api_test,
    test_parallel_passes_the_seed_test,
    test_parallel_repeats_a_seed_to_the_end,
)
from contract.test_pictures import (  # noqa: F401
    test_nothing_is_drawn_outside_the_picture,
    test_pictures_are_valid_and_need_nothing_from_elsewhere,
    test_pictures_tell_a_seat_no_more_than_it_may_know,
)
from contract.test_positions import (  # noqa: F401
    test_a_finished_position_loads_back_too,
    test_a_position_loads_back_to_the_byte,
    test_an_empty_position_is_a_set_up,
)
from contract.test_replays import (  # noqa: F401
    test_a_copy_goes_its_own_way,
    test_an_environment_gives_the_replay_of_its_game,
    test_the_parallel_form_gives_the_same_replay,
)

from dwarrow import envs
from dwarrow.agents.players import add_players, players_of
from dwarrow.envs.the_dwarves import GAME
from dwarrow.envs.the_dwarves.cards import LEVELS
from dwarrow.envs.the_dwarves.layout import DwarvesOptions

EXPANSIONS = {
    "base": {},
    "elfar": {"elfar": True},
    "might": {"combined_might": True},
    "both": {"elfar": True, "combined_might": True},
    "all finales": {"elfar": True, "combined_might": True, "finales": "all"},
}
SETTINGS = [(level, name) for level, name in product(LEVELS, EXPANSIONS)]


def with_defaults(name: str, **defaults) -> str:
    """Make a module that holds The Dwarves with other defaults; its name is the game's too."""
    begun = [
        (f.name, f.type, field(default=defaults[f.name], metadata=f.metadata))
        for f in fields(DwarvesOptions)
        if f.name in defaults
    ]
    module = sys.modules[name] = ModuleType(name)
    module.Begun = make_dataclass(
        "Begun", begun, bases=(DwarvesOptions,), frozen=True, namespace={"__module__": name}
    )
    module.GAME = replace(GAME, name=name, options=module.Begun, _numbers={})
    add_players(name, players_of(GAME).rule.__module__)
    return name


# 25 settings and 5 sizes: shifted by one a level, so that every expansion meets every size
SIZES = (1, 2, 3, 4, 6)
CASES = [
    (
        with_defaults(f"the_dwarves_{k}", difficulty=level, **EXPANSIONS[name]),
        SIZES[(k + k // 5) % 5],
    )
    for k, (level, name) in enumerate(SETTINGS)
]
IDS = [f"{level}-{name}-{CASES[k][1]}" for k, (level, name) in enumerate(SETTINGS)]


@pytest.fixture(params=CASES, ids=IDS)
def case(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[str, int]:
    name = request.param[0]
    monkeypatch.setitem(envs._GAMES, name, name)  # known for this test only
    return request.param


@pytest.fixture
def g(case: tuple[str, int]):
    return envs.game(case[0])


@pytest.fixture
def players(case: tuple[str, int]) -> int:
    return case[1]


def test_the_defaults_are_those_of_the_setting():
    for (level, name), (known, _) in zip(SETTINGS, CASES, strict=True):
        begun = sys.modules[known].GAME.options().to_dict()
        wanted = {"difficulty": level, **EXPANSIONS[name]}
        assert {key: begun[key] for key in wanted} == wanted
