"""Every rule has its row in the spec sheet, its functions and its tests."""

import re
from pathlib import Path

from the_duel.table import GAME

from dwarrow.envs import the_duel

PACKAGE = Path(the_duel.__file__).parent
README = (PACKAGE / "README.md").read_text("utf-8")
SOURCES = "\n".join(path.read_text("utf-8") for path in sorted(PACKAGE.rglob("*.py")))
TESTS = "\n".join(
    p.read_text("utf-8") for p in sorted(Path(__file__).parent.glob("test_rules*.py"))
)


def index() -> dict[str, list[str]]:
    """Return slug -> cells of the rule index."""
    table = README.split("## Rule index")[1].split("\n## ")[0]
    rows = [line.strip("|").split(" | ") for line in table.splitlines() if line.startswith("| `")]
    return {row[0].strip(" `"): [cell.strip(" |") for cell in row] for row in rows}


def test_every_tag_has_its_row_and_its_page() -> None:
    tags = set(re.findall(r"(\w+) \(p\. (\d)\)", "\n".join(re.findall(r"Rule: .*", SOURCES))))
    assert tags == {(slug, row[1]) for slug, row in index().items()}


def test_every_row_names_functions_and_tests_that_exist() -> None:
    for slug, row in index().items():
        functions = re.findall(r"`\w+\.(\w+)`", row[2])
        tests = re.findall(r"`(test_\w+)`", row[3])
        assert functions, slug
        assert tests, slug
        assert all(f"def {name}(" in SOURCES for name in functions), slug
        assert all(f"def {name}(" in TESTS for name in tests), slug
        assert any(name.startswith(f"test_{slug}") for name in tests), slug


def test_every_ruling_is_in_the_spec_sheet() -> None:
    cited = set(re.findall(r"Ruling: (\w\d+)", SOURCES))
    assert cited <= set(re.findall(r"^\| (\w\d+) \|", README, re.M))


def test_the_tables_are_those_of_the_code() -> None:
    assert GAME.observation.table() in README
    assert f"{GAME.observation.size} numbers" in README
    assert f"{GAME.n_actions} actions" in README
    assert f"{GAME.max_decisions:,}" in README
    for action in GAME.actions:
        assert f"`{action.split()[0]}" in README
    for option in GAME.options().to_dict():
        assert option in README or option == "players"
