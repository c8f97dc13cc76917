"""What tells an agent from another that would go by the same spec: what it does, not its source.

A scripted player is known by its choices in games that it plays by itself, a search by what it
chooses with a small budget in positions of random play, a network by its weights. A changed source
that plays the same is the same agent; a rule of thumb that changed in another file is seen. With
each number of seats it is known by itself: a sweep for five lords leaves games of three alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

from dwarrow.agents.base import Agent, AgentSpec, Rows, make
from dwarrow.agents.players import prospects_of
from dwarrow.agents.search.plan import Rollout, Selection, Settings, plan_for
from dwarrow.agents.search.tuned import Tuned, tuned
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Floats
from dwarrow.training.tables import Tables

NETWORKS = ("ppo", "net")
SEARCHES = ("mcts", "flat_mc", "oracle_mcts")
"""Kinds of agents that take long for a decision."""

SCRIPTED = ("greedy", "rule")

GAMES = 16
"""Games that a scripted player plays by itself."""

POSITIONS = 32
"""Positions that a search is asked about."""

DEPTH = 60
"""Random decisions from the first position to the last."""

SIMS = 16
"""Simulations of a search in each."""

NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})


def identity(
    agent: Agent, game: Game, players: int, options: Mapping[str, Any] = NO_OPTIONS
) -> str:
    """Return what tells this agent from another that would go by the same spec.

    For a network it is the hash of its weights: what it chooses in close cases depends on the last
    bits of the machine. A search is known by its choices, and by what they rest on and may not
    show in so few of them: the settings found by sweeps that its spec leaves out, as far as they
    differ from the textbook's (a setting that searches learn later changes nothing for those
    without it), the weights by which it judges positions, the scripted players that it asks, its
    network. Empty for all others.

    Args:
        agent: the agent.
        game: the game that it plays.
        players: its number of players.
        options: its other options.
    """
    spec = AgentSpec.parse(agent.spec)
    if spec.kind in NETWORKS:
        return _hash(_weights(agent))
    if spec.kind in SCRIPTED:
        return _hash(_habits(agent, game, players, options))
    if spec.kind not in SEARCHES:
        return ""
    choices = _choices(agent, game, players, options)
    if "net" in spec.options:
        return _hash(_weights(agent) + choices)
    others = (make(name, game) for name in _asked(agent, game, players))
    habits = (_habits(other, game, players, options) for other in others)
    return _hash(b"".join((_learned(game, players), choices, *habits)))


def network_of(spec: AgentSpec) -> str | None:
    """Return the run whose network a spec names."""
    return spec.source if spec.kind in NETWORKS else spec.options.get("net")


def weights_hash(run: str) -> str:
    """Return the hash of a run's latest weights.

    Raises:
        ValueError: there is no such run.
    """
    from dwarrow.agents.neural.weights import find_weights  # brings torch with it

    return _hash(_numbers(load_file(find_weights(run))))


def _weights(agent: Agent) -> bytes:
    """Return the weights by which this agent acts, whatever its run has learned since."""
    neural: Any = getattr(agent, "evaluator", agent)  # a guided search asks an evaluator
    tensors = neural.network.state_dict().items()
    return _numbers({k: (t.float() if t.is_floating_point() else t).numpy() for k, t in tensors})


def _numbers(tensors: Mapping[str, NDArray[Any]]) -> bytes:
    # not the file that they came from: its header lists them in no fixed order
    return b"".join(name.encode() + tensors[name].tobytes() for name in sorted(tensors))


def _hash(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()


# Scripted players


def _habits(agent: Agent, game: Game, players: int, options: Mapping[str, Any]) -> bytes:
    """Return all choices of games in which `agent` has every seat."""
    tables = _begun(game, players, options, GAMES)
    choices = b""
    while len(rows := np.flatnonzero(tables.states["over"] == 0)):
        choices += _play(tables, agent, rows)
    return choices


def _begun(game: Game, players: int, options: Mapping[str, Any], n: int) -> Tables:
    """Begin `n` games."""
    template = game.blank(1, game.options.parse({**options, "players": players}))
    tables, rows = Tables(game, template, n), np.arange(n)
    tables.begin(rows, np.zeros_like(rows), rows)
    return tables


def _play(tables: Tables, agent: Agent, rows: Rows) -> bytes:
    """Let `agent` act in `rows`, and return its choices."""
    actions = agent.act(tables.game, tables.states, rows, tables.words(rows)).action
    tables.step(rows, actions)
    return _written(actions)


def _written(actions: Rows) -> bytes:
    return np.asarray(actions, "<i4").tobytes()


# Searches


def _choices(agent: Agent, game: Game, players: int, options: Mapping[str, Any]) -> bytes:
    """Return what a search chooses with a small budget in positions of random play."""
    tables = _begun(game, players, options, POSITIONS)
    anyone, small, rows = make("random", game), _small(agent, game), np.arange(POSITIONS)
    age = rows * DEPTH // POSITIONS
    for k in range(DEPTH):
        _play(tables, anyone, rows[age > k])
        over = np.flatnonzero(tables.states["over"])
        tables.begin(over, np.zeros_like(over), tables.seeds[over] + POSITIONS)
    return _written(small.act(game, tables.states, rows, tables.words(rows)).action)


def _small(agent: Agent, game: Game) -> Agent:
    """Return the same search with a small budget, guided by nothing where a network guides it."""
    spec = AgentSpec.parse(agent.spec)
    if "net" in spec.options:
        from dwarrow.agents.search.lockstep import NetSearch

        assert isinstance(agent, NetSearch)
        settings = replace(agent.settings, sims=SIMS, seconds=None, threads=1)
        return NetSearch(game, agent.spec, settings, _Blank(game))
    kept = {k: v for k, v in spec.options.items() if k not in ("sims", "seconds", "threads")}
    given = ",".join(f"{k}={v}" for k, v in {**kept, "sims": SIMS}.items())
    return make(f"{spec.kind}:{given}", game)


class _Blank:
    """A network that knows nothing, and so the same on every machine."""

    def __init__(self, game: Game) -> None:
        self.n_actions = game.n_actions

    def evaluate(self, obs: Floats) -> tuple[Floats, Floats]:
        """Return logits and values of zero; see `lockstep.Evaluator`."""
        return np.zeros((len(obs), self.n_actions), np.float32), np.zeros(len(obs), np.float32)


def _learned(game: Game, players: int) -> bytes:
    """Return the settings that searches in a game found by a sweep, and its judge's weights."""
    row = asdict(tuned(game.name, players)).items() - asdict(Tuned()).items()
    try:
        judge = prospects_of(game).file.read_bytes()
    except KeyError:
        judge = b""
    return repr(sorted(row)).encode() + judge


def _asked(agent: Agent, game: Game, players: int) -> list[str]:
    """Return the scripted players that play on for a search, or advise it."""
    plan = plan_for(game, getattr(agent, "settings", Settings()), players)[0]
    found = set()
    rollout = Rollout(plan["rollout"])
    if rollout != Rollout.RANDOM:
        found.add(rollout.name.lower())
    if plan["advice"] > 0 or plan["selection"] == Selection.RACE:
        found.add("rule")
    return sorted(found)
