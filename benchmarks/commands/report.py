"""Write results as one self-contained HTML page with tables, plots and provenance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from dwarrow.benchmarks.report.page import page
from dwarrow.benchmarks.report.sources import sections
from dwarrow.benchmarks.results import write_aside


@dataclass
class Config:
    """Write results as one self-contained HTML page."""

    results: Annotated[tuple[Path, ...], tyro.conf.Positional]
    """Arena and co-op CSV, speed JSON, folders of training runs, in the order to be shown."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])] = Path("report.html")
    """The page."""
    title: str = "dwarrow: results"
    """Its title."""


def run(arguments: Sequence[str]) -> int:
    """Run the verb."""
    config = tyro.cli(Config, args=list(arguments), prog="dwarrow report", description=__doc__)
    if not config.results:
        raise ValueError("name at least one results file, or the folder of a run")
    found = sections(config.results)
    write_aside(config.out, page(config.title, found))
    print(f"{len(found)} results in {config.out}")
    return 0
