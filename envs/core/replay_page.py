"""A replay as one self-contained page: pictures, slider, keys, moves, scores; nothing from outside.

Pictures are kept as runs of lines out of one list, since most of a picture is that of the step
before. A page made for one seat holds only what that seat may see.
"""

from __future__ import annotations

import json
from html import escape
from typing import Any

from dwarrow.envs.core.kernels import States
from dwarrow.envs.core.replay import Replay
from dwarrow.envs.core.svg import INK, LINE, MUTED, PAPER, SEAT, WHITE, Picture

_CHART_W, _CHART_H, _CHART_LEFT, _CHART_RIGHT = 640, 150, 44, 150


def page(replay: Replay, seat: int | None = None) -> str:
    """Return the page, for everybody's eyes or with what `seat` may see alone.

    Raises:
        ValueError: there is no such seat.
    """
    n_seats = int(replay.options["players"])
    if seat is not None and not 0 <= seat < n_seats:
        raise ValueError(f"seat {seat}: the replay has seats 0 to {n_seats - 1}")
    views = [None, *range(n_seats)] if seat is None else [seat]
    data, scores = _film(replay, views)
    chart = _chart(replay, scores) if seat is None else _outcome(replay)
    filled = _PAGE
    parts = {
        "@TITLE@": escape(f"{replay.game.title}: replay"),
        "@FACTS@": escape(_facts(replay, seat)),
        "@CHART@": chart,
        "@STYLE@": _STYLE,
        "@SCRIPT@": _SCRIPT,
        # no text may end the script element
        "@DATA@": json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace(
            "<", "\\u003c"
        ),
    }
    for mark, text in parts.items():
        filled = filled.replace(mark, text)
    return filled


def _facts(replay: Replay, seat: int | None) -> str:
    facts = [f"rules version {replay.game.version}", f"components {replay.game.pack.name}"]
    facts += [f"{name} {value}" for name, value in replay.options.items()]
    if seat is None:  # the seed would tell the seat everything
        facts.insert(0, f"seed {replay.seed}")
    seats = ", ".join(replay.name_of(k) for k in range(int(replay.options["players"])))
    return f"{'; '.join(facts)}. {seats}"


def _film(replay: Replay, views: list[int | None]) -> tuple[dict[str, Any], list[list[float]]]:
    """Return the page's data, and the scores after every step."""
    game, numbers = replay.game, dict[str, int]()
    frames: dict[tuple[int, ...], int] = {}
    shown: list[list[int]] = [[] for _ in views]
    said: list[list[list[Any]]] = [[] for _ in views]
    scores = []
    for step, states in enumerate(replay.states()):
        scores.append([float(x) for x in game.scores(states, 0)])
        for k, view in enumerate(views):
            lines = game.svg(states, 0, view).split("\n")
            ids = [numbers.setdefault(line, len(numbers)) for line in lines]
            shown[k].append(frames.setdefault(_runs(ids), len(frames)))
            if step < len(replay.moves):
                said[k].append(_move(replay, states, step, view))
    data = {
        "parts": list(numbers),
        "frames": [list(frame) for frame in frames],
        "views": [
            {"name": _view_name(replay, view), "frames": shown[k], "moves": said[k]}
            for k, view in enumerate(views)
        ],
    }
    return data, scores


def _runs(ids: list[int]) -> tuple[int, ...]:
    """Return numbers as first and length of each run of consecutive ones."""
    runs: list[int] = []
    for number in ids:
        if runs and runs[-2] + runs[-1] == number:
            runs[-1] += 1
        else:
            runs += [number, 1]
    return tuple(runs)


def _view_name(replay: Replay, view: int | None) -> str:
    return "everything" if view is None else replay.name_of(view)


def _move(replay: Replay, states: States, step: int, view: int | None) -> list[Any]:
    """Return seat, name and notes of the move about to be played, as far as `view` knows them."""
    move = replay.moves[step]
    own = view is None or view == move.seat
    return [*replay.told(states, step, view), dict(move.notes) if own else {}]


# Scores


def _outcome(replay: Replay) -> str:
    if replay.result is None:
        return ""
    points = [f"{replay.name_of(k)} {score:g}" for k, score in enumerate(replay.result["scores"])]
    return f'<p class="end">points at the end: {escape(", ".join(points))}</p>'


