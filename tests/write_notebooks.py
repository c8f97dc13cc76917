"""Run the notebooks in full and keep their outputs beside them: make notebooks.

``python tests/write_notebooks.py 2 5`` runs those whose names begin so. What goes to stderr, such
as the compiler's progress, is not kept.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"


def sources() -> list[Path]:
    """Return the notebooks as percent scripts, in order."""
    return sorted(FOLDER.glob("[0-9]_*.py"))


def executed(source: Path, seconds: int) -> Any:
    """Run a notebook from a clean kernel, in an empty folder, and return it with its outputs.

    Raises:
        CellExecutionError: a cell failed.
    """
    notebook = jupytext.read(source)
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook,
            timeout=seconds,
            kernel_name="python3",
            record_timing=False,
            resources={"metadata": {"path": folder}},
        )
        client.execute()
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        if cell.cell_type == "code":
            cell.outputs = [out for out in cell.outputs if out.get("name") != "stderr"]
    return notebook


def main(chosen: list[str]) -> None:
    """Run and write the notebooks whose names begin with one of `chosen`, or all."""
    for source in sources():
        if chosen and not source.name.startswith(tuple(chosen)):
            continue
        begun = time.monotonic()
        nbformat.write(executed(source, 3600), source.with_suffix(".ipynb"))
        fast = " (FAST)" if os.environ.get("FAST") == "1" else ""
        print(f"{source.stem}{fast}: {time.monotonic() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
