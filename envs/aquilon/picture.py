"""The position as a picture: taverns, Cognars and treasury; below, each lord's army by Order."""

from __future__ import annotations

from typing import Any

from dwarrow.envs.aquilon import scoring
from dwarrow.envs.aquilon.cards import (
    ANY_COLUMN,
    COGNAR_COLUMN,
    COGNAR_POINTS,
    COGNAR_RANKS,
    COGNARS,
    COINS,
    COMMAND,
    DWARF_ERA,
    DWARF_MALTS,
    DWARF_OCCULTS,
    DWARF_ORDER,
    DWARF_POINTS,
    DWARF_RUNE,
    FIRST_GOLD,
    N_COGNARS,
    N_GOLD,
    N_ORDERS,
    N_RECRUITS,
    ORDERS,
    Order,
)
from dwarrow.envs.aquilon.layout import N_SLOTS, N_TAVERNS, PURSE, Phase
from dwarrow.envs.aquilon.render import (
    TAVERN_NAMES,
    breakdown,
    coins_seen,
    column_of,
    headline,
    svara_seen,
)
from dwarrow.envs.core.kernels import States
from dwarrow.envs.core.record import NONE
from dwarrow.envs.core.svg import (
    INK,
    LINE,
    MUTED,
    PAPER,
    SEAT,
    WHITE,
    Picture,
    grid,
    rows_of,
    shade,
)

_ORDER = ("#5b7a99", "#b58a1b", "#4f8a57", "#b2532f", "#7a5ba6")
_COMMAND, _MERCENARY = "#6f6a64", "#3f3b37"
_MALT, _OCCULT = "#e2a93a", "#5a3f8c"
_GOLD, _BRONZE, _EXCHANGE = "#ecc44d", "#c98d5a", "#b7c4cc"
_GEM = ("#999999", "#8a5a3c", "#3b8250", "#2c6a9b", "#b0433a", "#e0b93a")

_WIDTH, _MARGIN = 1220, 16
_SIDE = 236  # the lord's own block, left of the columns
_COLUMN = 152
_CHIP_W, _CHIP_H, _STEP = 70, 21, 24


def svg(states: States, i: int, seat: int | None) -> str:
    """Return the position as SVG; with a seat, only what that seat may see."""
    s = states[i]
    picture = Picture(_WIDTH)
    title = headline(s)
    room = _WIDTH - 2 * _MARGIN
    picture.text(_MARGIN, 30, title, 17, bold=True, room=room)
    view = "everything is shown" if seat is None else f"as seat {seat} sees it"
    picture.text(_MARGIN, 48, view, 12, MUTED)
    y = 70.0
    if not s["over"]:
        y = _taverns(picture, s, y)
        y = _svara(picture, svara_seen(s, seat), y)
        y = _recruits(picture, s, y)
        y = _treasury(picture, s, y)
    lords = breakdown(states, i)["lords"]
    for other in range(int(s["n_seats"])):
        y = _lord(picture, s, other, seat, lords[other], y)
    _legend(picture, y + 4)
    return picture.finish(y + 20, title)


def _legend(picture: Picture, y: float) -> None:
    notes = (
        "T0, T1, T2: the coin at that tavern; dashed: face down. Mug: Malt; ring: Occult; diamond: "
        "rune; struck out: covered by a Pariah token; ×2: two ranks."
    )
    picture.text(_MARGIN, y, notes, 11, MUTED, room=_WIDTH - 2 * _MARGIN)


# Cards


def _symbols(picture: Picture, card: int, x: float, y: float, r: float) -> None:
    """Draw Occults, rune and Malts of a dwarf from right to left, ending at `x`."""
    for _ in range(int(DWARF_MALTS[card])):
        picture.rect(x - 2 * r, y - r, 1.5 * r, 2 * r, _MALT, INK, corner=1)
        picture.rect(x - 0.5 * r, y - 0.5 * r, 0.6 * r, r, None, INK)
        x -= 2 * r + 4
    for _ in range(int(DWARF_OCCULTS[card])):
        picture.circle(x - r, y, r, _OCCULT, WHITE)
        picture.circle(x - r, y, 0.35 * r, WHITE)
        x -= 2 * r + 4
    if DWARF_RUNE[card] != NONE:
        cx, reach = x - 1.2 * r, 1.45 * r
        corners = [(cx, y - reach), (cx + reach, y), (cx, y + reach), (cx - reach, y)]
        picture.polygon(corners, WHITE, INK)
        number = str(int(DWARF_RUNE[card]) + 1)
        picture.text(cx, y + 0.5 * r, number, 1.4 * r, anchor="middle", bold=True)


