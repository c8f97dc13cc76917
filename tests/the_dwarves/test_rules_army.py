"""Placing the Army of Evil, Perished Land and its cascades, Blacksaddle, the Doom track."""

import pytest
from the_dwarves.table import Table, at

from dwarrow.envs.core.record import NONE


def test_the_recruitment_dice_fill_the_gate_above_the_hero_marker():
    t = Table().set(hero_marker=3)  # the next space shows gate V
    t.recruit(2, 1, 0)
    t.end_turn()
    assert t.troops("gate V") == [2, 1, 0]
    assert t.used_up
    assert t.s["hero_marker"] == 4


def test_an_empty_supply_places_what_is_left_and_no_substitute():
    t = Table().set(hero_marker=3).put("orc 4", "Porista").put("orc 4", (2, 2))
    t.put("orc 4", (3, 0)).put("orc 4", (3, 1)).put("orc 4", (4, 0)).put("orc 4", (4, -4))
    t.put("orc 4", (2, -4))
    t.recruit(3, 0, 0)  # 28 of 30 orcs stand on the map
    t.end_turn()
    assert t.troops("gate V") == [2, 0, 0]
    assert t.s["supply"][0] == 0


def test_five_troops_turn_a_hex_into_perished_land_and_move_on_by_tile_and_arrow():
    # tile 4, blue: left OO, right OT; the arrow of gate V points south
    t = Table().set(hero_marker=3).put("orc 3", "gate V").next_tile(4)
    t.recruit(1, 1, 0)
    t.end_turn()
    assert t.s["tile"][at("gate V")] == 3
    assert t.troops("gate V") == [0, 0, 0]
    # left of the arrow S is SE, right of it SW, both on the map here
    assert t.troops((1, -4)) == [2, 0, 0]
    assert t.troops((-1, -3)) == [1, 1, 0]
    assert t.troops((0, -3)) == [1, 0, 0]


def test_troops_whose_side_is_blocked_go_with_the_arrow():
    # gate IV, red: the arrow points SW, left of it lies S, right of it NW, which is perished
    t = Table().set(hero_marker=4).perish((3, -3), tile=36).next_tile(1)  # OO left, OO right
    t.put("orc 3, troll 1", "gate IV").recruit(1, 0, 0)
    t.end_turn()
    assert t.troops((4, -2)) == [2, 0, 0]
    assert t.troops((3, -2)) == [2, 1, 0]


def test_troops_of_a_blocked_side_are_not_there_for_the_other_side():
    t = Table().set(hero_marker=4).perish((4, -2), tile=36).next_tile(1)
    t.put("orc 3", "gate IV").recruit(0, 2, 0)
    t.end_turn()
    assert t.troops((3, -3)) == [1, 0, 0]
    assert t.troops((3, -2)) == [2, 2, 0]


def test_troops_that_enter_perished_land_follow_its_arrows():
    t = Table().set(hero_marker=3).perish("gate V", (0, -3), tile=None)
    t.recruit(2, 1, 1)
    t.end_turn()
    assert t.troops("gate V") == [0, 0, 0]
    assert t.troops("Porista") == [2, 1, 1]


def test_a_cascade_goes_on_until_no_hex_has_five():
    t = Table().set(hero_marker=3).next_tile(8, 15, 14, 9)  # none of them moves orcs sideways
    t.put("orc 4", "gate V").put("orc 4", (0, -3)).recruit(1, 0, 0)
    t.end_turn()
    laid = [t.s["tile"][at(h)] + 1 for h in ("gate V", (0, -3), "Porista", (0, -1))]
    assert laid == [8, 15, 14, 9]
    assert t.total("orc") == 0  # nine reached Blacksaddle and were sent back
    assert t.s["doom_marker"] == 41


def test_without_tiles_five_troops_may_stay():
    t = Table().set(hero_marker=3).put("orc 4", "gate V")
    t.s["tile_pile"][:] = NONE
    t.s["n_pile"] = 0
    t.recruit(1, 0, 0)
    t.end_turn()
    assert t.troops("gate V") == [5, 0, 0]


