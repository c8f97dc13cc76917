"""The position as a picture: tiles with walls and dwarfs, the supply, the hand of each king."""

from __future__ import annotations

from typing import Any

from dwarrow.envs.core.kernels import States
from dwarrow.envs.core.record import NONE
from dwarrow.envs.core.svg import (
    INK,
    LINE,
    MUTED,
    PAPER,
    WHITE,
    Picture,
    hexagon,
    shade,
    wrapped,
)
from dwarrow.envs.dwar7s_fall.board import castle_works, is_guarded, is_monster, stack_of
from dwarrow.envs.dwar7s_fall.cards import (
    AMOUNT,
    COST,
    GOAL_NAMES,
    GOAL_VP,
    NEED,
    OGRES,
    SECRETS,
    SPOTS,
    WALLS,
)
from dwarrow.envs.dwar7s_fall.layout import (
    CELL_NAMES,
    MAX_SEATS,
    N_CELLS,
    N_GEMS,
    N_KINDS,
    N_OGRES,
    N_TILES,
    WIDTH,
    Kind,
    Place,
    Side,
)
from dwarrow.envs.dwar7s_fall.render import colour, covered, headline, kind_name
from dwarrow.envs.dwar7s_fall.rules.hands import gems_of, hand_size, ogres_of
from dwarrow.envs.dwar7s_fall.scoring import kingdom_points, kingdom_tiles, points_of

_KING = ("#2c6a9b", "#b0433a", "#3b8250", "#c9a11c")
_GEM = ("#e3b92f", "#2f9e62", "#8fd0e6", "#c22f3f")
_STACK = ("#cfc7bb", "#e3d3b4", "#dcc9c2")
_MONSTER = "#4a3f46"
_WALL = "#3c332b"

_WIDTH, _MARGIN = 1240, 16
_SIDE = 480  # the kings' column on the right
_BOARD = _WIDTH - _SIDE - 3 * _MARGIN
_LARGEST = 118.0  # edge of a tile where there is room


def svg(states: States, i: int, seat: int | None) -> str:
    """Return the position as SVG; with a seat, only what that king may see."""
    s = states[i]
    picture = Picture(_WIDTH)
    title = headline(s)
    view = "everything is shown" if seat is None else f"as {colour(seat)} sees it"
    y = 26.0
    for line in wrapped(title, 15, _WIDTH - 2 * _MARGIN, bold=True):
        picture.text(_MARGIN, y, line, 15, bold=True)
        y += 20
    picture.text(_MARGIN, y - 2, view, 12, MUTED)
    y += 18
    left = _board(picture, s, _supply(picture, s, y))
    right = y
    for king in range(int(s["n_seats"])):
        right = _king(picture, s, king, seat, right)
    bottom = max(left, right)
    notes = "Thick edge: wall; round spots: dwarfs and free spots; 2→1: dwarfs needed and gain; "
    notes += "×2: two tiles stacked; labels in hands are coloured by what they may lie on."
    picture.text(_MARGIN, bottom + 6, notes, 11, MUTED, room=_WIDTH - 2 * _MARGIN)
    for line in covered(s):
        bottom += 16
        picture.text(_MARGIN, bottom + 6, line, 11, MUTED, room=_WIDTH - 2 * _MARGIN)
    return picture.finish(bottom + 20, f"Dwar7s Fall. {title}")


# The supply


def gem(picture: Picture, kind: int, x: float, y: float, r: float, label: str = "") -> None:
    """Draw a gem around (x, y), with a count if given."""
    ink = INK if kind in (0, 2) else WHITE
    picture.polygon(hexagon(x, y, r), _GEM[kind], INK)
    if label:
        size = 1.05 * r
        picture.text(x, y + 0.36 * r, label, size, ink, anchor="middle", bold=True, room=1.8 * r)


