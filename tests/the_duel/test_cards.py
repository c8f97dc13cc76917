import csv
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from dwarrow.envs.core.pack import Pack, PackError
from dwarrow.envs.the_duel.cards import (
    COPIES,
    COST_DICE,
    COST_NUMBER,
    DECK,
    FILE,
    KINDS,
    LIFE,
    N_ALLIES,
    N_LASTING,
    N_WITH_LIFE,
    PACK,
    POINTS,
    STRIKES,
    Kind,
    Type,
    load,
)

Rows = list[dict[str, str]]


def test_the_deck_has_the_cards_of_the_component_list() -> None:
    types = np.array([row["type"] for row in DECK])
    by_type = {int(t): int(COPIES[types == t].sum()) for t in Type}
    assert by_type == {Type.ALLY: 9, Type.POINTS: 8, Type.SUPPORT: 7, Type.EVENT: 6, Type.TWIST: 5}
    assert COPIES.sum() == 35
    assert len(KINDS) == 20


def test_costs_are_as_the_leaflet_counts_them() -> None:
    single = [int(n) for n, copies in zip(COST_NUMBER, COPIES, strict=True) if n >= 0 and copies]
    assert sorted(single) == [0, 1, 2, 3, 4]
    assert COPIES[COST_DICE == 0].sum() == 8
    assert set(COST_DICE[(COST_DICE > 0) & (COST_NUMBER < 0)].tolist()) == {2, 3, 4}


def test_eight_allies_deal_damage_and_two_of_them_with_two_numbers() -> None:
    numbers = STRIKES[:N_ALLIES].sum(axis=1)
    assert sorted(numbers.tolist()) == [0, 1, 1, 1, 1, 1, 2, 2, 5]
    assert numbers[Kind.JOKER_ALLY] == 0
    assert STRIKES[N_ALLIES:].sum() == 0


def test_life_and_points_lie_where_they_are_printed() -> None:
    assert np.flatnonzero(LIFE).tolist() == list(range(N_WITH_LIFE))
    assert np.flatnonzero(POINTS).tolist() == [9, 10, 11]
    assert N_LASTING == Kind.SHORT_REST


def test_every_row_says_where_its_values_come_from() -> None:
    assert {row["source"] for row in DECK} == {"rulebook", "public", "reconstructed"}
    assert all(row["note"] for row in DECK if row["source"] != "rulebook")


def set_cell(kind: str, column: str, value: str) -> Callable[[Rows], None]:
    def change(rows: Rows) -> None:
        next(row for row in rows if row["kind"] == kind)[column] = value

    return change


def drop(kind: str) -> Callable[[Rows], None]:
    def change(rows: Rows) -> None:
        rows[:] = [row for row in rows if row["kind"] != kind]

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            set_cell("begone", "copies", "4"),
            "number of cards of type event is 7, the rulebook says 6",
        ),
        (set_cell("chain_mail", "copies", "2"), "number of cards of type twist is 6"),
        (set_cell("boindil", "number", "1"), "row 7, column dice: boindil costs one die"),
        (set_cell("bavragor", "number", "2"), "number of cards that cost one die 1 is 0"),
        (set_cell("begone", "dice", "0"), "Events without a cost is 6, the rulebook says 3"),
        (set_cell("chain_mail", "dice", "2"), "row 20, column dice: chain_mail is a Twist"),
        (
            set_cell("trickery", "dice", "5"),
            "column dice: '5' is not allowed; wanted a whole number",
        ),
        (set_cell("trickery", "life", "2"), "row 16, column life"),
        (set_cell("bavragor", "points", "1"), "row 2, column points"),
        (set_cell("joker_ally", "numbers", "3"), "row 10, column numbers"),
        (set_cell("andokai", "numbers", "3 7"), "wanted different numbers from 1 to 5"),
        (set_cell("short_rest", "numbers", ""), "row 17, column numbers"),
        (set_cell("begone", "kind", "begun"), "column kind: 'begun' is not allowed; wanted one of"),
        (set_cell("begone", "type", "twist"), "column type: begone is of type event"),
        (set_cell("begone", "source", ""), "column source"),
        (set_cell("begone", "dice", "1"), "costs nothing or 2 to 4 equal dice"),
        (set_cell("trickery", "dice", "1"), "costs one die of a number or 2 to 4 equal dice"),
        (drop("begone"), "the list of kinds is"),
    ],
)
def test_a_deck_that_does_not_fit_the_rulebook_is_refused(
    tmp_path: Path, change: Callable[[Rows], None], message: str
) -> None:
    with (PACK.folder / FILE).open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    columns = list(rows[0])
    change(rows)
    with (tmp_path / FILE).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, columns)
        writer.writeheader()
        writer.writerows(rows)
    with pytest.raises(PackError) as refused:
        load(Pack("the_duel_test", tmp_path))
    assert message in str(refused.value)
    assert FILE in str(refused.value)


def test_a_deck_of_other_values_is_accepted(tmp_path: Path) -> None:
    text = (PACK.folder / FILE).read_text(encoding="utf-8")
    text = text.replace("two_points,points,3", "two_points,points,4")
    text = text.replace("three_points,points,3", "three_points,points,2")
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    rows = load(Pack("the_duel_test", tmp_path))
    assert [row["copies"] for row in rows[9:12]] == [4, 2, 2]


OTHER_VALUES = {
    "short_rest,event,3,Short Rest,Short Rest,,0": "short_rest,event,3,Short Rest,Short Rest,,2",
    "begone,event,3,Begone!,Assassination,,3": "begone,event,3,Begone!,Assassination,,0",
    "throwing_axe,twist,2": "throwing_axe,twist,1",
    "chain_mail,twist,1": "chain_mail,twist,2",
    "reinforcement,support,3": "reinforcement,support,2",
    "ancient_knowledge,support,2": "ancient_knowledge,support,3",
    "two_points,points,3": "two_points,points,4",
    "four_points,points,2": "four_points,points,1",
    "dwarf_king,ally,1,Dwarf king,Bislipur,,3,1 2 3 4 5,1": (
        "dwarf_king,ally,1,Dwarf king,Bislipur,,4,1 2 3 4 5,5"
    ),
}


def test_the_rules_follow_another_deck(tmp_path: Path) -> None:
    """Events that cost dice, other copies, costs and lives: as an owner might type them in."""
    text = (PACK.folder / FILE).read_text(encoding="utf-8")
    for old, new in OTHER_VALUES.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, Path(__file__).parent / "other_deck.py"],
        env={**os.environ, "DWARROW_PACK_THE_DUEL": str(tmp_path), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.split() == [tmp_path.name, "1", "91", "True"]
