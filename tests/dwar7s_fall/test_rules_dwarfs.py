"""Actions: how many there are, placing and moving dwarfs."""

import pytest
from dwar7s_fall.table import GAME, cells, draw, dwarfs, legal, play, player, pos


def test_actions_are_three():
    states = draw("rE rD rT")
    play(states, "at H8", "at I8", "at J8")
    assert pos(states)["active"] == "red"  # no action and no card left: the turn went on by itself


def test_extra_action_for_a_castle_in_play_at_once():
    states = draw("rE rD")
    play(states, "at H8", "at I8", "play castle", "at H9", "north")
    assert pos(states)["seat"] == 0
    assert "at I8" in legal(states)  # the fourth action
    play(states, "at I8")
    assert pos(states)["seat"] == 1


def test_extra_action_is_lost_with_a_covered_castle():
    states = draw("bC rE")
    assert "at I8" in legal(play(states, "at I8", "at I8", "at H8"))
    covered = draw("rC/bC rE rD")
    play(covered, "at I8", "at J8", "at J8")
    assert pos(covered)["active"] == "red"


def test_frost_giant_on_top_of_a_castle_takes_its_action_and_beside_it_does_not():
    assert pos(play(draw("bCn rIn rD"), "at J8", "at J8", "at I8"))["active"] == "blue"
    assert pos(play(draw("rI/bC rE rD"), "at I8", "at J8", "at J8"))["active"] == "red"
    region = draw("bCn rIn rE", options={"giant_takes": "region"})
    assert pos(play(region, "at J8", "at J8", "at I8"))["active"] == "red"


def test_place_dwarf_on_any_free_spot_of_any_kingdom():
    states = draw("bE:bbr rD rT")
    assert cells(states) == {"I8", "J8"}  # the emerald mine has three spots
    play(states, "at J8")
    assert dwarfs(states, "J8") == "b"
    assert player(states)["pile"] == 4
    with pytest.raises(ValueError, match="every spot of blue_emerald_mine is taken"):
        play(states, "at H8")


def test_place_dwarf_needs_one_in_the_pile():
    states = draw("bE:bb bD:b rE:bb rD:bb")
    assert player(states)["pile"] == 0
    assert cells(states) == set()
    with pytest.raises(ValueError, match="there is no dwarf in the pile"):
        play(states, "at J8")


def test_move_dwarf_to_an_adjacent_tile_without_walls_and_with_a_free_spot():
    drawing = """
        .  rSe:rrrr .
        rA bEs:b    rD
        """
    states = play(draw(drawing), "move", "at I9")
    # the emerald mine has walls to the south and west, and the store to the north is full
    assert legal(states) == {"east"}
    with pytest.raises(ValueError, match="a wall, the end of the tiles or a full tile"):
        play(states, "north")


def test_move_dwarf_only_offers_dwarfs_that_can_move():
    assert "move" not in legal(draw("rTe bEn:b rD"))
    states = play(draw("rA bEn:b rD"), "move", "at I8")
    assert legal(states) == {"west"}
    play(states, "west")
    assert (dwarfs(states, "H8"), dwarfs(states, "I8")) == ("b", "")
    assert (pos(states)["used"], player(states)["pile"]) == (1, 6)


def test_move_dwarf_leaves_other_kings_dwarfs_alone():
    states = draw("rA bA:r")
    assert "move" not in legal(states)


def test_stop_acting_at_any_time():
    states = draw("rA bA")
    play(states, "pass")
    assert pos(states)["active"] == "red"
    assert pos(states)["used"] == 0


def test_the_first_king_may_pass_on_an_empty_table():
    states = play(GAME.new(players=2), "pass")
    assert pos(states)["seat"] == 1
    assert cells(play(states, "play tavern")) == {"I9"}
