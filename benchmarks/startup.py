"""How long a user waits: compiling once, and from then on from import to the first step.

Both are measured in processes of their own, as a user has them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from dwarrow import envs
from dwarrow.benchmarks.timing import Rate

_BEGIN = """
import time
begun = time.perf_counter()
from dwarrow import envs
envs.add_game({name!r}, {module!r})
game = envs.game({name!r})
"""
_COLD = "game.ready()"
_WARM = """
states = game.new(1)
game.step(states, 0, int(game.legal(states, 0)[0]))
"""
_FILL = """
from contextlib import suppress
from dwarrow.benchmarks.speed import layer_chunks
for layer, make in layer_chunks(game, {players}).items():
    with suppress(Exception):  # what fails is told when it is measured
        if layer in {wanted!r}:
            make()()
"""
_END = "\nprint(time.perf_counter() - begun)"


def _seconds(name: str, what: str, cache: str | None) -> float:
    code = _BEGIN.format(name=name, module=envs.module_of(name)) + what + _END
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    if cache is not None:
        environment["DWARROW_CACHE"] = cache
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    if found.returncode != 0:
        raise RuntimeError(f"starting {name} in a process of its own failed: {found.stderr[-500:]}")
    return float(found.stdout.split()[-1])


def fill_cache(name: str, players: int, wanted: Sequence[str]) -> None:
    """Call the chunk of every wanted layer once, in a process of its own.

    Kernels read from the cache are up to a fifth faster than in the process that compiles them, so
    that a first run would tell less than every later one.
    """
    _seconds(name, _FILL.format(players=players, wanted=list(wanted)), None)


def cold(name: str) -> Rate:
    """Return the seconds from import until every rule is compiled, with an empty kernel cache."""
    with tempfile.TemporaryDirectory() as cache:
        return Rate.of([_seconds(name, _COLD, cache)])


def warm(name: str, repeats: int) -> Rate:
    """Return the seconds from import to the first step, with a kernel cache."""
    _seconds(name, _WARM, None)
    return Rate.of([_seconds(name, _WARM, None) for _ in range(repeats)])