def _small_dwarf(picture: Picture, card: int, x: float, y: float) -> None:
    fill = _ORDER[int(DWARF_ORDER[card])]
    picture.rect(x, y, _CHIP_W, _CHIP_H, fill, corner=4)
    points = str(int(DWARF_POINTS[card])) if DWARF_POINTS[card] else ""
    picture.text(x + 6, y + 15.5, points, 13.5, WHITE, bold=True)
    _symbols(picture, card, x + _CHIP_W - 5, y + _CHIP_H / 2, 6)


def _large_dwarf(picture: Picture, card: int, slot: int, x: float, y: float) -> None:
    order = int(DWARF_ORDER[card])
    picture.rect(x, y, 66, 74, _ORDER[order], INK, corner=6)
    picture.rect(x, y, 66, 19, shade(_ORDER[order], INK, 0.35), corner=6)
    picture.text(x + 33, y + 14, ORDERS[order], 11.5, WHITE, anchor="middle", bold=True, room=60)
    points = str(int(DWARF_POINTS[card])) if DWARF_POINTS[card] else ""
    picture.text(x + 6, y + 44, points, 20, WHITE, bold=True)
    _symbols(picture, card, x + 60, y + 38, 6.5)
    era = "I" * (int(DWARF_ERA[card]) + 1)
    picture.text(x + 6, y + 68, era, 11, WHITE)
    picture.text(x + 60, y + 68, f"[{slot}]", 11, WHITE, anchor="end")


def _cognar_colour(cognar: int, column: int) -> str:
    if COGNAR_COLUMN[cognar] == ANY_COLUMN:
        return _MERCENARY
    return _COMMAND if column >= N_ORDERS else _ORDER[column]


def _cognar(picture: Picture, s: Any, cognar: int, x: float, y: float, w: float) -> None:
    """Draw a Cognar as a light label framed in the colour of its column."""
    colour = _cognar_colour(cognar, int(COGNAR_COLUMN[cognar]))
    picture.rect(x, y, w, _CHIP_H, shade(colour, WHITE, 0.75), colour, width=2, corner=4)
    right = ""
    if COGNAR_RANKS[cognar] > 1:
        right = f"×{int(COGNAR_RANKS[cognar])}, "
    if COGNAR_POINTS[cognar]:
        right += str(int(COGNAR_POINTS[cognar]))
    picture.text(x + w - 6, y + 15, right.removesuffix(", "), 12, anchor="end", bold=True)
    room = w - 14 - (9 * len(right) if right else 0)
    picture.text(x + 6, y + 15, COGNARS[cognar], 12.5, room=room)


# The table


def _taverns(picture: Picture, s: Any, y: float) -> float:
    width = (_WIDTH - 2 * _MARGIN - 2 * 14) / N_TAVERNS
    resolving = s["phase"] not in (Phase.BID, Phase.ORDO)
    for tavern in range(N_TAVERNS):
        x = _MARGIN + tavern * (width + 14)
        now = resolving and int(s["tavern"]) == tavern
        name = TAVERN_NAMES[tavern]
        title = f"tavern {tavern}: {name[0].upper()}{name[1:]}"
        picture.panel(x, y, width, 96, title, SEAT[int(s["seat"])] if now else LINE)
        for slot in range(N_SLOTS):
            card = int(s["taverns"][tavern][slot])
            if card != NONE:
                _large_dwarf(picture, card, slot, x + 14 + 73 * slot, y + 13)
    return y + 96 + 22