def test_five_troops_at_blacksaddle_return_to_the_supply_and_doom_advances_once():
    t = Table().set(hero_marker=3).put("orc 3", "Blacksaddle")
    t.perish("gate V", (0, -3), "Porista", (0, -1))
    t.recruit(3, 2, 2)
    t.end_turn()
    assert t.troops("Blacksaddle") == [0, 0, 0]
    assert t.s["supply"].tolist() == [30, 25, 20]
    assert t.s["doom_marker"] == 41
    assert t.s["tile"][at("Blacksaddle")] == NONE


def test_four_troops_stay_at_blacksaddle():
    t = Table().set(hero_marker=3)
    t.perish("gate V", (0, -3), "Porista", (0, -1))
    t.recruit(2, 1, 1)
    t.end_turn()
    assert t.troops("Blacksaddle") == [2, 1, 1]
    assert t.s["doom_marker"] == 42


def test_the_game_is_lost_when_the_markers_meet_and_the_icon_is_not_resolved():
    t = Table().set(hero_marker=3, doom_marker=4)
    t.end_turn()
    assert t.s["over"] == 1
    assert t.used_up
    assert t.troops("gate V") == [0, 0, 0]
    assert t.s["end"] == 2


def test_the_game_is_lost_when_doom_comes_to_meet_the_hero_marker():
    t = Table().set(hero_marker=3, doom_marker=5).put("orc 4", "Blacksaddle")
    t.perish("gate V", (0, -3), "Porista", (0, -1))
    t.recruit(1, 0, 0)
    t.end_turn()
    assert t.s["over"] == 1
    assert t.s["doom_marker"] == 4


def test_the_council_icon_moves_the_council_left_but_never_off_the_track():
    for box, wanted in ((5, 4), (0, 0)):
        t = Table().set(hero_marker=5, council=box)
        t.end_turn()
        assert t.s["hero_marker"] == 6
        assert t.s["council"] == wanted


def test_the_threat_icon_shuffles_two_threats_unseen_into_the_adventures():
    t = Table().set(hero_marker=2)
    for slot in ("display 1", "display 2", "display 3"):
        t.show(
            slot,
            {"display 1": "Sealed Letter", "display 2": "Elven Healers"}.get(slot, "Lost Siding"),
        )
    threats, adventures = int(t.s["n_threat"]), int(t.s["n_adventure"])
    t.end_turn()
    assert t.s["n_threat"] == threats - 2
    assert t.s["n_adventure"] == adventures + 2


def test_an_empty_threat_deck_is_no_trouble():
    t = Table().set(hero_marker=2)
    t.show("display 1", "Sealed Letter").show("display 2", "Elven Healers")
    t.show("display 3", "Lost Siding")
    threats = t.s["threat_deck"][: t.s["n_threat"]].tolist()
    t._write("threat_deck", "n_threat", threats[:1])
    t._write(
        "adventure_deck",
        "n_adventure",
        [*t.s["adventure_deck"][: t.s["n_adventure"]].tolist(), *threats[1:]],
    )
    t.end_turn()
    assert t.s["n_threat"] == 0


@pytest.mark.parametrize("steps", [(2, 41), (5, 42)])
def test_the_doom_marker_goes_back_but_not_beyond_its_start(steps):
    back, wanted = steps
    from dwarrow.envs.core.record import as_records
    from dwarrow.envs.the_dwarves.rules.markers import move_doom

    t = Table().set(doom_marker=39)
    if wanted == 42:
        t.set(doom_marker=40)
    states = as_records(t.states)
    run = _run(move_doom)
    run(states, -back)
    assert t.s["doom_marker"] == wanted


def _run(rule):
    from dwarrow.envs.core.kernels import kernel

    @kernel
    def on_first(states, steps):
        rule(states[0], steps)

    return on_first
