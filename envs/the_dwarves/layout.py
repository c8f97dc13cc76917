"""Sizes, enums, options and the State record of The Dwarves."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Any, Final, Self

import numpy as np

from dwarrow.envs.core.options import Options, option
from dwarrow.envs.core.record import Counted, Header, Ints, Keys, Names
from dwarrow.envs.the_dwarves.board import N_HEXES, N_SPACES, N_TILES
from dwarrow.envs.the_dwarves.cards import (
    BOXES,
    CARD_TITLES,
    EQUIPMENT_COPIES,
    EQUIPMENT_TITLES,
    LEVELS,
    N_CARDS,
    SPELL_NAMES,
)
from dwarrow.envs.the_dwarves.notation import MAX_PARTS, MOST_DICE, MOST_MARKERS
from dwarrow.envs.the_dwarves.words import (
    N_ATTRIBUTES,
    N_EQUIPMENT,
    N_SPELLS,
    N_TROOPS,
    Attribute,
    Hero,
    Troop,
)

MAX_SEATS = 6  # Health markers in the box
N_DISPLAY = 3  # Adventure and Threat cards on the small board
# Helpers are compiled once for each literal they are given, but once for all NumPy integers.
SCENARIO: Final[int] = np.int64(N_DISPLAY)  # type: ignore[assignment]  # slot of the Scenario
NIL: Final[int] = np.int64(0)  # type: ignore[assignment]
ONE: Final[int] = np.int64(1)  # type: ignore[assignment]
N_SLOTS = N_DISPLAY + 1
ACTIONS_PER_TURN = 2
OVERRUN = 5  # troops that turn a hex into Perished Land, or empty Blacksaddle
SUPPLY = (30, 25, 20)  # troops of each kind, by Troop
HEALTH_TILES = 6  # Increased Health tiles in the box
FIRST_THREATS = 3  # Threat cards in the first Adventure deck
MORE_THREATS = 2  # Threat cards that a threat icon adds
DOOM_START = N_SPACES + 1
HAND_LIMIT = 3
N_EQUIPMENT_CARDS = int(EQUIPMENT_COPIES.sum())
BLIND = 0  # face of a die that is not thrown yet

MAX_DEPTH = 32
"""Frames at once. Each card that could interrupt an interruption is spent by it, so that no more
than three frames for each of the at most eleven such cards come on top of the deepest rule."""

MAX_TURNS = 48
"""Bound of the turns T: each moves the Hero marker but for a Forced March, which comes up once in
the at least 27 Adventures dealt between two reshuffles, of at most three a turn."""

MAX_DECISIONS = 15_000
"""Bound of a game: ``tests/the_dwarves/test_length.py`` adds up what turns, actions and cards can
ask, less than 14,000 questions. Random games and players' games stay below a twentieth of it."""


class Phase(IntEnum):
    """The question being asked."""

    RUN = 0  # none yet: the rules go on by themselves
    ACTION = 1
    STEP = 2
    PENALTY = 3
    PREPARE = 4
    DICE = 5
    SELECT = 6
    ASSIGN = 7
    ALLOCATE = 8
    EXTRA_TROOP = 9
    TROPHY = 10
    WINDOW = 11
    DRUMS = 12
    HERO = 13
    HEX = 14
    TROOP = 15
    THREAT = 16
    DISCARD_THREAT = 17
    EQUIPMENT = 18
    SHIELD = 19
    DISGUISE = 20
    SPELLS = 21
    OVER = 22


class Rule(IntEnum):
    """What a frame of the stack is doing."""

    TURN = 0
    WINDOW = 1
    REVEAL = 2
    THREAT = 3
    COMPLETE = 4
    ROLL = 5
    MOVE = 6
    PENALTY = 7
    FIGHT = 8
    TROPHY = 9
    RECRUIT = 10
    LOSE = 11
    SPLIT = 12
    HERO = 13
    HEX = 14
    TROOP = 15
    EQUIP = 16
    PICK = 17
    SPOIL = 18
    SPELLS = 19
    SELECT = 20
    ASSIGN = 21


