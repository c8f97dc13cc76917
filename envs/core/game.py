"""`Game`: the public face of a game: states, actions, observations, positions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import IntFlag
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dwarrow.envs.core.compiling import compile_once
from dwarrow.envs.core.kernels import Floats, Kernels, Mask, States, register
from dwarrow.envs.core.observation import Observation
from dwarrow.envs.core.options import Options
from dwarrow.envs.core.pack import Pack
from dwarrow.envs.core.position import encode, overlay
from dwarrow.envs.core.record import as_records, empty, fields_of, record
from dwarrow.envs.core.svg import Svg
from dwarrow.envs.core.table import begin, floats, play_random, resample_into

LATEST_SEED = 2**62
"""Seeds are below this."""


@dataclass(frozen=True)
class Game:
    """One game. A module ``envs/<game>/__init__.py`` makes one and calls it ``GAME``.

    Attributes:
        name: module name, for example ``aquilon``.
        title: the name on the box.
        version: rules version; it rises when behaviour changes, never for speed.
        state: the State class, whose fields begin with `Header` and include ``options``.
        options: its `Options` dataclass; ``players`` is among them.
        kernels: the entry kernels.
        actions: name of every action, by number.
        observation: the layout that `Kernels.observe` writes.
        violation: names of the bits of `Kernels.violations`.
        max_seats: seats of the observation layout.
        pack: the components in use.
        why: ``(states, i, action)`` -> a sentence why that action is illegal now.
        breakdown_of: ``(states, i)`` -> points by rule, end reason, tie-break used.
        text_of: ``(states, i, seat or None)`` -> the position as text.
        svg_of: the same as SVG.
        complete: ``(states, i, overlay)``: after an overlay by `load`, derive what follows from it.
        cooperative: all seats win or lose together.
        simultaneous_phases: phases in which all seats decide at once, unseen by one another.
        veiled: what others are told of actions whose names say more than they may know, by number.
        max_decisions: no game is longer.
    """

    name: str
    title: str
    version: str
    state: type
    options: type[Options]
    kernels: Kernels
    actions: Sequence[str]
    observation: Observation
    violation: type[IntFlag]
    max_seats: int
    pack: Pack
    why: Callable[[States, int, int], str]
    breakdown_of: Callable[[States, int], dict[str, Any]]
    text_of: Callable[[States, int, int | None], str]
    max_decisions: int
    svg_of: Callable[[States, int, int | None], str] | None = None
    complete: Callable[[States, int, Mapping[str, Any]], None] | None = None
    cooperative: bool = False
    simultaneous_phases: tuple[int, ...] = ()
    veiled: Mapping[int, str] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Register the kernels and check that action names are one-to-one."""
        register(self.dtype, self.kernels)
        self._numbers.update({name: k for k, name in enumerate(self.actions)})
        if len(self._numbers) != len(self.actions):
            raise TypeError(f"{self.name}: action names are not unique")

    def __reduce__(self) -> tuple[Callable[[str], Game], tuple[str]]:
        """Pickle by name: a game is found again, not copied."""
        from dwarrow.envs import game

        return game, (self.name,)

    # States

    @cached_property
    def dtype(self) -> np.dtype[np.void]:
        """The dtype of one state."""
        return record(self.state)

    @property
    def player_counts(self) -> tuple[int, ...]:
        """The player counts that the ``players`` option allows."""
        for f in fields(self.options):
            if f.name == "players":
                return tuple(f.metadata["allowed"])
        raise TypeError(f"{self.name}: Options has no players")

    @property
    def n_actions(self) -> int:
        """Size of the action space, the same for every player count."""
        return len(self.actions)

    def new(self, n: int = 1, seed: int = 0, **options: Any) -> States:
        """Set up `n` games [n]; game i is seeded with ``seed + i``.

        Raises:
            ValueError: an unknown option or value, n < 1, a negative seed.
        """
        chosen = self.options.parse(options)
        if n < 1 or not 0 <= seed < LATEST_SEED:
            raise ValueError(
                f"n={n}, seed={seed}: n is at least 1, the seed from 0 to {LATEST_SEED}"
            )
        self.ready()
        states = self.blank(n, chosen)
        for i in range(n):
            begin(states, i, seed + i)
        return states

    def blank(self, n: int, options: Options) -> States:
        """Allocate `n` states that carry `options` but are not set up: `begin` does that."""
        states = empty(self.dtype, n)
        overlay(self._row(states, 0)["options"], self._choices, options.to_dict(), "options")
        states["options"][:] = states["options"][0]
        states["n_seats"] = options.to_dict()["players"]
        return states

    def options_of(self, states: States, i: int) -> Options:
        """Return the options that game `i` was set up with."""
        return self.options.parse(encode(self._row(states, i)["options"], self._choices))

    @cached_property
    def _choices(self) -> type:
        nested = {f.name: f.nested for f in fields_of(self.state)}["options"]
        if nested is None:
            raise TypeError(f"{self.name}: State.options is not a record class")
        return nested

    def ready(self) -> None:
        """Compile every kernel, with progress shown, if these sources were never compiled here."""
        compile_once(self.name, f"the rules of {self.title}", self._exercise)

    def _exercise(self) -> None:
        states, mask = self.blank(2, self.options()), np.zeros(self.n_actions, np.int8)
        begin(states, 0, 0)
        resample_into(states, 0, 0, 1, states, 1)
        self.kernels.seen(states, 0, 0, 0, 0)
        self.kernels.violations(states, 0)
        self.kernels.observe(states, 0, 0, floats(self.observation.size))
        self.kernels.scores(states, 0, floats(self.max_seats))
        self.kernels.legal(states, 0, mask)
        self.kernels.step(states, 0, int(mask.argmax()))
        play_random(states, 0, mask, np.zeros(1, np.uint64), self.max_decisions)
        self.kernels.returns(states, 0, floats(self.max_seats))

    def _row(self, states: States, i: int) -> np.void:
        row: np.void = states.view(self.dtype, np.ndarray)[i]
        return row

    # Decisions

    def mask(self, states: States, i: int) -> Mask:
        """Return the legal actions of game `i` as int8 [n_actions]; all zeros when it is over."""
        mask = np.zeros(self.n_actions, np.int8)
        self.kernels.legal(as_records(states), i, mask)
        return mask

    def legal(self, states: States, i: int) -> NDArray[np.int64]:
        """Return the legal actions of game `i` as numbers, in rising order."""
        return np.flatnonzero(self.mask(states, i))

    def action_name(self, action: int) -> str:
        """Return the name of an action in the rulebook's words.

        Raises:
            ValueError: no such action.
        """
        if not 0 <= action < self.n_actions:
            raise ValueError(
                f"{self.name} has no action {action}: actions are 0 to {self.n_actions - 1}"
            )
        return self.actions[action]

    def action_id(self, name: str) -> int:
        """Return the number of an action.

        Raises:
            ValueError: no such action; names that begin alike are listed.
        """
        if name not in self._numbers:
            first = name.split(" ")[0]
            near = [a for a in self.actions if a.split(" ")[0] == first] or list(self.actions)
            raise ValueError(f"{self.name} has no action {name!r}: there are {_some(near)}")
        return self._numbers[name]

    def explain(self, states: States, i: int, action: int) -> str:
        """Return in a sentence why `action` is illegal now, or an empty string if it is legal."""
        name = self.action_name(action)
        if states["over"][i]:
            return f"{name!r} is illegal: the game is over."
        mask = self.mask(states, i)
        if mask[action]:
            return ""
        legal = [self.actions[int(a)] for a in np.flatnonzero(mask)]
        reason = self.why(as_records(states), i, action)
        return f"{name!r} is illegal: {reason} Legal now: {_some(legal)}."

    def step(self, states: States, i: int, action: int) -> bool:
        """Play an action in place; return whether the game is over.

        Raises:
            ValueError: the action is illegal, and why, or a scripted draw does not fit; the state
                is untouched.
        """
        problem = self.explain(states, i, action)
        if problem:
            raise ValueError(f"{self.title}: {problem}")
        before = states[i : i + 1].copy()
        over = bool(self.kernels.step(as_records(states), i, action))
        if states["script_fault"][i]:
            states[i : i + 1] = before
            raise ValueError(
                f"{self.title}: a scripted value does not fit the roll or draw it was used for; "
                f"the script is {before['script'][0][: before['script_end'][0]].tolist()}"
            )
        return over

    def is_over(self, states: States, i: int) -> bool:
        """Return whether game `i` has ended."""
        return bool(states["over"][i])

    def scores(self, states: States, i: int) -> Floats:
        """Return the rulebook's points [n_seats], at any moment."""
        out = floats(self.max_seats)
        self.kernels.scores(as_records(states), i, out)
        return out[: states["n_seats"][i]]

    def returns(self, states: States, i: int) -> Floats:
        """Return the utility of each seat [n_seats] in [-1, 1]; zeros before the end."""
        out = floats(self.max_seats)
        if states["over"][i]:
            self.kernels.returns(as_records(states), i, out)
        return out[: states["n_seats"][i]]

    def breakdown(self, states: States, i: int) -> dict[str, Any]:
        """Return points by rule, end reason and tie-break, JSON-ready."""
        return self.breakdown_of(as_records(states), i)

    # Information

    def observe(self, states: States, i: int, seat: int) -> Floats:
        """Return what `seat` may see, float32 [observation.size]."""
        self._check_seat(states, i, seat)
        out = floats(self.observation.size)
        self.kernels.observe(as_records(states), i, seat, out)
        return out

    def resample(self, states: States, i: int, seat: int, seed: int) -> States:
        """Return one state [1] of the same information set of `seat`, drawn uniformly."""
        self._check_seat(states, i, seat)
        out = empty(self.dtype, 1)
        resample_into(as_records(states), i, seat, seed, out, 0)
        return out

    def seen(self, states: States, i: int, action: int, actor: int, seat: int) -> int:
        """Return what `seat` will see of `action`: -1 nothing, 0 something, k > 0 which event."""
        return int(self.kernels.seen(as_records(states), i, action, actor, seat))

    def violated(self, states: States, i: int) -> list[str]:
        """Return the names of the broken invariants; empty when the state is sound."""
        bits = int(self.kernels.violations(as_records(states), i))
        return [str(v.name).lower() for v in self.violation if v & bits]

    def _check_seat(self, states: States, i: int, seat: int) -> None:
        if not 0 <= seat < states["n_seats"][i]:
            raise ValueError(f"seat {seat}: game {i} has seats 0 to {states['n_seats'][i] - 1}")

    # Positions and pictures

    def position(self, states: States, i: int) -> dict[str, Any]:
        """Return the state as a JSON-ready dict in rulebook words; `load` reads it back exactly."""
        return {
            "game": self.name,
            "version": self.version,
            **encode(self._row(states, i), self.state),
        }

    def load(self, position: Mapping[str, Any]) -> States:
        """Return one state [1] from a position, whole or partial.

        Missing keys keep the value that a set-up with these options (and ``seed``, or 0) gives.
        ``script`` lists coming rolls and draws, used before chance.

        Raises:
            ValueError: another game or rules version, an unknown key or value (with its path), or a
                position that breaks the rules (the broken invariants are named).
        """
        data = dict(position)
        for key, mine in (("game", self.name), ("version", self.version)):
            if data.pop(key, mine) != mine:
                raise ValueError(f"position.{key}: {position[key]!r}, this is {mine!r}")
        options = data.pop("options", {})
        if not isinstance(options, Mapping):
            raise ValueError(f"position.options: expected an object, not {options!r}")
        states = self.new(1, data.pop("seed", 0), **options)
        overlay(self._row(states, 0), self.state, data)
        if self.complete is not None:
            self.complete(states, 0, data)
        broken = self.violated(states, 0)
        if broken:
            raise ValueError(f"position breaks the rules of {self.title}: {', '.join(broken)}")
        return states

    def digest(self, states: States, i: int) -> str:
        """Return a hash of the whole state."""
        return hashlib.blake2b(self._row(states, i).tobytes(), digest_size=8).hexdigest()

    def text(self, states: States, i: int, seat: int | None = None) -> str:
        """Return the position as text: everything, or what `seat` may see."""
        if seat is not None:
            self._check_seat(states, i, seat)
        return self.text_of(as_records(states), i, seat)

    def svg(self, states: States, i: int, seat: int | None = None) -> Svg:
        """Return the position as SVG; a game without a picture of its own shows its text.

        It is a string, and in a notebook the picture.
        """
        draw = self.svg_of or _text_as_svg(self.text_of)
        if seat is not None:
            self._check_seat(states, i, seat)
        return Svg(draw(as_records(states), i, seat))


def _some(names: Sequence[str], most: int = 12) -> str:
    shown = ", ".join(repr(n) for n in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def _text_as_svg(
    text_of: Callable[[States, int, int | None], str],
) -> Callable[[States, int, int | None], str]:
    def draw(states: States, i: int, seat: int | None) -> str:
        lines = text_of(states, i, seat).splitlines()
        width, height = 8 * max(map(len, lines), default=1) + 20, 18 * len(lines) + 20
        escaped = (line.replace("&", "&amp;").replace("<", "&lt;") for line in lines)
        rows = "".join(
            f'<text x="10" y="{18 * k + 24}">{line}</text>' for k, line in enumerate(escaped)
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'font-family="monospace" font-size="13" xml:space="preserve">'
            f'<rect width="100%" height="100%" fill="#fdf8ee"/>{rows}</svg>'
        )

    return draw
