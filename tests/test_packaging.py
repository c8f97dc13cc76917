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


def test_every_dependency_of_the_tests_is_pinned():
    pinned = {canonical(line.split("==")[0]) for line in PINS}
    wanted = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]
    names = {canonical(re.match(r"[\w.-]+", requirement).group()) for requirement in wanted}
    assert names - pinned == set()
