"""The frame that every package stands in: types, pins and names."""

import re
import tomllib
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PINS = (ROOT / "constraints.txt").read_text("utf-8").splitlines()


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("package", ["envs", "agents", "training", "benchmarks"])
def test_package_is_importable_and_typed(package):
    module = import_module(f"dwarrow.{package}")
    assert (Path(module.__file__).parent / "py.typed").is_file()


def test_installed_version_is_the_declared_one():
    assert version("dwarrow") == PROJECT["version"]


def test_pins_are_plain_name_and_version():
    assert [line for line in PINS if not re.fullmatch(r"[\w.-]+==[\w.!]+", line)] == []


@pytest.mark.parametrize("library", ["sb3", "torchrl", "tianshou", "open_spiel", "rllib"])
def test_every_library_has_extra_example_test_and_pins(library):
    folder = ROOT / "tests" / "integrations"
    pins = (folder / f"{library}.txt").read_text("utf-8").splitlines()
    assert [line for line in pins if not re.fullmatch(r"[\w.-]+==[\w.!]+", line)] == []
    pinned = {canonical(line.split("==")[0]) for line in pins}
    wanted = PROJECT["dependencies"] + PROJECT["optional-dependencies"][library] + ["pytest"]
    names = {canonical(re.match(r"[\w.-]+", requirement).group()) for requirement in wanted}
    assert names - pinned == set()
    assert (folder / f"test_{library}.py").is_file()
    assert list((ROOT / "examples").glob(f"{library}_*.py"))


def test_every_dependency_of_the_tests_is_pinned():
    pinned = {canonical(line.split("==")[0]) for line in PINS}
    wanted = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]
    names = {canonical(re.match(r"[\w.-]+", requirement).group()) for requirement in wanted}
    assert names - pinned == set()
