import pytest
from the_duel.table import GAME, before_supply, legal, phase, play, player, side, table

pytestmark = pytest.mark.nojit


def test_course_of_play_alternates_turns() -> None:
    states = play(table(side(), side(), "123"), "end turn")
    assert states["active"][0] == 1
    assert states["turn"][0] == 4
    assert phase(states) == "extra_dice"
    assert states["die_used"][0] == 0
    assert states["dice"][0].sum() == 0


def test_joker_card_for_a_turn_without_a_die_used() -> None:
    states = play(table(side(["throwing_axe"]), side(), "123"), "play throwing_axe", "end turn")
    assert player(states, 0)["joker_cards"] == 1
    assert states["new_joker_cards"][0] == 0


def test_joker_card_is_not_given_once_a_die_was_used() -> None:
    states = play(table(side(display=["bavragor"]), side(), "123"), "strike with 1", "end turn")
    assert player(states, 0)["joker_cards"] == 0


def test_joker_card_comes_from_the_opponent_when_the_middle_is_empty() -> None:
    states = table(side(joker_cards=1), side(joker_cards=2), "123")
    play(states, "end turn")
    assert [player(states, seat)["joker_cards"] for seat in range(2)] == [2, 1]


def test_joker_card_is_not_given_to_who_has_all_three() -> None:
    states = play(table(side(joker_cards=3), side(), "123"), "end turn")
    assert [player(states, seat)["joker_cards"] for seat in range(2)] == [3, 0]


@pytest.mark.parametrize(("flag", "left"), [(True, 0), (False, 1)])
def test_joker_card_counts_as_a_die_unless_the_option_says_otherwise(flag: bool, left: int) -> None:
    me = side(["bavragor"], joker_cards=1)
    states = table(me, side(), "234", options={"joker_card_is_die": flag})
    play(states, "play bavragor", "end turn")
    assert player(states, 0)["joker_cards"] == left


def test_twists_at_any_time_follow_every_action() -> None:
    me = side(
        ["bavragor", "short_rest", "throwing_axe"], ["joker_ally", "dwarf_king"], top=["begone"]
    )
    other = side(["begone"])
    states = table(me, other, "12345")
    for actions in (
        ["play bavragor"],
        ["play short_rest", "number 2"],
        ["fetch with 3"],
        ["strike with 4", "pass"],
        ["play throwing_axe", "pass"],
    ):
        play(states, *actions)
        assert phase(states) == "window", actions
        assert states["seat"][0] == 1
        assert legal(states) == ["pass"]  # asked although no axe is in hand
        play(states, "pass")
        assert phase(states) == "cards"
    play(states, "end turn")
    assert phase(states) == "window"
    assert states["ended"][0] == 1


def test_twists_at_any_time_follow_the_roll_before_the_first_action() -> None:
    me = side(["begone"], ["dwarf_king"], discard=["andokais_power"] * 2)
    other = side(["throwing_axe"])
    states = play(before_supply(me, other), "pass")
    assert phase(states) == "window"
    play(states, "play throwing_axe", "hit dwarf_king", "pass")
    assert player(states, 0)["display"] == {}
    assert phase(states) == "cards"


def test_twists_at_any_time_after_the_roll_can_be_switched_off() -> None:
    me = side(["begone"], ["dwarf_king"], discard=["andokais_power"] * 2)
    states = before_supply(me, side(["throwing_axe"]), options={"window_after_roll": False})
    play(states, "pass")
    assert phase(states) == "cards"


def test_twists_at_any_time_in_the_last_window_of_a_turn() -> None:
    me = side(["begone"], ["two_points"], damage={"two_points": 1})
    states = table(me, side(["throwing_axe"] * 2), "123")
    play(states, "end turn", "play throwing_axe", "hit two_points", "pass")
    assert player(states, 0)["display"] == {}
    assert phase(states) == "window"  # and again after each throw
    assert legal(states) == ["play throwing_axe", "pass"]
    play(states, "pass")
    assert states["active"][0] == 1
    assert player(states, 0)["joker_cards"] == 1


def test_twists_at_any_time_add_to_the_damage_of_the_turn() -> None:
    me = side(["begone"], ["two_points"])
    states = table(me, side(["throwing_axe"] * 2), "123")
    play(states, "end turn", "play throwing_axe", "hit two_points", "pass")
    play(states, "play throwing_axe", "hit two_points", "pass")
    assert player(states, 0)["discard"] == {"two_points": 1}


def test_twists_at_any_time_are_not_asked_about_once_both_are_discarded() -> None:
    other = side(["begone"], discard=["throwing_axe"] * 2)
    states = play(table(side(["bavragor"]), other, "123"), "play bavragor")
    assert phase(states) == "cards"


def test_twists_at_any_time_exclude_andokais_power() -> None:
    states = table(side(["andokais_power"]), side(["andokais_power"]), "123")
    with pytest.raises(ValueError, match="andokais_power belongs in the dice phase"):
        play(states, "play andokais_power")
    play(states, "end turn")
    assert legal(states) == ["pass"]
    with pytest.raises(ValueError, match="seat 1 is asked whether to throw an axe"):
        GAME.step(states, 0, GAME.action_id("play andokais_power"))


def test_a_throw_in_the_window_can_end_the_game() -> None:
    me = side(["begone"], ["two_points"], pile=["boindil"])
    states = play(table(me, side(["throwing_axe"]), "123"), "end turn")
    play(states, "play throwing_axe", "hit draw_pile")
    assert GAME.is_over(states, 0)
    assert GAME.returns(states, 0).tolist() == [1, -1]
