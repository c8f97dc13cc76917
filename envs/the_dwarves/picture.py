"""The position as a picture: Doom track above, the map, and beside it council, cards and heroes."""

from __future__ import annotations

import math
from typing import Any

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
    hexagon,
    shade,
    wrapped,
)
from dwarrow.envs.the_dwarves import actions as act
from dwarrow.envs.the_dwarves.board import (
    GATES,
    ICONS,
    KINGDOMS,
    LOCATIONS,
    N_HEXES,
    N_SPACES,
    STEPS,
)
from dwarrow.envs.the_dwarves.cards import (
    BOXES,
    CARD_IDS,
    CARD_TITLES,
    COUNCIL_STEP,
    EQUIPMENT_TITLES,
    MAP,
    PACK,
    SPELL_NAMES,
    TRACK,
)
from dwarrow.envs.the_dwarves.layout import SCENARIO
from dwarrow.envs.the_dwarves.render import headline, hero_name, question_line, troop_text
from dwarrow.envs.the_dwarves.rules.army import tile_direction
from dwarrow.envs.the_dwarves.rules.lookup import attribute, is_held, max_health
from dwarrow.envs.the_dwarves.words import N_TROOPS, Attribute, Box

_KINGDOM = ("#e9dfc3", "#d9e2ea", "#dfe9d2", "#f1e3b8", "#efd9c4", "#cfe3e0", "#e4d7e6")
_PERISHED = "#6a5a55"
_TROOP = ("#4f7a33", "#7d7468", "#5a3f8c")  # orcs, trolls, elfar
_TROOP_NAMES = ("orcs", "trolls", "elfar")
_ATTRIBUTE_NAMES = ("battle", "craft", "speed")
_HEALTH, _LOST = "#b8322a", "#ead9d3"
_CARD = ("#5b7a99", "#8c4a3c", "#b58a1b")  # adventure, threat, scenario

_WIDTH, _MARGIN = 1260, 16
_R = 50.0  # from the centre of a hex to a corner
_MAP_W = 14 * _R + 12
_HALF = math.sqrt(3) / 2 * _R
_SIDE_X = _MARGIN + _MAP_W + 16
_SIDE_W = _WIDTH - _MARGIN - _SIDE_X


def _raw_cards() -> dict[str, dict[str, str]]:
    """Return the rows of all quest cards as they are written, by card."""
    files = ("scenarios.csv", "adventures.csv", "threats.csv")
    return {row["card"]: row for file in files for row in PACK.tables[file]}


_ROWS = _raw_cards()


def svg(states: States, i: int, seat: int | None) -> str:
    """Return the position as SVG; deck orders only to the omniscient."""
    s: Any = states[i]
    picture = Picture(_WIDTH)
    title = headline(s)
    room = _WIDTH - 2 * _MARGIN
    picture.text(_MARGIN, 28, title, 16, bold=True, room=room - 160)
    picture.text(_MARGIN, 48, question_line(s), 13.5, room=room - 160)
    view = "everything is shown" if seat is None else f"as seat {seat} sees it"
    picture.text(_WIDTH - _MARGIN, 28, view, 12, MUTED, anchor="end")
    y = _doom_track(picture, s, 74)
    left = _legend(picture, s, _map(picture, s, y))
    right = _council(picture, s, y)
    for slot in (int(SCENARIO), *range(int(SCENARIO))):
        right = _slot(picture, s, slot, right)
    for p in range(int(s["n_seats"])):
        right = _hero(picture, s, p, right)
    bottom = _decks(picture, s, seat, max(left, right))
    return picture.finish(bottom, f"{title}. {question_line(s)}")


# Tracks


