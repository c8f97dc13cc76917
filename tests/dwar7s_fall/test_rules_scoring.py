"""Winning the game: points, shared kingdoms, ties."""

import numpy as np
from dwar7s_fall.table import GAME, draw


def ended(drawing: str, players: list, **more):
    n = len(players)
    return draw(
        drawing,
        options={"players": n},
        players=players,
        over=1,
        phase="over",
        seat=-1,
        at="A8",
        **more,
    )


def points(states) -> list[float]:
    return GAME.scores(states, 0).tolist()


def test_winning_points_are_goals_monsters_gems_and_the_kingdom():
    king = {
        "goals": {"T1": 1, "T9": 1},
        "secret": "emeralds",
        "revealed": 1,
        "gems": {"gold": 2, "emerald": 1, "diamond": 1, "ruby": 1},
    }
    beaten = {"red_fire_dragon": {"beaten_by": "blue"}}
    states = ended("bC rS rA", [king, {}], more_tiles=beaten)
    account = GAME.breakdown(states, 0)["kings"]["blue"]
    assert (account["goals"], account["monsters"]) == (8 + 16 + 7, 3)
    assert (account["gems"], account["kingdom"]) == (2 + 2 + 2 + 3, 2 + 2 + 1)
    assert points(states) == [31 + 3 + 9 + 5, 0]


def test_a_secret_goal_that_is_not_revealed_brings_nothing():
    states = ended("rC", [{"secret": "emeralds", "gems": {"emerald": 4}}, {}])
    assert points(states)[0] == 8


def test_kingdom_points_need_a_castle_in_play():
    assert points(ended("rS rA", [{}, {}])) == [0, 0]
    assert points(ended("rI/bC rS rA", [{}, {}])) == [0, 0]  # under a giant
    assert points(ended("rC/bC rS rA", [{}, {}])) == [0, 5]  # under another castle
    assert points(ended("bC rI rS", [{}, {}])) == [4, 0]  # a giant beside it takes nothing
    states = draw(
        "bC rI rS", options={"giant_takes": "region"}, over=1, phase="over", seat=-1, at="A8"
    )
    assert points(states) == [0, 0]


def test_two_castles_in_one_kingdom_score_it_in_full():
    assert points(ended("bC rA rC", [{}, {}])) == [5, 5]


def test_covered_tiles_do_not_count():
    assert points(ended("bC rA/rU", [{}, {}])) == [3, 0]


def test_kingdom_size_breaks_a_tie():
    # both have four points; blue's kingdom is three tiles, red's two
    states = ended("bC rA rD . rC rS", [{}, {}])
    assert points(states) == [4, 4]
    assert GAME.returns(states, 0).tolist() == [1, -1]
    assert GAME.breakdown(states, 0)["tie_break"] == "kingdom in tiles"


def test_ties_go_on_to_dwarfs_on_the_board_and_are_then_shared():
    states = ended("bC:b rS . rC:r gS:r", [{}, {}, {}])
    assert points(states) == [4, 4, 0]
    assert GAME.returns(states, 0).tolist() == [0, 1, -1]
    assert GAME.breakdown(states, 0)["tie_break"] == "dwarfs on the board"
    # green is level too, with a smaller kingdom: what decides is what parts the first two
    states = ended("bC rC:rr . gC", [{}, {}, {"gems": {"emerald": 1}}])
    assert points(states) == [4, 4, 4]
    assert GAME.breakdown(states, 0)["winners"] == ["red"]
    assert GAME.breakdown(states, 0)["tie_break"] == "dwarfs on the board"
    states = ended("bC:b rS . rC:r gS", [{}, {}, {}])
    np.testing.assert_allclose(GAME.returns(states, 0), [0.5, 0.5, -1])
    account = GAME.breakdown(states, 0)
    assert (account["tie_break"], account["winners"]) == ("shared", ["blue", "red"])
