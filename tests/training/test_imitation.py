"""The warm start: the network takes on a teacher's choices, and PPO goes on from there."""

from pathlib import Path

import numpy as np
import pytest
import torch
import toys.known  # noqa: F401
from safetensors.torch import load_file

from dwarrow.agents import make
from dwarrow.agents.neural.masked import masked_log_softmax
from dwarrow.agents.neural.network import Network, Shape
from dwarrow.envs import game
from dwarrow.envs.core.record import NONE
from dwarrow.training.algorithms import train
from dwarrow.training.config import PPOConfig
from dwarrow.training.imitation import lesson
from dwarrow.training.learner import Learner
from dwarrow.training.logging import read_metrics
from dwarrow.training.matchmaking import League
from dwarrow.training.ppo import Training, resumed
from dwarrow.training.rollout import RolloutWorker, WorkerJob
from dwarrow.training.trajectory import END, OPEN

TOY = game("goofspiel")
MIXED = League(0.4, ("random",), (1.0,), ("random",))


def config(**more) -> PPOConfig:
    small = {"players": (2,), "tables": 64, "batch": 600, "minibatch": 100, "hidden": 32}
    quiet = {"evaluate_games": 0, "tensorboard": False, "bf16": "off"}
    return PPOConfig("goofspiel", **{**small, **quiet, "teacher": "rule", **more})


def worker() -> RolloutWorker:
    found = RolloutWorker(WorkerJob(TOY, ({"players": 2},), tables=64, shape=Shape(16)))
    found.set_weights(Network(TOY.observation, TOY.n_actions, Shape(16), 1))
    return found


def tensors(run: Path) -> dict[str, bytes]:
    return {
        f"{file}:{name}": tensor.numpy().tobytes()
        for file in ("weights", "optim", "worker-0")
        for name, tensor in load_file(
            run / "checkpoints" / "000006" / f"{file}.safetensors"
        ).items()
    }


def taught(led: float) -> League:
    return League(0.4, ("random",), (1.0,), ("random",), teacher="rule", led=led)


def test_advice_is_legal_and_followed_in_the_games_that_are_led():
    plays = worker()
    for led, low, high in ((1.0, 1.0, 1.0), (0.5, 0.6, 0.95), (0.0, 0.2, 0.7)):
        carried = int((plays.last != END).sum())
        chunk = plays.collect(taught(led), 4000).rows(slice(carried, None))
        assert chunk.mask[np.arange(len(chunk)), chunk.advice].all()
        assert low <= (chunk.advice == chunk.action).mean() <= high
    carried = int((plays.last != END).sum())
    assert (plays.collect(MIXED, 500).rows(slice(carried, None)).advice == NONE).all()


def test_the_probability_on_record_is_the_networks_own_where_advice_was_followed():
    plays = worker()
    chunk = plays.collect(taught(1.0), 1000)
    logits = torch.from_numpy(plays.learner.evaluate(chunk.obs)[0])
    own = masked_log_softmax(logits, torch.from_numpy(chunk.mask).bool()).numpy()
    assert chunk.logp == pytest.approx(own[np.arange(len(chunk)), chunk.action], abs=1e-5)
    assert (chunk.action == chunk.advice).all()


def test_any_stretch_of_games_has_the_share_that_is_led():
    for start in (0, 12345):
        led = taught(0.3).is_led(np.arange(start, start + 100))
        assert 28 <= led.sum() <= 32


def test_lessons_lead_less_and_less_and_end():
    settings = config(teacher_share=0.5, iterations=10)
    shares = [lesson(MIXED, settings, k / 20).led for k in range(10)]
    assert shares[0] == 1
    assert shares == sorted(shares, reverse=True)
    assert shares[-3:] == [0, 0, 0]
    assert lesson(MIXED, settings, 0.49).teacher == "rule"
    assert lesson(MIXED, settings, 0.5) == MIXED
    assert lesson(MIXED, config(teacher=None, iterations=10), 0.0) == MIXED


def test_the_network_comes_to_choose_as_its_teacher(tmp_path: Path):
    run = train(config(iterations=30, teacher_share=1.0, batch=1000, lr=3e-3), tmp_path / "run")
    lines = [line for line in read_metrics(run) if "agreement" in line]
    assert [line["imitating"] for line in lines] == [1] * 30
    assert lines[-1]["agreement"] > 0.9 > lines[0]["agreement"]
    network, teacher = make(f"ppo:{run},greedy=true", TOY), make("rule", TOY)
    states = TOY.new(300, players=2)
    rows, words = np.arange(300), np.arange(300, dtype=np.uint64)
    chosen = network.act(TOY, states, rows, words).action
    assert (chosen == teacher.act(TOY, states, rows, words).action).mean() > 0.9


def test_ppo_goes_on_from_the_lessons_and_a_resumed_run_comes_to_the_same_numbers(tmp_path: Path):
    whole = train(config(iterations=6, teacher_share=0.5), tmp_path / "whole")
    for stop in (1, 3, 4):
        parts = tmp_path / f"stopped-after-{stop}"
        train(config(iterations=6, teacher_share=0.5), parts, stop_after=stop)
        train(resumed(parts), parts, resume=True)
        assert tensors(parts) == tensors(whole)
    lines = read_metrics(whole)
    assert [line["imitating"] for line in lines[:6]] == [1, 1, 1, 0, 0, 0]
    assert "kl" in lines[3]
    assert abs(lines[3]["kl"]) < 0.1


def test_lessons_that_are_over_do_not_come_again_when_a_run_is_made_longer(tmp_path: Path):
    run = train(config(iterations=3, teacher_share=0.34), tmp_path / "run")
    for longer in (12, 40):  # of which the first iterations are again in the first third
        train(resumed(run, iterations=longer), run, resume=True, stop_after=longer // 2)
    imitating = [line["imitating"] for line in read_metrics(run) if "imitating" in line]
    assert imitating == [1, 1] + [0] * 18


def test_lessons_that_were_the_whole_run_are_over_with_it(tmp_path: Path):
    run = train(config(iterations=2, teacher_share=1.0), tmp_path / "run", stop_after=1)
    train(resumed(run), run, resume=True)
    train(resumed(run, iterations=4), run, resume=True)
    imitating = [line["imitating"] for line in read_metrics(run) if "imitating" in line]
    assert imitating == [1, 1, 0, 0]


def test_decisions_from_before_there_was_a_teacher_are_not_imitated(tmp_path: Path):
    training = Training(config(iterations=2), tmp_path / "run", resume=False)
    training.executor.publish(training.learner.network)
    before = training.executor.collect(League(), 600)
    waiting = int((before.next_index == OPEN).sum())
    metrics = training.iterate()
    training.close()
    assert waiting > 10
    assert metrics["imitating"] == 1
    assert 600 - waiting <= metrics["decisions"] <= 600


def test_the_magnet_is_the_network_when_the_lessons_end(tmp_path: Path):
    training = Training(config(iterations=2, kl_magnet=0.1), tmp_path / "run", resume=False)
    training.iterate()
    learner: Learner = training.learner
    assert learner.magnet is not None
    pairs = zip(learner.magnet.parameters(), learner.network.parameters(), strict=True)
    assert all(np.array_equal(a.numpy(), b.detach().numpy()) for a, b in pairs)
    training.close()


def test_an_unknown_teacher_is_named_and_nothing_is_written(tmp_path: Path):
    with pytest.raises(ValueError, match="unknown agent 'nobody'"):
        train(config(iterations=2, teacher="nobody"), tmp_path / "run")
    assert not (tmp_path / "run").exists()
