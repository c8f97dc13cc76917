"""The five ogre cards."""

import pytest
from dwar7s_fall.table import cells, draw, dwarfs, legal, play, player, pos


def hand(*ogres: str, **more) -> dict:
    return {"ogres": {ogre: ogres.count(ogre) for ogre in ogres}, **more}


def test_ogre_cards_are_free_and_go_to_the_discard_pile():
    states = draw("rE:rr rD", players=[hand("ambush", "ambush"), {}])
    play(states, "play ambush")
    assert pos(states)["ogre_discard"]["ambush"] == 1  # before its effect
    play(states, "at H8")
    assert pos(states)["used"] == 0
    assert player(states)["ogres"]["ambush"] == 1
    assert "play ambush" not in legal(states)  # nobody is left on the board
    assert "at H8" in legal(states)


def test_ogre_cards_may_be_played_after_the_last_action():
    states = draw("rE:rr rD rT", players=[hand("ambush"), {}])
    play(states, "at I8", "at I8", "at J8")
    assert {"play ambush", "pass"} <= legal(states)
    assert "at J8" not in legal(states)


def test_ambush_sends_all_dwarfs_of_a_tile_home_own_ones_too():
    states = draw("rE:rrb rD:r rA", players=[hand("ambush"), {}])
    assert cells(play(states, "play ambush")) == {"H8", "I8"}
    play(states, "at H8")
    assert dwarfs(states, "H8") == ""
    assert (player(states, 0)["pile"], player(states, 1)["pile"]) == (7, 6)


def test_brute_swaps_an_enemy_dwarf_with_ones_own_however_far_away():
    states = draw("rE:rr rT:b . rS:b", players=[hand("brute"), {}])
    assert cells(play(states, "play brute")) == {"H8"}
    assert cells(play(states, "at H8")) == {"I8", "K8"}
    play(states, "at K8")
    assert (dwarfs(states, "H8"), dwarfs(states, "K8")) == ("br", "r")


def test_brute_needs_a_dwarf_of_ones_own_on_another_tile():
    assert "play brute" not in legal(draw("rE:rb rD", players=[hand("brute"), {}]))
    assert "play brute" in legal(draw("rE:rb rD:b", players=[hand("brute"), {}]))
    assert "play brute" not in legal(draw("rE:b rD:b", players=[hand("brute"), {}]))


def test_brute_asks_whose_dwarf_where_there_are_two():
    states = draw("rE:rg rD:b", options={"players": 3}, players=[hand("brute"), {}, {}])
    play(states, "play brute", "at H8")
    assert legal(states) == {"king 1", "king 2"}
    play(states, "king 2", "at I8")
    assert (dwarfs(states, "H8"), dwarfs(states, "I8")) == ("br", "g")


def test_thief_steals_a_random_gem():
    players = [hand("thief"), {"gems": {"gold": 2, "ruby": 1}}]
    states = draw("rE", players=players, script=[2])
    play(states, "play thief")  # two kings: the target is plain
    assert player(states, 0)["gems"] == {"gold": 0, "emerald": 0, "diamond": 0, "ruby": 1}
    assert player(states, 1)["gems"]["gold"] == 2
    assert states["script_next"][0] == states["script_end"][0]
    states = draw("rE", players=players, script=[1])
    play(states, "play thief")
    assert player(states, 1)["gems"] == {"gold": 1, "emerald": 0, "diamond": 0, "ruby": 1}


def test_thief_needs_a_king_with_a_gem():
    assert "play thief" not in legal(draw("rE", players=[hand("thief", gems={"gold": 1}), {}]))
    three = draw(
        "rE",
        options={"players": 3},
        players=[hand("thief"), {"gems": {"gold": 1}}, {}],
    )
    assert legal(play(three, "play thief")) == {"king 1"}


def test_panic_moves_an_enemy_dwarf_two_tiles_but_through_no_wall():
    drawing = """
        rA  rSs rTe
        rEs rD:r rU
        .   gA   .
        """
    # diamond mine: walls north and south; emerald mine turned south: walls south and west; ruby
    # mine: walls north and east; gold mine: wall north; so only two ways out, and one goes on
    states = draw(drawing, options={"players": 3}, players=[hand("panic"), {}, {}])
    assert cells(play(states, "play panic")) == {"I9"}
    assert cells(play(states, "at I9")) == {"H8"}
    play(states, "at H8")
    assert (dwarfs(states, "H8"), dwarfs(states, "I9")) == ("r", "")
    assert pos(states)["used"] == 0


def test_panic_needs_two_steps_that_end_elsewhere():
    line = draw("rA:r rD rT", players=[hand("panic"), {}])
    assert "play panic" in legal(line)
    play(line, "play panic", "at H8", "at J8")
    assert (dwarfs(line, "H8"), dwarfs(line, "J8")) == ("", "r")
    assert "play panic" not in legal(draw("rA:r rD", players=[hand("panic"), {}]))
    full = draw("rA:r rD:bbb rT", players=[hand("panic"), {}])
    assert "play panic" not in legal(full)  # no free spot halfway


def test_panic_offers_a_tile_once_however_it_is_reached():
    # four tiles in a ring without walls between them: two ways to the opposite corner
    states = draw("rA:r rCn\nbAs bCs", players=[hand("panic"), {}])
    assert cells(play(states, "play panic", "at H8")) == {"I9"}


def test_crown_steals_all_ogre_cards_but_not_itself():
    players = [hand("crown", "thief"), hand("ambush", "panic", "panic")]
    states = draw("rE", players=players)
    play(states, "play crown")
    assert player(states, 0)["ogres"] == {
        "ambush": 1,
        "brute": 0,
        "thief": 1,
        "panic": 2,
        "crown": 0,
    }
    assert sum(player(states, 1)["ogres"].values()) == 0
    assert pos(states)["ogre_discard"]["crown"] == 1


def test_crown_needs_a_king_with_an_ogre_card():
    assert "play crown" not in legal(draw("rE", players=[hand("crown", "thief"), {}]))


def test_ogre_cards_are_played_in_ones_own_turn_only():
    states = draw("rE:r", players=[{}, hand("ambush", "thief")])
    assert not {name for name in legal(states) if name in ("play ambush", "play thief")}
    with pytest.raises(ValueError, match="there is no ambush in hand"):
        play(states, "play ambush")
