"""Play a game at the terminal: dwarrow play GAME --seats human rule mcts:sims=1000.

Hints, undo, and saving are explained by typing help at the table.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from dwarrow import envs
from dwarrow.agents import make
from dwarrow.benchmarks.play.session import HUMAN, Session, resumed
from dwarrow.benchmarks.play.table import Table, Thinker
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.replay import load

_CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the screen, what has scrolled off it, and back to the top


@dataclass(frozen=True)
class Config:
    """Play against agents, with people at one terminal, or both."""

    game: Annotated[str | None, tyro.conf.Positional] = None
    """Which game; not with --resume."""
    seats: tuple[str, ...] = ()
    """Who sits where: human, or an agent such as rule mcts:sims=1000 ppo:RUN. If not given: you,
    and rule in all other seats."""
    options: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME=VALUE")] = ()
    """Options of the game; the number of players follows from --seats."""
    seed: int | None = None
    """Seed of the game; drawn if not given. The same seed deals the same cards."""
    resume: Path | None = None
    """Go on with the game saved in this file."""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"])] = None
    """Where the game is saved, and the replay of all of it; play-GAME-SEED.jsonl if not given."""
    hint: str = "mcts:sims=2000"
    """The search that gives hints."""
    allow_undo: bool = False
    """Let any choice be taken back, whatever came of it; the replay says so."""


def run(arguments: Sequence[str]) -> int:
    """Run the verb."""
    config = tyro.cli(Config, prog="dwarrow play", args=list(arguments), description=__doc__)
    session = _session(config)
    if not session.people:
        raise ValueError(f"nobody to ask: name {HUMAN!r} among --seats, or use dwarrow record")
    _hinter(config.hint, session.game)
    out = config.out or config.resume or Path(f"play-{session.game.name}-{session.seed}.jsonl")
    terminal = sys.stdin.isatty()
    if terminal:
        import readline  # noqa: F401 - gives input() a history and editing

    table = Table(
        session,
        ask=input if terminal else _read,
        say=lambda line: print(line, flush=True),
        hint=lambda: _hinter(config.hint, session.game),
        clear=lambda: print(_CLEAR if sys.stdout.isatty() else "-" * 40, flush=True),
        file=out,
        allow_undo=config.allow_undo,
    )
    who = ", ".join(session.name(seat) for seat in range(len(session.seats)))
    print(f"{session.game.title}, seed {session.seed}: {who}. Type help for help.", flush=True)
    if table.play() and (config.out or config.resume):
        session.save(out)
        print(f"the whole game: dwarrow replay {out} -o {out.with_suffix('.html')}")
    return 0


def _session(config: Config) -> Session:
    if config.resume is not None:
        if config.game is not None or config.options or config.seed is not None:
            raise ValueError("--resume takes game, options and seed from the file: leave them out")
        return resumed(load(config.resume), config.seats)
    if config.game is None:
        raise ValueError(f"say what to play: {', '.join(envs.games())}, or --resume FILE")
    game = envs.game(config.game)
    options = game.options.read(config.options)
    if config.seats:
        options.setdefault("players", len(config.seats))
    n_seats = game.options.parse(options).to_dict()["players"]
    seats = config.seats or (HUMAN, *["rule"] * (n_seats - 1))
    seed = secrets.randbelow(10**9) if config.seed is None else config.seed
    return Session(game, options, seed, seats)


def _hinter(spec: str, game: Game) -> Thinker:
    """Return the search that gives hints.

    Raises:
        ValueError: it is no search, or one that sees what a player may not.
    """
    agent = make(spec, game)
    if not isinstance(agent, Thinker) or not agent.ranked:
        raise ValueError(f"--hint {spec}: take flat_mc or mcts, which know what you may know")
    return agent


def _read(prompt: str) -> str:
    """Read a line that comes from no terminal, and show it behind its prompt.

    Raises:
        EOFError: there is none.
    """
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    print(line.rstrip("\n"), flush=True)
    return line
