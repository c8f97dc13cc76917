"""A position as text, why a choice is illegal, and the final account."""

from __future__ import annotations

from typing import Any

from dwarrow.envs.core.kernels import States
from dwarrow.envs.core.record import NONE
from dwarrow.envs.dwar7s_fall.board import castle_works, is_guarded, stack_of
from dwarrow.envs.dwar7s_fall.cards import (
    COST,
    GEMS,
    GOAL_NAMES,
    GOAL_VP,
    KINDS,
    MONSTER_VP,
    OGRES,
    SECRETS,
    SPOTS,
    WALLS,
)
from dwarrow.envs.dwar7s_fall.layout import (
    CELL_NAMES,
    N_CELLS,
    N_KINDS,
    WIDTH,
    Colour,
    Phase,
    Place,
    Side,
)
from dwarrow.envs.dwar7s_fall.rules.dwarfs import n_actions_of
from dwarrow.envs.dwar7s_fall.rules.hands import gems_of, hand_size, ogres_of
from dwarrow.envs.dwar7s_fall.scoring import (
    beats,
    dwarfs_on_board,
    gem_points,
    goal_points,
    kingdom_points,
    kingdom_tiles,
    monsters_beaten,
    points_of,
)

INNER = 14
"""Characters inside the walls of a drawn tile; the longest kind of tile fits."""
QUESTIONS = {
    Phase.ACT: "choose an action, an ogre card, or pass",
    Phase.TILE_CELL: "where does the tile go",
    Phase.TILE_TURN: "where does the tile's top point to",
    Phase.MOVE_FROM: "which dwarf moves",
    Phase.MOVE_TO: "which way does the dwarf move",
    Phase.AMBUSH_CELL: "which tile is ambushed",
    Phase.BRUTE_CELL: "on which tile is the dwarf that the Brute takes",
    Phase.BRUTE_KING: "whose dwarf does the Brute take",
    Phase.BRUTE_OWN: "which dwarf of your own is swapped in",
    Phase.PANIC_CELL: "on which tile does a dwarf panic",
    Phase.PANIC_KING: "whose dwarf panics",
    Phase.PANIC_TO: "where does the dwarf run",
    Phase.THIEF_KING: "who is robbed",
    Phase.CROWN_KING: "whose ogre cards are taken",
    Phase.RESOLVE: "which task is resolved next",
    Phase.DIG: "which stack is dug, or pass",
    Phase.TRADE: "which trading goal, or pass",
    Phase.SHOW: "reveal the secret goal, or pass",
    Phase.DISCARD: "which card is discarded",
    Phase.WINDOW: "reveal the secret goal now, or pass",
    Phase.OVER: "the game is over",
}


def text(states: States, i: int, seat: int | None) -> str:
    """Return the position as text; `seat` None shows everything, else what that king may see."""
    s = states[i]
    lines = [headline(s), *_supply(s), "", *_board(s), *covered(s), ""]
    for king in range(s["n_seats"]):
        lines.extend(_king(s, king, seat))
    return "\n".join(line.rstrip() for line in lines)


def colour(seat: int) -> str:
    """Return the colour of a seat in lower case."""
    return Colour(int(seat)).name.lower()


def kind_name(tile: int) -> str:
    """Return the kind of a tile in words."""
    return KINDS[int(tile) % N_KINDS].replace("_", " ")


def _counts(names: Any, counts: Any) -> str:
    found = [f"{int(n)} {name}" for name, n in zip(names, counts, strict=True) if n]
    return ", ".join(found) or "none"


def headline(s: Any) -> str:
    """Return when it is, and who is asked what."""
    question = QUESTIONS[Phase(int(s["phase"]))]
    last = ", last round" if s["last_round"] else ""
    head = f"Turn {s['turn']} of at most {s['options']['cap']}{last}."
    if s["over"]:
        return f"{head} The game is over."
    left = max(int(n_actions_of(s, int(s["active"])) - s["used"]), 0)
    return (
        f"{head} It is {colour(s['active'])}'s turn, {left} actions left; "
        f"{colour(s['seat'])}: {question}{_chosen(s['chosen'])}?"
    )


def _chosen(chosen: Any) -> str:
    parts = []
    if chosen["kind"] != NONE:
        parts.append(KINDS[int(chosen["kind"])].replace("_", " "))
    if chosen["cell"] != NONE:
        parts.append(f"at {CELL_NAMES[int(chosen['cell'])]}")
    if chosen["king"] != NONE:
        parts.append(f"{colour(chosen['king'])}'s")
    return f" ({', '.join(parts)})" if parts else ""


def _supply(s: Any) -> list[str]:
    row = []
    for goal in s["goal_row"]:
        if goal != NONE:
            cost = _counts(GEMS, COST[goal])
            row.append(f"{GOAL_NAMES[int(goal)]} ({cost}: {GOAL_VP[goal]} VP)")
    return [
        f"Trading goals: {'; '.join(row) or 'none'}. {s['goals_left']} more in the deck.",
        f"Gem piles: {_counts(GEMS, s['gem_piles'])}. "
        f"Ogre deck: {s['ogre_deck_size']}; discarded: {_counts(OGRES, s['ogre_discard'])}.",
    ]


