"""The numbering of actions, and their names; no other file knows it.

    0..288    at A1 .. at Q17   a cell: where a tile goes, a dwarf, a card's target ...
    289..292  north .. west     where a card's top points to, or which way a dwarf moves
    293..301  play castle ..    play a kingdom tile
    302       move              move a dwarf
    303..307  play ambush ..    play an ogre card
    308..310  king 1 .. king 3  the king so many places on, clockwise
    311..313  goal 1 .. goal 3  a trading goal of the row
    314..317  discard gold ..   discard a gem
    318..322  discard ambush .. discard an ogre card
    323       reveal            reveal the secret goal
    324       pass              end the actions, or decline what is offered

In phase ``act`` a cell places a dwarf there: it is by far the commonest action, and one choice.
"""

from __future__ import annotations

from dwarrow.envs.dwar7s_fall.cards import GEMS, KINDS, OGRES
from dwarrow.envs.dwar7s_fall.layout import (
    CELL_NAMES,
    MAX_SEATS,
    N_CELLS,
    N_GEMS,
    N_KINDS,
    N_OGRES,
    N_ROW,
    N_SIDES,
    Side,
)

AT = 0
SIDE = AT + N_CELLS
PLAY = SIDE + N_SIDES
MOVE = PLAY + N_KINDS
OGRE = MOVE + 1
KING = OGRE + N_OGRES - 1  # KING + 1 is the next king: 0 would be oneself
GOAL = KING + MAX_SEATS
DISCARD_GEM = GOAL + N_ROW
DISCARD_OGRE = DISCARD_GEM + N_GEMS
REVEAL = DISCARD_OGRE + N_OGRES
PASS = REVEAL + 1
N_ACTIONS = PASS + 1

ACTIONS = (
    *(f"at {cell}" for cell in CELL_NAMES),
    *(side.name.lower() for side in Side),
    *(f"play {kind}" for kind in KINDS),
    "move",
    *(f"play {ogre}" for ogre in OGRES),
    *(f"king {k}" for k in range(1, MAX_SEATS)),
    *(f"goal {k + 1}" for k in range(N_ROW)),
    *(f"discard {gem}" for gem in GEMS),
    *(f"discard {ogre}" for ogre in OGRES),
    "reveal",
    "pass",
)
"""Name of every action, by number."""
