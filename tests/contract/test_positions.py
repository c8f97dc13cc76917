"""Positions in rulebook words, and back to the byte."""

import json

import pytest
from contract.cases import spread

POSITIONS = 10


def test_a_position_loads_back_to_the_byte(g, players):
    for states in spread(g, 31, POSITIONS, players=players):
        written = json.loads(json.dumps(g.position(states, 0)))
        assert g.load(written).tobytes() == states.tobytes()


def test_a_finished_position_loads_back_too(g, players):
    states = spread(g, 32, 1, players=players)[0]
    while not g.is_over(states, 0):
        g.step(states, 0, int(g.legal(states, 0)[0]))
    loaded = g.load(json.loads(json.dumps(g.position(states, 0))))
    assert loaded.tobytes() == states.tobytes()
    assert g.breakdown(loaded, 0) == g.breakdown(states, 0)
    json.dumps(g.breakdown(states, 0))
    assert g.breakdown(states, 0)["end_reason"]


def test_an_empty_position_is_a_set_up(g, players):
    loaded = g.load({"seed": 5, "options": {"players": players}})
    assert loaded.tobytes() == g.new(1, seed=5, players=players).tobytes()


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ({"game": "chess"}, r"position\.game: 'chess'"),
        ({"version": "0.0.0-other"}, r"position\.version"),
        ({"nonsense": 1}, "nonsense: unknown; known are"),
        ({"seat": "first"}, "seat: expected a whole number, not 'first'"),
        ({"decision": 2**40}, "decision: 1099511627776 is not within"),
        ({"phase": "siesta"}, "phase: 'siesta' is not one of"),
        ({"options": {"players": 99}}, "option players=99"),
        ({"options": 3}, r"position\.options: expected an object"),
        ({"script": "high"}, "script: expected a list"),
    ],
)
def test_a_bad_position_is_refused_with_the_path(any_game, g, position, said):
    with pytest.raises(ValueError, match=said):
        g.load(position)
