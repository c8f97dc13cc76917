"""The duel as a picture: dice and Joker cards in the middle, displays, hands and piles around."""

from __future__ import annotations

from typing import Any

import numpy as np

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
from dwarrow.envs.the_duel.cards import (
    COST_DICE,
    COST_NUMBER,
    DECK,
    LIFE,
    N_ALLIES,
    N_KINDS,
    N_LASTING,
    N_NUMBERS,
    N_WITH_LIFE,
    NAMES,
    POINTS,
    STRIKES,
    Kind,
)
from dwarrow.envs.the_duel.layout import AXE, N_FACES, N_JOKER_CARDS, N_SEATS, PILE, Phase
from dwarrow.envs.the_duel.observe import n_unseen
from dwarrow.envs.the_duel.render import SIDES, heading, payment, target_name
from dwarrow.envs.the_duel.rules.dice import hand_size
from dwarrow.envs.the_duel.scoring import points

_WIDTH, _MARGIN = 1180, 16
_ROOM = _WIDTH - 2 * _MARGIN
_TYPE = ("#4f7a4a", "#b58a1b", "#2f6f88", "#a3502e", "#7a4f93")  # by the card's type
_TYPE_NAMES = ("Ally", "points", "Support", "Event", "Twist")
_LIFE, _DAMAGE = "#b8322a", "#e7d6cf"
_CARD_W, _CARD_H, _SMALL_H = 118, 78, 40
_PER_ROW = 9
_FACES = ("1", "2", "3", "4", "5", "axe")
_PIPS = (
    ((0, 0),),
    ((-1, -1), (1, 1)),
    ((-1, -1), (0, 0), (1, 1)),
    ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
)


def svg(states: States, i: int, seat: int | None) -> str:
    """Return the duel as SVG; with a seat, only what that seat may see."""
    s = states.view(np.recarray)[i]
    picture = Picture(_WIDTH)
    title = heading(s)
    picture.text(_MARGIN, 30, f"The Duel, {title}", 17, bold=True, room=_ROOM)
    view = "everything is shown" if seat is None else f"as seat {seat} sees it"
    picture.text(_MARGIN, 48, view, 12, MUTED)
    y = _player(picture, s, 0, seat, 64)
    y = _middle(picture, s, y)
    y = _player(picture, s, 1, seat, y)
    notes = "Dice on a card: its cost; below: life left (full) and damage, and the numbers an Ally "
    notes += "turns into damage. Colours: " + ", ".join(_TYPE_NAMES)
    picture.text(_MARGIN, y + 4, notes, 11, MUTED, room=_ROOM - 100)
    for k, colour in enumerate(_TYPE):
        picture.rect(_WIDTH - _MARGIN - 90 + 18 * k, y - 6, 14, 12, colour, corner=2)
    return picture.finish(y + 20, f"The Duel, {title}")


# Dice and cards


def _die(picture: Picture, face: int, x: float, y: float, side: float, fill: str = WHITE) -> None:
    """Draw a die with its face up; the sixth face is an axe."""
    picture.rect(x, y, side, side, fill, INK, corner=side / 5)
    cx, cy, reach = x + side / 2, y + side / 2, side * 0.26
    if face != AXE:
        for dx, dy in _PIPS[face]:
            picture.circle(cx + reach * dx, cy + reach * dy, side * 0.085, INK)
        return
    picture.line(cx - reach, cy + 1.2 * reach, cx + 0.8 * reach, cy - reach, "#7a5230", side * 0.1)
    blade = [
        (cx - 0.1 * reach, cy - 1.3 * reach),
        (cx + 1.4 * reach, cy - 0.2 * reach),
        (cx + 1.1 * reach, cy + 0.7 * reach),
        (cx + 0.2 * reach, cy - 0.2 * reach),
        (cx - 0.7 * reach, cy - 1.0 * reach),
    ]
    picture.polygon(blade, "#5f6b75", INK, width=0.7)


def _cost(picture: Picture, kind: int, x: float, y: float) -> None:
    """Draw what a card costs, ending at `x`: a die of a number, or so many equal dice."""
    if COST_NUMBER[kind] != NONE:
        _die(picture, int(COST_NUMBER[kind]), x - 14, y, 14)
        return
    for k in range(int(COST_DICE[kind])):
        picture.rect(x - 14 - 11 * k, y + 2, 9, 9, PAPER, INK, corner=2)


def _type_of(kind: int) -> str:
    return _TYPE[int(DECK[kind]["type"])]


