"""Choices in words for people: what a kind of action does, and what an action means just now.

Whatever is said here may be read by the seat to move: only its own coins and cards, and what lies
open, are looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import States
from dwarrow.envs.core.record import NONE

MEANING: dict[str, dict[str, str]] = {
    "aquilon": {
        "bid": "lay a coin in each tavern, first to last; the other two go to the purse",
        "take": "take a card of this tavern",
        "discard": "discard one of the two cards left",
        "pick": "take one of the cards that Svara looks at",
        "recruit": "recruit a Cognar",
        "place": "choose a column of the army",
        "upgrade": "choose the coin to upgrade",
        "give": "choose the coin to give up",
    },
    "the_duel": {
        "play": "play a card",
        "draw": "draw cards",
        "roll": "roll the dice",
        "keep": "keep the dice as they lie",
        "pass": "do nothing: let the damage through, throw no axe",
        "end": "end the turn",
        "re-roll": "roll a die of this face again",
        "number": "choose the number that is paid with, or that an axe becomes",
        "axes": "choose how many axes are among the dice paid",
        "jokers": "choose how many Joker cards are among the dice paid",
        "strike": "spend a die on an Ally's damage",
        "fetch": "spend a die on the Joker Ally",
        "hit": "choose what is damaged",
        "remove": "choose the card to remove from the opponent's display",
    },
    "dwar7s_fall": {
        "at": "choose a cell: columns from west to east, rows from north to south",
        "north": "choose a direction",
        "east": "choose a direction",
        "south": "choose a direction",
        "west": "choose a direction",
        "play": "play a kingdom tile or an ogre card from hand",
        "move": "move a dwarf",
        "king": "choose another king",
        "goal": "choose a trading goal of the row",
        "discard": "discard a gem or an ogre card",
        "reveal": "reveal the secret goal",
        "pass": "end the actions, or decline what is offered",
    },
    "the_dwarves": {
        "pass": "decline, stop, let a roll stand, take no action",
        "move": "Move on the Map",
        "fight": "Fight the Army of Evil",
        "send": "Send Dispatches to the council",
        "check": "make a check: for Equipment, or one whose card is named after the roll",
        "draw": "draw a spell",
        "quest": "roll for a part of a card",
        "hex": "choose a hex",
        "hero": "choose a hero",
        "re-roll": "roll dice again",
        "increase": "raise a die by one",
        "set": "set a die to 6",
        "repeat": "use the Signal Mirror on a die",
        "pick": "pick a die to be rolled again with others, or a marker up",
        "defeat": "allocate a hit: which troop, where",
        "choose": "choose among what is offered",
        "use": "play Equipment",
        "cast": "cast a spell",
        "return": "return a spell",
        "lose": "pay for Perished Land with health",
        "advance": "pay for Perished Land with a step of Doom",
        "take": "let damage through the Protective Shield",
        "put": "put a Scenario marker down",
    },
}
"""What the first word of an action's name stands for, game by game."""


@dataclass(frozen=True)
class Choice:
    """One legal action.

    Attributes:
        number: what a person may type for it.
        action: its number in the game.
        name: its name.
        detail: what it means just now, if the name does not say.
    """

    number: int
    action: int
    name: str
    detail: str

    def __str__(self) -> str:
        """Return it as listed."""
        return f"{self.number}) {self.name}" + (f": {self.detail}" if self.detail else "")


@dataclass
class Group:
    """Choices that begin with one verb."""

    meaning: str
    choices: list[Choice] = field(default_factory=list)


def groups(game: Game, states: States) -> list[Group]:
    """Return the legal actions of the seat to move, numbered from 1, in groups of one meaning."""
    names = [(int(a), game.action_name(int(a))) for a in game.legal(states, 0)]
    known = MEANING.get(game.name, {})
    found: dict[str, list[tuple[int, str]]] = {}
    for action, name in names:
        verb = name.split(" ")[0]
        found.setdefault(known.get(verb, verb), []).append((action, name))
    number, listed = 0, []
    describe = _DETAIL.get(game.name, _nothing)
    for meaning, members in found.items():
        group = Group(meaning)
        for action, name in members:
            number += 1
            group.choices.append(Choice(number, action, name, describe(states[0], action)))
        listed.append(group)
    return listed


