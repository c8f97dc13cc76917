"""What a lord may know: known coins, Svara's cards, resampling, events."""

import itertools
from collections import Counter

import numpy as np
import pytest
from aquilon.table import (
    AWAY,
    GAME,
    Box,
    coins,
    hold,
    line_but,
    load,
    lord,
    phase,
    play,
    seat,
    turn,
)
from scipy.stats import chisquare

from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.replay import told
from dwarrow.envs.core.table import resample_into


@kernel
def laid_by(states, seat, other, out, twin):
    """Write the coins of `other`, by place, in many resampled states of `seat`."""
    for k in range(len(out)):
        resample_into(states, 0, seat, k, twin, 0)
        for place in range(5):
            out[k, place] = twin[0].players[other].coins[place]


def drawn(states, seat, other, n):
    """Return how often each placement of the coins of `other` comes up."""
    out = np.zeros((n, 5), np.int64)
    laid_by(states, seat, other, out, states.copy())
    return Counter(map(tuple, out.tolist()))


def placements(hand, known):
    """Every placement of a hand that fits what is known: three ordered bids and a purse."""
    found = set()
    for laid in itertools.permutations(hand):
        if all(coin is None or laid[place] == coin for place, coin in known.items()):
            found.add((*laid[:3], *sorted(laid[3:])))
    return found


@pytest.mark.parametrize(
    "hand", [["0", "2", "3", "4", "5"], ["0", "7", "7", "9", "10"], ["0", "6", "6", "8", "8"]]
)
def test_resample_lays_hidden_coins_uniformly_over_all_placements(hand):
    states = load(options={"players": 2}, players=[{"coins": hand}, {}])
    play(states, GAME.action_name(int(GAME.legal(states, 0)[3])))
    numbers = [int(c) for c in sorted(states["players"]["coins"][0, 0])]
    expected = placements(numbers, {})
    counts = drawn(states, 1, 0, 12_000)
    assert set(counts) == expected
    assert chisquare([counts[key] for key in expected]).pvalue > 1e-4


def test_resample_keeps_what_is_known_and_is_uniform_over_the_rest():
    # tavern 0 is open: the other four coins lie anywhere
    states = load(
        options={"players": 2},
        phase="take",
        players=[
            {"coins": ["5", "0", "2", "3", "4"], "gem": 5},
            {"coins": ["7", "0", "6", "6", "9"], "gem": 4},
        ],
    )
    laid = [int(c) for c in states["players"]["coins"][0, 1]]
    expected = placements(laid, {0: laid[0]})
    counts = drawn(states, 0, 1, 8_000)
    assert set(counts) == expected
    assert chisquare([counts[key] for key in expected]).pvalue > 1e-4


def test_resample_moves_only_the_two_bids_left_once_the_purse_was_shown():
    box = Box()
    taverns = [box.tavern("Shield Malt", size=3), box.tavern(size=3), box.tavern(size=3)]
    states = load(
        options={"players": 3},
        phase="take",
        taverns=taverns,
        players=[
            {"coins": ["2", "0", "3", "4", "5"], "gem": 5},
            {**AWAY, "gem": 4},
            {"coins": ["0", "2", "3", "4", "5"], "gem": 3},
        ],
    )
    play(states, "take 0")
    assert lord(states, 2)["known"] == [1, 0, 0, 0, 0]
    # the last lord exchanges, then tavern 1 opens: all five of his coins are known
    play(states, "take 1")
    assert lord(states, 2)["known"] == [1] * 5
    assert set(drawn(states, 0, 2, 500)) == {tuple(states["players"]["coins"][0, 2].tolist())}


def test_resample_keeps_a_purse_coin_that_was_shown():
    states = load(
        options={"players": 2},
        phase="take",
        players=[
            {"coins": ["5", "0", "2", "3", "4"], "gem": 5},
            {"coins": ["2", "0", "6", "9", "7"], "gem": 4, "known": [1, 0, 0, 1, 0]},
        ],
    )
    laid = [int(c) for c in states["players"]["coins"][0, 1]]
    counts = drawn(states, 0, 1, 3_000)
    assert {key[3] for key in counts} == {laid[3]}  # the 9, shown
    assert len(counts) == 6
    assert chisquare(list(counts.values())).pvalue > 1e-4


