"""OpenSpiel: its own simulation test, exact tools on a tiny auction, the plain loop's returns."""

import copy
import pickle

import numpy as np
import open_spiel_exploitability as example
import pyspiel
import pytest
import toys.all_pay
import toys.known
from integrations.plain import plain_rewards
from open_spiel.python.algorithms import cfr, expected_game_score, ismcts
from open_spiel.python.algorithms.exploitability import exploitability, nash_conv
from open_spiel.python.policy import TabularPolicy, UniformRandomPolicy

from dwarrow import envs
from dwarrow.envs.open_spiel import every_set_up, load, register

envs.add_game("all_pay", "toys.all_pay")
REAL_GAMES = [name for name in envs.games() if envs.module_of(name).startswith("dwarrow.")]


def random_game(game, seed: int) -> tuple[list, pyspiel.State]:
    """Play at random; return the states before each move and the last one."""
    rng, state, before = np.random.default_rng(seed), game.new_initial_state(), []
    state.apply_action(seed)
    while not state.is_terminal():
        before.append(state.clone())
        state.apply_action(int(rng.choice(state.legal_actions())))
    return before, state


@pytest.mark.parametrize("name", [*REAL_GAMES, "goofspiel", "tiny_tavern"])
def test_openspiels_simulation_test_passes(name):
    """Copies, serialisation, legal actions in order, bounds, strings and tensors."""
    for players in envs.game(name).player_counts:
        pyspiel.random_sim_test(load(name, players=players), 1, True, False)


@pytest.mark.parametrize("name", [*REAL_GAMES, "goofspiel"])
def test_returns_are_those_of_the_plain_loop(name):
    for players in envs.game(name).player_counts:
        game = load(name, seeds=range(50, 60), players=players)
        _, state = random_game(game, seed=2)
        deal, *actions = state.history()
        plain = plain_rewards(name, 50 + deal, actions, players=players)
        assert state.returns() == pytest.approx(list(plain.values()))
        assert state.current_player() == pyspiel.PlayerId.TERMINAL


def test_games_are_found_by_name_with_their_options():
    register()
    game = pyspiel.load_game("dwarrow_the_dwarves(players=3,difficulty=heroic,elfar=True)")
    assert (game.num_players(), game.options.difficulty, game.options.elfar) == (3, "heroic", True)
    assert game.get_type().utility == pyspiel.GameType.Utility.IDENTICAL
    named = load("the_dwarves", players=2, heroes=("tungdil", "boindil"))
    assert named.options.heroes == ("tungdil", "boindil")
    assert pyspiel.load_game(str(named)).options == named.options
    with pytest.raises(ValueError, match="option players=9: allowed are"):
        load("aquilon", players=9)
    with pytest.raises(ValueError, match="unknown option 'colour'"):
        load("aquilon", colour="red")
    with pytest.raises(ValueError, match="at least one seed"):
        load("aquilon", seeds=[])
    with pytest.raises(KeyError, match="unknown game 'chess'"):
        load("chess")


@pytest.mark.parametrize("name", REAL_GAMES)
def test_copies_and_pickles_go_on_alike(name):
    before, _ = random_game(load(name), seed=4)
    for state in before[:: max(1, len(before) // 10)]:
        twins = state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))
        action = state.legal_actions()[-1]
        state.apply_action(action)
        for twin in twins:
            twin.apply_action(action)
            assert str(twin) == str(state)
            for seat in range(state.num_players()):
                assert twin.information_state_string(seat) == state.information_state_string(seat)


@pytest.mark.parametrize("name", REAL_GAMES)
def test_a_resampled_state_is_of_the_same_information_state(name):
    before, _ = random_game(load(name), seed=5)
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    for state in before[:: max(1, len(before) // 10)]:
        seat = state.current_player()
        twin = state.resample_from_infostate(seat, sampler)
        assert twin.current_player() == seat
        assert twin.legal_actions() == state.legal_actions()
        assert twin.information_state_string(seat) == state.information_state_string(seat)
        assert twin.observation_string(seat) == state.observation_string(seat)
        assert twin.observation_tensor(seat) == state.observation_tensor(seat)


def test_openspiels_search_plays_a_game_with_hidden_bids():
    game = load("goofspiel", players=3)
    evaluator = example_evaluator()
    bot = ismcts.ISMCTSBot(game, evaluator, 2.0, 50, random_state=np.random.RandomState(1))
    state = game.new_initial_state()
    state.apply_action(0)
    while not state.is_terminal():
        state.apply_action(bot.step(state))
    assert sum(state.returns()) == pytest.approx(0)


def example_evaluator():
    from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

    return RandomRolloutEvaluator(1, np.random.RandomState(0))


# Exact tools


def test_exploitability_of_an_auction_with_a_known_equilibrium():
    """A one-shot all-pay auction: equilibrium and best responses follow from its matrix."""
    game = load("all_pay", seeds=[0])
    gain = toys.all_pay.GAIN
    uniform = np.full(3, 1 / 3)
    assert exploitability(game, UniformRandomPolicy(game)) == pytest.approx((gain @ uniform).max())
    policy = TabularPolicy(game)
    policy.action_probability_array[:] = toys.all_pay.EQUILIBRIUM
    assert exploitability(game, policy) == pytest.approx(0, abs=1e-9)


def test_goofspiel_is_as_exploitable_as_openspiels_own():
    """The same game, written by others in C++: the same value of everything."""
    ours = load("goofspiel", seeds=every_set_up("goofspiel"), players=2)
    theirs = pyspiel.convert_to_turn_based(
        pyspiel.load_game(
            "goofspiel(num_cards=3,players=2,points_order=random,returns_type=win_loss,imp_info=False)"
        )
    )
    assert len(ours.seeds) == 6
    assert nash_conv(ours, UniformRandomPolicy(ours)) == pytest.approx(
        nash_conv(theirs, UniformRandomPolicy(theirs))
    )


def test_the_example_solves_its_tavern():
    game = example.open_game()
    assert len(game.seeds) == 12  # which dwarfs come first, and who has the crown
    uniform = exploitability(game, UniformRandomPolicy(game))
    solved = example.solve(game, iterations=15)
    assert uniform == pytest.approx(17 / 27)
    assert exploitability(game, solved) < 0.05
    # seats and crown are dealt alike, so no seat is worth more than the other
    value = expected_game_score.policy_value(game.new_initial_state(), [solved, solved])
    assert value == pytest.approx([0, 0], abs=0.05)
    for bids in example.first_bids(game, solved).values():
        assert bids.sum() == pytest.approx(1)


def test_perfect_recall_keeps_an_own_bid_that_the_table_forgets():
    """Two ways to the same table are two information states to who remembers them."""
    game = load("tiny_tavern", seeds=[0])
    solver = cfr.CFRSolver(game)
    solver.evaluate_and_update_policy()
    first, second = game.new_initial_state(), game.new_initial_state()
    for action in (0, 1, 2):
        first.apply_action(action)
    for action in (0, 2, 1):
        second.apply_action(action)
    assert first.information_state_string(0) != second.information_state_string(0)


def test_set_ups_that_are_too_many_are_refused():
    with pytest.raises(ValueError, match="too many to list"):
        every_set_up("aquilon", tries=300)
