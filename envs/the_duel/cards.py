"""The deck: 20 kinds of card, 35 cards, the same for both sides.

Kinds are numbered so that zones are ranges: what has life comes first, what lies in a display next,
what is discarded when played last.
"""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dwarrow.envs.core.pack import Pack, integer, one_of, optional_text, text
from dwarrow.envs.core.record import NONE, labels

FILE = "deck.csv"


class Kind(IntEnum):
    """A kind of card, called after the powers of good."""

    BAVRAGOR = 0
    ALLY_OF_TWOS = 1
    ALLY_OF_THREES = 2
    ALLY_OF_FOURS = 3
    ALLY_OF_FIVES = 4
    BOINDIL = 5
    ANDOKAI = 6
    DWARF_KING = 7
    JOKER_ALLY = 8
    TWO_POINTS = 9
    THREE_POINTS = 10
    FOUR_POINTS = 11
    REINFORCEMENT = 12
    ANCIENT_KNOWLEDGE = 13
    TRICKERY = 14
    SHORT_REST = 15
    BEGONE = 16
    THROWING_AXE = 17
    CHAIN_MAIL = 18
    ANDOKAIS_POWER = 19


class Type(IntEnum):
    """Type of a card, as printed at its top."""

    ALLY = 0
    POINTS = 1
    SUPPORT = 2
    EVENT = 3
    TWIST = 4


KINDS = labels(Kind)
TYPES = labels(Type)
N_KINDS = len(KINDS)
N_ALLIES = 9  # kinds 0 to 8
N_WITH_LIFE = 12  # kinds 0 to 11: Allies and points
N_LASTING = 15  # kinds 0 to 14: what stays in a display
N_NUMBERS = 5
DECK_SIZE = 35
MOST_DICE_OF_A_COST = 4

CARDS_OF_TYPE = {Type.ALLY: 9, Type.POINTS: 8, Type.SUPPORT: 7, Type.EVENT: 6, Type.TWIST: 5}
FREE_EVENTS = 3
_TYPE_BY_KIND = [Type.ALLY] * 9 + [Type.POINTS] * 3 + [Type.SUPPORT] * 3
_TYPE_BY_KIND += [Type.EVENT] * 2 + [Type.TWIST] * 3


def _numbers(cell: str) -> tuple[int, ...]:
    found = cell.split()
    if any(n not in "12345" or len(n) != 1 for n in found) or len(set(found)) != len(found):
        raise ValueError("different numbers from 1 to 5 with spaces between them")
    return tuple(int(n) for n in found)


def _number(cell: str) -> int:
    return NONE if cell == "" else int(integer(1, N_NUMBERS)(cell)) - 1


_COLUMNS = {
    "kind": one_of(KINDS),
    "type": one_of(TYPES),
    "copies": integer(1, DECK_SIZE),
    "good": text,
    "evil": text,
    "number": _number,
    "dice": integer(0, MOST_DICE_OF_A_COST),
    "numbers": _numbers,
    "life": integer(0, 20),
    "points": integer(0, 20),
    "effect": text,
    "note": optional_text,
}


def load(pack: Pack) -> list[dict[str, Any]]:
    """Read and check a deck; the rows come back in the order of `Kind`.

    Raises:
        PackError: naming file, row and column, or the count that the rulebook fixes.
    """
    rows = pack.table(FILE, _COLUMNS)
    for line, row in enumerate(rows, start=2):
        _check_row(pack, line, row)
    found = sorted(row["kind"] for row in rows)
    pack.expect(FILE, "the list of kinds", [KINDS[k] for k in found], list(KINDS))
    for kind, wanted in CARDS_OF_TYPE.items():
        count = sum(row["copies"] for row in rows if row["type"] == kind)
        pack.expect(FILE, f"the number of cards of type {TYPES[kind]}", count, wanted)
    for number in range(N_NUMBERS):
        count = sum(row["copies"] for row in rows if row["number"] == number)
        pack.expect(FILE, f"the number of cards that cost one die {number + 1}", count, 1)
    free = sum(row["copies"] for row in rows if row["type"] == Type.EVENT and row["dice"] == 0)
    pack.expect(FILE, "the number of Events without a cost", free, FREE_EVENTS)
    strikers = sum(r["copies"] for r in rows if r["type"] == Type.ALLY and r["numbers"])
    pack.expect(FILE, "the number of Allies that deal damage", strikers, N_ALLIES - 1)
    return sorted(rows, key=lambda row: int(row["kind"]))


def _check_row(pack: Pack, line: int, row: dict[str, Any]) -> None:
    def check(fits: bool, column: str, problem: str) -> None:
        if not fits:
            pack.fail(FILE, line, column, f"{KINDS[kind]} {problem}")

    kind: int = row["kind"]
    kind_type, dice = row["type"], row["dice"]
    check(kind_type == _TYPE_BY_KIND[kind], "type", f"is of type {TYPES[_TYPE_BY_KIND[kind]]}")
    check((row["life"] > 0) == (kind < N_WITH_LIFE), "life", "has life if Ally or points, else 0")
    check((row["points"] > 0) == (kind_type == Type.POINTS), "points", "has points if it is points")
    if row["number"] != NONE:
        check(dice == 1, "dice", "costs one die of a number, so 1 die")
    elif kind_type == Type.TWIST:
        check(dice == 0, "dice", "is a Twist, so it is free")
    elif kind_type == Type.EVENT:
        check(dice != 1, "dice", "costs nothing or 2 to 4 equal dice")
    else:
        check(dice >= 2, "dice", "costs one die of a number or 2 to 4 equal dice")
    strikes = kind < N_ALLIES and kind != Kind.JOKER_ALLY
    if kind == Kind.SHORT_REST:
        check(len(row["numbers"]) == 1, "numbers", "names the one number of short_rest=printed")
    else:
        check(bool(row["numbers"]) == strikes, "numbers", "has numbers if it deals damage")


PACK = Pack("the_duel", Path(__file__).parent / "cards")
DECK = load(PACK)


def _column(name: str) -> NDArray[np.int16]:
    return np.array([row[name] for row in DECK], dtype=np.int16)


COPIES = _column("copies")
"""How often each kind is in a deck, by Kind."""
COST_DICE = _column("dice")
"""How many dice each kind costs, by Kind."""
COST_NUMBER = _column("number")
"""The number that a single die must show, counted from 0; NONE where any number will do."""
LIFE = _column("life")
POINTS = _column("points")
STRIKES = np.array(
    [[int(n + 1 in row["numbers"]) for n in range(N_NUMBERS)] for row in DECK], dtype=np.int16
)
"""1 where an Ally turns a die of that number into damage, by Kind and number; read-only."""
STRIKES[Kind.SHORT_REST] = 0
SHORT_REST_NUMBER: int = DECK[Kind.SHORT_REST]["numbers"][0] - 1
MAX_COPIES = int(COPIES[:N_WITH_LIFE].max())
"""Most copies of a kind with life."""
MAX_POINTS = int((COPIES * POINTS).sum())
NAMES = tuple(tuple(str(row[side]) for row in DECK) for side in ("good", "evil"))
"""Printed names by seat (0 good, 1 evil) and Kind."""

for _table in (COPIES, COST_DICE, COST_NUMBER, LIFE, POINTS, STRIKES):
    _table.flags.writeable = False
