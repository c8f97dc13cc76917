"""A value that sees all seats' views while training, for a policy that sees its own only."""

import numpy as np
import pytest
import torch
import toys.known  # noqa: F401

from dwarrow.agents.neural.agent import NeuralAgent
from dwarrow.agents.neural.network import Network, Shape
from dwarrow.envs import game
from dwarrow.training.executors import executor_for, split
from dwarrow.training.matchmaking import League
from dwarrow.training.rollout import RolloutWorker, WorkerJob

TOY = game("goofspiel")
SHAPE = Shape(16, central=3)
FEATURES = TOY.observation.size


def worker() -> RolloutWorker:
    job = WorkerJob(TOY, ({"players": 2}, {"players": 3}), tables=16, decisions=200, shape=SHAPE)
    found = RolloutWorker(job)
    found.set_weights(Network(TOY.observation, TOY.n_actions, SHAPE, 1))
    return found


def test_values_are_foretold_from_what_all_seats_see_the_mover_first():
    hands = worker()
    chunk = hands.collect(League(), 200)
    views = chunk.views.reshape(len(chunk), 3, FEATURES)
    assert np.array_equal(views[:, 0], chunk.obs)
    assert chunk.value == pytest.approx(hands.learner.foretell(chunk.views), abs=1e-6)
    other = hands.learner.evaluate(chunk.obs)[1]
    assert np.abs(chunk.value - other).max() > 1e-3
    absent = ~views.any(axis=(1, 2), where=np.array([False, False, True])[:, None])
    assert 0 < absent.sum() < len(chunk)  # two at some tables, three at others


def test_workers_hand_in_their_views_too():
    executor = executor_for("threads", 2)
    executor.start(split(worker().job, 2))
    network = Network(TOY.observation, TOY.n_actions, SHAPE, 1)
    executor.publish(network)
    chunk = executor.collect(League(), 200)
    executor.close()
    assert np.array_equal(chunk.views[:, :FEATURES], chunk.obs)
    agent = NeuralAgent("x", TOY, network, block=None)
    assert chunk.value == pytest.approx(agent.foretell(chunk.views), abs=1e-5)


def test_what_others_hold_moves_the_central_value_and_not_the_policy():
    hands = worker()
    chunk = hands.collect(League(), 100)
    hidden = chunk.views.copy()
    hidden[:, FEATURES:] = 1 - hidden[:, FEATURES:]
    assert np.abs(hands.learner.foretell(hidden) - chunk.value).max() > 1e-3
    logits, _ = hands.learner.evaluate(chunk.obs)
    again, _ = hands.learner.evaluate(hidden[:, :FEATURES])
    assert np.array_equal(logits, again)


def test_a_network_without_it_says_so_and_takes_no_more_room():
    plain = Network(TOY.observation, TOY.n_actions, Shape(16), 1)
    with pytest.raises(ValueError, match="no central value"):
        plain.foretell(torch.zeros(1, 3 * FEATURES))
    central = Network(TOY.observation, TOY.n_actions, SHAPE, 1)
    assert torch.equal(central.policy.weight, plain.policy.weight)
    assert plain.state_dict().keys() < central.state_dict().keys()


def test_a_chunk_without_it_carries_no_views():
    agent = NeuralAgent("x", TOY, Network(TOY.observation, TOY.n_actions, Shape(16), 1))
    hands = RolloutWorker(WorkerJob(TOY, ({"players": 2},), tables=4, shape=Shape(16)))
    hands.set_weights(agent.network)
    assert hands.collect(League(), 20).views.shape[1] == 0