def svara():
    box = Box()
    army = box.of(temple=1, wanderers=1, forge=1, talion=1)
    taverns = [box.tavern("Shield Malt", size=3), box.tavern(size=3), box.tavern(size=3)]
    states = load(
        options={"players": 3},
        phase="take",
        taverns=taverns,
        players=[
            {"coins": ["5", "2", "3", "0", "4"], "gem": 5, "army": army},
            {**AWAY, "gem": 4},
            {**AWAY, "gem": 3},
        ],
    )
    return play(states, "take 0", "recruit Svara")


def top(states):
    return GAME.position(states, 0)["decks"][1]["cards"][-5:]


def test_svara_shows_her_cards_to_her_lord_alone():
    states = svara()
    five = top(states)
    assert all(card in GAME.text(states, 0, seat=0) for card in five)
    assert "Svara looks at:" not in GAME.text(states, 0, seat=1)
    piece = GAME.observation["svara"].slice
    assert GAME.observe(states, 0, 0)[piece].any()
    assert not GAME.observe(states, 0, 1)[piece].any()
    assert top(GAME.resample(states, 0, 0, seed=4)) == five
    assert top(GAME.resample(states, 0, 1, seed=4)) != five


def test_resample_shuffles_the_decks_and_keeps_their_cards():
    states = GAME.new(seed=1)
    twin = GAME.resample(states, 0, 0, seed=2)
    for before, after in zip(
        GAME.position(states, 0)["decks"], GAME.position(twin, 0)["decks"], strict=True
    ):
        assert before["cards"] != after["cards"]
        assert sorted(before["cards"]) == sorted(after["cards"])


def test_seen_bids_are_sealed_until_the_last_one_opens_the_tavern():
    states = GAME.new(seed=3)
    for number in range(2):
        assert seat(states) == number
        own = {GAME.seen(states, 0, int(a), number, number) for a in GAME.legal(states, 0)}
        assert len(own) == 60
        for other in range(3):
            if other != number:
                assert GAME.seen(states, 0, 5, number, other) == 0
        play(states, "bid 2 0 4")
    # the third lord's bid: others see the coin at tavern 0, and nothing of the rest
    events = {}
    for action in GAME.legal(states, 0):
        shown = GAME.action_name(int(action)).split(" ")[1]
        events.setdefault(shown, set()).add(GAME.seen(states, 0, int(action), 2, 0))
    assert all(len(event) == 1 for event in events.values())
    assert len(set.union(*events.values())) == 5


def test_seen_a_card_taken_is_the_same_event_to_all_until_coins_come_to_light():
    states = play(GAME.new(seed=3), "bid 4 3 2", "bid 3 2 1", "bid 2 1 0")
    assert phase(states) == "take"
    assert len({GAME.seen(states, 0, 60, 0, k) for k in range(3)}) == 1
    play(states, "take 0")
    # the second to last card: the last one follows, then the next bids are revealed
    one = GAME.resample(states, 0, 0, seed=1)
    other = next(
        t
        for t in (GAME.resample(states, 0, 0, seed=k) for k in range(2, 50))
        if coins(t, 1)[1] != coins(one, 1)[1]
    )
    action = int(GAME.legal(states, 0)[0])
    mover = seat(states)
    assert GAME.seen(one, 0, action, mover, 0) != GAME.seen(other, 0, action, mover, 0)


def test_seen_svaras_pick_tells_others_the_card():
    states = svara()
    events = [GAME.seen(states, 0, GAME.action_id(f"pick {k}"), 0, 1) for k in range(5)]
    cards = [card.split(" II")[0] for card in top(states)]
    assert len(set(events)) == len(set(cards))
    own = [GAME.seen(states, 0, GAME.action_id(f"pick {k}"), 0, 0) for k in range(5)]
    assert len(set(own)) == 5


def consistent(laid, known):
    """Every placement of five coins that differs from `laid` only where it is not known."""
    places = [k for k in range(5) if not known[k]]
    for moved in itertools.permutations([laid[k] for k in places]):
        now = list(laid)
        for place, coin in zip(places, moved, strict=True):
            now[place] = coin
        yield tuple(now[:3]), tuple(sorted(now[3:]))


