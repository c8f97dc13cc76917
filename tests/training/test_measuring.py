"""Measuring in turn and in the background: the same figures, of no effect on training."""

from pathlib import Path

import pytest
import toys.known  # noqa: F401

from dwarrow.agents.neural.network import Network
from dwarrow.envs import game
from dwarrow.training.algorithms import train
from dwarrow.training.config import PPOConfig
from dwarrow.training.logging import read_metrics
from dwarrow.training.matchmaking import LEARNER
from dwarrow.training.measuring import InBackground, InTurn

TOY = game("goofspiel")
SMALL = {
    "players": (2,),
    "tables": 32,
    "batch": 300,
    "minibatch": 100,
    "hidden": 16,
    "evaluate": ("random", "greedy"),
    "evaluate_games": 40,
    "tensorboard": False,
    "iterations": 4,
}


def config(**more) -> PPOConfig:
    return PPOConfig("goofspiel", **{**SMALL, **more})


def test_the_background_finds_the_same_and_says_of_which_iteration():
    network = Network(TOY.observation, TOY.n_actions, config().shape, 3)
    here, there = InTurn(config()), InBackground(config())
    here.begin({LEARNER: network}, 7)
    there.begin({LEARNER: network}, 7)
    there.begin({LEARNER: network}, 8)  # one at a time: this one is left out
    assert there.found(wait=True) == {**here.found(), "measured": 7}
    assert there.found() == {}
    there.close()
    there.close()
    assert not there.process.is_alive()


def test_a_lost_background_is_said_and_training_goes_on():
    there = InBackground(config())
    network = Network(TOY.observation, TOY.n_actions, config().shape, 3)
    there.process.kill()
    there.process.join()
    there.begin({LEARNER: network}, 1)
    assert there.found(wait=True) in ({}, {"measurements_lost": 1})
    there.begin({LEARNER: network}, 2)
    assert there.found(wait=True) == {}
    there.close()


def test_a_run_measured_in_the_background_learns_the_same(tmp_path: Path):
    one = train(config(), tmp_path / "one")
    two = train(config(evaluate_in="background"), tmp_path / "two")
    files = [run / "checkpoints" / "000004" / "worker-0.safetensors" for run in (one, two)]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert read_metrics(two)[-1]["measured"] == 4
    assert read_metrics(two)[-1]["win/random"] == read_metrics(one)[-1]["win/random"]


def test_an_unknown_agent_is_named_before_anything_is_started():
    with pytest.raises(ValueError, match="unknown agent 'nobody'"):
        InBackground(config(evaluate=("nobody",)))
