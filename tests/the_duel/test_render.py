import pytest
from the_duel.table import GAME, before_supply, dice, legal, play, side, table

PAYING = {"phase": "jokers", "card": "boindil", "pay_number": "4", "pay_axes": 0, "rolled": 4}


def test_text_shows_the_whole_table() -> None:
    me = side(["begone"], ["boindil", "reinforcement"], joker_cards=1, damage={"boindil": 2})
    text = GAME.text(table(me, side(["chain_mail"], top=["dwarf_king"]), "14a"), 0)
    assert "turn 3 of seat 0: seat 0 is asked what to do in the card phase" in text
    assert "dice: 1 4 axe; Joker cards in the middle: 2" in text
    assert "display: Boindil (1/3), Reinforcement" in text
    assert "hand: Begone!" in text
    assert "hand: Shadow Armor" in text
    assert "draw pile from the top: Bislipur" in text


def test_text_of_a_seat_hides_hand_and_piles() -> None:
    states = table(side(["begone"]), side(["chain_mail"]), "14a")
    text = GAME.text(states, 0, 0)
    assert "hand: Begone!" in text
    assert "hand: Shadow Armor" not in text
    assert "draw pile from the top" not in text
    assert "in hand or draw pile: Bogglin" in text


def test_text_names_what_is_being_paid_and_dealt() -> None:
    paying = table(side(paying="boindil", joker_cards=1), side(), dice=dice("445a"), **PAYING)
    assert "being paid for: Boindil, number 4, axes 0" in GAME.text(paying, 0)
    me = side(display=["bavragor"])
    dealing = play(table(me, side(["begone"], ["two_points"]), "123"), "strike with 1")
    assert "1 damage by seat 0" in GAME.text(dealing, 0)
    play(dealing, "hit two_points")
    assert "1 damage by seat 0, at Seizure of Âlandur" in GAME.text(dealing, 0)
    play(dealing, "pass", "pass", "end turn")
    assert "a die was used; Joker cards in the middle: 3, the turn is ending" in GAME.text(
        dealing, 0
    )


def test_text_says_who_won() -> None:
    me = side(["begone"], ["four_points"], pile=["boindil"])
    states = play(before_supply(me, side()), "pass")
    assert "the duel is over, seat 0 (the powers of good) wins" in GAME.text(states, 0)
    assert GAME.breakdown(states, 0)["points"][0]["four_points"] == 4
    assert GAME.svg(states, 0).startswith("<svg")


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("play boindil", "boindil is not in hand"),
        ("play chain_mail", "chain_mail answers damage, and none is being dealt"),
        ("play andokais_power", "andokais_power belongs in the dice phase"),
        (
            "play begone",
            "begone costs 3 equal dice; unused are the dice 1 2 3, usable Joker cards 0",
        ),
        ("strike with 2", "no Ally in the display deals damage with a 2"),
        ("strike with axe", "no die axe is left"),
        ("fetch with 1", "joker_ally is not in the display"),
        ("draw 1", "seat 0 is asked what to do in the card phase"),
        ("hit draw_pile", "seat 0 is asked what to do in the card phase"),
    ],
)
def test_illegal_actions_are_explained(action: str, reason: str) -> None:
    hand = ["chain_mail", "andokais_power", "begone"]
    states = table(side(hand, ["bavragor"]), side(display=["bavragor"]), "123")
    assert reason in GAME.explain(states, 0, GAME.action_id(action))


def test_illegal_answers_are_explained() -> None:
    def why(states: object, action: str) -> str:
        return GAME.explain(states, 0, GAME.action_id(action))  # type: ignore[arg-type]

    me = side(["begone", "short_rest"], ["ancient_knowledge", "bavragor"])
    other = side(["begone"], ["two_points", "boindil"])
    supply = play(before_supply(side(["begone"], ["ancient_knowledge"]), other), "pass")
    assert "seat 0 draws 1 to 2 cards" in why(supply, "draw 3")
    rolled = table(me, other, phase="dice", dice=dice("112"), rolled=3)
    assert "no re-roll is left" in why(rolled, "re-roll 1")
    striking = play(table(me, other, "123"), "strike with 1")
    assert "andokai is not in the opponent’s display" in why(striking, "hit andokai")
    removing = play(table(me, other, "444"), "play begone")
    assert "trickery is not in the opponent’s display" in why(removing, "remove trickery")
    resting = play(table(me, other, "123"), "play short_rest")
    assert "does not fit that number; the dice are 1 2 3" in why(resting, "number 5")
    play(resting, "number 1")
    assert "throwing_axe is not in hand" in why(resting, "play throwing_axe")
    assert legal(resting) == ["pass"]
