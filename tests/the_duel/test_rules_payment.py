import pytest
from the_duel.table import GAME, legal, phase, play, player, shown, side, table

pytestmark = pytest.mark.nojit


def test_playing_cards_lays_them_into_the_display_and_spends_the_dice() -> None:
    states = play(table(side(["boindil"]), side(), "1133"), "play boindil", "number 3")
    assert player(states, 0)["display"] == {"boindil": 1}
    assert player(states, 0)["hand"] == {}
    assert shown(states) == "11"
    assert states["die_used"][0] == 1


def test_playing_cards_needs_them_in_hand() -> None:
    states = table(side(["boindil"]), side(), "113")
    with pytest.raises(ValueError, match="andokai is not in hand"):
        play(states, "play andokai")


@pytest.mark.parametrize(("rolled", "left"), [("145", "45"), ("a45", "45")])
def test_single_die_cost_is_the_number_or_an_axe(rolled: str, left: str) -> None:
    states = play(table(side(["bavragor"]), side(), rolled), "play bavragor")
    assert player(states, 0)["display"] == {"bavragor": 1}
    assert shown(states) == left


def test_single_die_cost_can_be_a_joker_card() -> None:
    states = play(table(side(["bavragor"], joker_cards=1), side(), "245"), "play bavragor")
    assert player(states, 0)["joker_cards"] == 0
    assert shown(states) == "245"


def test_single_die_cost_lets_the_payer_choose() -> None:
    states = table(side(["bavragor"], joker_cards=2), side(), "1a5")
    play(states, "play bavragor")
    assert legal(states) == ["axes 0", "axes 1"]
    with_axe = play(states.copy(), "axes 1")
    assert shown(with_axe) == "15"
    play(states, "axes 0")
    assert legal(states) == ["jokers 0", "jokers 1"]
    with_joker = play(states.copy(), "jokers 1")
    assert (shown(with_joker), player(with_joker, 0)["joker_cards"]) == ("15a", 1)
    assert shown(play(states, "jokers 0")) == "5a"


def test_single_die_cost_refuses_other_numbers() -> None:
    states = table(side(["bavragor"]), side(), "2345")
    with pytest.raises(ValueError, match="bavragor costs one die 1; unused are the dice 2 3 4 5"):
        play(states, "play bavragor")


def test_equal_dice_cost_with_an_axe() -> None:
    """The leaflet's example: two fours and an axe for a card of three equal dice."""
    states = play(table(side(["reinforcement"]), side(), "44a"), "play reinforcement")
    assert player(states, 0)["display"] == {"reinforcement": 1}
    assert shown(states) == ""


def test_equal_dice_cost_with_an_axe_and_a_joker_card() -> None:
    """The leaflet's example: a four, an axe and a Joker card."""
    states = table(side(["reinforcement"], joker_cards=1), side(), "4a1")
    play(states, "play reinforcement", "number 4")
    assert player(states, 0)["display"] == {"reinforcement": 1}
    assert shown(states) == "1"
    assert player(states, 0)["joker_cards"] == 0


def test_equal_dice_cost_with_wild_dice_alone() -> None:
    states = table(side(["boindil"], joker_cards=1), side(), "1aa")
    play(states, "play boindil")
    assert legal(states) == ["number 1", "number wild"]
    play(states, "number wild")
    assert legal(states) == ["axes 1", "axes 2"]
    assert shown(play(states.copy(), "axes 2")) == "1"
    assert shown(play(states, "axes 1")) == "1a"


def test_equal_dice_cost_needs_equal_dice() -> None:
    states = table(side(["reinforcement"]), side(), "1234a")
    with pytest.raises(ValueError, match="reinforcement costs 3 equal dice"):
        play(states, "play reinforcement")


def test_equal_dice_cost_is_neither_underpaid_nor_overpaid() -> None:
    states = table(side(["boindil"], joker_cards=2), side(), "11a")
    play(states, "play boindil", "number 1")
    assert legal(states) == ["axes 0", "axes 1"]
    with pytest.raises(ValueError, match="boindil costs 2 equal dice, no more and no less"):
        play(states, "axes 2")
    play(states, "axes 0")
    with pytest.raises(ValueError, match="chosen so far: number 1, axes 0"):
        play(states, "jokers 2")
    assert legal(states) == ["jokers 0", "jokers 1"]


def test_free_cards_use_no_die() -> None:
    states = table(side(["throwing_axe", "short_rest"]), side(), "123")
    play(states, "play throwing_axe", "play short_rest", "number 2")
    assert states["die_used"][0] == 0
    assert shown(states) == "13a"


def test_using_joker_cards_waits_for_the_next_turn() -> None:
    me = side(["bavragor"], joker_cards=2)
    assert "play bavragor" in legal(table(me, side(), "235", new_joker_cards=1))
    assert "play bavragor" not in legal(table(me, side(), "235", new_joker_cards=2))


def test_using_joker_cards_stops_at_those_that_are_usable() -> None:
    me = side(["reinforcement"], joker_cards=2)
    states = play(table(me, side(), "1112", new_joker_cards=1), "play reinforcement")
    assert phase(states) == "jokers"  # a two, and wild dice alone, are not enough
    assert legal(states) == ["jokers 0", "jokers 1"]


def test_using_joker_cards_beside_six_dice() -> None:
    me = side(["four_points"] * 2, joker_cards=3)
    states = table(me, side(), "111122")
    play(states, "play four_points", "number 1", "jokers 0")
    assert shown(states) == "22"
    play(states, "play four_points", "jokers 2")
    assert player(states, 0)["display"] == {"four_points": 2}
    assert player(states, 0)["joker_cards"] == 1


def test_joker_cards_used_go_back_to_the_middle() -> None:
    states = play(
        table(side(["boindil"], joker_cards=3), side(), "245"), "play boindil", "number 4"
    )
    assert [player(states, seat)["joker_cards"] for seat in range(2)] == [2, 0]


@pytest.mark.parametrize(
    ("rolled", "jokers", "left", "jokers_left"),
    [
        ("113a", 2, "3a", 2),  # numbers first
        ("134a", 2, "34", 2),  # then axes; the lowest number
        ("345", 2, "45", 1),  # then Joker cards
    ],
)
def test_automatic_payment_is_the_cheapest(
    rolled: str, jokers: int, left: str, jokers_left: int
) -> None:
    me = side(["andokai"], joker_cards=jokers)
    states = table(me, side(), rolled, options={"automatic_payment": True})
    play(states, "play andokai")
    assert phase(states) == "cards"
    assert player(states, 0)["display"] == {"andokai": 1}
    assert shown(states) == left
    assert player(states, 0)["joker_cards"] == jokers_left


def test_automatic_payment_spares_dice_that_own_allies_can_use() -> None:
    me = side(["andokai"], ["bavragor"])
    states = table(me, side(), "1144", options={"automatic_payment": True})
    assert shown(play(states, "play andokai")) == "11"


def test_illegal_payments_leave_the_position_untouched() -> None:
    states = play(table(side(["boindil"], joker_cards=1), side(), "1144"), "play boindil")
    before = states.tobytes()
    with pytest.raises(ValueError, match="'number 5' is illegal: boindil costs 2 equal dice"):
        GAME.step(states, 0, GAME.action_id("number 5"))
    assert states.tobytes() == before
