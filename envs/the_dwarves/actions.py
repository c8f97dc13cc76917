"""Action number <-> name; the only place that knows the numbering.

Every decision of the game is one action out of this list; the phase says which can be legal.
"""

from __future__ import annotations

from typing import Final

from dwarrow.envs.the_dwarves.board import DIRECTIONS, N_DIRECTIONS
from dwarrow.envs.the_dwarves.cards import EQUIPMENT_TITLES, MAP, SPELL_NAMES
from dwarrow.envs.the_dwarves.layout import HERO_IDS, N_SLOTS
from dwarrow.envs.the_dwarves.notation import MAX_PARTS, MOST_DICE
from dwarrow.envs.the_dwarves.words import Attribute, Troop

SLOT_NAMES = ("display 1", "display 2", "display 3", "scenario")
TROOP_NAMES = tuple(t.name.lower() for t in Troop)
PLACES = ("here", *(f"on {slot}" for slot in SLOT_NAMES), *(f"to the {d}" for d in DIRECTIONS))
N_PLACES: Final = 1 + N_SLOTS + N_DIRECTIONS
HERE, ON_SLOT, BESIDE = 0, 1, 1 + N_SLOTS

_names: list[str] = []


def _family(*names: str) -> int:
    start = len(_names)
    _names.extend(names)
    return start


PASS: Final = _family("pass")
MOVE: Final = _family("move")
FIGHT: Final = _family("fight")
DISPATCHES: Final = _family("send dispatches")
DRAW_EQUIPMENT: Final = _family("check for equipment")
DRAW_SPELL: Final = _family("draw a spell")
QUEST: Final = _family(
    *(f"quest {slot} part {p + 1}" for slot in SLOT_NAMES for p in range(MAX_PARTS))
)
"""A check for one part of a card; also the dice of cards that ask for other rolls."""
CHECK: Final = _family(*(f"check {a.name.lower()}" for a in Attribute))
"""A check whose card is named after the roll."""
HEX: Final = _family(*(f"hex {q} {r}" for q, r in MAP.axial.tolist()))
HERO: Final = _family(*(f"hero {name}" for name in HERO_IDS))
REROLL: Final = _family(*(f"re-roll die {k + 1}" for k in range(MOST_DICE)))
INCREASE: Final = _family(*(f"increase die {k + 1}" for k in range(MOST_DICE)))
SET_SIX: Final = _family(*(f"set die {k + 1} to 6" for k in range(MOST_DICE)))
REPEAT: Final = _family(*(f"repeat die {k + 1} with the mirror" for k in range(MOST_DICE)))
PICK_DIE: Final = _family(*(f"pick die {k + 1}" for k in range(MOST_DICE)))
REROLL_ALL: Final = _family("re-roll all dice")
REROLL_SPEED: Final = _family("re-roll speed dice")
DEFEAT: Final = _family(*(f"defeat {t} {place}" for place in PLACES for t in TROOP_NAMES))
TROOP: Final = _family(*(f"choose {t}" for t in TROOP_NAMES))
SLOT: Final = _family(*(f"choose {slot}" for slot in SLOT_NAMES))
USE: Final = _family(*(f"use {title}" for title in EQUIPMENT_TITLES))
TAKE: Final = _family(*(f"choose {title}" for title in EQUIPMENT_TITLES))
CAST: Final = _family(*(f"cast {spell}" for spell in SPELL_NAMES))
RETURN: Final = _family(*(f"return {spell}" for spell in SPELL_NAMES))
LOSE_HEALTH: Final = _family("lose health")
ADVANCE_DOOM: Final = _family("advance doom")
TAKE_ONE: Final = _family("take 1 damage")
TAKE_TWO: Final = _family("take 2 damage")
PICK_UP: Final = _family("pick up marker")
PUT_DOWN: Final = _family("put down marker")

ACTION_NAMES: Final = tuple(_names)
N_ACTIONS: Final = len(ACTION_NAMES)
