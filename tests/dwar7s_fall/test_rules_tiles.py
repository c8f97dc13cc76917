"""Play a kingdom tile: beside, on top, turned; walls."""

import pytest
from dwar7s_fall.table import GAME, cells, draw, legal, play, pos

from dwarrow.envs.dwar7s_fall.cards import KINDS


def test_play_tile_puts_the_first_tile_in_the_middle_and_takes_an_action():
    states = GAME.new(players=2)
    assert cells(play(states, "play castle")) == {"I9"}
    play(states, "at I9", "east")
    tile = pos(states)["tiles"]["blue_castle"]
    assert (tile["place"], tile["cell"], tile["turned"], tile["level"]) == (
        "board",
        "I9",
        "east",
        0,
    )
    assert pos(states)["used"] == 1
    assert pos(states)["top"]["I9"] == "blue_castle"


def test_lay_beside_any_tile_by_a_side_never_by_a_corner_and_walls_need_not_match():
    states = play(draw("bE  .\n.  rDn", at="H8"), "play tavern")
    beside_emerald = {"H7", "G8", "I8", "H9"}
    beside_diamond = {"I8", "J9", "I10", "H9"}
    assert cells(states) == beside_emerald | beside_diamond


def test_turn_offers_four_sides_but_of_those_that_look_alike_one():
    for kind in KINDS:
        states = play(GAME.new(players=2), f"play {kind}", "at I9")
        alike = kind in ("diamond_mine", "tavern")  # walls on two opposite sides
        sides = {"north", "east"} if alike else {"north", "east", "south", "west"}
        assert legal(states) == sides


def test_stack_only_on_the_same_type_without_dwarfs():
    states = draw("rE rD:r rC rT rS")
    assert cells(play(states.copy(), "play gold_mine")) >= {"H8"}
    mine, castle, inn = (
        cells(play(states.copy(), f"play {kind}")) & {"H8", "I8", "J8", "K8", "L8"}
        for kind in ("gold_mine", "castle", "tavern")
    )
    assert mine == {"H8"}  # a dwarf stands on the diamond mine
    assert castle == {"J8"}
    assert inn == {"K8", "L8"}


def test_a_stacked_tile_is_the_uppermost():
    states = play(draw("rE"), "play ruby_mine", "at H8", "west")
    tiles = pos(states)["tiles"]
    assert (tiles["blue_ruby_mine"]["level"], tiles["red_emerald_mine"]["level"]) == (1, 0)
    assert pos(states)["top"]["H8"] == "blue_ruby_mine"
    assert tiles["red_emerald_mine"]["region"] is None  # covered: not in play


def test_nothing_is_stacked_on_a_monster():
    states = draw("rF . rI")
    for kind in ("gold_mine", "castle", "frost_giant", "fire_dragon"):
        assert not cells(play(states.copy(), f"play {kind}")) & {"H8", "J8"}


def test_monster_guards_its_type_from_stacking_in_its_region_only():
    drawing = "rFn rD rA . rE"
    # nothing parts dragon, diamond mine and gold mine; the emerald mine lies apart
    states = play(draw(drawing), "play ruby_mine")
    assert cells(states) & {"I8", "J8", "L8"} == {"L8"}
    states = play(draw(drawing, options={"monster_guards": "stack"}), "play ruby_mine")
    assert cells(states) & {"I8", "J8", "L8"} == {"I8", "J8", "L8"}
    assert "I8" not in cells(play(draw(drawing), "play fire_dragon"))
    assert "K8" in cells(play(draw(drawing), "play tavern"))  # inns have no monster


def test_a_wall_keeps_the_guard_out():
    # the emerald mine's wall is on its east side
    states = play(draw("rEn rF"), "play ruby_mine")
    assert "H8" in cells(states)
    states = play(draw("rEs rFs"), "play ruby_mine")  # walls south and west now
    assert "H8" not in cells(states)


def test_monsters_may_lie_on_the_ground_unless_the_option_says_otherwise():
    states = play(draw("rC"), "play frost_giant")
    assert cells(states) == {"H8", "H7", "G8", "I8", "H9"}
    strict = draw("rC", options={"monster_stack_only": 1})
    assert cells(play(strict.copy(), "play frost_giant")) == {"H8"}
    assert "play fire_dragon" not in legal(strict)  # no mine to lie on
    assert "play fire_dragon" not in legal(GAME.new(players=2, monster_stack_only=1))


def test_a_tile_is_played_once():
    states = play(GAME.new(players=2), "play castle", "at I9", "north")
    assert "play castle" not in legal(states)
    with pytest.raises(ValueError, match="that tile is not in hand any more"):
        play(states, "play castle")


def test_the_window_of_17_by_17_cells_is_not_left():
    states = play(draw("rE", at="A1"), "play tavern")
    assert cells(states) == {"B1", "A2"}


def test_walls_of_either_tile_part_two_tiles():
    def joined(drawing: str) -> bool:
        tiles = pos(draw(drawing))["tiles"]
        return tiles["blue_castle"]["region"] == tiles["red_castle"]["region"]

    assert joined("bCn rCn")
    assert not joined("bCe rCn")  # the wall of the left one
    assert not joined("bCn rCw")  # of the right one
    assert not joined("bCe rCw")
    assert joined("bCw rCe")
    assert joined("bCn\nrCs")
    assert not joined("bCn\nrCn")
    assert not joined("bCs\nrCs")


def test_kingdom_is_what_unwalled_edges_join_and_outer_edges_leak_nothing():
    states = draw(
        """
        bCn rEn .
        rAn rDe rTe
        .   .   gUn
        """,
        players=[{}, {}, {}],
        options={"players": 3},
    )
    regions = {n: t["region"] for n, t in pos(states)["tiles"].items() if t["region"]}
    assert regions["red_emerald_mine"] == "blue_castle"  # its walls are north and east
    # gold mine: a wall to the north; diamond mine and tavern, turned east: to the east and west
    assert regions["red_gold_mine"] == "red_gold_mine"
    assert regions["red_diamond_mine"] == "blue_castle"
    assert regions["red_tavern"] == "red_tavern"
    assert regions["green_ruby_mine"] == "green_ruby_mine"
