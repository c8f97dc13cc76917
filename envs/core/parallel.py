"""The PettingZoo parallel environment of every game: all seats of a simultaneous decision at once.

In other phases only the seat to move has a mask with ones; actions that others give are ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pettingzoo.utils.env import ParallelEnv

from dwarrow.envs.core.kernels import Mask
from dwarrow.envs.core.seats import SeenBySeat, masks_of_waiting
from dwarrow.envs.core.table_env import TableEnv

Dicts = tuple[
    dict[str, SeenBySeat],
    dict[str, float],
    dict[str, bool],
    dict[str, bool],
    dict[str, dict[str, Any]],
]


class ParallelGame(TableEnv, ParallelEnv[str, SeenBySeat, int]):  # type: ignore[misc]
    """A game as a `ParallelEnv`, native, on the same core as `AECGame`: the same games.

    Attributes:
        acting: the agents whose actions the next `step` plays, in the order of their seats.
    """

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, SeenBySeat], dict[str, dict[str, Any]]]:
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
        return self._observations(), self._infos()

    def step(self, actions: Mapping[str, int]) -> Dicts:
        """Play the actions of all agents that act now; all are checked before any is played.

        Raises:
            ValueError: an action is missing, of an unknown agent, or illegal, and why (unless
                ``illegal="terminate"``).
            RuntimeError: the game has not begun, or has ended.
        """
        if not self.agents:
            raise RuntimeError("no agent is left: call reset()")
        for agent in actions:
            if agent not in self._seat_of:
                raise ValueError(f"no agent {agent!r}: known are {self.possible_agents}")
        for agent in self.acting:
            if agent not in actions:
                raise ValueError(f"no action of {agent}: now {', '.join(self.acting)} decide")
        numbers = {}
        for agent in self.acting:
            number = self._judge(agent, self._masks[agent], actions[agent])
            if number is None:
                self._offender = self._seat_of[agent]
                return self._outcome()
            numbers[agent] = number
        for agent, number in numbers.items():
            if self.states["seat"][0] != self._seat_of[agent]:
                raise RuntimeError(f"{self.game.name} did not ask {agent} in a simultaneous phase")
            self._play(number)
        return self._outcome()

    def _outcome(self) -> Dicts:
        ended, everyone = self._ended, self.agents
        if ended:
            self.agents = []
        self._resume()
        rewards = self._utilities() if ended else dict.fromkeys(everyone, 0.0)
        result = (
            self._observations(),
            rewards,
            dict.fromkeys(everyone, ended),
            dict.fromkeys(everyone, False),
            self._infos(),
        )
        if self.render_mode == "human":
            self.render()
        return result

    def _resume(self) -> None:
        """Find out who acts now and what each of them sees and may do.

        A seat is shown what it would see in its turn of the AEC form. For the turns before its own,
        stand-in actions are played on a scratch copy; it cannot tell them from the real ones.
        """
        self.acting: list[str] = []
        self._masks: dict[str, Mask] = {}
        self._views: dict[str, SeenBySeat] = {}
        if self._ended:
            return
        simultaneous, table = self._simultaneous, self.states
        self.states = table.copy()
        try:
            while True:
                seat = int(self.states["seat"][0])
                agent, mask = self.possible_agents[seat], self.game.mask(self.states, 0)
                self.acting.append(agent)
                self._masks[agent] = mask
                self._views[agent] = self._seen_by(seat, mask)
                if not simultaneous or not self._more_decide(seat, int(mask.argmax())):
                    return
        finally:
            self.states = table

    def _more_decide(self, seat: int, action: int) -> bool:
        """Play a stand-in on the scratch copy; return whether the next seat decides unaware."""
        game, scratch = self.game, self.states
        if any(
            game.seen(scratch, 0, action, seat, other) > 0
            for other in self._seat_of.values()
            if other != seat
        ):
            return False  # the others see what came of it: this was the last of them
        game.kernels.step(scratch, 0, action)
        return (
            not scratch["over"][0]
            and int(scratch["phase"][0]) in game.simultaneous_phases
            and self.possible_agents[scratch["seat"][0]] not in self._masks
        )

    def _observations(self) -> dict[str, SeenBySeat]:
        """Return what every agent sees now, in new arrays."""
        shown = {}
        for agent, seat in self._seat_of.items():
            if agent in self._views:
                shown[agent] = {name: array.copy() for name, array in self._views[agent].items()}
            else:
                shown[agent] = self._seen_by(seat, masks_of_waiting(self.game))
        return shown

    def _infos(self) -> dict[str, dict[str, Any]]:
        if self._ended:
            return self._final_infos()
        waiting, simultaneous = masks_of_waiting(self.game), self._simultaneous
        return {
            agent: self._info(self._masks.get(agent, waiting).copy(), simultaneous)
            for agent in self.possible_agents
        }
