"""The components: loads and checks `cards/`, or the pack in its place, into read-only tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np

from dwarrow.envs.core.pack import Pack, as_columns, integer, one_of, text
from dwarrow.envs.core.record import NONE, Ints


class Order(IntEnum):
    """The five Orders, and the columns of an army."""

    SHIELD = 0
    TEMPLE = 1
    WANDERERS = 2
    FORGE = 3
    TALION = 4


N_ORDERS = len(Order)
ORDERS = tuple(order.name.title() for order in Order)


class Cognar(IntEnum):
    """Every Cognar by its row in ``cognars.csv``: recruits, the ally, the Elites, a certificate."""

    VOLGRIR = 0
    ABOKAR = 1
    SVARA = 2
    ARARUN = 3
    SRIZA = 4
    FEY = 5
    DERDHR = 6
    KARDUM = 7
    OOSRAM = 8
    DROH = 9
    ULROG = 10
    TALA = 11
    TORUN = 12
    GURDAN = 13
    BOROGAM = 14
    JORUN = 15
    OBERON = 16
    TADGAR = 17
    LYGDR = 18
    WAL = 19
    AKAB = 20
    DAWN = 21
    GAAT = 22
    TISS = 23
    REDWIN = 24
    ARAL = 25
    ORDO = 26
    BRUM = 27
    LIQUOR_CERTIFICATION = 28


N_COGNARS = len(Cognar)
N_RECRUITS = 22  # rows that can be recruited: all before Ga'at, who only comes with Oberon
FIRST_MERCENARY = 17
N_MERCENARIES = 5
FIRST_ELITE = 23
N_ELITES = 5

COMMAND = N_ORDERS  # column of a white-rank Cognar: the Command zone
ANY_COLUMN = N_ORDERS + 1  # column of a black or multicoloured rank: the lord chooses

# What the rulebook's component list fixes (p. 3, p. 4).
N_DWARFS = 91
DWARFS_BY_ORDER = (20, 19, 20, 16, 16)
ERA_1_CARDS, ERA_1_FIVE = 36, 9  # a deck of exactly 4 turns of 9, or of 3 turns of 15
ERA_2_CARDS, ERA_2_FIVE = 37, 9
N_PARIAH_TOKENS = 12
MAX_RANKS = 30  # 20 dwarfs, Volgrir 2, Abokar, Svara, Ga'at, five mercenaries
GOLD_COPIES = {**dict.fromkeys((5, 6, 8, 10, 12, 13, 14), 2), **dict.fromkeys((7, 9, 11), 3)}
BRONZE = (0, 2, 3, 4, 5)
MAX_RUNE_TYPES = 8

_KINDS = ("order", "neutral", "mercenary", "ally", "elite", "certification")
_KIND_COUNTS = {"order": 13, "neutral": 4, "mercenary": 5, "ally": 1, "elite": 5}

PACK = Pack("aquilon", Path(__file__).parent / "cards")


def _table(values: Sequence[Any]) -> Ints:
    array = np.array(values, dtype=np.int16)
    array.setflags(write=False)
    return array


def _load_dwarfs(pack: Pack) -> list[dict[str, Any]]:
    """Read the 91 dwarf cards, Rule: components (p. 3), five_lords (p. 4)."""
    columns = {
        "order": one_of(ORDERS),
        "era": integer(1, 2),
        "points": integer(0, 30),
        "malts": integer(0, 3),
        "rune": one_of([str(k) for k in range(1, MAX_RUNE_TYPES + 1)], empty=NONE),
        "occults": integer(0, 3),
        "five": integer(0, 1),
    }
    rows = pack.table("dwarfs.csv", columns)
    for number, row in enumerate(rows, start=2):
        if (row["rune"] != NONE) != (row["order"] == Order.FORGE):
            pack.fail("dwarfs.csv", number, "rune", "Forge dwarfs bear a rune, no others do")
    pack.expect("dwarfs.csv", "the number of rows (cards)", len(rows), N_DWARFS)
    by_order = Counter(row["order"] for row in rows)
    for order, wanted in zip(Order, DWARFS_BY_ORDER, strict=True):
        what = f"column order, number of {ORDERS[order]} cards"
        pack.expect("dwarfs.csv", what, by_order[order], wanted)
    decks = Counter((row["era"], row["five"]) for row in rows)
    for key, wanted in zip(
        ((1, 0), (1, 1), (2, 0), (2, 1)),
        (ERA_1_CARDS, ERA_1_FIVE, ERA_2_CARDS, ERA_2_FIVE),
        strict=True,
    ):
        what = f"columns era and five, number of cards with era {key[0]}, five {key[1]}"
        pack.expect("dwarfs.csv", what, decks[key], wanted)
    values = [row["points"] for row in rows if row["order"] == Order.WANDERERS]
    spare = max(0, len(values) - len(set(values)) - N_PARIAH_TOKENS)
    what = "column points, Wanderers cards that could need more Pariah tokens than there are"
    pack.expect("dwarfs.csv", what, spare, 0)
    return rows


def _load_cognars(pack: Pack) -> list[dict[str, Any]]:
    """Read Cognars, Elites and the Liquor Certification, Rule: components (p. 3)."""
    numbers = ("malts", "occults", "runes", "upgrade", "tokens", "per_rank", "per_rune")
    columns = {
        "name": text,
        "kind": one_of(_KINDS),
        "column": one_of((*ORDERS, "Command", "any")),
        "ranks": integer(0, 3),
        "points": integer(0, 30),
        **dict.fromkeys(numbers, integer(0, 9)),
    }
    rows = pack.table("cognars.csv", columns)
    pack.expect("cognars.csv", "the number of rows", len(rows), N_COGNARS)
    for number, (row, cognar) in enumerate(zip(rows, Cognar, strict=True), start=2):
        if _enum_name(row["name"]) != cognar.name:
            pack.fail("cognars.csv", number, "name", f"{row['name']!r} should be {cognar.name}")
        home = ANY_COLUMN if _KINDS[row["kind"]] in ("mercenary", "ally") else None
        if _KINDS[row["kind"]] in ("neutral", "elite", "certification"):
            home = COMMAND
        if (row["column"] != home) if home is not None else (row["column"] >= COMMAND):
            pack.fail("cognars.csv", number, "column", "does not fit the kind of Cognar")
    kinds = Counter(_KINDS[row["kind"]] for row in rows)
    for kind, wanted in _KIND_COUNTS.items():
        what = f"column kind, number of rows {kind}"
        pack.expect("cognars.csv", what, kinds[kind], wanted)
    return rows


def _load_coins(pack: Pack) -> list[dict[str, Any]]:
    """Read the 60 coins, Rule: components (p. 3)."""
    columns = {
        "coin": text,
        "kind": one_of(("bronze", "exchange", "gold")),
        "value": integer(0, 25),
        "copies": integer(1, 5),
    }
    rows = pack.table("coins.csv", columns)
    wanted = [("bronze", 0, 5), ("exchange", 3, 1)]
    wanted += [("bronze", value, 5) for value in BRONZE[1:]]
    wanted += [("gold", value, GOLD_COPIES.get(value, 1)) for value in range(5, 26)]
    pack.expect("coins.csv", "the number of rows", len(rows), len(wanted))
    for number, (row, (kind, value, copies)) in enumerate(zip(rows, wanted, strict=True), start=2):
        for column, found, want in (
            ("kind", ("bronze", "exchange", "gold")[row["kind"]], kind),
            ("value", row["value"], value),
            ("copies", row["copies"], copies),
        ):
            if found != want:
                pack.fail("coins.csv", number, column, f"{found!r}, the rulebook says {want!r}")
    return rows


def _load_track(pack: Pack) -> list[int]:
    """Read the Shield track of the individual board, Rule: shield (p. 7)."""
    columns = {"ranks": integer(0, MAX_RANKS), "points": integer(0, 2000)}
    rows = pack.table("shield_track.csv", columns)
    pack.expect("shield_track.csv", "the number of rows", len(rows), MAX_RANKS + 1)
    for number, row in enumerate(rows, start=2):
        if row["ranks"] != number - 2:
            pack.fail("shield_track.csv", number, "ranks", f"should be {number - 2}")
        if number > 2 and row["points"] < rows[number - 3]["points"]:
            pack.fail("shield_track.csv", number, "points", "the track never falls")
    return [row["points"] for row in rows]


def _load_gaat(pack: Pack) -> list[int]:
    """Read Ga'at's points by column, Rule: oberon (p. 15)."""
    rows = pack.table("gaat.csv", {"column": one_of(ORDERS), "points": integer(0, 30)})
    pack.expect("gaat.csv", "column column, the Orders", [r["column"] for r in rows], list(Order))
    return [row["points"] for row in rows]


def _enum_name(name: str) -> str:
    return name.upper().replace("'", "").replace(" ", "_")


def _dwarf_names(rows: list[dict[str, Any]]) -> tuple[str, ...]:
    """Name each card by what is on it, its era, and a letter where several are alike."""
    plain = []
    for row in rows:
        parts = [ORDERS[row["order"]]]
        if row["points"]:
            parts.append(str(row["points"]))
        if row["rune"] != NONE:
            parts.append(f"rune {row['rune'] + 1}")
        parts += ["Occult"] * row["occults"] + ["Malt"] * row["malts"] + ["I" * row["era"]]
        plain.append(" ".join(parts) + ("*" if row["five"] else ""))
    total, used = Counter(plain), Counter[str]()
    names = []
    for name in plain:
        used[name] += 1
        names.append(name if total[name] == 1 else f"{name} {chr(ord('a') + used[name] - 1)}")
    return tuple(names)


def _dwarf_kinds(rows: list[dict[str, Any]]) -> list[int]:
    """Return for each card the first card with the same symbols, whatever its era."""
    keys = [tuple(row[k] for k in ("order", "points", "malts", "rune", "occults")) for row in rows]
    return [keys.index(key) for key in keys]


_DWARFS = _load_dwarfs(PACK)
_COGNARS = _load_cognars(PACK)
_COINS = _load_coins(PACK)

DWARFS = _dwarf_names(_DWARFS)
DWARF_KIND = _table(_dwarf_kinds(_DWARFS))
_columns = as_columns(_DWARFS, "order", "points", "malts", "rune", "occults", "five")
DWARF_ORDER, DWARF_POINTS, DWARF_MALTS, DWARF_RUNE, DWARF_OCCULTS, DWARF_FIVE = map(
    _table, _columns
)
DWARF_ERA = _table([row["era"] - 1 for row in _DWARFS])  # 0 or 1, as State.era

COGNARS = tuple(row["name"] for row in _COGNARS)
_columns = as_columns(_COGNARS, "column", "ranks", "points", "malts", "occults", "runes")
COGNAR_COLUMN, COGNAR_RANKS, COGNAR_POINTS, COGNAR_MALTS, COGNAR_OCCULTS, COGNAR_RUNES = map(
    _table, _columns
)
COGNAR_TOKENS = _table([row["tokens"] for row in _COGNARS])
COGNAR_PER_RANK = _table([row["per_rank"] for row in _COGNARS])
DERDHR_UPGRADE = int(_COGNARS[Cognar.DERDHR]["upgrade"])
JORUN_PER_RUNE = int(_COGNARS[Cognar.JORUN]["per_rune"])
GAAT_POINTS = _table(_load_gaat(PACK))
ELITE_OF_ORDER = _table([Cognar.TISS, Cognar.ARAL, Cognar.BRUM, Cognar.REDWIN, Cognar.ORDO])

SHIELD_TRACK = _table(_load_track(PACK))

# Coin numbers rise with value, the coin that exchanges (0, or Kardum's) always first.
COINS = tuple(row["coin"] for row in _COINS)
COIN_VALUE = _table([row["value"] for row in _COINS])
N_COINS = len(COINS)
ZERO = 0
EXCHANGE_3 = 1
FIRST_BRONZE = 2  # 2, 3, 4, 5
FIRST_GOLD = 6
N_GOLD = N_COINS - FIRST_GOLD
GOLD_STOCK = _table([row["copies"] for row in _COINS[FIRST_GOLD:]])
