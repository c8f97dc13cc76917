import pytest
from the_duel.table import AXE, before_supply, dice, legal, phase, play, player, shown, side, table

pytestmark = pytest.mark.nojit

NO_TWISTS = ["andokais_power"] * 2  # in the discard: nobody is asked about them


def test_dice_phase_rolls_three_dice() -> None:
    me = side(["begone"], discard=NO_TWISTS)
    states = play(before_supply(me, side(), script=[0, 2, 2]), "pass")
    assert shown(states) == "133"
    assert phase(states) == "cards"


def test_axe_face_is_one_of_six() -> None:
    me = side(["begone"], discard=NO_TWISTS)
    states = play(before_supply(me, side(), script=[AXE, 4, AXE]), "pass")
    assert shown(states) == "5aa"


@pytest.mark.parametrize("n", [1, 2, 3])
def test_additional_dice_come_with_each_reinforcement(n: int) -> None:
    me = side(["begone"], ["reinforcement"] * n, discard=NO_TWISTS)
    states = play(before_supply(me, side(), script=[1] * (3 + n)), "pass")
    assert shown(states) == "2" * (3 + n)


def test_andokais_power_adds_two_dice_before_the_roll() -> None:
    me = side(["andokais_power"] * 2)
    states = play(before_supply(me, side()), "pass")
    assert legal(states) == ["play andokais_power", "roll"]
    play(states, "play andokais_power")
    assert states["rolled"][0] == 5
    states = play(states, "play andokais_power")
    assert states["rolled"][0] == 6  # never more than six
    assert phase(states) == "cards"  # and then there is nothing to ask
    assert len(shown(states)) == 6
    assert player(states, 0)["discard"] == {"andokais_power": 2}


def test_andokais_power_is_unplayable_at_six_dice() -> None:
    me = side(["andokais_power"], ["reinforcement"] * 3)
    states = play(before_supply(me, side()), "pass")
    assert phase(states) == "cards"
    assert "play andokais_power" not in legal(states)


def test_andokais_power_is_asked_about_even_without_it() -> None:
    states = play(before_supply(side(["begone"], top=["begone"]), side()), "pass")
    assert phase(states) == "extra_dice"
    assert legal(states) == ["roll"]


def test_andokais_power_after_the_roll_is_an_option() -> None:
    me = side(["andokais_power"], ["trickery"])
    flag = {"extra_dice_after_roll": True}
    states = before_supply(me, side(), options=flag, script=[0, 0, 1])
    play(states, "pass")
    assert legal(states) == ["play andokais_power", "keep", "re-roll 1", "re-roll 2"]
    states = table(
        me, side(), phase="dice", options=flag, rolled=3, re_rolls=1,
        dice=dice("112"), script=[3, 4, 5],
    )  # fmt: skip
    play(states, "play andokais_power", "re-roll 2")
    assert shown(states) == "1145a"
    assert phase(states) == "cards"  # nobody is asked for more


def test_re_roll_takes_a_die_named_by_its_face() -> None:
    me = side(["begone"], ["trickery"], discard=NO_TWISTS)
    states = play(before_supply(me, side(), script=[0, 0, 3]), "pass")
    assert legal(states) == ["keep", "re-roll 1", "re-roll 4"]
    kept = play(states.copy(), "keep")
    assert shown(kept) == "114"
    assert phase(kept) == "cards"


def test_re_roll_twice_on_the_same_die() -> None:
    """The leaflet's note on two Rodario's Trickery."""
    me = side(["begone"], ["trickery"] * 2, discard=NO_TWISTS)
    states = before_supply(me, side(), script=[0, 0, 3, 1, 0])
    play(states, "pass", "re-roll 4", "re-roll 2")
    assert shown(states) == "111"
    assert phase(states) == "cards"


def test_re_roll_of_one_die_each() -> None:
    me = side(["begone"], ["trickery"] * 2, discard=NO_TWISTS)
    states = before_supply(me, side(), script=[0, 2, 3, 4, AXE])
    play(states, "pass", "re-roll 3", "re-roll 4")
    assert shown(states) == "15a"


def test_re_roll_does_not_count_as_using_a_die() -> None:
    me = side(["begone"], ["trickery"], discard=NO_TWISTS)
    states = before_supply(me, side(), script=[0, 2, 3, 4])
    play(states, "pass", "re-roll 1")
    assert states["die_used"][0] == 0