@pytest.mark.parametrize("players", [2, 4])
def test_known_coins_are_all_that_follows_from_what_was_shown(players):
    """What is the same in every placement that fits is marked known, and nothing else is."""
    checked = 0
    for game_seed in range(6):
        states = GAME.new(seed=game_seed, players=players)
        while not GAME.is_over(states, 0):
            if phase(states) not in ("bid", "ordo"):
                for number in range(players):
                    me = lord(states, number)
                    worlds = list(consistent(me["coins"], me["known"]))
                    for place in range(3):
                        fixed = len({bids[place] for bids, _ in worlds}) == 1
                        assert fixed == bool(me["known"][place])
                    if len({purse for _, purse in worlds}) == 1:
                        assert me["known"][3:] == [1, 1]
                    checked += 0 < sum(me["known"]) < 5
            legal = GAME.legal(states, 0)
            word = (game_seed * 7919 + int(states["decision"][0]) + 1) * 0x9E3779B97F4A7C15
            GAME.step(states, 0, int(legal[word % 2**64 % len(legal)]))
    assert checked > 100


def test_known_coins_a_0_swapped_by_kardum_is_seen_where_it_lay():
    box = Box()
    army = box.of(temple=1, wanderers=1, forge=1, talion=1)
    taverns = [box.tavern("Shield Malt", size=3), box.tavern(size=3), box.tavern(size=3)]
    states = load(
        options={"players": 3},
        phase="take",
        taverns=taverns,
        players=[
            {"coins": ["5", "2", "0", "3", "4"], "gem": 5, "army": army},
            {**AWAY, "gem": 4},
            {**AWAY, "gem": 3},
        ],
    )
    play(states, "take 0", "recruit Kardum")
    assert lord(states, 0)["known"] == [1, 0, 1, 0, 0]
    spots = {key[2] for key in drawn(states, 1, 0, 300)}
    assert spots == {1}  # coin number 1 is Kardum's, everywhere at tavern 2


def derdhr_raises(hand, action):
    """Lord 0 recruits Derdhr, who raises a coin of his face-down purse; also what lord 1 saw."""
    states = play(turn("Shield Malt", line_but("shield"), mine=hand), "take 0", "recruit Derdhr")
    event = GAME.seen(states, 0, GAME.action_id(action), 0, 1)
    assert told(GAME, states, 0, GAME.action_id(action), 1) == "upgrade purse"
    assert told(GAME, states, 0, GAME.action_id(action), 0) == action
    return event, play(states, action)


def test_others_see_which_coin_of_a_purse_rises_but_not_whether_it_is_the_higher():
    event, low = derdhr_raises(["5", "0", "2", "3", "4"], "upgrade purse 0")
    same, high = derdhr_raises(["5", "0", "4", "2", "3"], "upgrade purse 1")
    np.testing.assert_array_equal(GAME.observe(low, 0, 1), GAME.observe(high, 0, 1))
    assert event == same
    other, _ = derdhr_raises(["5", "0", "2", "3", "4"], "upgrade purse 1")
    assert event != other  # the 4 rose


@pytest.mark.parametrize(
    ("holder", "scope", "counts"),
    [({"droh": 0}, "letter", 0), ({"droh": 0}, "dwarfs", 1), ({"droh": 1}, "letter", 1)],
)
def test_a_card_that_would_be_covered_is_marked_as_idle(holder, scope, counts):
    line = {"shield": 1, "temple": 1, "forge": 1, "talion": 1}
    lines = (line, {}) if holder["droh"] == 0 else ({}, line)
    states = turn("Wanderers 10", lines[0], second=lines[1], options={"pariah_scope": scope},
                  holder=hold(**holder))  # fmt: skip
    taverns = GAME.observation["taverns"]
    flag = GAME.observe(states, 0, 0)[taverns.slice].reshape(15, -1)[0, -1]
    assert flag == counts
    play(states, "take 0")
    assert lord(states, 0)["covered"] == ([] if counts else [10])
