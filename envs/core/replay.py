"""Replays: a game as JSON lines, checked step by step when it is read back.

The first line says what was played (game, rules version, options, seed, hash of the components,
agents), each further line one move by name with a digest of the whole state after it, the last line
the result. Whoever reads a replay plays it again and compares every digest.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import States
from dwarrow.envs.core.table import begin

FORMAT = 1


class ReplayError(ValueError):
    """A replay that cannot be trusted: what is wrong, and at which step."""


@dataclass(frozen=True)
class Move:
    """One move.

    Attributes:
        seat: who moved.
        action: the action's number.
        digest: of the whole state after it.
        notes: what the agent thought, if recorded: ``value``, ``policy`` by action name.
    """

    seat: int
    action: int
    digest: str
    notes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Replay:
    """One game from its set-up on.

    Attributes:
        game: the rules.
        options: the game's options, players among them.
        seed: of the game; it gives all hidden cards away.
        agents: who played each seat, or nothing.
        start: digest of the state after set-up.
        moves: all moves, forced ones included.
        result: utilities, scores and breakdown; None if the game was not played to its end.
    """

    game: Game
    options: Mapping[str, Any]
    seed: int
    agents: tuple[str, ...]
    start: str
    moves: tuple[Move, ...]
    result: Mapping[str, Any] | None

    def states(self) -> Iterator[States]:
        """Yield the state [1] after set-up and after each move; copy what is to be kept."""
        states = _set_up(self.game, self.options, self.seed)
        yield states
        for move in self.moves:
            self.game.step(states, 0, move.action)
            yield states

    def position_at(self, step: int) -> States:
        """Return the state [1] after `step` moves.

        Raises:
            ValueError: there is no such step.
        """
        if not 0 <= step <= len(self.moves):
            raise ValueError(f"step {step}: the replay has steps 0 to {len(self.moves)}")
        for k, states in enumerate(self.states()):
            if k == step:
                return states
        raise AssertionError("unreachable: every step has a state")

    def told(self, states: States, step: int, view: int | None) -> tuple[int, str]:
        """Return who makes the move after `step` moves and what, as far as `view` notices it.

        The seat is -1 if it notices nothing.
        """
        move = self.moves[step]
        said = told(self.game, states, move.seat, move.action, view)
        if not said:
            return -1, "something that this seat does not notice"
        return move.seat, said

    def name_of(self, seat: int) -> str:
        """Return how to call a seat."""
        return f"seat {seat}" + (f" ({self.agents[seat]})" if self.agents else "")

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the replay, aside first and then renamed, so that no reader finds half of it."""
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        aside = target.with_name(f"{target.name}.{os.getpid()}.part")
        try:
            aside.write_text(self.dumps(), encoding="utf-8")
            aside.replace(target)
        finally:
            aside.unlink(missing_ok=True)
        return target

    def dumps(self) -> str:
        """Return the replay as JSON lines."""
        head = {
            "replay": FORMAT,
            "game": self.game.name,
            "version": self.game.version,
            "components": self.game.pack.hash,
            "options": dict(self.options),
            "seed": self.seed,
            "agents": list(self.agents),
            "digest": self.start,
        }
        lines = [_dump(head)]
        for step, move in enumerate(self.moves, start=1):
            name = self.game.action_name(move.action)
            line = {"step": step, "seat": move.seat, "action": name, "digest": move.digest}
            lines.append(_dump(line | ({"notes": dict(move.notes)} if move.notes else {})))
        end = {"moves": len(self.moves), "result": self.result, "lines": _sum(lines)}
        return "\n".join([*lines, _dump(end)]) + "\n"

    def _repr_html_(self) -> str:
        """Show the replay in a notebook, as the page that `replay_page.page` makes of it."""
        from dwarrow.envs.core.replay_page import page

        return (
            f'<iframe style="width:100%;height:800px;border:0" srcdoc="{escape(page(self))}">'
            "</iframe>"
        )


