"""Drawing positions: one SVG element a line, text kept inside its room, no outside fonts or files.

Same position, same picture: nothing here depends on time, order of calls elsewhere or chance.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape, quoteattr

PAPER, INK, MUTED, LINE, WHITE = "#fbf6ea", "#2b2622", "#756b60", "#cdbfa6", "#ffffff"
SEAT = ("#2c6a9b", "#b0433a", "#3b8250", "#b37b17", "#74509a", "#3d7f86", "#8a5a3c")
"""Colour of each seat."""

_FONT = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"
_SMALLEST = 0.72  # of the size asked for; a text too long even so is cut
_BOLD = 1.13  # bold letters against plain ones, in the widest of the fonts

# Widths in ems, those of the widest font of the list rounded up.
_WIDTHS = (
    ("ijl'|", 0.29),
    ("I.,:;!()[]", 0.41),
    (' ftrJ-/"*’', 0.42),
    ("csvxyzk", 0.6),
    ("abdeghnopqu0123456789?$+=<>_~^–", 0.66),
    ("ABCEFLPSTXYZKRVU", 0.73),
    ("DGHNOQw&", 0.83),
)
_WIDTH = {letter: width for letters, width in _WIDTHS for letter in letters}

Point = tuple[float, float]


class Svg(str):
    """An SVG document, which a notebook shows as the picture it is."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return how wide a text is at most, in the widest of the fonts it may be shown in."""
    ems = sum(_WIDTH.get(letter, 1.0) for letter in text)
    return ems * size * (_BOLD if bold else 1.0)


def fitted(text: str, size: float, room: float, bold: bool = False) -> tuple[str, float]:
    """Return the text, cut if need be, and the size at which it fits into `room`."""
    width = text_width(text, size, bold)
    if width <= room:
        return text, size
    size = round(size * max(_SMALLEST, room / width) - 0.005, 2)
    kept = text
    while kept and text_width(kept + ("…" if kept != text else ""), size, bold) > room:
        kept = kept[:-1]
    return (kept if kept == text else kept.rstrip() + "…"), size