def _supply(picture: Picture, s: Any, y: float) -> float:
    picture.panel(_MARGIN, y, _BOARD, 92, "supply")
    x = _MARGIN + 14.0
    for goal in s["goal_row"]:
        if goal == NONE:
            continue
        picture.rect(x, y + 14, 104, 34, shade("#b58a1b", WHITE, 0.8), "#b58a1b", corner=5)
        at = x + 14
        for kind in range(N_GEMS):
            for _ in range(int(COST[goal][kind])):
                gem(picture, kind, at, y + 31, 8)
                at += 17
        picture.text(x + 98, y + 37, str(int(GOAL_VP[goal])), 16, anchor="end", bold=True)
        x += 112
    left = int(s["goals_left"])
    picture.text(x + 2, y + 28, f"trading goals, {left} more", 12, MUTED, room=_BOARD - x - 4)
    picture.text(x + 2, y + 43, "in the deck", 12, MUTED)
    at = _MARGIN + 26.0
    for kind in range(N_GEMS):
        gem(picture, kind, at, y + 70, 13, str(int(s["gem_piles"][kind])))
        at += 36
    picture.text(at - 8, y + 74, "gem piles", 12, MUTED)
    gone = [f"{int(n)} {OGRES[k]}" for k, n in enumerate(s["ogre_discard"]) if n]
    ogres = f"ogre deck {int(s['ogre_deck_size'])}; discarded: {', '.join(gone) or 'none'}"
    picture.text(at + 72, y + 74, ogres, 12, MUTED, room=_BOARD - at - 72)
    return y + 92 + 22


# The board


