"""The mask tells the truth, actions have names, illegal ones are explained and change nothing."""

import pytest
from contract.cases import module_of, spread

POSITIONS = 8


def test_every_masked_in_action_applies_and_every_masked_out_action_is_refused(g, players):
    for states in spread(g, 11, POSITIONS, players=players):
        mask, before = g.mask(states, 0), g.digest(states, 0)
        for action in range(g.n_actions):
            if mask[action]:
                twin = states.copy()
                g.step(twin, 0, action)
                assert twin["decision"][0] == states["decision"][0] + 1
                assert g.violated(twin, 0) == []
            else:
                with pytest.raises(ValueError, match=r"is illegal: .+ Legal now: "):
                    g.step(states, 0, action)
            assert g.digest(states, 0) == before


def test_a_finished_game_takes_no_action(g, players):
    states = spread(g, 3, 1, players=players)[0]
    while not g.is_over(states, 0):
        g.step(states, 0, int(g.legal(states, 0)[-1]))
    before = g.digest(states, 0)
    assert not g.mask(states, 0).any()
    with pytest.raises(ValueError, match="the game is over"):
        g.step(states, 0, 0)
    assert g.digest(states, 0) == before


def test_action_names_are_one_to_one(any_game, g):
    for action, name in enumerate(g.actions):
        assert g.action_name(action) == name
        assert g.action_id(name) == action
    with pytest.raises(ValueError, match=f"actions are 0 to {g.n_actions - 1}"):
        g.action_name(g.n_actions)
    with pytest.raises(ValueError, match="has no action 'dance'"):
        g.action_id("dance")


@pytest.mark.parametrize("form", ["env", "parallel_env"])
def test_an_illegal_action_raises_an_error_that_explains(any_game, g, form):
    env = getattr(module_of(any_game), form)()
    env.reset(seed=0)
    before = env.digest()
    illegal = [a for a, allowed in enumerate(g.mask(env.states, 0)) if not allowed]
    for action, said in [
        *((a, "is illegal: ") for a in illegal[:1]),
        (g.n_actions, "has no action"),
        (-1, "has no action"),
        (0.5, "a whole number from 0"),
        (None, "a whole number from 0"),
    ]:
        with pytest.raises(ValueError, match=f"^player_0: .*{said}"):
            step(env, action)
        assert env.digest() == before


@pytest.mark.parametrize("form", ["env", "parallel_env"])
def test_an_illegal_action_can_end_the_game_for_all(any_game, g, form):
    env = getattr(module_of(any_game), form)(illegal="terminate")
    env.reset(seed=0)
    before, agents = env.digest(), list(env.agents)
    outcome = step(env, g.n_actions)
    rewards, terminations, infos = (
        (env.rewards, env.terminations, env.infos)
        if outcome is None
        else (outcome[1], outcome[2], outcome[4])
    )
    assert rewards == {agent: -1.0 if agent == agents[0] else 0.0 for agent in agents}
    assert terminations == dict.fromkeys(agents, True)
    assert {info["end_reason"] for info in infos.values()} == {"player_0 chose an illegal action"}
    assert env.digest() == before


def step(env, action):
    """Let the seats to move play `action`, the others something legal."""
    if not hasattr(env, "acting"):
        return env.step(action)
    legal = {agent: int(env._masks[agent].argmax()) for agent in env.acting}
    return env.step({**legal, env.acting[0]: action})
