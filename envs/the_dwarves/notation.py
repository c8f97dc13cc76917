"""The notation of the quest cards: its words, and the parser that turns a row into numbers.

A quest is one or more parts joined by ``&``, then flags after ``;``::

    check(craft, 5, 1) @ gate I & check(craft, 5, 1) @ gate II; persist

A reward, a threat or a set-up is one or more effects in the same form: ``put(orc 2) @ gate II``.
The spec sheet explains every word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from dwarrow.envs.the_dwarves.words import (
    N_TROOPS,
    Attribute,
    Condition,
    Effect,
    Flag,
    Part,
    PlaceKind,
    Troop,
)

MAX_PARTS = 5
MAX_EFFECTS = 2
MOST_DICE = 7
MOST_MARKERS = 4


class NotationError(ValueError):
    """A cell that does not follow the notation; the message says what is allowed."""


@dataclass(frozen=True)
class Place:
    """Where: any hex that is the place counts."""

    kind: PlaceKind = PlaceKind.ANYWHERE
    index: int = 0


@dataclass
class Term:
    """One part of a quest, or one effect."""

    word: int
    what: int = 0  # an Attribute or a Troop
    face: int = 0
    count: int = 0
    place: Place = Place()
    start: int = 0  # hex where a route begins
    troops: list[int] = field(default_factory=lambda: [0] * N_TROOPS)


@dataclass
class Quest:
    """A whole quest."""

    parts: list[Term] = field(default_factory=list)
    flags: int = 0  # bits of Flag
    together: int = 1  # heroes who must be in the hex of a check
    fewer: int = 0  # heroes who suffice for a meeting of fewer than four


_TERM = re.compile(r"^([a-z_]+)(?:\(([^)]*)\))?(?: @ (.+))?$")

PARTS: dict[str, tuple[Part, tuple[str, ...], bool]] = {
    "check": (Part.CHECK, ("attribute", "face", "dice"), True),
    "plant": (Part.PLANT, ("attribute", "face", "dice"), True),
    "strike": (Part.STRIKE, ("face",), True),
    "health_dice": (Part.HEALTH_DICE, ("face",), False),
    "go": (Part.GO, (), True),
    "route": (Part.ROUTE, ("start",), True),
    "meet": (Part.MEET, ("heroes",), True),
    "troops": (Part.TROOPS, ("troops",), True),
    "trophy": (Part.TROPHY, ("troop", "number"), False),
    "council": (Part.COUNCIL, ("step",), False),
    "clear": (Part.CLEAR, (), True),
    "carry": (Part.CARRY, ("markers",), True),
}
"""Quest word -> its number, its arguments, whether it may name a place."""

EFFECTS: dict[str, tuple[Effect, tuple[str, ...], bool]] = {
    "equip": (Effect.EQUIP, ("number",), False),
    "equip_both": (Effect.EQUIP_BOTH, ("number",), False),
    "pick_equipment": (Effect.PICK_EQUIPMENT, ("pick",), False),
    "search_equipment": (Effect.SEARCH_EQUIPMENT, (), False),
    "heal": (Effect.HEAL, ("number",), False),
    "heal_both": (Effect.HEAL_BOTH, ("number",), False),
    "max_health": (Effect.MAX_HEALTH, (), False),
    "attribute": (Effect.ATTRIBUTE, ("attribute", "number", "who"), False),
    "council": (Effect.COUNCIL, ("step",), False),
    "doom": (Effect.DOOM, ("step",), False),
    "tunnel": (Effect.TUNNEL, (), False),
    "remove_tunnel": (Effect.REMOVE_TUNNEL, (), False),
    "skip_hero_marker": (Effect.SKIP_HERO_MARKER, (), False),
    "ponies": (Effect.PONIES, (), False),
    "remove": (Effect.REMOVE, ("troop", "number"), False),
    "clear_hex": (Effect.CLEAR_HEX, (), False),
    "relocate": (Effect.RELOCATE, (), False),
    "lose": (Effect.LOSE, ("number",), False),
    "lose_per_hero": (Effect.LOSE_PER_HERO, ("number",), False),
    "lose_attached": (Effect.LOSE_ATTACHED, ("number",), False),
    "lose_nearest": (Effect.LOSE_NEAREST, ("number",), True),
    "spoil_equipment": (Effect.SPOIL_EQUIPMENT, (), False),
    "release": (Effect.RELEASE, (), False),
    "put": (Effect.PUT, ("troops",), True),
    "recruit": (Effect.RECRUIT, (), True),
    "recruit_elfar": (Effect.RECRUIT_ELFAR, (), True),
    "perish": (Effect.PERISH, (), True),
    "perish_with": (Effect.PERISH_WITH, ("troop",), False),
    "perish_around": (Effect.PERISH_AROUND, (), False),
    "blight": (Effect.BLIGHT, (), False),
    "markers": (Effect.MARKERS, ("markers",), False),
    "lay": (Effect.LAY, ("markers",), True),
    "assemble": (Effect.ASSEMBLE, (), True),
    "engulf": (Effect.ENGULF, ("troops",), True),
    "attach": (Effect.ATTACH, ("whom",), True),
}
"""Effect word -> its number, its arguments, whether it names a place."""

FLAGS: dict[str, Flag] = {
    "persist": Flag.PERSIST,
    "in order": Flag.IN_ORDER,
    "repeat": Flag.REPEAT,
    "clear": Flag.CLEAR,
    "backlash": Flag.BACKLASH,
    "restore": Flag.RESTORE,
    "side by side": Flag.SIDE_BY_SIDE,
    "carry over": Flag.CARRY_OVER,
    "solo go": Flag.SOLO_GO,
    "attached": Flag.ATTACHED,
}

_RANGES = {
    "face": (2, 6),
    "dice": (1, MOST_DICE),
    "heroes": (1, 6),
    "number": (1, 20),
    "step": (-4, 4),
    "markers": (1, MOST_MARKERS),
    "pick": (1, 3),
}

_CONDITIONS = {
    ("perished", "<"): Condition.PERISHED_BELOW,
    ("perished", ">="): Condition.PERISHED_FROM,
    ("elfar", ">="): Condition.ELFAR_FROM,
}


def parse_condition(cell: str) -> tuple[Condition, int]:
    """Read when a level C card may stay: ``perished < 15``, ``elfar >= 1`` or nothing."""
    if not cell:
        return Condition.ALWAYS, 0
    words = cell.split()
    if len(words) != 3 or (words[0], words[1]) not in _CONDITIONS or not words[2].isdigit():
        raise NotationError("'perished < N', 'perished >= N', 'elfar >= N' or nothing")
    return _CONDITIONS[words[0], words[1]], int(words[2])


def parse_quest(cell: str, places: Mapping[str, Place]) -> Quest:
    """Read a quest; an empty cell is no quest.

    Raises:
        NotationError: an unknown word, place or flag, a wrong number of arguments, out of range.
    """
    quest = Quest()
    if not cell:
        return quest
    body, *flags = (piece.strip() for piece in cell.split(";"))
    quest.parts = [_term(text, PARTS, places) for text in _split(body)]
    if len(quest.parts) > MAX_PARTS:
        raise NotationError(f"at most {MAX_PARTS} parts")
    if any(part.word == Part.ROUTE and not _one_hex(part) for part in quest.parts):
        raise NotationError("a route that ends at one hex")
    for flag in flags:
        name, _, number = flag.rpartition(" ")
        if flag in FLAGS:
            quest.flags |= FLAGS[flag]
        elif name == "together":
            quest.together = _number(number, 2, 6)
        elif name == "fewer":
            quest.fewer = _number(number, 1, 6)
        else:
            raise NotationError(f"flags among {[*FLAGS, 'together N', 'fewer N']}, not {flag!r}")
    return quest


def parse_effects(cell: str, places: Mapping[str, Place]) -> list[Term]:
    """Read a reward, a threat or a set-up; an empty cell has no effect.

    Raises:
        NotationError: as `parse_quest`.
    """
    terms = [_term(text, EFFECTS, places) for text in _split(cell)] if cell else []
    if len(terms) > MAX_EFFECTS:
        raise NotationError(f"at most {MAX_EFFECTS} effects")
    for term in terms:
        if term.place.kind not in (
            PlaceKind.ANYWHERE,
            PlaceKind.HEX,
            PlaceKind.PORTAL,
            PlaceKind.MARKED_GATE,
        ):
            raise NotationError("an effect at one hex")
    return terms


def _one_hex(part: Term) -> bool:
    return part.place.kind == PlaceKind.HEX


def _split(body: str) -> list[str]:
    return [text.strip() for text in body.split("&")]


def _term(
    text: str,
    words: Mapping[str, tuple[Part | Effect, tuple[str, ...], bool]],
    places: Mapping[str, Place],
) -> Term:
    match = _TERM.match(text)
    if match is None or match[1] not in words:
        raise NotationError(f"words among {list(words)}, not {text!r}")
    number, wanted, may_name_place = words[match[1]]
    term = Term(int(number))
    if match[3]:
        if not may_name_place or match[3] not in places:
            allowed = list(places) if may_name_place else "none here"
            raise NotationError(f"a place among {allowed}, not {match[3]!r}")
        term.place = places[match[3]]
    arguments = [a.strip() for a in match[2].split(",")] if match[2] else []
    if wanted == ("troops",):
        term.troops = _troops(arguments)
        term.count = sum(term.troops)
        return term
    if len(arguments) != len(wanted):
        raise NotationError(f"{match[1]}({', '.join(wanted)}), not {text!r}")
    for name, argument in zip(wanted, arguments, strict=True):
        _argument(term, name, argument, places)
    return term


def _argument(term: Term, name: str, argument: str, places: Mapping[str, Place]) -> None:
    if name == "attribute":
        term.what = _word(argument, Attribute)
    elif name == "troop":
        term.what = _word(argument, Troop)
    elif name == "start":
        if argument not in places or places[argument].kind != PlaceKind.HEX:
            raise NotationError(f"a place of one hex where the route begins, not {argument!r}")
        term.start = places[argument].index
    elif name == "who":
        term.face = _choice(argument, ("self", "any"))
    elif name == "whom":
        term.face = _choice(argument, ("active", "nearest"))
    elif name == "face":
        term.face = _number(argument, *_RANGES["face"])
    else:
        term.count = _number(argument, *_RANGES[name])


def _troops(arguments: list[str]) -> list[int]:
    troops = [0] * N_TROOPS
    for argument in arguments:
        name, _, number = argument.partition(" ")
        troops[_word(name, Troop)] += _number(number, 1, 20)
    return troops


def _word(text: str, words: type[IntEnum]) -> int:
    names = {w.name.lower(): int(w) for w in words}
    if text not in names:
        raise NotationError(f"one of {list(names)}, not {text!r}")
    return names[text]


def _choice(text: str, names: tuple[str, ...]) -> int:
    if text not in names:
        raise NotationError(f"one of {list(names)}, not {text!r}")
    return names.index(text)


def _number(text: str, low: int, high: int) -> int:
    if not text.lstrip("-").isdigit() or not low <= int(text) <= high:
        raise NotationError(f"a whole number from {low} to {high}, not {text!r}")
    return int(text)
