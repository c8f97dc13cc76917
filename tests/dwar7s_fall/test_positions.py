"""Partial positions, bad ones, the observation's planes, reasons in words."""

import numpy as np
import pytest
from dwar7s_fall.table import GAME, draw, play, pos, tiles

from dwarrow.envs.dwar7s_fall.layout import CELL_NAMES, WIDTH


def test_load_derives_what_a_position_leaves_open():
    states = draw("bC rE:bb", players=[{"gems": {"ruby": 2}, "goals": {"T1": 1}}, {}])
    p = pos(states)
    assert p["top"]["I8"] == "red_emerald_mine"
    assert p["players"][0]["pile"] == 5
    assert p["gem_piles"]["ruby"] == 6
    assert "T1" not in p["goal_row"] + p["goal_deck"]
    assert p["players"][1]["known_gems"][0]["ruby"] == 2


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ({"tiles": {"blue_castle": {"cell": "R1"}}}, "tiles.blue_castle.cell: 'R1' is not one of"),
        ({"tiles": {"pink_castle": {}}}, "tiles.pink_castle: unknown"),
        ({"tiles": tiles("bE:bbbb")}, "dwarfs"),
        ({"tiles": tiles("bC/rE")}, "stack"),
        ({"tiles": tiles("bE/rF")}, "stack"),
        ({"tiles": {"blue_castle": {"cell": "I9", "level": 1}}}, "stack"),
        ({"tiles": {"green_castle": {"cell": "I9"}}}, "tile_place"),
        ({"players": [{"gems": {"gold": 11}}, {}]}, "gems"),
        ({"players": [{"ogres": {"crown": 2}}, {}]}, "ogre_cards"),
        ({"players": [{"goals": {"T1": 1}}, {"goals": {"T1": 1}}]}, "trading_goals"),
        ({"players": [{"secret": "emeralds"}, {"secret": "emeralds"}]}, "secret_goals"),
        ({"players": [{"pile": 8}, {}]}, "dwarfs"),
        ({"phase": "tile_cell"}, "turn"),
        ({"turn": 31}, "turn"),
    ],
)
def test_bad_positions_are_refused(position, said):
    with pytest.raises(ValueError, match=said):
        GAME.load(position)


def plane(states, name: int, seat: int = 0) -> np.ndarray:
    board = GAME.observation["board"]
    return GAME.observe(states, 0, seat)[board.slice].reshape(board.shape)[name]


def test_board_planes_show_tiles_walls_dwarfs_and_kingdoms_where_they_are():
    states = draw("bC rE:rrb", at="H8")
    i8 = CELL_NAMES.index("I8")
    row, column = divmod(i8, WIDTH)
    assert plane(states, 1)[row, column] == 1  # emerald mine
    assert plane(states, 9)[row, column - 1] == 1  # own castle
    assert plane(states, 9, seat=1).sum() == 0
    walls = [plane(states, 10 + side)[row, column] for side in range(4)]
    assert walls == [1, 1, 0, 0]
    assert plane(states, 14)[row, column] == np.float32(1 / 5)
    assert plane(states, 14, seat=1)[row, column] == np.float32(2 / 5)
    assert plane(states, 18).sum() == 2  # own kingdom
    assert plane(states, 19, seat=1).sum() == 1  # others' kingdoms / 2, two cells


@pytest.mark.parametrize(
    ("moves", "action", "said"),
    [
        ((), "at A1", "there is no tile at A1"),
        ((), "move", "no dwarf can move"),
        ((), "king 1", "the question is an action"),
        ((), "play castle", "that tile is not in hand any more"),
        ((), "reveal", "the secret goal is not fulfilled"),
        (("play tavern",), "at H8", "blue_castle at H8 is of another type"),
        (("play tavern",), "at A1", "A1 is not beside any tile"),
        (("play tavern",), "pass", "the question is a cell for the tile"),
        (("play ruby_mine",), "at I8", "there are dwarfs at I8"),
        (("play ruby_mine",), "at J8", "a monster keeps J8"),
        (("play tavern", "at H9"), "south", "looks as it does with an earlier side"),
    ],
)
def test_illegal_actions_are_explained(moves, action, said):
    states = play(draw("bC rEn:r rFw", players=[{"secret": "emeralds"}, {}]), *moves)
    with pytest.raises(ValueError, match=said):
        play(states, action)


def test_breakdown_before_the_end_names_no_winner():
    account = GAME.breakdown(draw("bC rE"), 0)
    assert (account["end_reason"], account["winners"]) == ("", [])
    assert account["kings"]["blue"]["kingdom"] == 3
