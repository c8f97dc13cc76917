"""Names, sizes, the options and the record of one game.

The board is a window of 17 x 17 cells, columns A to Q from west to east, rows 1 to 17 from north to
south; the first tile lies in its middle, I9. A cell's number is ``17 * row + column``::

         A    B   ...   Q
     1   0    1   ...  16
     2  17   18   ...  33
    ..
    17 272  273   ... 288

Tile ``9 * seat + kind`` is the kind of tile of the king in that seat, so a tile's number names its
owner too.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Any

import numpy as np

from dwarrow.envs.core.options import Options, option
from dwarrow.envs.core.record import Counted, Header, Ints, Keys, Names
from dwarrow.envs.dwar7s_fall.cards import (
    DWARFS,
    GOAL_NAMES,
    KINDS,
    N_OGRE_CARDS,
    N_TRADING_GOALS,
)

MAX_SEATS = 4
WIDTH = 17
N_CELLS = WIDTH * WIDTH
MIDDLE = N_CELLS // 2
N_SIDES = 4
N_KINDS = len(KINDS)
N_TILES = N_KINDS * MAX_SEATS
N_GEMS, N_OGRES, N_SECRETS, N_STACKS = 4, 5, 7, 3
N_ROW = 3
"""Trading goals on offer."""
BASE_ACTIONS = 3
HAND_LIMIT = 9
GOALS_TO_END = 3
MAX_DWARFS = DWARFS
MAX_CAP = 40


class Colour(IntEnum):
    """The kings, by seat."""

    BLUE = 0
    RED = 1
    GREEN = 2
    YELLOW = 3


class Kind(IntEnum):
    """The nine kingdom tiles of each king."""

    CASTLE = 0
    EMERALD_MINE = 1
    DIAMOND_MINE = 2
    GOLD_MINE = 3
    RUBY_MINE = 4
    TAVERN = 5
    GENERAL_STORE = 6
    FIRE_DRAGON = 7
    FROST_GIANT = 8


class Stack(IntEnum):
    """The types of tile: only like goes on like."""

    CASTLE = 0
    MINE = 1
    INN = 2


class Side(IntEnum):
    """The sides of a cell; also where the top of a turned card points to."""

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3


class Gem(IntEnum):
    """The gem cards."""

    GOLD = 0
    EMERALD = 1
    DIAMOND = 2
    RUBY = 3


class Ogre(IntEnum):
    """The ogre cards."""

    AMBUSH = 0
    BRUTE = 1
    THIEF = 2
    PANIC = 3
    CROWN = 4


class Secret(IntEnum):
    """The secret goals."""

    KINGDOM_TILES = 0
    KINGDOM_POINTS = 1
    EMERALDS = 2
    DWARF_TRIOS = 3
    GEM_OF_EVERY_KIND = 4
    MONSTERS_BEATEN = 5
    OGRES_IN_HAND = 6


class Place(IntEnum):
    """Where a tile is."""

    HAND = 0
    BOARD = 1
    BEATEN = 2  # a monster, kept by the king who defeated it
    BOX = 3  # of a colour that nobody plays


class Phase(IntEnum):
    """What is being asked."""

    ACT = 0  # an action, an ogre card, the secret goal, or the end of the actions
    TILE_CELL = 1
    TILE_TURN = 2
    MOVE_FROM = 3
    MOVE_TO = 4
    AMBUSH_CELL = 5
    BRUTE_CELL = 6
    BRUTE_KING = 7
    BRUTE_OWN = 8
    PANIC_CELL = 9
    PANIC_KING = 10
    PANIC_TO = 11
    THIEF_KING = 12
    CROWN_KING = 13
    RESOLVE = 14  # which finished task next
    DIG = 15
    TRADE = 16
    SHOW = 17  # the secret goal, between Resolve and Discard
    DISCARD = 18
    WINDOW = 19  # another king may reveal (option reveal_interrupt)
    OVER = 20


N_PHASES = len(Phase)

TILE_NAMES = tuple(f"{c.name.lower()}_{kind}" for c in Colour for kind in KINDS)
CELL_NAMES = tuple(f"{'ABCDEFGHIJKLMNOPQ'[k % WIDTH]}{k // WIDTH + 1}" for k in range(N_CELLS))


def _neighbour(cell: int, side: int) -> int:
    row, column = divmod(cell, WIDTH)
    row += (-1, 0, 1, 0)[side]
    column += (0, 1, 0, -1)[side]
    inside = 0 <= row < WIDTH and 0 <= column < WIDTH
    return row * WIDTH + column if inside else -1


NEIGHBOUR = np.array(
    [[_neighbour(c, side) for side in range(N_SIDES)] for c in range(N_CELLS)], np.int16
)
"""The cell on each side of a cell [cell, side], NONE outside the window."""


class Tile:
    """One kingdom tile."""

    place: Annotated[int, np.int16, Names(Place)]
    cell: Annotated[int, np.int16, Names(CELL_NAMES)]  # NONE unless on the board
    level: Annotated[int, np.int16]  # 0 on the ground, 1 on top of that, ...
    turned: Annotated[int, np.int16, Names(Side)]  # where its top points to
    region: Annotated[int, np.int16, Names(TILE_NAMES)]  # its first tile; NONE unless uppermost
    beaten_by: Annotated[int, np.int16, Names(Colour)]
    resolved: Annotated[int, np.int16]  # 1 once its task was resolved this turn
    dwarfs: Annotated[Ints, np.int16, MAX_SEATS, Keys(Colour)]


class Player:
    """One king's things."""

    pile: Annotated[int, np.int16]  # dwarfs that are not on the board
    gems: Annotated[Ints, np.int16, N_GEMS, Keys(Gem)]
    ogres: Annotated[Ints, np.int16, N_OGRES, Keys(Ogre)]
    secret: Annotated[int, np.int16, Names(Secret)]
    revealed: Annotated[int, np.int16]  # 1 once the secret goal lies open
    goals: Annotated[Ints, np.int16, N_TRADING_GOALS, Keys(GOAL_NAMES)]  # 1 if traded for
    # What this king can tell of the others' hands: at least so many of each kind.
    known_gems: Annotated[Ints, np.int16, MAX_SEATS, N_GEMS, Keys(Gem)]
    known_ogres: Annotated[Ints, np.int16, MAX_SEATS, N_OGRES, Keys(Ogre)]


