"""Copies at every decision: exact, independent, and going on alike."""

import copy
import pickle

import numpy as np
import pytest
from contract.cases import module_of, policy

COPIES = {
    "clone": lambda env: env.clone(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "state": lambda env: restored(env),
}


def restored(env):
    twin = type(env)(env.game, **env.options.to_dict())
    twin.set_state(env.get_state())
    return twin


@pytest.mark.parametrize("how", COPIES)
def test_an_aec_copy_goes_on_alike_from_every_decision(case, g, players, how):
    env = module_of(g.name).env(players=players)
    env.reset(seed=21)
    copied = COPIES[how]
    every = 1 if how in ("clone", "state") else 7
    decision = 0
    while env.agents:
        if decision % every == 0 or env.terminations[env.agent_selection]:
            twin = copied(env)
            assert_same(env, twin)
            before = env.digest()
            turn(twin, decision)
            assert env.digest() == before  # independent
            follower = copied(env)
            turn(follower, decision)
            assert_same(twin, follower)
        turn(env, decision)
        decision += 1
    twin = copied(env)
    assert twin.agents == []
    env.reset()
    twin.reset()
    assert env.digest() == twin.digest()  # the stream of games goes on alike too


def test_copies_of_every_decision_are_as_they_were_when_the_game_has_ended(case, g, players):
    env = module_of(g.name).env(players=players)
    env.reset(seed=23)
    kept = []
    while not any(env.terminations.values()):
        kept.append((env.clone(), env.get_state(), env.digest()))
        turn(env, len(kept))
    for copied, state, digest in kept:
        assert copied.digest() == digest
        assert copied.get_state() == state


def turn(env, k):
    view, _, over, _, _ = env.last()
    legal = np.flatnonzero(view["action_mask"])
    env.step(None if over else policy(legal, 21, k))


def assert_same(env, twin):
    assert twin.digest() == env.digest()
    for name in ("agents", "agent_selection", "rewards", "terminations", "truncations"):
        assert getattr(twin, name) == getattr(env, name), name
    assert not np.shares_memory(env.states, twin.states)
    if not env.agents:
        return
    one, two = env.last(), twin.last()
    assert one[1:4] == two[1:4]
    for part in one[0]:
        np.testing.assert_array_equal(one[0][part], two[0][part])
        assert not np.shares_memory(one[0][part], two[0][part])
    assert one[4].keys() == two[4].keys()
    assert not np.shares_memory(one[4]["action_mask"], two[4]["action_mask"])


@pytest.mark.parametrize("how", COPIES)
def test_a_parallel_copy_goes_on_alike(case, g, players, how):
    env = module_of(g.name).parallel_env(players=players)
    views, _ = env.reset(seed=22)
    for _ in range(6):
        twin = COPIES[how](env)
        assert twin.acting == env.acting
        actions = {agent: int(views[agent]["action_mask"].argmax()) for agent in env.agents}
        views, rewards, *_ = env.step(actions)
        other, other_rewards, *_ = twin.step(actions)
        assert twin.digest() == env.digest()
        assert rewards == other_rewards
        for agent in views:
            np.testing.assert_array_equal(views[agent]["observation"], other[agent]["observation"])
        if not env.agents:
            break


def test_arrays_are_never_handed_out_twice(any_game):
    env = module_of(any_game).env()
    env.reset(seed=1)
    kept = []
    for k in range(6):
        view, again = env.last()[0], env.observe(env.agent_selection)
        fresh = [*view.values(), *again.values(), env.last()[4]["action_mask"]]
        for array in fresh:
            assert not any(np.shares_memory(array, old) for old in kept)
        kept += fresh
        before = env.digest()
        legal = np.flatnonzero(view["action_mask"])
        for array in fresh:
            array[:] = 1  # a user's scribble reaches nothing
        assert env.digest() == before
        np.testing.assert_array_equal(
            np.flatnonzero(env.observe(env.agent_selection)["action_mask"]), legal
        )
        turn(env, k)


def test_a_state_of_other_options_or_another_game_is_refused(any_game, g):
    env = module_of(any_game).env()
    env.reset(seed=1)
    before = env.digest()
    state = env.get_state()
    for wrong in (b"", state[:-1], b"12345678" + state[8:]):
        with pytest.raises(ValueError, match=f"not a state of {any_game}"):
            env.set_state(wrong)
    for players in g.player_counts:
        if players != env.options.players:
            with pytest.raises(ValueError, match="with the options"):
                module_of(any_game).env(players=players).set_state(state)
    assert env.digest() == before


def test_states_and_games_pickle(any_game, g):
    assert pickle.loads(pickle.dumps(g)) is g
    assert copy.deepcopy(g) is g
    states = g.new(3, seed=2)
    twin = pickle.loads(pickle.dumps(states))
    assert [g.digest(twin, i) for i in range(3)] == [g.digest(states, i) for i in range(3)]
    np.testing.assert_array_equal(g.mask(twin, 1), g.mask(states, 1))
