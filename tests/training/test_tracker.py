"""One switch logs a run to a tracker that is installed, and says so if it is not."""

import sys
import types
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest
import toys.known  # noqa: F401

from dwarrow.benchmarks import cli
from dwarrow.training.algorithms import train
from dwarrow.training.config import PPOConfig
from dwarrow.training.ppo import resumed

SMALL = {
    "players": (2,),
    "tables": 16,
    "batch": 100,
    "minibatch": 50,
    "hidden": 16,
    "evaluate_games": 0,
    "tensorboard": False,
    "iterations": 2,
}


class Told:
    """Stands for the run of a tracker."""

    def __init__(self) -> None:
        self.begun: list[dict[str, Any]] = []
        self.steps: list[int] = []
        self.finished = 0

    def init(self, **about: Any) -> "Told":
        self.begun.append(about)
        return self

    def log(self, metrics: dict[str, float], step: int) -> None:
        assert metrics["iteration"] == step
        self.steps.append(step)

    def finish(self) -> None:
        self.finished += 1


@pytest.mark.parametrize("name", ["wandb", "trackio"])
def test_a_run_is_logged_to_the_tracker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str):
    told, module = Told(), types.ModuleType(name)
    module.__spec__ = ModuleSpec(name, None)
    module.init = told.init
    monkeypatch.setitem(sys.modules, name, module)
    run = train(PPOConfig("goofspiel", tracker=name, **SMALL), tmp_path / "mine")
    train(resumed(run, iterations=3), run, resume=True)
    assert told.steps == [1, 2, 2, 3, 3]  # a run's end is measured once more
    assert told.finished == 2
    first, second = told.begun
    assert (first["project"], first["name"]) == ("dwarrow", "mine")
    assert first["config"]["batch"] == 100
    assert "resume" not in first
    assert second["resume"] == "allow"


def test_a_tracker_that_is_not_installed_is_said_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("dwarrow.training.logging.find_spec", lambda name: None)
    run = tmp_path / "mine"
    assert cli.main(f"train goofspiel --tracker wandb --run {run}".split()) == 2
    said = "--tracker wandb: it is not installed; pip install wandb"
    assert said in capsys.readouterr().err
    assert not run.exists()
