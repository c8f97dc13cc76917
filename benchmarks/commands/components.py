"""Print the component tables of a game, every row with where its values come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import tyro
from rich.table import Table

from dwarrow import envs
from dwarrow.benchmarks.terminal import console


@dataclass
class Config:
    """Print the component tables of a game with their provenance."""

    game: Annotated[str, tyro.conf.Positional]
    """Which game."""
    table: str | None = None
    """One table only, such as cards.csv."""


def run(arguments: Sequence[str]) -> int:
    """Run the verb."""
    config = tyro.cli(Config, args=list(arguments), prog="dwarrow components", description=__doc__)
    pack, out = envs.game(config.game).pack, console()
    if config.table is not None and config.table not in pack.tables:
        raise ValueError(f"no table {config.table!r}: {config.game} has {list(pack.tables)}")
    out.print(f"pack {pack.name} ({pack.hash}); another one: DWARROW_PACK_{config.game.upper()}")
    for file, rows in pack.tables.items():
        if config.table not in (None, file):
            continue
        counts = pack.provenance()[file]
        sources = ", ".join(f"{n} {source}" for source, n in sorted(counts.items()))
        table = Table(title=f"{file}: {len(rows)} rows, {sources}", title_justify="left")
        for column in rows[0] if rows else ():
            table.add_column(column)
        for row in rows:
            table.add_row(*(str(cell) for cell in row.values()))
        out.print(table)
    return 0
