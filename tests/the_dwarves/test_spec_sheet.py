"""Every rule has its row in the spec sheet, its functions and its tests, and nothing is left."""

import ast
import re
from pathlib import Path

from dwarrow.envs import the_dwarves
from dwarrow.envs.the_dwarves.actions import ACTION_NAMES
from dwarrow.envs.the_dwarves.cards import CARD_IDS, CARD_TITLES
from dwarrow.envs.the_dwarves.layout import DwarvesOptions
from dwarrow.envs.the_dwarves.notation import EFFECTS, FLAGS, PARTS
from dwarrow.envs.the_dwarves.observe import LAYOUT

PACKAGE = Path(the_dwarves.__file__).parent
README = (PACKAGE / "README.md").read_text("utf-8")
TESTS = Path(__file__).parent
TAG = re.compile(r"(\w+) \(p\. (\d+)\)")


def functions(folder: Path) -> dict[str, str]:
    """Return "file.py name" -> docstring of every function below a folder."""
    return {
        f"{path.relative_to(folder).as_posix()} {node.name}": ast.get_docstring(node) or ""
        for path in sorted(folder.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
    }


def section(title: str) -> list[list[str]]:
    """Return the cells of the table in a section of the spec sheet, without its head."""
    text = README.split(f"\n## {title}\n")[1].split("\n## ")[0]
    rows = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows[2:]]


def tags() -> dict[str, tuple[set[str], set[str]]]:
    """Return slug -> (pages, functions) by the `Rule:` tags of the code."""
    found: dict[str, tuple[set[str], set[str]]] = {}
    for place, doc in functions(PACKAGE).items():
        for line in doc.splitlines():
            for slug, page in TAG.findall(line.partition("Rule: ")[2]):
                pages, places = found.setdefault(slug, (set(), set()))
                pages.add(page)
                places.add(place)
    return found


INDEX = {row[0].strip("`"): row for row in section("Rule index")}


def test_every_tag_has_its_row_with_the_same_page_and_functions():
    found = tags()
    assert set(found) == set(INDEX)
    for slug, (pages, places) in found.items():
        assert {INDEX[slug][1]} == pages, slug
        assert set(re.findall(r"`([^`]+)`", INDEX[slug][2])) == places, slug


def test_every_row_names_tests_that_exist():
    known = functions(TESTS)
    for slug, row in INDEX.items():
        named = re.findall(r"`(test_\w+\.py) (test_\w+)", row[3])
        assert named, f"{slug}: no test named"
        for file, test in named:
            assert f"{file} {test}" in known, f"{slug}: {file} has no {test}"


def test_every_ruling_cited_is_listed():
    cited = set()
    for doc in functions(PACKAGE).values():
        for line in doc.splitlines():
            cited |= set(re.findall(r"\bR\d+\b", line.partition("Ruling: ")[2]))
    assert cited <= {row[0] for row in section("Rulings")}
    assert len(cited) > 45


def test_every_option_is_listed_with_its_default():
    listed = {row[0].strip("`"): row[1].strip("`") for row in section("Options")}
    assert listed == {name: str(value) for name, value in DwarvesOptions().to_dict().items()}


def test_every_card_is_listed_with_its_provenance():
    listed = {row[0]: row[1] for row in section("Cards")}
    assert listed == dict(zip(CARD_IDS, CARD_TITLES, strict=True))
    assert {row[-1] for row in section("Cards")} == {"public", "reconstructed"}


def test_every_word_of_the_notation_is_explained():
    listed = {word for row in section("Notation") for word in re.findall(r"`([a-z_ ]+)", row[0])}
    assert listed >= {*PARTS, *EFFECTS, *FLAGS}


def test_action_and_observation_tables_are_those_of_the_code():
    assert LAYOUT.table() in README
    last = 0
    for span, name, *_ in section("Actions"):
        low, high = map(int, span.split(" to "))
        assert low == last
        last = high + 1
        stem = name.strip("`").split(" ")[0]
        assert all(ACTION_NAMES[k].startswith(stem) for k in range(low, high + 1))
    assert last == len(ACTION_NAMES)
