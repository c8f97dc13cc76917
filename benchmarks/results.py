"""Results on disk: one CSV row a game, appended as games are played, read back with every check.

A file belongs to one game, one rules version, one component pack and one set of options; rows of
others are refused, never mixed in. Beside ``x.csv`` lies ``x.json``: machine, versions, command.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO


@dataclass(frozen=True)
class Origin:
    """What the rows of one file have in common.

    Attributes:
        game: its name.
        rules: its rules version.
        pack: hash of the component pack.
        options: the game's options but for the number of players, as sorted JSON.
        players: seats at the table.
    """

    game: str
    rules: str
    pack: str
    options: str
    players: int

    def differs(self, other: Origin) -> str:
        """Say in words how `other` differs, empty if it does not."""
        return ", ".join(
            f"{f.name} {getattr(other, f.name)} instead of {getattr(self, f.name)}"
            for f in fields(self)
            if getattr(self, f.name) != getattr(other, f.name)
        )


@dataclass(frozen=True)
class GameRow:
    """One finished game.

    Attributes:
        one: the agent that sits alone.
        rest: the agent in all other seats; the same as `one` in a mirror match.
        deal: number of the deal.
        seat: where `one` sat.
        seed: seed of the game.
        utilities: by seat.
        scores: the rulebook's points, by seat.
        decisions: decisions taken, by seat; forced moves are not counted.
        moves: moves of the whole game.
        forfeit: seats whose agent crashed or overran its time, with a short reason; else empty.
        ending: why the game ended, as its breakdown says.
    """

    one: str
    rest: str
    deal: int
    seat: int
    seed: int
    utilities: tuple[float, ...]
    scores: tuple[float, ...]
    decisions: tuple[int, ...]
    moves: int
    forfeit: str = ""
    ending: str = ""

    @property
    def seats(self) -> tuple[str, ...]:
        """The agent of each seat."""
        return tuple(self.one if k == self.seat else self.rest for k in range(len(self.utilities)))

    @property
    def win(self) -> float:
        """The part of the win that `one` has: ties for the best utility split it."""
        best = max(self.utilities)
        return (self.utilities[self.seat] == best) / self.utilities.count(best)

    @property
    def margin(self) -> float:
        """Points of `one` over the best of the rest."""
        return self.scores[self.seat] - max(
            score for k, score in enumerate(self.scores) if k != self.seat
        )


def rounded(values: Iterable[float]) -> tuple[float, ...]:
    """Return numbers as a file holds them, so that played and read rows are equal."""
    return tuple(float(f"{value:.6g}") for value in values)


COLUMNS = (*(f.name for f in fields(Origin)), *(f.name for f in fields(GameRow)))
_LISTS = {"utilities": float, "scores": float, "decisions": int}
_WHOLE = ("players", "deal", "seat", "seed", "moves")


class DamagedError(ValueError):
    """A results file that cannot be used as it is; the message names file and line."""


def _write(cells: Iterable[Any]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()


HEADER = _write(COLUMNS)


def line_of(origin: Origin, row: GameRow) -> str:
    """Return a row as a line of CSV."""
    cells: list[Any] = []
    for part in (origin, row):
        for f in fields(part):
            value = getattr(part, f.name)
            cells.append(
                ";".join(f"{x:.6g}" if f.name != "decisions" else str(x) for x in value)
                if f.name in _LISTS
                else value
            )
    return _write(cells)


def _read(cells: Sequence[str]) -> tuple[Origin, GameRow]:
    """Read the cells of a row.

    Raises:
        ValueError: saying what is wrong with which column.
    """
    if len(cells) != len(COLUMNS):
        raise ValueError(f"{len(cells)} columns, wanted {len(COLUMNS)}")
    values: dict[str, Any] = {}
    for name, cell in zip(COLUMNS, cells, strict=True):
        try:
            if name in _LISTS:
                values[name] = tuple(_LISTS[name](x) for x in cell.split(";"))
            else:
                values[name] = int(cell) if name in _WHOLE else cell
        except ValueError:
            raise ValueError(f"column {name}: {cell!r} is no number") from None
    players = values["players"]
    for name in _LISTS:
        if len(values[name]) != players:
            raise ValueError(f"column {name}: {len(values[name])} seats, wanted {players}")
    if not 0 <= values["seat"] < players:
        raise ValueError(f"column seat: {values['seat']} at a table of {players}")
    origin = Origin(**{f.name: values[f.name] for f in fields(Origin)})
    return origin, GameRow(**{f.name: values[f.name] for f in fields(GameRow)})


def read(path: Path) -> tuple[Origin | None, list[GameRow], int]:
    """Read a results file: its origin, its rows, and how many bytes of it are sound.

    The last line may be torn, from a run that was killed while writing it: it is left out, and the
    sound bytes end before it.

    Raises:
        DamagedError: any other damage, or rows of different origins; naming file and line.
    """
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        where = error.object[: error.start].count(b"\n") + 1
        raise DamagedError(f"{path}, line {where}: not UTF-8 text") from None
    whole, _, _ = text.rpartition("\n")
    lines = whole.split("\n") if whole else []
    if text and lines[:1] != [HEADER.rstrip("\n")]:
        raise DamagedError(f"{path}, line 1: not the header of a results file")
    origin: Origin | None = None
    rows: list[GameRow] = []
    seen: dict[tuple[Any, ...], int] = {}
    for number, line in enumerate(lines[1:], start=2):
        try:
            found, row = _read(next(csv.reader([line]), []))
        except (ValueError, csv.Error) as error:
            raise DamagedError(f"{path}, line {number}: {error}") from None
        if origin is not None and found != origin:
            raise DamagedError(f"{path}, line {number}: {origin.differs(found)}; not to be mixed")
        key = (row.one, row.rest, row.deal, row.seat)
        if key in seen:
            raise DamagedError(f"{path}, line {number}: the same game as line {seen[key]}")
        origin, seen[key] = found, number
        rows.append(row)
    return origin, rows, len(whole.encode()) + 1 if whole else 0


def write_aside(path: Path, text: str) -> None:
    """Write a file so that there is always a whole one: aside first, then renamed.

    Raises:
        OSError: the disk refused; the old file is as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.aside")
    try:
        with aside.open("w", encoding="utf-8", newline="") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


