"""Resolve: tasks, surplus dwarfs, mines, tavern, store, digging; then Discard."""

import pytest
from dwar7s_fall.table import draw, dwarfs, legal, play, player, pos


def gems(states, seat: int = 0) -> str:
    return "".join(kind[0] * n for kind, n in player(states, seat)["gems"].items())


@pytest.mark.parametrize(
    ("drawing", "gained"),
    [
        ("bC rE:bb", "e"),
        ("bC rD:bb", "d"),
        ("bC rA:bb", "gg"),
        ("bC rU:bbb", "r"),
        ("bC rE:b", ""),
        ("bC rU:bb", ""),
    ],
)
def test_task_needs_its_dwarfs_and_brings_its_gems(drawing, gained):
    states = draw(drawing, at="H8")
    hand = player(states)["gems"]
    play(states, "pass")
    while pos(states)["phase"] == "discard":
        play(states, next(iter(legal(states) & {"discard gold"})))
    assert sum(hand.values()) == 0
    if gained != "gg":  # of two golds one goes over the limit of nine cards
        assert gems(states) == gained
        assert dwarfs(states, "I8") == ("" if gained else drawing.partition(":")[2])
    else:
        assert gems(states) == "g"


def test_resolve_sends_the_needed_dwarfs_home_and_leaves_a_surplus_dwarf():
    states = play(draw("bC rE:bbb"), "pass")
    assert dwarfs(states, "I8") == "b"
    assert player(states)["pile"] == 6


def test_task_counts_dwarfs_of_one_colour_and_others_do_no_harm():
    states = play(draw("bC rE:bbr"), "pass")
    assert (gems(states), dwarfs(states, "I8")) == ("e", "r")
    assert gems(play(draw("bC rE:br"), "pass")) == ""


def test_only_the_active_kings_tasks_resolve():
    states = play(draw("bC rE:rr"), "pass")
    assert (gems(states, 1), dwarfs(states, "I8")) == ("", "rr")


def test_mine_without_gems_sends_the_dwarfs_home_with_empty_hands():
    # red placed two dwarfs on the diamond mine, but no diamond is left
    players = [{"gems": {"diamond": 8}}, {}]
    states = draw("rC bD:rr", players=players, seat=1)
    play(states, "pass")
    assert (gems(states, 1), dwarfs(states, "I8")) == ("", "")
    assert player(states, 1)["pile"] == 7


def test_mine_with_one_gold_left_gives_one():
    players = [{}, {"gems": {"gold": 9}}]
    states = play(draw("bC rA:bb", players=players), "pass")
    assert gems(states) == "g"
    assert pos(states)["gem_piles"]["gold"] == 0


def test_order_is_the_kings_choice():
    states = play(draw("bC rE:bb rD:bb"), "pass")
    assert legal(states) == {"at I8", "at J8"}
    play(states, "at J8")
    assert gems(states) in ("d", "de", "ed")


def test_a_mine_first_pays_the_store_in_the_same_turn():
    players = [{"gems": {"gold": 2}}, {}]
    states = draw("bC bA bD rE:bb rS:bbb", players=players, goal_row=["T1", "T3", "T9"])
    play(states, "pass", "at K8")
    assert pos(states)["phase"] == "trade"
    play(states, "goal 1")
    assert player(states)["goals"]["T1"] == 1


def test_tavern_gives_the_next_ogre_card_unseen():
    deck = ["ambush"] * 3 + ["brute"] * 3 + ["thief"] * 3 + ["panic"] * 3 + ["crown"]
    states = play(draw("bC rT:bb", ogre_deck=deck), "pass")
    assert player(states)["ogres"]["crown"] == 1
    assert sum(player(states, 1)["known_ogres"][0].values()) == 0


def test_ogre_deck_is_renewed_from_the_discards_and_may_be_empty():
    discard = {"ambush": 3, "brute": 3, "thief": 3, "panic": 3, "crown": 1}
    states = play(draw("bC rT:bb", ogre_deck=[], ogre_discard=discard), "pass")
    assert sum(player(states)["ogres"].values()) == 1
    assert len(pos(states)["ogre_deck"]) == 12
    assert sum(pos(states)["ogre_discard"].values()) == 0
    players = [{}, {"ogres": discard}]
    states = play(draw("bC rT:bb", players=players), "pass")
    assert sum(player(states)["ogres"].values()) == 0


