"""Reads results of every kind and turns each into a section of the page."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.table import Table

from dwarrow.benchmarks.arena import rows as arena_rows
from dwarrow.benchmarks.arena import show as arena_show
from dwarrow.benchmarks.arena.standings import Standings, standings
from dwarrow.benchmarks.campaign import milliseconds
from dwarrow.benchmarks.coop import play as coop_play
from dwarrow.benchmarks.coop import tables as coop_tables
from dwarrow.benchmarks.report.plots import Point, intervals, lines
from dwarrow.benchmarks.results import DamagedError, read_notes

METRICS, CONFIG = "metrics.jsonl", "config.json"


@dataclass(frozen=True)
class Block:
    """A table or a plot with its title.

    Attributes:
        title: what it shows.
        header: of the table's columns.
        rows: of the table.
        plot: SVG text; a block has a table or a plot.
    """

    title: str
    header: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    plot: str = ""


@dataclass(frozen=True)
class Section:
    """One result on the page.

    Attributes:
        title: of the section.
        blocks: tables and plots in order.
        remarks: controls and what else the reader has to know.
        facts: provenance: command, machine, versions.
        origin: (game, rules version, pack hash) if it is a result of one game.
        source: name of the file it came from.
    """

    title: str
    blocks: list[Block]
    remarks: list[str]
    facts: list[tuple[str, str]]
    origin: tuple[str, str, str] | None
    source: str


def block(table: Table) -> Block:
    """Take a terminal table as a block."""
    columns = [list(map(str, column.cells)) for column in table.columns]
    header = [str(column.header) for column in table.columns]
    return Block(str(table.title), header, [list(row) for row in zip(*columns, strict=True)])


def sections(paths: Sequence[Path]) -> list[Section]:
    """Read results: arena and co-op CSV, speed JSON, folders of training runs.

    Raises:
        ValueError: a file that is no result, a damaged one, or results of one game that were made
            with different rules versions or component packs.
    """
    found = [section(path) for path in paths]
    first: dict[str, Section] = {}
    for each in found:
        if each.origin is None:
            continue
        game, rules, pack = each.origin
        other = first.setdefault(game, each)
        if other.origin != each.origin and other.origin is not None:
            raise ValueError(
                f"{each.source} has {game} with rules {rules} and pack {pack}, {other.source} "
                f"with rules {other.origin[1]} and pack {other.origin[2]}: not to be mixed"
            )
    return found


def section(path: Path) -> Section:
    """Read one result.

    Raises:
        ValueError: it is none, or a damaged one.
    """
    if path.is_dir():
        return _run(path)
    if not path.exists():
        raise ValueError(f"{path}: no such file or folder")
    if path.suffix == ".json":
        return _speed(path)
    with path.open(encoding="utf-8", errors="replace") as stream:
        header = stream.readline()
    if header == arena_rows.FORMAT.header:
        return _arena(path)
    if header == coop_play.FORMAT.header:
        return _coop(path)
    raise DamagedError(f"{path}, line 1: not the header of a results file")


def _notes(path: Path, game: str, rules: str, pack: str) -> dict[str, Any]:
    basic = {"title": game, "rules": rules, "pack": "?", "pack_hash": pack, "provenance": {}}
    return {"seed": "?", "seeds": "?", **basic, **read_notes(path)}


def _facts(notes: Mapping[str, Any]) -> list[tuple[str, str]]:
    found = []
    if "command" in notes:
        found.append(("command", str(notes["command"])))
    if "machine" in notes:
        about = notes["machine"]
        found.append(
            ("machine", f"{about['processor']}, {about['cores']} cores, {about['system']}")
        )
    if "versions" in notes:
        found.append(("versions", ", ".join(f"{k} {v}" for k, v in notes["versions"].items())))
    for file, sources in notes.get("provenance", {}).items():
        counts = ", ".join(f"{n} {source}" for source, n in sorted(sources.items()))
        found.append((f"component table {file}", f"rows by source: {counts}"))
    return found


def _arena(path: Path) -> Section:
    origin, rows, _ = arena_rows.FORMAT.read(path)
    if origin is None:
        raise DamagedError(f"{path}: no game in it")
    notes = _notes(path, origin.game, origin.rules, origin.pack)
    agents = list(dict.fromkeys(spec for row in rows for spec in (row.one, row.rest)))
    found = standings(rows, agents, origin.players, notes.get("unranked", []))
    blocks = [Block("Strength with 95 % intervals", plot=_strength(found))] if found.ratings else []
    if found.overall:
        blocks += [
            block(arena_show.strength(found, notes)),
            block(arena_show.matrix(found)),
            block(arena_show.seats(found)),
            Block("Milliseconds for a decision", plot=_times(found, notes)),
        ]
    if found.mirrors:
        blocks.append(block(arena_show.mirror(found)))
    return Section(
        f"{notes['title']}: arena, {origin.players} players",
        [each for each in blocks if each.plot or each.rows],
        arena_show.remarks(found, notes),
        _facts(notes),
        (origin.game, origin.rules, origin.pack),
        path.name,
    )


def _strength(found: Standings) -> str:
    rows = [
        (spec, rating.points, *rating.interval)
        for spec in found.agents
        if (rating := found.ratings.get(spec)) is not None
    ]
    return intervals("ratings with intervals", rows, reference=0.0)


def _times(found: Standings, notes: Mapping[str, Any]) -> str:
    spent = {spec: milliseconds(notes, spec) for spec in found.agents}
    rows = [(f"{spec}: {ms:.3g} ms", ms, 0.0, ms) for spec, ms in spent.items()]
    return intervals("time per decision", [row for row in rows if math.isfinite(row[1])])


def _coop(path: Path) -> Section:
    origin, rows, _ = coop_play.FORMAT.read(path)
    if origin is None:
        raise DamagedError(f"{path}: no game in it")
    notes = _notes(path, origin.game, origin.rules, origin.pack)
    levels = notes.get("levels") or list(dict.fromkeys(row.level for row in rows))
    found = coop_tables.coop_table(rows, levels)
    curves = {
        f"{team}, heroes: {heroes}": [
            Point(k, cell.share.value, *cell.share.interval)
            for k, level in enumerate(found.levels)
            if (cell := found.cells.get(coop_play.Series(level, heroes, team))) is not None
        ]
        for heroes, team in found.rows
    }
    return Section(
        f"{notes['title']}: co-op win rates",
        [
            Block(
                "Win rate by level with 95 % intervals",
                plot=lines("win rate by level", curves, found.levels),
            ),
            block(coop_tables.win_rates(found, notes)),
            block(coop_tables.endings(found)),
        ],
        coop_tables.remarks(found, notes),
        _facts(notes),
        (origin.game, origin.rules, origin.pack),
        path.name,
    )


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise DamagedError(f"{path}: {error}") from None
    if not isinstance(found, dict):
        raise DamagedError(f"{path}: not the result of a measurement")
    return found


def _speed(path: Path) -> Section:
    found = _json(path)
    if found.get("kind") != "speed":
        raise DamagedError(f"{path}: not the result of `dwarrow bench speed --json`")
    figures = [
        [f"{f['game']}, {f['players']} seats", f["layer"], *_rated(f["rate"]), f["counts"]]
        for f in found["figures"]
    ]
    peers = [
        [f"{p['library']} {p['game']}", p["layer"], *_rated(p["rate"]), p["counts"]]
        for p in found["peers"]
    ]
    goals = [
        [g["goal"], _short(g.get("measured", g.get("ratio"))), _verdict(g["reached"])]
        for g in (*found["goals"], *found["peer_goals"])
    ]
    spread = ["median", "slowest to fastest"]
    blocks = [
        Block("Per second (cold, warm: seconds)", ["game", "layer", *spread, "counts"], figures),
        Block("Peers in the same run", ["peer", "our layer", *spread, "counts"], peers),
        Block("Promised", ["what", "measured", "reached"], goals),
    ]
    remarks = [f"Left out: {x['what']}: {x['why']}" for x in found["left_out"]]
    if found["busy"]:
        remarks.insert(0, "Other work ran meanwhile: these figures are not to be quoted.")
    return Section("Speed", [b for b in blocks if b.rows], remarks, _facts(found), None, path.name)


def _rated(rate: Mapping[str, float]) -> list[str]:
    return [_short(rate["median"]), f"{_short(rate['low'])} - {_short(rate['high'])}"]


def _short(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def _verdict(reached: bool | None) -> str:
    return {True: "yes", False: "no", None: "not measured"}[reached]


def _run(folder: Path) -> Section:
    if not (folder / METRICS).is_file() or not (folder / CONFIG).is_file():
        raise ValueError(f"{folder}: not the folder of a run ({CONFIG}, {METRICS} are missing)")
    config = _json(folder / CONFIG)
    entries = []
    text = (folder / METRICS).read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            entries.append(json.loads(line))
        except ValueError:
            # the last line may be torn, from a run that was killed
            if number < text.count("\n") or text.endswith("\n"):
                raise DamagedError(f"{folder / METRICS}, line {number}: not JSON") from None
    names = sorted({k for e in entries for k in e if k.startswith("win/")})
    curves = {
        name.removeprefix("win/"): [
            Point(e["seconds"] / 60, e[name], e[name], e[name]) for e in entries if name in e
        ]
        for name in names
    }
    plot = lines("win share while training", curves, x_name="minutes")
    last = entries[-1] if entries else {}
    figures = [[k, _short(v)] for k, v in last.items() if isinstance(v, int | float)]
    settings = [(k, str(v)) for k, v in config.items() if v not in (None, [], ())]
    blocks = [
        Block("Win share against fixed opponents, one seat against the rest", plot=plot),
        Block("At the last iteration", ["what", "value"], figures),
    ]
    return Section(
        f"Training run {folder.name} ({config.get('game', '?')})",
        [each for each in blocks if each.plot or each.rows],
        [],
        settings,
        None,
        folder.name,
    )
