import json

import pytest
from toys import known  # noqa: F401
from toys.complaints import complaints

from dwarrow.benchmarks.arena.rows import FORMAT
from dwarrow.benchmarks.cli import main


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_arena_prints_its_tables_and_keeps_its_games(capsys, tmp_path):
    line = ["arena", "goofspiel", "--agents", "rule", "random", "--players", "3", "--games", "30"]
    assert main(line) == 0
    shown = capsys.readouterr().out
    for part in ("rating (random = 0)", "Win % by seat", "Control", "Fair share 33.3 %", "Rules 1"):
        assert part in shown
    path = tmp_path / "results" / "arena_goofspiel_3.csv"
    assert len(FORMAT.read(path)[1]) == 30 * 2 + 30 * 2
    notes = json.loads(path.with_suffix(".json").read_text())
    assert notes["command"] == "dwarrow " + " ".join(line)
    assert notes["machine"]["cores"] >= 1
    assert notes["asked"]["rule"] > 0


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("arena chess --agents random rule", "unknown game 'chess': known are"),
        ("arena goofspiel --agents random wizard", "unknown agent 'wizard': known are"),
        (
            "arena goofspiel --agents random rule --players 7",
            "option players=7: allowed are [2, 3]",
        ),
        (
            "arena goofspiel --agents random rule --options level=2",
            "unknown option 'level': known are",
        ),
        ("arena goofspiel --agents random rule --options players", "write name=value"),
        ("arena goofspiel --agents random rule --until soon", "wanted width=W"),
        ("arena goofspiel --agents random random", "named twice"),
        ("arena goofspiel --agents random rul", "unknown agent 'rul': did you mean 'rule'?"),
        ("arena goofspiel --agents random rule --seconds -1", "seconds=-1.0: more than 0"),
        ("arena goofspiel --agents random rule --bootstraps 0", "bootstraps=0: at least 1"),
        ("reference --agents rul", "unknown agent 'rul'"),
        ("analyse goofspiel nowhere.json", "nowhere.json: No such file or directory"),
        ("plan", "say what to plan"),
        ("plan --detect 0.5 0.5", "no number of games tells them apart"),
        ("components goofspiel --table cards.csv", "no table 'cards.csv'"),
        ("components chess", "unknown game 'chess'"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(capsys, line, words):
    assert main(line.split()) == 2
    shown = capsys.readouterr()
    assert words in shown.err
    assert len(complaints(shown.err)) == 1
    assert complaints(shown.err)[0].startswith(f"dwarrow {line.split()[0]}: ")


def test_plan_gives_the_games_for_a_difference_and_for_a_width(capsys):
    assert main(["plan", "--detect", "0.50", "0.55", "--until", "width=0.04"]) == 0
    shown = capsys.readouterr().out
    assert "783 games, if 0.5 is a known number" in shown
    assert "1565 games of each" in shown
    assert "2398 games" in shown


def test_games_lists_player_counts_and_options(capsys):
    assert main(["games"]) == 0
    shown = capsys.readouterr().out
    assert "goofspiel: Toy Goofspiel, competitive, rules version 1" in shown
    assert "players=2 (of 2, 3): bidders at the table" in shown


def test_components_names_the_pack(capsys):
    assert main(["components", "goofspiel"]) == 0
    assert "DWARROW_PACK_GOOFSPIEL" in capsys.readouterr().out
