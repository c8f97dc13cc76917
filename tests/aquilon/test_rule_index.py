"""Every rule has its row in the spec sheet, its function and its test, and nothing is left over."""

import ast
import re
from pathlib import Path

from dwarrow.envs import aquilon
from dwarrow.envs.aquilon.actions import ACTIONS
from dwarrow.envs.aquilon.layout import AquilonOptions
from dwarrow.envs.aquilon.observe import OBSERVATION

PACKAGE = Path(aquilon.__file__).parent
README = (PACKAGE / "README.md").read_text()
TESTS = Path(__file__).parent
TAG = re.compile(r"(\w+) \(p\. (\d+)\)")


def functions(folder: Path) -> dict[str, tuple[str, str]]:
    """Return "file.py name" -> (name, docstring) of every function below a folder."""
    found = {}
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                place = f"{path.relative_to(folder)} {node.name}"
                found[place] = (node.name, ast.get_docstring(node) or "")
    return found


def tags() -> dict[str, tuple[set[str], set[str]]]:
    """Return slug -> (pages, functions) by the `Rule:` tags of the code."""
    found: dict[str, tuple[set[str], set[str]]] = {}
    for place, (_, doc) in functions(PACKAGE).items():
        for _, _, rest in (line.partition("Rule: ") for line in doc.splitlines()):
            for slug, page in TAG.findall(rest):
                pages, places = found.setdefault(slug, (set(), set()))
                pages.add(page)
                places.add(place)
    return found


def section(title: str) -> list[list[str]]:
    """Return the cells of the table in a section of the spec sheet, without its head."""
    text = README.split(f"\n## {title}\n")[1].split("\n## ")[0]
    rows = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows[2:]]


INDEX = {row[0].strip("` "): row for row in section("Rule index")}


def test_every_tag_has_its_row_with_the_same_page_and_functions():
    found = tags()
    assert set(found) == set(INDEX)
    for slug, (pages, places) in found.items():
        _, page, _, where, _ = INDEX[slug]
        assert {page} == pages, slug
        assert set(re.findall(r"`([^`]+)`", where)) == places, slug


def test_every_row_has_a_test_named_after_it():
    known = {place.split(" ")[0]: set() for place in functions(TESTS)}
    for place in functions(TESTS):
        file, name = place.split(" ")
        known[file].add(name)
    for slug, row in INDEX.items():
        named = re.findall(r"`(test_\w+\.py) (test_\w+)`", row[4])
        assert named, f"{slug}: no test named"
        for file, test in named:
            assert test in known[file], f"{slug}: {file} has no {test}"
            assert test.startswith(f"test_{slug}"), f"{slug}: {test}"


def test_every_ruling_cited_is_listed():
    cited = set()
    for _, doc in functions(PACKAGE).values():
        cited |= set(re.findall(r"Ruling: ([A-Z]-\d+)\.", doc))
    assert cited <= {row[0] for row in section("Rulings")}
    assert cited >= {"R-5", "R-6", "S-3", "C-5", "C-8", "B-2"}


def test_every_option_is_listed_with_its_default():
    listed = {row[0].strip("`"): row[1].strip("`") for row in section("Options")}
    assert listed == {name: str(value) for name, value in AquilonOptions().to_dict().items()}


def test_action_and_observation_tables_are_those_of_the_code():
    assert OBSERVATION.table() in README
    ranges = [row[0] for row in section("Actions")]
    last = 0
    for span in ranges:
        low, high = map(int, span.split(" to "))
        assert low == last
        last = high + 1
    assert last == len(ACTIONS)
    for span, name, *_ in section("Actions"):
        verb = name.strip("`").split(" ")[0]
        low, high = map(int, span.split(" to "))
        assert all(ACTIONS[k].startswith(verb) for k in range(low, high + 1))