class Turn(IntEnum):
    """Stages of a turn."""

    BEGIN = 0
    COUNCIL = 1
    POISON = 2
    ADVANCE = 3
    REVEAL = 4
    START_ACTIONS = 5
    ACTIONS = 6


class Purpose(IntEnum):
    """What a roll of Number dice is for."""

    MOVE = 0
    FIGHT = 1
    DISPATCHES = 2
    CHECK = 3
    EQUIPMENT = 4
    HEALTH = 5
    STRIKE = 6


class Used(IntEnum):
    """What a roll has already had, as bits."""

    COUNCIL = 1
    INCREASE = 2
    ALL = 4
    SPEED = 8


class Why(IntEnum):
    """Why a hero is chosen."""

    LOSE = 0
    POINT = 1
    HEAL = 2
    GIVE = 3
    ATTRIBUTE = 4
    MAX_HEALTH = 5
    ATTACH = 6
    WARMTH = 7
    TELEPORT = 8
    EXCHANGE = 9
    EXCHANGE_WITH = 10
    SPOIL = 11
    EQUIP = 12
    LOSE_TWO = 13


class Where(IntEnum):
    """Why a hex is chosen."""

    TUNNEL = 0
    TAKE_FOR_CARD = 1
    TAKE_FOR_HEX = 2
    REMOVE = 3
    REMOVE_UP_TO = 4
    RELOCATE = 5
    TELEPORT = 6
    BLIGHT = 7


class Ends(IntEnum):
    """What becomes of the troops on recruitment dice, and why a die is chosen."""

    TO_HEX = 0
    TO_CARD = 1
    REMOVE = 2


class End(IntEnum):
    """Why the game ended."""

    NOT_YET = 0
    WON = 1
    MARKERS_MET = 2
    HERO_DIED = 3
    NO_FINALE = 4


FINALES = ("portal", "all")
NAME_CARD = ("before", "after")


class Choices:
    """The options of this game, as the record keeps them."""

    players: Annotated[int, np.int16]
    heroes: Annotated[Ints, np.int16, MAX_SEATS, Names(Hero), Counted("n_heroes")]
    n_heroes: Annotated[int, np.int16]
    difficulty: Annotated[int, np.int16, Names(LEVELS)]
    elfar: Annotated[int, np.int16]
    combined_might: Annotated[int, np.int16]
    finales: Annotated[int, np.int16, Names(FINALES)]
    name_card: Annotated[int, np.int16, Names(NAME_CARD)]
    nodonn_abilities: Annotated[int, np.int16]
    keep_initial_adventures: Annotated[int, np.int16]


HERO_IDS = tuple(hero.name.lower() for hero in Hero)


@dataclass(frozen=True)
class DwarvesOptions(Options):
    """Options of The Dwarves; ruling flags are explained in the spec sheet."""

    players: int = option(2, range(1, MAX_SEATS + 1), "heroes; their Health markers are six")
    heroes: tuple[str, ...] = option((), None, "who they are, in turn order; else drawn")
    difficulty: str = option("easy", LEVELS, "level of difficulty")
    elfar: bool = option(False, (False, True), "with the Elfar expansion")
    combined_might: bool = option(False, (False, True), "with the Combined Might expansion")
    finales: str = option("portal", FINALES, "level C cards when both expansions are in play")
    name_card: str = option("before", NAME_CARD, "when a check names its card")
    nodonn_abilities: bool = option(
        True, (True, False), "abilities of a fight count against Nod'onn"
    )
    keep_initial_adventures: bool = option(
        True, (True, False), "the first reveal discards no Adventure"
    )

    def __post_init__(self) -> None:
        """Check the options, and the heroes against their number.

        Raises:
            ValueError: as `Options`; an unknown hero, one named twice, a wrong number of them.
        """
        super().__post_init__()
        for hero in self.heroes:
            if hero not in HERO_IDS:
                raise ValueError(f"option heroes: {hero!r} is no hero: there are {list(HERO_IDS)}")
            if self.heroes.count(hero) > 1:
                raise ValueError(f"option heroes: {hero!r} is there twice")
        if self.heroes and len(self.heroes) != self.players:
            raise ValueError(
                f"option heroes={self.heroes!r}: {len(self.heroes)} heroes, but players="
                f"{self.players}"
            )

    @classmethod
    def parse(cls, values: dict[str, Any]) -> Self:
        """Build options; `players` follows from `heroes` unless it is given.

        Raises:
            ValueError: as above; more heroes than Health markers; `heroes` is not a list of names.
        """
        values = dict(values)
        heroes = values.get("heroes", ())
        if not isinstance(heroes, list | tuple):
            raise ValueError(f"option heroes={heroes!r}: a list of names among {list(HERO_IDS)}")
        if len(heroes) > MAX_SEATS:
            raise ValueError(
                f"option heroes: {len(heroes)} heroes, but there are {MAX_SEATS} Health markers"
            )
        if heroes and "players" not in values:
            values["players"] = len(heroes)
        return super().parse(values)