def _board(s: Any) -> list[str]:
    cells = [cell for cell in range(N_CELLS) if s["top"][cell] != NONE]
    if not cells:
        return ["No tile lies on the table."]
    columns = range(min(c % WIDTH for c in cells), max(c % WIDTH for c in cells) + 1)
    rows = range(min(c // WIDTH for c in cells), max(c // WIDTH for c in cells) + 1)
    heads = (CELL_NAMES[column][0].center(INNER + 2) for column in columns)
    lines = ["   " + "".join(heads)]
    for row in rows:
        drawn = [_tile(s, row * WIDTH + column) for column in columns]
        for k in range(5):
            label = f"{row + 1:>2} " if k == 2 else "   "
            lines.append(label + "".join(tile[k] for tile in drawn))
    return lines


def covered(s: Any) -> list[str]:
    """Return a line for each stack: what lies under its uppermost tile, and how it is turned."""
    lines = []
    for cell in range(N_CELLS):
        top = int(s["top"][cell])
        if top == NONE or not s["tiles"][top]["level"]:
            continue
        under = [
            (int(on["level"]), f"{_tile_name(tile)} ({Side(int(on['turned'])).name.lower()})")
            for tile, on in enumerate(s["tiles"])
            if on["place"] == Place.BOARD and on["cell"] == cell and tile != top
        ]
        names = ", ".join(name for _, name in sorted(under, reverse=True))
        lie = "lies" if len(under) == 1 else "lie"
        lines.append(f"{CELL_NAMES[cell]}: under {_tile_name(top)} {lie} {names}")
    return lines


def _tile_name(tile: int) -> str:
    return f"{colour(tile // N_KINDS)} {kind_name(tile)}"


def _tile(s: Any, cell: int) -> list[str]:
    """Draw one cell as five lines; ``=`` and ``#`` are walls, ``-`` and ``|`` open edges."""
    tile = int(s["top"][cell])
    if tile == NONE:
        return [" " * (INNER + 2)] * 5
    on = s["tiles"][tile]
    walls = WALLS[tile % N_KINDS, int(on["turned"])]
    dwarfs = " ".join(colour(k)[0] * int(n) for k, n in enumerate(on["dwarfs"]) if n)
    free = SPOTS[tile % N_KINDS] - int(on["dwarfs"].sum())
    notes = f"x{on['level'] + 1} " if on["level"] else ""
    if is_guarded(s, tile, stack_of(tile)):
        notes += "guarded"
    west, east = "#" if walls[Side.WEST] else "|", "#" if walls[Side.EAST] else "|"
    inside = (kind_name(tile), f"{colour(tile // N_KINDS)} {notes}", f"{dwarfs} {'.' * free}")
    body = [f"{west}{line.strip().ljust(INNER)[:INNER]}{east}" for line in inside]
    north = ("=" if walls[Side.NORTH] else "-") * INNER
    south = ("=" if walls[Side.SOUTH] else "-") * INNER
    return [f"+{north}+", *body, f"+{south}+"]


def _king(s: Any, king: int, seat: int | None) -> list[str]:
    me = s["players"][king]
    open_hand = seat in (None, king)
    tiles = [
        kind_name(tile)
        for tile in range(king * N_KINDS, (king + 1) * N_KINDS)
        if s["tiles"][tile]["place"] == Place.HAND
    ]
    if open_hand:
        gems, ogres = _counts(GEMS, me["gems"]), _counts(OGRES, me["ogres"])
    else:
        watcher = s["players"][seat]
        gems = _hidden(GEMS, watcher["known_gems"][king], gems_of(s, king))
        ogres = _hidden(OGRES, watcher["known_ogres"][king], ogres_of(s, king))
    secret = "hidden"
    if open_hand or me["revealed"]:
        state = "done" if me["revealed"] else "secret"
        secret = f"{SECRETS[int(me['secret'])].replace('_', ' ')} ({state})"
    goals = [name for name, done in zip(GOAL_NAMES, me["goals"], strict=True) if done]
    works = "works" if castle_works(s, king) else "does not work"
    return [
        f"{colour(king)}: {me['pile']} dwarfs in the pile, castle {works}, kingdom of "
        f"{kingdom_tiles(s, king)} tiles for {kingdom_points(s, king)} VP",
        f"   hand of {hand_size(s, king)}: {', '.join(tiles) or 'no tiles'}; gems: {gems}; "
        f"ogre cards: {ogres}",
        f"   trading goals: {', '.join(goals) or 'none'}; secret goal: {secret}; "
        f"monsters: {monsters_beaten(s, king)}",
    ]


def _hidden(names: Any, known: Any, total: int) -> str:
    unknown = int(total) - int(known.sum())
    if not unknown:
        return _counts(names, known)
    return f"{_counts(names, known)}, {unknown} unknown" if known.sum() else f"{unknown} unknown"


def breakdown(states: States, i: int) -> dict[str, Any]:
    """Return every king's points by rule, why the game ended, and what broke a tie."""
    s = states[i]
    n = int(s["n_seats"])
    kings = {
        colour(k): {
            "goals": int(goal_points(s, k)),
            "monsters": MONSTER_VP * int(monsters_beaten(s, k)),
            "gems": int(gem_points(s, k)),
            "kingdom": int(kingdom_points(s, k)),
            "total": int(points_of(s, k)),
            "kingdom_tiles": int(kingdom_tiles(s, k)),
            "dwarfs_on_board": int(dwarfs_on_board(s, k)),
        }
        for k in range(n)
    }
    reason = ""
    if s["over"]:
        reason = "a king completed three goals" if s["last_round"] else "the cap on turns"
    best = [k for k in range(n) if not any(beats(s, other, k) for other in range(n))]
    most = max(points_of(s, k) for k in range(n))
    level = [k for k in range(n) if points_of(s, k) == most]
    tie = ""
    if s["over"] and len(level) > 1:
        sizes = [int(kingdom_tiles(s, k)) for k in level]
        tie = "dwarfs on the board" if sizes.count(max(sizes)) > 1 else "kingdom in tiles"
        tie = "shared" if len(best) > 1 else tie
    return {
        "kings": kings,
        "end_reason": reason,
        "winners": [colour(k) for k in best] if s["over"] else [],
        "tie_break": tie,
    }
