"""No game without spec sheet, rule index, golden traces, module and players."""

import re
from importlib import import_module
from pathlib import Path

from contract.cases import REAL_GAMES

import dwarrow.envs
from dwarrow.agents.players import players_of
from dwarrow.envs import games

TESTS = Path(__file__).resolve().parents[1]
TAG = re.compile(r"(\w+) \(([^)]+)\)")  # slug, and a page or heading of the rulebook
TAGS = re.compile(r"Rule: ((?:\w+ \([^)]+\),?\s*)+)\.")


def package(name: str) -> Path:
    return Path(dwarrow.envs.__file__).parent / name


def sources(name: str) -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted(package(name).rglob("*.py")))


def readme(name: str) -> str:
    return (package(name) / "README.md").read_text("utf-8")


def written_tests(name: str) -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted((TESTS / name).rglob("*.py")))


def rule_index(name: str) -> dict[str, dict[str, str]]:
    """Return the rows of the table with the columns function and test, by slug, its first column.

    A row is its cells by column name.
    """
    rows, head = {}, []
    for line in readme(name).splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.lstrip().startswith("|"):
            head = []
        elif not head:
            head = [cell.lower() for cell in cells]
        elif {"function", "test"} <= set(head) and not set(cells[0]) <= set("-: "):
            rows[cells[0].strip("`")] = dict(zip(head, cells, strict=False))
    return rows


def tags(name: str) -> dict[str, set[str]]:
    """Return slug -> places in the rulebook of every ``Rule:`` tag in the sources."""
    found: dict[str, set[str]] = {}
    for text in TAGS.findall(sources(name)):
        for slug, place in TAG.findall(text):
            found.setdefault(slug, set()).add(place)
    return found


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_every_tag_has_its_row_in_the_rule_index(real_game):
    index, used = rule_index(real_game), tags(real_game)
    assert index, f"envs/{real_game}/README.md has no table | slug | page | function | test |"
    assert len(used) > 10
    assert sorted(used.keys() - index.keys()) == []


def test_every_row_of_the_rule_index_has_its_function(real_game):
    defined = set(re.findall(r"^ *(?:def|class) (\w+)", sources(real_game), re.M))
    lacking = {
        slug: row["function"]
        for slug, row in rule_index(real_game).items()
        if not quoted(row["function"])
        or not all(defined & set(re.findall(r"\w+", code)) for code in quoted(row["function"]))
    }
    assert lacking == {}


def test_every_row_of_the_rule_index_has_its_test(real_game):
    written = written_tests(real_game)
    files = {path.name for path in (TESTS / real_game).rglob("*.py")}

    def exists(test: str) -> bool:
        return test in files if test.endswith(".py") else f"def {test}(" in written

    lacking = {}
    for slug, row in rule_index(real_game).items():
        named = re.findall(r"test_\w+(?:\.py)?", row["test"])
        missing = [test for test in named if not exists(test)]
        if missing or not named:
            lacking[slug] = missing or row["test"]
    assert lacking == {}


def test_every_ruling_named_in_the_sources_is_in_the_spec_sheet(real_game):
    text = readme(real_game)
    cited = {
        ruling
        for line in re.findall(r"Ruling: (.+)", sources(real_game))
        for ruling in re.findall(r"[A-Z]+-?\d+(?:\.\d+)?", line)
    }
    assert sorted(r for r in cited if not re.search(rf"\b{re.escape(r)}\b", text)) == []


def test_the_spec_sheet_shows_actions_and_observation_as_they_are(real_game, g):
    text = readme(real_game)
    assert g.observation.table() in text
    assert sorted({a.split()[0] for a in g.actions if a.split()[0] not in text}) == []


def test_golden_traces_exist(real_game):
    traces = sorted((TESTS / real_game / "traces").glob("*.txt"))
    assert traces
    assert all(trace.read_text("utf-8").strip() for trace in traces)


def test_a_game_has_its_module_and_its_players(real_game, g):
    module = import_module(f"dwarrow.envs.{real_game}_v0")
    env = module.env()
    assert env.game is g
    assert type(module.raw_env()) is type(env)
    assert module.parallel_env().game is g
    assert players_of(g).greedy is not players_of(g).rule


def test_registered_names_are_packages():
    assert [name for name in REAL_GAMES if not package(name).is_dir()] == []
    assert set(REAL_GAMES) <= set(games())
