"""Settings in files, presets, the lock of a run, and the list of runs."""

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import toys.known  # noqa: F401

from dwarrow import envs
from dwarrow.benchmarks import cli
from dwarrow.training.algorithms import train
from dwarrow.training.commands.train import chosen
from dwarrow.training.config import ExpertConfig, PPOConfig
from dwarrow.training.lock import LOCK, holder, locked
from dwarrow.training.ppo import resumed
from dwarrow.training.runs import age, list_runs, look_at
from dwarrow.training.settings import CONFIGS, PRESETS, build, config_class, load_config, presets

SMALL = {
    "players": (2,),
    "tables": 32,
    "batch": 300,
    "minibatch": 100,
    "hidden": 16,
    "evaluate": ("random",),
    "evaluate_games": 10,
    "tensorboard": False,
    "iterations": 2,
}


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "one"
    return train(PPOConfig("goofspiel", **SMALL), folder)


@pytest.fixture
def runs(saved: Path, tmp_path: Path) -> Path:
    shutil.copytree(saved, tmp_path / "one")
    return tmp_path


# Settings in files


@pytest.mark.parametrize("kind", ["toml", "json"])
def test_a_file_gives_settings_and_the_command_line_wins(tmp_path: Path, kind: str):
    path = tmp_path / f"mine.{kind}"
    if kind == "toml":
        path.write_text('game = "goofspiel"\nplayers = [2, 3]\nlr = 1\nminutes = 3\nbf16 = "off"\n')
    else:
        values = {"game": "goofspiel", "players": [2, 3], "lr": 1, "minutes": 3, "bf16": "off"}
        path.write_text(json.dumps(values))
    assert chosen(["--config", str(path)]) == PPOConfig(
        "goofspiel", players=(2, 3), lr=1.0, minutes=3.0, bf16="off"
    )
    found = chosen(["goofspiel", "ppo", f"--config={path}", "--lr", "0.5", "--iterations", "7"])
    assert found == PPOConfig("goofspiel", players=(2, 3), lr=0.5, iterations=7, bf16="off")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("minuets = 3", "mine.toml: unknown setting 'minuets'; did you mean 'minutes'?"),
        ("zzz = 3", "mine.toml: unknown setting 'zzz': known are "),
        ("lr = 'fast'", "mine.toml: lr = 'fast': expected a number"),
        ("tables = 1.5", "mine.toml: tables = 1.5: expected a whole number"),
        ("tables = true", "mine.toml: tables = True: expected a whole number"),
        ("players = 3", "mine.toml: players = 3: expected a list"),
        ("bf16 = 'maybe'", "mine.toml: bf16 = 'maybe': expected one of auto, on, off"),
        ("algorithm = 'sarsa'", "mine.toml: unknown algorithm 'sarsa': known are ppo"),
        ("lr = 0", "mine.toml: --lr 0.0: allowed is"),
        ("minutes = 1\niterations = 1", "mine.toml: give --minutes or --iterations, not both"),
        ("= 3", "mine.toml: not TOML"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(
    tmp_path: Path, text: str, said: str, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    assert cli.main(["train", "goofspiel", "--config", str(path)]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error


def test_a_game_s_default_preset_needs_no_naming():
    plain = chosen(["dwar7s_fall"])
    assert isinstance(plain, PPOConfig)
    assert plain == chosen(["dwar7s_fall", "--preset", "default"]) != PPOConfig("dwar7s_fall")
    limited = chosen(["dwar7s_fall", "--iterations", "3", "--teacher-share", "0.5"])
    assert (limited.minutes, limited.iterations, limited.lr) == (None, 3, plain.lr)
    assert isinstance(limited, PPOConfig)
    assert (limited.teacher, limited.teacher_share) == ("rule", 0.5)
    assert chosen(["the_duel"]) == PPOConfig("the_duel")
    assert chosen(["dwar7s_fall", "expert"]) == ExpertConfig("dwar7s_fall")


def test_every_preset_can_be_built_and_says_what_it_gave(capsys: pytest.CaptureFixture[str]):
    games = sorted(path.stem for path in PRESETS.glob("*.toml"))
    assert set(games) <= set(envs.games())
    for game in games:
        assert presets(game)
        for name, preset in presets(game).items():
            found = chosen([game, "--preset", name])
            assert found.game == game
            found.games(envs.game(game))
            assert min(len(preset.about), len(preset.result)) > 20
            cls = config_class(preset.settings, name)
            assert build(cls, {"game": game, **preset.settings}, name) == found
    assert cli.main(["train", "--presets"]) == 0
    out = capsys.readouterr().out
    assert all(f"dwarrow train {game} --preset" in out for game in games)
    assert cli.main(["train", "aquilon", "--preset", "nonsense"]) == 2
    assert "unknown preset of aquilon: known are three-lords" in capsys.readouterr().err


def test_a_run_of_another_version_is_refused_in_words(runs: Path):
    path = runs / "one" / "config.json"
    values = json.loads(path.read_text())
    path.write_text(json.dumps({**values, "format": 99}))
    with pytest.raises(ValueError, match="a run of another version, with settings in format 99"):
        load_config(runs / "one")
    path.write_text(json.dumps({**values, "algorithm": "alphastar"}))
    with pytest.raises(ValueError, match="unknown algorithm 'alphastar'"):
        load_config(runs / "one")


def test_every_algorithm_has_settings_that_survive_their_file(tmp_path: Path):
    from dwarrow.training.settings import save_config

    for k, cls in enumerate(CONFIGS.values()):
        written = cls("goofspiel", players=(2, 3), seed=5)
        folder = tmp_path / str(k)
        folder.mkdir()
        save_config(written, folder)
        read = load_config(folder)
        assert type(read) is cls
        assert {**vars(read), "run": None} == {**vars(written), "run": None}


# The lock

HOLD = """
import sys, time
from pathlib import Path
from dwarrow.training.lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_process_is_told_who_is_at_work_and_a_killed_one_is_no_obstacle(runs: Path):
    run = runs / "one"
    before = sorted(path.name for path in (run / "checkpoints").iterdir())
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(run)], stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        who = f"process {other.pid} on {socket.gethostname()}"
        assert str(holder(run)) == who
        assert look_at(run).state == "running"
        with pytest.raises(ValueError, match=f"{who} is at work on this run"):
            train(resumed(run, iterations=3), run, resume=True)
        other.kill()
    assert json.loads((run / LOCK).read_text())["pid"] == other.pid
    assert holder(run) is None
    assert look_at(run).state == "done"
    train(resumed(run, iterations=3), run, resume=True)
    after = sorted(path.name for path in (run / "checkpoints").iterdir())
    assert after != before


def test_the_lock_is_given_back(tmp_path: Path):
    with locked(tmp_path):
        assert holder(tmp_path) is not None
        with pytest.raises(ValueError, match=f"process {os.getpid()} on"), locked(tmp_path):
            pass
    assert holder(tmp_path) is None
    with locked(tmp_path):
        pass


# The list


def test_runs_are_listed_with_state_and_strength(
    runs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    stopped = train(PPOConfig("goofspiel", **SMALL), runs / "two", stop_after=1)
    damaged = shutil.copytree(stopped, runs / "three")
    (damaged / "checkpoints" / "000001" / "optim.safetensors").write_bytes(b"half")
    shutil.copytree(stopped, runs / "four")
    (runs / "four" / "config.json").write_text("{")
    shutil.copytree(stopped, runs / "five")
    shutil.rmtree(runs / "five" / "checkpoints")
    (runs / "no-run").mkdir()
    found = {info.folder.name: info for info in list_runs(runs)}
    assert {name: info.state for name, info in found.items()} == {
        "one": "done",
        "two": "stopped",
        "three": "damaged",
        "four": "damaged",
        "five": "damaged",
    }
    assert "optim.safetensors: truncated or changed" in found["three"].trouble
    assert "config.json: not JSON" in found["four"].trouble
    assert "no checkpoint" in found["five"].trouble
    assert found["one"].counters.iteration == 2
    assert 0 <= found["one"].strength["random"] <= 1
    monkeypatch.setenv("DWARROW_RUNS", str(runs))
    assert cli.main(["runs"]) == 0
    out = capsys.readouterr().out
    for word in ("one", "goofspiel", "ppo", "stopped", "100%", "random", "three: damaged: "):
        assert word in out


def test_no_runs_are_said_to_be_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["runs", str(tmp_path)]) == 0
    assert "no runs in" in capsys.readouterr().out


def test_a_time_is_told_as_an_age():
    assert [age(0, now) for now in (5, 300, 7200, 3 * 86400)] == [
        "5 s ago",
        "5 min ago",
        "2 h ago",
        "3 d ago",
    ]


def test_a_run_that_died_before_its_first_checkpoint_begins_anew(runs: Path):
    run = runs / "one"
    whole = {p.name: p.read_bytes() for p in (run / "checkpoints" / "000002").glob("worker*")}
    shutil.rmtree(run / "checkpoints")
    train(resumed(run), run, resume=True)
    again = {p.name: p.read_bytes() for p in (run / "checkpoints" / "000002").glob("worker*")}
    assert whole.keys() == again.keys()
    assert look_at(run).state == "done"
