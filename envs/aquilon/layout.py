"""Phases, sizes, options and the State record of Dwarves of Aquilon."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Any

import numpy as np

from dwarrow.envs.aquilon.cards import (
    COGNARS,
    COINS,
    DWARFS,
    FIRST_GOLD,
    FIRST_MERCENARY,
    N_COGNARS,
    N_GOLD,
    N_MERCENARIES,
    N_ORDERS,
    ORDERS,
)
from dwarrow.envs.core.options import Options, option
from dwarrow.envs.core.record import Counted, Header, Ints, Keys, Names

MIN_SEATS, MAX_SEATS = 2, 5
N_TAVERNS = 3
N_PLACES = 5  # of coins on an individual board: taverns 0, 1, 2, then two in the purse
PURSE = 3  # first of the two purse places
N_ERAS = 2
N_SLOTS = 5  # cards in a tavern, at most
N_SLOTS_TWO_LORDS = 3
HIGHEST_GEM = 5
MAX_DECK = 46
MAX_ARMY = 25  # dwarfs: 24 with 2 or 3 lords, and Svara's
SVARA_LOOKS_AT = 5

# One lord's covered cards: 12 dwarfs at most (20 of 8 values); Droh and Oosram can be covered too,
# and Ga'at's 9 can cost a third dwarf its points.
MAX_COVERED = 15

# Columns of Cognars that may stand anywhere: five mercenaries, then Ga'at.
N_WANDERING = N_MERCENARIES + 1


class Phase(IntEnum):
    """What the lord to move decides."""

    BID = 0  # which coin goes to which tavern
    TAKE = 1  # a dwarf card of the tavern
    UPGRADE = 2  # which purse coin a Talion dwarf upgrades, taken with the 0
    DISCARD = 3  # two lords, second tavern: which of the two left is discarded
    RECRUIT = 4  # a Cognar
    PLACE = 5  # the column of a mercenary or of Ga'at
    SVARA = 6  # which of the five cards looked at
    DERDHR = 7  # which coin is upgraded by 5
    EXCHANGE = 8  # which of two purse coins of equal value is discarded
    ORDO = 9  # which of the two lowest coins, of equal value, is discarded
    OVER = 10


class Pariah(IntEnum):
    """Values of the option ``pariah_scope``."""

    LETTER = 0
    DWARFS = 1
    COLUMN = 2


PARIAH_SCOPES = tuple(scope.name.lower() for scope in Pariah)
UNFILLED = ("lost", "waits")
WAITS = 1
EQUAL_COINS = ("choose", "bronze")
BRONZE_LEAVES = 1


@dataclass(frozen=True)
class AquilonOptions(Options):
    """Players and the rulings where the rulebook can be read in two ways."""

    players: int = option(3, range(MIN_SEATS, MAX_SEATS + 1), "lords at the table")
    last_mercenary_in_chain: int = option(
        0, (0, 1), "1: the last mercenary left may continue a chain of mercenaries"
    )
    unfilled_recruit: str = option(
        "lost", UNFILLED, "what becomes of a recruit owed when no Cognar is eligible"
    )
    pariah_scope: str = option(
        "letter",
        PARIAH_SCOPES,
        "letter: a card of the Order of the Wanderers against every card of the column; dwarfs: "
        "dwarf against dwarf; column: every card placed against every card of the column",
    )
    exchange_coin_upgradable: int = option(
        0, (0, 1), "1: Talion dwarfs and Derdhr may upgrade Kardum's coin like any other"
    )
    ordo_skips_exchange_coin: int = option(
        1, (0, 1), "1: Ordo leaves Kardum's coin out as he does the 0"
    )
    gaat_shield_ranks: int = option(1, (1, 2), "ranks of Ga'at in the Shield column")
    equal_coins: str = option(
        "choose", EQUAL_COINS, "which of two coins of equal value is discarded in an exchange"
    )


class Choices:
    """`AquilonOptions` in the record."""

    players: Annotated[int, np.int16]
    last_mercenary_in_chain: Annotated[int, np.int16]
    unfilled_recruit: Annotated[int, np.int16, Names(UNFILLED)]
    pariah_scope: Annotated[int, np.int16, Names(PARIAH_SCOPES)]
    exchange_coin_upgradable: Annotated[int, np.int16]
    ordo_skips_exchange_coin: Annotated[int, np.int16]
    gaat_shield_ranks: Annotated[int, np.int16]
    equal_coins: Annotated[int, np.int16, Names(EQUAL_COINS)]


class Deck:
    """A face-down deck; the top card is the last."""

    cards: Annotated[Ints, np.int16, MAX_DECK, Names(DWARFS), Counted("left")]
    left: Annotated[int, np.int16]


class Player:
    """One lord's board, army and Command zone; Cognars stand in `State.holder`."""

    gem: Annotated[int, np.int16]
    # in hand: rising, the 0 or 3-Exchange first; once bid: by place
    coins: Annotated[Ints, np.int16, N_PLACES, Names(COINS)]
    known: Annotated[Ints, np.int16, N_PLACES]  # 1: every lord knows what lies at this place
    army: Annotated[Ints, np.int16, MAX_ARMY, Names(DWARFS), Counted("n_army")]
    n_army: Annotated[int, np.int16]
    covered: Annotated[Ints, np.int16, MAX_COVERED, Counted("n_covered")]  # points, falling
    n_covered: Annotated[int, np.int16]
    recruited: Annotated[int, np.int16]  # Cognars, without Ga'at and Elites
    lost: Annotated[int, np.int16]  # recruits owed that found nobody eligible
    # what follows is counted from army and holder
    ranks: Annotated[Ints, np.int16, N_ORDERS, Keys(ORDERS)]
    points: Annotated[Ints, np.int16, N_ORDERS, Keys(ORDERS)]  # without mercenaries'
    mercenary_points: Annotated[int, np.int16]
    command_points: Annotated[int, np.int16]
    malts: Annotated[int, np.int16]
    occults: Annotated[int, np.int16]  # with the one on the board
    runes: Annotated[int, np.int16]  # bit k: has rune k
    unique_runes: Annotated[int, np.int16]


