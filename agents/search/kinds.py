"""The kinds of search that specs name: `flat_mc`, `mcts`, `oracle_mcts`."""

from __future__ import annotations

from collections.abc import Callable

from dwarrow.agents.base import Agent, AgentSpec, Kind, register_kind
from dwarrow.agents.search.agent import SearchAgent
from dwarrow.agents.search.flat_mc import FlatMC
from dwarrow.agents.search.plan import Budget, Settings
from dwarrow.envs.core.game import Game


def _named(spec: AgentSpec, make: Callable[[], Agent]) -> Agent:
    """Make an agent; what does not fit is refused under the name of its spec."""
    try:
        return make()
    except (ValueError, FileNotFoundError) as error:
        raise ValueError(f"agent {spec.text!r}: {error}") from None


def _flat_mc(game: Game, spec: AgentSpec, options: Budget) -> Agent:
    return _named(spec, lambda: FlatMC(game, spec.text, options))


def _mcts(game: Game, spec: AgentSpec, options: Settings) -> Agent:
    if options.net is not None:
        return _named(spec, lambda: guided(game, spec.text, options))
    if options.noise:
        raise ValueError(f"agent {spec.text!r}: noise has no meaning without a network")
    return _named(spec, lambda: SearchAgent(game, spec.text, options))


def guided(game: Game, spec: str, options: Settings) -> Agent:
    """Make a search guided by the network of the run ``options.net``.

    Raises:
        ValueError: no such run, or its network is for another game, rules or layout.
    """
    # only this needs torch
    from dwarrow.agents.neural.agent import NeuralAgent
    from dwarrow.agents.neural.weights import find_weights, load_weights
    from dwarrow.agents.search.lockstep import NetSearch

    network = load_weights(find_weights(str(options.net)), game)
    return NetSearch(game, spec, options, NeuralAgent(spec, game, network))


def _oracle_mcts(game: Game, spec: AgentSpec, options: Settings) -> Agent:
    if options.net is not None or options.noise:
        raise ValueError(f"agent {spec.text!r}: the oracle searches without a network")
    return _named(spec, lambda: SearchAgent(game, spec.text, options, oracle=True))


register_kind(
    Kind("flat_mc", _flat_mc, Budget, meaning="a bandit over the actions, each judged by rollouts")
)
register_kind(Kind("mcts", _mcts, Settings, meaning="information-set tree search"))
register_kind(
    Kind("oracle_mcts", _oracle_mcts, Settings, meaning="tree search that sees everything")
)