class Frame:
    """One rule at work; what stage and numbers mean is said where the rule stands."""

    rule: Annotated[int, np.int16, Names(Rule)]
    stage: Annotated[int, np.int16]
    seat: Annotated[int, np.int16]
    a: Annotated[int, np.int16]
    b: Annotated[int, np.int16]
    c: Annotated[int, np.int16]
    d: Annotated[int, np.int16]


class Slot:
    """A faceup card: three on the display, and the Scenario card."""

    card: Annotated[int, np.int16, Names(CARD_TITLES)]
    troops: Annotated[Ints, np.int16, N_TROOPS, Keys(Troop)]  # lying on the card
    trophies: Annotated[int, np.int16]  # defeated troops of the kind the card collects
    markers: Annotated[int, np.int16]  # Scenario markers on the card
    attached: Annotated[int, np.int16]  # seat of the hero it lies with, or NONE
    hits: Annotated[Ints, np.int16, MAX_PARTS]  # successes that count now
    carried_over: Annotated[int, np.int16]  # successes of the turn before
    done: Annotated[Ints, np.int16, MAX_PARTS]  # 1 when a part was done
    journey: Annotated[Ints, np.int16, MAX_SEATS]  # 1 while a hero is on the route
    stood: Annotated[Ints, np.int16, MAX_SEATS]  # 1 when a hero succeeded this round


class Player:
    """One hero."""

    hero: Annotated[int, np.int16, Names(Hero)]
    hex: Annotated[int, np.int16]
    health: Annotated[int, np.int16]
    health_tiles: Annotated[int, np.int16]  # Increased Health tiles
    bonus: Annotated[Ints, np.int16, N_ATTRIBUTES, Keys(Attribute)]  # tiles on attributes
    equipment: Annotated[Ints, np.int16, N_EQUIPMENT, Keys(EQUIPMENT_TITLES)]  # 1 if owned
    carries: Annotated[int, np.int16]  # 1 while carrying a marker
    dropped: Annotated[int, np.int16]  # 1 after putting one down this turn
    pony: Annotated[int, np.int16]  # 1: one more die on the next Move


