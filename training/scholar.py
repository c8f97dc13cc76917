"""The learner that searches: plays by network-guided search and records what it found.

A share of its decisions gets a full search with noise at the root; how often each action was
visited is then what the network should have said. The others get a cheap search and are only
played, so that more games end (playout-cap randomisation, Wu 2019, "Accelerating self-play learning
in Go"). What a decision was worth is what its seat was paid when the game was over.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dwarrow.agents.base import Actions, Rows, Words
from dwarrow.agents.batch import observe_rows
from dwarrow.agents.neural.agent import NeuralAgent
from dwarrow.agents.neural.network import Network, Shape
from dwarrow.agents.search.lockstep import NetSearch
from dwarrow.agents.search.plan import Settings
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Floats, Mask, States
from dwarrow.envs.core.rng import mix

EXPERT = "expert"
"""The name of the agent that learns from its searches, in seat plans and episodes."""

_FULL = np.uint64(0xA24BAED4963EE407)  # whether a search is full is drawn apart from its own luck
_PREFIX = "expert."

Halves = NDArray[np.float16]


@dataclass(frozen=True)
class SearchJob:
    """How the expert searches, and by which network.

    Attributes:
        sims: simulations of a full search.
        cheap_sims: and of one that is only played by.
        full_share: share of decisions that get a full search.
        noise: share of the root's priors that is random in a full search.
        temperature: 1 plays in proportion to the visits, 0 the most visited action.
        c: exploration constant; None: the search's own.
        shape: sizes of the network.
        bf16: whether it is evaluated in bfloat16.
    """

    sims: int
    cheap_sims: int
    full_share: float
    noise: float
    temperature: float
    c: float | None = None
    shape: Shape = field(default_factory=Shape)
    bf16: bool = False

    def settings(self, full: bool) -> Settings:
        """Return the settings of a full or a cheap search."""
        return Settings(
            sims=self.sims if full else self.cheap_sims,
            c=self.c,
            temperature=self.temperature,
            noise=self.noise if full else 0.0,
        )


@dataclass
class Study:
    """Decisions to learn from.

    Attributes:
        obs: what the seat saw [n, features].
        mask: its legal actions [n, n_actions].
        policy: share of the visits of each action [n, n_actions].
        value: what the seat was paid in the end [n].
    """

    obs: Halves
    mask: Mask
    policy: Halves
    value: Floats

    @classmethod
    def allocate(cls, n: int, features: int, n_actions: int) -> Self:
        """Allocate room for `n` decisions."""
        return cls(
            np.zeros((n, features), np.float16),
            np.zeros((n, n_actions), np.int8),
            np.zeros((n, n_actions), np.float16),
            np.zeros(n, np.float32),
        )

    def __len__(self) -> int:
        """Return the number of decisions."""
        return len(self.value)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def rows(self, which: slice | Rows) -> Study:
        """Return some decisions; a slice shares the memory."""
        return Study(**{name: array[which] for name, array in self.arrays().items()})

    @classmethod
    def joined(cls, parts: Sequence[Study]) -> Study:
        """Return the decisions of all parts, of which there is at least one."""
        arrays = [part.arrays() for part in parts]
        return cls(**{name: np.concatenate([a[name] for a in arrays]) for name in arrays[0]})


class Scholar:
    """Acts by search at many tables, and keeps what full searches found until their games end."""

    def __init__(self, game: Game, job: SearchJob) -> None:
        """Begin with a network that knows nothing; `set_weights` gives it one."""
        self.job, self.game = job, game
        blank = Network(game.observation, game.n_actions, job.shape)
        self.mind = NeuralAgent(EXPERT, game, blank, bf16=job.bf16, block=None)
        self.searches = {
            full: NetSearch(game, EXPERT, job.settings(full), self.mind) for full in (False, True)
        }
        self.open: defaultdict[int, list[tuple[int, Study]]] = defaultdict(list)
        self.finished: list[Study] = []
        self.recorded = 0

    def set_weights(self, network: Network) -> None:
        """Let the search be guided by the weights of `network` from now on."""
        self.mind.update(network)

    def act(self, states: States, rows: Rows, seats: Rows, words: Words) -> Actions:
        """Choose at each of the tables `rows`, where `seats` are to move."""
        actions = np.empty(len(rows), np.int64)
        full = self._full(words)
        for chosen, search in self.searches.items():
            mine = np.flatnonzero(full == chosen)
            if not len(mine):
                continue
            decision = search.act(self.game, states, rows[mine], words[mine])
            actions[mine] = decision.action
            if chosen:
                assert decision.policy is not None  # searches say what they visited
                self._record(states, rows[mine], seats[mine], decision.policy)
        return actions

    def pay(self, tables: Iterable[int], paid: Floats) -> None:
        """Take note of what each seat of finished games was paid [n, max_seats]."""
        for utilities, table in zip(paid, tables, strict=True):
            for seat, study in self.open.pop(int(table), ()):
                study.value[:] = utilities[seat]
                self.finished.append(study)

    def take(self) -> Study:
        """Return the decisions of the games finished since the last call."""
        found, self.finished = self.finished, []
        return Study.joined([self._nothing(), *found])

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the decisions of the games in play as arrays, to `restore` later."""
        table = [table for table, kept in self.open.items() for _ in kept]
        seat = [seat for kept in self.open.values() for seat, _ in kept]
        studies = [study for kept in self.open.values() for _, study in kept]
        arrays = Study.joined([self._nothing(), *studies]).arrays()
        arrays |= {"table": np.array(table, np.int64), "seat": np.array(seat, np.int64)}
        return {_PREFIX + name: array for name, array in arrays.items()}

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Take over what `state` returned."""
        found = {k.removeprefix(_PREFIX): v for k, v in state.items() if k.startswith(_PREFIX)}
        tables, seats = found.pop("table"), found.pop("seat")
        studies = Study(**found)
        self.open.clear()
        for k, (table, seat) in enumerate(zip(tables, seats, strict=True)):
            self.open[int(table)].append((int(seat), studies.rows(slice(k, k + 1))))

    def _full(self, words: Words) -> NDArray[np.bool_]:
        drawn = np.array([int(mix(word ^ _FULL)) for word in words], np.float64) / 2**64
        full: NDArray[np.bool_] = drawn < self.job.full_share
        return full

    def _record(self, states: States, rows: Rows, seats: Rows, policy: Floats) -> None:
        obs = np.empty((len(rows), self.game.observation.size), np.float32)
        mask = np.empty((len(rows), self.game.n_actions), np.int8)
        observe_rows(states, rows, obs, mask)
        value = np.zeros(len(rows), np.float32)
        studies = Study(obs.astype(np.float16), mask, policy.astype(np.float16), value)
        for k, (table, seat) in enumerate(zip(rows, seats, strict=True)):
            self.open[int(table)].append((int(seat), studies.rows(slice(k, k + 1))))
        self.recorded += len(rows)

    def _nothing(self) -> Study:
        return Study.allocate(0, self.game.observation.size, self.game.n_actions)
