"""Magnetic mirror descent: the last policy settles near a mixed equilibrium, where PPO circles."""

from pathlib import Path

import numpy as np
import pytest
import torch
from toys.all_pay import EQUILIBRIUM, GAIN

from dwarrow.envs import add_game
from dwarrow.training.config import PPOConfig
from dwarrow.training.ppo import Training

add_game("all_pay", "toys.all_pay")

ITERATIONS = 120
LAST = 30


def bids(run: Path, kl_magnet: float) -> np.ndarray:
    """Return the bidding policy after each iteration of self-play [iterations, bids]."""
    config = PPOConfig(
        "all_pay",
        players=(2,),
        batch=1000,
        minibatch=500,
        lr=1e-2,
        lr_end=1e-2,
        entropy=0.0,
        entropy_end=0.0,
        kl_magnet=kl_magnet,
        magnet_rate=0.05,
        hidden=16,
        layers=1,
        past_share=0.0,
        scripted_share=0.0,
        opponents=(),
        evaluate=(),
        bf16="off",
        tensorboard=False,
        iterations=ITERATIONS,
    )
    training = Training(config, run, resume=False)
    found = []
    for _ in range(ITERATIONS):
        training.iterate()
        with torch.no_grad():
            logits, _ = training.learner.network(torch.zeros(1, 3))
        found.append(torch.softmax(logits[0], 0).numpy())
    training.close()
    return np.array(found)


def exploitable(policy: np.ndarray) -> float:
    """Return what the best answer to a policy gains; nothing at the equilibrium."""
    return float((GAIN @ policy).max())


def test_with_a_magnet_the_last_policies_are_near_the_equilibrium(tmp_path: Path):
    assert exploitable(EQUILIBRIUM) == pytest.approx(0, abs=1e-9)
    circling, drawn = bids(tmp_path / "ppo", 0.0), bids(tmp_path / "mmd", 1.0)
    assert max(map(exploitable, circling[-LAST:])) > 0.15
    assert max(map(exploitable, drawn[-LAST:])) < 0.08
    assert exploitable(drawn[-LAST:].mean(0)) < 0.05
    assert exploitable(circling.mean(0)) < 0.1  # PPO is right on average only
