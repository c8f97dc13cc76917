"""Why an action is illegal now, in a sentence; only called for actions that are."""

from __future__ import annotations

from typing import Any

from dwarrow.envs.core.kernels import States
from dwarrow.envs.core.record import NONE
from dwarrow.envs.dwar7s_fall.actions import (
    ACTIONS,
    AT,
    DISCARD_GEM,
    KING,
    MOVE,
    OGRE,
    PASS,
    PLAY,
    REVEAL,
    SIDE,
)
from dwarrow.envs.dwar7s_fall.board import (
    dwarfs_on,
    is_closed,
    is_monster,
    stack_of,
)
from dwarrow.envs.dwar7s_fall.cards import OGRES
from dwarrow.envs.dwar7s_fall.layout import (
    CELL_NAMES,
    N_KINDS,
    N_OGRES,
    N_SIDES,
    TILE_NAMES,
    Phase,
    Place,
)
from dwarrow.envs.dwar7s_fall.rules.turn import may_act

ASKED_FOR = {
    Phase.ACT: "an action, an ogre card or the end of the actions",
    Phase.TILE_CELL: "a cell for the tile",
    Phase.TILE_TURN: "the side that the tile's top points to",
    Phase.MOVE_FROM: "the cell of the dwarf that moves",
    Phase.MOVE_TO: "the side that the dwarf moves to",
    Phase.RESOLVE: "the next task",
    Phase.DIG: "a stack to dig, or pass",
    Phase.TRADE: "a trading goal, or pass",
    Phase.SHOW: "whether the secret goal is revealed",
    Phase.DISCARD: "a card to discard",
    Phase.WINDOW: "whether the secret goal is revealed",
}
ANSWERS = {
    Phase.TILE_TURN: (SIDE, SIDE + N_SIDES),
    Phase.MOVE_TO: (SIDE, SIDE + N_SIDES),
    Phase.BRUTE_KING: (KING + 1, KING + 4),
    Phase.PANIC_KING: (KING + 1, KING + 4),
    Phase.THIEF_KING: (KING + 1, KING + 4),
    Phase.CROWN_KING: (KING + 1, KING + 4),
    Phase.TRADE: (KING + 4, DISCARD_GEM),
    Phase.SHOW: (REVEAL, PASS + 1),
    Phase.DISCARD: (DISCARD_GEM, REVEAL),
    Phase.WINDOW: (REVEAL, PASS + 1),
}
"""The actions that answer a question; a cell where nothing is said here."""


def why(states: States, i: int, action: int) -> str:
    """Return why an action is illegal now, in a sentence."""
    s = states[i]
    phase = Phase(int(s["phase"]))
    if action == REVEAL:
        if s["players"][s["seat"]]["revealed"]:
            return "the secret goal is revealed already."
        return "the secret goal is not fulfilled, or this is not the time to reveal it."
    if phase == Phase.ACT:
        return _no_action(s, action)
    low, high = ANSWERS.get(phase, (AT, SIDE))
    if not low <= action < high:
        return f"the question is {ASKED_FOR.get(phase, 'the target of the ogre card')}."
    if action < SIDE:
        return _no_cell(s, phase, action - AT)
    if phase == Phase.TILE_TURN:
        return "turned that way the tile looks as it does with an earlier side."
    if phase == Phase.MOVE_TO:
        return "a wall, the end of the tiles or a full tile is in the way."
    if phase == Phase.TRADE:
        return "no goal lies there, or there are not the gems that it costs."
    if phase == Phase.DISCARD:
        return f"there is nothing to {ACTIONS[action]}."
    return "that king is not at the table or has nothing that the card could be about."


def _no_action(s: Any, action: int) -> str:
    seat = int(s["seat"])
    if OGRE <= action < OGRE + N_OGRES:
        if not s["players"][seat]["ogres"][action - OGRE]:
            return f"there is no {OGRES[action - OGRE]} in hand."
        return f"the {OGRES[action - OGRE]} has no target."
    if action > MOVE:
        return f"the question is {ASKED_FOR[Phase.ACT]}."
    if not may_act(s, seat):
        return f"all {int(s['used'])} actions of this turn are taken."
    if PLAY <= action < MOVE:
        if s["tiles"][seat * N_KINDS + action - PLAY]["place"] != Place.HAND:
            return "that tile is not in hand any more."
        return "there is no cell for that tile."
    if action == MOVE:
        return "no dwarf can move."
    if action >= SIDE:
        return f"the question is {ASKED_FOR[Phase.ACT]}."
    tile = int(s["top"][action - AT])
    if tile == NONE:
        return f"there is no tile at {CELL_NAMES[action - AT]}."
    if not s["players"][seat]["pile"]:
        return "there is no dwarf in the pile."
    return f"every spot of {TILE_NAMES[tile]} is taken."


def _no_cell(s: Any, phase: Phase, cell: int) -> str:
    tile, name = int(s["top"][cell]), CELL_NAMES[cell]
    if phase == Phase.TILE_CELL:
        return _no_place(s, tile, name)
    if tile == NONE:
        return f"there is no tile at {name}."
    if phase == Phase.DIG:
        if is_closed(s, tile):
            return f"a monster keeps {name} from being dug."
        return f"{name} is no stack of two tiles or more without dwarfs."
    if phase == Phase.RESOLVE:
        return f"no finished task waits at {name}."
    if phase == Phase.MOVE_FROM:
        return f"no dwarf of one's own can move from {name}."
    if phase == Phase.PANIC_TO:
        return f"the dwarf cannot reach {name} in two steps."
    if not dwarfs_on(s, tile):
        return f"nobody stands at {name}."
    return f"the dwarfs at {name} are no target for this card."


def _no_place(s: Any, tile: int, name: str) -> str:
    mine = int(s["active"]) * N_KINDS + int(s["chosen"]["kind"])
    if tile == NONE:
        if s["options"]["monster_stack_only"] and is_monster(mine):
            return "monsters go only on top of tiles of their type."
        return f"{name} is not beside any tile."
    if stack_of(tile) != stack_of(mine):
        return f"{TILE_NAMES[tile]} at {name} is of another type."
    if dwarfs_on(s, tile):
        return f"there are dwarfs at {name}."
    if is_closed(s, tile):
        return f"a monster keeps {name} from being stacked on."
    return f"{name} is taken."
