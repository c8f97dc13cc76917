"""Gymnasium's own tests and the single-agent and vector forms, over every game."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from contract.cases import policy
from gymnasium.utils.env_checker import check_env, data_equivalence

from dwarrow.agents import make
from dwarrow.envs import single, vector
from dwarrow.envs.registration import gymnasium_id, register

register()  # the toy, which became known after the registration module was imported


def test_check_env_passes_on_a_registered_game(any_game, capsys):
    """It samples without a mask, hence ``terminate``."""
    env = gymnasium.make(gymnasium_id(any_game), illegal="terminate").unwrapped
    check_env(env)


def test_single_plays_whole_games_at_every_player_count(case, players, g):
    env = single(g.name, players=players, opponents=make("greedy", g))
    for seed in range(3):
        _view, info = env.reset(seed=seed)
        rewards, over, decisions = [], False, 0
        while not over:
            masks = env.action_masks()
            assert masks.dtype == bool
            np.testing.assert_array_equal(masks, info["action_mask"])
            action = policy(np.flatnonzero(masks), seed, decisions)
            view, reward, over, truncated, info = env.step(action)
            assert view in env.observation_space
            assert not truncated
            rewards.append(reward)
            decisions += 1
        assert rewards[-1] == env.table.game.returns(env.table.states, 0)[info["seat"]]
        assert not any(rewards[:-1])
        assert info["end_reason"]


def test_single_seats_its_opponents_after_the_learner(any_game, g):
    players = g.player_counts[-1]
    asked = []

    class Spy:
        def __init__(self, place: int) -> None:
            self.place, self.inner = place, make("random", g)

        def act(self, game, states, rows, words):
            asked.append((self.place, int(states["seat"][rows[0]])))
            return self.inner.act(game, states, rows, words)

    opponents = [Spy(k) for k in range(players - 1)]
    env = single(g.name, players=players, opponents=opponents, seat=1 % players)
    env.reset(seed=0)
    over, k = False, 0
    while not over:
        k += 1
        action = policy(np.flatnonzero(env.action_masks()), 0, k)
        _, _, over, _, _ = env.step(action)
    assert env.seat == 1 % players
    assert all((env.seat + 1 + place) % players == seat for place, seat in asked)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_single_copies_go_on_alike(any_game, copied):
    env = single(any_game)
    env.reset(seed=4)
    twin = copied(env)
    for _ in range(30):
        action = int(env.action_masks().argmax())
        outcome = env.step(action)
        assert data_equivalence(outcome, twin.step(action))
        if outcome[2]:
            break
    assert data_equivalence(env.reset(), twin.reset())


def test_vector_env_plays_its_seat_in_many_games(case, players, g):
    env = vector(g.name, 16, players=players, opponents=make("greedy", g))
    view, info = env.reset(seed=3)
    ended = 0
    for k in range(3 * g.max_decisions):
        assert view in env.observation_space
        np.testing.assert_array_equal(info["action_mask"], view["action_mask"])
        np.testing.assert_array_equal(env.table.seat, env.seats)
        actions = np.array(
            [policy(np.flatnonzero(m), k, i) for i, m in enumerate(view["action_mask"])]
        )
        view, rewards, over, truncated, info = env.step(actions)
        assert not truncated.any()
        assert not rewards[~over].any()
        for row in np.flatnonzero(over):
            assert info["final_obs"][row] in env.single_observation_space
            assert info["breakdown"][row]["end_reason"]
        ended += over.sum()
        if ended > 20:
            break
    assert ended > 16


def test_vector_env_repeats_a_seed(any_game, g):
    envs = [vector(g.name, 4), gymnasium.make_vec(gymnasium_id(any_game), num_envs=4)]
    shown = [env.reset(seed=5) for env in envs]
    for _ in range(40):
        assert data_equivalence(*shown)
        actions = shown[0][0]["action_mask"].argmax(1)
        shown = [env.step(actions) for env in envs]


def test_vector_env_names_the_row_of_an_illegal_action(any_game, g):
    env = vector(g.name, 4)
    view, _ = env.reset(seed=0)
    before = [g.digest(env.table.states, i) for i in range(4)]
    actions = view["action_mask"].argmax(1)
    actions[2] = g.n_actions
    with pytest.raises(ValueError, match=f"row 2: .*no action {g.n_actions}"):
        env.step(actions)
    assert [g.digest(env.table.states, i) for i in range(4)] == before


@pytest.mark.parametrize("form", [single, vector])
def test_a_wrong_number_of_opponents_is_refused(any_game, g, form):
    too_many = [make("random", g)] * 9
    with pytest.raises(ValueError, match="9 opponents for"):
        form(g.name, opponents=too_many)


def test_an_illegal_opponent_is_named(any_game, g):
    class Broken:
        def __repr__(self) -> str:
            return "the broken one"

        def act(self, game, states, rows, words):
            from dwarrow.envs.core.opponents import Chosen

            illegal = np.flatnonzero(game.mask(states, 0) == 0)
            return Chosen(illegal[:1] if len(illegal) else np.array([game.n_actions]))

    env = single(g.name, opponents=Broken(), seat=0, illegal="terminate")
    with pytest.raises(ValueError, match=r"the broken one|has no action"):
        play_games(env, 50)


def play_games(env, n: int) -> None:
    for seed in range(n):
        env.reset(seed=seed)
        over = False
        while not over:
            _, _, over, _, _ = env.step(int(env.action_masks().argmax()))
