"""Runs that are killed, and disks that fill up: a checkpoint is left, and little is lost."""

import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import toys.known  # noqa: F401
from safetensors.torch import load_file

from dwarrow.envs import game
from dwarrow.training.algorithms import train
from dwarrow.training.checkpoint import RunEndedError, checkpoints, load_checkpoint
from dwarrow.training.config import ExpertConfig, PPOConfig, RunConfig
from dwarrow.training.logging import Metrics, read_metrics
from dwarrow.training.ppo import Training
from dwarrow.training.runs import look_at
from dwarrow.training.settings import load_config, save_config

TOY = game("goofspiel")
SMALL = {
    "players": (2,),
    "tables": 16,
    "batch": 100,
    "minibatch": 50,
    "hidden": 16,
    "evaluate_games": 0,
    "tensorboard": False,
    "checkpoint_minutes": 0,
}
KILLS = 3

GO_ON = """
import sys
from pathlib import Path
import toys.known
from dwarrow.training.algorithms import train
from dwarrow.training.settings import load_config
run = Path(sys.argv[1])
train(load_config(run), run, resume=True)
"""


def weights(run: Path) -> dict[str, bytes]:
    folder = checkpoints(run)[-1]
    return {
        f"{path.name}:{name}": tensor.numpy().tobytes()
        for path in sorted(folder.glob("*.safetensors"))
        for name, tensor in load_file(path).items()
    }


def begun(run: Path) -> int:
    return len(read_metrics(run)) if (run / "metrics.jsonl").exists() else 0


def test_a_run_killed_at_any_moment_goes_on_to_the_same_numbers(tmp_path: Path):
    """With a checkpoint every iteration, each kill costs one iteration at most."""
    config = ExpertConfig(
        "goofspiel", **{**SMALL, "window": 100, "sims": 4, "cheap_sims": 2, "iterations": 10**6}
    )
    moments = random.Random(5)
    run = tmp_path / "killed"
    run.mkdir()
    save_config(config, run)
    for _ in range(KILLS):
        before = begun(run)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        with subprocess.Popen(
            [sys.executable, "-c", GO_ON, str(run)],
            env=environment,
            stdout=subprocess.DEVNULL,
        ) as process:
            until = time.monotonic() + 600
            while begun(run) <= before + 1 and time.monotonic() < until:
                assert process.poll() is None
                time.sleep(0.005)
            time.sleep(moments.uniform(0, 0.15))
            process.send_signal(signal.SIGKILL)
        saved = load_checkpoint(run, TOY).values["counters"]["iteration"]
        assert saved >= begun(run) - 1
        assert look_at(run).state == "stopped"
    train(config, run, resume=True, stop_after=saved + 2)
    train(config, tmp_path / "whole", stop_after=saved + 2)
    assert weights(run) == weights(tmp_path / "whole")


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """Let every write beyond this size fail, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize(
    ("algorithm", "file"), [(PPOConfig, "optim"), (ExpertConfig, "optim"), (PPOConfig, "weights")]
)
def test_a_full_disk_is_said_in_words_and_leaves_the_checkpoint_before(
    tmp_path: Path, algorithm: type[RunConfig], file: str
):
    """As large as the weights is a past self too, which is written in the midst of an iteration."""
    config = algorithm("goofspiel", **SMALL, iterations=6)
    run = tmp_path / "run"
    train(config, run, stop_after=3)
    kept = weights(run)
    size = (checkpoints(run)[-1] / f"{file}.safetensors").stat().st_size
    said = r"could not be written \(.*File too large.*\); its checkpoint of iteration 3 is whole"
    with files_up_to(size - 100), pytest.raises(RunEndedError, match=said):
        train(config, run, resume=True)
    assert weights(run) == kept
    assert load_checkpoint(run, TOY).values["counters"]["iteration"] == 3
    assert list((run / "checkpoints").glob("*.partial")) == []  # its room is given back
    assert look_at(run).state == "stopped"
    train(load_config(run), run, resume=True)
    train(config, tmp_path / "whole")
    assert weights(run) == weights(tmp_path / "whole")


def test_a_log_that_cannot_be_written_ends_the_run_in_words(tmp_path: Path):
    config = PPOConfig("goofspiel", **{**SMALL, "checkpoint_minutes": 5}, iterations=6)
    run = tmp_path / "run"
    train(config, run, stop_after=1)
    large = (run / "metrics.jsonl").stat().st_size
    with (
        files_up_to(large + 10),
        pytest.raises(RunEndedError, match="its checkpoint of iteration 1 is whole"),
    ):
        train(load_config(run), run, resume=True)
    assert load_checkpoint(run, TOY).values["counters"]["iteration"] == 1


@pytest.mark.parametrize(
    "error", [ChildProcessError("worker 0 was lost"), TimeoutError("late"), ConnectionError("gone")]
)
def test_only_trouble_with_the_disk_is_called_so(
    tmp_path: Path, error: OSError, monkeypatch: pytest.MonkeyPatch
):
    def fail(training: Training) -> Metrics:
        raise error

    monkeypatch.setattr(Training, "iterate", fail)
    with pytest.raises(type(error), match=str(error)) as raised:
        train(PPOConfig("goofspiel", **SMALL, iterations=2), tmp_path / "run")
    assert raised.value is error