class Store:
    """A results file open for more rows, by this process alone."""

    def __init__(self, path: Path, origin: Origin) -> None:
        """Open `path`, or begin it.

        Raises:
            DamagedError: damage, or rows of another origin.
            ValueError: another process is writing it.
        """
        self.path, self.origin = path, origin
        path.parent.mkdir(parents=True, exist_ok=True)
        self._stream: TextIO = path.open("a+", encoding="utf-8", newline="")
        try:
            self._lock()
            found, self.rows, sound = read(path)
            if found is not None and found != origin:
                raise DamagedError(
                    f"{path}: its games were played with {origin.differs(found)}; "
                    "write to another file"
                )
        except BaseException:
            self._stream.close()
            raise
        self.torn = path.stat().st_size - sound
        self._stream.truncate(sound)
        if not sound:
            self._append(HEADER)

    def __enter__(self) -> Self:
        """Use as ``with Store(...) as store``."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self._stream.close()

    def _lock(self) -> None:
        if sys.platform == "win32":
            return
        import fcntl

        try:
            fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"{self.path}: another process is writing to it") from None

    def _append(self, text: str) -> None:
        self._stream.seek(0, os.SEEK_END)
        before = self._stream.tell()
        try:
            self._stream.write(text)
            self._stream.flush()
            os.fsync(self._stream.fileno())
        except OSError:
            # a full disk must not leave half a row
            with contextlib.suppress(OSError):
                os.truncate(self.path, before)
            raise

    def append(self, rows: Sequence[GameRow]) -> None:
        """Add rows and make sure that they are on disk.

        Raises:
            OSError: the disk refused; none of them was added.
        """
        self._append("".join(line_of(self.origin, row) for row in rows))
        self.rows.extend(rows)

    def replace(self, rows: Sequence[GameRow]) -> None:
        """Write the file anew with these rows, aside first."""
        lines = (line_of(self.origin, row) for row in rows)
        write_aside(self.path, HEADER + "".join(lines))
        self.rows = list(rows)
        self._stream.close()
        self._stream = self.path.open("a+", encoding="utf-8", newline="")
        self._lock()


def write_notes(path: Path, notes: Mapping[str, Any]) -> None:
    """Write what is to be known of a results file beside it, as JSON."""
    write_aside(path.with_suffix(".json"), json.dumps(notes, indent=1, sort_keys=True) + "\n")


def read_notes(path: Path) -> dict[str, Any]:
    """Return what `write_notes` wrote, empty if there is none."""
    try:
        notes = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise DamagedError(f"{path.with_suffix('.json')}: {error}") from None
    return notes if isinstance(notes, dict) else {}
