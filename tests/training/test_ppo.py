"""Training on the toy: it learns, resumes to the bit, and its checkpoints are checked when read."""

import json
import shutil
import signal
import threading
from pathlib import Path

import numpy as np
import pytest
import torch
import toys.known  # noqa: F401
from safetensors.torch import load_file

from dwarrow.agents import make
from dwarrow.envs import game
from dwarrow.training.algorithms import train
from dwarrow.training.checkpoint import checkpoints, load_checkpoint
from dwarrow.training.config import PPOConfig
from dwarrow.training.evaluation import rotated, win_share
from dwarrow.training.learner import TrainingDivergedError
from dwarrow.training.logging import read_metrics
from dwarrow.training.match import Row, play_matches
from dwarrow.training.ppo import Training, resumed
from dwarrow.training.settings import load_config, save_config

TOY = game("goofspiel")
SMALL = {
    "players": (2,),
    "tables": 64,
    "batch": 600,
    "minibatch": 200,
    "hidden": 32,
    "evaluate": ("random",),
    "evaluate_games": 20,
    "tensorboard": False,
}


def config(**more) -> PPOConfig:
    return PPOConfig("goofspiel", **{**SMALL, "iterations": 6, **more})


def weights(run: Path) -> dict[str, bytes]:
    folder = checkpoints(run)[-1]
    return {
        f"{file}:{name}": tensor.numpy().tobytes()
        for file in ("weights.safetensors", "optim.safetensors", "worker-0.safetensors")
        for name, tensor in load_file(folder / file).items()
    }


def test_it_learns_to_exploit_a_fixed_opponent(tmp_path: Path):
    """Who lets `greedy` have the first prize wins the other two: 5/6 of the win at best."""
    run = train(
        config(
            opponents=("greedy",),
            scripted_share=1.0,
            past_share=0.0,
            iterations=30,
            batch=2000,
            minibatch=500,
            lr=3e-3,
            entropy=0.01,
        ),
        tmp_path / "run",
    )
    agents = {"ppo": make(f"ppo:{run}", TOY), "greedy": make("greedy", TOY)}
    rows = play_matches(TOY, {}, rotated("ppo", "greedy", 2, 600, 5), agents)
    share = np.mean([win_share(row, row.seats.index("ppo")) for row in rows])
    assert 0.75 < share < 0.87


@pytest.mark.parametrize(
    "more",
    [
        {"iterations": 20},
        {"kl_magnet": 0.1, "players": (2, 3)},
        {"bf16": "off", "utility": "win"},
        {"central_value": True, "players": (2, 3)},
    ],
)
def test_a_resumed_run_comes_to_the_same_numbers_as_an_uninterrupted_one(tmp_path: Path, more):
    whole = train(config(**more), tmp_path / "whole")
    half = more.get("iterations", 6) // 2
    parts = train(config(**more), tmp_path / "parts", stop_after=half)
    moved = tmp_path / "moved"
    shutil.move(parts, moved)
    train(resumed(moved), moved, resume=True)
    assert weights(whole) == weights(moved)
    one, two = ([figures(line) for line in read_metrics(run)] for run in (whole, moved))
    assert one == two
    assert [p.name for p in sorted((whole / "pool").iterdir())] == [
        p.name for p in sorted((moved / "pool").iterdir())
    ]


def figures(line: dict[str, float]) -> dict[str, float]:
    timed = ("time/", "seconds", "decisions_per_second", "win/")
    return {name: value for name, value in line.items() if not name.startswith(timed)}


def test_a_run_killed_after_a_checkpoint_forgets_what_came_later(tmp_path: Path):
    """The log and the pool may be ahead of the checkpoint; both are cut back to it."""
    whole = train(config(), tmp_path / "whole")
    killed = train(config(), tmp_path / "killed", stop_after=3)
    training = Training(resumed(killed), killed, resume=True)
    training.iterate()  # a later snapshot is written, and then the process dies
    training.close()
    with (killed / "metrics.jsonl").open("a") as log:
        log.write('{"iteration": 4, "loss/policy": 0.1}\n{"iteration": 5, "los')
    train(resumed(killed), killed, resume=True)
    assert weights(whole) == weights(killed)
    assert [m["iteration"] for m in read_metrics(killed)] == [1, 2, 3, 4, 5, 6, 6]


