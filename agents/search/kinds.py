"""The kinds of search that specs name: `flat_mc`, `mcts`, `oracle_mcts`."""

from __future__ import annotations

from dwarrow.agents.base import Agent, AgentSpec, Kind, register_kind
from dwarrow.agents.search.agent import SearchAgent
from dwarrow.agents.search.flat_mc import FlatMC
from dwarrow.agents.search.plan import Budget, Settings
from dwarrow.envs.core.game import Game


def _flat_mc(game: Game, spec: AgentSpec, options: Budget) -> Agent:
    return FlatMC(game, spec.text, options)


def _mcts(game: Game, spec: AgentSpec, options: Settings) -> Agent:
    return SearchAgent(game, spec.text, options)


def _oracle_mcts(game: Game, spec: AgentSpec, options: Settings) -> Agent:
    return SearchAgent(game, spec.text, options, oracle=True)


register_kind(
    Kind("flat_mc", _flat_mc, Budget, meaning="a bandit over the actions, each judged by rollouts")
)
register_kind(Kind("mcts", _mcts, Settings, meaning="information-set tree search"))
register_kind(
    Kind("oracle_mcts", _oracle_mcts, Settings, meaning="tree search that sees everything")
)
