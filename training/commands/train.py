"""Train an agent by self-play: dwarrow train GAME --players 3 --minutes 10.

With ``--resume RUN`` a run that was interrupted goes on. ``--config FILE`` (TOML or JSON) and
``--preset NAME`` give settings; what the command line says besides wins. ``GAME expert`` trains the
network of a search, ``GAME --learners ppo expert`` both at the same tables.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tyro

from dwarrow import envs
from dwarrow.agents.neural.weights import runs_folder
from dwarrow.training.algorithms import train
from dwarrow.training.config import RunConfig
from dwarrow.training.settings import (
    DEFAULT,
    build,
    config_class,
    load_config,
    preset,
    presets,
    read_values,
    with_limit,
)

PROG = "dwarrow train"
_MORE = """
--config FILE takes settings from a TOML or JSON file, --preset NAME from those kept for the game
(--presets lists them; one named default needs no naming); what the command line says besides wins.
--resume RUN goes on with a run.
GAME is followed by how to learn: ppo (the default), expert or mixed; --learners ppo expert means
mixed. GAME expert --help and GAME mixed --help list their settings.
"""
_LIMITS = "minutes", "iterations"


@dataclass(frozen=True)
class Resume:
    """Go on with a run from its latest checkpoint."""

    resume: Path
    """Folder of the run, or its name in runs/."""

    minutes: float | None = None
    """Train for so many minutes in all, instead of what the run was begun with."""

    iterations: int | None = None
    """The same in iterations."""


def run(arguments: Sequence[str]) -> int:
    """Train, or go on training, as the command line says."""
    words = list(arguments)
    if _has(words, "--presets"):
        print(listing(next((word for word in words if not word.startswith("-")), None)))
        return 0
    if _has(words, "--resume"):
        if _leading(words):
            raise ValueError("--resume RUN takes game and settings from the run: name none")
        again = tyro.cli(Resume, prog=PROG, args=words)
        folder = again.resume if again.resume.is_dir() else runs_folder() / again.resume
        config = with_limit(load_config(folder), again.minutes, again.iterations)
        train(config, folder, resume=True)
    else:
        config = chosen(words)
        folder = config.run or new_run(config)
        if folder.exists():
            raise ValueError(f"--run {folder}: it exists; --resume {folder} goes on with a run")
        train(config, folder)
    print(f"saved: {folder}; as an agent: ppo:{folder}")
    return 0


def chosen(arguments: Sequence[str]) -> RunConfig:
    """Return the settings that a command line gives, by itself or on top of a file or preset.

    Raises:
        ValueError: a file, a preset or a combination of settings that does not fit.
    """
    words = list(arguments)
    file, named = _take(words, "--config"), _take(words, "--preset")
    if file and named:
        raise ValueError("give --config or --preset, not both")
    leading = dict(zip(("game", "algorithm"), _leading(words), strict=False))
    learners = _learners(words)
    if learners and leading.setdefault("algorithm", learners) != learners:
        raise ValueError(f"--learners: they make a run of {learners}, not {leading['algorithm']}")
    values: dict[str, Any] = {}
    where: object = ""
    if file:
        where, values = file, read_values(Path(file))
    elif named:
        if "game" not in leading:
            raise ValueError(f"--preset {named}: write the game first, {PROG} GAME --preset ...")
        where, values = f"preset {named}", dict(preset(leading["game"], named).settings)
    elif leading.get("algorithm", "ppo") == "ppo" and DEFAULT in presets(leading.get("game", "")):
        where, values = f"preset {DEFAULT}", dict(preset(leading["game"], DEFAULT).settings)
    for name, other in zip(_LIMITS, _LIMITS[::-1], strict=True):
        if _has(words, f"--{name}"):
            values.pop(other, None)
    cls = config_class({**values, **leading}, where)
    values = {**values, **leading}
    about = (cls.__doc__ or "") + "\n" + _MORE
    if "game" not in values:
        if words and not (_has(words, "--help") or _has(words, "-h")):
            raise ValueError(f"write the game first: {PROG} GAME [ppo|expert|mixed] --option ...")
        return tyro.cli(cls, prog=PROG, args=words, description=about)
    default = build(cls, values, where)
    for name in {"executor", "workers"} - values.keys():  # settled once all words are read
        object.__setattr__(default, name, None)
    return tyro.cli(cls, prog=PROG, args=words, default=default, description=about)


def listing(game: str | None) -> str:
    """Return the presets of a game, or of all, with what each gave."""
    lines = []
    for name in [game] if game else envs.games():
        envs.game(name)
        for key, found in presets(name).items():
            lines += [f"{PROG} {name} --preset {key}", f"  {found.about}", f"  {found.result}", ""]
    return "\n".join(lines).rstrip() or "no presets"


def new_run(config: RunConfig) -> Path:
    """Return a folder for a new run, named by game, players and time."""
    envs.game(config.game)
    players = "-".join(map(str, config.players)) + "p-" if config.players else ""
    stem = f"{config.game}-{players}{time.strftime('%Y%m%d-%H%M%S')}"
    found, k = runs_folder() / stem, 1
    while found.exists():
        k += 1
        found = runs_folder() / f"{stem}-{k}"
    return found


def _leading(words: list[str]) -> list[str]:
    """Take the words before the first option off the list.

    Raises:
        ValueError: there are more than two.
    """
    n = next((k for k, word in enumerate(words) if word.startswith("-")), len(words))
    if n > 2:
        raise ValueError(f"{words[2]!r}: game and algorithm come first, then options")
    found, words[:n] = words[:n], []
    return found


def _learners(words: list[str]) -> str | None:
    """Take ``--learners`` and what follows off a command line; return the algorithm they mean.

    Raises:
        ValueError: they are no learners.
    """
    if "--learners" not in words:
        return None
    first = words.index("--learners")
    last = next((k for k in range(first + 1, len(words)) if words[k].startswith("-")), len(words))
    named = words[first + 1 : last]
    words[first:last] = []
    if not named or len(set(named)) < len(named) or not set(named) <= {"ppo", "expert"}:
        raise ValueError(f"--learners {' '.join(named)}: write ppo, expert or ppo expert")
    return named[0] if len(named) == 1 else "mixed"


def _has(words: Sequence[str], option: str) -> bool:
    return any(word.split("=")[0] == option for word in words)


def _take(words: list[str], option: str) -> str | None:
    """Take an option and its value off a command line.

    Raises:
        ValueError: it has no value, or comes twice.
    """
    found = [k for k, word in enumerate(words) if word.split("=")[0] == option]
    if not found:
        return None
    if len(found) > 1:
        raise ValueError(f"{option} is given twice")
    word = words.pop(found[0])
    if "=" in word:
        return word.partition("=")[2]
    if found[0] == len(words) or words[found[0]].startswith("--"):
        raise ValueError(f"{option}: write what after it")
    return words.pop(found[0])