class Chosen:
    """The parts of a choice that is being made, NONE where nothing is chosen yet."""

    kind: Annotated[int, np.int16, Names(Kind)]
    cell: Annotated[int, np.int16, Names(CELL_NAMES)]
    king: Annotated[int, np.int16, Names(Colour)]


@dataclass(frozen=True)
class FallOptions(Options):
    """How to play.

    Attributes:
        players: kings at the table.
        monster_stack_only: 1: monsters may not be laid on the ground.
        monster_guards: how far a monster keeps tiles of its type from being stacked or dug.
        giant_takes: what a frost giant takes action and kingdom from: the castle that it lies on,
            or every castle of its region.
        reveal_interrupt: 1: secret goals may be revealed in other kings' turns too.
        cap: turns of each king after which the game ends in any case.
    """

    players: int = option(2, range(2, MAX_SEATS + 1), "kings at the table")
    monster_stack_only: int = option(0, (0, 1), "1: monsters only on top of their own type")
    monster_guards: str = option("region", ("region", "stack"), "reach of the ban on stack and dig")
    giant_takes: str = option("castle", ("castle", "region"), "castles that lose their benefits")
    reveal_interrupt: int = option(0, (0, 1), "1: reveal in other kings' turns too")
    cap: int = option(30, (5, 10, 20, 30, MAX_CAP), "turns of each king before the game is scored")


class Choices:
    """`FallOptions` in the record."""

    players: Annotated[int, np.int16]
    monster_stack_only: Annotated[int, np.int16]
    monster_guards: Annotated[int, np.int16, Names(("region", "stack"))]
    giant_takes: Annotated[int, np.int16, Names(("castle", "region"))]
    reveal_interrupt: Annotated[int, np.int16]
    cap: Annotated[int, np.int16]


class Guards(IntEnum):
    """Values of the option monster_guards."""

    REGION = 0
    STACK = 1


class Takes(IntEnum):
    """Values of the option giant_takes."""

    CASTLE = 0
    REGION = 1


class State(Header):
    """One game."""

    phase: Annotated[int, np.int16, Names(Phase)]
    options: Annotated[Choices, Choices]
    active: Annotated[int, np.int16, Names(Colour)]  # whose turn it is; `seat` is who is asked
    turn: Annotated[int, np.int16]  # rounds begun, from 1
    used: Annotated[int, np.int16]  # actions taken this turn
    tasks: Annotated[int, np.int16]  # tasks resolved this turn
    last_round: Annotated[int, np.int16]  # 1 once a king has ended a turn with three goals
    resume: Annotated[int, np.int16, Names(Phase)]  # what a window interrupts, else NONE
    chosen: Annotated[Chosen, Chosen]
    tiles: Annotated[Any, Tile, N_TILES, Keys(TILE_NAMES)]
    top: Annotated[Ints, np.int16, N_CELLS, Names(TILE_NAMES), Keys(CELL_NAMES)]  # uppermost tiles
    players: Annotated[Any, Player, MAX_SEATS, Counted("n_seats")]
    gem_piles: Annotated[Ints, np.int16, N_GEMS, Keys(Gem)]
    ogre_deck: Annotated[Ints, np.int16, N_OGRE_CARDS, Names(Ogre), Counted("ogre_deck_size")]
    ogre_deck_size: Annotated[int, np.int16]  # the last card is the next
    ogre_discard: Annotated[Ints, np.int16, N_OGRES, Keys(Ogre)]
    goal_deck: Annotated[Ints, np.int16, N_TRADING_GOALS, Names(GOAL_NAMES), Counted("goals_left")]
    goals_left: Annotated[int, np.int16]  # the last card is the next
    goal_row: Annotated[Ints, np.int16, N_ROW, Names(GOAL_NAMES)]  # on offer, NONE once run out
