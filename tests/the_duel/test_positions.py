import json
from typing import Any

import numpy as np
import pytest
from the_duel.table import GAME, counts, dice, side, table

from dwarrow.envs.core.kernels import States


def some_states(n: int, seed: int = 0, **options: Any) -> list[States]:
    """States all along random games."""
    rng = np.random.default_rng(seed)
    found = []
    for game in range(n):
        states = GAME.new(1, seed=seed + game, **options)
        while not GAME.is_over(states, 0):
            if rng.random() < 0.1:
                found.append(states.copy())
            GAME.step(states, 0, int(rng.choice(GAME.legal(states, 0))))
        found.append(states)
    return found


def test_positions_read_back_exactly() -> None:
    for states in some_states(4, short_rest="printed", extra_dice_after_roll=True):
        written = json.loads(json.dumps(GAME.position(states, 0)))
        assert GAME.load(written).tobytes() == states.tobytes()


def test_options_are_kept_in_the_record() -> None:
    chosen = {"short_rest": "printed", "automatic_payment": True, "window_after_roll": False}
    options = GAME.options_of(GAME.new(**chosen), 0).to_dict()
    assert options == {
        "players": 2, "short_rest": "printed", "automatic_payment": True,
        "extra_dice_after_roll": False, "joker_card_is_die": True, "window_after_roll": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 3}, r"option players=3: allowed are \[2\]"),
        ({"short_rest": "one"}, r"option short_rest='one': allowed are \['any', 'printed'\]"),
        ({"automatic_payment": 2}, "option automatic_payment=2"),
        ({"house_rule": True}, "unknown option 'house_rule'"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GAME.new(**options)


def test_a_partial_position_gets_its_pile_from_the_rest_of_the_deck() -> None:
    hand = counts(["bavragor", "begone"])
    states = GAME.load({"players": {"0": {"hand": hand}}})
    assert GAME.position(states, 0)["players"][0]["hand"] == hand
    assert len(GAME.position(states, 0)["players"][0]["pile"]) == 33
    assert not GAME.violated(states, 0)


def bad(**changes: Any) -> dict[str, Any]:
    position = GAME.position(table(side(["begone"], ["boindil"]), side(), "112"), 0)
    for path, value in changes.items():
        *parents, last = path.split("__")
        place: Any = position
        for key in parents:
            place = place[int(key)] if key.isdigit() else place[key]
        place[last] = value
    return position


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (
            bad(players__0__hand=counts(["begone", "boindil"])),
            r"players\.0: 2 boindil \(hand 1, display 1\) in 36 cards; the deck has 1 in 35",
        ),
        (
            bad(players__0__hand=counts([])),
            r"players\.0: 2 begone \(pile 2\) in 34 cards; the deck has 3 in 35",
        ),
        (bad(players__1__joker_cards=4), "joker_cards_are_not_three"),
        (bad(players__1__joker_cards=-1), "joker_cards_are_not_three"),
        (bad(new_joker_cards=1), "joker_cards_are_not_three"),
        (bad(dice=dice("1123")), "dice_do_not_add_up"),
        (bad(dice=dice("11")), "dice_do_not_add_up"),
        (bad(rolled=7), "dice_do_not_add_up"),
        (bad(players__0__damage={"boindil": 3}), "damage_does_not_fit_the_display"),
        (bad(players__0__damage={"bavragor": 1}), "damage_does_not_fit_the_display"),
        (bad(players__0__damage={"boindil": -1}), "damage_does_not_fit_the_display"),
        (bad(phase="target"), "question_does_not_fit_the_table"),
        (bad(phase="number"), "question_does_not_fit_the_table"),
        (bad(phase="remove"), "question_does_not_fit_the_table"),
        (bad(phase="over"), "question_does_not_fit_the_table"),
        (bad(dealer=0), "question_does_not_fit_the_table"),
        (bad(ended=1), "question_does_not_fit_the_table"),
        (bad(seat=1), "wrong_seat"),
        (bad(active=5), "wrong_seat"),
        (bad(turn=62), "wrong_turn"),
        (bad(turn=4), "wrong_turn"),
        (bad(phase="sleeping"), "phase: 'sleeping' is not one of"),
        (bad(players__0__hand={"bofur": 1}), r"players\.0\.hand\.bofur: unknown"),
        (bad(game="chess"), "position.game: 'chess', this is 'the_duel'"),
    ],
)
def test_bad_positions_are_refused(position: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GAME.load(position)


def test_an_empty_draw_pile_is_refused_while_the_game_goes_on() -> None:
    with pytest.raises(ValueError, match="draw_pile_is_used_up"):
        table(side(pile=[]), side(), "112")


def test_a_card_announced_must_be_payable() -> None:
    me = side(paying="dwarf_king")
    assert GAME.legal(table(me, side(), phase="number", card="dwarf_king",
                            dice=dice("115a1"), rolled=5), 0).size == 1  # fmt: skip
    with pytest.raises(ValueError, match="question_does_not_fit_the_table"):
        table(me, side(), phase="number", card="dwarf_king", dice=dice("112"), rolled=3)