def test_trade_takes_one_goal_for_its_gems_and_refills_the_row():
    players = [{"gems": {"gold": 4, "emerald": 1}}, {}]
    deck = ["T2", "T4", "T5", "T6", "T7", "T8", "T10"]
    states = draw(
        "bC bE bD bA bU rS:bbb", players=players, goal_row=["T1", "T3", "T9"], goal_deck=deck
    )
    play(states, "pass")
    assert legal(states) == {"goal 1", "pass"}
    play(states, "goal 1")
    assert gems(states) == "gg"
    assert pos(states)["gem_piles"] == {"gold": 8, "emerald": 8, "diamond": 8, "ruby": 8}
    assert pos(states)["goal_row"] == ["T10", "T3", "T9"]
    assert pos(states)["seat"] == 1


def test_trade_may_be_declined_and_the_row_shrinks_when_the_deck_is_out():
    players = [
        {"gems": {"gold": 2, "emerald": 1}},
        {"goals": dict.fromkeys(("T2", "T4", "T5", "T6", "T7", "T8", "T10"), 1)},
    ]
    states = draw("bC bE bD rS:bbb", players=players, goal_row=["T1", "T3", "T9"])
    play(states, "pass")
    declined = play(states.copy(), "pass")
    assert gems(declined) == "gge"
    assert player(declined)["goals"]["T1"] == 0
    play(states, "goal 1")
    assert pos(states)["goal_row"] == [None, "T3", "T9"]


def test_dig_puts_the_uppermost_tile_under_the_others_without_turning_it():
    states = play(draw("rC:bb . rAe/rDs/bE"), "pass")
    assert legal(states) == {"at J8", "pass"}
    play(states, "at J8")
    tiles = pos(states)["tiles"]
    assert pos(states)["top"]["J8"] == "red_diamond_mine"
    assert (tiles["red_gold_mine"]["level"], tiles["red_gold_mine"]["turned"]) == (0, "east")
    assert (tiles["blue_emerald_mine"]["level"], tiles["red_diamond_mine"]["level"]) == (1, 2)
    assert tiles["red_diamond_mine"]["turned"] == "south"


def test_dig_may_uncover_the_diggers_own_castle_and_may_be_declined():
    states = play(draw("rC/bC:bb"), "pass")
    assert legal(states) == {"at H8", "pass"}
    assert pos(play(states.copy(), "pass"))["top"]["H8"] == "red_castle"
    play(states, "at H8")
    assert pos(states)["top"]["H8"] == "blue_castle"


def test_dig_needs_two_tiles_no_dwarf_and_no_monster():
    drawing = "rC:bb . bE . rE/bD:r . rF/bA . rT/bT"
    states = play(draw(drawing, at="A8"), "pass")
    assert legal(states) == {"at I8", "pass"}


def test_dig_leaves_a_stack_alone_that_a_monster_guards():
    walled, open_ = "rC:bb . rEn/bD rF", "rC:bb . rEs/bD rFs"
    assert legal(play(draw(walled), "pass")) >= {"at J8"}
    assert pos(play(draw(open_), "pass"))["phase"] != "dig"
    stack = draw(open_, options={"monster_guards": "stack"})
    assert legal(play(stack, "pass")) >= {"at J8"}


def test_dwarfs_on_a_castle_go_home_when_there_is_nothing_to_dig():
    states = play(draw("rC:bb rE"), "pass")
    assert (dwarfs(states, "H8"), player(states)["pile"]) == ("", 7)
    assert pos(states)["seat"] == 1


def test_discard_down_to_nine_cards_only_gems_and_ogres():
    players = [{"gems": {"gold": 1, "ruby": 1}, "ogres": {"thief": 1}}, {}]
    states = play(draw("bC rE", players=players), "pass")  # eight tiles and three cards
    assert legal(states) == {"discard gold", "discard ruby", "discard thief"}
    play(states, "discard gold", "discard thief")
    assert pos(states)["gem_piles"]["gold"] == 10
    assert pos(states)["ogre_discard"]["thief"] == 1
    assert pos(states)["seat"] == 1


def test_hand_limit_is_no_matter_before_discard():
    players = [{"gems": {"gold": 9}}, {}]
    assert "pass" in legal(draw("bC rE", players=players))
