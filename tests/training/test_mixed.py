"""PPO and the expert at the same tables: each learns from its own, and the log says who wins."""

from pathlib import Path

import numpy as np
import pytest
import toys.known  # noqa: F401
from safetensors.torch import load_file

from dwarrow.agents import make
from dwarrow.benchmarks import cli
from dwarrow.envs import game
from dwarrow.training.algorithms import train
from dwarrow.training.commands.train import chosen
from dwarrow.training.config import ExpertConfig, MixedConfig
from dwarrow.training.learning import ExpertSettings, PPOSettings
from dwarrow.training.logging import read_metrics
from dwarrow.training.matchmaking import LEARNER, League
from dwarrow.training.mixed import Training, at_one_table
from dwarrow.training.scholar import EXPERT
from dwarrow.training.settings import load_config
from dwarrow.training.trajectory import Episode

TOY = game("goofspiel")


def config(**more) -> MixedConfig:
    small = {
        "players": (2, 3),
        "tables": 24,
        "hidden": 16,
        "ppo": PPOSettings(batch=300, minibatch=100),
        "expert": ExpertSettings(
            window=100, minibatch=16, sims=8, cheap_sims=2, full_share=0.5, search_games=6
        ),
        "evaluate": ("random",),
        "evaluate_games": 20,
        "tensorboard": False,
        "iterations": 6,
    }
    return MixedConfig("goofspiel", **{**small, **more})


def test_both_learn_and_the_log_says_who_beats_whom(tmp_path: Path):
    run = train(config(), tmp_path / "mixed")
    lines = read_metrics(run)
    assert sum(line["shared/games"] for line in lines[:6]) > 50
    assert all(-1 <= line["shared/ppo"] <= 1 for line in lines[1:6])
    assert lines[5]["expert/window"] == 100
    assert {"loss/policy", "expert/loss/policy", "expert/distance"} <= lines[5].keys()
    for name in ("ppo_vs_expert", "expert_vs_ppo", "random", "expert_net/random", "search/random"):
        assert 0 <= lines[-1][f"win/{name}"] <= 1
    ppo, expert = (make(spec, TOY) for spec in (f"ppo:{run}", f"net:{run}/expert"))
    assert not np.array_equal(ppo.network.value.weight, expert.network.value.weight)
    make(f"mcts:sims=4,net={run}/expert", TOY)
    with pytest.raises(ValueError, match="no run or weights"):
        make(f"net:{run}/nobody", TOY)


def test_a_resumed_run_comes_to_the_same_numbers_as_an_uninterrupted_one(tmp_path: Path):
    whole = train(config(), tmp_path / "whole")
    parts = train(config(), tmp_path / "parts", stop_after=3)
    train(load_config(parts), parts, resume=True)
    for file in ("weights", "expert", "optim", "worker-0"):
        one, two = (
            load_file(run / "checkpoints" / "000006" / f"{file}.safetensors")
            for run in (whole, parts)
        )
        assert one.keys() == two.keys()
        assert all(one[k].numpy().tobytes() == two[k].numpy().tobytes() for k in one)


def test_each_learns_from_its_own_decisions_only(tmp_path: Path):
    training = Training(config(), tmp_path / "run", resume=False)
    seats = {LEARNER: 0, EXPERT: 0}
    chunk = training.executor.collect(training.league(0.0), 300)
    for episode in chunk.episodes:
        if set(episode.owners) == {LEARNER, EXPERT}:
            for owner in episode.owners:
                seats[owner] += 1
    assert chunk.study is not None
    assert min(seats.values()) > 5
    # every seat has two free decisions in a finished game of the toy with three prizes
    assert len(chunk.study) <= 2 * seats[EXPERT]
    assert len(chunk.study) == pytest.approx(seats[EXPERT], rel=0.4)  # half of them full
    training.close()


def test_another_opponent_takes_its_share_of_all_games():
    league = League(0.6, ("a", "b"), (0.3, 0.1), ("a", "b")).joined_by(EXPERT, 0.25)
    seen = [league.seats(0, k, 3) for k in range(4000)]
    share = {name: np.mean([name in seats for seats in seen]) for name in ("a", "b", EXPERT)}
    assert share == pytest.approx({"a": 0.3, "b": 0.1, EXPERT: 0.25}, abs=0.02)
    assert all(LEARNER in seats for seats in seen)


def test_games_at_one_table_are_told_by_what_a_seat_of_each_was_paid():
    games = [
        Episode(0, (LEARNER, EXPERT), (1.0, -1.0), (5.0, 1.0), 6),
        Episode(1, (EXPERT, LEARNER, EXPERT), (1.0, -1.0, 0.0), (6.0, 0.0, 3.0), 9),
        Episode(2, (LEARNER, LEARNER), (1.0, -1.0), (5.0, 1.0), 6),
    ]
    assert at_one_table(games) == {"shared/games": 2, "shared/ppo": 0.0, "shared/expert": 0.0}
    assert at_one_table(games[2:]) == {"shared/games": 0}


def test_learners_on_the_command_line_name_the_way_to_learn(capsys: pytest.CaptureFixture[str]):
    found = chosen(["goofspiel", "--learners", "ppo", "expert", "--expert.sims", "32"])
    assert found == MixedConfig("goofspiel", expert=ExpertSettings(sims=32))
    assert isinstance(chosen(["goofspiel", "--learners", "expert"]), ExpertConfig)
    for line, said in (
        ("--learners sarsa", "--learners sarsa: write ppo, expert or ppo expert"),
        ("ppo --learners ppo expert", "--learners: they make a run of mixed, not ppo"),
        ("--learners ppo expert --expert.sims 4", "--expert.cheap-sims 12: more than"),
        ("mixed --shared-share 0.9", "--shared-share 0.9"),
        ("mixed --ppo.lr 0", "--ppo.lr 0"),
    ):
        try:
            code = cli.main(["train", "goofspiel", *line.split()])
        except SystemExit as end:
            code = end.code
        assert code == 2
        printed = capsys.readouterr()
        assert said in (printed.err + printed.out).replace("\n", " ")