def _card(picture: Picture, p: int, kind: int, damage: int, x: float, y: float) -> None:
    """Draw a card of a display with life, numbers and points."""
    colour = _type_of(kind)
    picture.rect(x, y, _CARD_W, _CARD_H, shade(colour, WHITE, 0.82), colour, width=1.5, corner=6)
    picture.rect(x, y, _CARD_W, 20, colour, corner=6)
    picture.text(x + 6, y + 14.5, NAMES[p][kind], 12, WHITE, bold=True, room=_CARD_W - 12)
    if kind < N_WITH_LIFE:
        for k in range(int(LIFE[kind])):
            fill = _LIFE if k < LIFE[kind] - damage else _DAMAGE
            picture.circle(x + 13 + 15 * k, y + 66, 5.5, fill, _LIFE)
    if kind < N_ALLIES:
        numbers = [n for n in range(N_NUMBERS) if STRIKES[kind][n]]
        for k, number in enumerate(numbers):
            _die(picture, number, x + 7 + 21 * k, y + 30, 18)
        if kind == Kind.JOKER_ALLY:
            picture.text(x + 7, y + 43, "fetches a Joker", 11, room=_CARD_W - 14)
    elif kind < N_WITH_LIFE:
        picture.token(x + _CARD_W - 20, y + 40, 13, str(int(POINTS[kind])), "#ecc44d", INK)
        picture.text(x + 8, y + 43, "points", 11, MUTED)
    else:
        _effect(picture, kind, x + 7, y + 36, _CARD_W - 14)


def _effect(picture: Picture, kind: int, x: float, y: float, room: float) -> None:
    words = str(DECK[kind]["effect"]).split()
    half = (len(words) + 1) // 2
    for k, line in enumerate((words[:half], words[half:])):
        picture.text(x, y + 15 * k, " ".join(line), 11, room=room)


def _small_card(picture: Picture, p: int, kind: int, x: float, y: float) -> None:
    """Draw a card of a hand: its name, its type's colour and what it costs."""
    colour = _type_of(kind)
    picture.rect(x, y, _CARD_W, _SMALL_H, shade(colour, WHITE, 0.82), colour, width=1.5, corner=5)
    picture.rect(x, y, 6, _SMALL_H, colour, corner=2)
    picture.text(x + 11, y + 15, NAMES[p][kind], 11.5, room=_CARD_W - 16)
    _cost(picture, kind, x + _CARD_W - 5, y + 21)
    if kind < N_WITH_LIFE:
        picture.circle(x + 16, y + 29, 4.5, _LIFE)
        picture.text(x + 23, y + 33, str(int(LIFE[kind])), 11)
    if POINTS[kind]:
        picture.token(x + 46, y + 29, 8, str(int(POINTS[kind])), "#ecc44d", INK)


# The table


def _middle(picture: Picture, s: Any, y: float) -> float:
    colour = LINE if s.over else SEAT[int(s.active)]
    picture.panel(_MARGIN, y, _ROOM, 74, "dice and Joker cards in the middle", colour)
    x = _MARGIN + 18.0
    if s.phase == Phase.EXTRA_DICE:
        for k in range(int(s.rolled)):
            picture.rect(x + 48 * k, y + 18, 40, 40, PAPER, MUTED, corner=8, dashed=True)
        x += 48 * int(s.rolled)
        picture.text(x + 4, y + 43, "to roll", 13, MUTED)
        x += 60
    else:
        for face in range(N_FACES):
            for _ in range(int(s.dice[face])):
                _die(picture, face, x, y + 18, 40)
                x += 48
        if not s.dice.any():
            picture.text(x, y + 43, "no dice left" if s.rolled else "no dice yet", 13, MUTED)
    middle = N_JOKER_CARDS - sum(int(s.players[p].joker_cards) for p in range(N_SEATS))
    for k in range(middle):
        _joker(picture, _WIDTH - _MARGIN - 52 - 44 * k, y + 12)
    said = []
    if s.phase == Phase.DICE:
        said.append(f"re-rolls left: {int(s.re_rolls)}")
    if s.new_joker_cards:
        said.append(f"Joker cards taken this turn: {int(s.new_joker_cards)}")
    if s.die_used:
        said.append("a die was used this turn")
    if s.ended:
        said.append("the turn is ending")
    if s.card != NONE:
        said.append(f"being paid for: {NAMES[s.active][s.card]}{payment(s)}")
    if s.dealer != NONE:
        target = "" if s.target == NONE else f", at {target_name(s)}"
        said.append(f"1 damage by seat {int(s.dealer)}{target}")
    x = max(x + 12, _MARGIN + 330)
    for k, line in enumerate(said[:4]):
        picture.text(x, y + 19 + 16 * k, line, 12.5, room=_WIDTH - _MARGIN - 150 - x)
    return y + 74 + 20


def _joker(picture: Picture, x: float, y: float) -> None:
    picture.rect(x, y, 38, 50, "#6b3f8f", INK, corner=5)
    picture.text(x + 19, y + 33, "J", 22, WHITE, anchor="middle", bold=True)


