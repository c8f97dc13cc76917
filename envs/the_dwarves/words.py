"""The words that components and rules share: troops, attributes, the vocabulary of the cards."""

from __future__ import annotations

from enum import IntEnum


class Troop(IntEnum):
    """The Army of Evil."""

    ORC = 0
    TROLL = 1
    ELFAR = 2


class Attribute(IntEnum):
    """What a hero rolls Number dice for."""

    BATTLE = 0
    CRAFT = 1
    SPEED = 2


N_TROOPS = len(Troop)
N_ATTRIBUTES = len(Attribute)


class Deck(IntEnum):
    """The three kinds of quest card."""

    SCENARIO = 0
    ADVENTURE = 1
    THREAT = 2


class Level(IntEnum):
    """Levels of Scenario cards."""

    A = 0
    B = 1
    C = 2


class Book(IntEnum):
    """Where a card comes from."""

    BASE = 0
    ELFAR = 1
    COMBINED_MIGHT = 2


class PlaceKind(IntEnum):
    """What makes a hex the place a card names."""

    ANYWHERE = 0
    HEX = 1
    KINGDOM = 2
    ANY_GATE = 3
    TUNNEL_ENTRANCE = 4
    PORTAL = 5
    PERISHED = 6
    TROOPS = 7
    ATTACHED = 8
    MARKED_GATE = 9


class Part(IntEnum):
    """What a part of a quest asks for."""

    CHECK = 0  # successes in an attribute check
    PLANT = 1  # the same, and each lays a marker here
    STRIKE = 2  # battle dice against the card's markers
    HEALTH_DICE = 3  # as many dice as health, one success
    GO = 4  # enter the place during a Move
    ROUTE = 5  # from the start to the place by Move actions alone
    MEET = 6  # heroes stand at the place
    TROOPS = 7  # no troops are left on the card
    TROPHY = 8  # defeated troops lie on the card, or none of them is on the map
    COUNCIL = 9  # the Council marker stands at this step or further right
    CLEAR = 10  # a hero stands at the place and no troops do
    CARRY = 11  # markers were carried to the place


class Flag(IntEnum):
    """What holds for a whole quest, as bits."""

    PERSIST = 1  # successes stay from turn to turn
    IN_ORDER = 2  # a part opens when those before it are done
    REPEAT = 4  # each success removes a marker; done at none
    CLEAR = 8  # only while no troops stand in the hex
    BACKLASH = 16  # a failed check recruits troops onto the card
    RESTORE = 32  # each success removes the Perished Land tile of the hex
    SIDE_BY_SIDE = 64  # two heroes in one hex, each in the same round
    CARRY_OVER = 128  # successes stay for the next hero's turn
    SOLO_GO = 256  # a lone hero must enter the place
    ATTACHED = 512  # only the hero the card lies with can do it


class Condition(IntEnum):
    """When a level C card may stay."""

    ALWAYS = 0
    PERISHED_BELOW = 1
    PERISHED_FROM = 2
    ELFAR_FROM = 3


class Ongoing(IntEnum):
    """What a faceup Threat does all the time."""

    NOTHING = 0
    HELD = 1
    POISON = 2
    CLOSED_TUNNELS = 3


class Effect(IntEnum):
    """What rewards, threats and set-ups do."""

    EQUIP = 0
    EQUIP_BOTH = 1
    PICK_EQUIPMENT = 2
    SEARCH_EQUIPMENT = 3
    HEAL = 4
    HEAL_BOTH = 5
    MAX_HEALTH = 6
    ATTRIBUTE = 7
    COUNCIL = 8
    DOOM = 9
    TUNNEL = 10
    REMOVE_TUNNEL = 11
    SKIP_HERO_MARKER = 12
    PONIES = 13
    REMOVE = 14
    CLEAR_HEX = 15
    RELOCATE = 16
    LOSE = 17
    LOSE_PER_HERO = 18
    LOSE_ATTACHED = 19
    LOSE_NEAREST = 20
    SPOIL_EQUIPMENT = 21
    RELEASE = 22
    PUT = 23
    RECRUIT = 24
    RECRUIT_ELFAR = 25
    PERISH = 26
    PERISH_WITH = 27
    PERISH_AROUND = 28
    BLIGHT = 29
    MARKERS = 30
    LAY = 31
    ASSEMBLE = 32
    ENGULF = 33
    ATTACH = 34


class Hero(IntEnum):
    """The twelve heroes, in the order of the rows of heroes.csv."""

    TUNGDIL = 0
    BALYNDIS = 1
    BAVRAGOR = 2
    BOENDAL = 3
    BOINDIL = 4
    GANDOGAR = 5
    ANDOKAI = 6
    FURGAS = 7
    RODARIO = 8
    NARMORA = 9
    XAMTYS = 10
    TRUE_TUNGDIL = 11


class Ability(IntEnum):
    """What a hero alone can do; the names are those of heroes.csv."""

    INCREASE_DISPATCHES = 0
    REROLL_CRAFT = 1
    UNHARMED_BY_PERISHED_LAND = 2
    INCREASE_FIGHT = 3
    REROLL_FIGHT = 4
    FIGHT_ADJACENT = 5
    SPELLS = 6
    EARLY_EQUIPMENT = 7
    INCREASE_CHECK = 8
    EXTRA_TROOP = 9
    COUNCIL_ON_ADVENTURE = 10
    REROLL_SPEED = 11


class Equipment(IntEnum):
    """Equipment by title, in the order of equipment.csv; the Spell Book counts as one."""

    BOOTS = 0
    DISGUISE = 1
    SHIELD = 2
    WAR_AXE = 3
    TOOLS = 4
    RING_MAIL = 5
    HERBS = 6
    THROWING_AXES = 7
    RUNE_STONE = 8
    CART_PASS = 9
    WAR_HORN = 10
    SKULL = 11
    CLOAK = 12
    CROSSBOW = 13
    MIRROR = 14
    SPELL_BOOK = 15


class Spell(IntEnum):
    """Andokai's spells, in the order of spells.csv."""

    SPELL_BOOK = 0
    MEND = 1
    WARMTH = 2
    STEP_THROUGH = 3
    EXCHANGE = 4
    GUIDE_THE_HAND = 5
    SECOND_FATE = 6
    GATHER_STRENGTH = 7
    STILL_THE_DRUMS = 8


class Icon(IntEnum):
    """Icons of the Doom track."""

    COUNCIL = 0
    THREATS = 1
    GATE_I = 2
    GATE_II = 3
    GATE_IV = 4
    GATE_V = 5


class Box(IntEnum):
    """Boxes of the Dwarven Council: the marker's step from the axe, plus four."""

    DOOM_ADVANCES = 0
    REROLL_BLANKS = 1
    REROLL_HIGHEST = 2
    LOSE_HEALTH = 3
    AXE = 4
    GAIN_HEALTH = 5
    DISCARD_THREAT = 6
    REROLL_ONE = 7
    EQUIPMENT = 8


N_HEROES = len(Hero)
N_EQUIPMENT = len(Equipment)
N_SPELLS = len(Spell)
N_BOXES = len(Box)