def test_snapshots_never_change(tmp_path: Path):
    run = tmp_path / "run"
    training = Training(config(iterations=12, snapshots=12), run, resume=False)
    for _ in range(2):
        training.iterate()
    before = {path: path.read_bytes() for path in (run / "pool").iterdir()}
    assert len(before) == 2
    for _ in range(10):
        training.iterate()
    assert all(path.read_bytes() == content for path, content in before.items())
    assert len({path.read_bytes() for path in (run / "pool").iterdir()}) == 12
    with pytest.raises(FileExistsError, match="never overwritten"):
        training.pool.snapshot(training.learner.network, 0)
    training.close()


def test_the_pool_draws_hard_opponents_more_often(tmp_path: Path):
    from dwarrow.training.matchmaking import LEARNER, OpponentPool
    from dwarrow.training.trajectory import Episode

    pool = OpponentPool(tmp_path, TOY, ("random", "rule"))
    lost = Episode(0, (LEARNER, "rule"), (-1.0, 1.0), (0.0, 6.0), 6)
    won = Episode(1, ("random", LEARNER), (-1.0, 1.0), (0.0, 6.0), 6)
    pool.record([lost, won] * 50)
    league = pool.league(0, 0, past_share=0.15, scripted_share=0.2)
    share = dict(zip(league.names, league.weights, strict=True))
    assert share["rule"] > 20 * share["random"] > 0
    assert league.self_share == pytest.approx(0.8)


def test_ctrl_c_saves_and_the_run_can_go_on(tmp_path: Path):
    run = tmp_path / "run"
    before = signal.getsignal(signal.SIGINT)
    timer = threading.Timer(2.0, signal.raise_signal, [signal.SIGINT])
    timer.start()
    train(config(iterations=10**6), run)
    timer.join()
    found = load_checkpoint(run, TOY)
    done = found.values["counters"]["iteration"]
    assert done > 0
    assert signal.getsignal(signal.SIGINT) is before
    train(resumed(run, iterations=done + 2), run, resume=True)
    assert read_metrics(run)[-1]["iteration"] == done + 2


# Checkpoints


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(config(iterations=2), tmp_path_factory.mktemp("runs") / "run")


@pytest.fixture
def run(saved: Path, tmp_path: Path) -> Path:
    shutil.copytree(saved, tmp_path / "run")
    return tmp_path / "run"


@pytest.mark.parametrize(
    "file", ["weights.safetensors", "optim.safetensors", "worker-0.safetensors", "state.json"]
)
def test_a_truncated_changed_or_missing_file_is_named(run: Path, file: str):
    path = run / "checkpoints" / "000002" / file
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match=f"{file}: truncated or changed"):
        load_checkpoint(run, TOY)
    if file != "state.json":
        path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        with pytest.raises(ValueError, match=f"{file}: truncated or changed"):
            load_checkpoint(run, TOY)
    path.unlink()
    with pytest.raises(ValueError, match=f"{file}: this file of the checkpoint is missing"):
        load_checkpoint(run, TOY)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("game", "game 'other'"),
        ("rules", "rules version 'other'"),
        ("observation", "observation layout 'other'"),
        ("actions", "action list 'other'"),
        ("pack", "component pack 'other'"),
    ],
)
def test_a_checkpoint_of_other_rules_or_layout_is_refused(run: Path, key: str, said: str):
    path = run / "checkpoints" / "000002" / "state.json"
    state = json.loads(path.read_text())
    state["identity"][key] = "other"
    path.write_text(json.dumps(state))
    with pytest.raises(ValueError, match=said):
        load_checkpoint(run, TOY)


def test_another_format_is_refused(run: Path):
    path = run / "checkpoints" / "000002" / "state.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 99}))
    with pytest.raises(ValueError, match="checkpoint format 99, this version reads 1"):
        load_checkpoint(run, TOY)


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path, run: Path):
    with pytest.raises(ValueError, match="not the folder of a run"):
        resumed(tmp_path / "nothing")
    shutil.rmtree(run / "checkpoints")
    with pytest.raises(ValueError, match="no checkpoint to go on from"):
        load_checkpoint(run, TOY)
    (run / "config.json").write_text('{"game": "goofspiel", "speed": 3}')
    with pytest.raises(ValueError, match=r"config.json: unknown setting 'speed'"):
        resumed(run)


