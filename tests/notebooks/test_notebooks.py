"""The notebooks: pairs in step, outputs kept, and each runs from a clean kernel."""

import jupytext
import nbformat
import pytest
from write_notebooks import FOLDER, executed, sources

NAMES = [path.stem for path in sources()]


def test_there_are_six_and_the_list_names_each():
    assert [name[0] for name in NAMES] == list("123456")
    index = (FOLDER / "README.md").read_text("utf-8")
    assert [name for name in NAMES if f"({name}.ipynb)" not in index] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_kept_outputs_belong_to_these_cells(name: str):
    kept = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    nbformat.validate(kept)
    source = jupytext.read(FOLDER / f"{name}.py")
    assert [(c.cell_type, c.source) for c in kept.cells] == [
        (c.cell_type, c.source) for c in source.cells
    ], "make notebooks runs them again"
    code = [cell for cell in kept.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == [*range(1, len(code) + 1)]
    outputs = [out for cell in code for out in cell.outputs]
    assert not [out for out in outputs if out.output_type == "error"]
    pictures = [out for out in outputs if "image/png" in out.get("data", {})]
    assert len(pictures) >= 1


@pytest.mark.parametrize("name", NAMES)
def test_kept_outputs_tell_nothing_of_the_machine(name: str):
    text = (FOLDER / f"{name}.ipynb").read_text("utf-8")
    assert [
        word for word in ("/home/", "/root/", "/tmp/", "/work/", "site-packages") if word in text
    ] == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("default")  # the kernel's own client has some
def test_it_runs_from_a_clean_kernel(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("FAST", "1")
    monkeypatch.setenv("MPLBACKEND", "agg")
    notebook = executed(FOLDER / f"{name}.py", 300)
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code")