def _svara(picture: Picture, cards: list[int], y: float) -> float:
    if not cards:
        return y
    picture.panel(_MARGIN, y, 400, 96, "Svara looks at")
    for k, card in enumerate(cards):
        _large_dwarf(picture, card, k, _MARGIN + 14 + 73 * k, y + 13)
    return y + 96 + 22


def _recruits(picture: Picture, s: Any, y: float) -> float:
    """Draw the Cognars left, each in the column where it would stand."""
    columns: list[list[int]] = [[] for _ in range(ANY_COLUMN + 1)]
    for cognar in range(N_RECRUITS):
        if s["holder"][cognar] == NONE:
            columns[int(COGNAR_COLUMN[cognar])].append(cognar)
    rows = max(1, *(len(c) for c in columns[: N_ORDERS + 1]), rows_of(len(columns[-1]), 2))
    height = 16 + _STEP * rows
    picture.panel(_MARGIN, y, _WIDTH - 2 * _MARGIN, height, "Cognars to recruit")
    for order, held in enumerate(columns[: N_ORDERS + 1]):
        x = _column_x(order)
        for k, cognar in enumerate(held):
            _cognar(picture, s, cognar, x, y + 13 + _STEP * k, _COLUMN - 12)
    spots = grid(len(columns[-1]), _MARGIN + 12, y + 13, 2, 110, _STEP)
    for cognar, (x, top) in zip(columns[-1], spots, strict=True):
        _cognar(picture, s, cognar, x, top, 104)
    return y + height + 20


def _treasury(picture: Picture, s: Any, y: float) -> float:
    picture.panel(_MARGIN, y, _WIDTH - 2 * _MARGIN, 44, "treasury and decks")
    x = _MARGIN + 28.0
    for k in range(N_GOLD):
        count = int(s["treasury"][k])
        if not count:
            continue
        _coin(picture, COINS[FIRST_GOLD + k], x, y + 24, 14)
        if count > 1:
            picture.text(x + 16, y + 36, f"×{count}", 11, MUTED)
        x += 52 if count > 1 else 34
    decks = [f"Era {'I' * (k + 1)}: {int(s['decks'][k]['left'])} cards" for k in range(2)]
    for k, text in enumerate(decks):
        picture.text(_WIDTH - _MARGIN - 14, y + 20 + 16 * k, text, 12, anchor="end")
    return y + 44 + 20


def _coin(picture: Picture, coin: str, x: float, y: float, r: float) -> None:
    """Draw a coin as it is written: ``?`` unknown, in brackets known to its lord alone."""
    if coin == "?":
        picture.token(x, y, r, "?", PAPER, MUTED, MUTED, dashed=True)
        return
    name = coin.strip("()")
    gold = name.startswith("gold") or (name.isdigit() and int(name) > 5)
    fill = _GOLD if gold else _BRONZE
    if name.endswith("Exchange"):
        fill = _EXCHANGE
    label = name.removeprefix("gold ").removesuffix(" Exchange")
    picture.token(x, y, r, label, fill, INK, dashed=coin != name)


# A lord


def _column_x(order: int) -> float:
    return _MARGIN + _SIDE + 6 + order * _COLUMN


def _lord(
    picture: Picture, s: Any, other: int, seat: int | None, lord: dict[str, Any], y: float
) -> float:
    me = s["players"][other]
    dwarfs = [int(card) for card in me["army"][: int(me["n_army"])]]
    cognars = [c for c in range(N_COGNARS) if s["holder"][c] == other]
    rows = [0] * (N_ORDERS + 1)
    for order in range(N_ORDERS + 1):
        here = [c for c in cognars if column_of(s, c) == order]
        rows[order] = len(here) + rows_of(sum(int(DWARF_ORDER[c]) == order for c in dwarfs), 2)
    if me["n_covered"]:
        rows[Order.WANDERERS] += rows_of(int(me["n_covered"]), 6)
    height = max(116.0, 34 + _STEP * max(rows))
    to_move = int(s["seat"]) == other
    colour = SEAT[other]
    picture.rect(
        _MARGIN, y, _WIDTH - 2 * _MARGIN, height, WHITE, colour if to_move else LINE, corner=7,
        width=3 if to_move else 1.5,
    )  # fmt: skip
    _side(picture, s, other, seat, lord, y, height)
    names = [*(order.lower() for order in ORDERS), "command"]
    for order in range(N_ORDERS + 1):
        x = _column_x(order)
        picture.line(x - 7, y + 6, x - 7, y + height - 6)
        points = int(lord["points"][names[order]])
        if order == COMMAND:
            head, tint = "Command", _COMMAND
        else:
            head, tint = f"{ORDERS[order]} {int(me['ranks'][order])}", _ORDER[order]
        picture.text(x, y + 19, head, 13, tint, bold=True, room=_COLUMN - 62)
        picture.text(x + _COLUMN - 14, y + 19, f"{points} pts", 11.5, MUTED, anchor="end")
        _column(picture, s, other, order, dwarfs, cognars, x, y + 27)
    return y + height + 14