def _doom_track(picture: Picture, s: Any, y: float) -> float:
    step = (_WIDTH - 2 * _MARGIN - 20) / (N_SPACES + 2)
    picture.panel(_MARGIN, y, _WIDTH - 2 * _MARGIN, 66, "Doom track")
    for space in range(N_SPACES + 2):
        x = _MARGIN + 10 + step * space
        icon = ICONS[TRACK[space]] if 1 <= space <= N_SPACES else ""
        fill = {"council": "#d8c68f", "threats": "#e0b3a8"}.get(icon, PAPER)
        picture.rect(x, y + 34, step - 2, 24, fill, LINE, corner=3)
        label = {"council": "C", "threats": "!"}.get(icon, icon.removeprefix("gate "))
        if not icon:
            label = "H" if space == 0 else "D"
        picture.text(x + step / 2 - 1, y + 50, label, 12, anchor="middle", bold=True, room=step - 4)
    for space, label, fill in (
        (int(s["hero_marker"]), "H", "#2c6a9b"),
        (int(s["doom_marker"]), "D", "#7a1f1a"),
    ):
        x = _MARGIN + 10 + step * space + step / 2 - 1
        met = s["hero_marker"] == s["doom_marker"] and label == "D"
        picture.token(x, y + (28 if met else 21), 10, label, fill)
    return y + 66 + 22


def _council(picture: Picture, s: Any, y: float) -> float:
    picture.panel(_SIDE_X, y, _SIDE_W, 62, "council")
    n = len(BOXES)
    step = (_SIDE_W - 16) / n
    for box in range(n):
        x = _SIDE_X + 8 + step * box
        here = int(s["council"]) == box
        picture.rect(
            x, y + 14, step - 3, 40, "#e9d9a6" if here else PAPER, INK if here else LINE,
            width=2 if here else 1, corner=4,
        )  # fmt: skip
        words = wrapped(BOXES[box], 9, step - 7)
        for k, line in enumerate(words[:2]):
            picture.text(
                x + step / 2 - 1.5, y + 26 + 11 * k, line, 9, anchor="middle", room=step - 7
            )
        if box != Box.EQUIPMENT:
            need = f"{int(COUNCIL_STEP[box])}+"
            picture.text(x + step / 2 - 1.5, y + 50, need, 9.5, MUTED, anchor="middle", bold=True)
    return y + 62 + 20


# The map


def _centre(h: int, left: float, top: float) -> tuple[float, float]:
    q, r = (int(x) for x in MAP.axial[h])
    return left + 1.5 * _R * q, top + 2 * _HALF * (r + q / 2)


def _map(picture: Picture, s: Any, y: float) -> float:
    height = 9 * 2 * _HALF + 24
    picture.panel(_MARGIN, y, _MAP_W, height, "Girdlegard")
    left, top = _MARGIN + _MAP_W / 2, y + 12 + height / 2 - 12
    for h in range(N_HEXES):
        _hex(picture, s, h, *_centre(h, left, top))
    return y + height + 16


def _hex(picture: Picture, s: Any, h: int, x: float, y: float) -> None:
    perished = s["tile"][h] != NONE
    fill = _PERISHED if perished else _KINGDOM[int(MAP.kingdom[h])]
    ink = WHITE if perished else INK
    picture.polygon(hexagon(x, y, _R - 1), fill, "#9b8d78")
    if perished:
        _arrow(picture, int(tile_direction(s, h)), x, y)
    if MAP.location[h] != NONE:
        lines = wrapped(LOCATIONS[MAP.location[h]], 9, 1.35 * _R, bold=True)
        for k, line in enumerate(lines):
            at = y - 23 - 10 * (len(lines) - 1 - k)
            picture.text(x, at, line, 9, ink, anchor="middle", bold=True, room=1.35 * _R)
    if MAP.gate_at[h] != NONE:
        picture.chip(x - 22, y - 40, 44, 15, f"gate {GATES[MAP.gate_at[h]]}", "#3c332b", WHITE)
    if MAP.entrance[h]:
        picture.circle(x - 33, y, 6, "#3c332b", "#9b8d78")
        picture.rect(x - 39, y, 12, 7, "#3c332b")
    if s["tunnel"] == h:
        label = "portal" if s["options"]["elfar"] else "tunnel"
        picture.chip(x + 14, y - 7, 32, 13, label, "#2b2622", WHITE)
    troops = [(k, int(s["troops"][h][k])) for k in range(N_TROOPS) if s["troops"][h][k]]
    for k, (troop, count) in enumerate(troops):
        at = x + 22 * (k - (len(troops) - 1) / 2)
        picture.rect(at - 10, y - 20, 20, 20, _TROOP[troop], WHITE, corner=4)
        picture.text(at, y - 5.5, str(count), 13, WHITE, anchor="middle", bold=True)
    markers = int((s["marker_hex"] == h).sum())
    for k in range(markers):
        at = x - 26 + 9 * k
        corners = [(at - 5, y + 8), (at, y + 3), (at + 5, y + 8), (at, y + 13)]
        picture.polygon(corners, "#ecc44d", INK)
    here = [p for p in range(int(s["n_seats"])) if s["players"][p]["hex"] == h]
    step = min(21.0, 62 / max(1, len(here)))
    for k, p in enumerate(here):
        at = x + step * (k - (len(here) - 1) / 2)
        picture.token(at, y + 22, 10.5, str(p), SEAT[p], stroke=WHITE)


