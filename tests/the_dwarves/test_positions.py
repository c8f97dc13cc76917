"""Positions in rulebook words: whole ones come back to the byte, partial ones are completed."""

import json

import pytest
from the_dwarves.table import at

from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_dwarves import GAME
from dwarrow.envs.the_dwarves.cards import CARD_TITLES, EQUIPMENT_TITLES

TEAM = {"heroes": ["bavragor", "gandogar"]}


def load(**position):
    return GAME.load({"options": TEAM, **position})


def test_a_partial_position_takes_its_troops_from_the_supply():
    states = load(troops={str(h): {"orc": 0, "troll": 0, "elfar": 0} for h in range(61)})
    on_cards = states["slots"]["troops"][0].sum(axis=0)
    assert (states["supply"][0] + on_cards).tolist() == [30, 25, 20]
    states = load(troops={str(at("Porista")): {"orc": 4}}, council="equipment")
    assert states["supply"][0][0] == 30 - states["troops"][0][:, 0].sum() - on_cards[0]
    assert GAME.text(states, 0).count("4 orc") == 1


def test_a_card_on_the_display_leaves_its_deck_and_the_one_it_replaces_returns():
    before = load()
    old = int(before["slots"][0]["card"][0])
    states = load(
        slots=[{"card": "Black Omen", "troops": {"orc": 0, "troll": 0, "elfar": 0}}, {}, {}, {}]
    )
    omen = CARD_TITLES.index("Black Omen")
    assert states["slots"][0]["card"][0] == omen
    n = states["n_adventure"][0]
    decks = [*states["adventure_deck"][0][:n], *states["threat_deck"][0][: states["n_threat"][0]]]
    assert omen not in decks
    assert old in decks
    assert GAME.violated(states, 0) == []


def test_laid_tiles_leave_the_pile_and_owned_equipment_its_deck():
    states = load(tile={str(at((0, 2))): "1"}, players=[{"equipment": {"War Axe": 1}}, {}])
    assert states["n_pile"][0] == 36 - (states["tile"][0] != NONE).sum()
    assert states["n_equipment"][0] == 21
    assert states["players"]["equipment"][0][0][EQUIPMENT_TITLES.index("War Axe")] == 1


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ({"council": "throne"}, "council: 'throne' is not one of"),
        ({"slots": [{"card": "Dragon"}, {}, {}, {}]}, r"slots\.0\.card: 'Dragon' is not one of"),
        ({"tile": {"0": "37"}}, r"tile\.0: '37' is not one of"),
        ({"doom_marker": 43}, "markers_out_of_range"),
        ({"players": [{"health": 9}, {}]}, "health_out_of_range"),
        ({"players": [{"hero": "furgas"}, {"hero": "furgas"}]}, "a_hero_is_twice"),
        ({"troops": {"0": {"orc": 7}}}, "overrun_a_hex"),
    ],
)
def test_an_unsound_position_is_refused_in_words(position, said):
    with pytest.raises(ValueError, match=said):
        load(**position)


def test_positions_of_all_expansions_load_back_to_the_byte():
    states = GAME.new(1, seed=4, players=6, elfar=True, combined_might=True, finales="all")
    for _ in range(30):
        GAME.step(states, 0, int(GAME.legal(states, 0)[-1]))
        written = json.loads(json.dumps(GAME.position(states, 0)))
        assert GAME.load(written).tobytes() == states.tobytes()