def _chart(replay: Replay, scores: list[list[float]]) -> str:
    """Draw every seat's points over the steps; the page moves a line along it."""
    picture = Picture(_CHART_W)
    flat = [x for row in scores for x in row]
    low, high = min(0.0, *flat), max(1.0, *flat)
    wide, tall = _CHART_W - _CHART_LEFT - _CHART_RIGHT, _CHART_H - 30
    last = max(1, len(scores) - 1)

    def at(step: int, value: float) -> tuple[float, float]:
        y = 10 + tall * (high - value) / (high - low)
        return _CHART_LEFT + wide * step / last, y

    for value in (low, (low + high) / 2, high):
        y = at(0, value)[1]
        picture.line(_CHART_LEFT, y, _CHART_LEFT + wide, y)
        picture.text(_CHART_LEFT - 6, y + 4, f"{value:g}", 11, MUTED, anchor="end")
    picture.text(_CHART_LEFT + wide / 2, _CHART_H - 4, "step", 11, MUTED, anchor="middle")
    for k in range(len(scores[0])):
        points = [at(step, row[k]) for step, row in enumerate(scores)]
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        colour = SEAT[k % len(SEAT)]
        picture.lines.append(
            f'<polyline points="{corners}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        label = f"{replay.name_of(k)}: {scores[-1][k]:g}"
        y = 20 + 17 * k
        picture.text(_CHART_LEFT + wide + 12, y, label, 12, colour, bold=True, room=130)
    picture.lines.append(
        f'<line id="now" data-left="{_CHART_LEFT}" data-wide="{wide}" x1="{_CHART_LEFT}" y1="6" '
        f'x2="{_CHART_LEFT}" y2="{10 + tall}" stroke="{INK}" stroke-width="1.5"/>'
    )
    return f'<div id="chart">{picture.finish(_CHART_H, "points over the steps")}</div>'


# The page

_STYLE = f"""
body {{ margin: 0; background: {PAPER}; color: {INK};
  font: 14px "DejaVu Sans", Verdana, Helvetica, Arial, sans-serif; }}
header {{ padding: 10px 16px 4px; }}
h1 {{ font-size: 19px; margin: 0 0 4px; }}
header p {{ margin: 0; color: {MUTED}; font-size: 12px; }}
#bar {{ position: sticky; top: 0; z-index: 1; background: {PAPER}; padding: 6px 16px;
  border-bottom: 1px solid {LINE}; display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }}
#bar input {{ flex: 1; min-width: 160px; }}
button, select {{ font: inherit; padding: 3px 10px; border: 1px solid {LINE}; border-radius: 5px;
  background: {WHITE}; color: {INK}; cursor: pointer; }}
button[aria-pressed="true"] {{ background: {INK}; color: {WHITE}; }}
#said {{ padding: 6px 16px; font-weight: bold; min-height: 1.3em; }}
main {{ display: flex; gap: 12px; padding: 0 16px 16px; align-items: flex-start; }}
#picture {{ flex: 1; min-width: 0; }}
#picture svg {{ width: 100%; height: auto; }}
aside {{ width: 270px; flex: none; }}
#moves {{ max-height: 60vh; overflow: auto; margin: 0; padding: 0; list-style: none;
  border: 1px solid {LINE}; background: {WHITE}; font-size: 12px; }}
#moves li {{ padding: 2px 8px; cursor: pointer; }}
#moves li.now {{ background: {INK}; color: {WHITE}; }}
#notes {{ font-size: 12px; margin-top: 8px; }}
#notes div {{ position: relative; padding: 1px 4px; margin-top: 2px; }}
#notes i {{ position: absolute; left: 0; top: 0; bottom: 0; background: #d9c48f; z-index: -1; }}
#chart, .end {{ padding: 0 16px; max-width: {_CHART_W}px; }}
.keys {{ color: {MUTED}; font-size: 12px; padding: 0 16px 12px; }}
@media (max-width: 800px) {{ main {{ display: block; }} aside {{ width: auto; }} }}
"""

_SCRIPT = """
"use strict";
const film = JSON.parse(document.getElementById("film").textContent);
const by = id => document.getElementById(id);
const wanted = new URLSearchParams(location.hash.slice(1));
const last = film.views[0].frames.length - 1;
let view = 0, step = 0, timer = null;

function picture(v, k) {
  const runs = film.frames[film.views[v].frames[k]], lines = [];
  for (let r = 0; r < runs.length; r += 2)
    lines.push(...film.parts.slice(runs[r], runs[r] + runs[r + 1]));
  return lines.join("\\n");
}
function label(k) {
  const [seat, action] = film.views[view].moves[k];
  return (seat < 0 ? "" : "seat " + seat + " ") + action;
}
function notes(k) {
  const box = by("notes");
  box.replaceChildren();
  const thought = k < last ? film.views[view].moves[k][2] : {};
  if ("value" in thought) {
    const line = document.createElement("p");
    line.textContent = "expects a utility of " + thought.value;
    box.append(line);
  }
  for (const [name, share] of Object.entries(thought.policy || {})) {
    const line = document.createElement("div"), bar = document.createElement("i");
    bar.style.width = 100 * share + "%";
    line.append(bar, (100 * share).toFixed(1) + " %  " + name);
    box.append(line);
  }
}
function show(k) {
  step = Math.max(0, Math.min(last, k));
  by("picture").innerHTML = picture(view, step);
  by("slider").value = step;
  by("count").textContent = step + " / " + last;
  by("said").textContent = step ? label(step - 1) : "set-up";
  const items = by("moves").children;
  for (const item of by("moves").querySelectorAll(".now")) item.classList.remove("now");
  if (step) {
    const item = items[step - 1];
    item.classList.add("now");
    const list = by("moves");
    list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
  }
  notes(step);
  const now = by("now"), chart = by("chart");
  if (now) {
    const x = +now.dataset.left + now.dataset.wide * step / Math.max(1, last);
    now.setAttribute("x1", x);
    now.setAttribute("x2", x);
    chart.hidden = view !== 0 && step < last;
  }
  if (step === last) stop();
}
function look(v) {
  if (v < 0 || v >= film.views.length) return;
  view = v;
  [...by("views").children].forEach((b, k) => b.setAttribute("aria-pressed", k === view));
  by("moves").replaceChildren(...film.views[view].moves.map((_, k) => {
    const item = document.createElement("li");
    item.textContent = (k + 1) + ". " + label(k);
    item.onclick = () => show(k + 1);
    return item;
  }));
  show(step);
}
function stop() {
  clearInterval(timer);
  timer = null;
  by("play").textContent = "play";
}
function play() {
  if (timer) return stop();
  if (step === last) show(0);
  by("play").textContent = "pause";
  timer = setInterval(() => show(step + 1), +by("speed").value);
}
const keys = {
  ArrowLeft: () => show(step - 1), ArrowRight: () => show(step + 1),
  PageUp: () => show(step - 10), PageDown: () => show(step + 10),
  Home: () => show(0), End: () => show(last), " ": play, a: () => look(0),
};
addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.tagName === "SELECT") return;
  const seat = film.views.length > 1 && /^[0-9]$/.test(event.key);
  if (!(event.key in keys) && !seat) return;
  event.preventDefault();
  if (seat) look(1 + +event.key); else keys[event.key]();
});
by("views").append(...film.views.map((v, k) => {
  const button = document.createElement("button");
  button.textContent = v.name;
  button.onclick = () => look(k);
  return button;
}));
by("slider").max = last;
by("slider").oninput = event => show(+event.target.value);
by("speed").onchange = () => { if (timer) { stop(); play(); } };
for (const [id, act] of [["first", "Home"], ["back", "ArrowLeft"], ["next", "ArrowRight"],
                         ["last", "End"], ["play", " "]]) by(id).onclick = keys[act];
step = Math.max(0, Math.min(last, parseInt(wanted.get("step") || "0", 10) || 0));
look(Math.min(film.views.length - 1, Math.max(0, parseInt(wanted.get("view") || "0", 10) || 0)));
"""

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<title>@TITLE@</title>
<style>@STYLE@</style>
</head>
<body>
<header><h1>@TITLE@</h1><p>@FACTS@</p></header>
<div id="bar">
<button id="first" title="Home">|&lt;</button><button id="back" title="left">&lt;</button>
<button id="play" title="space">play</button>
<button id="next" title="right">&gt;</button><button id="last" title="End">&gt;|</button>
<select id="speed" title="seconds a step"><option value="1500">slow</option>
<option value="700" selected>medium</option><option value="200">fast</option></select>
<input id="slider" type="range" min="0" value="0" aria-label="step"><span id="count"></span>
<span id="views"></span>
</div>
<div id="said" aria-live="polite"></div>
<main><div id="picture"></div>
<aside><ol id="moves"></ol><div id="notes"></div></aside></main>
@CHART@
<p class="keys">Keys: left and right one step, Page Up and Page Down ten, Home, End, space plays;
a shows everything, a digit what that seat sees.</p>
<script id="film" type="application/json">@DATA@</script>
<script>@SCRIPT@</script>
</body>
</html>
"""
