"""The component list of the rulebook, and packs that do not fit it."""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from dwarrow.envs.aquilon import cards
from dwarrow.envs.aquilon.cards import PACK, Cognar, Order
from dwarrow.envs.core.pack import PackError


def test_components_91_dwarfs_of_five_orders():
    assert len(cards.DWARFS) == len(set(cards.DWARFS)) == 91
    assert np.bincount(cards.DWARF_ORDER).tolist() == [20, 19, 20, 16, 16]


def test_components_decks_of_two_eras_with_nine_marked_cards_each():
    for era, plain in ((0, 36), (1, 37)):
        mine = era == cards.DWARF_ERA
        assert int((mine & (cards.DWARF_FIVE == 0)).sum()) == plain
        assert int((mine & (cards.DWARF_FIVE == 1)).sum()) == 9


def test_components_60_coins_of_which_34_gold_worth_437():
    copies = {row["coin"]: int(row["copies"]) for row in PACK.tables["coins.csv"]}
    assert sum(copies.values()) == 60
    assert sum(copies[c] for c in ("0", "2", "3", "4", "5")) == 25
    assert copies["3 Exchange"] == 1
    assert cards.GOLD_STOCK.sum() == 34
    assert (cards.GOLD_STOCK * cards.COIN_VALUE[cards.FIRST_GOLD :]).sum() == 437


def test_components_23_cognars_5_elites_and_the_certificate():
    kinds = Counter(row["kind"] for row in PACK.tables["cognars.csv"])
    assert kinds == {
        "order": 13, "neutral": 4, "mercenary": 5, "ally": 1, "elite": 5, "certification": 1,
    }  # fmt: skip
    homes = Counter(row["column"] for row in PACK.tables["cognars.csv"] if row["kind"] == "order")
    assert homes == {"Shield": 3, "Temple": 3, "Talion": 2, "Wanderers": 2, "Forge": 3}


# name: column, ranks, points, Malts, Occults, runes, tokens removed
PRINTED = {
    "Volgrir": ("Shield", 2, 0, 0, 0, 0, 0),
    "Abokar": ("Shield", 1, 0, 0, 0, 0, 0),
    "Svara": ("Shield", 1, 0, 0, 0, 0, 0),
    "Ararun": ("Temple", 2, 2, 0, 1, 0, 0),
    "Sriza": ("Temple", 1, 0, 0, 2, 0, 0),
    "Fey": ("Temple", 1, 5, 0, 0, 0, 0),
    "Derdhr": ("Talion", 1, 13, 0, 0, 0, 0),
    "Kardum": ("Talion", 2, 5, 0, 0, 0, 0),
    "Oosram": ("Wanderers", 1, 15, 0, 0, 0, 2),
    "Droh": ("Wanderers", 2, 10, 0, 0, 0, 1),
    "Ulrog": ("Forge", 1, 0, 0, 0, 2, 0),
    "Tala": ("Forge", 2, 6, 0, 0, 1, 0),
    "Torun": ("Forge", 1, 12, 0, 0, 1, 0),
    "Gurdan": ("Command", 0, 22, 1, 0, 0, 0),
    "Borogam": ("Command", 0, 14, 3, 0, 0, 0),
    "Jorun": ("Command", 0, 0, 0, 0, 1, 0),
    "Oberon": ("Command", 0, 15, 0, 0, 0, 0),
    "Tadgar": ("any", 1, 24, 0, 0, 0, 0),
    "Lygdr": ("any", 1, 23, 0, 0, 0, 0),
    "Wal": ("any", 1, 22, 0, 0, 0, 0),
    "Akab": ("any", 1, 21, 0, 0, 0, 0),
    "Dawn": ("any", 1, 20, 0, 0, 0, 0),
    "Ga'at": ("any", 1, 0, 0, 0, 0, 0),
    "Tiss": ("Command", 0, 0, 0, 0, 0, 0),
    "Redwin": ("Command", 0, 0, 0, 0, 1, 0),
    "Aral": ("Command", 0, 0, 0, 1, 0, 0),
    "Ordo": ("Command", 0, 0, 0, 0, 0, 0),
    "Brum": ("Command", 0, 13, 0, 0, 0, 1),
}