def test_a_missing_past_self_is_named(run: Path):
    (run / "pool" / "past-000001.safetensors").unlink()
    with pytest.raises(ValueError, match=r"past-000001.safetensors: this past self"):
        Training(resumed(run), run, resume=True)


def test_an_interrupted_write_leaves_the_checkpoint_before(run: Path):
    aside = run / "checkpoints" / "000004.partial"
    aside.mkdir()
    (aside / "weights.safetensors").write_bytes(b"half")
    assert load_checkpoint(run, TOY).values["counters"]["iteration"] == 2
    train(resumed(run, iterations=4), run, resume=True)
    assert load_checkpoint(run, TOY).values["counters"]["iteration"] == 4
    assert not aside.exists()


def test_old_checkpoints_are_dropped(tmp_path: Path):
    train(config(checkpoint_minutes=0), tmp_path / "run")
    names = sorted(p.name for p in (tmp_path / "run" / "checkpoints").iterdir())
    assert names == ["000004", "000005", "000006", "latest"]


def test_weights_that_are_not_finite_stop_the_run_with_advice(tmp_path: Path):
    training = Training(config(), tmp_path / "run", resume=False)
    with torch.no_grad():
        training.learner.network.value.bias.fill_(float("nan"))
    with pytest.raises(TrainingDivergedError, match=r"diverged in iteration 0.*try a lower --lr"):
        training.iterate()
    training.close()


# Settings


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"lr": 0.0}, "--lr 0.0: allowed is"),
        ({"lr": float("nan")}, "--lr nan"),
        ({"tables": 0}, "--tables 0"),
        ({"gamma": 1.5}, "--gamma 1.5: allowed is 0 to 1"),
        ({"past_share": 0.7, "scripted_share": 0.7}, "together are more than 1"),
        ({"minutes": 1.0}, "--minutes or --iterations, not both"),
        ({"options": ("players=3",)}, "--players or --options players=3, not both"),
        ({"players": (2, 3, 2)}, "--players 2 3 2: a number comes twice"),
        ({"central_value": True, "teacher": "rule"}, "--central-value with --teacher"),
        ({"run": Path("a,b")}, "would not fit in a spec"),
    ],
)
def test_a_bad_setting_is_named(more: dict, said: str):
    with pytest.raises(ValueError, match=said):
        config(**more)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"players": (9,)}, r"players=9: allowed are \[2, 3\]"),
        ({"options": ("players",)}, "write name=value"),
        ({"options": ("colour=red",)}, r"unknown option 'colour': known are \['players'\]"),
        ({"players": (), "options": ("players=7",)}, r"players=7: allowed are \[2, 3\]"),
        ({"opponents": ("nobody",)}, "unknown agent 'nobody'"),
        ({"evaluate": ("nobody",)}, "unknown agent 'nobody'"),
    ],
)
def test_a_setting_that_does_not_fit_the_game_is_named_and_nothing_is_written(
    tmp_path: Path, more: dict, said: str
):
    with pytest.raises(ValueError, match=said):
        train(config(**more), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_settings_come_back_from_the_run_folder(tmp_path: Path):
    written = config(players=(2, 3), kl_magnet=0.5)
    save_config(written, tmp_path)
    read = load_config(tmp_path)
    assert {**vars(read), "run": None} == {**vars(written), "run": None}


# Evaluation


def row(*utilities: float) -> Row:
    n = len(utilities)
    return Row(0, ("a",) * n, utilities, (0.0,) * n, (1,) * n, n)


def test_a_win_is_shared_among_those_who_tie():
    assert [win_share(row(1, 0, -1), k) for k in range(3)] == [1, 0, 0]
    assert [win_share(row(0.5, 0.5, -1), k) for k in range(3)] == [0.5, 0.5, 0]
    assert win_share(row(0, 0), 1) == 0.5
    assert win_share(row(1, 1, 1), 2) == 1  # a co-operative win
    assert win_share(row(-1, -1), 0) == 0


def test_every_deal_is_played_with_the_hero_in_every_seat():
    lineups = rotated("h", "o", 3, 9, 100)
    assert [seed for seed, _ in lineups] == [100] * 3 + [101] * 3 + [102] * 3
    assert [seats.index("h") for _, seats in lineups] == [0, 1, 2] * 3
