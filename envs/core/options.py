"""Options of a game: a typed frozen dataclass whose bad values are refused in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self


def option(default: Any, allowed: Iterable[Any] | None, meaning: str) -> Any:
    """Declare an option: default, allowed values (None: checked elsewhere), meaning."""
    values = None if allowed is None else tuple(allowed)
    return field(default=default, metadata={"allowed": values, "meaning": meaning})


@dataclass(frozen=True)
class Options:
    """Base of every game's options."""

    def __post_init__(self) -> None:
        """Check every value against what its option allows.

        Raises:
            ValueError: naming the option, the value and what is allowed.
        """
        for f in fields(self):
            value, allowed = getattr(self, f.name), f.metadata.get("allowed")
            if allowed is None:
                continue
            # bool is an int to Python: players=True must not pass for players=1
            if not any(value == a and type(value) is type(a) for a in allowed):
                raise ValueError(f"option {f.name}={value!r}: allowed are {list(allowed)}")

    @classmethod
    def parse(cls, values: dict[str, Any]) -> Self:
        """Build options from keywords.

        Raises:
            ValueError: an unknown option (the known are listed) or a value that is not allowed.
        """
        known = [f.name for f in fields(cls)]
        for name in values:
            if name not in known:
                raise ValueError(f"unknown option {name!r}: known are {known}")
        flags = {f.name for f in fields(cls) if isinstance(f.default, bool)}
        return cls(**{k: _as_option(v, k in flags) for k, v in values.items()})

    @classmethod
    def read(cls, pairs: Sequence[str]) -> dict[str, Any]:
        """Read options as typed, ``name=value``; a list is ``name=a+b``.

        Raises:
            ValueError: not a pair, an option given twice, an unknown one, a bad value.
        """
        known = {f.name: f for f in fields(cls)}
        found: dict[str, Any] = {}
        for pair in pairs:
            name, equals, text = pair.partition("=")
            if not equals or not text:
                raise ValueError(f"option {pair!r}: write name=value; known are {list(known)}")
            if name not in known:
                raise ValueError(f"unknown option {name!r}: known are {list(known)}")
            if name in found:
                raise ValueError(f"option {name} is given twice")
            found[name] = _typed(text, known[name].default, known[name].metadata.get("allowed"))
        cls.parse(found)
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return the options as a JSON-ready dict."""
        return {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(self).items()}


def _as_option(value: Any, is_flag: bool) -> Any:
    """Return a value as options hold it: JSON has lists for tuples, records 0 and 1 for flags."""
    if is_flag and type(value) is int and value in (0, 1):
        return bool(value)
    return tuple(value) if isinstance(value, list) else value


def _typed(text: str, default: Any, allowed: Sequence[Any] | None) -> Any:
    """Return the allowed value that is written so; the option itself refuses any other."""
    for value in allowed or ():
        if str(value).lower() == text.lower():
            return value
    if isinstance(default, tuple):
        return tuple(filter(None, text.split("+")))
    return int(text) if text.lstrip("-").isdigit() else text
