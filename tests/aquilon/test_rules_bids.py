"""Bids, ties, the order of the lords, exchanging gems."""

import numpy as np
import pytest
from aquilon.table import GAME, HAND, Box, coins, gems, legal, load, lord, phase, play, seat

from dwarrow.envs.aquilon.actions import N_BIDS


def order(states):
    return GAME.position(states, 0)["order"]


def at_first_tavern(bids, dealt, **more):
    """Five lords at tavern 0 with these coins there; gold for what is not bronze."""
    rest = ["2", "3", "4", "5", "6"]
    players = [
        {"coins": [bid, *([c for c in ["0", *rest] if c != bid][:4])], "gem": gem}
        for bid, gem in zip(bids, dealt, strict=True)
    ]
    return load(options={"players": len(bids)}, phase="take", players=players, **more)


def test_bids_are_laid_by_all_lords_before_any_is_revealed():
    states = GAME.new(players=3)
    for number in range(3):
        assert (phase(states), seat(states)) == ("bid", number)
        assert len(legal(states)) == N_BIDS
        play(states, "bid 2 0 4")
    assert phase(states) == "take"
    assert [coins(states, k) for k in range(3)] == [["3", "0", "5", "2", "4"]] * 3


def test_bids_of_the_same_coins_have_one_legal_number():
    # with two 7s in hand: the assignments of five coins, two of them alike, to three taverns and
    # a purse: 60 when all differ; counted here from scratch
    states = load(options={"players": 2}, players=[{"coins": ["0", "4", "7", "7", "9"]}, {}])
    laid = set()
    for name in legal(states):
        after = play(states.copy(), name)
        laid.add(tuple(coins(after, 0)))
    assert len(laid) == len(legal(states)) == 33
    assert "bid 3 2 0" not in legal(states)
    assert "bid 2 3 0" in legal(states)


def test_bids_tell_a_bronze_5_from_a_golden_one():
    states = load(options={"players": 2}, players=[{"coins": ["0", "4", "5", "gold 5", "9"]}, {}])
    assert len(legal(states)) == N_BIDS


def test_revealing_bids_shows_only_the_tavern_being_resolved():
    states = play(GAME.new(seed=2, players=2), "bid 4 2 0", "bid 1 2 3")
    assert order(states) == [0, 1]
    assert GAME.position(states, 0)["revealed"] == [5, 2]
    assert [lord(states, k)["known"] for k in range(2)] == [[1, 0, 0, 0, 0]] * 2
    text = GAME.text(states, 0, seat=1)
    assert "laid 5 ? ?, purse ? ?" in text


def test_ties_are_broken_by_gem():
    # page 8: Serge (gem 3) bid 5; Celine (gem 5) and Valeriane (gem 1) bid 2
    states = at_first_tavern(["5", "2", "2", "0", "0"], [3, 5, 1, 4, 2])
    assert order(states)[:3] == [0, 1, 2]
    assert seat(states) == 0


def test_ties_of_an_exchange_coin_with_a_3_go_by_value_alone():
    # Ruling B-5
    army = Box().of(shield=1, temple=1, wanderers=1, forge=1, talion=1)
    states = load(
        options={"players": 2},
        phase="take",
        holder={"Kardum": 0},
        players=[
            {"coins": ["3 Exchange", "2", "4", "3", "5"], "gem": 4, "army": army},
            {"coins": ["3", "2", "4", "0", "5"], "gem": 5},
        ],
    )
    assert order(states) == [1, 0]


def take_all(states):
    while phase(states) == "take" and GAME.position(states, 0)["tavern"] == 0:
        play(states, legal(states)[0])
    return states


def test_gem_exchange_of_five_lords_in_two_groups():
    # page 10: Serge 3 and Anne 1 bid 3; Valeriane 5, Alex 4 and Jean-Marie 2 bid 0
    box = Box()
    shields = [box.tavern(size=5) for _ in range(3)]
    states = at_first_tavern(["3", "3", "0", "0", "0"], [3, 1, 5, 4, 2], taverns=shields)
    assert order(states) == [0, 1, 2, 3, 4]
    take_all(states)
    assert GAME.position(states, 0)["tavern"] == 1
    assert gems(states) == [1, 3, 2, 4, 5]


@pytest.mark.parametrize(
    ("bids", "before", "after"),
    [
        (["4", "4"], [4, 5], [5, 4]),
        (["4", "4", "4"], [3, 5, 4], [5, 3, 4]),
        (["4", "4", "4", "4"], [2, 5, 3, 4], [5, 2, 4, 3]),
        (["4", "4", "4", "4", "4"], [1, 5, 2, 4, 3], [5, 1, 4, 2, 3]),
        (["4", "4", "2", "2"], [2, 5, 3, 4], [5, 2, 4, 3]),
        (["4", "4", "3", "3", "2"], [2, 5, 3, 1, 4], [5, 2, 1, 3, 4]),
        (["2", "3", "4"], [3, 5, 4], [3, 5, 4]),
    ],
)
def test_gem_exchange_swaps_outer_gems_then_inner_ones(bids, before, after):
    box = Box()
    size = max(3, len(bids))
    taverns = [box.tavern(size=size) for _ in range(3)]
    states = take_all(at_first_tavern(bids, before, taverns=taverns))
    assert gems(states) == after


def test_gem_exchange_goes_by_the_coins_as_revealed():
    # a Talion dwarf raises one of two tied coins: both still take part, and the order stands
    box = Box()
    taverns = [box.tavern("Talion 8", size=3), box.tavern(size=3), box.tavern(size=3)]
    states = at_first_tavern(["4", "4", "2"], [5, 4, 3], taverns=taverns)
    play(states, "take 0")
    assert coins(states, 0)[0] == "gold 5"
    assert seat(states) == 1
    take_all(states)
    assert gems(states) == [4, 5, 3]


def test_gem_exchange_comes_after_the_third_tavern_too():
    box = Box()
    gone = [None] * 5
    states = load(
        options={"players": 3},
        phase="take",
        tavern=2,
        taverns=[gone, gone, box.tavern(size=3)],
        players=[{"coins": ["2", "3", "4", "0", "5"], "gem": gem} for gem in (4, 3, 5)],
    )
    play(states, "take 0", "take 1")
    assert phase(states) == "bid"
    assert gems(states) == [4, 5, 3]


def test_coins_back_in_hand_are_sorted_and_no_place_is_known_any_more():
    box = Box()
    gone = [None] * 5
    states = load(
        options={"players": 3},
        phase="take",
        tavern=2,
        taverns=[gone, gone, box.tavern(size=3)],
        players=[{"coins": ["5", "3", "2", "0", "4"], "gem": gem} for gem in (3, 4, 5)],
    )
    assert all(np.all(lord(states, k)["known"]) for k in range(3))
    play(states, "take 0", "take 1")
    assert [coins(states, k) for k in range(3)] == [HAND] * 3
    assert not any(any(lord(states, k)["known"]) for k in range(3))


def test_active_lords_turn_the_last_card_is_taken_without_a_decision():
    box = Box()
    taverns = [box.tavern(size=3) for _ in range(3)]
    states = at_first_tavern(["5", "4", "2"], [5, 4, 3], taverns=taverns)
    play(states, "take 0", "take 2")
    position = GAME.position(states, 0)
    assert position["tavern"] == 1
    assert [len(p["army"]) for p in position["players"]] == [1, 1, 1]