def told(game: Game, states: States, actor: int, action: int, view: int | None) -> str:
    """Return in words what `view` notices of an action about to be played; empty if nothing.

    An event that other actions might have caused as well is told by what their names share.
    """
    name = game.action_name(action)
    if view is None or view == actor:
        return name
    event = game.seen(states, 0, action, actor, view)
    if event < 0:
        return ""
    if event == 0:
        return "something hidden"
    legal = map(int, game.legal(states, 0))
    alike = [game.action_name(a) for a in legal if game.seen(states, 0, a, actor, view) == event]
    if len(alike) == 1:
        return game.veiled.get(action, name)
    shared = []
    for words in zip(*(each.split(" ") for each in alike), strict=False):
        if len(set(words)) > 1:
            break
        shared.append(words[0])
    return " ".join([*shared, "(the rest is hidden)"])


def record(
    game: Game,
    seed: int,
    actions: Iterable[int],
    options: Mapping[str, Any],
    agents: Sequence[str] = (),
    notes: Sequence[Mapping[str, Any]] = (),
    *,
    forced: bool = True,
) -> Replay:
    """Make a replay of the actions of a game that began with `seed`.

    Args:
        game: the game.
        seed: its seed.
        actions: the actions in order.
        options: its options.
        agents: who played each seat.
        notes: for each of `actions` what the agent thought; empty if unknown.
        forced: `actions` hold the moves without a choice too; if not, they are put in.

    Raises:
        ValueError: an illegal action, or options or agents that do not fit.
    """
    chosen = game.options.parse(dict(options)).to_dict()
    if agents and len(agents) != chosen["players"]:
        raise ValueError(f"{len(agents)} agents for {chosen['players']} seats")
    states = _set_up(game, chosen, seed)
    start, moves = game.digest(states, 0), list[Move]()

    def play(action: int, thought: Mapping[str, Any]) -> None:
        seat = int(states["seat"][0])
        game.step(states, 0, action)
        moves.append(Move(seat, action, game.digest(states, 0), thought))

    def play_forced() -> None:
        while not forced and len(legal := game.legal(states, 0)) == 1:
            play(int(legal[0]), {})

    play_forced()
    for k, action in enumerate(actions):
        play(int(action), notes[k] if k < len(notes) else {})
        play_forced()
    result = result_of(game, states) if game.is_over(states, 0) else None
    return Replay(game, chosen, seed, tuple(agents), start, tuple(moves), result)


def result_of(game: Game, states: States) -> dict[str, Any]:
    """Return utilities, scores and breakdown of a finished game, JSON-ready."""
    return {
        "utilities": [round(float(x), 6) for x in game.returns(states, 0)],
        "scores": [float(x) for x in game.scores(states, 0)],
        "breakdown": json.loads(json.dumps(game.breakdown(states, 0))),
    }


def _set_up(game: Game, options: Mapping[str, Any], seed: int) -> States:
    game.ready()
    states = game.blank(1, game.options.parse(dict(options)))
    begin(states, 0, seed)
    return states


def _dump(line: Mapping[str, Any]) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


def _sum(lines: Iterable[str]) -> str:
    return hashlib.blake2b("\n".join(lines).encode(), digest_size=8).hexdigest()


# Reading


