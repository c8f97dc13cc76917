"""The verbs `train` and `demo` as a user types them, on the toy."""

from pathlib import Path

import pytest
import toys.known  # noqa: F401

from dwarrow.agents import make
from dwarrow.benchmarks import cli
from dwarrow.envs import game
from dwarrow.training.commands.train import chosen
from dwarrow.training.logging import read_metrics

QUICK = "--batch 600 --minibatch 200 --tables 64 --hidden 16 --evaluate-games 30 --no-tensorboard"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DWARROW_RUNS", str(tmp_path))
    monkeypatch.delenv("DEMO_MINUTES", raising=False)


def dwarrow(line: str) -> int:
    return cli.main(line.split())


def test_train_then_resume_by_name_then_play(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    folder = tmp_path / "mine"
    assert dwarrow(f"train goofspiel ppo --players 2 3 --run {folder} --iterations 2 {QUICK}") == 0
    assert f"ppo:{folder}" in capsys.readouterr().out
    assert dwarrow("train --resume mine --iterations 3") == 0
    assert read_metrics(folder)[-1]["iteration"] == 3
    make("ppo:mine", game("goofspiel"))


def test_train_expert_then_play_by_its_network_and_by_search(tmp_path: Path):
    folder = tmp_path / "mine"
    quick = QUICK.replace("600", "60").replace("200", "32") + " --sims 6 --cheap-sims 2"
    line = f"train goofspiel expert --players 2 --run {folder} --iterations 2 {quick}"
    assert dwarrow(line) == 0
    assert dwarrow("train --resume mine --iterations 3") == 0
    assert read_metrics(folder)[-1]["iteration"] == 3
    make("net:mine", game("goofspiel"))
    make("mcts:sims=4,net=mine", game("goofspiel"))


def test_the_executor_is_settled_once_the_whole_line_is_read(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("dwarrow.training.crew.choose.cores", lambda: 2)
    for line, executor, workers in (
        ("goofspiel", "serial", 1),
        ("goofspiel --workers 2", "processes", 2),
        ("goofspiel expert --workers 2", "processes", 2),
        ("goofspiel --executor threads", "threads", 2),
        ("goofspiel --address auto", "ray", 2),
        ("dwar7s_fall --workers 2", "processes", 2),  # on top of a preset
    ):
        config = chosen(line.split())
        assert (config.executor, config.workers) == (executor, workers), line


def test_a_run_gets_a_folder_by_itself(tmp_path: Path):
    assert dwarrow(f"train goofspiel --players 2 --iterations 1 {QUICK}") == 0
    (folder,) = tmp_path.iterdir()
    assert folder.name.startswith("goofspiel-2p-")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("train chess", "unknown game 'chess'"),
        ("train --minutes 10 goofspiel", "write the game first: dwarrow train GAME"),
        ("train goofspiel --resume nowhere", "--resume RUN takes game and settings from the run"),
        ("runs nowhere", "nowhere: no such folder"),
        ("train goofspiel sarsa", "dwarrow train: unknown algorithm 'sarsa': known are ppo,"),
        (
            "train goofspiel --preset best",
            "unknown preset of goofspiel: the game has none",
        ),
        ("train goofspiel ppo more", "'more': game and algorithm come first"),
        ("train --preset best", "write the game first"),
        ("train goofspiel --config", "--config: write what after it"),
        ("train goofspiel --config a --config b", "--config is given twice"),
        ("train goofspiel --config a --preset b", "--config or --preset, not both"),
        ("train goofspiel --config nowhere.toml", "nowhere.toml"),
        ("train goofspiel --players 5", "players=5: allowed are [2, 3]"),
        ("train goofspiel --opponents nobody", "unknown agent 'nobody'"),
        ("train goofspiel --options colour=red", "unknown option 'colour'"),
        ("train --resume nowhere", "nowhere: not the folder of a run"),
        ("train goofspiel --run {here}", "--run {here}: it exists; --resume {here} goes on"),
        ("demo --game chess", "unknown game 'chess'"),
        ("demo --game goofspiel --players 7", "players=7: allowed are [2, 3]"),
    ],
)
def test_what_a_user_got_wrong_is_one_line_and_exit_code_2(
    line: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert dwarrow(line.format(here=tmp_path)) == 2
    error = capsys.readouterr().err
    assert said.format(here=tmp_path) in error
    assert "Traceback" not in error
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "line",
    ["train", "train goofspiel --more", "train goofspiel --lr 0", "train goofspiel --lr x"],
)
def test_a_line_that_does_not_parse_is_explained_with_exit_code_2(
    line: str, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(SystemExit) as exit_:
        dwarrow(line)
    assert exit_.value.code == 2
    said = capsys.readouterr()
    assert "Traceback" not in said.err + said.out


def test_the_demo_trains_measures_and_shows_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("DEMO_MINUTES", "0.02")
    assert dwarrow("demo --game goofspiel --players 3 --games 60") == 0
    out = capsys.readouterr().out
    for part in ("fair share 33%", "random", "greedy", "rule", "ppo/1 bid", "points: ppo/1"):
        assert part in out
    (folder,) = tmp_path.iterdir()
    assert f"--resume {folder}" in out
    assert (folder / "checkpoints" / "latest").exists()


def test_demo_minutes_must_be_a_number(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("DEMO_MINUTES", "soon")
    assert dwarrow("demo") == 2
    assert "DEMO_MINUTES=soon: expected a number of minutes" in capsys.readouterr().err