def wrapped(text: str, size: float, room: float, bold: bool = False) -> list[str]:
    """Return the text in lines that fit into `room`, broken between words."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, bold) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _number(x: float) -> str:
    return f"{x:.2f}".rstrip("0").rstrip(".")


class Picture:
    """A drawing that grows downwards; what is drawn later lies on top."""

    def __init__(self, width: float) -> None:
        self.width = width
        self.lines: list[str] = []

    def finish(self, height: float, title: str) -> str:
        """Return the SVG document."""
        w, h = _number(self.width), _number(height)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" '
            f'viewBox="0 0 {w} {h}" font-family={quoteattr(_FONT)}>'
        )
        paper = f'<rect width="{w}" height="{h}" fill="{PAPER}"/>'
        return "\n".join([head, f"<title>{escape(title)}</title>", paper, *self.lines, "</svg>"])

    # Shapes

    def _shape(
        self,
        tag: str,
        where: str,
        fill: str | None,
        stroke: str | None,
        width: float,
        dashed: bool = False,
    ) -> None:
        look = f' fill="{fill or "none"}"'
        if stroke is not None:
            look += f' stroke="{stroke}" stroke-width="{_number(width)}"'
        if dashed:
            look += ' stroke-dasharray="3 2"'
        self.lines.append(f"<{tag} {where}{look}/>")

    def rect(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        fill: str | None = None,
        stroke: str | None = None,
        *,
        width: float = 1,
        corner: float = 0,
        dashed: bool = False,
    ) -> None:
        """Draw a rectangle, with round corners if `corner` is not 0."""
        where = f'x="{_number(x)}" y="{_number(y)}" width="{_number(w)}" height="{_number(h)}"'
        if corner:
            where += f' rx="{_number(corner)}"'
        self._shape("rect", where, fill, stroke, width, dashed)

    def circle(
        self,
        x: float,
        y: float,
        r: float,
        fill: str | None = None,
        stroke: str | None = None,
        *,
        width: float = 1,
        dashed: bool = False,
    ) -> None:
        """Draw a circle around (x, y)."""
        where = f'cx="{_number(x)}" cy="{_number(y)}" r="{_number(r)}"'
        self._shape("circle", where, fill, stroke, width, dashed)

    def polygon(
        self,
        points: Iterable[Point],
        fill: str | None = None,
        stroke: str | None = None,
        *,
        width: float = 1,
        dashed: bool = False,
    ) -> None:
        """Draw a closed polygon."""
        corners = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
        self._shape("polygon", f'points="{corners}"', fill, stroke, width, dashed)

    def line(
        self, x1: float, y1: float, x2: float, y2: float, stroke: str = LINE, width: float = 1
    ) -> None:
        """Draw a straight line with round ends."""
        self.lines.append(
            f'<line x1="{_number(x1)}" y1="{_number(y1)}" x2="{_number(x2)}" y2="{_number(y2)}" '
            f'stroke="{stroke}" stroke-width="{_number(width)}" stroke-linecap="round"/>'
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 13,
        fill: str = INK,
        *,
        anchor: str = "start",
        bold: bool = False,
        room: float | None = None,
    ) -> None:
        """Write a line of text on the base line `y`; it shrinks, then is cut, to fit `room`."""
        if room is not None:
            text, size = fitted(text, size, room, bold)
        look = f' font-size="{_number(size)}" fill="{fill}"'
        if anchor != "start":
            look += f' text-anchor="{anchor}"'
        if bold:
            look += ' font-weight="bold"'
        self.lines.append(
            f'<text x="{_number(x)}" y="{_number(y)}"{look}>{escape(_printable(text))}</text>'
        )

    # Pieces that every table has

    def token(
        self,
        x: float,
        y: float,
        r: float,
        label: str,
        fill: str,
        ink: str = WHITE,
        stroke: str | None = None,
        *,
        dashed: bool = False,
    ) -> None:
        """Draw a round piece with a short label."""
        self.circle(x, y, r, fill, stroke or INK, dashed=dashed)
        self.text(x, y + 0.36 * r, label, 1.05 * r, ink, anchor="middle", bold=True, room=1.75 * r)

    def chip(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        label: str,
        fill: str,
        ink: str = INK,
        stroke: str | None = None,
        *,
        bold: bool = False,
        dashed: bool = False,
        anchor: str = "middle",
    ) -> None:
        """Draw a rounded label that fills its box."""
        self.rect(x, y, w, h, fill, stroke, corner=min(5, h / 3), dashed=dashed)
        at = x + w / 2 if anchor == "middle" else x + 6
        size = min(13, 0.62 * h)
        self.text(
            at, y + h / 2 + 0.36 * size, label, size, ink, anchor=anchor, bold=bold, room=w - 8
        )

    def panel(self, x: float, y: float, w: float, h: float, title: str, colour: str = LINE) -> None:
        """Draw a framed area with a title on its upper edge."""
        self.rect(x, y, w, h, WHITE, colour, width=1.5, corner=7)
        if title:
            label, size = fitted(title, 12, w - 28, True)
            self.rect(x + 9, y - 8, 0.9 * text_width(label, size, True) + 10, 16, PAPER)
            self.text(x + 13, y + 4, label, size, MUTED, bold=True)


def _printable(text: str) -> str:
    """Drop what no XML document may hold."""
    return "".join(letter for letter in text if letter.isprintable())


def hexagon(x: float, y: float, r: float, *, flat: bool = True) -> list[Point]:
    """Return the corners of a hexagon around (x, y), with a flat or a pointed top."""
    turn = 0.0 if flat else math.pi / 6
    angles = [turn + k * math.pi / 3 for k in range(6)]
    return [(x + r * math.cos(a), y + r * math.sin(a)) for a in angles]


def shade(colour: str, towards: str, share: float) -> str:
    """Mix two colours ``#rrggbb``."""
    channels = [
        round(int(colour[k : k + 2], 16) * (1 - share) + int(towards[k : k + 2], 16) * share)
        for k in (1, 3, 5)
    ]
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def rows_of(count: int, per_row: int) -> int:
    """Return how many rows `count` things fill."""
    return -(-count // per_row)


def grid(
    count: int, x: float, y: float, per_row: int, dx: float, dy: float
) -> Sequence[tuple[float, float]]:
    """Return the corner of each of `count` cells, row by row."""
    return [(x + dx * (k % per_row), y + dy * (k // per_row)) for k in range(count)]