def test_cognars_are_as_printed():
    names = ("column", "ranks", "points", "malts", "occults", "runes", "tokens")
    for row in PACK.tables["cognars.csv"][:-1]:
        found = (row["column"], *(int(row[name]) for name in names[1:]))
        assert found == PRINTED[row["name"]], row["name"]
    assert list(PRINTED) == [r["name"] for r in PACK.tables["cognars.csv"]][:-1]
    assert cards.DERDHR_UPGRADE == 5
    assert cards.JORUN_PER_RUNE == 3
    assert cards.COGNAR_PER_RANK[Cognar.ABOKAR] == 1
    assert cards.COGNAR_PER_RANK[Cognar.TISS] == 2
    assert cards.GAAT_POINTS.tolist() == [0, 2, 9, 4, 6]


def test_shield_track_is_40_at_five_ranks_as_the_count_on_page_13_has_it():
    assert cards.SHIELD_TRACK[5] == 40
    assert len(cards.SHIELD_TRACK) == 31


def test_pariah_tokens_suffice_for_the_wanderers_cards():
    points = cards.DWARF_POINTS[cards.DWARF_ORDER == Order.WANDERERS]
    assert len(points) - len(set(points.tolist())) <= 12


def test_every_row_says_where_it_comes_from():
    assert PACK.provenance() == {
        "dwarfs.csv": {"reconstructed": 91},
        "cognars.csv": {"rulebook": 29},
        "coins.csv": {"rulebook": 27},
        "shield_track.csv": {"reconstructed": 31},
        "gaat.csv": {"rulebook": 5},
    }


CARDS = Path(cards.__file__).parent / "cards"


def edit(folder: Path, file: str, old: str, new: str, count: int = 1) -> None:
    path = folder / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, count))


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("dwarfs.csv", "Shield,1,0,1", "Temple,1,0,1",
         "column order, number of Shield cards is 19, the rulebook says 20"),
        ("dwarfs.csv", "Shield,1,0,1,,0,0", "Shield,2,0,1,,0,0",
         "columns era and five, number of cards with era 1, five 0 is 35, the rulebook says 36"),
        ("dwarfs.csv", "Shield,1,0,1,,0,0,reconstructed\n", "",
         "the number of rows (cards) is 90, the rulebook says 91"),
        ("dwarfs.csv", "Forge,1,4,1,1,0,0", "Forge,1,4,1,,0,0",
         "row 61, column rune: Forge dwarfs bear a rune, no others do"),
        ("dwarfs.csv", "Temple,1,0,0,,1,0", "Temple,1,0,0,,9,0",
         "column occults: '9' is not allowed; wanted a whole number from 0 to 3"),
        ("coins.csv", "7,gold,7,3", "7,gold,7,2",
         "row 10, column copies: 2, the rulebook says 3"),
        ("cognars.csv", "Fey,order,Temple", "Fey,neutral,Temple",
         "row 7, column column: does not fit the kind of Cognar"),
        ("cognars.csv", "Abokar", "Abakor", "row 3, column name: 'Abakor' should be ABOKAR"),
        ("shield_track.csv", "7,63,", "7,50,", "row 9, column points: the track never falls"),
        ("gaat.csv", "Forge,4,rulebook\n", "", "column column, the Orders is [0, 1, 2, 4]"),
        ("gaat.csv", "rulebook", "hearsay", "column source: 'hearsay' is not allowed"),
    ],
)  # fmt: skip
def test_pack_with_a_wrong_count_is_refused_in_words(
    tmp_path, monkeypatch, file, old, new, message
):
    folder = tmp_path / "pack"
    shutil.copytree(CARDS, folder)
    edit(folder, file, old, new)
    pack = cards.Pack("aquilon", folder)
    read = {
        "dwarfs.csv": cards._load_dwarfs,
        "cognars.csv": cards._load_cognars,
        "coins.csv": cards._load_coins,
        "shield_track.csv": cards._load_track,
        "gaat.csv": cards._load_gaat,
    }[file]
    with pytest.raises(PackError, match=re.escape(file) + ".*" + re.escape(message)):
        read(pack)


def test_pack_named_in_the_environment_replaces_the_built_in_one(tmp_path):
    folder = tmp_path / "mine"
    shutil.copytree(CARDS, folder)
    edit(folder, "shield_track.csv", "5,40,reconstructed", "5,41,public")
    code = (
        "from dwarrow.envs.aquilon.cards import PACK, SHIELD_TRACK;"
        "print(PACK.name, SHIELD_TRACK[5], PACK.provenance()['shield_track.csv'])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "DWARROW_PACK_AQUILON": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == "mine 41 {'reconstructed': 30, 'public': 1}"
