"""Two states of one information set look the same to its seat, in text too, and to its players."""

import numpy as np
import pytest
from contract.cases import spread

from dwarrow.agents import make
from dwarrow.agents.players import greedy, players_of, rule
from dwarrow.envs import game
from dwarrow.envs.core.kernels import kernel, legal, step
from dwarrow.envs.core.rng import mix, word_below
from dwarrow.envs.core.table import begin, pick, resample_into

POSITIONS = 12


def test_a_resampled_state_reads_the_same_to_its_seat(g, players):
    for states in spread(g, 5, POSITIONS, players=players):
        for seat in range(players):
            twin = g.resample(states, 0, seat, seed=99)
            assert g.text(twin, 0, seat) == g.text(states, 0, seat)
            assert g.svg(twin, 0, seat) == g.svg(states, 0, seat)
            again = g.resample(states, 0, seat, seed=99)
            assert again.tobytes() == twin.tobytes()


def test_texts_of_hidden_things_differ_between_states_and_seats(g, players):
    """The omniscient text does show what a seat's text hides, or resampling would prove nothing."""
    hidden = 0
    for states in spread(g, 6, POSITIONS, players=players):
        omniscient = g.position(states, 0)
        for seed in range(3):
            twin = g.position(g.resample(states, 0, 0, seed), 0)
            hidden += any(twin[key] != omniscient[key] for key in omniscient if key != "rng")
    assert hidden > 0


@pytest.mark.parametrize("name", ["aquilon", "dwar7s_fall", "the_duel"])
def test_what_only_a_seat_itself_knows_is_in_its_view(name):
    """Its own hidden cards and bids, redrawn for somebody else, look different to it."""
    own = game(name)
    different = {"observation": 0, "text": 0}
    for states in spread(own, 9, POSITIONS, players=2):
        for seed in range(3):
            twin = own.resample(states, 0, 1, seed)
            changed = own.observe(states, 0, 0).tobytes() != own.observe(twin, 0, 0).tobytes()
            different["observation"] += changed
            different["text"] += own.text(states, 0, 0) != own.text(twin, 0, 0)
            assert own.observe(states, 0, 1).tobytes() == own.observe(twin, 0, 1).tobytes()
    assert min(different.values()) > POSITIONS


def test_resampling_leaves_the_true_state_alone(g, players):
    for states in spread(g, 7, 4, players=players):
        before = states.tobytes()
        g.resample(states, 0, players - 1, seed=1)
        assert states.tobytes() == before
    with pytest.raises(ValueError, match=f"seats 0 to {players - 1}"):
        g.resample(states, 0, players, seed=1)


@kernel
def first_peek(states, first_seed, limit, twin, mask):
    """Play at random; return the seed of the first game in which a player peeks, or -1."""
    word, one, two = np.zeros(1, np.uint64), np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    for i in range(len(states)):
        begin(states, i, first_seed + i)
        word[0] = mix(np.uint64(first_seed + i))
        for _ in range(limit):
            n_legal = legal(states, i, mask)
            if n_legal == 0:
                break
            seat = states[i].seat
            resample_into(states, i, seat, word_below(word, 1 << 30), twin, 0)
            one[0], two[0] = word[0], word[0]
            if greedy(states, i, mask, one) != greedy(twin, 0, mask, two):
                return first_seed + i
            if rule(states, i, mask, one) != rule(twin, 0, mask, two) or one[0] != two[0]:
                return first_seed + i
            step(states, i, pick(mask, word_below(word, n_legal)))
    return -1


def test_scripted_players_do_not_peek(g, players):
    players_of(g)
    states = g.blank(100, g.options.parse({"players": players}))
    mask = np.zeros(g.n_actions, np.int8)
    assert first_peek(states, 0, g.max_decisions, g.new(1), mask) == -1


@pytest.mark.parametrize("spec", ["random", "greedy", "rule"])
def test_agents_do_not_peek(g, players, spec):
    assert_fair(g, spec, players)


@pytest.mark.parametrize("spec", ["flat_mc:sims=20", "mcts:sims=40"])
def test_searches_do_not_peek(any_game, g, spec):
    assert_fair(g, spec, g.options().players)


def assert_fair(g, spec: str, players: int) -> None:
    """Same information set, same words, same choice."""
    agent = make(spec, g)
    assert agent.ranked
    for k, states in enumerate(spread(g, 8, POSITIONS, players=players)):
        seat, row = int(states["seat"][0]), np.zeros(1, np.int64)
        word = np.array([k], np.uint64)
        twin = g.resample(states, 0, seat, seed=k)
        assert agent.act(g, states, row, word).action == agent.act(g, twin, row, word).action
