"""Results on disk: one CSV row a game, appended as games are played, read back with every check.

A file belongs to one origin (game, rules version, component pack ...); rows of others are refused,
never mixed in. Beside ``x.csv`` lies ``x.json``: machine, versions, command.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Self, TextIO, TypeVar, get_args, get_origin, get_type_hints

OriginT = TypeVar("OriginT")
RowT = TypeVar("RowT")


class DamagedError(ValueError):
    """A results file that cannot be used as it is; the message names file and line."""


def rounded(values: Iterable[float]) -> tuple[float, ...]:
    """Return numbers as a file holds them, so that played and read rows are equal."""
    return tuple(float(_text(float(value))) for value in values)


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return ";".join(map(_text, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _value(cell: str, kind: Any) -> Any:
    if get_origin(kind) is tuple:
        (each, _) = get_args(kind)
        return tuple(each(part) for part in cell.split(";")) if cell else ()
    return kind(cell)


class Format(Generic[OriginT, RowT]):
    """The columns of a kind of results file: the fields of its origin, then those of its rows.

    Fields are of type str, int, float, or tuples of one of them.
    """

    def __init__(
        self,
        origin: type[OriginT],
        row: type[RowT],
        key: Sequence[str],
        tidy: Callable[[Sequence[RowT]], list[RowT]] = list,
    ) -> None:
        """Describe a kind of file; `key` names the fields that tell one game from another.

        A row may have a method ``check(origin)`` that raises ValueError for what cannot be. `tidy`
        is given all rows that were read, and returns those to go on with.
        """
        self.tidy = tidy
        self.origin, self.row, self.key = origin, row, tuple(key)
        hints = {**get_type_hints(origin), **get_type_hints(row)}
        self.origin_fields = [f.name for f in fields(origin)]  # type: ignore[arg-type]
        self.row_fields = [f.name for f in fields(row)]  # type: ignore[arg-type]
        self.kinds = {name: hints[name] for name in (*self.origin_fields, *self.row_fields)}
        self.header = _line(self.kinds)

    def line(self, origin: OriginT, row: RowT) -> str:
        """Return a row as a line of CSV."""
        cells = [getattr(origin, name) for name in self.origin_fields]
        return _line(map(_text, (*cells, *(getattr(row, name) for name in self.row_fields))))

    def parse(self, line: str) -> tuple[OriginT, RowT]:
        """Read a line of CSV.

        Raises:
            ValueError: saying what is wrong with which column.
        """
        cells = next(csv.reader([line]), [])
        if len(cells) != len(self.kinds):
            raise ValueError(f"{len(cells)} columns, wanted {len(self.kinds)}")
        values: dict[str, Any] = {}
        for (name, kind), cell in zip(self.kinds.items(), cells, strict=True):
            try:
                values[name] = _value(cell, kind)
            except ValueError:
                raise ValueError(f"column {name}: {cell!r} is no number") from None
        origin = self.origin(**{name: values[name] for name in self.origin_fields})
        row = self.row(**{name: values[name] for name in self.row_fields})
        check = getattr(row, "check", None)
        if check is not None:
            check(origin)
        return origin, row

    def key_of(self, row: RowT) -> tuple[Any, ...]:
        """Return what tells the game of a row from others."""
        return tuple(getattr(row, name) for name in self.key)

    def differs(self, found: OriginT, wanted: OriginT) -> str:
        """Say in words how `found` differs from `wanted`, empty if it does not."""
        return ", ".join(
            f"{name} {getattr(found, name)} instead of {getattr(wanted, name)}"
            for name in self.origin_fields
            if getattr(found, name) != getattr(wanted, name)
        )

    def read(self, path: Path) -> tuple[OriginT | None, list[RowT], int]:
        """Read a results file: its origin, its rows, and how many bytes of it are sound.

        The last line may be torn, from a run that was killed while writing it: it is left out, and
        the sound bytes end before it.

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
        if text and lines[:1] != [self.header.rstrip("\n")]:
            raise DamagedError(f"{path}, line 1: not the header of such a results file")
        origin: OriginT | None = None
        rows: list[RowT] = []
        seen: dict[tuple[Any, ...], int] = {}
        for number, line in enumerate(lines[1:], start=2):
            try:
                found, row = self.parse(line)
            except (ValueError, csv.Error) as error:
                raise DamagedError(f"{path}, line {number}: {error}") from None
            if origin is not None and found != origin:
                problem = self.differs(found, origin)
                raise DamagedError(f"{path}, line {number}: {problem}; not to be mixed")
            key = self.key_of(row)
            if key in seen:
                raise DamagedError(f"{path}, line {number}: the same game as line {seen[key]}")
            origin, seen[key] = found, number
            rows.append(row)
        return origin, self.tidy(rows), len(whole.encode()) + 1 if whole else 0


def _line(cells: Iterable[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()


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


class Store(Generic[OriginT, RowT]):
    """A results file open for more rows, by this process alone."""

    def __init__(self, path: Path, form: Format[OriginT, RowT], origin: OriginT) -> None:
        """Open `path`, or begin it.

        Raises:
            DamagedError: damage, or rows of another origin.
            ValueError: another process is writing it.
        """
        self.path, self.form, self.origin = path, form, origin
        path.parent.mkdir(parents=True, exist_ok=True)
        self._stream = self._open()
        try:
            found, self.rows, sound = form.read(path)
            if found is not None and found != origin:
                raise DamagedError(
                    f"{path}: its games have {form.differs(found, origin)}; write to another file"
                )
        except BaseException:
            self._stream.close()
            raise
        self.torn = path.stat().st_size - sound
        self._stream.truncate(sound)
        if not sound:
            self._append(form.header)

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

    def _open(self) -> TextIO:
        """Open the file for this process alone, and be sure that it is still the one of that name.

        Another process may have renamed a new one over it between opening and locking.
        """
        while True:
            stream = self.path.open("a+", encoding="utf-8", newline="")
            try:
                self._lock(stream)
                with contextlib.suppress(FileNotFoundError):
                    if os.path.samestat(os.fstat(stream.fileno()), self.path.stat()):
                        return stream
            except BaseException:
                stream.close()
                raise
            stream.close()

    def _lock(self, stream: TextIO) -> None:
        if sys.platform == "win32":
            return
        import fcntl

        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
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

    def append(self, rows: Sequence[RowT]) -> None:
        """Add rows and make sure that they are on disk.

        Raises:
            OSError: the disk refused; none of them was added.
        """
        self._append("".join(self.form.line(self.origin, row) for row in rows))
        self.rows.extend(rows)

    def replace(self, rows: Sequence[RowT]) -> None:
        """Write the file anew with these rows, aside first."""
        lines = (self.form.line(self.origin, row) for row in rows)
        write_aside(self.path, self.form.header + "".join(lines))
        self.rows = list(rows)
        old, self._stream = self._stream, self._open()
        old.close()


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
