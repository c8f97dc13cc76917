"""Settings in files: those of a run, those that a user writes (TOML or JSON), and presets."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from dwarrow.training.config import CONFIGS, RunConfig

CONFIG = "config.json"
FORMAT = 2
"""Version of what `CONFIG` may hold."""

PRESETS = Path(__file__).parent / "presets"

DEFAULT = "default"
"""The preset that a game's PPO runs start from when neither a file nor a preset is named."""

ConfigT = TypeVar("ConfigT")

_NOUNS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}


# Of a run


def save_config(config: RunConfig, folder: Path) -> None:
    """Write the settings into the folder of a run."""
    values = {"format": FORMAT, **asdict(config)}
    del values["run"]  # the folder may move
    path, text = folder / CONFIG, json.dumps(values, indent=2, default=str) + "\n"
    if path.is_file() and read_values(path) == json.loads(text):
        return
    aside = folder / (CONFIG + ".partial")
    aside.write_text(text, encoding="utf-8")
    os.replace(aside, path)


def load_config(folder: Path) -> RunConfig:
    """Read the settings of a run.

    Raises:
        ValueError: the folder is no run, or one of another version of the settings.
    """
    path = folder / CONFIG
    if not path.is_file():
        raise ValueError(f"{folder}: not the folder of a run ({CONFIG} is missing)")
    values = read_values(path)
    written = values.pop("format", FORMAT)
    if written != FORMAT:
        raise ValueError(
            f"{path}: a run of another version, with settings in format {written!r}; "
            f"this version reads format {FORMAT}"
        )
    values["run"] = str(folder)
    return build(config_class(values, path), values, path)


def with_limit(config: RunConfig, minutes: float | None, iterations: int | None) -> RunConfig:
    """Return the settings with another limit, if one is given."""
    if minutes is None and iterations is None:
        return config
    return replace(config, minutes=minutes, iterations=iterations)


# Written by a user


def read_values(path: Path) -> dict[str, Any]:
    """Read a TOML or JSON file of settings.

    Raises:
        ValueError: it is neither, or no table of names and values.
        OSError: it cannot be read.
    """
    text = path.read_text(encoding="utf-8")
    kind = "JSON" if path.suffix == ".json" else "TOML"
    try:
        values: Any = json.loads(text) if kind == "JSON" else tomllib.loads(text)
    except ValueError as error:
        raise ValueError(f"{path}: not {kind} ({error})") from None
    if not isinstance(values, dict):
        raise ValueError(f"{path}: expected names and values, found {type(values).__name__}")
    return values


def config_class(values: Mapping[str, Any], where: object) -> type[RunConfig]:
    """Return the settings' class for the algorithm that `values` name, PPO if they name none.

    Raises:
        ValueError: an unknown algorithm.
    """
    name = values.get("algorithm", "ppo")
    if name not in CONFIGS:
        known = ", ".join(CONFIGS)
        raise ValueError(f"{_place(where)}unknown algorithm {name!r}: known are {known}")
    return CONFIGS[name]


def build(cls: type[ConfigT], values: Mapping[str, Any], where: object) -> ConfigT:
    """Make settings of plain values, as TOML and JSON have them.

    Args:
        cls: a dataclass of settings.
        values: by name.
        where: what to call the place they come from.

    Raises:
        ValueError: an unknown name, said with the nearest known one, or a value that does not fit.
    """
    hints = get_type_hints(cls)
    known = {f.name: hints[f.name] for f in fields(cls)}  # type: ignore[arg-type]
    found = {}
    for name, value in values.items():
        if name not in known:
            raise ValueError(f"{where}: unknown setting {name!r}{nearest(name, known)}")
        found[name] = _convert(value, known[name], f"{where}: {name}")
    try:
        return cls(**found)
    except ValueError as error:
        raise ValueError(f"{_place(where)}{error}") from None


def nearest(name: str, known: Mapping[str, Any]) -> str:
    """Return words that name what was probably meant, or all that is known."""
    close = get_close_matches(name, known, 1)
    return f"; did you mean {close[0]!r}?" if close else f": known are {', '.join(known)}"


def _place(where: object) -> str:
    """Return how a message begins; settings of the command line need no place."""
    return f"{where}: " if where else ""


def _convert(value: Any, hint: Any, where: str) -> Any:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        if value is None and NoneType in inner:
            return None
        (other,) = [h for h in inner if h is not NoneType]
        return _convert(value, other, where)
    if origin is Literal:
        if value not in inner:
            raise ValueError(f"{where} = {value!r}: expected one of {', '.join(map(str, inner))}")
        return value
    if origin is tuple:
        if not isinstance(value, list):
            raise ValueError(f"{where} = {value!r}: expected a list")
        return tuple(_convert(item, inner[0], where) for item in value)
    if is_dataclass(hint) or origin is dict:
        if not isinstance(value, dict):
            raise ValueError(f"{where} = {value!r}: expected names and values")
        return value if origin is dict else build(hint, value, where)
    if hint is Path and isinstance(value, str):
        return Path(value)
    whole = isinstance(value, int) and not isinstance(value, bool)
    if isinstance(value, hint) and (hint is not int or whole):
        return value
    if hint is float and whole:
        return float(value)
    raise ValueError(f"{where} = {value!r}: expected {_NOUNS.get(hint, hint.__name__)}")


# Presets


@dataclass(frozen=True)
class Preset:
    """Settings that were tried, with what came of them.

    Attributes:
        about: what they are for.
        result: what a run with them gave, and under which conditions.
        settings: the values, by name.
    """

    about: str
    result: str
    settings: dict[str, Any]


def presets(game: str) -> dict[str, Preset]:
    """Return the presets of a game by name; none if it has none.

    Raises:
        ValueError: the file of presets is ill-formed.
    """
    path = PRESETS / f"{game}.toml"
    if not path.is_file():
        return {}
    return {
        name: build(Preset, values, f"{path}: {name}") for name, values in read_values(path).items()
    }


def preset(game: str, name: str) -> Preset:
    """Return a preset.

    Raises:
        ValueError: there is none of that name; says which there are.
    """
    known = presets(game)
    if name not in known:
        listed = f"known are {', '.join(known)}" if known else "the game has none"
        raise ValueError(f"--preset {name}: unknown preset of {game}: {listed}")
    return known[name]
