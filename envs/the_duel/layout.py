"""Sizes, enums, options and the State record of The Dwarves: The Duel."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Any

import numpy as np

from dwarrow.envs.core.options import Options, option
from dwarrow.envs.core.record import Counted, Header, Ints, Keys, Names
from dwarrow.envs.the_duel.cards import (
    COPIES,
    DECK_SIZE,
    KINDS,
    N_KINDS,
    N_LASTING,
    N_WITH_LIFE,
    Kind,
)

N_SEATS = 2
START_HAND = 4
BASE_DICE = 3
MAX_DICE = 6
POWER_DICE = 2  # Andôkai's Power
N_JOKER_CARDS = 3
N_FACES = 6

AXE = 5  # the sixth face; dice 0 to 4 show the numbers 1 to 5
JOKER = 6  # a Joker card used like a die
N_DIE_KINDS = 7
WILD_ONLY = 5  # "number" of a payment that shows none

PILE = 0  # target of damage: the draw pile; kind k is target 1 + k
N_TARGETS = 1 + N_WITH_LIFE

MOST_DRAWN = 1 + int(COPIES[Kind.ANCIENT_KNOWLEDGE])

MAX_TURNS = 2 * (DECK_SIZE - START_HAND) - 1  # every turn draws; the pile used up ends the game
# A die or Joker card is used once a turn, and nothing that uses n of them asks more than 4 n
# questions. To these 9 uses come draw, roll, re-rolls, keep, two windows and the end; and, once a
# game, at most 4 questions for each of the 8 free cards a side.
MAX_DECISIONS = (
    MAX_TURNS * (4 * (MAX_DICE + N_JOKER_CARDS) + 6 + int(COPIES[Kind.TRICKERY])) + 4 * 8 * N_SEATS
)


class Phase(IntEnum):
    """What is being asked, and of whom."""

    SUPPLY = 0  # the active player: how many cards to draw
    EXTRA_DICE = 1  # the active player, before the roll: Andôkai's Power?
    DICE = 2  # the active player, after the roll: re-roll a die?
    CARDS = 3  # the active player: play a card, use an Ally, end the turn
    REST = 4  # the active player: which number becomes an axe
    NUMBER = 5  # the active player: which number to pay with
    AXES = 6  # the active player: how many axes to pay with
    JOKERS = 7  # the active player: how many Joker cards to pay with
    REMOVE = 8  # the active player: which card leaves the opponent's display
    TARGET = 9  # whoever deals damage: to what
    ANSWER = 10  # whoever suffers damage: chain mail?
    WINDOW = 11  # the other player: a throwing axe?
    OVER = 12


class Face(IntEnum):
    """A face of a die."""

    ONE = 0
    TWO = 1
    THREE = 2
    FOUR = 3
    FIVE = 4
    AXE = 5


END_REASONS = ("draw", "damage")
TARGETS = ("draw_pile", *KINDS[:N_WITH_LIFE])
PAY_NUMBERS = ("1", "2", "3", "4", "5", "wild")
SHORT_RESTS = ("any", "printed")
ANY_DIE = SHORT_RESTS.index("any")


@dataclass(frozen=True)
class DuelOptions(Options):
    """Options and ruling flags; the spec sheet says what each ruling is about."""

    players: int = option(2, (2,), "players at the table")
    short_rest: str = option(
        "any",
        SHORT_RESTS,
        "Short Rest turns a die of any number into an axe, or only one of the number on the card",
    )
    automatic_payment: bool = option(
        False, (False, True), "costs are paid with numbers first, then axes, then Joker cards"
    )
    extra_dice_after_roll: bool = option(
        False, (False, True), "Andôkai's Power is played after the roll, not before"
    )
    joker_card_is_die: bool = option(
        True, (False, True), "who pays with Joker cards alone takes none at the end of the turn"
    )
    window_after_roll: bool = option(
        True, (False, True), "a throwing axe may be played between the opponent's roll and cards"
    )


class Choices:
    """The options as they stand in the record."""

    players: Annotated[int, np.int16]
    short_rest: Annotated[int, np.int16, Names(SHORT_RESTS)]
    automatic_payment: Annotated[int, np.int16]
    extra_dice_after_roll: Annotated[int, np.int16]
    joker_card_is_die: Annotated[int, np.int16]
    window_after_roll: Annotated[int, np.int16]


class Player:
    """One player's cards."""

    hand: Annotated[Ints, np.int16, N_KINDS, Keys(Kind)]  # how many of each kind
    display: Annotated[Ints, np.int16, N_LASTING, Keys(KINDS[:N_LASTING])]
    # Damage of this turn. It goes to one card of a kind until that falls: a number a kind will do.
    damage: Annotated[Ints, np.int16, N_WITH_LIFE, Keys(KINDS[:N_WITH_LIFE])]
    discard: Annotated[Ints, np.int16, N_KINDS, Keys(Kind)]
    pile: Annotated[Ints, np.int16, DECK_SIZE, Names(Kind), Counted("pile_size")]  # top card last
    pile_size: Annotated[int, np.int16]
    joker_cards: Annotated[int, np.int16]  # the rest of the three lies in the middle


class State(Header):
    """One duel. Seat 0 has the powers of good, seat 1 the powers of evil."""

    phase: Annotated[int, np.int16, Names(Phase)]
    options: Annotated[Choices, Choices]
    starter: Annotated[int, np.int16]  # seat of the start player
    active: Annotated[int, np.int16]  # whose turn it is
    turn: Annotated[int, np.int16]  # from 1
    players: Annotated[Any, Player, N_SEATS]
    rolled: Annotated[int, np.int16]  # dice of this turn: to roll, or rolled; 0 before the phase
    dice: Annotated[Ints, np.int16, N_FACES, Keys(Face)]  # rolled and not yet used
    re_rolls: Annotated[int, np.int16]  # left in this dice phase
    die_used: Annotated[int, np.int16]  # 1 once a die paid for a card or an effect this turn
    ended: Annotated[int, np.int16]  # 1 once the active player has ended the card phase
    new_joker_cards: Annotated[int, np.int16]  # taken by the active player this turn, usable later
    card: Annotated[int, np.int16, Names(Kind)]  # played and not yet carried out
    pay_number: Annotated[int, np.int16, Names(PAY_NUMBERS)]  # chosen for the card's cost
    pay_axes: Annotated[int, np.int16]  # chosen for the card's cost, NONE before
    dealer: Annotated[int, np.int16]  # seat that deals the damage in question, else NONE
    target: Annotated[int, np.int16, Names(TARGETS)]  # what it is dealt to, once chosen
    used_up: Annotated[int, np.int16]  # seat whose draw pile is used up, else NONE
    end_reason: Annotated[int, np.int16, Names(END_REASONS)]
