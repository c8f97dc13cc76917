"""Setup, the table for two and for five lords, dwarves entering the taverns."""

import pytest
from aquilon.table import GAME, HAND, Box, coins, gems, legal, load, lord, phase, play, seat


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_setup_gives_five_bronze_coins_and_a_full_treasury(players):
    states = GAME.new(players=players)
    assert [coins(states, k) for k in range(players)] == [HAND] * players
    treasury = GAME.position(states, 0)["treasury"]
    assert sum(treasury.values()) == 34
    assert treasury["7"] == 3
    assert lord(states, 0)["occults"] == 1  # printed on the board
    assert set(GAME.position(states, 0)["holder"].values()) == {-1}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_gems_are_the_highest_one_each_at_random(players):
    dealt = {tuple(gems(GAME.new(seed=seed, players=players))) for seed in range(8)}
    assert all(sorted(g) == list(range(6 - players, 6)) for g in dealt)
    assert len(dealt) > 1


@pytest.mark.parametrize(
    ("players", "slots", "era_1", "era_2"), [(2, 3, 27, 37), (3, 3, 27, 37), (4, 4, 24, 37)]
)
def test_dwarves_enter_one_a_lord_but_three_with_two_lords(players, slots, era_1, era_2):
    position = GAME.position(GAME.new(players=players), 0)
    cards = [card for tavern in position["taverns"] for card in tavern if card]
    assert len(cards) == 3 * slots
    assert not any("II" in card or "*" in card for card in cards)
    assert [len(deck["cards"]) for deck in position["decks"]] == [era_1, era_2]


def test_five_lords_add_the_marked_cards_to_both_decks():
    position = GAME.position(GAME.new(players=5), 0)
    decks = [deck["cards"] for deck in position["decks"]]
    cards = [card for tavern in position["taverns"] for card in tavern]
    assert [len(deck) for deck in decks] == [30, 46]
    assert sum("*" in card for card in cards + decks[0]) == 9
    assert sum("*" in card for card in decks[1]) == 9


def two_lords(tavern, *first):
    box = Box()
    this = box.tavern(*first, size=3)
    taverns = [[None] * 5 if k < tavern else box.tavern(size=3) for k in range(3)]
    taverns[tavern] = this
    return load(
        options={"players": 2},
        phase="take",
        tavern=tavern,
        taverns=taverns,
        players=[
            {"coins": ["5", "4", "3", "0", "2"], "gem": 5},
            {"coins": ["4", "3", "2", "0", "5"], "gem": 4},
        ],
    )


def test_two_lords_discard_the_card_left_in_the_first_tavern():
    states = two_lords(0, "Shield", "Temple 3", "Temple 4")
    play(states, "take 1")
    assert seat(states) == 1
    assert legal(states) == ["take 0", "take 2"]
    play(states, "take 2")
    position = GAME.position(states, 0)
    assert position["tavern"] == 1
    assert position["discarded"] == 1
    assert position["taverns"][0] == [None] * 5
    assert [len(p["army"]) for p in position["players"]] == [1, 1]


def test_two_lords_first_discards_in_the_second_tavern_and_second_takes_the_last():
    states = two_lords(1, "Shield", "Temple 3", "Temple 4")
    before = GAME.position(states, 0)["discarded"]
    play(states, "take 1")
    assert (phase(states), seat(states)) == ("discard", 0)
    assert legal(states) == ["discard 0", "discard 2"]
    play(states, "discard 0")
    position = GAME.position(states, 0)
    assert position["tavern"] == 2
    assert position["discarded"] == before + 1
    assert position["players"][1]["army"] == ["Temple 4 I"]


def test_two_lords_discard_comes_after_the_dwarfs_effect_and_before_recruits():
    # Ruling T-2: a Talion dwarf taken with the 0 first upgrades, then a card goes, then the rest
    box = Box()
    army = box.of(shield=1, temple=1, wanderers=1, forge=1)
    gone = [None] * 5
    states = load(
        options={"players": 2},
        phase="take",
        tavern=1,
        taverns=[gone, box.tavern("Talion 8", size=3), box.tavern(size=3)],
        players=[
            {"coins": ["2", "0", "5", "3", "4"], "gem": 5, "army": army},
            {"coins": ["2", "0", "5", "3", "4"], "gem": 4},
        ],
    )
    play(states, "take 0")
    assert phase(states) == "upgrade"
    play(states, "upgrade purse 1")
    assert phase(states) == "discard"
    play(states, "discard 1")
    assert phase(states) == "recruit"
