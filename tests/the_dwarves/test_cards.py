"""The components: counts and sums against the rulebook, and packs that do not fit."""

import csv
import importlib.util
import shutil
from collections import Counter
from pathlib import Path

import pytest

from dwarrow.envs.core.pack import PackError
from dwarrow.envs.the_dwarves import cards
from dwarrow.envs.the_dwarves.cards import (
    BOOK_OF,
    CARD_TITLES,
    DECK_OF,
    EQUIPMENT_BOOK,
    EQUIPMENT_COPIES,
    LEVEL_OF,
    PACK,
    RECRUITMENT,
    TILES,
    TRACK,
)
from dwarrow.envs.the_dwarves.layout import DwarvesOptions

FOLDER = Path(cards.__file__).parent / "cards"


def test_the_decks_have_the_printed_numbers_of_cards():
    found = Counter(zip(DECK_OF.tolist(), BOOK_OF.tolist(), strict=True))
    assert [found[deck, 0] for deck in range(3)] == [12, 30, 15]
    assert [found[deck, 1] for deck in range(3)] == [1, 1, 5]
    assert [found[deck, 2] for deck in range(3)] == [14, 8, 5]
    assert len(set(CARD_TITLES)) == 91


def test_scenarios_have_the_printed_levels():
    found = Counter(zip(LEVEL_OF.tolist(), BOOK_OF.tolist(), strict=True))
    assert [found[level, 0] for level in range(3)] == [8, 1, 3]
    assert [found[level, 2] for level in range(3)] == [6, 2, 6]


def test_there_are_22_equipment_cards_and_two_in_each_expansion():
    copies = [sum(EQUIPMENT_COPIES[book == EQUIPMENT_BOOK]) for book in range(3)]
    assert copies == [22, 2, 2]


def test_the_doom_track_has_six_threat_and_six_council_spaces_and_29_gates():
    icons = Counter(TRACK[1:].tolist())
    assert icons[1] == icons[0] == 6
    assert [icons[k] for k in (2, 3, 4, 5)] == [7, 3, 8, 11]


def test_the_tiles_are_the_36_pairs_of_pairs_half_of_them_red():
    assert len({tuple(sorted(s[:2])) + tuple(sorted(s[2:])) for s in TILES.square.tolist()}) == 36
    assert TILES.arrow.sum() == 18


def test_a_recruitment_roll_brings_three_troops_on_average():
    assert RECRUITMENT.mean(axis=1).sum() == pytest.approx(19 / 6)


def test_every_row_of_every_table_has_its_provenance():
    tables = PACK.provenance()
    assert set(tables) == {path.name for path in FOLDER.glob("*.csv")}
    assert tables["difficulty.csv"] == {"rulebook": 5}
    assert tables["council.csv"] == {"rulebook": 9}
    assert tables["adventures.csv"]["public"] == 2


# Bad packs: file, row and column are named


def load_pack(monkeypatch, tmp_path: Path, file: str, change) -> str:
    """Load the tables of a pack with one cell changed; return what is said against it."""
    folder = tmp_path / "pack"
    shutil.copytree(FOLDER, folder)
    with (folder / file).open(newline="", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    change(rows)
    with (folder / file).open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, lineterminator="\n").writerows(rows)
    monkeypatch.setenv("DWARROW_PACK_THE_DWARVES", str(folder))
    spec = importlib.util.spec_from_file_location("cards_of_another_pack", cards.__file__)
    try:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    except PackError as error:
        return str(error)
    return ""


def cell(row: int, column: str, value: str):
    """Return a change of one cell; the header is row 1."""

    def change(rows):
        rows[row - 1][rows[0].index(column)] = value

    return change


@pytest.mark.parametrize(
    ("file", "change", "said"),
    [
        ("adventures.csv", cell(3, "reward", "equipp(1)"), ["row 3, column reward", "equipp"]),
        (
            "adventures.csv",
            cell(3, "quest", "check(craft, 9, 1)"),
            ["row 3, column quest", "2 to 6"],
        ),
        ("adventures.csv", cell(3, "quest", "check(luck, 4, 1)"), ["row 3, column quest", "luck"]),
        ("adventures.csv", cell(14, "quest", "go @ Mordor"), ["row 14, column quest", "Mordor"]),
        ("adventures.csv", cell(2, "source", "guessed"), ["row 2, column source", "guessed"]),
        ("threats.csv", cell(2, "threat", "lose(99)"), ["row 2, column threat", "1 to 20"]),
        ("threats.csv", cell(2, "quest", "troops(dragon 2) @ Alandur"), ["row 2", "dragon"]),
        ("scenarios.csv", cell(11, "condition", "perished < many"), ["row 11, column condition"]),
        ("scenarios.csv", cell(2, "level", "D"), ["row 2, column level", "'D'"]),
        ("scenarios.csv", cell(2, "quest", "council(1); loudly"), ["row 2", "loudly"]),
        ("heroes.csv", cell(2, "hero", "gimli"), ["row 2, column hero", "gimli"]),
        ("heroes.csv", cell(2, "battle", "9"), ["row 2, column battle", "1 to 4"]),
        ("map.csv", cell(2, "red", "N"), ["map.csv, row 2, column red", "Blacksaddle"]),
        ("map.csv", cell(6, "q", "-3"), ["column q", "there twice"]),
        ("equipment.csv", cell(2, "copies", "3"), ["equipment.csv", "is 23", "says 22"]),
        ("doom_track.csv", cell(4, "icon", "gate I"), ["doom_track.csv", "threat spaces is 5"]),
    ],
)
def test_a_pack_that_does_not_fit_is_refused(monkeypatch, tmp_path, file, change, said):
    message = load_pack(monkeypatch, tmp_path, file, change)
    assert message
    for words in (file, *said):
        assert words in message


def test_a_pack_with_other_printed_values_is_taken(monkeypatch, tmp_path):
    assert load_pack(monkeypatch, tmp_path, "heroes.csv", cell(2, "battle", "4")) == ""


# Options


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"heroes": ["gimli"]}, "'gimli' is no hero: there are \\['tungdil'"),
        ({"heroes": ["furgas", "furgas"]}, "'furgas' is there twice"),
        ({"heroes": ["furgas"], "players": 2}, "1 heroes, but players=2"),
        ({"heroes": ["furgas"] * 7}, "7 heroes, but there are 6 Health markers"),
        ({"heroes": "furgas"}, "a list of names"),
        ({"players": 7}, "option players=7"),
        ({"difficulty": "impossible"}, "option difficulty='impossible': allowed are"),
        ({"finales": "none"}, "option finales='none'"),
    ],
)
def test_bad_options_are_refused_in_words(options, said):
    with pytest.raises(ValueError, match=said):
        DwarvesOptions.parse(options)


def test_the_number_of_heroes_follows_from_their_names():
    assert DwarvesOptions.parse({"heroes": ["furgas", "narmora", "xamtys"]}).players == 3
