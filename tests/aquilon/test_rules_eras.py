"""The Evaluation of the Orders, the Liquor Certification, Ordo, and the end of the game."""

import pytest
from aquilon.table import GAME, HAND, Box, coins, holders, load, lord, phase, play, seat

GONE = [None] * 5
LAST = ["2", "3", "4", "0", "5"]


def end_of_era_1(*armies, hands=None, options=(), **more):
    """Three lords at the last tavern of Era 1, with three Temple cards in it."""
    box = Box()
    tavern = box.tavern("Temple Occult", "Temple Occult", "Temple 4", size=3)
    own = [box.of(**army) if isinstance(army, dict) else box.cards(*army) for army in armies]
    hands = hands or [LAST] * 3
    players = [
        {"coins": hand, "gem": gem, "army": army}
        for hand, gem, army in zip(hands, (5, 4, 3), own, strict=True)
    ]
    return load(options={"players": 3, **dict(options)}, phase="take", era=0, turn=3, tavern=2,
                taverns=[GONE, GONE, tavern], players=players, **more)  # fmt: skip


def to_the_end(states):
    return play(states, "take 0", "take 1")


def test_end_of_era_1_comes_when_its_deck_is_exhausted_after_the_turn():
    states = end_of_era_1({}, {}, {})
    assert GAME.position(states, 0)["decks"][0]["cards"] == []
    to_the_end(states)
    position = GAME.position(states, 0)
    assert (position["era"], position["turn"], position["phase"]) == (1, 0, "bid")
    assert sum("II" in card for tavern in position["taverns"] for card in tavern if card) == 9


def test_evaluation_gives_each_elite_to_most_ranks_and_none_on_a_tie():
    states = end_of_era_1(
        {"shield": 2, "forge": 1}, {"wanderers": 1, "forge": 1}, {"talion": 1, "shield": 1}
    )
    to_the_end(states)
    elites = {name: who for name, who in holders(states).items() if name != "Liquor Certification"}
    # Temple: everybody takes one; Forge: one each
    assert elites == {"Tiss": 0, "Brum": 1, "Ordo": 2}


def test_evaluation_counts_ranks_not_cards():
    box_line = {"shield": 1, "temple": 1, "wanderers": 1, "forge": 1, "talion": 1}
    states = end_of_era_1(box_line, {"shield": 2}, {}, holder={"Volgrir": 0})
    to_the_end(states)
    assert holders(states)["Tiss"] == 0  # 1 + 2 ranks on two cards


def test_evaluation_elites_bring_rune_occult_and_points():
    states = end_of_era_1({"forge": 1}, {"temple": 1}, {"wanderers": 1})
    to_the_end(states)
    assert {name: holders(states)[name] for name in ("Redwin", "Aral", "Brum")} == {
        "Redwin": 0, "Aral": 1, "Brum": 2,
    }  # fmt: skip
    assert lord(states, 0)["unique_runes"] == 1
    assert lord(states, 1)["occults"] == 3  # board, the card taken, Aral
    assert lord(states, 2)["command_points"] == 13


def test_liquor_certification_goes_to_most_malts_and_to_nobody_on_a_tie():
    states = to_the_end(end_of_era_1(["Shield Malt"], ["Shield Malt", "Wanderers 6 Malt"], {}))
    assert holders(states)["Liquor Certification"] == 1
    states = to_the_end(end_of_era_1(["Shield Malt"], ["Shield Malt"], {}))
    assert "Liquor Certification" not in holders(states)
    states = to_the_end(end_of_era_1({}, {}, {}))
    assert "Liquor Certification" not in holders(states)


def test_liquor_certification_counts_the_command_zone():
    line = {"shield": 1, "temple": 1, "wanderers": 1, "forge": 1, "talion": 1}
    states = end_of_era_1(line, ["Wanderers 13"], {}, holder={"Borogam": 0})
    to_the_end(states)
    assert holders(states)["Liquor Certification"] == 0


def ordo_hand(hand, line=False, **options):
    """Lord 0 wins Ordo at the end of Era 1 with this hand, laid at the boards."""
    army = {"talion": 1}
    more = {}
    if line:
        army = {"shield": 1, "temple": 1, "wanderers": 1, "forge": 1, "talion": 1}
        more = {"holder": {"Kardum": 0}}
    laid = [*hand[2:], hand[0], hand[1]]
    states = end_of_era_1(army, {}, {}, hands=[laid, LAST, LAST], options=options, **more)
    return to_the_end(states)


def test_ordo_adds_the_two_lowest_coins_but_the_0_and_discards_the_lower():
    states = ordo_hand(HAND)
    assert coins(states, 0) == ["0", "3", "4", "5", "gold 5"]
    assert phase(states) == "bid"


def test_ordo_lets_the_lord_choose_between_equal_coins_before_era_2_enters():
    states = ordo_hand(["0", "5", "gold 5", "7", "8"])
    assert (phase(states), seat(states)) == ("ordo", 0)
    assert GAME.position(states, 0)["taverns"] == [GONE] * 3
    gold_leaves = play(states.copy(), "give up 1")
    assert coins(gold_leaves, 0) == ["0", "5", "7", "8", "10"]
    assert coins(play(states, "give up 0"), 0) == ["0", "gold 5", "7", "8", "10"]
    assert phase(states) == "bid"
    states = ordo_hand(["0", "5", "gold 5", "7", "8"], equal_coins="bronze")
    assert coins(states, 0) == ["0", "gold 5", "7", "8", "10"]


def test_ordo_skips_kardums_coin_unless_the_option_says_otherwise():
    # ruling O-1
    hand = ["3 Exchange", "4", "6", "7", "8"]
    assert coins(ordo_hand(hand, line=True), 0) == ["3 Exchange", "6", "7", "8", "10"]
    states = ordo_hand(hand, line=True, ordo_skips_exchange_coin=0)
    assert coins(states, 0) == ["4", "6", "7", "7", "8"]  # 3 + 4, the 3 leaves
    hand = ["3 Exchange", "2", "6", "7", "8"]
    states = ordo_hand(hand, line=True, ordo_skips_exchange_coin=0)
    assert coins(states, 0) == ["3 Exchange", "gold 5", "6", "7", "8"]  # 3 + 2, the 2 leaves


def test_ordo_leaves_out_no_coin_where_kardums_was_upgraded():
    hand = ["3", "4", "gold 5", "7", "8"]
    states = ordo_hand(hand, line=True, exchange_coin_upgradable=1)
    assert coins(states, 0) == ["4", "gold 5", "7", "7", "8"]  # 3 + 4, the 3 leaves


@pytest.mark.parametrize("svara", [False, True])
def test_end_of_game_comes_with_one_card_or_none_left_of_era_2(svara):
    box = Box()
    line = box.of(shield=1, temple=1, wanderers=1, forge=1, talion=1) if svara else []
    tavern = [*box.of(2, shield=3), None, None]
    players = [{"coins": LAST, "gem": gem} for gem in (5, 4, 3)]
    players[0]["army"] = line
    states = load(
        options={"players": 3},
        phase="take",
        era=1,
        turn=3,
        tavern=2,
        taverns=[GONE, GONE, tavern],
        holder={"Svara": 0} if svara else {},
        players=players,
    )
    assert len(GAME.position(states, 0)["decks"][1]["cards"]) == (0 if svara else 1)
    to_the_end(states)
    assert GAME.is_over(states, 0)
    assert seat(states) == -1
    assert GAME.breakdown(states, 0)["end_reason"]
    assert [coins(states, k) for k in range(3)] == [HAND] * 3