def _arrow(picture: Picture, direction: int, x: float, y: float) -> None:
    """Draw a Perished Land tile's arrow at the edge it points over."""
    q, r = STEPS[direction]
    dx, dy = 1.5 * q, math.sqrt(3) * (r + q / 2)
    length = math.hypot(dx, dy)
    dx, dy = dx / length, dy / length
    tip, base = 0.96 * _HALF, 0.5 * _HALF
    across = 0.14 * _HALF
    corners = [
        (x + tip * dx, y + tip * dy),
        (x + base * dx - across * dy, y + base * dy + across * dx),
        (x + base * dx + across * dy, y + base * dy - across * dx),
    ]
    picture.polygon(corners, "#e2703f", INK)


def _legend(picture: Picture, s: Any, y: float) -> float:
    x = _MARGIN + 4.0
    for k, name in enumerate(_TROOP_NAMES):
        picture.rect(x, y - 9, 15, 15, _TROOP[k], corner=3)
        label = f"{name}, {int(s['supply'][k])} in the supply"
        picture.text(x + 20, y + 3, label, 11.5)
        x += 172
    x = _MARGIN + 4.0
    for k, name in enumerate(KINGDOMS):
        picture.rect(x, y + 13, 15, 15, _KINGDOM[k], "#9b8d78", corner=3)
        picture.text(x + 19, y + 25, name, 11)
        x += 104
    notes = (
        "Dark: Perished Land and its arrow; arch: tunnel entrance; diamond: marker. On the Doom "
    )
    notes += "track I to V: that gate recruits; C: council; !: Threats."
    picture.text(_MARGIN + 4, y + 45, notes, 11, MUTED, room=_MAP_W)
    return y + 60


# Cards and heroes


def _slot(picture: Picture, s: Any, j: int, y: float) -> float:
    slot = s["slots"][j]
    card = int(slot["card"])
    if card == NONE:
        return y
    row = _ROWS[CARD_IDS[card]]
    colour = _CARD[2] if j == int(SCENARIO) else _CARD["threat" in row]
    lines = wrapped(f"quest: {row['quest'] or 'none'}", 11, _SIDE_W - 28)[:2]
    gain = row.get("reward") or row.get("threat")
    if gain:
        lines.append(("threat: " if "threat" in row else "reward: ") + gain)
    notes = _slot_notes(s, slot)
    height = 32 + 14 * len(lines) + (18 if notes else 0)
    picture.rect(_SIDE_X, y, _SIDE_W, height, shade(colour, WHITE, 0.85), colour, corner=6)
    picture.rect(_SIDE_X, y, _SIDE_W, 21, colour, corner=6)
    picture.text(
        _SIDE_X + 10, y + 15, CARD_TITLES[card], 12.5, WHITE, bold=True, room=_SIDE_W - 110
    )
    picture.text(_SIDE_X + _SIDE_W - 10, y + 15, act.SLOT_NAMES[j], 11, WHITE, anchor="end")
    for k, line in enumerate(lines):
        picture.text(_SIDE_X + 10, y + 36 + 14 * k, line, 11, room=_SIDE_W - 20)
    if notes:
        at = y + 37 + 14 * len(lines)
        picture.text(_SIDE_X + 10, at, notes, 11.5, bold=True, room=_SIDE_W - 20)
    return y + height + 8