def _column(
    picture: Picture,
    s: Any,
    other: int,
    order: int,
    dwarfs: list[int],
    cognars: list[int],
    x: float,
    y: float,
) -> None:
    mine = [card for card in dwarfs if int(DWARF_ORDER[card]) == order]
    for card, (left, top) in zip(mine, grid(len(mine), x, y, 2, _CHIP_W + 2, _STEP), strict=True):
        _small_dwarf(picture, card, left, top)
    y += _STEP * rows_of(len(mine), 2)
    for cognar in cognars:
        if column_of(s, cognar) == order:
            _cognar(picture, s, cognar, x, y, 2 * _CHIP_W + 2)
            y += _STEP
    me = s["players"][other]
    if order == Order.WANDERERS:
        covered = [int(v) for v in me["covered"][: int(me["n_covered"])]]
        for value, (left, top) in zip(covered, grid(len(covered), x, y, 6, 24, _STEP), strict=True):
            picture.token(left + 11, top + 11, 10, str(value), INK)
            picture.line(left + 4, top + 18, left + 18, top + 4, "#d4574b", 1.5)


def _side(
    picture: Picture,
    s: Any,
    other: int,
    seat: int | None,
    lord: dict[str, Any],
    y: float,
    height: float,
) -> None:
    """Draw seat, gem, Bravery, coins and Malts."""
    x, colour = _MARGIN + 12.0, SEAT[other]
    me = s["players"][other]
    picture.rect(_MARGIN + 1, y + 6, 6, height - 12, colour, corner=2)
    picture.text(x, y + 22, f"seat {other}", 15, colour, bold=True)
    gem = int(me["gem"])
    cx, cy = x + 82, y + 17
    corners = [(cx - 12, cy - 4), (cx - 6, cy - 11), (cx + 6, cy - 11), (cx + 12, cy - 4)]
    picture.polygon([*corners, (cx, cy + 12)], _GEM[gem], INK)
    picture.text(cx, cy + 3, str(gem), 12, WHITE, anchor="middle", bold=True)
    bravery = f"{int(scoring.bravery(s, other))}"
    picture.text(x + 216, y + 22, bravery, 17, anchor="end", bold=True)
    picture.text(x + 172, y + 22, "Bravery", 11, MUTED, anchor="end")
    held, laid = coins_seen(s, other, seat)
    for k, coin in enumerate(laid or held):
        apart = 8 if laid and k >= PURSE else 0
        _coin(picture, coin, x + 16 + 38 * k + apart, y + 52, 15)
        if laid:
            label = f"T{k}" if k < PURSE else "purse"
            at = x + 16 + 38 * k + apart
            picture.text(at, y + 79, label, 10, MUTED, anchor="middle")
    points = lord["points"]
    counts = f"{int(points['coins'])} pts for coins, {int(points['malts'])} for Malts"
    if laid:
        picture.text(x, y + 95, "all: " + "  ".join(held), 11, MUTED, room=_SIDE - 26)
    else:
        picture.text(x, y + 81, "in hand", 11, MUTED)
    picture.text(x, y + 109, counts, 11, MUTED, room=_SIDE - 26)
