"""A team has one result: every seat is paid it, and PPO and the expert learn from it."""

from pathlib import Path

import numpy as np
import pytest
import torch
import toys.mine  # noqa: F401

from dwarrow.agents.neural.network import Network, Shape
from dwarrow.agents.neural.weights import find_weights, load_weights
from dwarrow.envs import game
from dwarrow.training.algorithms import train
from dwarrow.training.config import ExpertConfig, PPOConfig, RunConfig
from dwarrow.training.matchmaking import League
from dwarrow.training.rollout import RolloutWorker, WorkerJob
from dwarrow.training.trajectory import END

MINE = game("mine")
SMALL = {
    "players": (2, 3),
    "options": ("difficulty=hard",),
    "tables": 32,
    "hidden": 16,
    "past_share": 0.0,
    "scripted_share": 0.0,
    "evaluate": ("rule",),
    "evaluate_games": 30,
    "tensorboard": False,
}


def test_all_seats_of_a_team_are_paid_the_same():
    hands = RolloutWorker(
        WorkerJob(MINE, ({"players": 2}, {"players": 3}), tables=16, shape=Shape(8), utility="win")
    )
    hands.set_weights(Network(MINE.observation, MINE.n_actions, Shape(8), 1))
    chunk = hands.collect(League(), 500)
    results = {episode.number: set(episode.utilities) for episode in chunk.episodes}
    assert all(result in ({1.0}, {-1.0}) for result in results.values())
    paid = chunk.reward[chunk.next_index == END]
    assert set(paid.tolist()) == {1.0, -1.0}
    seats = sum(len(e.utilities) for e in chunk.episodes)
    acted = [min(len(e.utilities), e.moves) for e in chunk.episodes]
    assert sum(acted) == len(paid) <= seats  # who fell on the first step left no other a decision


PPO = {"batch": 600, "minibatch": 200, "lr": 1e-2, "iterations": 20}
SEARCH = {"batch": 150, "minibatch": 64, "lr": 1e-2, "sims": 32, "iterations": 12}


@pytest.mark.parametrize(
    ("config", "at_least"),
    [
        (PPOConfig("mine", **SMALL, **PPO), 0.8),
        (PPOConfig("mine", **SMALL, **PPO, central_value=True), 0.8),
        (ExpertConfig("mine", **SMALL, **SEARCH), 0.6),  # it plays in proportion to its visits
    ],
)
def test_a_team_learns_to_step_with_care(tmp_path: Path, config: RunConfig, at_least: float):
    run = train(config, tmp_path / "run")
    network = load_weights(find_weights(str(run)), MINE)
    with torch.no_grad():
        logits, _ = network(torch.linspace(0, 5 / 6, 6)[:, None])
    careful = torch.softmax(logits, 1)[:, 0].numpy()
    assert np.mean(careful) > at_least
