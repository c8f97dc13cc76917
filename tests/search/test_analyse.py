import json
from pathlib import Path

import pytest
import toys.known  # noqa: F401

from dwarrow.benchmarks.cli import main


@pytest.fixture
def position(tmp_path: Path) -> Path:
    path = tmp_path / "position.json"
    path.write_text(json.dumps({"deck": [2, 3, 1], "options": {"players": 3}}))
    return path


def test_a_position_is_searched_and_shown(position: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["analyse", "goofspiel", str(position), "--agent", "mcts:sims=300"]) == 0
    out = capsys.readouterr().out
    assert "prizes so far [2]" in out
    assert [line.split()[:2] for line in out.splitlines() if line.startswith("bid ")]
    assert "after 300 simulations" in out


def test_the_same_seed_gives_the_same_table(position: Path, capsys: pytest.CaptureFixture[str]):
    tables = []
    for seed in ("1", "1", "2"):
        main(["analyse", "goofspiel", str(position), "--seed", seed, "--agent", "mcts:sims=50"])
        tables.append(capsys.readouterr().out)
    assert tables[0] == tables[1] != tables[2]


@pytest.mark.parametrize(
    ("position_text", "agent", "problem"),
    [
        ("{", "mcts", "not JSON"),
        ("[]", "mcts", "a position is a JSON object"),
        ('{"deck": [1, 1, 1]}', "mcts", "deck_is_not_one_to_three"),
        ("{}", "random", "keeps no visit table"),
        ("{}", "mcts:sims=0", "sims=0: allowed is 1 or more"),
        ("{}", "mcts:sims=1000000000000", "this machine has"),
        ("{}", "mcts:net=nowhere", "no run or weights 'nowhere'"),
    ],
)
def test_what_does_not_fit_is_said_in_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    position_text: str,
    agent: str,
    problem: str,
):
    path = tmp_path / "position.json"
    path.write_text(position_text)
    assert main(["analyse", "goofspiel", str(path), "--agent", agent]) == 2
    error = capsys.readouterr().err
    assert problem in error
    assert "Traceback" not in error


def test_a_missing_file_is_named(capsys: pytest.CaptureFixture[str]):
    assert main(["analyse", "goofspiel", "nowhere.json"]) == 2
    assert "nowhere.json" in capsys.readouterr().err
