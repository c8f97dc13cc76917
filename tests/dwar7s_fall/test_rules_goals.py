"""Secret goals, and when they may be revealed."""

import pytest
from dwar7s_fall.table import GAME, draw, legal, play, player, pos


def reveals(drawing: str, secret: str, players: int = 3, **mine) -> bool:
    kings = [{"secret": secret, **mine}, *({} for _ in range(players - 1))]
    return "reveal" in legal(draw(drawing, options={"players": players}, players=kings, at="A8"))


@pytest.mark.parametrize(
    ("secret", "done", "not_yet"),
    [
        ("emeralds", {"gems": {"emerald": 5}}, {"gems": {"emerald": 4, "ruby": 3}}),
        (
            "gem_of_every_kind",
            {"gems": dict.fromkeys(("gold", "emerald", "diamond", "ruby"), 1)},
            {"gems": {"gold": 3, "emerald": 1, "diamond": 1}},
        ),
        ("ogres_in_hand", {"ogres": {"ambush": 3, "brute": 2}}, {"ogres": {"ambush": 3}}),
    ],
)
def test_secret_goals_of_cards_in_hand(secret, done, not_yet):
    assert reveals("bC", secret, **done)
    assert not reveals("bC", secret, **not_yet)


def test_secret_goal_of_a_trio_on_two_monsters():
    assert reveals("bC rF:bbb rI:bbb", "dwarf_trios")
    assert not reveals("bC rF:bbbb rI:bb", "dwarf_trios")
    assert not reveals("bC rF:rrr rI:rrr", "dwarf_trios")


def test_secret_goal_of_two_monsters_beaten():
    beaten = {"place": "beaten", "beaten_by": "blue"}
    one = {"red_fire_dragon": beaten}
    for tiles, done in ((one, False), ({**one, "blue_frost_giant": beaten}, True)):
        states = draw("bC", players=[{"secret": "monsters_beaten"}, {}], more_tiles=tiles)
        assert ("reveal" in legal(states)) == done


def test_secret_goal_of_eight_tiles_in_the_kingdom():
    # diamond mine, tavern: walls north and south; the rest: a wall to the north only
    eight = "bC rA rD rT rS gA gD gT"
    assert reveals(eight, "kingdom_tiles")
    assert not reveals("bC rA rD rT rS gA gD", "kingdom_tiles")
    assert not reveals("bCe rA rD rT rS gA gD gT", "kingdom_tiles")  # its wall shuts it in
    assert reveals("bC rF rD rT rS gA gD gT", "kingdom_tiles")  # a monster is a tile of it


def test_secret_goal_of_ten_points_in_the_kingdom():
    # castle 2, store 2, gold 1, diamond 1, tavern 1
    assert reveals("bC rS rA rD rT gS gA", "kingdom_points")
    assert not reveals("bC rS rA rD rT gS", "kingdom_points")
    assert not reveals("gC/bC rS rA rD rT gS gA", "kingdom_points")  # covered: not in play


def test_shared_kingdoms_count_for_both_kings():
    drawing = "bC rA rD rT rS gC gD gT"
    assert reveals(drawing, "kingdom_tiles")
    kings = [{}, {}, {"secret": "kingdom_tiles"}]
    states = draw(drawing, options={"players": 3}, players=kings, at="A8", seat=2)
    assert "reveal" in legal(states)


def test_reveal_stays_done_and_spends_nothing():
    states = draw("bC", players=[{"secret": "emeralds", "gems": {"emerald": 5}}, {}])
    play(states, "reveal")
    assert (player(states)["revealed"], player(states)["gems"]["emerald"]) == (1, 5)
    assert pos(states)["used"] == 0
    assert "reveal" not in legal(states)
    with pytest.raises(ValueError, match="the secret goal is revealed already"):
        play(states, "reveal")


def test_reveal_between_two_tasks():
    # the emerald makes one of every kind; the store would then take it
    mine = {"secret": "gem_of_every_kind", "gems": {"gold": 2, "diamond": 1, "ruby": 1}}
    states = draw("bC bA bD bU rE:bb rS:bbb", players=[mine, {}], goal_row=["T1", "T5", "T6"])
    play(states, "pass", "at L8")
    assert legal(states) == {"at M8", "reveal"}
    play(states, "reveal")
    assert pos(states)["phase"] == "trade"
    assert player(states)["revealed"] == 1


def test_reveal_after_resolve_and_before_discard():
    mine = {"secret": "emeralds", "gems": {"emerald": 4}}
    states = draw("bC rE:bb", players=[mine, {}])
    play(states, "pass")
    assert (pos(states)["phase"], legal(states)) == ("show", {"reveal", "pass"})
    play(states, "reveal")
    assert pos(states)["phase"] == "discard"


def test_whether_a_king_is_asked_does_not_depend_on_his_secret():
    phases = []
    for secret in ("emeralds", "kingdom_tiles", "dwarf_trios"):
        mine = {"secret": secret, "gems": {"emerald": 4}}
        phases.append(pos(play(draw("bC rE:bb", players=[mine, {}]), "pass"))["phase"])
    assert phases == ["show"] * 3


def test_final_reveal_comes_by_itself():
    kings = [
        {"goals": {"T1": 1, "T2": 1, "T3": 1}, "secret": "emeralds", "gems": {"emerald": 5}},
        {"secret": "ogres_in_hand", "ogres": {"ambush": 3, "panic": 2}},
    ]
    states = draw("bC bE bA bT bD rC rE rD rA rT", players=kings, at="A8")
    play(states, "pass", "pass")
    assert GAME.is_over(states, 0)
    assert [player(states, k)["revealed"] for k in (0, 1)] == [1, 1]


def test_reveal_any_time_only_with_the_option():
    kings = [{}, {"secret": "emeralds", "gems": {"emerald": 5}}]
    assert pos(play(draw("bC rE", players=kings), "at I8"))["seat"] == 0
    states = draw("bC rE", players=kings, options={"reveal_interrupt": 1})
    play(states, "at I8")
    assert (pos(states)["seat"], pos(states)["phase"]) == (1, "window")
    assert legal(states) == {"reveal", "pass"}
    play(states, "reveal")
    assert player(states, 1)["revealed"] == 1
    assert (pos(states)["seat"], pos(states)["phase"], pos(states)["used"]) == (0, "act", 1)
    play(states, "at I8")
    assert pos(states)["seat"] == 0  # there is nothing left to ask red


def test_a_victim_may_reveal_before_the_thief_strikes():
    kings = [{"ogres": {"thief": 1}}, {"secret": "emeralds", "gems": {"emerald": 5}}]
    states = draw("bC rE", players=kings, options={"reveal_interrupt": 1})
    play(states, "play thief")
    assert (pos(states)["seat"], pos(states)["phase"]) == (1, "window")
    play(states, "reveal")
    assert player(states, 1)["revealed"] == 1
    assert player(states, 0)["gems"]["emerald"] == 1


def test_windows_are_asked_whatever_the_secret_is():
    for secret in ("kingdom_tiles", "ogres_in_hand"):
        kings = [{}, {"secret": secret}]
        states = draw("bC rE", players=kings, options={"reveal_interrupt": 1})
        play(states, "at I8")
        assert pos(states)["phase"] == "window"
        assert legal(states) == {"pass"}
