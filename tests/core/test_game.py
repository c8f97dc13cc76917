"""`Game` on the toy auction, whose every answer is known."""

import dataclasses
import subprocess
import sys

import numpy as np
import pytest
from toys.goofspiel import GAME, N_CARDS

from dwarrow.envs import game, games


def deal(*prizes: int, **more):
    return GAME.load({"deck": list(prizes), **more})


def test_an_unknown_game_lists_the_known():
    with pytest.raises(KeyError, match=r"unknown game 'chess': known are \["):
        game("chess")
    assert "chess" not in games()


def test_a_scripted_position_plays_as_expected():
    states = deal(3, 1, 2, options={"players": 2})
    for name in ("bid 3", "bid 1", "bid 1", "bid 3", "bid 2", "bid 2"):
        GAME.step(states, 0, GAME.action_id(name))
    assert GAME.is_over(states, 0)
    assert GAME.scores(states, 0).tolist() == [3, 1]
    assert GAME.returns(states, 0).tolist() == [1, -1]


def test_returns_are_zero_before_the_end():
    assert GAME.returns(GAME.new(players=3), 0).tolist() == [0, 0, 0]


def test_explanations_say_why_and_what_is_legal():
    states = deal(3, 1, 2)
    GAME.step(states, 0, 2)
    GAME.step(states, 0, 2)
    assert GAME.explain(states, 0, 0) == ""
    assert GAME.explain(states, 0, 2) == (
        "'bid 3' is illegal: coin 3 is spent. Legal now: 'bid 1', 'bid 2'."
    )


def test_a_position_that_breaks_the_rules_names_the_broken_invariant():
    with pytest.raises(ValueError, match="breaks the rules of Toy Goofspiel: deck_is_not_one_to"):
        deal(3, 3, 2)


def test_a_script_fault_leaves_the_state_as_it_was():
    def step(states, i, action):
        states["script_fault"][i] = 1
        states["turn"][i] = 7
        return False

    rigged = object.__new__(type(GAME))
    rigged.__dict__.update(GAME.__dict__)
    rigged.__dict__["kernels"] = dataclasses.replace(GAME.kernels, step=step)
    states = deal(1, 2, 3, script=[9])
    before = states.tobytes()
    with pytest.raises(ValueError, match=r"does not fit the roll .*; the script is \[9\]"):
        rigged.step(states, 0, 0)
    assert states.tobytes() == before


@pytest.mark.parametrize("turn", range(N_CARDS - 1))
def test_resampling_is_uniform_over_what_the_seat_cannot_know(turn):
    """Chi-square: every order of the deck to come, times every coin that another may have bid."""
    states = deal(1, 2, 3, options={"players": 2})
    for _ in range(turn):
        GAME.step(states, 0, 0)
        GAME.step(states, 0, 0)
    GAME.step(states, 0, int(GAME.legal(states, 0)[0]))  # seat 1 now faces a hidden bid
    counts: dict[tuple[int, ...], int] = {}
    n = 3000
    for seed in range(n):
        s = GAME.resample(states, 0, 1, seed)[0]
        key = (*s["deck"].tolist(), int(s["players"][0]["bid"]))
        counts[key] = counts.get(key, 0) + 1
    orders, coins = ((2, 3), (1, 2))[turn]
    assert len(counts) == orders * coins
    expected = n / len(counts)
    chi_square = sum((c - expected) ** 2 / expected for c in counts.values())
    assert chi_square < {6: 20.5, 2: 10.8}[len(counts)]  # 99.9 %


def test_svg_shows_the_text_escaped():
    svg = GAME.svg(GAME.new(), 0, 0)
    assert svg.startswith("<svg ")
    assert "seat 0" in svg


LIGHT = """
import sys
import dwarrow.envs
heavy = [m for m in ("pettingzoo", "gymnasium", "torch", "rich") if m in sys.modules]
assert not heavy, heavy
for name in dwarrow.envs.games():
    before = {m for m in sys.modules if m.startswith("dwarrow.envs.")}
    module = __import__(f"dwarrow.envs.{name}_v0", fromlist=["env"])
    assert "torch" not in sys.modules
    loaded = {m for m in sys.modules if m.startswith(f"dwarrow.envs.{name}.")}
    assert not loaded, loaded  # the rules come with the first call
    assert callable(module.env)
"""


def test_importing_the_package_is_light_and_a_module_loads_no_rules():
    subprocess.run([sys.executable, "-c", LIGHT], check=True)


def test_states_of_an_unknown_game_are_refused():
    from dwarrow.envs.core.kernels import kernels_of

    with pytest.raises(KeyError, match="no game is registered for states of type"):
        kernels_of(np.dtype([("x", np.int16)]))
