import pytest
from the_duel.table import GAME, legal, phase, play, player, shown, side, table

pytestmark = pytest.mark.nojit


def test_card_effects_of_what_lies_in_the_display_last() -> None:
    me = side(["trickery", "two_points"])
    states = table(me, side(), "112233")
    play(states, "play trickery", "number 1", "play two_points", "number 2")
    assert player(states, 0)["display"] == {"trickery": 1, "two_points": 1}
    assert phase(states) == "cards"  # this turn's dice phase is over: no re-roll


def test_short_rest_turns_any_die_into_an_axe() -> None:
    states = table(side(["short_rest"]), side(), "144")
    play(states, "play short_rest")
    assert legal(states) == ["number 1", "number 4"]
    play(states, "number 4")
    assert shown(states) == "14a"
    assert player(states, 0)["discard"] == {"short_rest": 1}
    assert states["die_used"][0] == 0


def test_short_rest_needs_a_die_that_is_no_axe() -> None:
    states = table(side(["short_rest"], joker_cards=2), side(), "aaa")
    with pytest.raises(ValueError, match="short_rest needs a die that fits; the dice are axe axe"):
        play(states, "play short_rest")


def test_short_rest_of_a_printed_number_is_an_option() -> None:
    flag = {"short_rest": "printed"}
    states = table(side(["short_rest"]), side(), "144", options=flag)
    assert shown(play(states, "play short_rest")) == "44a"
    assert "play short_rest" not in legal(table(side(["short_rest"]), side(), "445", options=flag))


@pytest.mark.parametrize("kind", ["reinforcement", "dwarf_king", "four_points", "trickery"])
def test_begone_removes_any_card_of_the_opponents_display(kind: str) -> None:
    other = side(display=[kind, "bavragor"])
    states = table(side(["begone"]), other, "555")
    play(states, "play begone")
    assert len(legal(states, "remove")) == 2
    play(states, f"remove {kind}")
    assert player(states, 1)["display"] == {"bavragor": 1}
    assert player(states, 1)["discard"] == {kind: 1}
    assert player(states, 0)["discard"] == {"begone": 1}


def test_begone_takes_an_undamaged_copy() -> None:
    other = side(display=["two_points"] * 2, damage={"two_points": 1})
    states = play(table(side(["begone"]), other, "555"), "play begone")
    assert player(states, 1)["display"] == {"two_points": 1}
    assert player(states, 1)["damage"]["two_points"] == 1


def test_begone_takes_the_damage_along_with_the_last_copy() -> None:
    other = side(display=["two_points"], damage={"two_points": 1})
    states = play(table(side(["begone"]), other, "555"), "play begone")
    assert player(states, 1)["damage"]["two_points"] == 0


def test_begone_needs_a_display_opposite() -> None:
    states = table(side(["begone"], ["bavragor"]), side(joker_cards=1), "555")
    with pytest.raises(ValueError, match="begone needs a card in the opponent’s display"):
        play(states, "play begone")


def test_joker_ally_turns_dice_into_joker_cards() -> None:
    states = table(side(display=["joker_ally"]), side(), "125a")
    play(states, "fetch with 2", "fetch with axe")
    assert player(states, 0)["joker_cards"] == 2
    assert states["die_used"][0] == 1
    assert shown(states) == "15"
    assert "fetch with joker" not in legal(states)  # both are new


def test_joker_ally_stops_at_three_joker_cards() -> None:
    states = table(side(display=["joker_ally"], joker_cards=2), side(), "125")
    play(states, "fetch with 1")
    assert not legal(states, "fetch")
    with pytest.raises(ValueError, match="seat 0 has all 3 Joker cards"):
        play(states, "fetch with 2")


def test_joker_ally_takes_from_the_opponent_when_the_middle_is_empty() -> None:
    states = table(side(display=["joker_ally"], joker_cards=1), side(joker_cards=2), "125")
    play(states, "fetch with 1")
    assert [player(states, seat)["joker_cards"] for seat in range(2)] == [2, 1]


def test_joker_ally_may_turn_over_an_older_joker_card() -> None:
    states = table(side(display=["joker_ally"], joker_cards=1), side(), "125")
    play(states, "fetch with joker")
    assert player(states, 0)["joker_cards"] == 1
    assert states["new_joker_cards"][0] == 1


def test_points_count_in_the_display_alone() -> None:
    me = side(["four_points"], ["two_points", "three_points"], discard=["three_points"])
    states = table(me, side(display=["four_points", "dwarf_king"]), "125")
    assert GAME.scores(states, 0).tolist() == [5, 4]
