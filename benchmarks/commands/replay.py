"""Step through a recorded game in the terminal, or make a page of it: dwarrow replay FILE.

Every digest of the file is checked first.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from dwarrow.envs.core.kernels import States
from dwarrow.envs.core.replay import Replay, load
from dwarrow.envs.core.replay_page import page

HELP = "Enter or n: on; b: back; a number: to that step; e: to the end; q: quit"


@dataclass(frozen=True)
class Config:
    """Check a replay, then step through it or write it as a self-contained page."""

    file: Annotated[Path, tyro.conf.Positional]
    """The replay, JSON lines."""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"])] = None
    """Write this page (.html) or picture (.svg) instead of stepping through in the terminal."""
    step: int | None = None
    """The step that a picture shows; the last if not given."""
    seat: int | None = None
    """Show what this seat may see; everything if not given."""


def run(arguments: Sequence[str]) -> int:
    """Run the verb."""
    config = tyro.cli(Config, prog="dwarrow replay", args=list(arguments), description=__doc__)
    replay = load(config.file)
    n_seats = int(replay.options["players"])
    if config.seat is not None and not 0 <= config.seat < n_seats:
        raise ValueError(f"--seat {config.seat}: the replay has seats 0 to {n_seats - 1}")
    if config.out is not None:
        written = _written(replay, config, config.out.suffix)
        config.out.parent.mkdir(parents=True, exist_ok=True)
        config.out.write_text(written, encoding="utf-8")
        print(f"{config.out}: {len(replay.moves)} moves of {replay.game.title}, all digests right")
        return 0
    if sys.stdin.isatty():
        print(HELP)
        walk(replay, config.seat, input, print)
    else:
        listing(replay, config.seat, print)
    return 0


def _written(replay: Replay, config: Config, kind: str) -> str:
    """Return the page or the picture to write."""
    if kind == ".svg":
        step = len(replay.moves) if config.step is None else config.step
        return replay.game.svg(replay.position_at(step), 0, config.seat)
    if kind != ".html":
        raise ValueError(f"--out {config.out}: the name ends with .html (a page) or .svg")
    if config.step is not None:
        raise ValueError("--step is for pictures: a page holds every step")
    return page(replay, config.seat)


def walk(
    replay: Replay, seat: int | None, ask: Callable[[str], str], say: Callable[[str], object]
) -> None:
    """Show position after position as `ask` answers, until it answers ``q`` or there is no more."""
    pages, before = [], "set-up"
    for step, states in enumerate(replay.states()):
        pages.append(f"{before}\n{replay.game.text(states, 0, seat)}")
        if step < len(replay.moves):
            before = f"step {step + 1}: {told(replay, states, step, seat)}"
    last = len(replay.moves)
    step = 0
    while True:
        say(f"\n{pages[step]}")
        try:
            answer = ask(f"[{step}/{last}] ").strip().lower()
        except EOFError:
            return
        if answer == "q":
            return
        wanted = {"": step + 1, "n": step + 1, "b": step - 1, "e": last}.get(answer)
        if wanted is None and answer.isdigit():
            wanted = int(answer)
        if wanted is None or not 0 <= wanted <= last:
            say(f"there are steps 0 to {last}. {HELP}")
        else:
            step = wanted


def listing(replay: Replay, seat: int | None, say: Callable[[str], object]) -> None:
    """Say every move and the last position."""
    final = None
    for step, states in enumerate(replay.states()):
        final = states
        if step < len(replay.moves):
            say(f"{step + 1}. {told(replay, states, step, seat)}")
    if final is not None:
        say(f"\n{replay.game.text(final, 0, seat)}")
    if replay.result is not None:
        points = ", ".join(
            f"{replay.name_of(k)} {score:g}" for k, score in enumerate(replay.result["scores"])
        )
        say(f"points: {points}")


def told(replay: Replay, states: States, step: int, seat: int | None) -> str:
    """Return the move after `step` moves in words, as far as `seat` notices it."""
    mover, name = replay.told(states, step, seat)
    return name if mover < 0 else f"{replay.name_of(mover)} {name}"