class State(Header):
    """A whole game. Decks have their top card last."""

    phase: Annotated[int, np.int16, Names(Phase)]
    options: Annotated[Choices, Choices]
    active: Annotated[int, np.int16]  # whose turn it is
    turn: Annotated[int, np.int16]
    actions_left: Annotated[int, np.int16]
    horn_blown: Annotated[int, np.int16]  # 1 once a War Horn was blown this turn
    hero_marker: Annotated[int, np.int16]  # space of the Doom track
    doom_marker: Annotated[int, np.int16]
    skip_hero_marker: Annotated[int, np.int16]  # 1: the next turn does not advance it
    council: Annotated[int, np.int16, Names(BOXES)]
    troops: Annotated[Ints, np.int16, N_HEXES, N_TROOPS, Keys(Troop)]
    supply: Annotated[Ints, np.int16, N_TROOPS, Keys(Troop)]
    tile: Annotated[Ints, np.int16, N_HEXES, Names(range(1, N_TILES + 1))]  # Perished Land
    tunnel: Annotated[int, np.int16]  # hex of the Tunnel or Portal tile, or NONE
    marker_hex: Annotated[Ints, np.int16, MOST_MARKERS]  # Scenario markers on the map, or NONE
    delivered: Annotated[int, np.int16]  # markers carried home
    slots: Annotated[Any, Slot, N_SLOTS]
    players: Annotated[Any, Player, MAX_SEATS, Counted("n_seats")]
    hand: Annotated[Ints, np.int16, N_SPELLS, Keys(SPELL_NAMES)]  # Andokai's
    tile_pile: Annotated[Ints, np.int16, N_TILES, Names(range(1, N_TILES + 1)), Counted("n_pile")]
    n_pile: Annotated[int, np.int16]
    scenario_deck: Annotated[Ints, np.int16, N_CARDS, Names(CARD_TITLES), Counted("n_scenario")]
    n_scenario: Annotated[int, np.int16]
    adventure_deck: Annotated[Ints, np.int16, N_CARDS, Names(CARD_TITLES), Counted("n_adventure")]
    n_adventure: Annotated[int, np.int16]
    threat_deck: Annotated[Ints, np.int16, N_CARDS, Names(CARD_TITLES), Counted("n_threat")]
    n_threat: Annotated[int, np.int16]
    discard: Annotated[Ints, np.int16, N_CARDS, Names(CARD_TITLES), Counted("n_discard")]
    n_discard: Annotated[int, np.int16]
    completed: Annotated[Ints, np.int16, N_CARDS, Names(CARD_TITLES), Counted("n_completed")]
    n_completed: Annotated[int, np.int16]
    face_up: Annotated[Ints, np.int16, N_CARDS]  # 1 once a card was seen
    equipment_deck: Annotated[
        Ints, np.int16, N_EQUIPMENT_CARDS, Names(EQUIPMENT_TITLES), Counted("n_equipment")
    ]
    n_equipment: Annotated[int, np.int16]
    equipment_unseen: Annotated[int, np.int16]  # cards on top whose order nobody knows
    equipment_discard: Annotated[
        Ints, np.int16, N_EQUIPMENT_CARDS, Names(EQUIPMENT_TITLES), Counted("n_spent")
    ]
    n_spent: Annotated[int, np.int16]
    spell_deck: Annotated[Ints, np.int16, N_SPELLS, Names(SPELL_NAMES), Counted("n_spells")]
    n_spells: Annotated[int, np.int16]
    spells_unseen: Annotated[int, np.int16]
    drawn: Annotated[Ints, np.int16, 3, Names(EQUIPMENT_TITLES), Counted("n_drawn")]
    n_drawn: Annotated[int, np.int16]
    stack: Annotated[Any, Frame, MAX_DEPTH, Counted("depth")]
    depth: Annotated[int, np.int16]
    dice: Annotated[Ints, np.int16, MOST_DICE]  # Number dice of the roll, or of the last one
    n_dice: Annotated[int, np.int16]
    purpose: Annotated[int, np.int16, Names(Purpose)]
    need: Annotated[int, np.int16]  # a die that shows less has failed
    used: Annotated[int, np.int16]  # bits of Used
    crossbow: Annotated[int, np.int16]  # 1: the last die is the Crossbow's
    chosen: Annotated[Ints, np.int16, MOST_DICE]  # 1: a die picked to be re-rolled, or spent
    recruited: Annotated[Ints, np.int16, N_TROOPS]  # faces of the Recruitment dice, or NONE
    pledged: Annotated[Ints, np.int16, MAX_SEATS]  # health points shared out among the heroes
    end: Annotated[int, np.int16, Names(End)]
    fallen: Annotated[int, np.int16]  # seat of the hero who died, or NONE
