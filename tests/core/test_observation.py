import pytest

from dwarrow.envs.core.observation import Observation

LAYOUT = Observation(("gems", (2, 3), "gems, own first"), ("score", (1,), "points", 60.0))


def test_pieces_follow_one_another():
    assert LAYOUT.size == 7
    assert LAYOUT["gems"].slice == slice(0, 6)
    assert LAYOUT["score"].slice == slice(6, 7)
    assert LAYOUT.at("score") == 6


def test_an_unknown_piece_lists_the_known():
    with pytest.raises(
        KeyError, match=r"no observation piece 'coins': known are \['gems', 'score'\]"
    ):
        LAYOUT["coins"]


def test_names_are_unique():
    with pytest.raises(TypeError, match="two observation pieces are called a"):
        Observation(("a", (1,), ""), ("a", (1,), ""))


def test_the_schema_follows_names_shapes_scales_and_cells_alone():
    def schema(name="gems", shape=(2, 3), meaning="gems", scale=1.0) -> str:
        return Observation((name, shape, meaning, scale)).schema

    assert schema(meaning="said differently") == schema()
    assert len({schema(), schema(name="g"), schema(shape=(6,)), schema(scale=2.0)}) == 4


def test_cells_of_a_board_may_stand_for_actions():
    board = ("board", (3, 1, 2), "planes")
    layout = Observation(("score", (1,), "points"), board, actions={"board": range(4, 6)})
    assert layout["board"].actions == (4, 5)
    assert layout["score"].actions == ()
    assert layout.schema != Observation(("score", (1,), "points"), board).schema
    with pytest.raises(TypeError, match=r"3 actions do not fit cells of board \(3, 1, 2\)"):
        Observation(board, actions={"board": (1, 2, 3)})
    with pytest.raises(TypeError, match="1 actions do not fit cells of score"):
        Observation(("score", (1,), "points"), actions={"score": (1,)})
    with pytest.raises(TypeError, match=r"actions for \{'bord'\}, which are no pieces"):
        Observation(board, actions={"bord": (1, 2)})


def test_the_table_has_a_row_a_piece():
    assert LAYOUT.table().splitlines()[2:] == [
        "| 0 | `gems` | 2 x 3 | 1 | gems, own first |",
        "| 6 | `score` | 1 | 60 | points |",
    ]