def _player(picture: Picture, s: Any, p: int, seat: int | None, y: float) -> float:
    me = s.players[p]
    lasting = [kind for kind in range(N_LASTING) for _ in range(int(me.display[kind]))]
    shown_rows = max(1, rows_of(len(lasting), _PER_ROW))
    colour = SEAT[p]
    top = y + 40
    drawn = y + 58 + (_CARD_H + 6) * shown_rows
    # the frame is as high as what is drawn into it, so its place among the lines is kept
    frame = len(picture.lines)
    picture.text(_MARGIN + 14, y + 25, f"seat {p}: {SIDES[p]}", 15, colour, bold=True)
    _counts(picture, s, p, y)
    picture.text(_MARGIN + 14, top + 6, "display", 11.5, MUTED, bold=True)
    if not lasting:
        picture.text(_MARGIN + 14, top + 40, "no card yet", 12, MUTED)
    struck = [False] * N_LASTING
    cells = grid(len(lasting), _MARGIN + 14, top + 12, _PER_ROW, _CARD_W + 8, _CARD_H + 6)
    for kind, (x, at) in zip(lasting, cells, strict=True):
        first = kind < N_WITH_LIFE and not struck[kind]
        struck[kind] = True
        _card(picture, p, kind, int(me.damage[kind]) if first else 0, x, at)
    end = _hand(picture, s, p, seat, drawn)
    if seat is None:
        end = _listing(picture, p, "draw pile from the top", me.pile[: me.pile_size][::-1], end)
    discard = [kind for kind in range(N_KINDS) for _ in range(int(me.discard[kind]))]
    end = _listing(picture, p, "discard pile", discard, end)
    asked = int(s.seat) == p
    above = Picture(_WIDTH)
    above.rect(
        _MARGIN, y, _ROOM, end - y, WHITE, colour if asked else LINE,
        width=3 if asked else 1.5, corner=8,
    )  # fmt: skip
    picture.lines[frame:frame] = above.lines
    return end + 22


def _counts(picture: Picture, s: Any, p: int, y: float) -> None:
    """Draw points, draw pile, hand and Joker cards at the upper right."""
    me = s.players[p]
    x = _WIDTH - _MARGIN - 14.0
    for _ in range(int(me.joker_cards)):
        picture.rect(x - 22, y + 9, 20, 26, "#6b3f8f", INK, corner=3)
        picture.text(x - 12, y + 27, "J", 13, WHITE, anchor="middle", bold=True)
        x -= 26
    x = _WIDTH - _MARGIN - 110.0
    pile = int(me.pile_size)
    hit = s.dealer == 1 - p and s.target == PILE
    counts = (("draw pile", pile), ("hand", hand_size(s, p)), ("points", points(s, p)))
    for name, count in counts:
        ink = _LIFE if name == "draw pile" and (hit or pile <= 3) else INK
        picture.text(x, y + 27, str(int(count)), 18, ink, anchor="end", bold=True)
        picture.text(x - 32, y + 26, name, 12, MUTED, anchor="end")
        x -= 140


def _hand(picture: Picture, s: Any, p: int, seat: int | None, y: float) -> float:
    """Draw the hand, or for the opponent what may be in hand or draw pile."""
    left = _MARGIN + 14
    if seat in (None, p):
        cards = [kind for kind in range(N_KINDS) for _ in range(int(s.players[p].hand[kind]))]
        picture.text(left, y + 4, "hand", 11.5, MUTED, bold=True)
        cells = grid(len(cards), left, y + 10, _PER_ROW, _CARD_W + 8, _SMALL_H + 5)
        for kind, (x, top) in zip(cards, cells, strict=True):
            _small_card(picture, p, kind, x, top)
        return y + 26 + (_SMALL_H + 5) * max(1, rows_of(len(cards), _PER_ROW))
    unseen = [kind for kind in range(N_KINDS) for _ in range(int(n_unseen(s, p, kind)))]
    return _listing(picture, p, "in hand or draw pile", unseen, y)


def _listing(picture: Picture, p: int, title: str, cards: Any, y: float) -> float:
    """Draw cards as coloured labels; equal ones that follow one another are counted."""
    left = _MARGIN + 14
    runs: list[list[int]] = []
    for kind in cards:
        if runs and runs[-1][0] == int(kind):
            runs[-1][1] += 1
        else:
            runs.append([int(kind), 1])
    picture.text(left, y + 4, f"{title} ({len(cards)})", 11.5, MUTED, bold=True)
    cells = grid(len(runs), left, y + 10, _PER_ROW, _CARD_W + 8, 22)
    for (kind, count), (x, top) in zip(runs, cells, strict=True):
        label = NAMES[p][kind] + (f" ×{count}" if count > 1 else "")
        colour = _type_of(kind)
        picture.chip(x, top, _CARD_W, 18, label, shade(colour, WHITE, 0.75), INK, colour)
    return y + 24 + 22 * rows_of(len(runs), _PER_ROW)