def _slot_notes(s: Any, slot: Any) -> str:
    notes = []
    if slot["troops"].any():
        notes.append(f"troops {troop_text(slot['troops'])}")
    counts = ("trophies", "markers", "carried_over")
    notes += [f"{int(slot[name])} {name.replace('_', ' ')}" for name in counts if slot[name]]
    if slot["hits"].any():
        notes.append("successes " + " ".join(str(int(n)) for n in slot["hits"]))
    if slot["done"].any():
        parts = [str(k + 1) for k, done in enumerate(slot["done"]) if done]
        notes.append(f"done: part {', '.join(parts)}")
    if slot["attached"] != NONE:
        notes.append(f"with {hero_name(s, slot['attached'])}")
    return "; ".join(notes)


def _hero(picture: Picture, s: Any, p: int, y: float) -> float:
    player = s["players"][p]
    asked, active = int(s["seat"]) == p, int(s["active"]) == p
    picture.rect(
        _SIDE_X, y, _SIDE_W, 50, WHITE, SEAT[p] if asked else LINE, width=3 if asked else 1.5,
        corner=6,
    )  # fmt: skip
    picture.token(_SIDE_X + 18, y + 18, 11, str(p), SEAT[p])
    name = hero_name(s, p) + (" (turn)" if active else "")
    picture.text(_SIDE_X + 36, y + 22, name, 12.5, SEAT[p], bold=True, room=190)
    most, health = int(max_health(s, p)), int(player["health"])
    for k in range(most):
        fill = _HEALTH if k < health else _LOST
        picture.circle(_SIDE_X + 240 + 15 * k, y + 18, 6, fill, _HEALTH)
    x = _SIDE_X + _SIDE_W - 12.0
    for a in reversed(Attribute):
        value = str(int(attribute(s, p, a.value)))
        picture.text(x, y + 22, value, 15, anchor="end", bold=True)
        picture.text(x - 14, y + 22, _ATTRIBUTE_NAMES[a][0].upper(), 11, MUTED, anchor="end")
        x -= 40
    owned = [t for t, n in zip(EQUIPMENT_TITLES, player["equipment"], strict=True) if n]
    if player["carries"]:
        owned.append("carries a marker")
    if is_held(s, p):
        owned.append("held by a Threat")
    text = ", ".join(owned) or "no equipment"
    picture.text(_SIDE_X + 36, y + 41, text, 11, INK if owned else MUTED, room=_SIDE_W - 48)
    return y + 58


def _decks(picture: Picture, s: Any, seat: int | None, y: float) -> float:
    left = [
        f"decks: {int(s['n_scenario'])} Scenario, {int(s['n_adventure'])} Adventure, "
        f"{int(s['n_threat'])} Threat, {int(s['n_equipment'])} Equipment; "
        f"{int(s['n_pile'])} Perished Land tiles"
    ]
    if s["hand"].any():
        spells = [name for name, n in zip(SPELL_NAMES, s["hand"], strict=True) if n]
        left.append(f"spells in hand: {', '.join(spells)}")
    if seat is None:
        for deck in ("scenario", "adventure"):
            cards = s[f"{deck}_deck"][: s[f"n_{deck}"]][::-1]
            titles = "; ".join(CARD_TITLES[c] for c in cards)
            left.append(f"{deck} deck from the top: {titles or 'empty'}")
    y += 6
    for text in left:
        for line in wrapped(text, 11, _WIDTH - 2 * _MARGIN - 8):
            picture.text(_MARGIN + 4, y, line, 11, MUTED)
            y += 15
    return y + 4
