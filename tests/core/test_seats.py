"""Utilities and options of the environment forms."""

import dataclasses

import numpy as np
import pytest
from toys.goofspiel import GAME

from dwarrow.envs.core.aec import AECGame
from dwarrow.envs.core.bitmap import text_image
from dwarrow.envs.core.seats import next_seed, utilities
from dwarrow.envs.core.single import SingleGame
from dwarrow.envs.core.vector_env import VectorGame


def finished(scores: list[int], cooperative: bool = False, won: bool = True):
    """A finished toy with these points, and its game."""

    def returns(states, i, out):
        GAME.kernels.returns(states, i, out)
        if cooperative:
            out[:] = 1 if won else -1

    def points(states, i, out):
        out[: len(scores)] = scores

    states = GAME.new(players=len(scores))
    states["over"] = 1
    for seat, score in enumerate(scores):
        states["players"][0][seat]["score"] = score
    g = object.__new__(type(GAME))
    g.__dict__.update(GAME.__dict__)
    kernels = dataclasses.replace(GAME.kernels, returns=returns, scores=points)
    g.__dict__.update(kernels=kernels, cooperative=cooperative)
    return g, states


@pytest.mark.parametrize(
    ("scores", "utility", "worth"),
    [
        ([4, 2], "rank", [1, -1]),
        ([3, 3], "rank", [0, 0]),
        ([4, 2, 0], "rank", [1, 0, -1]),
        ([4, 2, 0], "win", [1, 0, 0]),
        ([3, 3, 0], "win", [0.5, 0.5, 0]),
        ([4, 2, 0], "margin", [0.5, -0.5, -1]),
        ([-4, -2, 0], "margin", [-1, -0.5, 0.5]),
        ([0, 0], "margin", [0, 0]),
        ([-6, 6], "margin", [-1, 1]),  # the lead is 12: cut to 1
    ],
)
def test_utilities(scores, utility, worth):
    g, states = finished(scores)
    assert utilities(g, states, 0, utility) == worth


@pytest.mark.parametrize("won", [True, False])
def test_utilities_of_a_cooperative_game(won):
    g, states = finished([1, 1], cooperative=True, won=won)
    assert utilities(g, states, 0, "rank") == [1 if won else -1] * 2
    assert utilities(g, states, 0, "win") == [float(won)] * 2
    with pytest.raises(ValueError, match=r"option utility='margin': allowed are \['rank', 'win'\]"):
        AECGame(g, utility="margin")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"illegal": "ignore"}, r"option illegal='ignore': allowed are \['raise', 'terminate'\]"),
        ({"utility": "elo"}, r"option utility='elo': allowed are \['rank', 'win', 'margin'\]"),
        ({"render_mode": "vr"}, "option render_mode='vr': allowed are"),
        ({"players": 7}, r"option players=7: allowed are \[2, 3\]"),
        ({"colour": "red"}, "unknown option 'colour'"),
    ],
)
def test_bad_options_are_named(options, said):
    with pytest.raises(ValueError, match=said):
        AECGame(GAME, **options)


def test_the_vector_form_has_no_wrong_seat_or_utility():
    with pytest.raises(ValueError, match=r"option seat=2: allowed are \['random', 0, 1\]"):
        VectorGame(GAME, 3, players=2, seat=2)
    with pytest.raises(ValueError, match="option utility='elo'"):
        VectorGame(GAME, 3, utility="elo")
    with pytest.raises(ValueError, match="at least 1 game"):
        VectorGame(GAME, 0)


def test_order_is_enforced():
    env = AECGame(GAME)
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        env.step(0)
    with pytest.raises(AttributeError, match=r"agent_selection is not there yet: call reset\(\)"):
        env.last()
    with pytest.raises(AttributeError, match="has no attribute 'colour'"):
        env.colour  # noqa: B018
    with pytest.raises(ValueError, match="no agent 'player_9': known are"):
        env.observe("player_9")
    env.reset(seed=0)
    while not env.terminations["player_0"]:
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    with pytest.raises(ValueError, match=r"player_0: the game has ended, so step\(None\) is due"):
        env.step(0)


def test_order_is_enforced_for_one_seat_too():
    env = SingleGame(GAME)
    with pytest.raises(RuntimeError, match=r"no game is in play: call reset\(\)"):
        env.step(0)
    env.reset(seed=0)
    while not env.step(int(env.action_masks().argmax()))[2]:
        pass
    with pytest.raises(RuntimeError, match=r"no game is in play: call reset\(\)"):
        env.step(0)


def test_rendering_needs_a_mode_and_a_game():
    env = AECGame(GAME, render_mode="ansi")
    with pytest.raises(RuntimeError, match="reset"):
        env.render()
    env.reset(seed=0)
    assert env.render() == GAME.text(env.states, 0)
    with pytest.warns(UserWarning, match="render_mode"):
        assert AECGame(GAME).render() is None


def test_text_becomes_an_image():
    image = text_image("I – é\nlonger line")
    assert image.dtype == np.uint8
    assert image.shape == (2 * (2 * 10 + 12), 2 * (11 * 6 + 12), 3)
    letter = text_image("I", zoom=1)[6:16, 6:11, 0] < 128
    assert letter[1:8].tolist() == [[False, True, True, True, False]] + [
        [False, False, True, False, False]
    ] * 5 + [[False, True, True, True, False]]
    assert (text_image("é") == text_image("e")).all()
    assert (text_image("–") == text_image("-")).all()
    assert text_image("").shape[2] == 3


def test_seeds_that_follow_are_apart():
    seeds = {next_seed(seed) for seed in range(1000)}
    assert len(seeds) == 1000
    assert all(0 <= seed < 2**62 for seed in seeds)
