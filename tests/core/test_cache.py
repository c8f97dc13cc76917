"""An edited source or card file gives new answers, though Numba looks at no other file."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dwarrow.envs.core.kernels as kernels

ASK = """
from dwarrow.envs.core.kernels import CACHE, kernel
import sys
sys.path.insert(0, {here!r})
from asked import answer
print(answer(), CACHE.name)
"""

# The kernel freezes a value that comes from a card file by way of another module.
CARDS = """
from pathlib import Path
import dwarrow.envs.core.pack as pack
FILE = Path(pack.__file__).parents[1] / "toy" / "cards.csv"
VALUE = int(FILE.read_text().split()[-1])
"""
ASKED = """
from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.toy.cards import VALUE

@kernel
def answer():
    return VALUE
"""


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the core, installed as `dwarrow.envs`, with one card file."""
    envs = tmp_path / "site" / "dwarrow" / "envs"
    shutil.copytree(Path(kernels.__file__).parent, envs / "core")
    (envs / "__init__.py").write_text("")
    (envs / "toy").mkdir()
    (envs / "toy" / "__init__.py").write_text("")
    (envs / "toy" / "cards.py").write_text(CARDS)
    (envs / "toy" / "cards.csv").write_text("value\n3\n")
    (tmp_path / "asked.py").write_text(ASKED)
    return tmp_path


def ask(root: Path) -> list[str]:
    out = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(root / 'site')!r})\n"
         + ASK.format(here=str(root))],
        check=True, capture_output=True, text=True,
        env={"DWARROW_CACHE": str(root / "cache"), "PATH": ""},
    )  # fmt: skip
    return out.stdout.split()


def test_an_edited_card_file_gives_new_answers(copied):
    first, folder = ask(copied)
    assert first == "3"
    assert ask(copied) == ["3", folder]  # the same sources, the same folder
    (copied / "site/dwarrow/envs/toy/cards.csv").write_text("value\n4\n")
    second, other = ask(copied)
    assert second == "4"
    assert other != folder
    assert {p.name for p in (copied / "cache").iterdir()} == {folder, other}


def test_an_edited_source_file_gives_a_new_folder(copied):
    _, folder = ask(copied)
    cards = copied / "site/dwarrow/envs/toy/cards.py"
    cards.write_text(cards.read_text() + "VALUE += 1\n")
    assert ask(copied)[0] == "4"
    assert ask(copied)[1] != folder


def test_a_kernel_is_kept_with_the_sources_it_may_be_made_of(copied):
    code = (
        f"import sys; sys.path.insert(0, {str(copied / 'site')!r})\n"
        "from dwarrow.envs.core.kernels import cache_folder\n"
        "for name in 'envs.toy.rules', 'envs.core.rng', 'agents.search', 'training.tables':\n"
        "    print(cache_folder('dwarrow.' + name).name)"
    )

    def folders() -> list[str]:
        found = subprocess.run(
            [sys.executable, "-I", "-c", code],
            check=True, capture_output=True, text=True, env={"PATH": ""},
        )  # fmt: skip
        return found.stdout.split()

    def changed(path: str) -> list[bool]:
        before = folders()
        file = copied / "site/dwarrow" / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(file.read_text() + "#" if file.exists() else "")
        return [a != b for a, b in zip(before, folders(), strict=True)]

    (copied / "site/dwarrow/envs/other").mkdir()
    assert changed("envs/core/rng.py") == [True, True, True, True]
    assert changed("envs/toy/cards.csv") == [True, True, True, True]
    assert changed("envs/other/rules.py") == [False, True, True, True]
    assert changed("agents/base.py") == [False, False, True, True]
    assert changed("training/ppo.py") == [False, False, False, True]
    assert changed("benchmarks/cli.py") == [False, False, False, False]


def test_the_cache_folder_can_be_chosen(monkeypatch, tmp_path):
    monkeypatch.setenv("DWARROW_CACHE", str(tmp_path))
    assert kernels.cache_root() == tmp_path
    monkeypatch.delenv("DWARROW_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert kernels.cache_root() == tmp_path / "xdg" / "dwarrow"
