"""Measuring the learners of a run: between two iterations, or in a process of their own.

In the background a measurement costs the run nothing but the copy of the weights, if a core is
free; it runs with low priority. Its figures come some iterations later, and say of which iteration
they are. Training itself does not depend on them in any way.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Protocol

import torch

from dwarrow import envs
from dwarrow.agents import Agent, players
from dwarrow.agents.neural.agent import NeuralAgent
from dwarrow.agents.neural.network import Network
from dwarrow.agents.search.lockstep import NetSearch
from dwarrow.agents.search.plan import Settings
from dwarrow.envs.core.game import Game
from dwarrow.training.config import MixedConfig, RunConfig
from dwarrow.training.evaluation import Evaluator, wins
from dwarrow.training.learning import ExpertSettings
from dwarrow.training.logging import Metrics
from dwarrow.training.matchmaking import LEARNER
from dwarrow.training.scholar import EXPERT

_NICE = 10
_PATIENCE = 120.0
"""Seconds to wait at the end of a run for a measurement that is not finished."""


class Gauge:
    """Measures the learners of a run, by its settings."""

    def __init__(self, config: RunConfig) -> None:
        """Make the agents to measure against.

        Raises:
            ValueError: one of them is none of this game.
        """
        self.config, self.game = config, envs.game(config.game)
        games = config.games(self.game)
        self.evaluator = Evaluator(self.game, games, config.evaluate, config.evaluate_games)

    def measure(self, networks: Mapping[str, Network]) -> Metrics:
        """Return win shares of the learners, against fixed agents and against one another."""
        found: Metrics = {}
        if LEARNER in networks:
            found |= wins(self.evaluator.measure(networks[LEARNER]))
        if EXPERT in networks:
            prefix = "expert_net/" if LEARNER in networks else ""
            found |= wins(self.evaluator.measure(networks[EXPERT]), prefix)
            found |= self._search(networks)
        return found

    def _search(self, networks: Mapping[str, Network]) -> Metrics:
        """Measure the expert as it plays to win: by search."""
        config, share = self.config, self.evaluator.share
        settings = config.expert if isinstance(config, MixedConfig) else config
        if not isinstance(settings, ExpertSettings) or not settings.search_games:
            return {}
        games = settings.search_games
        expert = searcher(self.game, networks[EXPERT], settings)
        found: Metrics = {}
        if self.evaluator.opponents:
            spec, other = list(self.evaluator.opponents.items())[-1]
            found[f"win/search/{spec}"] = share(expert, other, games)
        if LEARNER in networks:
            ppo: Agent = NeuralAgent(LEARNER, self.game, networks[LEARNER])
            found["win/ppo_vs_expert"] = share(ppo, expert, games)
            found["win/expert_vs_ppo"] = share(expert, ppo, games)
        return found


def searcher(game: Game, network: Network, config: ExpertSettings) -> NetSearch:
    """Return the agent that expert iteration trains, as it plays to win."""
    settings = Settings(sims=config.sims, c=config.exploration)
    return NetSearch(game, EXPERT, settings, NeuralAgent(EXPERT, game, network))


class Measuring(Protocol):
    """When and where a run's learners are measured."""

    def begin(self, networks: Mapping[str, Network], iteration: int) -> None:
        """Measure these networks, now or when the last measurement is finished."""
        ...

    def found(self, wait: bool = False) -> Metrics:
        """Return what was measured since the last call; with `wait`, of all that was begun."""
        ...

    def close(self) -> None:
        """Stop; calling it again does nothing."""
        ...


class InTurn:
    """Measures at once, while training waits."""

    def __init__(self, config: RunConfig) -> None:
        """Make the gauge."""
        self.gauge = Gauge(config)
        self.results: Metrics = {}

    def begin(self, networks: Mapping[str, Network], iteration: int) -> None:
        """Measure; see `Measuring.begin`."""
        self.results = self.gauge.measure(networks)

    def found(self, wait: bool = False) -> Metrics:
        """Return what was measured."""
        results, self.results = self.results, {}
        return results

    def close(self) -> None:
        """Do nothing."""


class InBackground:
    """Measures in a process of its own; one measurement at a time, others are left out."""

    def __init__(self, config: RunConfig) -> None:
        """Start the process.

        Raises:
            ValueError: an agent to measure against is none of this game.
        """
        Gauge(config)  # refused here, in words, rather than over there
        context = get_context("spawn")
        self.ours, theirs = context.Pipe()
        modules = envs.module_of(config.game), players.module_of(config.game)
        self.process = context.Process(target=_serve, args=(theirs, config, modules), daemon=True)
        self.process.start()
        theirs.close()
        self.busy = False
        self.lost = False

    def begin(self, networks: Mapping[str, Network], iteration: int) -> None:
        """Send the weights, unless a measurement is going on."""
        if self.busy or self.lost:
            return
        weights = {
            name: {key: tensor.detach().numpy().copy() for key, tensor in net.state_dict().items()}
            for name, net in networks.items()
        }
        try:
            self.ours.send((iteration, weights))
            self.busy = True
        except OSError:
            self.lost = True

    def found(self, wait: bool = False) -> Metrics:
        """Return what has come in; see `Measuring.found`."""
        if not self.busy or not self.ours.poll(_PATIENCE if wait else 0):
            return {}
        self.busy = False
        try:
            results: Metrics = self.ours.recv()
        except (EOFError, OSError):  # the process is gone; training goes on without it
            self.lost = True
            return {"measurements_lost": 1}
        return results

    def close(self) -> None:
        """End the process."""
        self.ours.close()
        self.process.terminate()
        self.process.join()


def measuring(config: RunConfig) -> Measuring:
    """Return what measures the learners of a run, where its settings say."""
    return InBackground(config) if config.evaluate_in == "background" else InTurn(config)


def _serve(theirs: Connection, config: RunConfig, modules: tuple[str, str | None]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for the parent to handle
    with suppress(OSError, AttributeError):
        os.nice(_NICE)
    torch.set_num_threads(1)
    envs.add_game(config.game, modules[0])
    if modules[1] is not None:
        players.add_players(config.game, modules[1])
    gauge = Gauge(config)
    with suppress(EOFError, OSError):  # the parent is gone
        while True:
            iteration, weights = theirs.recv()
            networks = {name: _network(gauge.game, config, w) for name, w in weights.items()}
            theirs.send({**gauge.measure(networks), "measured": iteration})


def _network(game: Game, config: RunConfig, weights: Mapping[str, Any]) -> Network:
    network = Network(game.observation, game.n_actions, config.shape)
    network.load_state_dict({key: torch.from_numpy(array) for key, array in weights.items()})
    return network