def load(path: str | os.PathLike[str]) -> Replay:
    """Read a replay, play it again and check every digest.

    Raises:
        ReplayError: foreign, truncated or tampered, with the step and what differs.
        OSError: it cannot be read.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ReplayError(f"{path}: not a replay, which is text") from None
    try:
        return loads(text)
    except ReplayError as error:
        raise ReplayError(f"{path}: {error}") from None


def loads(text: str) -> Replay:
    """Read a replay from its text; see `load`.

    Raises:
        ReplayError: foreign, truncated or tampered, with the step and what differs.
    """
    lines = text.splitlines()
    head = _head(lines)
    game = _game(head)
    try:
        options = game.options.parse(dict(head["options"])).to_dict()
        states = _set_up(game, options, head["seed"])
    except (TypeError, ValueError) as error:
        raise ReplayError(f"step 0: {error}") from None
    _compare(0, "after set-up", head["digest"], game.digest(states, 0))
    moves = []
    step = 0
    for step, line in enumerate(lines[1:], start=1):
        data = _line(line, step, truncated=step == len(lines) - 1 and not text.endswith("\n"))
        if "result" in data:
            break
        moves.append(_replayed(game, states, step, data))
    else:
        raise ReplayError(f"truncated after step {step}: the line with the result is missing")
    if len(lines) > step + 1:
        raise ReplayError(f"step {step}: {len(lines) - step - 1} lines follow the result")
    _check_end(game, states, data, lines[:step])
    agents = tuple(map(str, head["agents"]))
    if agents and len(agents) != options["players"]:
        raise ReplayError(f"step 0: {len(agents)} agents for {options['players']} seats")
    return Replay(game, options, head["seed"], agents, head["digest"], tuple(moves), data["result"])


def _head(lines: Sequence[str]) -> dict[str, Any]:
    wanted = {
        "game": str,
        "version": str,
        "components": str,
        "options": dict,
        "seed": int,
        "agents": list,
        "digest": str,
    }
    try:
        head = json.loads(lines[0]) if lines else None
    except ValueError:
        head = None
    if not isinstance(head, dict) or "replay" not in head:
        raise ReplayError('not a replay: the first line is no object with the key "replay"')
    if head["replay"] != FORMAT:
        raise ReplayError(f"format {head['replay']!r} of replay: this version reads {FORMAT}")
    for key, kind in wanted.items():
        if type(head.get(key)) is not kind:
            raise ReplayError(f"step 0: {key} is {head.get(key)!r}, expected {kind.__name__}")
    return head


def _game(head: Mapping[str, Any]) -> Game:
    from dwarrow.envs import game as open_game

    try:
        game = open_game(head["game"])
    except KeyError as error:
        raise ReplayError(f"step 0: {error.args[0]}") from None
    if head["version"] != game.version:
        raise ReplayError(
            f"step 0: rules version {head['version']!r} of {game.name}, this is {game.version!r}"
        )
    if head["components"] != game.pack.hash:
        variable = f"DWARROW_PACK_{game.name.upper()}"
        raise ReplayError(
            f"step 0: played with components {head['components']}, these are {game.pack.hash} "
            f"({game.pack.name}); set {variable} to the pack it was played with"
        )
    return game


def _line(line: str, step: int, truncated: bool) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        cut = "truncated in" if truncated else "damaged at"
        raise ReplayError(f"{cut} step {step}: {line[:60]!r} is no JSON object")
    return data


def _replayed(game: Game, states: States, step: int, data: Mapping[str, Any]) -> Move:
    """Play one line's move and check it."""
    if data.get("step") != step:
        raise ReplayError(f"step {step}: the line says step {data.get('step')!r}")
    if game.is_over(states, 0):
        raise ReplayError(f"step {step}: {data.get('action')!r} comes after the end of the game")
    seat = int(states["seat"][0])
    if data.get("seat") != seat:
        raise ReplayError(f"step {step}: seat {data.get('seat')!r} moves, but seat {seat} is due")
    notes = data.get("notes", {})
    if not isinstance(notes, dict):
        raise ReplayError(f"step {step}: notes are {notes!r}, expected an object")
    try:
        action = game.action_id(str(data.get("action")))
        game.step(states, 0, action)
    except ValueError as error:
        raise ReplayError(f"step {step}: {error}") from None
    digest = game.digest(states, 0)
    _compare(step, f"after {data['action']!r}", data.get("digest"), digest)
    return Move(seat, action, digest, notes)


def _compare(step: int, where: str, said: object, found: str) -> None:
    if said != found:
        raise ReplayError(
            f"step {step}: the state {where} has digest {found}, the replay says {said!r}"
        )


def _check_end(game: Game, states: States, data: Mapping[str, Any], lines: Sequence[str]) -> None:
    step = len(lines) - 1
    if data.get("moves") != step:
        raise ReplayError(f"step {step}: {step} moves, the last line says {data.get('moves')!r}")
    over = game.is_over(states, 0)
    result = result_of(game, states) if over else None
    if data["result"] != result:
        said = data["result"] if isinstance(data["result"], dict) else {"result": data["result"]}
        true = result or {"result": "none: the game is not over"}
        keys = [key for key in {**true, **said} if said.get(key) != true.get(key)]
        differs = "; ".join(f"{k} is {true.get(k)!r}, not {said.get(k)!r}" for k in keys)
        raise ReplayError(f"step {step}, the result: {differs}")
    if data.get("lines") != _sum(lines):
        raise ReplayError(
            f"step {step}: all moves are right, but agents or notes were changed: the hash of all "
            f"lines is {_sum(lines)}, the last line says {data.get('lines')!r}"
        )
