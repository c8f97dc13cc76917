"""`random`, and each game's `greedy` and `rule` players, as agents: one compiled call a batch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dwarrow.agents.base import Actions, Agent, AgentSpec, Decision, Kind, NoOptions, Rows
from dwarrow.agents.base import register_kind as register
from dwarrow.agents.players import Words, greedy, players_of, rule
from dwarrow.envs.core.compiling import compile_once
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Mask, States, kernel, legal
from dwarrow.envs.core.record import as_records
from dwarrow.envs.core.table import random_action

Chooser = Callable[[States, Rows, Words, Mask, Actions], None]
"""``(states, rows, words, mask, actions)``: writes `actions`; `mask` is scratch [n_actions]."""


@kernel
def choose_random(states: States, rows: Rows, words: Words, mask: Mask, actions: Actions) -> None:
    """Write a uniformly drawn legal action of each row into `actions`."""
    word = np.zeros(1, np.uint64)
    for k in range(len(rows)):
        word[0] = words[k]
        actions[k] = random_action(mask, legal(states, rows[k], mask), word)


@kernel
def choose_greedy(states: States, rows: Rows, words: Words, mask: Mask, actions: Actions) -> None:
    """Write the greedy player's action of each row into `actions`."""
    word = np.zeros(1, np.uint64)
    for k in range(len(rows)):
        legal(states, rows[k], mask)
        word[0] = words[k]
        actions[k] = greedy(states, rows[k], mask, word)


@kernel
def choose_rule(states: States, rows: Rows, words: Words, mask: Mask, actions: Actions) -> None:
    """Write the rule player's action of each row into `actions`."""
    word = np.zeros(1, np.uint64)
    for k in range(len(rows)):
        legal(states, rows[k], mask)
        word[0] = words[k]
        actions[k] = rule(states, rows[k], mask, word)


class ScriptedAgent:
    """Acts by a compiled chooser."""

    ranked = True

    def __init__(self, spec: str, game: Game, choose: Chooser) -> None:
        """Act in `game` by `choose`."""
        self.spec = spec
        self._choose = choose
        self._mask = np.zeros(game.n_actions, np.int8)
        compile_once(
            f"{game.name}-{spec}", f"{spec} for {game.title}", lambda: self._exercise(game)
        )

    def act(self, game: Game, states: States, rows: Rows, words: Words) -> Decision:
        """Choose an action in each of ``states[rows]``; see `Agent.act`."""
        actions = np.empty(len(rows), np.int64)
        self._choose(as_records(states), rows, words, self._mask, actions)
        return Decision(actions)

    def _exercise(self, game: Game) -> None:
        self.act(game, game.new(), np.zeros(1, np.int64), np.zeros(1, np.uint64))


def _build(choose: Chooser, needs_players: bool) -> Callable[[Game, AgentSpec, NoOptions], Agent]:
    def build(game: Game, spec: AgentSpec, options: NoOptions) -> Agent:
        if needs_players:
            try:
                players_of(game)
            except KeyError as error:
                raise ValueError(f"agent {spec.text!r}: {error.args[0]}") from None
        return ScriptedAgent(spec.kind, game, choose)

    return build


register(Kind("random", _build(choose_random, False), meaning="any legal action"))
register(Kind("greedy", _build(choose_greedy, True), meaning="most points at once"))
register(Kind("rule", _build(choose_rule, True), meaning="a good player's rules of thumb"))