def _board(picture: Picture, s: Any, y: float) -> float:
    cells = [cell for cell in range(N_CELLS) if s["top"][cell] != NONE]
    if not cells:
        picture.panel(_MARGIN, y, _BOARD, 120, "the table")
        picture.text(_MARGIN + 20, y + 62, "No tile lies on the table.", 14, MUTED)
        return y + 140
    columns = [cell % WIDTH for cell in cells]
    rows = [cell // WIDTH for cell in cells]
    west, north = min(columns), min(rows)
    wide, tall = max(columns) - west + 1, max(rows) - north + 1
    side = min(_LARGEST, (_BOARD - 40) / wide)
    height = 38 + side * tall
    picture.panel(_MARGIN, y, _BOARD, height, "the table")
    left = _MARGIN + 26 + (_BOARD - 40 - side * wide) / 2
    top = y + 28
    for k in range(wide):
        name = CELL_NAMES[west + k][0]
        picture.text(left + side * (k + 0.5), y + 22, name, 12, MUTED, anchor="middle")
    for k in range(tall):
        at = top + side * (k + 0.5) + 4
        picture.text(left - 8, at, str(north + k + 1), 12, MUTED, anchor="end")
    for cell, column, row in zip(cells, columns, rows, strict=True):
        _tile(picture, s, cell, left + side * (column - west), top + side * (row - north), side)
    for cell, column, row in zip(cells, columns, rows, strict=True):
        _walls(picture, s, cell, left + side * (column - west), top + side * (row - north), side)
    return y + height + 22


def _tile(picture: Picture, s: Any, cell: int, x: float, y: float, side: float) -> None:
    """Draw an uppermost tile: owner, kind, what its task needs and gives, dwarfs and free spots."""
    tile = int(s["top"][cell])
    on, kind, owner = s["tiles"][tile], tile % N_KINDS, tile // N_KINDS
    u = side / 100
    monster = bool(is_monster(tile))
    fill = _MONSTER if monster else _STACK[int(stack_of(tile))]
    ink = WHITE if monster else INK
    picture.rect(x + 1, y + 1, side - 2, side - 2, fill, LINE)
    picture.rect(x + 8 * u, y + 8 * u, 84 * u, 19 * u, _KING[owner], corner=3 * u)
    picture.text(
        x + 50 * u, y + 21.5 * u, kind_name(tile), 12.5 * u, WHITE, anchor="middle", bold=True,
        room=80 * u,
    )  # fmt: skip
    picture.text(
        x + 50 * u, y + 46 * u, f"{int(NEED[kind])}→{_gain(kind)}", 12 * u, ink, anchor="middle",
        room=46 * u,
    )  # fmt: skip
    _emblem(picture, kind, x + 20 * u, y + 42 * u, 9.5 * u)
    if on["level"]:
        picture.text(
            x + 90 * u, y + 62 * u, f"×{int(on['level']) + 1}", 13 * u, ink, anchor="end",
            bold=True,
        )  # fmt: skip
    if is_guarded(s, tile, stack_of(tile)) and not monster:
        picture.text(x + 50 * u, y + 59 * u, "guarded", 10 * u, "#a3262f", anchor="middle")
    if on["resolved"]:
        picture.text(x + 50 * u, y + 59 * u, "resolved", 10 * u, MUTED, anchor="middle")
    _spots(picture, on["dwarfs"], int(SPOTS[kind]), x + 50 * u, y + 77 * u, u)


def _gain(kind: int) -> str:
    if kind in (Kind.FIRE_DRAGON, Kind.FROST_GIANT):
        return "slain"
    return f"{int(AMOUNT[kind])}"


def _emblem(picture: Picture, kind: int, x: float, y: float, r: float) -> None:
    """Draw what a tile is about: a tower, a gem, a mug, a sack, a monster's eye."""
    gems = {
        Kind.GOLD_MINE: 0,
        Kind.EMERALD_MINE: 1,
        Kind.DIAMOND_MINE: 2,
        Kind.RUBY_MINE: 3,
    }
    if kind in gems:
        gem(picture, gems[Kind(kind)], x, y, r)
    elif kind == Kind.CASTLE:
        picture.rect(x - r, y - 0.5 * r, 2 * r, 1.5 * r, "#8b8378", INK)
        for k in range(3):
            picture.rect(x - r + 0.75 * k * r, y - r, 0.5 * r, 0.6 * r, "#8b8378", INK)
    elif kind == Kind.TAVERN:
        picture.rect(x - 0.8 * r, y - r, 1.3 * r, 2 * r, "#e2a93a", INK)
        picture.rect(x + 0.5 * r, y - 0.5 * r, 0.5 * r, r, None, INK)
    elif kind == Kind.GENERAL_STORE:
        picture.circle(x, y + 0.2 * r, 0.9 * r, "#a98555", INK)
        picture.rect(x - 0.4 * r, y - r, 0.8 * r, 0.5 * r, "#a98555", INK)
    else:
        glow = "#e2532f" if kind == Kind.FIRE_DRAGON else "#9fd4ee"
        picture.polygon([(x - r, y), (x, y - 0.8 * r), (x + r, y), (x, y + 0.8 * r)], glow, INK)
        picture.circle(x, y, 0.35 * r, INK)


def _spots(picture: Picture, dwarfs: Any, spots: int, x: float, y: float, u: float) -> None:
    """Draw the dwarfs on a tile in their kings' colours, then its free spots."""
    standing = [king for king in range(MAX_SEATS) for _ in range(int(dwarfs[king]))]
    n = max(spots, len(standing))
    step = min(20.0, 84 / n) * u
    for k in range(n):
        at = x + step * (k - (n - 1) / 2)
        if k < len(standing):
            _dwarf(picture, standing[k], at, y, 8.5 * u)
        else:
            picture.circle(at, y, 6 * u, PAPER, MUTED, dashed=True)


def _dwarf(picture: Picture, king: int, x: float, y: float, r: float) -> None:
    body = [
        (x - r, y + r),
        (x + r, y + r),
        (x + 0.45 * r, y - 0.3 * r),
        (x - 0.45 * r, y - 0.3 * r),
    ]
    picture.polygon(body, _KING[king], INK)
    picture.circle(x, y - 0.5 * r, 0.6 * r, _KING[king], INK)


def _walls(picture: Picture, s: Any, cell: int, x: float, y: float, side: float) -> None:
    tile = int(s["top"][cell])
    walls = WALLS[tile % N_KINDS, int(s["tiles"][tile]["turned"])]
    inset, width = 4 * side / 100, 6 * side / 100
    near_x, near_y, far_x, far_y = x + inset, y + inset, x + side - inset, y + side - inset
    edges = {
        Side.NORTH: (near_x, near_y, far_x, near_y),
        Side.EAST: (far_x, near_y, far_x, far_y),
        Side.SOUTH: (near_x, far_y, far_x, far_y),
        Side.WEST: (near_x, near_y, near_x, far_y),
    }
    for edge, ends in edges.items():
        if walls[edge]:
            picture.line(*ends, _WALL, width)


# A king


def _king(picture: Picture, s: Any, king: int, seat: int | None, y: float) -> float:
    me = s["players"][king]
    x, height = _WIDTH - _MARGIN - _SIDE, 152.0
    asked = int(s["seat"]) == king
    tint = _KING[king]
    picture.rect(
        x, y, _SIDE, height, WHITE, tint if asked else LINE, width=3 if asked else 1.5, corner=8
    )
    picture.rect(x + 2, y + 8, 6, height - 16, tint, corner=2)
    picture.text(x + 16, y + 22, colour(king), 15, tint, bold=True)
    kingdom = f"kingdom {int(kingdom_tiles(s, king))} tiles, {int(kingdom_points(s, king))} VP"
    castle = "castle works" if castle_works(s, king) else "castle does not work"
    picture.text(x + 90, y + 21, f"{kingdom}; {castle}", 11.5, MUTED, room=290)
    open_hand = seat in (None, king)
    if open_hand:  # gems and the secret goal count, and are nobody else's business
        picture.text(x + _SIDE - 12, y + 23, str(int(points_of(s, king))), 17, anchor="end",
                     bold=True)  # fmt: skip
        picture.text(x + _SIDE - 46, y + 22, "VP", 11, MUTED, anchor="end")
    for k in range(int(me["pile"])):
        _dwarf(picture, king, x + 26 + 19 * k, y + 42, 8)
    at = x + 16 + 19 * int(me["pile"]) + (6 if me["pile"] else 0)
    picture.text(at, y + 46, f"{int(me['pile'])} in the pile", 11, MUTED)
    _goals(picture, s, king, open_hand, x + 240, y + 46)
    size = int(hand_size(s, king))
    tiles = [
        tile
        for tile in range(king * N_KINDS, (king + 1) * N_KINDS)
        if s["tiles"][tile]["place"] == Place.HAND
    ]
    picture.text(x + 16, y + 69, f"hand of {size}", 11.5, MUTED, bold=True)
    _tiles_in_hand(picture, tiles, x + 92, y + 57)
    if open_hand:
        gems, ogres = list(me["gems"]), list(me["ogres"])
        more_gems = more_ogres = 0
    else:
        watcher = s["players"][seat]
        gems, ogres = list(watcher["known_gems"][king]), list(watcher["known_ogres"][king])
        more_gems = int(gems_of(s, king)) - int(sum(gems))
        more_ogres = int(ogres_of(s, king)) - int(sum(ogres))
    _gems_in_hand(picture, gems, more_gems, x + 16, y + 114)
    _ogres_in_hand(picture, ogres, more_ogres, x + 16, y + 130)
    return y + height + 12


def _goals(picture: Picture, s: Any, king: int, open_hand: bool, x: float, y: float) -> None:
    me = s["players"][king]
    for goal, done in enumerate(me["goals"]):
        if done:
            picture.chip(x, y - 14, 40, 18, f"{GOAL_NAMES[goal]}", "#f0dda0", INK, "#b58a1b")
            x += 44
    beaten = [tile for tile in range(N_TILES) if s["tiles"][tile]["beaten_by"] == king]
    for tile in beaten:
        _emblem(picture, tile % N_KINDS, x + 9, y - 5, 8)
        x += 20
    room = _WIDTH - _MARGIN - 10 - x
    if open_hand or me["revealed"]:
        secret = SECRETS[int(me["secret"])].replace("_", " ")
        state = "done" if me["revealed"] else "secret"
        picture.text(x + 2, y, f"{secret} ({state})", 11.5, room=room)
    else:
        picture.text(x + 2, y, "secret goal hidden", 11.5, MUTED, room=room)


def _tiles_in_hand(picture: Picture, tiles: list[int], x: float, y: float) -> None:
    """Draw the tiles of a hand, open to all, as labels coloured by what they may lie on."""
    for k, tile in enumerate(tiles):
        monster = bool(is_monster(tile))
        fill = _MONSTER if monster else _STACK[int(stack_of(tile))]
        at, top = x + 76 * (k % 5), y + 21 * (k // 5)
        picture.chip(at, top, 73, 18, kind_name(tile), fill, WHITE if monster else INK)


def _gems_in_hand(picture: Picture, gems: list[Any], more: int, x: float, y: float) -> None:
    at = x + 10
    for kind, count in enumerate(gems):
        for _ in range(int(count)):
            gem(picture, kind, at, y, 9)
            at += 20
    for _ in range(more):
        picture.polygon(hexagon(at, y, 9), PAPER, MUTED, dashed=True)
        picture.text(at, y + 4, "?", 11, MUTED, anchor="middle")
        at += 20
    if at == x + 10:
        picture.text(x, y + 4, "no gems", 11.5, MUTED)


def _ogres_in_hand(picture: Picture, ogres: list[Any], more: int, x: float, y: float) -> None:
    names = [OGRES[k] for k in range(N_OGRES) for _ in range(int(ogres[k]))]
    names += ["?"] * more
    width = min(62.0, (_SIDE - 28) / max(1, len(names)))
    for k, name in enumerate(names):
        hidden = name == "?"
        fill = PAPER if hidden else shade("#6d7f3f", WHITE, 0.65)
        picture.chip(
            x + width * k, y, width - 4, 17, name, fill, MUTED if hidden else INK,
            MUTED if hidden else "#6d7f3f", dashed=hidden,
        )  # fmt: skip
    if not names:
        picture.text(x, y + 12, "no ogre cards", 11.5, MUTED)
