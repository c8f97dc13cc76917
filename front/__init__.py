"""dwarrow: four dwarven tabletop games as research environments.

What a notebook needs first is here: ``dwarrow.duel("rule", "greedy", game="aquilon")``. The rest
is in `dwarrow.envs`, `dwarrow.agents`, `dwarrow.training` and `dwarrow.benchmarks`; each is loaded
when it is first used, so that nobody waits for torch who only wants the rules.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dwarrow import agents, benchmarks, envs, training
    from dwarrow.benchmarks.duel import duel

__all__ = ["agents", "benchmarks", "duel", "envs", "training"]


def __getattr__(name: str) -> Any:
    """Load one of `__all__`."""
    if name not in __all__:
        raise AttributeError(f"module 'dwarrow' has no attribute {name!r}: there are {__all__}")
    if name == "duel":
        return import_module("dwarrow.benchmarks.duel").duel
    return import_module(f"dwarrow.{name}")


def __dir__() -> list[str]:
    """List what `__getattr__` finds."""
    return sorted([*globals(), *__all__])
