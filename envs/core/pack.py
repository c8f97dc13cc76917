"""Component packs: a game's printed values as CSV and TOML files, each row with its provenance.

``DWARROW_PACK_<GAME>=folder`` swaps another pack in, so that whoever owns the printed game can
type the printed values in. A pack is checked when loaded; an error names file, row and column.
"""

from __future__ import annotations

import csv
import hashlib
import os
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

SOURCES = ("rulebook", "public", "reconstructed")
"""Provenance of a row: printed in the rulebook, in a public source, or a consistent stand-in."""

Column = Callable[[str], Any]
"""Turns a cell into a value, or raises ValueError saying what is allowed."""


class PackError(ValueError):
    """A component pack that does not fit the rules; the message names file, row and column."""


def integer(low: int, high: int) -> Column:
    """Return a column of whole numbers within [low, high]."""

    def read(cell: str) -> int:
        if not cell.lstrip("-").isdigit() or not low <= int(cell) <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return int(cell)

    return read


def one_of(names: Iterable[str], empty: int | None = None) -> Column:
    """Return a column of names, read as their index; an empty cell gives `empty` if that is set."""
    index = {name: k for k, name in enumerate(names)}

    def read(cell: str) -> int:
        if cell == "" and empty is not None:
            return empty
        if cell not in index:
            raise ValueError(f"one of {list(index)}")
        return index[cell]

    return read


def text(cell: str) -> str:
    """Read a cell as it stands; it may not be empty."""
    if not cell:
        raise ValueError("some text")
    return cell


def optional_text(cell: str) -> str:
    """Read a cell as it stands."""
    return cell


class Pack:
    """The component files of one game, from the package or from the folder the user chose."""

    def __init__(self, game: str, built_in: Path) -> None:
        """Choose the folder.

        Raises:
            PackError: ``DWARROW_PACK_<GAME>`` names something that is not a folder.
        """
        variable = f"DWARROW_PACK_{game.upper()}"
        chosen = os.environ.get(variable)
        self.folder = Path(chosen) if chosen else built_in
        self.name = self.folder.resolve().name if chosen else "built-in"
        self.tables: dict[str, list[dict[str, str]]] = {}
        if not self.folder.is_dir():
            raise PackError(f"{variable}={chosen}: no such folder")

    def table(self, file: str, columns: Mapping[str, Column]) -> list[dict[str, Any]]:
        """Read a CSV file whose columns are exactly `columns` and, last, ``source``.

        Raises:
            PackError: a missing file, wrong columns, a value that is not allowed.
        """
        path = self.folder / file
        if not path.is_file():
            raise PackError(f"{path}: missing; a pack holds a file for every component table")
        with path.open(newline="", encoding="utf-8") as stream:
            reader = csv.DictReader(stream)
            wanted = [*columns, "source"]
            if reader.fieldnames is None or list(reader.fieldnames) != wanted:
                raise PackError(f"{path}: columns are {reader.fieldnames}, wanted {wanted}")
            raw = list(reader)
        self.tables[file] = raw
        readers = {**columns, "source": _source}
        rows = []
        for number, cells in enumerate(raw, start=2):
            row = {}
            for name, read in readers.items():
                cell = cells[name]
                try:
                    row[name] = read(cell.strip() if cell is not None else "")
                except ValueError as error:
                    self.fail(file, number, name, f"{cell!r} is not allowed; wanted {error}")
            rows.append(row)
        return rows

    def toml(self, file: str) -> dict[str, Any]:
        """Read a TOML file.

        Raises:
            PackError: missing or not TOML.
        """
        path = self.folder / file
        try:
            return tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, tomllib.TOMLDecodeError) as error:
            raise PackError(f"{path}: {error}") from error

    def fail(self, file: str, row: int, column: str, problem: str) -> NoReturn:
        """Refuse the pack because of one cell; rows count from 1, the header being row 1."""
        raise PackError(f"{self.folder / file}, row {row}, column {column}: {problem}")

    def expect(self, file: str, what: str, found: Any, wanted: Any) -> None:
        """Check a count or sum that the rulebook fixes.

        Raises:
            PackError: it differs.
        """
        if found != wanted:
            raise PackError(f"{self.folder / file}: {what} is {found}, the rulebook says {wanted}")

    @property
    def hash(self) -> str:
        """Hash of all files of the pack, as results and checkpoints record it."""
        digest = hashlib.blake2b(digest_size=8)
        for path in sorted(self.folder.iterdir()):
            if path.suffix in (".csv", ".toml", ".json"):
                digest.update(path.name.encode() + b"\0" + path.read_bytes())
        return digest.hexdigest()

    def provenance(self) -> dict[str, dict[str, int]]:
        """Return for each table read so far how many rows have which source."""
        return {
            file: dict(Counter(r["source"].strip() for r in rows))
            for file, rows in self.tables.items()
        }


def _source(cell: str) -> str:
    if cell not in SOURCES:
        raise ValueError(f"one of {list(SOURCES)}")
    return cell


def as_columns(rows: Sequence[Mapping[str, Any]], *names: str) -> list[list[Any]]:
    """Return the named columns of a table as lists, for module-level arrays."""
    return [[row[name] for row in rows] for name in names]
