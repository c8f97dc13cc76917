"""The one door to Numba: decorator, kernel cache, dispatch of the rules on a state's dtype.

Numba keys its on-disk cache by the text of a kernel's *own* file, so an edited card table or a
helper in another file would silently give old answers. Hence a kernel's cache folder is named by a
hash of every source and data file that it may be made of.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core.typing.templates import AbstractTemplate, infer_global
from numpy.typing import NDArray

States = NDArray[np.void]
Floats = NDArray[np.float32]
Mask = NDArray[np.int8]
F = TypeVar("F", bound=Callable[..., Any])

config: Any = numba.config  # its attributes are made at run time, unseen by type checkers

JIT = not config.DISABLE_JIT
"""False when the same source runs as plain Python (``NUMBA_DISABLE_JIT=1``)."""

_SOURCE_ENDINGS = (".py", ".csv", ".toml", ".json")
_ENVS = Path(__file__).resolve().parents[1]
_AGENTS, _TRAINING = _ENVS.parent / "agents", _ENVS.parent / "training"


def _roots(module: str) -> tuple[Path, ...]:
    """Return the folders that a kernel of `module` may be made of, by the direction of imports.

    Generic kernels outside a game's folder have the rules of all games compiled into them.
    """
    package, _, name = module.removeprefix("dwarrow.").partition(".")
    game = _ENVS / name.partition(".")[0]
    if not module.startswith("dwarrow."):
        return _ENVS, _AGENTS, _TRAINING
    if package == "envs":
        return (
            (_ENVS / "core", game) if name and game.is_dir() and game.name != "core" else (_ENVS,)
        )
    return (_ENVS, _AGENTS) if package == "agents" else (_ENVS, _AGENTS, _TRAINING)


@cache
def _folder(roots: tuple[Path, ...]) -> Path:
    """Return the cache folder of exactly this state of the sources below `roots`."""
    packs = [Path(v) for k, v in sorted(os.environ.items()) if k.startswith("DWARROW_PACK_") and v]
    digest = hashlib.blake2b(digest_size=8)
    digest.update(f"{numba.__version__} {np.__version__} {config.BOUNDSCHECK}".encode())
    for root in (*roots, *packs):
        for path in sorted(root.rglob("*")):
            if path.suffix in _SOURCE_ENDINGS:
                digest.update(path.name.encode())
                digest.update(path.read_bytes())
    return cache_root() / digest.hexdigest()


def cache_root() -> Path:
    """Return the folder of all kernel caches: ``DWARROW_CACHE`` or the user's cache folder."""
    chosen = os.environ.get("DWARROW_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "dwarrow"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "dwarrow"


def cache_folder(module: str) -> Path:
    """Return the cache folder of the kernels in `module`, for example ``dwarrow.envs.aquilon``."""
    return _folder(_roots(module))


def current_folders() -> set[Path]:
    """Return the cache folders of the present state of the sources."""
    games = [f"dwarrow.envs.{path.name}" for path in _ENVS.iterdir() if path.is_dir()]
    return {cache_folder(name) for name in (*games, "dwarrow.envs", "dwarrow.agents", "")}


CACHE = cache_folder("")
"""Cache folder of exactly this state of all sources."""


_ALLOCATING = {
    *("zeros", "zeros_like", "empty", "empty_like", "ones", "full", "array", "arange", "copy"),
    *("astype", "repeat", "concatenate", "sort", "argsort", "where", "nonzero", "flatnonzero"),
}


def kernel(function: F) -> F:
    """Compile `function` when it is first called, cached on disk and without the GIL.

    A kernel borrows its arrays. Numba would count the references to them on every call, in atomic
    instructions that cost a third of a game's time and make threads that share an array wait for
    each other. Only a kernel that allocates (by a NumPy call named above, in its own body) needs
    the counting. Neither it nor Python may take an array that a borrowing kernel returns.
    """
    return _compiled(function, "never")


def part(function: F) -> F:
    """Mark a kernel that one other kernel calls: it is compiled as if its lines stood there.

    A kernel is compiled into each of its callers again, so a whole game at the end of a chain of
    kernels costs its time once for every link. Parts are no links. Not for what is long already:
    one large function takes more time than two of half the size. Called from Python a part is a
    kernel like any other, and so is one that allocates.
    """
    return _compiled(function, "never" if _allocates(function) else "always")


def _allocates(function: Callable[..., Any]) -> bool:
    return not _ALLOCATING.isdisjoint(function.__code__.co_names)


def _compiled(function: F, inline: str) -> F:
    config.CACHE_DIR = str(cache_folder(function.__module__))  # read while decorating
    options = {"no_cfunc_wrapper": True, "inline": inline, "_nrt": _allocates(function)}
    njit: Any = numba.njit  # whose stubs lack two of these
    return cast(F, njit(cache=True, nogil=True, **options)(function))


@dataclass(frozen=True)
class Kernels:
    """The entry kernels that every game hands in. Arrays named ``out`` or ``mask`` are written.

    Attributes:
        setup: ``(states, i)``: lay out the game; header, options and streams are already set.
        legal: ``(states, i, mask) -> n``: write 0/1 per action, return how many are legal.
        step: ``(states, i, action) -> over``: play a legal action; true when the game has ended.
        observe: ``(states, i, seat, out)``: what `seat` may see; `out` comes zeroed.
        returns: ``(states, i, out)``: utility per seat in [-1, 1], final rank or win and loss.
        scores: ``(states, i, out)``: the rulebook's points per seat, at any moment.
        resample: ``(states, i, seat)``: redraw what `seat` cannot know; streams are already new.
        seen: ``(states, i, action, actor, seat) -> k``: asked before `step`: -1 nothing, 0 that
            something happened, k > 0 which visible event.
        violations: ``(states, i) -> bits``: 0 when the record is sound.
    """

    setup: Callable[[States, int], None]
    legal: Callable[[States, int, Mask], int]
    step: Callable[[States, int, int], bool]
    observe: Callable[[States, int, int, Floats], None]
    returns: Callable[[States, int, Floats], None]
    scores: Callable[[States, int, Floats], None]
    resample: Callable[[States, int, int], None]
    seen: Callable[[States, int, int, int, int], int]
    violations: Callable[[States, int], int]


_KERNELS: dict[Any, Kernels] = {}


def register(dtype: np.dtype[np.void], kernels: Kernels) -> None:
    """Let the generic functions below find a game's kernels by the dtype of its states."""
    for key in (dtype, np.dtype((np.record, dtype)), numba.from_dtype(dtype)):
        _KERNELS[key] = kernels


def kernels_of(dtype: Any) -> Kernels:
    """Return the kernels registered for a NumPy or Numba record type.

    Raises:
        KeyError: no game has that state.
    """
    if dtype not in _KERNELS:
        raise KeyError(f"no game is registered for states of type {dtype}")
    return _KERNELS[dtype]


# Generic kernels (search, rollouts, vector stepping) call the functions below; each is compiled to
# a direct call of the game's own kernel. A closure over kernels, or a kernel as argument, would not
# be cached.


def setup(states: States, i: int) -> None:
    """Lay out game `i`; see `Kernels.setup`."""
    kernels_of(states.dtype).setup(states, i)


def legal(states: States, i: int, mask: Mask) -> int:
    """Write the mask of legal actions; see `Kernels.legal`."""
    return kernels_of(states.dtype).legal(states, i, mask)


def step(states: States, i: int, action: int) -> bool:
    """Play a legal action; see `Kernels.step`."""
    return kernels_of(states.dtype).step(states, i, action)


def observe(states: States, i: int, seat: int, out: Floats) -> None:
    """Write what `seat` may see into the zeroed `out`; see `Kernels.observe`."""
    kernels_of(states.dtype).observe(states, i, seat, out)


def returns(states: States, i: int, out: Floats) -> None:
    """Write the utility of every seat; see `Kernels.returns`."""
    kernels_of(states.dtype).returns(states, i, out)


def scores(states: States, i: int, out: Floats) -> None:
    """Write the points of every seat; see `Kernels.scores`."""
    kernels_of(states.dtype).scores(states, i, out)


def redraw(states: States, i: int, seat: int) -> None:
    """Redraw what `seat` cannot know; see `Kernels.resample`."""
    kernels_of(states.dtype).resample(states, i, seat)


def seen(states: States, i: int, action: int, actor: int, seat: int) -> int:
    """Return what `seat` will see of `action`; see `Kernels.seen`."""
    return kernels_of(states.dtype).seen(states, i, action, actor, seat)


def violations(states: States, i: int) -> int:
    """Return the broken invariants as bits; see `Kernels.violations`."""
    return kernels_of(states.dtype).violations(states, i)


def dispatch(generic: Callable[..., Any], find: Callable[[Any], Any]) -> None:
    """Let compiled code call, where it calls `generic`, the kernel that `find` names.

    The call goes straight to that kernel. With `numba.extending.overload` every call would go
    through a function in between, and whole games would be compiled once more for each.

    Args:
        generic: the function as the callers know it; its first argument is a batch of states.
        find: dtype of the states -> kernel.
    """
    if not JIT:
        return

    class Direct(AbstractTemplate):
        key: Any = None

        def generic(self, args: Any, kws: Any) -> Any:
            found: Any = numba.types.Dispatcher(find(args[0].dtype))
            signature = found.get_call_type(self.context, args, kws)
            self.found = found.get_overload(signature)
            return signature

        def get_impl_key(self, signature: Any) -> Any:
            return self.found

    Direct.key = generic
    infer: Any = infer_global  # whose stubs lack types
    infer(generic, numba.types.Function(Direct))


def _of_game(name: str) -> Callable[[Any], Any]:
    return lambda dtype: getattr(kernels_of(dtype), name)


for _generic in (setup, legal, step, observe, returns, scores, seen, violations):
    dispatch(_generic, _of_game(_generic.__name__))
dispatch(redraw, _of_game("resample"))


KERNEL_NAMES = tuple(field.name for field in fields(Kernels))
