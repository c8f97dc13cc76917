"""The components against the rulebook's list, and packs that do not fit it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dwarrow import envs
from dwarrow.envs.dwar7s_fall import cards

BUILT_IN = Path(cards.__file__).parent / "cards"


def test_counts_are_those_of_the_rulebook():
    assert len(cards.KINDS) * 4 == 36
    assert cards.GEM_CARDS.sum() == 34
    assert cards.OGRE_CARDS.sum() == 13
    assert len(cards.GOAL_VP) == 10
    assert cards.SECRET_VP.tolist() == [7] * 7
    assert cards.DWARFS == 7


def test_needs_and_yields_are_those_of_the_rulebook():
    need = dict(zip(cards.KINDS, cards.NEED.tolist(), strict=True))
    assert need["castle"] == need["emerald_mine"] == need["diamond_mine"] == need["tavern"] == 2
    assert need["ruby_mine"] == need["general_store"] == 3
    assert need["fire_dragon"] == need["frost_giant"] == 5
    amount = dict(zip(cards.KINDS, cards.AMOUNT.tolist(), strict=True))
    assert [kind for kind, n in amount.items() if n == 2] == ["gold_mine"]


def test_every_tile_has_a_wall_and_room_for_its_dwarfs():
    assert (cards.PRINTED_WALLS.sum(axis=1) >= 1).all()
    assert (cards.SPOTS >= cards.NEED).all()


def test_a_turned_card_shows_its_walls_turned():
    emerald = cards.KINDS.index("emerald_mine")
    assert cards.WALLS[emerald].tolist() == [
        [1, 1, 0, 0],
        [0, 1, 1, 0],
        [0, 0, 1, 1],
        [1, 0, 0, 1],
    ]


def test_trading_goals_pay_more_than_their_gems_and_the_best_pays_16():
    gems = (cards.COST * cards.GEM_VP).sum(axis=1)
    assert (gems < cards.GOAL_VP).all()
    assert cards.GOAL_VP.max() == 16


def test_every_row_has_a_source():
    table = envs.game("dwar7s_fall").pack.provenance()
    assert set(table) == {path.name for path in BUILT_IN.glob("*.csv")}
    assert table["secret_goals.csv"] == {"rulebook": 7}
    assert table["walls.csv"] == {"reconstructed": 9}


def load_pack(folder: Path) -> str:
    """Open the game with a pack in a process of its own; return what it says."""
    code = "from dwarrow import envs; g = envs.game('dwar7s_fall'); print(g.pack.name)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "DWARROW_PACK_DWAR7S_FALL": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (
            "walls.csv",
            "castle,1,0,0,0",
            "castle,1,0,2,0",
            "row 2, column south: '2' is not",
        ),
        ("walls.csv", "tavern,1,0,1,0", "tavern,0,0,0,0", "row 7, column north: 0 walls"),
        ("walls.csv", "north,east", "north,west2", "columns are"),
        ("walls.csv", "tavern,", "castle,", "row 7, column kind: 'castle' stands here a second"),
        ("spots.csv", "ruby_mine,4", "ruby_mine,2", "row 6, column spots: 2 spots cannot hold"),
        ("spots.csv", "tavern,3,reconstructed\n", "", "column kind: no row for tavern"),
        ("points.csv", "castle,2", "castle,two", "row 2, column vp: 'two' is not allowed"),
        ("tiles.csv", "tavern,inn", "tavern,mine", "row 7, column stack: 'mine'; the rulebook"),
        ("tiles.csv", "fire_dragon,mine,5", "fire_dragon,mine,4", "row 9, column need"),
        ("gems.csv", "gold,10", "gold,11", "the number of gem cards is 35, the rulebook says 34"),
        ("ogres.csv", "crown,1", "crown,2", "number of ogre cards is 14, the rulebook says 13"),
        (
            "trading_goals.csv",
            "T1,2,1,0,0,8,reconstructed\n",
            "",
            "is 9, the rulebook says 10",
        ),
        ("trading_goals.csv", "T2,", "T1,", "row 3, column goal: 'T1' stands here twice"),
        ("trading_goals.csv", "T3,0,1,0,1", "T3,0,9,0,1", "row 4, column emerald: 9 wanted"),
        (
            "trading_goals.csv",
            "T4,0,0,1,1",
            "T4,0,0,0,0",
            "row 5, column gold: a trading goal",
        ),
        ("secret_goals.csv", "emeralds,5", "emeralds,0", "row 4, column least: '0' is not allowed"),
        ("ogres.csv", "panic,3,reconstructed", "panic,3,hearsay", "row 5, column source"),
    ],
)
def test_a_pack_that_does_not_fit_is_refused_with_file_row_and_column(
    tmp_path, file, old, new, said
):
    folder = tmp_path / "pack"
    shutil.copytree(BUILT_IN, folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    out = load_pack(folder)
    assert f"PackError: {folder / file}" in out
    assert said in out


def test_a_pack_with_other_printed_values_is_taken(tmp_path):
    folder = tmp_path / "printed"
    shutil.copytree(BUILT_IN, folder)
    assert load_pack(folder).strip() == "printed"