class State(Header):
    """One game."""

    phase: Annotated[int, np.int16, Names(Phase)]
    options: Annotated[Choices, Choices]
    era: Annotated[int, np.int16]  # 0 or 1
    turn: Annotated[int, np.int16]  # of the era, from 0
    tavern: Annotated[int, np.int16]  # being resolved
    at: Annotated[int, np.int16]  # which lord of `order` has the turn
    chosen: Annotated[int, np.int16, Names(COGNARS)]  # recruited, column still to be chosen
    chain: Annotated[int, np.int16]  # mercenaries: see rules/cognars.py
    discarded: Annotated[int, np.int16]  # dwarf cards out of the game
    order: Annotated[Ints, np.int16, MAX_SEATS, Counted("n_seats")]  # seats, NONE during bids
    revealed: Annotated[Ints, np.int16, MAX_SEATS, Counted("n_seats")]  # bid values at the reveal
    taverns: Annotated[Ints, np.int16, N_TAVERNS, N_SLOTS, Names(DWARFS)]
    treasury: Annotated[Ints, np.int16, N_GOLD, Keys(COINS[FIRST_GOLD:])]
    holder: Annotated[Ints, np.int16, N_COGNARS, Keys(COGNARS)]  # seat or NONE
    column: Annotated[
        Ints,
        np.int16,
        N_WANDERING,
        Keys(COGNARS[FIRST_MERCENARY : FIRST_MERCENARY + N_WANDERING]),
        Names(ORDERS),
    ]
    decks: Annotated[Any, Deck, N_ERAS]
    players: Annotated[Any, Player, MAX_SEATS, Counted("n_seats")]
