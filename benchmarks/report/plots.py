"""Plots as SVG text, drawn for the width of a phone and larger where there is room."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

WIDTH = 360
ROW = 34
COLOURS = ("#1f6f8b", "#c8553d", "#588157", "#7b5ea7", "#b8860b", "#3d405b", "#a23b72")


@dataclass(frozen=True)
class Point:
    """A value at x with its interval."""

    x: float
    y: float
    low: float
    high: float


def ticks(low: float, high: float, about: int = 4) -> list[float]:
    """Return round numbers within [low, high], about so many."""
    if high <= low:
        return [low]
    raw = (high - low) / about
    power = 10 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw)
    first = math.ceil(low / step - 1e-9)
    return [round(k * step, 10) for k in range(first, math.floor(high / step + 1e-9) + 1)]


def _svg(height: float, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" '
        f'aria-label="{escape(title)}">{"".join(parts)}</svg>'
    )


def _text(x: float, y: float, text: str, anchor: str = "start", kind: str = "label") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(text)}</text>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, kind: str, style: str = "") -> str:
    drawn = f' style="{style}"' if style else ""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"{drawn}/>'


def _stroke(k: int) -> str:
    """Return the style of the `k`-th series: colours in turn, dashed from their second turn on."""
    turn, colour = divmod(k, len(COLOURS))
    dashes = f"; stroke-dasharray: {max(6 // turn, 1)} 3" if turn else ""
    return f"stroke: {COLOURS[colour]}{dashes}"


def intervals(
    title: str,
    rows: Sequence[tuple[str, float, float, float]],
    reference: float | None = None,
) -> str:
    """Draw a dot with its interval for each (label, value, low, high), one below the other."""
    finite = [v for _, *values in rows for v in values if math.isfinite(v)]
    if not finite:
        return ""
    ends = [*finite, *([] if reference is None else [reference])]
    low, high = min(ends), max(ends)
    spare = 0.05 * ((high - low) or 1)
    low, high = low - spare, high + spare

    def at(value: float) -> float:
        return 10 + (value - low) / (high - low) * (WIDTH - 20)

    bottom = ROW * len(rows) + 6
    parts = [_line(at(t), 2, at(t), bottom, "grid") for t in ticks(low, high)]
    parts += [_text(at(t), bottom + 13, f"{t:g}", "middle", "tick") for t in ticks(low, high)]
    if reference is not None:
        parts.append(_line(at(reference), 2, at(reference), bottom, "reference"))
    for k, (label, value, below, above) in enumerate(rows):
        y = ROW * k + 24
        parts.append(_text(10, y - 9, label))
        if math.isfinite(value):
            parts.append(_line(at(below), y, at(above), y, "bar", _stroke(0)))
            parts.append(f'<circle cx="{at(value):.1f}" cy="{y}" r="4" fill="{COLOURS[0]}"/>')
    return _svg(bottom + 20, title, parts)


def lines(
    title: str,
    series: Mapping[str, Sequence[Point]],
    x_labels: Sequence[str] | None = None,
    x_name: str = "",
    y_range: tuple[float, float] | None = (0.0, 1.0),
) -> str:
    """Draw a line for each series, with intervals where they have any width, and a legend.

    With `x_labels` the points lie at x = 0, 1, 2 ... under these labels.
    """
    points = [point for found in series.values() for point in found]
    if not points:
        return ""
    left, right = min(p.x for p in points), max(p.x for p in points)
    low, high = y_range or (min(p.low for p in points), max(p.high for p in points))
    wide, tall = (right - left) or 1, (high - low) or 1

    def x_of(value: float) -> float:
        return 40 + (value - left) / wide * (WIDTH - 60)

    def y_of(value: float) -> float:
        return 10 + (high - value) / tall * 170

    parts = [_line(40, y_of(t), WIDTH - 20, y_of(t), "grid") for t in ticks(low, high, 5)]
    parts += [_text(34, y_of(t) + 4, f"{t:g}", "end", "tick") for t in ticks(low, high, 5)]
    marks = (
        [(float(k), label) for k, label in enumerate(x_labels)]
        if x_labels is not None
        else [(t, f"{t:g}") for t in ticks(left, right)]
    )
    parts += [_text(x_of(x), 196, label, "middle", "tick") for x, label in marks]
    parts.append(_text(WIDTH - 20, 212, x_name, "end", "tick"))
    for k, (name, found) in enumerate(series.items()):
        style = _stroke(k)
        path = " ".join(f"{x_of(p.x):.1f},{y_of(p.y):.1f}" for p in found)
        parts.append(f'<polyline points="{path}" class="curve" style="{style}"/>')
        for point in found:
            if point.high > point.low:
                x = x_of(point.x)
                parts.append(_line(x, y_of(point.low), x, y_of(point.high), "whisker", style))
        y = 228 + 16 * k
        parts.append(_line(10, y - 4, 28, y - 4, "bar", style))
        parts.append(_text(34, y, name))
    return _svg(232 + 16 * len(series), title, parts)
