"""Monsters: what they block, and how they are beaten."""

from dwar7s_fall.table import cells, draw, dwarfs, legal, play, player, pos


def test_monster_blocks_tasks_of_its_type_in_its_region():
    # blue's third dwarf on the ruby mine: there is a dragon in the kingdom
    states = draw("bC rU:bb bF")
    assert "at I8" in legal(states)
    states = draw("bCn rUs:bb bFs")
    play(states, "at I8", "pass")
    assert sum(player(states)["gems"].values()) == 0
    assert (dwarfs(states, "I8"), player(states)["pile"]) == ("", 7)


def test_a_wall_keeps_the_monster_out():
    states = play(draw("bC rUn:bbb bF"), "pass")  # the ruby mine's wall is to the east
    assert player(states)["gems"]["ruby"] == 1


def test_monster_blocks_no_other_type():
    states = play(draw("bC rIn rAn:bb"), "pass")
    assert player(states)["gems"]["gold"] >= 1


def test_frost_giant_stops_digging_in_its_region():
    drawing = "rIn rCn:bb rT/bT"
    states = play(draw(drawing), "pass")
    assert pos(states)["seat"] == 1
    assert player(states)["pile"] == 7
    assert pos(play(draw("rIe rCn:bb rT/bT"), "pass"))["phase"] == "dig"


def test_inns_have_no_monster():
    states = play(draw("bC rFn rTn:bb rIn"), "pass")
    assert sum(player(states)["ogres"].values()) == 1


def test_defeat_monster_with_five_dwarfs_of_one_colour():
    states = draw("bC rF/rE:bbbbb rD:bb")
    play(states, "pass")
    assert legal(states) == {"at I8", "at J8"}
    play(states, "at I8")
    tile = pos(states)["tiles"]["red_fire_dragon"]
    assert (tile["place"], tile["beaten_by"], tile["cell"]) == ("beaten", "blue", None)
    assert pos(states)["top"]["I8"] == "red_emerald_mine"
    assert player(states)["pile"] == 7
    assert player(states)["gems"]["diamond"] == 1  # the dragon was gone when the mine resolved


def test_one_dwarf_of_another_colour_saves_the_monster_and_the_dwarfs_stay():
    states = play(draw("bC rF:bbbbr"), "pass")
    assert pos(states)["tiles"]["red_fire_dragon"]["place"] == "board"
    assert dwarfs(states, "I8") == "bbbbr"


def test_a_monster_beaten_on_the_ground_leaves_an_empty_cell():
    states = draw("bC rF:bbbbb rE")
    play(states, "pass")
    assert pos(states)["top"]["I8"] is None
    assert "I8" in cells(play(states, "play tavern"))


def test_if_the_table_is_empty_again_the_next_tile_goes_to_the_middle():
    states = draw("rF:bbbbb")
    play(states, "pass")
    assert cells(play(states, "play tavern")) == {"I9"}


def test_two_monsters_in_a_region_do_not_protect_each_other():
    states = play(draw("rFn bFn:bbbbb"), "pass")
    assert pos(states)["tiles"]["blue_fire_dragon"]["place"] == "beaten"
