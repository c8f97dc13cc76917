"""Search against games that are solved on paper."""

import numpy as np
import pytest
import toys.known  # noqa: F401
from toys import all_pay, crossroads, goofspiel

from dwarrow.agents import make
from dwarrow.agents.search import Thought, tree
from dwarrow.agents.search.selection import by_advice
from dwarrow.envs.core.record import NONE

ROADS, BIDS = crossroads.GAME, goofspiel.GAME


def journey(*turns: str):
    states = ROADS.new()
    for turn in turns:
        ROADS.step(states, 0, ROADS.action_id(turn))
    return states


def mean(thought: Thought, name: str) -> float:
    return next(c.value for c in thought.candidates if c.name == name)


def test_backward_induction_itself():
    # right, right: seat 2 ends it (0.3) rather than let seat 1 turn left (0.6 for it, -0.2 for 2)
    assert crossroads.max_n(1, 1).tolist() == pytest.approx([-0.4, -0.1, 0.3])
    assert crossroads.max_n().tolist() == pytest.approx([0.7, 0.8, 0.4])


@pytest.mark.parametrize("word", range(3))
def test_three_seats_a_double_turn_and_an_interrupt_come_to_the_max_n_value(word: int):
    agent = make("mcts:sims=20000", ROADS)
    thought = agent.think(ROADS, journey(), 0, word)
    assert thought.candidates[0].name == "left"
    assert mean(thought, "left") == pytest.approx(0.7, abs=0.02)
    second = agent.think(ROADS, journey("left"), 0, word)
    assert (second.seat, second.candidates[0].name) == (0, "right")


@pytest.mark.parametrize(
    ("turns", "seat", "best", "value"),
    [
        (("left", "left"), 2, "pass", 0.6),
        (("left", "right"), 2, "pass", 0.4),
        (("right", "left"), 2, "end it", 0.5),
        (("right", "right"), 2, "end it", 0.3),
        (("left", "left", "pass"), 1, "right", 0.3),
        (("right", "right", "pass"), 1, "left", 0.6),
    ],
)
def test_each_seat_maximises_its_own_utility(turns, seat: int, best: str, value: float):
    thought = make("mcts:sims=4000", ROADS).think(ROADS, journey(*turns), 0)
    assert thought.seat == seat
    assert thought.candidates[0].name == best
    assert thought.candidates[0].value == pytest.approx(value, abs=0.03)


def test_flat_monte_carlo_judges_by_random_play():
    thought = make("flat_mc:sims=40000", ROADS).think(ROADS, journey(), 0)
    by_rollout = {
        name: np.mean([[u[0, 0] / 2 + (u[1, 0] + u[2, 0]) / 4] for u in crossroads.UTILITY[k]])
        for k, name in enumerate(("left", "right"))
    }
    for name, value in by_rollout.items():
        assert mean(thought, name) == pytest.approx(value, abs=0.03)


def test_a_rollout_cut_off_is_judged_by_who_has_more_points():
    states = BIDS.new(players=2, seed=3)
    thought = make("flat_mc:sims=9000,c=50,rollout=random,cutoff=1", BIDS).think(BIDS, states, 0)
    for c in thought.candidates:  # the other's bid is made, and nothing more
        assert c.value == pytest.approx((c.action - 1) * 2 / 3, abs=0.05)


@pytest.mark.parametrize("word", range(3))
def test_regret_matching_finds_the_mixed_equilibrium_of_a_sealed_auction(word: int):
    g = all_pay.GAME
    thought = make("mcts:sims=100000,selection=regret", g).think(g, g.new(), 0, word)
    shares = np.zeros(3)
    for c in thought.candidates:
        shares[c.action] = c.share
    assert all_pay.EQUILIBRIUM.tolist() == pytest.approx([0.2, 0.6, 0.2])
    assert np.abs(shares - all_pay.EQUILIBRIUM).sum() < 0.1
    gain_of_best_reply = (all_pay.GAIN @ shares).max()
    assert gain_of_best_reply < 0.02


def test_both_bidders_find_it_whoever_is_asked_last():
    g = all_pay.GAME
    states = g.new()
    g.step(states, 0, 2)
    thought = make("mcts:sims=100000,selection=regret", g).think(g, states, 0)
    # the seat asked last sees no more than the first: the bid drawn for its rival is uniform
    gains = {c.action: c.value for c in thought.candidates}
    expected = -all_pay.GAIN.mean(axis=0)
    assert thought.seat == 1
    for action, gain in gains.items():
        assert gain == pytest.approx(expected[action], abs=0.02)


def pulls(advised: int, trust: float, values: tuple[float, ...], n: int) -> list[int]:
    """Return how often each arm of a bandit is pulled whose arms always pay the same."""
    bandit = tree.allocate(1, len(values), 1, 1)
    tree.clear(bandit)
    word, paid = np.zeros(1, np.uint64), np.zeros(1, np.float32)
    for _ in range(n):
        tree.start(bandit)
        node = tree.find_or_add(bandit, 0)
        mask = np.ones(len(values), np.int8)
        edge = by_advice(bandit, node, mask, len(values), 1.0, trust, advised, word)
        bandit.path["node"], bandit.path["edge"] = node, edge
        paid[0] = values[bandit.edges["action"][edge]]
        tree.backup(bandit, 1, paid)
    table = {row.action: row.visits for row in tree.root_table(bandit, 0)}
    return [table.get(action, 0) for action in range(len(values))]


def test_advice_is_tried_first_and_outgrown_where_it_is_bad():
    good, bad = (0.5, -0.5, 0.0), (-0.5, 0.5, 0.0)
    assert pulls(0, 0.9, good, 1) == [1, 0, 0]
    assert pulls(0, 0.9, good, 20)[0] >= 18
    assert pulls(0, 0.9, bad, 200)[1] > 150
    assert pulls(0, 0.9, bad, 2000)[1] > 1900
    assert pulls(NONE, 0.9, bad, 2000)[1] > 1900  # nobody to ask
    assert pulls(2, 0.0, bad, 2000)[1] > 1900  # no trust


def test_the_decision_at_hand_is_made_without_advice():
    for word in range(20):
        agent = make("mcts:sims=3,rollout=rule,advice=1", BIDS)
        found = agent.think(BIDS, BIDS.new(), 0, word)
        assert [c.visits for c in found.candidates] == [1] * 3


@pytest.mark.parametrize("seed", range(3))
def test_who_trusts_advice_in_full_finds_what_flat_monte_carlo_does(seed: int):
    # the prizes to come are drawn anew in every simulation, and the bid advised goes with the prize
    settings, states = "sims=20000,rollout=rule,epsilon=0,c=1", BIDS.new(1, seed)
    flat, trusting, doubting = (
        {c.name: (c.visits, c.value) for c in make(spec, BIDS).think(BIDS, states, 0).candidates}
        for spec in (f"flat_mc:{settings}", *(f"mcts:{settings},advice={x}" for x in (1, 0)))
    )
    best = next(iter(flat))
    assert trusting.keys() == flat.keys()
    assert trusting[best] == pytest.approx(flat[best], abs=10)
    assert trusting[best][1] == flat[best][1] == 0  # two who bid by the prize draw
    assert doubting[best][0] < 0.9 * flat[best][0]
