import csv
from pathlib import Path

import pytest

from dwarrow.benchmarks.cli import main
from dwarrow.benchmarks.reference import AGENTS, TABLES, Reference
from dwarrow.envs import game


def reference(folder: Path, *arguments: str) -> tuple[int, list[dict[str, str]]]:
    """Run the verb in a folder; return its exit code and the summary."""
    out = folder / "reference.csv"
    places = "--folder", str(folder / "rows"), "--summary", str(out)
    code = main(["reference", *places, *arguments])
    lines = out.read_text(encoding="utf-8").splitlines() if out.exists() else []
    return code, list(csv.DictReader(lines))


def test_the_tables_cover_every_game_and_the_seats_it_has():
    assert {name for name, _ in TABLES} == {"aquilon", "the_duel", "dwar7s_fall", "the_dwarves"}
    for name, players in TABLES:
        assert players in game(name).player_counts


def test_cheap_pairings_come_first_and_mirrors_last():
    groups = Reference().groups()
    assert groups[:3] == [("random", "greedy"), ("random", "rule"), ("greedy", "rule")]
    assert groups[-len(AGENTS) :] == [(spec,) for spec in AGENTS]
    assert len(groups) == len(AGENTS) * (len(AGENTS) - 1) // 2 + len(AGENTS)


def test_a_focus_keeps_the_pairings_of_one_agent():
    groups = Reference(focus="mcts:sims=1000", mirrors=False).groups()
    assert len(groups) == len(AGENTS) - 1
    assert all("mcts:sims=1000" in group for group in groups)
    with pytest.raises(ValueError, match="focus 'ppo:x' is none of the agents"):
        Reference(focus="ppo:x")


@pytest.mark.parametrize(
    ("sits", "found"),
    [
        ("alone", [("rule", "random"), ("rule", "greedy")]),
        ("table", [("random", "rule"), ("greedy", "rule")]),
    ],
)
def test_the_focus_sits_where_it_is_told(tmp_path: Path, sits: str, found: list[tuple[str, str]]):
    code, lines = reference(
        tmp_path,
        *("--only", "aquilon", "--players", "3", "--agents", "random", "greedy", "rule"),
        *("--focus", "rule", "--sits", sits, "--no-mirrors", "--games", "600"),
        *("--until", "margin=0.1"),
    )
    assert code == 0
    assert [(line["one"], line["rest"]) for line in lines] == found
    for line in lines:
        assert float(line["high"]) - float(line["low"]) <= 0.2
        assert int(line["games"]) < 600


def test_a_table_goes_on_and_its_summary_tells_all(tmp_path: Path):
    arguments = "--only", "the_duel", "--agents", "random", "greedy", "--games"
    assert reference(tmp_path, *arguments, "4")[0] == 0
    code, lines = reference(tmp_path, *arguments, "10", "--also", "rule")
    assert code == 0
    found = {(line["one"], line["rest"]): line for line in lines}
    assert [(*pair, line["games"]) for pair, line in found.items()] == [
        ("random", "greedy", "10"),
        ("random", "rule", "10"),
        ("greedy", "rule", "10"),
        ("random", "random", "10"),
        ("greedy", "greedy", "10"),
        ("rule", "rule", "10"),
    ]
    line = found["random", "rule"]
    assert float(line["low"]) <= float(line["share"]) <= float(line["high"]) < 0.8
    assert line["rules"] == str(game("the_duel").version)


def test_a_team_game_is_played_on_every_level(tmp_path: Path):
    few = ("--agents", "random", "--games", "2", "--players", "2", "4")
    code, lines = reference(tmp_path, "--only", "the_dwarves", *few)
    assert code == 0
    assert [line["players"] for line in lines] == ["2"] * 5 + ["4"] * 5
    levels = [line["level"] for line in lines]
    assert levels[:5] == levels[5:] == list(dict.fromkeys(levels))
    assert all(line["games"] == "2" and line["rest"] == "" for line in lines)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--only", "chess"), "chess"),
        (("--only", "the_duel", "--players", "3"), "no such table"),
        (("--games", "0"), "games=0"),
        (("--sits", "alone"), "say with focus who sits there"),
    ],
)
def test_what_does_not_fit_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], problem: str
):
    assert reference(tmp_path, *arguments)[0] == 2
    assert problem in capsys.readouterr().err
