"""Positions in words and back, partial ones completed, unsound ones refused, reasons in words."""

import json
import re

import pytest
from aquilon.table import GAME, HAND, Box, coins, load, lord, play


def test_position_in_part_counts_army_and_cognars():
    army = Box().of(shield=2, temple=1, wanderers=1, forge=1, talion=1)
    states = load(options={"players": 3}, players={"1": {"army": army}}, holder={"Gurdan": 1})
    me = lord(states, 1)
    assert list(me["ranks"].values()) == [2, 1, 1, 1, 1]
    assert (me["command_points"], me["recruited"], me["lost"]) == (22, 1, 0)


def test_position_in_part_takes_cards_of_armies_out_of_decks_and_taverns():
    army = Box().of(shield=8, temple=7, wanderers=4)
    states = load(options={"players": 3}, turn=2, players={"0": {"army": army}})
    position = GAME.position(states, 0)
    lying = [c for t in position["taverns"] for c in t if c]
    lying += [c for deck in position["decks"] for c in deck["cards"]]
    assert not set(lying) & set(army)
    assert len(lying) == len(set(lying))
    assert len(position["decks"][0]["cards"]) % 9 == 0
    play(states, "bid 0 1 2", "bid 0 1 2", "bid 0 1 2", "take 0")


def test_position_in_part_counts_the_treasury_from_the_hands():
    states = load(options={"players": 2}, players=[{"coins": ["0", "7", "7", "7", "25"]}, {}])
    treasury = GAME.position(states, 0)["treasury"]
    assert (treasury["7"], treasury["25"], treasury["8"]) == (0, 0, 2)


def test_position_in_part_sorts_hands_and_orders_the_lords():
    states = load(options={"players": 2}, players=[{"coins": ["5", "4", "3", "2", "0"]}, {}])
    assert coins(states, 0) == HAND
    states = load(
        options={"players": 2},
        phase="take",
        players=[
            {"coins": ["2", "4", "3", "5", "0"], "gem": 4},
            {"coins": ["5", "4", "3", "2", "0"], "gem": 5},
        ],
    )
    assert GAME.position(states, 0)["order"] == [1, 0]
    assert coins(states, 0)[3:] == ["0", "5"]


def test_position_of_every_decision_loads_to_the_same_state():
    for players in (2, 5):
        states = GAME.new(seed=11, players=players)
        while not GAME.is_over(states, 0):
            position = json.loads(json.dumps(GAME.position(states, 0)))
            assert GAME.load(position).tobytes() == states.tobytes()
            legal = GAME.legal(states, 0)
            GAME.step(states, 0, int(legal[len(legal) // 2]))


TWICE = Box().of(shield=1)


@pytest.mark.parametrize(
    ("position", "broken"),
    [
        ({"players": {"0": {"army": TWICE}, "1": {"army": TWICE}}}, "dwarf_card_twice"),
        ({"players": {"0": {"army": ["Shield I*"]}}}, "dwarf_card_not_of_this_game"),
        ({"players": {"0": {"coins": ["2", "2", "3", "4", "5"]}}}, "coins_do_not_add_up"),
        ({"players": {"0": {"coins": ["0", "25", "25", "4", "5"]}}}, "coins_do_not_add_up"),
        ({"players": {"0": {"coins": ["3 Exchange", "2", "3", "4", "5"]}}}, "coins_do_not_add_up"),
        ({"treasury": {"7": 2}}, "coins_do_not_add_up"),
        ({"players": {"0": {"gem": 1}}}, "gems_are_not_the_highest"),
        ({"holder": {"Oberon": 0}}, "cognars_are_misplaced"),
        ({"holder": {"Tadgar": 0}}, "cognars_are_misplaced"),
        ({"holder": {"Fey": 0}}, "recruits_do_not_match_lines"),
        ({"players": {"0": {"covered": [7]}}}, "covered_points_do_not_fit"),
        ({"seat": 3}, "no_such_seat"),
        ({"phase": "place"}, "cognars_are_misplaced"),
        ({"decks": {"0": {"cards": ["Shield I a"]}}}, "deck_size_does_not_fit_the_turn"),
        ({"taverns": [[None] * 5] * 3}, "taverns_do_not_fit_the_turn"),
    ],
)
def test_position_that_breaks_the_rules_is_refused_by_name(position, broken):
    with pytest.raises(ValueError, match=f"breaks the rules of Dwarves of Aquilon: .*{broken}"):
        load(options={"players": 3}, **position)


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"players": {"0": {"army": ["Shield 9"]}}}, "players.0.army.0: 'Shield 9' is not one of"),
        ({"players": {"0": {"coins": ["1"] * 5}}}, "players.0.coins.0: '1' is not one of"),
        ({"holder": {"Gandalf": 0}}, "holder.Gandalf: unknown"),
        ({"phase": "sleep"}, "phase: 'sleep' is not one of"),
        ({"options": {"players": 6}}, "option players=6: allowed are"),
        ({"options": {"pariah_scope": "all"}}, "option pariah_scope='all': allowed are"),
    ],
)
def test_position_with_unknown_words_is_refused_with_the_path(position, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        load(**position)


@pytest.mark.parametrize(
    ("played", "action", "reason"),
    [
        ((), "take 0", "seat 0 decides which coins to bid"),
        (
            ("bid 4 3 2", "bid 3 2 1", "bid 2 1 0"),
            "bid 4 3 2",
            "seat 0 decides which dwarf to take",
        ),
        (("bid 4 3 2", "bid 3 2 1", "bid 2 1 0"), "take 4", "no card in that slot"),
        (("bid 4 3 2", "bid 3 2 1", "bid 2 1 0"), "recruit Fey", "decides which dwarf to take"),
    ],
)
def test_why_an_action_is_illegal_is_said_in_a_sentence(played, action, reason):
    states = play(GAME.new(seed=3), *played)
    before = states.tobytes()
    number = GAME.action_id(action)
    assert reason in GAME.explain(states, 0, number)
    with pytest.raises(ValueError, match="is illegal"):
        GAME.step(states, 0, number)
    assert states.tobytes() == before


def test_why_equal_coins_have_one_bid():
    states = load(options={"players": 2}, players=[{"coins": ["0", "4", "7", "7", "9"]}, {}])
    assert "as another bid does" in GAME.explain(states, 0, GAME.action_id("bid 3 2 0"))


def test_text_shows_the_table_and_hides_what_a_seat_may_not_see():
    states = play(GAME.new(seed=3), "bid 4 3 2", "bid 3 2 1")
    everything = GAME.text(states, 0)
    assert "seat 2 decides which coins to bid" in everything
    assert "laid (5) (4) (3), purse (0) (2)" in everything
    assert "laid ? ? ?, purse ? ?" in GAME.text(states, 0, seat=2)
    assert "laid (5) (4) (3), purse (0) (2)" in GAME.text(states, 0, seat=0)
