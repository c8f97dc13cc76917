"""The PettingZoo AEC environment of every game: seats are asked one after another.

Simultaneous decisions are asked in turn too; what a seat has chosen stays hidden from the others
until all have, and ``info["simultaneous"]`` says so.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pettingzoo.utils.env import AECEnv

from dwarrow.envs.core.record import NONE
from dwarrow.envs.core.seats import SeenBySeat, masks_of_waiting
from dwarrow.envs.core.table_env import TableEnv


class AECGame(TableEnv, AECEnv[str, SeenBySeat, int]):  # type: ignore[misc]
    """A game as an `AECEnv`. Its own `step` checks order and legality, so it needs no wrapper.

    Rewards come at the end only and are right straight after the last `step`; all seats end
    together. An ended game is left agent by agent with ``step(None)``, as PettingZoo wants it.
    """

    def __getattr__(self, name: str) -> Any:
        """Say why an attribute that comes with `reset` is not there yet."""
        if name in ("agent_selection", "rewards", "terminations", "truncations", "infos"):
            raise AttributeError(f"{name} is not there yet: call reset() first")
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Set up a new game; without a seed the one that follows the last game's.

        Args:
            seed: the same seed gives the same game as ``game.new(seed=seed)``.
            options: unused; a table keeps the options it was opened with.

        Raises:
            ValueError: a negative seed.
        """
        self._begin(seed)
        self.agents = self.possible_agents.copy()
        self._resume()

    def step(self, action: int | None) -> None:
        """Play the action of `agent_selection`; an agent of an ended game gives None.

        Raises:
            ValueError: an illegal action, and why (unless ``illegal="terminate"``), or an action
                from an agent whose game has ended.
            RuntimeError: the game has not begun, or all agents have left.
        """
        if not self.agents:
            raise RuntimeError("no agent is left: call reset()")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._leave(action)
            return
        number = self._judge(agent, self._mask, action)
        if number is None:
            self._offender = self._seat_of[agent]
            self._resume()
        elif self._play(number):
            self._resume()
        else:
            self._ask()
        if self.render_mode == "human":
            self.render()

    def _ask(self) -> None:
        """Turn to the seat that decides now."""
        self.agent_selection = self.possible_agents[self.states["seat"][0]]
        self._mask = np.empty(self.game.n_actions, np.int8)
        self.game.kernels.legal(self.states, 0, self._mask)
        simultaneous = self._simultaneous
        self.infos = {
            agent: self._info(masks_of_waiting(self.game), simultaneous) for agent in self.agents
        }
        self.infos[self.agent_selection]["action_mask"] = self._mask.copy()

    def _resume(self) -> None:
        ended = self._ended
        # once an agent has left, the others' rewards are those of that step: none
        new = len(self.agents) == len(self.possible_agents)
        due = self._utilities() if ended else dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = {agent: due[agent] for agent in self.agents}
        self.rewards = {agent: due[agent] if new else 0.0 for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, ended)
        self.truncations = dict.fromkeys(self.agents, False)
        if not ended:
            self._ask()
            return
        self._mask = masks_of_waiting(self.game)
        final = self._final_infos()
        self.infos = {agent: final[agent] for agent in self.agents}
        self.agent_selection = (self.agents or self.possible_agents[-1:])[0]

    def _leave(self, action: int | None) -> None:
        if action is not None:
            raise ValueError(
                f"{self.agent_selection}: the game has ended, so step(None) is due, not {action!r}"
            )
        gone = self.agents.pop(0)
        for kept in (
            self.terminations,
            self.truncations,
            self.rewards,
            self._cumulative_rewards,
            self.infos,
        ):
            del kept[gone]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> SeenBySeat:
        """Return what an agent sees now, in new arrays; its mask is all zeros if it is not to move.

        Raises:
            ValueError: no such agent.
        """
        if agent not in self._seat_of:
            raise ValueError(f"no agent {agent!r}: known are {self.possible_agents}")
        to_move = self._offender == NONE and agent == self.agent_selection
        mask = self._mask.copy() if to_move else masks_of_waiting(self.game)
        return self._seen_by(self._seat_of[agent], mask)
