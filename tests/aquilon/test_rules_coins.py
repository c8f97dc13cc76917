"""Upgrades, exchanges, the treasury's special cases, and what open play tells about coins."""

import pytest
from aquilon.table import AWAY, GAME, Box, coins, legal, load, lord, phase, play, seat

GONE = [None] * 5
LINE = {"shield": 1, "temple": 1, "wanderers": 1, "forge": 1}


def treasury(states):
    return GAME.position(states, 0)["treasury"]


def three(mine, first="Talion 8", tavern=0, others=(AWAY, AWAY), box=None, army=(), **more):
    """Three lords; lord 0 has the turn, his coins by place, `first` lies in slot 0."""
    box = box or Box()
    this = box.tavern(first, size=3)
    taverns = [GONE if k < tavern else box.tavern(size=3) for k in range(3)]
    taverns[tavern] = this
    players = [{"coins": list(mine), "gem": 5, "army": list(army)}]
    players += [{**other, "gem": gem} for other, gem in zip(others, (4, 3), strict=True)]
    options = {"players": 3, **more.pop("options", {})}
    return load(
        options=options, phase="take", tavern=tavern, taverns=taverns, players=players, **more
    )


def test_talion_upgrade_raises_the_coin_of_the_tavern_by_one():
    # page 7: a 5 becomes a 6
    states = play(three(["5", "0", "2", "3", "4"]), "take 0")
    assert coins(states, 0) == ["6", "0", "2", "3", "4"]
    assert treasury(states)["6"] == 1


def test_special_case_takes_the_next_higher_coin_so_a_3_becomes_a_7():
    # page 11: no 4 in the treasury, both 5s and both 6s taken
    others = (
        {"coins": ["2", "gold 5", "6", "0", "8"]},
        {"coins": ["2", "gold 5", "6", "0", "9"]},
    )
    states = play(three(["3", "0", "2", "4", "5"], others=others), "take 0")
    assert coins(states, 0)[0] == "7"
    assert treasury(states)["7"] == 2


def test_special_case_takes_the_next_lower_coin_above_the_highest():
    # a 25 wants 26: there is none, and 25 is barred, so it falls (ruling C-2)
    states = play(three(["25", "0", "2", "3", "4"]), "take 0")
    assert coins(states, 0)[0] == "24"
    assert treasury(states)["25"] == 1


def test_special_case_bars_the_value_just_given_up():
    # 25 and 24 wants 49: the other 25 is not there, 25 is barred, 24 and 23 are in hands
    others = ({"coins": ["2", "3", "4", "0", "23"]}, AWAY)
    states = three(["0", "2", "3", "24", "25"], first="Shield Malt", others=others)
    play(states, "take 1", "take 2")
    assert coins(states, 0)[3:] == ["22", "24"]
    assert treasury(states)["25"] == 1


def test_discarding_coins_gold_returns_and_bronze_leaves_the_game():
    states = play(three(["8", "0", "2", "3", "4"]), "take 0")
    assert coins(states, 0)[0] == "9"
    assert treasury(states)["8"] == 2
    states = play(three(["4", "0", "2", "3", "5"]), "take 0")
    assert coins(states, 0)[0] == "gold 5"
    assert sum(treasury(states).values()) == 33


def test_coin_exchange_after_the_0_replaces_the_higher_purse_coin_by_the_sum():
    states = three(["0", "2", "3", "4", "5"], first="Shield Malt")
    assert seat(states) != 0  # the 0 comes last
    play(states, "take 1", "take 2")
    assert coins(states, 0) == ["0", "2", "3", "4", "9"]
    assert lord(states, 0)["army"] == ["Shield Malt I a"]  # the card comes first
    assert treasury(states)["9"] == 2


def test_coin_exchange_does_not_happen_with_the_0_in_the_purse():
    # ruling C-6
    states = three(["5", "2", "3", "0", "4"], first="Shield Malt")
    play(states, "take 0", "take 1")
    assert coins(states, 0) == ["5", "2", "3", "0", "4"]