def columns(texts: list[str], width: int) -> list[str]:
    """Return texts as lines of equal columns, read downwards."""
    cell = max(map(len, texts)) + 3
    n = max(1, (width - 2) // cell)
    height = -(-len(texts) // n)
    return [
        "  " + "".join(t.ljust(cell) for t in texts[row::height]).rstrip() for row in range(height)
    ]


# What an action means now


def _nothing(s: Any, action: int) -> str:
    return ""


def _aquilon(s: Any, action: int) -> str:
    from dwarrow.envs.aquilon import actions as act
    from dwarrow.envs.aquilon.cards import COINS, DWARFS
    from dwarrow.envs.aquilon.layout import PURSE, Phase
    from dwarrow.envs.aquilon.render import svara_seen
    from dwarrow.envs.aquilon.rules.eras import ordo_first

    me = s["players"][int(s["seat"])]
    if action < act.TAKE:
        coins = [COINS[int(me["coins"][c])] for c in act.BID_COINS[action]]
        return f"{' | '.join(coins[:3])} keep {' '.join(coins[3:])}"
    if action < act.PICK:
        slot = action - (act.TAKE if action < act.DISCARD else act.DISCARD)
        return str(DWARFS[int(s["taverns"][int(s["tavern"])][slot])])
    if action < act.RECRUIT:
        return str(DWARFS[svara_seen(s, int(s["seat"]))[action - act.PICK]])
    if act.UPGRADE <= action < act.GIVE_UP:
        return str(COINS[int(me["coins"][action - act.UPGRADE])])
    if action >= act.GIVE_UP:
        first = PURSE if s["phase"] == Phase.EXCHANGE else ordo_first(s, int(s["seat"]))
        return str(COINS[int(me["coins"][first + action - act.GIVE_UP])])
    return ""


def _dwar7s_fall(s: Any, action: int) -> str:
    from dwarrow.envs.dwar7s_fall import actions as act
    from dwarrow.envs.dwar7s_fall.cards import COST, GEMS, GOAL_NAMES, GOAL_VP
    from dwarrow.envs.dwar7s_fall.render import colour, kind_name

    if action < act.SIDE:
        top = int(s["top"][action])
        return kind_name(top) if top != NONE else ""
    if act.KING < action <= act.KING + int(s["n_seats"]) - 1:
        return colour((int(s["seat"]) + action - act.KING) % int(s["n_seats"]))
    if act.GOAL <= action < act.DISCARD_GEM:
        goal = int(s["goal_row"][action - act.GOAL])
        cost = " and ".join(f"{int(n)} {g}" for g, n in zip(GEMS, COST[goal], strict=True) if n)
        return f"{GOAL_NAMES[goal]}, {cost} for {int(GOAL_VP[goal])} points"
    return ""


def _the_duel(s: Any, action: int) -> str:
    from dwarrow.envs.the_duel import actions as act
    from dwarrow.envs.the_duel.cards import NAMES
    from dwarrow.envs.the_duel.layout import PILE

    seat = int(s["seat"])
    if action < act.DRAW:
        return str(NAMES[seat][action - act.PLAY])
    if act.HIT + PILE < action < act.REMOVE:
        return str(NAMES[1 - seat][action - act.HIT - 1])
    if action >= act.REMOVE:
        return str(NAMES[1 - seat][action - act.REMOVE])
    return ""


def _the_dwarves(s: Any, action: int) -> str:
    from dwarrow.envs.the_dwarves import actions as act
    from dwarrow.envs.the_dwarves.cards import CARD_TITLES, HERO_NAMES
    from dwarrow.envs.the_dwarves.notation import MAX_PARTS
    from dwarrow.envs.the_dwarves.render import hex_name, troop_text

    if act.QUEST <= action < act.CHECK:
        return str(CARD_TITLES[int(s["slots"][(action - act.QUEST) // MAX_PARTS]["card"])])
    if act.HEX <= action < act.HERO:
        h = action - act.HEX
        _, _, printed = hex_name(h).partition(") ")
        notes = [printed, troop_text(s["troops"][h]), "perished" if s["tile"][h] != NONE else ""]
        return ", ".join(filter(None, notes))
    if act.HERO <= action < act.REROLL:
        return str(HERO_NAMES[action - act.HERO])
    for first in (act.REROLL, act.INCREASE, act.SET_SIX, act.REPEAT, act.PICK_DIE):
        if first <= action < first + (act.INCREASE - act.REROLL):
            return f"a {int(s['dice'][action - first])}"
    if act.SLOT <= action < act.USE:
        return str(CARD_TITLES[int(s["slots"][action - act.SLOT]["card"])])
    return ""


_DETAIL: dict[str, Callable[[Any, int], str]] = {
    "aquilon": _aquilon,
    "dwar7s_fall": _dwar7s_fall,
    "the_duel": _the_duel,
    "the_dwarves": _the_dwarves,
}
