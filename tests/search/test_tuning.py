import json
import math
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
import toys.known  # noqa: F401

from dwarrow.agents import make
from dwarrow.agents.players import prospects_of
from dwarrow.agents.search import tuned
from dwarrow.benchmarks.cli import main
from dwarrow.benchmarks.identity import identity
from dwarrow.benchmarks.tuning import candidates
from dwarrow.envs import game


def sweep(out: Path, *arguments: str) -> int:
    return main(
        ["tune", "goofspiel", "--sims", "30", "--games", "6", "--out", str(out), *arguments]
    )


def test_a_sweep_keeps_the_best_with_its_command(tmp_path: Path):
    out = tmp_path / "tuned.json"
    for players in ("2", "3", "2"):
        command = ("--players", players, "--c", "0.5", "1.4", "--rollouts", "random", "rule:0.2")
        assert sweep(out, *command) == 0
    rows = json.loads(out.read_text())
    assert [(row["game"], row["players"]) for row in rows] == [("goofspiel", 2), ("goofspiel", 3)]
    for row in rows:
        assert row["command"].startswith("dwarrow tune goofspiel --sims 30")
        shares = [outcome["share"] for outcome in row["outcomes"]]
        assert shares == sorted(shares, reverse=True)
        assert (row["c"], row["rollout"]) == tuple(row["outcomes"][0][k] for k in ("c", "rollout"))
        assert all(outcome["games"] == 6 for outcome in row["outcomes"])


def test_a_sweep_is_played_against_whom_one_likes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    shares = {}
    for against in (None, "mcts:sims=30,c=0.5,rollout=rule,epsilon=0.2", "random"):
        out = tmp_path / f"{against}.json"
        said = () if against is None else ("--against", against)
        assert sweep(out, "--games", "60", "--c", "0.5", "--rollouts", "rule:0.2", *said) == 0
        assert f"against {against or 'the textbook'}" in capsys.readouterr().out
        (row,) = json.loads(out.read_text())
        shares[against] = row["outcomes"][0]["share"]
        assert ("--against" in row["command"]) == (against is not None)
    equal, weak = list(shares.values())[1:]
    assert abs(equal - 0.5) < 0.2 < weak - equal  # against itself, and against random play


def test_a_search_takes_what_the_sweep_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    out = tmp_path / "tuned.json"
    sweep(out, "--c", "0.25", "--rollouts", "rule:0.3")
    toy = game("goofspiel")
    monkeypatch.setattr(tuned, "TUNED_FILE", out)
    tuned._rows.cache_clear()
    try:
        found = make("mcts:sims=50", toy).think(toy, toy.new(), 0)
        named = make("mcts:sims=50,c=0.25,rollout=rule,epsilon=0.3", toy).think(toy, toy.new(), 0)
        other = make("mcts:sims=50,c=1.4,rollout=random", toy).think(toy, toy.new(), 0)
    finally:
        monkeypatch.undo()
        tuned._rows.cache_clear()
    assert found == named != other


def test_there_is_room_for_what_the_sweep_chose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    row = {"game": "goofspiel", "players": 2, "c": 1.0, "rollout": "rule", "selection": "regret"}
    (tmp_path / "tuned.json").write_text(json.dumps([row]))
    monkeypatch.setattr(tuned, "TUNED_FILE", tmp_path / "tuned.json")
    tuned._rows.cache_clear()
    toy = game("goofspiel")
    try:
        for players, sims in product((2, 3), range(5, 16)):  # three take the row of two
            states = toy.new(players=players)
            found, named = (
                make(f"mcts:sims={sims}{more}", toy).think(toy, states, 0)
                for more in ("", ",selection=regret")
            )
            assert found == named
    finally:
        monkeypatch.undo()
        tuned._rows.cache_clear()


def test_a_player_count_that_was_not_swept_takes_the_nearest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    setting = {"game": "goofspiel", "rollout": "rule", "epsilon": 0, "cutoff": 0}
    rows = [{**setting, "players": n, "c": float(n)} for n in (2, 4)]
    (tmp_path / "tuned.json").write_text(json.dumps(rows))
    monkeypatch.setattr(tuned, "TUNED_FILE", tmp_path / "tuned.json")
    tuned._rows.cache_clear()
    try:
        assert [tuned.tuned("goofspiel", n).c for n in (1, 2, 3, 4, 5)] == [2, 2, 2, 4, 4]
        assert tuned.tuned("chess", 2) == tuned.Tuned()
    finally:
        monkeypatch.undo()
        tuned._rows.cache_clear()


def test_without_a_sweep_the_textbook_holds():
    assert tuned.tuned("goofspiel", 2).c == math.sqrt(2)
    assert tuned.tuned("goofspiel", 2).rollout == "random"


def test_the_kept_file_is_sound():
    for row in json.loads(tuned.TUNED_FILE.read_text(encoding="utf-8")):
        assert row["command"].startswith(f"dwarrow tune {row['game']} ")
        assert row["c"] > 0
        make(f"mcts:sims=1,c={row['c']},rollout={row['rollout']}", game(row["game"]))


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--rollouts", "rule:much"), "write random, greedy:0.1 or rule:0.2@60"),
        (("--rollouts", "wise"), "expected one of random, greedy, rule"),
        (("--c", "-1"), "c=-1.0: allowed is 0 to 1000"),
        (("--games", "0"), "games=0: at least 1"),
        (("--against", "nobody"), "nobody"),
    ],
)
def test_a_bad_sweep_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], problem: str
):
    out = tmp_path / "tuned.json"
    assert sweep(out, *arguments) == 2
    assert problem in capsys.readouterr().err
    assert not out.exists()


def test_a_team_has_no_opponent(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "tuned.json"
    assert main(["tune", "the_dwarves", "--against", "rule", "--out", str(out)]) == 2
    assert "against=rule: in The Dwarves there is no opponent" in capsys.readouterr().err
    assert not out.exists()


def test_candidates_are_every_combination():
    found = candidates((1.0, 2.0), ("random", "rule:0.2@9"))
    assert [(c.c, c.rollout, c.epsilon, c.cutoff) for c in found] == [
        (1.0, "random", 0.1, 0),
        (2.0, "random", 0.1, 0),
        (1.0, "rule", 0.2, 9),
        (2.0, "rule", 0.2, 9),
    ]


def test_a_search_is_known_by_the_settings_that_its_spec_leaves_out(
    monkeypatch: pytest.MonkeyPatch,
):
    g, row = game("dwar7s_fall"), tuned.tuned("dwar7s_fall", 2)
    agent = make("mcts:sims=1", g)
    was = [identity(agent, g, n) for n in (2, 3)]
    assert "" not in was
    assert was == [identity(make("mcts:sims=2", g), g, n) for n in (2, 3)]

    def with_another(name: str, players: int) -> tuned.Tuned:
        # never seen in its choices: there is nothing to cut off so late
        return replace(row, cutoff=10_000) if players == 3 else tuned.tuned(name, players)

    monkeypatch.setattr("dwarrow.benchmarks.identity.tuned", with_another)
    assert [identity(agent, g, n) == w for n, w in zip((2, 3), was, strict=True)] == [True, False]


def test_a_search_is_another_with_other_weights_to_judge_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    g = game("the_dwarves")
    agent = make("mcts:sims=1", g)
    was = identity(agent, g, 2)
    other = tmp_path / "weights.csv"
    other.write_text("(bias),1\n", encoding="utf-8")
    prospects = replace(prospects_of(g), file=other)
    monkeypatch.setattr("dwarrow.benchmarks.identity.prospects_of", lambda game: prospects)
    assert identity(agent, g, 2) != was
