"""A long series of games on disk: plays what a results file lacks and goes on where it stopped.

A campaign has several series (a pairing of an arena, a level of a co-op table), each a list of
rounds. Without a stopping rule all rounds are played; with one, a series ends with the first round
after which its win share is known well enough. Games are played in units, cut the same way however
much is there already, and a unit is appended as soon as it is played.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from dwarrow.agents.base import AgentSpec
from dwarrow.benchmarks.crew import Crew, Unit
from dwarrow.benchmarks.identity import SEARCHES, identity
from dwarrow.benchmarks.machine import machine, stamp, versions
from dwarrow.benchmarks.results import Format, Store, read_notes, write_notes
from dwarrow.benchmarks.stats import Until, share
from dwarrow.envs.core.game import Game
from dwarrow.training.match import Row, ThinkingTime

ItemT = TypeVar("ItemT", bound=Hashable)
OriginT = TypeVar("OriginT")
RowT = TypeVar("RowT")

GAMES_IN_A_UNIT = 60
GAMES_IN_A_SEARCH_UNIT = 6
"""Searches take long for a decision: their games are saved in smaller units."""

Report = Callable[[int, int], None]
"""Told how many games are played, and how many there are at most."""


@dataclass
class Campaign(Generic[ItemT, OriginT, RowT]):
    """What to play, and how it lies on disk.

    Attributes:
        form: of the results file.
        origin: what all its rows have in common.
        series: by name, the rounds of each; an item is one game.
        unit: turns items of one series into matches.
        row: turns a played item into a row.
        item: which item a row of the file is.
        win: what a row counts as for the win share of its series.
        players: numbers of players of its games.
        until: when a series may stop.
        notes: what is to be kept beside the rows.
    """

    form: Format[OriginT, RowT]
    origin: OriginT
    series: Mapping[Any, Sequence[Sequence[ItemT]]]
    unit: Callable[[Sequence[ItemT]], Unit]
    row: Callable[[ItemT, Row], RowT]
    item: Callable[[RowT], ItemT]
    win: Callable[[RowT], float]
    players: Sequence[int]
    until: Until | None = None
    notes: dict[str, Any] = field(default_factory=dict)


@dataclass
class Outcome(Generic[RowT]):
    """What a campaign gave.

    Attributes:
        game: the game.
        rows: its games, in the order of its rounds.
        unranked: agents that see more than their seat may.
        notes: what `results.write_notes` keeps: origin, machine, versions, time of agents.
        torn: bytes of a torn last line that were dropped from the file.
    """

    game: Game
    rows: list[RowT]
    unranked: tuple[str, ...]
    notes: dict[str, Any]
    torn: int = 0


class _Progress(Generic[ItemT, OriginT, RowT]):
    """The rounds of a campaign and what of them is played."""

    def __init__(self, campaign: Campaign[ItemT, OriginT, RowT], unit: int) -> None:
        self.campaign, self.unit = campaign, unit
        self.series = campaign.series
        self.series_of = {
            item: name for name, rounds in self.series.items() for part in rounds for item in part
        }
        self.played: dict[ItemT, RowT] = {}
        self.stopped: dict[Any, int] = {}
        self.whole = False

    def add(self, rows: Sequence[RowT]) -> None:
        """Note rows as played; those of other series are left alone."""
        for row in rows:
            item = self.campaign.item(row)
            if item in self.series_of:
                self.played[item] = row

    def round(self, name: Hashable, k: int) -> Sequence[ItemT]:
        """Return round `k` of a series, empty after its last."""
        rounds = self.series[name]
        return rounds[k] if k < len(rounds) else ()

    def known(self, name: Hashable, n_rounds: int) -> bool:
        """Return whether the first rounds of a series tell its win share well enough."""
        assert self.campaign.until is not None
        wins = [
            self.campaign.win(self.played[item])
            for k in range(n_rounds)
            for item in self.round(name, k)
        ]
        return self.campaign.until.reached([share(sum(wins), len(wins))])

    def waves(self) -> Iterator[list[ItemT]]:
        """Yield games that may be played side by side; the results of a wave decide the next.

        What the stopping rule ends is noted in `stopped` with its games; `whole` once all waves are
        played.
        """
        active = list(self.series)
        longest = max((len(rounds) for rounds in self.series.values()), default=0)
        if self.campaign.until is None:
            yield [item for k in range(longest) for name in active for item in self.round(name, k)]
            self.whole = True
            return
        for k in range(longest):
            if k:
                self.stop(k, [name for name in active if self.round(name, k)])
                active = [name for name in active if name not in self.stopped]
            yield [item for name in active for item in self.round(name, k)]
        self.whole = True

    def stop(self, n_rounds: int, names: Sequence[Hashable]) -> None:
        """Note which of these series are known after their first rounds."""
        for name in names:
            if self.known(name, n_rounds):
                self.stopped[name] = sum(len(part) for part in self.series[name][:n_rounds])

    def note_stopped(self, notes: dict[str, Any]) -> None:
        """Bring the notes up to date on which series a stopping rule ended, and how wide."""
        games = {name: sum(map(len, rounds)) for name, rounds in self.series.items()}
        kept = [
            entry
            for entry in notes.get("stopped", [])
            if (name := tuple(entry["series"])) not in self.stopped
            and not (self.whole and games.get(name, 0) > entry["games"])
        ]
        width = notes["until"]
        notes["stopped"] = kept + [
            {"series": list(name), "width": width, "games": n} for name, n in self.stopped.items()
        ]

    def missing(self, wave: Sequence[ItemT]) -> Iterator[list[ItemT]]:
        """Yield the units of a wave that have to be played: whole ones, within one series."""
        unit: list[ItemT] = []
        for item in wave:
            if unit and (len(unit) == self.unit or self.series_of[unit[0]] != self.series_of[item]):
                if any(other not in self.played for other in unit):
                    yield unit
                unit = []
            unit.append(item)
        if any(other not in self.played for other in unit):
            yield unit


def play(
    campaign: Campaign[ItemT, OriginT, RowT],
    crew: Crew,
    path: Path,
    command: str,
    report: Report | None = None,
) -> Outcome[RowT]:
    """Play a campaign into the results file `path`, going on where an earlier run was cut off.

    Raises:
        ValueError: a results file that does not fit.
        KeyboardInterrupt: the user stopped it; what was played is kept.
    """
    made, game = crew.player.made, crew.game
    slow = any(AgentSpec.parse(spec).kind in SEARCHES for spec in made)
    progress = _Progress(campaign, GAMES_IN_A_SEARCH_UNIT if slow else GAMES_IN_A_UNIT)
    with crew, Store(path, campaign.form, campaign.origin) as store:
        notes = _begin_notes(campaign, path, crew, command)
        progress.add(store.rows)
        wanted: list[ItemT] = []
        try:
            for wave in progress.waves():
                wanted += wave
                _play_wave(progress, crew, wave, store, notes, report)
        finally:
            progress.note_stopped(notes)
            write_notes(path, notes)
        rows = [progress.played[item] for item in wanted]
        chosen = set(wanted)
        others = [row for row in store.rows if campaign.item(row) not in chosen]
        if [*rows, *others] != store.rows:
            store.replace([*rows, *others])
        return Outcome(game, rows, tuple(notes["unranked"]), notes, store.torn)


def _play_wave(
    progress: _Progress[ItemT, OriginT, RowT],
    crew: Crew,
    wave: Sequence[ItemT],
    store: Store[OriginT, RowT],
    notes: dict[str, Any],
    report: Report | None,
) -> None:
    campaign = progress.campaign
    units = list(progress.missing(wave))
    for unit, played in zip(units, crew.play(map(campaign.unit, units)), strict=True):
        fresh = [
            campaign.row(item, row)
            for item, row in zip(unit, played.rows, strict=True)
            if item not in progress.played
        ]
        store.append(fresh)
        progress.add(fresh)
        _count_time(notes, played.thinking)
        if report is not None:
            report(len(progress.played), len(progress.series_of))


def _begin_notes(
    campaign: Campaign[ItemT, OriginT, RowT],
    path: Path,
    crew: Crew,
    command: str,
) -> dict[str, Any]:
    """Go on with the notes of an earlier run.

    Raises:
        ValueError: an agent of it has changed since, or it left another time for a decision.
    """
    game, agents, notes = crew.game, crew.player.made, read_notes(path)
    limit, given = crew.job.seconds, notes.get("limit")
    if notes and given != limit:
        raise ValueError(
            f"{path}: its games were played with {_limit(given)} for a decision, not with "
            f"{_limit(limit)}; give the same --seconds, or write to another file"
        )
    identities = dict(notes.get("identities", {}))
    for spec, agent in agents.items():
        known = identities.get(spec, {})
        if isinstance(known, str):  # of all numbers of seats together, as it once was
            known = {str(n): known for n in campaign.players}
        counts = sorted({*campaign.players, *map(int, known)})
        now = {str(n): identity(agent, game, n, crew.job.options) for n in counts}
        if any(now[n] != was for n, was in known.items()):
            raise ValueError(
                f"{path}: {spec} has changed since its games were played; write to another file"
            )
        identities[spec] = now
    notes = {
        "seconds": {},
        "asked": {},
        **notes,
        **campaign.notes,
        "game": game.name,
        "title": game.title,
        "limit": limit,
        "until": None if campaign.until is None else campaign.until.width,
        "command": command,
        "machine": machine(),
        "versions": versions(),
        **stamp(game),
        "identities": identities,
        "unranked": [
            *(spec for spec in notes.get("unranked", []) if spec not in agents),
            *(spec for spec, agent in agents.items() if not agent.ranked),
        ],
    }
    write_notes(path, notes)
    return notes


def _limit(seconds: float | None) -> str:
    return "no limit" if seconds is None else f"{seconds:g} s"


def _count_time(notes: dict[str, Any], thinking: ThinkingTime) -> None:
    for counts, found in (
        (notes["seconds"], thinking.seconds),
        (notes["asked"], thinking.decisions),
    ):
        for spec, value in found.items():
            counts[spec] = counts.get(spec, 0) + value


def milliseconds(notes: Mapping[str, Any], spec: str) -> float:
    """Return an agent's mean time per decision, NaN if it is not known."""
    asked = notes.get("asked", {}).get(spec, 0)
    return 1000 * notes["seconds"][spec] / asked if asked else math.nan


def stopping(notes: Mapping[str, Any]) -> list[str]:
    """Return what the reader has to know of a stopping rule, in sentences; none if none was used.

    Notes written before the rule was noted for each series tell that of their last run.
    """
    widths = [entry["width"] for entry in notes.get("stopped", [])]
    if "stopped" not in notes and notes.get("until") is not None:
        widths = [notes["until"]]
    if not widths:
        return []
    each = " or ".join(f"{100 * width:g}" for width in sorted(set(widths)))
    series = f"{len(widths)} series" if "stopped" in notes else "series"
    return [
        f"A stopping rule ended {series} of games as soon as the interval was {each} points wide: "
        "intervals hold what they promise, shares below 10 % and above 90 % lean outward by up to "
        "half a point."
    ]
