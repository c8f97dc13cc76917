"""The components as read-only arrays; nothing else opens the data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dwarrow.envs.core.pack import SOURCES, Pack, integer, one_of, optional_text, text
from dwarrow.envs.core.record import NONE, Ints
from dwarrow.envs.the_dwarves import board
from dwarrow.envs.the_dwarves.notation import (
    MAX_EFFECTS,
    MAX_PARTS,
    Place,
    Quest,
    Term,
    parse_condition,
    parse_effects,
    parse_quest,
)
from dwarrow.envs.the_dwarves.words import (
    N_ATTRIBUTES,
    N_HEROES,
    N_TROOPS,
    Ability,
    Book,
    Box,
    Condition,
    Deck,
    Level,
    Part,
    Spell,
    Troop,
)

PACK = Pack("the_dwarves", Path(__file__).parent / "cards")

BOOKS = ("base", "elfar", "combined_might")
TIMINGS = ("display", "immediate")
ONGOING = ("held", "poison", "closed tunnels")
BOXES = (
    "doom advances",
    "re-roll blanks",
    "re-roll highest",
    "lose health",
    "axe",
    "gain health",
    "discard threat",
    "re-roll one",
    "equipment",
)
ABILITIES = tuple(a.name.lower().replace("_", " ").replace("reroll", "re-roll") for a in Ability)
USES = (
    *("", "cancel threat", "take damage", "", "", "", "heal", "fight dice", "re-roll own dice"),
    *("ride tunnels", "extra action", "remove troops", "move on", "adjacent die", "repeat die"),
)
SPELL_EFFECTS = (
    *("hand limit", "heal one", "heal two", "teleport", "swap heroes", "set number die"),
    *("re-roll dice", "add dice", "lowest recruitment face"),
)
LEVELS = ("easy", "normal", "challenging", "brave", "heroic")


def _frozen(values: Any) -> Ints:
    array: Ints = np.asarray(values, dtype=np.int16)
    array.flags.writeable = False
    return array


MAP = board.load_map(PACK)
TILES = board.load_tiles(PACK)
TRACK = board.load_track(PACK)

_named = one_of(SOURCES)


def _tables() -> dict[str, list[dict[str, Any]]]:
    quest, effects, condition = _reading(parse_quest), _reading(parse_effects), parse_condition
    book = one_of(BOOKS)
    common = {"card": text, "title": text, "title_source": _named}
    return {
        "scenarios.csv": PACK.table(
            "scenarios.csv",
            {
                **common,
                "level": one_of("ABC"),
                "book": book,
                "condition": condition,
                "setup": effects,
                "quest": quest,
                "reward": effects,
            },
        ),
        "adventures.csv": PACK.table(
            "adventures.csv", {**common, "book": book, "quest": quest, "reward": effects}
        ),
        "threats.csv": PACK.table(
            "threats.csv",
            {
                **common,
                "book": book,
                "timing": one_of(TIMINGS),
                "setup": effects,
                "ongoing": one_of(ONGOING, NONE),
                "quest": quest,
                "threat": effects,
            },
        ),
    }


def _reading(parse: Callable[[str, Any], Any]) -> Callable[[str], Any]:
    def read(cell: str) -> Any:
        return parse(cell, MAP.places)

    return read


_QUESTS = _tables()
_ROWS = [
    {"deck": deck, "file": file, "row": k, **row}
    for deck, (file, rows) in zip(Deck, _QUESTS.items(), strict=True)
    for k, row in enumerate(rows, 2)
]
N_CARDS = len(_ROWS)
CARD_IDS = tuple(row["card"] for row in _ROWS)
CARD_TITLES = tuple(row["title"] for row in _ROWS)


def _check_counts() -> None:
    """Check every count of cards that the rulebook fixes."""
    wanted = {"scenarios.csv": (12, 1, 14), "adventures.csv": (30, 1, 8), "threats.csv": (15, 5, 5)}
    for file, counts in wanted.items():
        for book, count in zip(Book, counts, strict=True):
            found = sum(row["book"] == book for row in _QUESTS[file])
            PACK.expect(file, f"number of {BOOKS[book]} cards", found, count)
    levels = {Book.BASE: (8, 1, 3), Book.ELFAR: (0, 0, 1), Book.COMBINED_MIGHT: (6, 2, 6)}
    for book, counts in levels.items():
        for level, count in zip(Level, counts, strict=True):
            found = sum(
                row["book"] == book and row["level"] == level for row in _QUESTS["scenarios.csv"]
            )
            PACK.expect("scenarios.csv", f"{BOOKS[book]} cards of level {level.name}", found, count)
    for column, names in (("card", CARD_IDS), ("title", CARD_TITLES)):
        for row in _ROWS:
            if names.count(row[column]) > 1:
                PACK.fail(row["file"], row["row"], column, f"{row[column]!r} is there twice")


def _check_rows() -> None:
    """Check what makes sense of a card only as a whole."""
    for row in _ROWS:
        quest: Quest = row["quest"]
        immediate = row.get("timing") == TIMINGS.index("immediate")
        if bool(quest.parts) == immediate:
            PACK.fail(row["file"], row["row"], "quest", "an immediate threat has none, others do")
        if row["deck"] != Deck.SCENARIO:
            continue
        if row["level"] == Level.C and row["reward"]:
            PACK.fail(row["file"], row["row"], "reward", "a level C card wins the game, only")
        if row["level"] != Level.C and row["condition"][0] != Condition.ALWAYS:
            PACK.fail(row["file"], row["row"], "condition", "only level C cards have one")
    unconditional = [
        row
        for row in _QUESTS["scenarios.csv"]
        if (row["level"], row["book"], row["condition"][0])
        == (Level.C, Book.BASE, Condition.ALWAYS)
    ]
    if not unconditional:  # else a game could run out of Scenarios
        PACK.expect("scenarios.csv", "level C base cards without condition", 0, "at least 1")


_check_counts()
_check_rows()

DECK_OF = _frozen([row["deck"] for row in _ROWS])
BOOK_OF = _frozen([row["book"] for row in _ROWS])
LEVEL_OF = _frozen([row.get("level", NONE) for row in _ROWS])
IMMEDIATE = _frozen([row.get("timing", 0) for row in _ROWS])
ONGOING_OF = _frozen([row.get("ongoing", NONE) + 1 for row in _ROWS])
CONDITION = _frozen([row.get("condition", (Condition.ALWAYS, 0)) for row in _ROWS])

_quests: list[Quest] = [row["quest"] for row in _ROWS]
FLAGS = _frozen([quest.flags for quest in _quests])
TOGETHER = _frozen([quest.together for quest in _quests])
FEWER = _frozen([quest.fewer for quest in _quests])


class Terms:
    """Parts or effects of all cards as arrays [card, k]; a word of NONE is no term."""

    def __init__(self, terms: Sequence[Sequence[Term]], most: int) -> None:
        """Lay the terms of every card out side by side."""

        def column(of: Callable[[Term], Any], empty: Any) -> Ints:
            return _frozen([[*(of(t) for t in row), *[empty] * (most - len(row))] for row in terms])

        self.word = column(lambda t: t.word, NONE)
        self.what = column(lambda t: t.what, 0)
        self.face = column(lambda t: t.face, 0)
        self.count = column(lambda t: t.count, 0)
        self.place_kind = column(lambda t: t.place.kind, 0)
        self.place = column(lambda t: t.place.index, 0)
        self.start = column(lambda t: t.start, 0)
        self.troops = column(lambda t: t.troops, [0] * N_TROOPS)


_parts = Terms([quest.parts for quest in _quests], MAX_PARTS)
PART, PART_WHAT, PART_FACE, PART_COUNT = _parts.word, _parts.what, _parts.face, _parts.count
PART_PLACE_KIND, PART_PLACE, PART_START = _parts.place_kind, _parts.place, _parts.start
_effects = Terms(
    [row["threat" if row["deck"] == Deck.THREAT else "reward"] for row in _ROWS], MAX_EFFECTS
)
_setups = Terms([row.get("setup", []) for row in _ROWS], MAX_EFFECTS)
_both = [
    np.concatenate([getattr(_setups, name), getattr(_effects, name)], axis=1)
    for name in ("word", "what", "face", "count", "place_kind", "place", "troops")
]
EFFECT, EFFECT_WHAT, EFFECT_FACE, EFFECT_COUNT = (_frozen(a) for a in _both[:4])
EFFECT_PLACE_KIND, EFFECT_PLACE, EFFECT_TROOPS = (_frozen(a) for a in _both[4:])
SETUP_EFFECTS = MAX_EFFECTS
"""Columns of EFFECT below this are set-up, those from here on reward or threat."""

CARD_TROOPS = _frozen(
    [
        next((p.troops for p in quest.parts if p.word == Part.TROOPS), [0] * N_TROOPS)
        for quest in _quests
    ]
)
TROPHY = _frozen(
    [next((p.what for p in quest.parts if p.word == Part.TROPHY), NONE) for quest in _quests]
)

_heroes = PACK.table(
    "heroes.csv",
    {
        "hero": one_of([h.name.lower() for h in board.HEROES]),
        "name": text,
        "start": one_of(list(MAP.places)),
        "battle": integer(1, 4),
        "craft": integer(1, 4),
        "speed": integer(1, 4),
        "health": integer(1, 6),
        "ability": one_of(ABILITIES),
        "ability_source": _named,
    },
)
PACK.expect("heroes.csv", "order of heroes", [h["hero"] for h in _heroes], list(range(N_HEROES)))
_place_list: list[Place] = list(MAP.places.values())
HERO_NAMES = tuple(h["name"] for h in _heroes)
HERO_START = _frozen([_place_list[h["start"]].index for h in _heroes])
HERO_ATTRIBUTE = _frozen([[h["battle"], h["craft"], h["speed"]] for h in _heroes])
HERO_HEALTH = _frozen([h["health"] for h in _heroes])
HERO_ABILITY = _frozen([h["ability"] for h in _heroes])

_dice = PACK.table(
    "dice.csv",
    {
        "die": one_of([t.name.lower() for t in Troop]),
        **{f"face_{k}": integer(0, 3) for k in range(1, 7)},
    },
)
PACK.expect("dice.csv", "order of dice", [d["die"] for d in _dice], list(range(N_TROOPS)))
RECRUITMENT = _frozen([sorted(d[f"face_{k}"] for k in range(1, 7)) for d in _dice])

_council = PACK.table(
    "council.csv",
    {"position": integer(-4, 4), "step": optional_text, "box": one_of(BOXES)},
)
PACK.expect("council.csv", "order of boxes", [b["box"] for b in _council], list(range(len(Box))))
COUNCIL_STEP = _frozen([int(b["step"] or 7) for b in _council])
PACK.expect("council.csv", "steps", COUNCIL_STEP.tolist(), [3, 3, 4, 4, 5, 5, 6, 6, 7])

_levels = PACK.table(
    "difficulty.csv",
    {
        "level": one_of(LEVELS),
        "removed": integer(0, 8),
        "removed_combined_might": integer(0, 14),
    },
)
REMOVED = _frozen([[r["removed"], r["removed_combined_might"]] for r in _levels])
PACK.expect(
    "difficulty.csv", "cards removed", REMOVED.T.tolist(), [[4, 3, 2, 1, 0], [10, 9, 8, 7, 6]]
)

_equipment = PACK.table(
    "equipment.csv",
    {
        "title": text,
        "book": one_of(BOOKS),
        "copies": integer(1, 6),
        "battle": integer(0, 2),
        "craft": integer(0, 2),
        "speed": integer(0, 2),
        "health": integer(0, 2),
        "use": optional_text,
        "amount": integer(0, 4),
    },
)
PACK.expect("equipment.csv", "uses", tuple(e["use"] for e in _equipment), USES)
for _book, _copies in zip(Book, (22, 2, 2), strict=True):
    PACK.expect(
        "equipment.csv",
        f"number of {BOOKS[_book]} cards",
        sum(e["copies"] for e in _equipment if e["book"] == _book),
        _copies,
    )
_spells = PACK.table(
    "spells.csv", {"spell": text, "effect": optional_text, "amount": integer(0, 6)}
)
PACK.expect("spells.csv", "effects", tuple(e["effect"] for e in _spells), SPELL_EFFECTS)

EQUIPMENT_TITLES = (*(e["title"] for e in _equipment), _spells[Spell.SPELL_BOOK]["spell"])
EQUIPMENT_BOOK = _frozen([e["book"] for e in _equipment])
EQUIPMENT_COPIES = _frozen([e["copies"] for e in _equipment])
EQUIPMENT_BONUS = _frozen(
    [*([e["battle"], e["craft"], e["speed"]] for e in _equipment), [0] * N_ATTRIBUTES]
)
EQUIPMENT_HEALTH = _frozen([*(e["health"] for e in _equipment), 0])
EQUIPMENT_AMOUNT = _frozen([*(e["amount"] for e in _equipment), 0])
SPELL_NAMES = tuple(s["spell"] for s in _spells)
SPELL_AMOUNT = _frozen([s["amount"] for s in _spells])
