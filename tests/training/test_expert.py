"""Expert iteration on the toy: what is recorded, what is learned from it, and exact resume."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
import toys.known  # noqa: F401
from safetensors.torch import load_file

from dwarrow.agents import make
from dwarrow.agents.neural.network import Network, Shape
from dwarrow.agents.neural.weights import find_weights
from dwarrow.envs import game
from dwarrow.training.algorithms import train
from dwarrow.training.config import ExpertConfig, PPOConfig
from dwarrow.training.evaluation import Evaluator
from dwarrow.training.expert import Training
from dwarrow.training.logging import read_metrics
from dwarrow.training.matchmaking import League
from dwarrow.training.ppo import Training as PPOTraining
from dwarrow.training.rollout import RolloutWorker, WorkerJob
from dwarrow.training.scholar import EXPERT, SearchJob, Study
from dwarrow.training.settings import load_config
from dwarrow.training.window import Window

TOY = game("goofspiel")
SMALL = {
    "players": (2,),
    "tables": 16,
    "batch": 60,
    "minibatch": 32,
    "window": 200,
    "hidden": 32,
    "sims": 16,
    "cheap_sims": 4,
    "full_share": 0.5,
    "evaluate": ("random",),
    "evaluate_games": 20,
    "search_games": 6,
    "tensorboard": False,
}
SEARCH = SearchJob(12, 4, 0.4, 0.25, 1.0, shape=Shape(16))
ALONE = League(hero=EXPERT)


def config(**more) -> ExpertConfig:
    return ExpertConfig("goofspiel", **{**SMALL, "iterations": 6, **more})


def worker(search: SearchJob = SEARCH, **more) -> RolloutWorker:
    job = {"options": ({"players": 2}, {"players": 3}), "tables": 16, "shape": Shape(16), **more}
    found = RolloutWorker(WorkerJob(TOY, search=search, **job))
    found.set_weights(Network(TOY.observation, TOY.n_actions, Shape(16), 1), EXPERT)
    return found


# What is recorded


def test_full_searches_are_recorded_with_their_visits_and_what_the_seat_was_paid():
    hands = worker()
    studies = [hands.collect(ALONE, 100).study for _ in range(3)]
    study = Study.joined([found for found in studies if found is not None])
    assert len(study) > 200
    assert study.policy.sum(1) == pytest.approx(1, abs=1e-2)
    assert not study.policy[study.mask == 0].any()
    assert study.mask.sum(1).min() > 1  # forced moves are not put to an agent
    assert set(study.value.tolist()) <= {-1.0, 0.0, 1.0, -0.5, 0.5}
    assert hands.scholar is not None
    assert hands.scholar.recorded == len(study) + sum(map(len, hands.scholar.open.values()))
    visits = study.policy.astype(np.float32) * 11  # the first simulation opens the root
    assert np.abs(visits - visits.round()).max() < 0.02  # of 12 simulations, never of 4


def test_the_share_of_full_searches_is_as_told():
    hands = worker()
    chunk = hands.collect(ALONE, 400)
    assert hands.scholar is not None
    assert hands.scholar.recorded / chunk.decisions == pytest.approx(0.4, abs=0.05)


def test_what_a_seat_was_paid_is_the_result_of_its_own_game():
    """The stake of a seat is told by its result: who wins all prizes got 1, and so on."""
    hands = worker(tables=1, search=SearchJob(8, 8, 1.0, 0.25, 1.0, shape=Shape(16)))
    seen = []
    for _ in range(30):
        chunk = hands.collect(ALONE, 1)
        assert chunk.study is not None
        if chunk.episodes:
            (episode,) = chunk.episodes
            counts = {u: episode.utilities.count(u) for u in set(episode.utilities)}
            assert set(chunk.study.value.tolist()) <= set(counts)
            if len(episode.utilities) == 2 and len(counts) == 2:
                seen.append(np.bincount(chunk.study.value > 0, minlength=2).tolist())
    assert seen
    assert all(mine == theirs for mine, theirs in seen)  # both seats decide as often


def test_opponents_of_the_expert_are_not_recorded():
    hands = worker(options=({"players": 2},))
    league = League(0.0, ("random",), (1.0,), ("random",), hero=EXPERT)
    chunk = hands.collect(league, 100)
    assert {frozenset(e.owners) for e in chunk.episodes} == {frozenset({EXPERT, "random"})}
    assert hands.scholar is not None
    assert hands.scholar.recorded / chunk.decisions == pytest.approx(0.2, abs=0.06)


def test_a_worker_goes_on_from_its_state_to_the_same_decisions():
    one = worker()
    one.collect(ALONE, 50)
    two = worker()
    arrays, values = one.state()
    two.restore(({k: v.copy() for k, v in arrays.items()}, values), {})
    for _ in range(2):
        a, b = one.collect(ALONE, 50).study, two.collect(ALONE, 50).study
        assert a is not None
        assert b is not None
        assert all(
            np.array_equal(x, y) for x, y in zip(vars(a).values(), vars(b).values(), strict=True)
        )


# The window


def study_of(*numbers: int) -> Study:
    found = Study.allocate(len(numbers), TOY.observation.size, TOY.n_actions)
    found.value[:] = numbers
    return found


def held(window: Window) -> set[int]:
    return set(window.sample(np.random.default_rng(0), 500).value.astype(int).tolist())


def test_the_window_keeps_the_latest_decisions_and_comes_back_from_its_parts(tmp_path: Path):
    window = Window(tmp_path / "w", TOY, 5)
    window.add(study_of(0, 1, 2))
    window.save(1)
    assert held(window) == {0, 1, 2}
    window.add(study_of(3, 4, 5, 6))
    window.save(2)
    window.save(3)  # nothing new
    assert held(window) == {2, 3, 4, 5, 6}
    window.add(study_of(*range(7, 20)))
    assert held(window) == {15, 16, 17, 18, 19}
    (tmp_path / "w" / "part-000099.safetensors").write_bytes(b"of a later checkpoint")
    again = Window(tmp_path / "w", TOY, 5)
    again.restore(window.manifest())
    assert held(again) == {2, 3, 4, 5, 6}
    assert sorted(p.name for p in (tmp_path / "w").iterdir()) == [
        "part-000001.safetensors",
        "part-000002.safetensors",
    ]
    window.save(4)
    window.tidy()
    assert [p.name for p in (tmp_path / "w").iterdir()] == ["part-000004.safetensors"]


def test_the_window_draws_the_same_after_it_came_back(tmp_path: Path):
    window = Window(tmp_path / "w", TOY, 7)
    for k in range(5):
        window.add(study_of(*range(3 * k, 3 * k + 3)))
        window.save(k)
    again = Window(tmp_path / "w", TOY, 7)
    again.restore(window.manifest())
    one, two = (w.sample(np.random.default_rng(4), 50).value for w in (window, again))
    assert np.array_equal(one, two)


@pytest.mark.parametrize("how", ["missing", "half"])
def test_a_part_that_is_not_whole_is_named(tmp_path: Path, how: str):
    window = Window(tmp_path, TOY, 5)
    window.add(study_of(1, 2, 3))
    window.save(1)
    path = tmp_path / "part-000001.safetensors"
    if how == "missing":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(ValueError, match=r"part-000001.safetensors: not a whole part"):
        Window(tmp_path, TOY, 5).restore(window.manifest())


# Learning


def test_the_network_learns_from_its_searches(tmp_path: Path):
    run = train(config(iterations=25, batch=250, window=2000, lr=3e-3), tmp_path / "run")
    lines = read_metrics(run)
    assert lines[-2]["distance"] < 0.75 * lines[2]["distance"]
    for spec in (f"net:{run}", f"ppo:{run},greedy=true", f"mcts:sims=16,net={run}"):
        share = Evaluator(TOY, ({"players": 2},), ("random",), 300).share(
            make(spec, TOY), make("random", TOY), 300
        )
        assert share > 0.6
    assert 0 <= lines[-1]["win/search/random"] <= 1


def test_a_run_begins_with_the_network_of_another(tmp_path: Path):
    first = train(config(iterations=2), tmp_path / "first")
    ppo = PPOConfig(
        "goofspiel", begin=str(first), players=(2,), hidden=32, evaluate_games=0, iterations=1
    )
    training = PPOTraining(ppo, tmp_path / "second", resume=False)
    weights = load_file(find_weights(str(first)))
    found = training.learner.network.state_dict()
    training.close()
    assert all(torch.equal(found[name], tensor) for name, tensor in weights.items())
    with pytest.raises(ValueError, match=r"--begin .*hidden=32.*, not .*hidden=16"):
        PPOTraining(replace(ppo, hidden=16), tmp_path / "third", resume=False)
    with pytest.raises(ValueError, match="no run or weights 'nowhere'"):
        PPOTraining(replace(ppo, begin="nowhere"), tmp_path / "third", resume=False)
    assert not (tmp_path / "third").exists()


@pytest.mark.parametrize("more", [{}, {"players": (2, 3), "bf16": "off", "past_share": 0.2}])
def test_a_resumed_run_comes_to_the_same_numbers_as_an_uninterrupted_one(tmp_path: Path, more):
    whole = train(config(**more), tmp_path / "whole")
    parts = train(config(**more), tmp_path / "parts", stop_after=3)
    moved = tmp_path / "moved"
    shutil.move(parts, moved)
    training = Training(load_config(moved), moved, resume=True)  # dies after an iteration
    training.iterate()
    training.window.save(4)
    training.close()
    train(load_config(moved), moved, resume=True)
    for file in ("weights", "optim", "worker-0"):
        one, two = (
            load_file(run / "checkpoints" / "000006" / f"{file}.safetensors")
            for run in (whole, moved)
        )
        assert one.keys() == two.keys()
        assert all(one[k].numpy().tobytes() == two[k].numpy().tobytes() for k in one)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"sims": 0}, "--sims 0: allowed is"),
        ({"noise": 2.0}, "--noise 2.0: allowed is 0 to 1"),
        ({"full_share": 0.0}, "--full-share 0.0: allowed is"),
        ({"full_share": 1.5}, "--full-share 1.5: allowed is"),
        ({"sims": 4, "cheap_sims": 8}, "--cheap-sims 8: more than --sims 4"),
        ({"minibatch": 500}, "--minibatch 500: more than --window 200"),
    ],
)
def test_a_bad_setting_is_named(more: dict, said: str):
    with pytest.raises(ValueError, match=said):
        config(**more)
