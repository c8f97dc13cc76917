"""Drawn positions of Dwar7s Fall, and playing on from them by action names.

A drawing is rows of cells; the upper left cell is named by ``at``. A cell is ``.`` (no tile) or a
stack, uppermost tile first, parted by ``/``. A tile is a colour (b, r, g, y), a kind (C castle,
E emerald, D diamond, A gold, U ruby, T tavern, S store, F fire dragon, I frost giant) and the side
that its top points to (n, e, s, w; n if left out). After ``:`` stand the dwarfs, by colour.
"""

from __future__ import annotations

from typing import Any

from dwarrow import envs
from dwarrow.envs.core.kernels import States
from dwarrow.envs.dwar7s_fall.layout import CELL_NAMES, KINDS, WIDTH

GAME = envs.game("dwar7s_fall")
COLOURS = {"b": "blue", "r": "red", "g": "green", "y": "yellow"}
SIDES = {"n": "north", "e": "east", "s": "south", "w": "west"}
KIND_LETTERS = dict(zip("CEDAUTSFI", KINDS, strict=True))


def tiles(drawing: str, at: str = "H8") -> dict[str, Any]:
    """Return the tiles of a drawing as a position has them."""
    first = CELL_NAMES.index(at)
    found: dict[str, Any] = {}
    for row, line in enumerate(drawing.split("\n") if "\n" in drawing else [drawing]):
        for column, cell in enumerate(line.split()):
            if cell == ".":
                continue
            stack, _, dwarfs = cell.partition(":")
            names = stack.split("/")
            for depth, name in enumerate(names):
                tile = {
                    "cell": CELL_NAMES[first + row * WIDTH + column],
                    "level": len(names) - 1 - depth,
                    "turned": SIDES[name[2:] or "n"],
                }
                if depth == 0:
                    tile["dwarfs"] = {COLOURS[c]: dwarfs.count(c) for c in dict.fromkeys(dwarfs)}
                found[f"{COLOURS[name[0]]}_{KIND_LETTERS[name[1]]}"] = tile
    return found


def draw(drawing: str, at: str = "H8", **position: Any) -> States:
    """Return a state with the drawing on the table; rows may be indented."""
    lines = "\n".join(line.strip() for line in drawing.strip().split("\n"))
    drawn = tiles(lines, at)
    drawn |= position.pop("more_tiles", {})
    return GAME.load({"tiles": drawn, **position})


def play(states: States, *names: str) -> States:
    """Play actions by name, one after another, in place."""
    for name in names:
        GAME.step(states, 0, GAME.action_id(name))
    return states


def legal(states: States) -> set[str]:
    """Names of the legal actions."""
    return {GAME.action_name(int(a)) for a in GAME.legal(states, 0)}


def cells(states: States) -> set[str]:
    """The cells among the legal actions."""
    return {name[3:] for name in legal(states) if name.startswith("at ")}


def pos(states: States) -> dict[str, Any]:
    """The position as a dict."""
    return GAME.position(states, 0)


def player(states: States, seat: int = 0) -> dict[str, Any]:
    return pos(states)["players"][seat]


def dwarfs(states: States, cell: str) -> str:
    """Dwarfs on a cell as in a drawing."""
    tile = pos(states)["top"][cell]
    on = pos(states)["tiles"][tile]["dwarfs"]
    return "".join(c * on[colour] for c, colour in COLOURS.items())
