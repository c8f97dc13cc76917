"""The Gymnasium vector environment: one learner's seat in each of many games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from dwarrow.envs.core.game import LATEST_SEED, Game
from dwarrow.envs.core.opponents import Opponent, Seating, words_for
from dwarrow.envs.core.seats import (
    SeenBySeat,
    Utility,
    check_choice,
    check_utility,
    observation_space,
    utilities,
)
from dwarrow.envs.core.vector import VectorTable

Longs = NDArray[np.int64]
Outcome = tuple[
    SeenBySeat, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
]


class VectorGame(VectorEnv[SeenBySeat, Longs, NDArray[Any]]):
    """`num_envs` games on one `VectorTable`; the other seats are played in batches.

    A finished game begins again in the same step (``AutoresetMode.SAME_STEP``): the observation is
    the new game's first, ``infos["final_obs"]`` holds the last of the old one. The masks are in the
    observation and in ``infos["action_mask"]``; an illegal action raises an error before anything
    moves.

    Attributes:
        table: the games in play.
        seats: the learner's seat in each game, int64 [num_envs].
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        *,
        opponents: Sequence[Opponent] | Opponent | None = None,
        seat: int | Literal["random"] = "random",
        utility: Utility = "rank",
        **options: Any,
    ) -> None:
        """Sit down at `num_envs` tables; see `SingleGame` for the arguments.

        Raises:
            ValueError: an unknown option, or a value that is not allowed.
        """
        check_utility(game, utility)
        self.table = VectorTable(game, num_envs, auto_reset=False, **options)
        players = int(self.table.states["n_seats"][0])
        check_choice("seat", seat, ["random", *range(players)])
        self.seating = Seating(players, opponents)
        self.fixed_seat, self.utility, self.num_envs = seat, utility, num_envs
        self.seats = np.zeros(num_envs, np.int64)
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = observation_space(game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.single_action_space = spaces.Discrete(game.n_actions)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[SeenBySeat, dict[str, Any]]:
        """Begin all games and play each to the learner's first decision.

        Args:
            seed: seeds these and all later games, seats and opponents.
            options: unused.
        """
        super().reset(seed=seed)
        self._begin(np.arange(self.num_envs))
        view = self._view()
        return view, self._info(view)

    def step(self, actions: Longs) -> Outcome:
        """Play the learner's actions and go on to its next decisions.

        Raises:
            ValueError: an illegal action, and why; nothing has moved.
        """
        self.table.step(actions)
        self._play_others(np.arange(self.num_envs))
        ended = self.table.states["over"] != 0
        rewards = np.zeros(self.num_envs)
        infos: dict[str, Any] = {}
        over = np.flatnonzero(ended)
        if len(over):
            infos = self._final(over, rewards)
            self._begin(over)
        view = self._view()
        return view, rewards, ended, np.zeros(self.num_envs, np.bool_), infos | self._info(view)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the learner's legal actions, bool [num_envs, n_actions]."""
        return self.table.mask.astype(np.bool_)

    def _begin(self, rows: Longs) -> None:
        """Begin games until in each the learner has a decision."""
        while len(rows):
            self.table.seeds[rows] = self.np_random.integers(LATEST_SEED, size=len(rows))
            if self.fixed_seat == "random":
                self.seats[rows] = self.np_random.integers(self.seating.players, size=len(rows))
            else:
                self.seats[rows] = self.fixed_seat
            self.table.begin(rows)
            self._play_others(rows)
            rows = rows[self.table.states["over"][rows] != 0]

    def _play_others(self, rows: Longs) -> None:
        """Let the other seats play in `rows`, batch by batch, until none is to move."""
        table, seating = self.table, self.seating
        while True:
            seat = table.seat[rows]
            rows = rows[(table.states["over"][rows] == 0) & (seat != self.seats[rows])]
            if not len(rows):
                return
            places = (table.seat[rows] - self.seats[rows] - 1) % seating.players
            actions = np.zeros(len(rows), np.int64)
            for place, who in enumerate(seating.opponents):
                here = places == place
                if here.any():
                    words = words_for(rows[here], self.np_random)
                    actions[here] = who.act(table.game, table.states, rows[here], words).action
            table.step(actions, rows)

    def _view(self) -> SeenBySeat:
        return {
            "observation": self.table.observation.copy(),
            "action_mask": self.table.mask.copy(),
        }

    def _info(self, view: SeenBySeat) -> dict[str, Any]:
        every = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": view["action_mask"].copy(),
            "_action_mask": every,
            "seat": self.seats.copy(),
            "_seat": every.copy(),
        }

    def _final(self, over: Longs, rewards: NDArray[np.float64]) -> dict[str, Any]:
        """Write the rewards of ended games; return their last observations and breakdowns."""
        game, states = self.table.game, self.table.states
        final_obs = np.full(self.num_envs, None, object)
        breakdowns = np.full(self.num_envs, None, object)
        for row in over:
            seat = int(self.seats[row])
            rewards[row] = utilities(game, states, int(row), self.utility)[seat]
            final_obs[row] = {
                "observation": game.observe(states, int(row), seat),
                "action_mask": np.zeros(game.n_actions, np.int8),
            }
            breakdowns[row] = game.breakdown(states, int(row))
        ended = np.zeros(self.num_envs, np.bool_)
        ended[over] = True
        return {
            "final_obs": final_obs,
            "_final_obs": ended,
            "breakdown": breakdowns,
            "_breakdown": ended.copy(),
        }
