"""What an agent is, and how a string such as ``mcts:sims=1000`` names one.

An agent acts for many games at once. Its randomness is handed to it, one word a row, so a game goes
the same way whatever else is in the batch and on however many workers it is played.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from importlib import import_module
from types import NoneType, UnionType
from typing import Any, Literal, Protocol, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Floats, States

Rows = NDArray[np.int64]
Words = NDArray[np.uint64]
Actions = NDArray[np.int64]


@dataclass
class Decision:
    """What an agent chose for a batch of rows.

    Attributes:
        action: the action of each row [n].
        logp: logarithm of its probability [n], from agents that have one.
        value: the utility that the seat to move expects [n], from agents that estimate it.
        policy: probability, or share of visits, of every action [n, n_actions].
    """

    action: Actions
    logp: Floats | None = None
    value: Floats | None = None
    policy: Floats | None = None


class Agent(Protocol):
    """Chooses actions for the seats to move.

    Attributes:
        spec: the string that made it.
        ranked: false for agents that see what their seat may not, as an upper bound.
    """

    spec: str
    ranked: bool

    def act(self, game: Game, states: States, rows: Rows, words: Words) -> Decision:
        """Choose an action in each of the games ``states[rows]``, none of which is over.

        What is chosen in row k follows from what the seat to move in ``states[rows[k]]`` may know
        and from ``words[k]``, and from nothing else: not from hidden things, other rows, or calls
        before. The states are not changed.

        Args:
            game: the game played.
            states: a batch of games.
            rows: which of them to act in [n].
            words: one random word for each row [n]; the agent's own randomness.
        """
        ...


def words(generator: np.random.Generator, n: int) -> Words:
    """Draw `n` random words for `Agent.act` from a NumPy generator."""
    return generator.integers(0, 2**64, n, dtype=np.uint64)


# Specs


@dataclass(frozen=True)
class AgentSpec:
    """A parsed spec: ``kind``, ``kind:key=value,...`` or ``kind:source,key=value,...``.

    Attributes:
        text: as it was given.
        kind: the part before the first colon.
        source: the part without a key, such as the run in ``ppo:RUN``.
        options: the rest, still as text.
    """

    text: str
    kind: str
    source: str | None = None
    options: dict[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> AgentSpec:
        """Take a spec apart.

        Raises:
            ValueError: it is ill-formed.
        """
        kind, colon, rest = text.strip().partition(":")
        source: str | None = None
        options: dict[str, str] = {}
        for k, item in enumerate(rest.split(",") if colon else ()):
            key, equals, value = (part.strip() for part in item.partition("="))
            if not equals and k == 0 and key:
                source = key
            elif not equals or not key or not value or key in options:
                raise ValueError(
                    f"agent {text!r}: {item!r} does not fit; "
                    f"write kind, kind:key=value,... or kind:SOURCE,key=value,..."
                )
            else:
                options[key] = value
        return cls(text.strip(), kind, source, options)


@dataclass(frozen=True)
class NoOptions:
    """The options of a kind of agent that has none."""


@dataclass(frozen=True)
class Kind:
    """A kind of agent.

    Attributes:
        name: the part of a spec before the colon.
        build: ``(game, spec, options)`` -> agent; raises ValueError for what does not fit the game.
        options: a dataclass whose fields, all with defaults, are the keys that a spec may give.
        source: what the part without a key is, such as ``RUN``; None if there is none.
        meaning: the kind in a few words.
    """

    name: str
    build: Callable[[Game, AgentSpec, Any], Agent]
    options: type = NoOptions
    source: str | None = None
    meaning: str = ""

    @property
    def short(self) -> str:
        """Its name, with what must follow: ``ppo:RUN``."""
        return f"{self.name}:{self.source}" if self.source else self.name

    @property
    def usage(self) -> str:
        """How to write a spec of this kind, for example ``mcts:sims=1000,c=1.4``."""
        items = [self.source] if self.source else []
        items += [f"{f.name}={f.default}" for f in fields(self.options)]
        return self.name + (":" + ",".join(items) if items else "")


MODULES: dict[str, str] = {
    "random": "dwarrow.agents.scripted",
    "greedy": "dwarrow.agents.scripted",
    "rule": "dwarrow.agents.scripted",
    "flat_mc": "dwarrow.agents.search.kinds",
    "mcts": "dwarrow.agents.search.kinds",
    "oracle_mcts": "dwarrow.agents.search.kinds",
    "ppo": "dwarrow.agents.neural.agent",
    "net": "dwarrow.agents.neural.agent",
}
"""Kind -> the module that registers it when imported, so that only what is used is loaded."""

_KINDS: dict[str, Kind] = {}


def register_kind(kind: Kind) -> None:
    """Let specs name a kind of agent; a kind of your own is registered the same way."""
    _KINDS[kind.name] = kind


def kinds() -> list[Kind]:
    """Return every kind of agent, loading them all."""
    for module in dict.fromkeys(MODULES.values()):
        import_module(module)
    return [_KINDS[name] for name in dict.fromkeys([*MODULES, *_KINDS])]


def make(spec: str, game: Game) -> Agent:
    """Make the agent that `spec` names.

    Raises:
        ValueError: an unknown kind, an unknown or ill-typed option, a missing source, or something
            that does not fit the game; it says what is known.
    """
    kind, parsed = kind_of(spec)
    return kind.build(game, parsed, _typed_options(kind, parsed))


def kind_of(spec: str) -> tuple[Kind, AgentSpec]:
    """Return the kind of agent that `spec` names, and its parts.

    Raises:
        ValueError: an unknown kind, or a missing source.
    """
    parsed = AgentSpec.parse(spec)
    if parsed.kind not in _KINDS and parsed.kind in MODULES:
        import_module(MODULES[parsed.kind])
    if parsed.kind not in _KINDS:
        known = [kind.short for kind in kinds()]
        near = get_close_matches(parsed.kind, [kind.name for kind in kinds()], 1)
        guess = f"did you mean {near[0]!r}? Known" if near else "known"
        raise ValueError(f"unknown agent {spec!r}: {guess} are {', '.join(known)}")
    kind = _KINDS[parsed.kind]
    if (parsed.source is None) != (kind.source is None):
        raise ValueError(f"agent {spec!r}: write it as {kind.usage}")
    return kind, parsed


def _typed_options(kind: Kind, spec: AgentSpec) -> Any:
    known = get_type_hints(kind.options)
    values = {}
    for key, value in spec.options.items():
        if key not in known:
            listed = ", ".join(known) or "none"
            raise ValueError(f"agent {spec.text!r}: unknown option {key!r}; known are {listed}")
        try:
            values[key] = _convert(value, known[key])
        except ValueError as error:
            raise ValueError(f"agent {spec.text!r}: {key}={value}: {error}") from None
    try:
        return kind.options(**values)
    except ValueError as error:  # options may check themselves when made
        raise ValueError(f"agent {spec.text!r}: {error}") from None


def _convert(value: str, hint: Any) -> Any:
    """Read `value` as the type of an option: bool, int, float, str, a Literal, or one of a union.

    Raises:
        ValueError: it cannot be read so.
    """
    origin = get_origin(hint)
    if origin is Literal:
        if value not in get_args(hint):
            raise ValueError(f"expected one of {', '.join(map(str, get_args(hint)))}")
        return value
    if origin in (Union, UnionType):
        if value == "none" and NoneType in get_args(hint):
            return None
        (inner,) = [a for a in get_args(hint) if a is not NoneType]
        return _convert(value, inner)
    if hint is bool:
        if value not in ("true", "false"):
            raise ValueError("expected true or false")
        return value == "true"
    try:
        return hint(value)
    except ValueError:
        noun = {int: "a whole number", float: "a number"}.get(hint, hint.__name__)
        raise ValueError(f"expected {noun}") from None
