"""The single-agent Gymnasium environment: one seat is the learner's, the others play along."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from dwarrow.envs.core.aec import AECGame
from dwarrow.envs.core.game import LATEST_SEED, Game
from dwarrow.envs.core.opponents import Opponent, Seating, words_for
from dwarrow.envs.core.seats import (
    RENDER_MODES,
    Illegal,
    SeenBySeat,
    Utility,
    agent_name,
    check_choice,
    observation_space,
)


class SingleGame(gymnasium.Env[SeenBySeat, int]):
    """A game seen from one seat.

    The reward comes with the last action of the game; `action_masks` is what sb3-contrib reads.

    Attributes:
        table: the game in play, an `AECGame`.
        seat: the learner's seat in this game.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: Game,
        *,
        opponents: Sequence[Opponent] | Opponent | None = None,
        seat: int | Literal["random"] = "random",
        render_mode: str | None = None,
        illegal: Illegal = "raise",
        utility: Utility = "rank",
        **options: Any,
    ) -> None:
        """Sit down at a table.

        Args:
            game: the rules.
            opponents: one object with ``act`` for each other seat, or one for them all; if None
                they play uniformly at random. The first sits after the learner, and so on.
            seat: the learner's seat, or ``"random"``: drawn for each game.
            render_mode: ``ansi``, ``rgb_array`` or ``human``.
            illegal: an illegal action raises an error, or ends the game with a reward of -1.
            utility: what a finished game is worth.
            options: the game's own options.

        Raises:
            ValueError: an unknown option, or a value that is not allowed.
        """
        self.table = AECGame(
            game, render_mode=render_mode, illegal=illegal, utility=utility, **options
        )
        players = len(self.table.possible_agents)
        check_choice("seat", seat, ["random", *range(players)])
        self.seating = Seating(players, opponents)
        self.fixed_seat, self.seat = seat, 0
        self.render_mode = render_mode
        self.observation_space: Any = observation_space(game)
        self.action_space: Any = spaces.Discrete(game.n_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[SeenBySeat, dict[str, Any]]:
        """Begin a game and play it to the learner's first decision.

        Args:
            seed: seeds this and all later games, seats and opponents.
            options: unused.
        """
        super().reset(seed=seed)
        while True:
            if self.fixed_seat == "random":
                self.seat = int(self.np_random.integers(self.seating.players))
            else:
                self.seat = int(self.fixed_seat)
            self.table.reset(int(self.np_random.integers(LATEST_SEED)))
            self._play_others()
            if not self._is_over():  # a game that ends before the learner decides is nobody's
                return self._view(), self._info()

    def step(self, action: int) -> tuple[SeenBySeat, float, bool, bool, dict[str, Any]]:
        """Play the learner's action and go on to its next decision or the end.

        Raises:
            ValueError: the action is illegal, and why (unless ``illegal="terminate"``).
            RuntimeError: no game is in play.
        """
        if not self.table.agents or self._is_over():
            raise RuntimeError("no game is in play: call reset()")
        self.table.step(action)
        self._play_others()
        reward = self.table.rewards[self._me] if self._is_over() else 0.0
        return self._view(), reward, self._is_over(), False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the learner's legal actions, bool [n_actions]."""
        masks: NDArray[np.bool_] = self.table.infos[self._me]["action_mask"].astype(np.bool_)
        return masks

    def render(self) -> str | NDArray[np.uint8] | None:
        """Show the table; see `TableEnv.render`."""
        return self.table.render()

    @property
    def _me(self) -> str:
        return agent_name(self.seat)

    def _is_over(self) -> bool:
        return self.table.terminations[self._me]

    def _play_others(self) -> None:
        table, rows = self.table, np.zeros(1, np.int64)
        while not self._is_over() and table.agent_selection != self._me:
            seat = int(table.states["seat"][0])
            who = self.seating.opponents[self.seating.at(seat, self.seat)]
            words = words_for(rows, self.np_random)
            action = int(who.act(table.game, table.states, rows, words).action[0])
            problem = table.game.explain(table.states, 0, action)
            if problem:  # the learner is not to blame, whatever `illegal` says
                raise ValueError(f"the opponent {who!r} on seat {seat}: {problem}")
            table.step(action)

    def _view(self) -> SeenBySeat:
        return self.table.observe(self._me)

    def _info(self) -> dict[str, Any]:
        info = self.table.infos[self._me]
        return {**info, "action_mask": info["action_mask"].copy(), "seat": self.seat}
