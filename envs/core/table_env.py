"""One game in play behind the PettingZoo forms: options, copies, pictures; no turn order."""

from __future__ import annotations

import copy
import hashlib
import struct
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Self, get_args

import numpy as np
from gymnasium import logger, spaces
from numpy.typing import NDArray

from dwarrow.envs.core.bitmap import text_image
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Mask, States
from dwarrow.envs.core.raster import can_rasterise, picture_image
from dwarrow.envs.core.record import NONE, as_records, empty
from dwarrow.envs.core.replay import Replay, record
from dwarrow.envs.core.seats import (
    ILLEGAL_REWARD,
    RENDER_MODES,
    Illegal,
    SeenBySeat,
    Utility,
    action_number,
    agent_name,
    check_choice,
    check_seed,
    check_utility,
    fresh_seed,
    masks_of_waiting,
    next_seed,
    observation_space,
    utilities,
)
from dwarrow.envs.core.table import begin

_HEADER = struct.Struct("<8sqhhh")
_NOT_BEGUN = "call reset() first"


class TableEnv:
    """One table: a game, its seats, and what both PettingZoo forms do alike.

    Attributes:
        game: the rules; ``env.game.text(env.states, 0, seat)`` is what one seat may see.
        states: the game in play, one state [1]; to be read only.
        options: the game's options.
        game_seed: seed of the game in play. It gives all hidden cards away.
        history: actions of the game in play so far; None if it was entered by `set_state`.
    """

    def __init__(
        self,
        game: Game,
        *,
        version: int = 0,
        render_mode: str | None = None,
        illegal: Illegal = "raise",
        utility: Utility = "rank",
        **options: Any,
    ) -> None:
        """Open a table; `options` are the game's, for example ``players=3``.

        Raises:
            ValueError: an unknown option or a value that is not allowed.
        """
        check_choice("render_mode", render_mode, [None, *RENDER_MODES])
        check_choice("illegal", illegal, get_args(Illegal))
        check_utility(game, utility)
        self.game, self.options = game, game.options.parse(options)
        self.render_mode, self.illegal, self.utility = render_mode, illegal, utility
        self.metadata = {
            "name": f"{game.name}_v{version}",
            "render_modes": list(RENDER_MODES),
            "render_fps": 1,
            "is_parallelizable": True,
        }
        game.ready()
        self.states = game.blank(1, self.options)
        self.possible_agents = [agent_name(seat) for seat in range(self.states["n_seats"][0])]
        self.agents: list[str] = []
        self.game_seed = fresh_seed()
        self.history: list[int] | None = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._offender = NONE

    # Spaces: one object an agent, equal for all, made when first asked for

    @cached_property
    def observation_spaces(self) -> dict[str, spaces.Dict]:
        """Observation space of every agent."""
        return {agent: observation_space(self.game) for agent in self.possible_agents}

    @cached_property
    def action_spaces(self) -> dict[str, spaces.Discrete]:
        """Action space of every agent."""
        return {agent: spaces.Discrete(self.game.n_actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the observation space of an agent, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the action space of an agent, always the same object."""
        return self.action_spaces[agent]

    # The game

    def _begin(self, seed: int | None) -> None:
        self.game_seed = next_seed(self.game_seed) if seed is None else check_seed(seed)
        begin(self.states, 0, self.game_seed)
        self.history = []
        self._offender = NONE

    def _play(self, action: int) -> bool:
        """Play a legal action; return whether the game is over."""
        if self.history is not None:
            self.history.append(action)
        return bool(self.game.kernels.step(self.states, 0, action))

    def replay(self, agents: Sequence[str] = ()) -> Replay:
        """Return the game in play so far, to be saved, stepped through or shown as a page.

        Args:
            agents: who plays each seat.

        Raises:
            RuntimeError: the game has not begun.
            ValueError: it was entered by `set_state`, so the moves before are not known; or the
                number of agents is not that of the seats.
        """
        if not self._begun:
            raise RuntimeError(_NOT_BEGUN)
        if self.history is None:
            raise ValueError("no replay: the moves before set_state() are not known")
        options = self.options.to_dict()
        return record(self.game, self.game_seed, self.history, options, agents)

    @property
    def _begun(self) -> bool:
        return bool(self.states["over"][0] or self.states["rng"][0].any())

    @property
    def _ended(self) -> bool:
        return self._offender != NONE or bool(self.states["over"][0])

    @property
    def _simultaneous(self) -> bool:
        return not self._ended and int(self.states["phase"][0]) in self.game.simultaneous_phases

    def _judge(self, agent: str, mask: Mask, action: Any) -> int | None:
        """Return the number of a legal action; None ends the game for all.

        Raises:
            ValueError: the action is illegal, and why, if that is what illegal actions do.
        """
        try:
            number = action_number(self.game, action)
            if mask[number]:
                return number
            problem = self.game.explain(self.states, 0, number)
        except ValueError as error:
            problem = str(error)
        if self.illegal == "raise":
            raise ValueError(f"{agent}: {problem}")
        return None

    def _seen_by(self, seat: int, mask: Mask) -> SeenBySeat:
        out = np.zeros(self.game.observation.size, np.float32)
        self.game.kernels.observe(self.states, 0, seat, out)
        return {"observation": out, "action_mask": mask}

    def _utilities(self) -> dict[str, float]:
        """Return what the ended game is worth to each agent."""
        if self._offender == NONE:
            earned = utilities(self.game, self.states, 0, self.utility)
            return dict(zip(self.possible_agents, earned, strict=True))
        rewards = dict.fromkeys(self.possible_agents, 0.0)
        rewards[agent_name(self._offender)] = ILLEGAL_REWARD
        return rewards

    def _info(self, mask: Mask, simultaneous: bool) -> dict[str, Any]:
        return {"action_mask": mask, "simultaneous": simultaneous}

    def _final_infos(self) -> dict[str, dict[str, Any]]:
        """Return the infos of the ended game: points by rule and why it ended."""
        breakdown = self.game.breakdown(self.states, 0)
        reason = str(breakdown["end_reason"])
        if self._offender != NONE:
            reason = f"{agent_name(self._offender)} chose an illegal action"
        return {
            agent: {
                **self._info(masks_of_waiting(self.game), False),
                "breakdown": copy.deepcopy(breakdown),
                "end_reason": reason,
            }
            for agent in self.possible_agents
        }

    # Copies

    def clone(self) -> Self:
        """Return an independent copy of the game in play, quickly, as a search wants it.

        Unlike ``copy.deepcopy`` it has new spaces, whose ``sample`` streams start afresh.
        """
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        for spaces_of in ("observation_spaces", "action_spaces"):
            twin.__dict__.pop(spaces_of, None)
        # as plain bytes: NumPy copies a record field by field, which takes longer than all the rest
        twin.states = as_records(self.states.view(np.uint8).copy().view(self.game.dtype))
        twin.agents = self.agents.copy()
        twin.history = None if self.history is None else self.history.copy()
        twin._resume()
        return twin

    def get_state(self) -> bytes:
        """Return the game in play exactly, to be given to `set_state` of an equal environment."""
        removed = len(self.possible_agents) - len(self.agents)
        head = _HEADER.pack(self._stamp, self.game_seed, self._offender, removed, self._begun)
        return head + self.states.tobytes()

    def set_state(self, state: bytes) -> None:
        """Go on from where `get_state` was called.

        Raises:
            ValueError: the state is of another game, rules version or set of options.
        """
        if len(state) != _HEADER.size + self.game.dtype.itemsize:
            raise ValueError(f"not a state of {self.game.name}: {len(state)} bytes")
        stamp, seed, offender, removed, begun = _HEADER.unpack_from(state)
        if stamp != self._stamp:
            raise ValueError(
                f"not a state of {self.game.name}, rules version {self.game.version}, "
                f"with the options {self.options}"
            )
        self.states[:] = np.frombuffer(state, self.game.dtype, offset=_HEADER.size)
        self.game_seed, self._offender, self.history = seed, offender, None
        self.agents = self.possible_agents[removed:]
        if begun:
            self._resume()

    @cached_property
    def _stamp(self) -> bytes:
        described = f"{self.game.name} {self.game.version} {self.options!r} {self.game.dtype}"
        return hashlib.blake2b(described.encode(), digest_size=8).digest()

    def digest(self) -> str:
        """Return a hash of the whole state of the game."""
        return self.game.digest(self.states, 0)

    def _resume(self) -> None:
        """Derive everything else from the record, the offender and the agents still there.

        Abstract: each form of environment, turn by turn or all at once, has its own.
        """
        raise NotImplementedError

    def __getstate__(self) -> dict[str, Any]:
        """Return what `copy.deepcopy` and `pickle` take along."""
        return self.__dict__

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take it, with the states back under the game's own dtype, which kernels find faster."""
        self.__dict__.update(state)
        states: States = empty(self.game.dtype, 1)
        states[:] = self.states
        self.states = states

    # Pictures

    def render(self) -> str | NDArray[np.uint8] | None:
        """Show everything on the table, hidden cards too, in the render mode chosen at the start.

        ``ansi`` returns text; ``rgb_array`` an image [height, width, 3], the picture if the extra
        ``pictures`` is installed and else the text as dots; ``human`` prints the text, which works
        without a display.
        """
        if self.render_mode is None:
            logger.warn("render() does nothing without a render_mode")
            return None
        if not self._begun:
            raise RuntimeError(_NOT_BEGUN)
        if self.render_mode == "rgb_array" and can_rasterise():
            return picture_image(self.game.svg(self.states, 0))
        text = self.game.text(self.states, 0)
        if self.render_mode == "ansi":
            return text
        if self.render_mode == "rgb_array":
            return text_image(text)
        print(text, flush=True)
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