def test_coin_exchange_comes_last_after_recruits():
    box = Box()
    army = box.of(temple=1, wanderers=1, forge=1, talion=1)
    others = ({"coins": ["2", "3", "4", "0", "5"]}, {"coins": ["3", "2", "4", "0", "5"]})
    states = three(["0", "2", "3", "4", "5"], "Shield Malt", others=others, box=box, army=army)
    play(states, "take 1", "take 2")
    assert (phase(states), seat(states)) == ("recruit", 0)
    assert coins(states, 0) == ["0", "2", "3", "4", "5"]
    play(states, "recruit Fey")
    assert coins(states, 0) == ["0", "2", "3", "4", "9"]


def test_talion_upgrade_with_the_0_raises_a_purse_coin_and_then_exchanges():
    # page 7: Valeriane turns the 3 of her purse into a 4: there is none, so a 5; then she exchanges
    states = three(["0", "2", "5", "3", "4"])
    play(states, "take 1", "take 2")
    assert (phase(states), seat(states)) == ("upgrade", 0)
    assert legal(states) == ["upgrade purse 0", "upgrade purse 1"]
    play(states, "upgrade purse 0")
    # gold 5 and 4: the 5 is the higher one, replaced by a 9
    assert coins(states, 0) == ["0", "2", "5", "4", "9"]
    assert treasury(states)["gold 5"] == 2


def test_zero_coin_stays_and_kardums_coin_too_unless_the_option_allows():
    # ruling C-8
    for allowed in (0, 1):
        box = Box()
        army = box.of(**LINE, talion=1)
        states = three(
            ["3 Exchange", "2", "5", "3", "4"],
            box=box,
            army=army,
            holder={"Kardum": 0},
            options={"exchange_coin_upgradable": allowed},
            others=({"coins": ["2", "3", "4", "0", "5"]}, {"coins": ["2", "3", "4", "0", "5"]}),
        )
        assert seat(states) == 0
        play(states, "take 0")
        if allowed:
            # the coin there is an exchange coin no more (ruling C-9)
            assert coins(states, 0) == ["gold 5", "2", "5", "3", "4"]
        else:
            assert phase(states) == "upgrade"
            play(states, "upgrade purse 1")
            # 4 became a 5: 3 and 5 make an 8
            assert coins(states, 0) == ["3 Exchange", "2", "5", "3", "8"]


def test_coin_exchange_lets_the_lord_choose_between_a_bronze_and_a_golden_5():
    # ruling C-5
    mine = ["0", "2", "3", "5", "gold 5"]
    states = play(three(mine, first="Shield Malt"), "take 1", "take 2")
    assert (phase(states), seat(states)) == ("exchange", 0)
    assert lord(states, 0)["known"] == [1, 0, 0, 1, 1]
    gives_gold = play(states.copy(), "give up 1")
    assert coins(gives_gold, 0)[3:] == ["5", "10"]
    assert treasury(gives_gold)["gold 5"] == 2
    assert coins(play(states, "give up 0"), 0)[3:] == ["gold 5", "10"]
    states = three(mine, first="Shield Malt", options={"equal_coins": "bronze"})
    play(states, "take 1", "take 2")
    assert coins(states, 0)[3:] == ["gold 5", "10"]


def test_a_purse_shown_tells_the_hidden_bids_as_a_set_and_after_the_second_tavern_exactly():
    # ruling B-2
    states = play(three(["0", "2", "3", "4", "5"], first="Shield Malt"), "take 1", "take 2")
    # three coins are known, and with the reveal of the second tavern all five are
    assert GAME.position(states, 0)["tavern"] == 1
    assert lord(states, 0)["known"] == [1, 1, 1, 1, 1]
    assert lord(states, 1)["known"] == [1, 1, 0, 0, 0]
    assert "laid 0 2 3, purse 4 9" in GAME.text(states, 0, seat=1)


def test_coins_of_a_purse_shown_one_after_another_stay_known():
    states = three(["0", "2", "5", "3", "4"])
    play(states, "take 1", "take 2")
    before = lord(states, 0)
    assert before["known"] == [1, 0, 0, 0, 0]
    play(states, "upgrade purse 1")
    assert lord(states, 0)["known"] == [1, 1, 1, 1, 1]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_treasury_never_runs_dry(players):
    # ruling C-4: at most four gold coins a lord
    assert 34 - 4 * players >= 14
