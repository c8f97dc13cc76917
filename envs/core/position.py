"""States as JSON-ready nested dicts in rulebook words, and back, by the record declaration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dwarrow.envs.core.record import NONE, Field, Names, fields_of


def encode(record: np.void, cls: type) -> dict[str, Any]:
    """Return one record as a dict."""
    lengths = {f.counted for f in fields_of(cls)}
    return {
        f.name: _encode_field(record, f)
        for f in fields_of(cls)
        if f.name not in lengths or f.name == "n_seats"
    }


def _encode_field(record: np.void, f: Field) -> Any:
    value = record[f.name]
    if f.counted is not None:
        value = value[: int(record[f.counted])]
    return _encode_value(value, f, len(f.shape))


def _encode_value(value: Any, f: Field, depth: int) -> Any:
    if depth:
        items = [_encode_value(item, f, depth - 1) for item in value]
        return dict(zip(f.keys.names, items, strict=True)) if f.keys and depth == 1 else items
    if f.nested is not None:
        return encode(value, f.nested)
    if f.names is not None:
        return None if value == NONE else f.names.names[int(value)]
    return value.item() if isinstance(value, np.generic) else value


def overlay(record: np.void, cls: type, data: Any, path: str = "") -> None:
    """Write the keys of `data` over `record`, in place; what `data` does not name stays.

    A list of records may be given as a list (``{}`` leaves an entry alone) or as a dict by index.

    Raises:
        ValueError: an unknown key or value, with its path and what is allowed.
    """
    known = {f.name: f for f in fields_of(cls)}
    if not isinstance(data, Mapping):
        raise ValueError(f"{path or 'position'}: expected an object, not {_shown(data)}")
    lengths = {f.counted for f in known.values()} - {"n_seats", None}
    for key, value in data.items():
        if key not in known or key in lengths:
            raise ValueError(
                f"{_join(path, key)}: unknown; known are {[k for k in known if k not in lengths]}"
            )
        _overlay_field(record, known[key], value, _join(path, key))


def _overlay_field(record: np.void, f: Field, value: Any, path: str) -> None:
    if not f.shape:
        if f.nested is not None:
            overlay(record[f.name], f.nested, value, path)
        else:
            record[f.name] = _number(value, f, path)
        return
    target = record[f.name]
    if f.counted is not None and f.counted != "n_seats":
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) > len(target):
            raise ValueError(
                f"{path}: expected a list of at most {len(target)}, not {_shown(value)}"
            )
        record[f.counted] = len(value)
        if f.nested is None:
            target[len(value) :] = NONE if f.names else 0
        target = target[: len(value)]
    elif f.counted is not None:
        target = target[: int(record["n_seats"])]
    _overlay_array(target, f, value, path, len(f.shape))


def _overlay_array(target: Any, f: Field, value: Any, path: str, depth: int) -> None:
    keys = list(f.keys.names if f.keys and depth == 1 else map(str, range(len(target))))
    if isinstance(value, Mapping):
        for key, item in value.items():
            if str(key) not in keys:
                raise ValueError(f"{_join(path, key)}: unknown; known are {keys}")
            _overlay_item(target, keys.index(str(key)), f, item, _join(path, key), depth)
        return
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != len(target):
        raise ValueError(f"{path}: expected {len(target)} entries, not {_shown(value)}")
    for k, item in enumerate(value):
        _overlay_item(target, k, f, item, _join(path, keys[k]), depth)


def _overlay_item(target: Any, k: int, f: Field, value: Any, path: str, depth: int) -> None:
    if depth > 1:
        _overlay_array(target[k], f, value, path, depth - 1)
    elif f.nested is not None:
        overlay(target[k], f.nested, value, path)
    else:
        target[k] = _number(value, f, path)


def _number(value: Any, f: Field, path: str) -> int:
    if f.names is not None:
        return _named(value, f.names, path)
    if isinstance(value, bool):
        value = int(value)
    if not isinstance(value, int):
        raise ValueError(f"{path}: expected a whole number, not {_shown(value)}")
    bounds = np.iinfo(f.element)
    if not bounds.min <= value <= bounds.max:
        raise ValueError(f"{path}: {value} is not within {bounds.min} to {bounds.max}")
    return value


def _named(value: Any, names: Names, path: str) -> int:
    if value is None:
        return NONE
    if not isinstance(value, str) or value not in names.index:
        raise ValueError(f"{path}: {_shown(value)} is not one of {list(names.names)} or null")
    return names.index[value]


def _join(path: str, key: Any) -> str:
    return f"{path}.{key}" if path else str(key)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
