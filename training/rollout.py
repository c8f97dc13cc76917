"""`RolloutWorker`: plays numbered games with the agents of a seat plan, records the learning seats.

Game k of a run always has the same seed and, against the same league, the same seats; its agents'
luck follows from that seed. So what a worker returns follows from its job and from the weights and
leagues it was given, and from nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dwarrow.agents import Agent, make
from dwarrow.agents.base import Actions, Rows, Words
from dwarrow.agents.batch import observe_rows, observe_seats
from dwarrow.agents.neural.agent import NeuralAgent
from dwarrow.agents.neural.network import Network, Shape
from dwarrow.envs.core.compiling import compile_once
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Floats
from dwarrow.envs.core.record import NONE, as_records
from dwarrow.training.matchmaking import LEARNER, League, deal_seed, variant
from dwarrow.training.scholar import EXPERT, Scholar, SearchJob
from dwarrow.training.tables import Tables
from dwarrow.training.trajectory import END, OPEN, Chunk, Episode, link, pay

_EXPERT = 1  # the expert's number in `RolloutWorker.owner`

Utility = Literal["rank", "win"]
WorkerState = tuple[dict[str, NDArray[Any]], dict[str, Any]]
"""Arrays, and JSON-ready values."""


@dataclass(frozen=True)
class WorkerJob:
    """All that a worker needs to know, wherever it runs; it can be pickled.

    Attributes:
        game: the game.
        options: options of the games, used evenly; several if player counts are mixed.
        tables: games in play at once.
        decisions: most decisions a single `RolloutWorker.collect` is asked for.
        seed: seed of the run.
        shape: sizes of the learner's network.
        utility: what the learner is paid: its final rank, or winning.
        bf16: whether the learner acts in bfloat16.
        search: how a learner that searches does so, if there is one.
        first: number of the worker's first game.
        stride: and how far it is to its next, so that workers share the numbers out.
    """

    game: Game
    options: tuple[dict[str, Any], ...]
    tables: int = 256
    decisions: int = 10_000
    seed: int = 0
    shape: Shape = field(default_factory=Shape)
    utility: Utility = "rank"
    bf16: bool = False
    search: SearchJob | None = None
    first: int = 0
    stride: int = 1

    @property
    def room(self) -> int:
        """Rows that a chunk may have: the last turn goes beyond `decisions`, open rows come first.

        A multiple of 64, so that chunks side by side begin at cache lines.
        """
        return -(-(self.decisions + self.tables * (self.game.max_seats + 1)) // 64) * 64

    @property
    def widths(self) -> tuple[int, int, int]:
        """What `Chunk.allocate` has to know of a row."""
        return self.game.observation.size, self.game.n_actions, self.shape.central


class RolloutWorker:
    """A batch of games, the agents who play them, and the record of the learner's decisions."""

    def __init__(self, job: WorkerJob) -> None:
        """Lay the tables; games begin with the first `collect`."""
        self.job, game = job, job.game
        templates = [game.blank(1, game.options.parse(options)) for options in job.options]
        self.tables = Tables(game, np.concatenate(templates), job.tables)
        blank = Network(game.observation, game.n_actions, job.shape)
        self.learner = NeuralAgent(LEARNER, game, blank, bf16=job.bf16, block=None)
        self.all: Rows = np.arange(job.tables)
        self.number = np.full(job.tables, -1)
        self.owner = np.zeros((job.tables, game.max_seats), np.int64)
        self.last = np.full((job.tables, game.max_seats), END)
        self.scholar = Scholar(game, job.search) if job.search is not None else None
        self.owners = {0: LEARNER}  # what the numbers in `owner` stand for
        if self.scholar is not None:
            self.owners[_EXPERT] = EXPERT
        self.agents: dict[int, Agent] = {}
        self.teachers: dict[str, Agent] = {}
        self.games = 0
        self.rows = self.open = Chunk.allocate(0, *job.widths)  # in hand; open when it was done
        self.n = 0
        self._own: Chunk | None = None

        if job.shape.central:
            one = as_records(game.new()), np.zeros(1, np.int64)
            view = np.zeros((1, game.max_seats, game.observation.size), np.float32)
            what = f"all views of {game.title}"
            compile_once(f"{game.name}-seats", what, lambda: observe_seats(*one, view))

    def set_weights(self, network: Network, name: str = LEARNER) -> None:
        """Let a learner act by the weights of `network` from now on."""
        if name == LEARNER:
            self.learner.update(network)
        else:
            self._scholar.set_weights(network)

    def collect(self, league: League, decisions: int, rows: Chunk | None = None) -> Chunk:
        """Play until the learner has taken `decisions` more.

        If the learner searches, only its full searches count.

        Args:
            league: who plays, and whom games that begin now are played against.
            decisions: at most as many as the job says.
            rows: `WorkerJob.room` rows to record in; without them, memory that is used again by the
                next call.
        """
        chunk = self._begin_chunk(rows)
        until = self._counted(league) + decisions
        self._begin(self.all[self.number < 0], league)
        while self._counted(league) < until:
            self._finish(league, chunk)
            self._turn(league, chunk)
        self._finish(league, chunk)
        self._set_open_rows_aside()
        found = self.rows.rows(slice(0, self.n))
        found.episodes, found.seconds, found.decisions = (
            chunk.episodes,
            chunk.seconds,
            chunk.decisions,
        )
        if self.scholar is not None:
            found.study = self.scholar.take()
        return found

    @property
    def _scholar(self) -> Scholar:
        if self.scholar is None:
            raise ValueError("this worker's job has no learner that searches")
        return self.scholar

    def _counted(self, league: League) -> int:
        return self.n if league.hero == LEARNER else self._scholar.recorded

    def _begin_chunk(self, rows: Chunk | None) -> Chunk:
        """Begin to record, with the open rows of the last chunk; return what else there is yet."""
        if rows is None:
            if self._own is None:
                self._own = Chunk.allocate(self.job.room, *self.job.widths)
            rows = self._own
        self.rows, self.n = rows, len(self.open)
        for name, array in self.open.arrays().items():
            rows.arrays()[name][: self.n] = array
        rows.reward[:] = 0
        rows.next_index[: self.n] = OPEN
        self.last[self.last != END] = np.arange(self.n)
        nothing = rows.rows(slice(0, 0))
        nothing.seconds = {"env": 0.0, "infer": 0.0}
        return nothing

    def _set_open_rows_aside(self) -> None:
        """Copy them: the chunk is the caller's to change from now on."""
        self.open = self.rows.rows(self.last[self.last != END])

    def _begin(self, free: Rows, league: League) -> None:
        """Begin the next games of this worker at the `free` tables."""
        job = self.job
        if not len(free):
            return
        numbers = job.first + job.stride * np.arange(self.games, self.games + len(free))
        self.games += len(free)
        which = np.array([variant(job.seed, int(k), len(job.options)) for k in numbers], np.int64)
        self.number[free] = numbers
        for table, number, template in zip(free, numbers, which, strict=True):
            n_seats = int(self.tables.templates["n_seats"][template])
            seats = league.seats(job.seed, int(number), n_seats)
            self.owner[table] = 0
            self.owner[table, :n_seats] = [self._slot(name, league) for name in seats]
        seeds = np.array([deal_seed(job.seed, int(number)) for number in numbers], np.int64)
        self.tables.begin(free, which, seeds)

    def _slot(self, name: str, league: League) -> int:
        """Return the number by which `owner` knows an agent, making the agent if need be."""
        for slot, known in self.owners.items():
            if known == name:
                return slot
        slot = next(k for k in range(1, len(self.owners) + 1) if k not in self.owners)
        self.owners[slot] = name
        self.agents[slot] = make(league.specs[league.names.index(name)], self.job.game)
        return slot

    def _turn(self, league: League, chunk: Chunk) -> None:
        """Let every agent act at the tables where its seat is to move, then step them all."""
        begun = time.perf_counter()
        spent = {"infer": 0.0, "search": 0.0}
        states = self.tables.states
        seats = states["seat"].astype(np.int64)
        rows = self._ready(seats)
        owner = self.owner[rows, seats[rows]]
        words = self.tables.words(rows)
        actions = np.empty(len(rows), np.int64)
        for slot in np.flatnonzero(np.bincount(owner)):
            at = np.flatnonzero(owner == slot)
            mine = rows[at]
            if slot == 0:
                actions[at], spent["infer"] = self._learner_acts(
                    league, mine, seats[mine], words[at]
                )
            elif self.owners[int(slot)] == EXPERT:
                searching = time.perf_counter()
                actions[at] = self._scholar.act(states, mine, seats[mine], words[at])
                spent["search"] = time.perf_counter() - searching
            else:
                agent = self.agents[int(slot)]
                actions[at] = agent.act(self.job.game, states, mine, words[at]).action
        self.tables.step(rows, actions)
        chunk.decisions += len(rows)
        spent["env"] = time.perf_counter() - begun - sum(spent.values())
        for name, seconds in spent.items():
            chunk.seconds[name] = chunk.seconds.get(name, 0.0) + seconds

    def _ready(self, seats: Rows) -> Rows:
        """Return the tables to play on at.

        Searches run side by side, many as fast as one: they wait for one another until half of the
        tables at which the expert sits wait for it.
        """
        if self.scholar is None:
            return self.all
        waiting = self.owner[self.all, seats] == _EXPERT
        expected = np.any(self.owner == _EXPERT, axis=1)
        if 2 * waiting.sum() >= expected.sum():
            return self.all
        return np.flatnonzero(~waiting)

    def _learner_acts(
        self, league: League, mine: Rows, seats: Rows, words: Words
    ) -> tuple[Actions, float]:
        """Record the learner's decision at each table; return actions and seconds of thinking."""
        rows = self.rows.rows(slice(self.n, self.n + len(mine)))
        observe_rows(self.tables.states, mine, rows.obs, rows.mask)
        led = self._take_advice(league, mine, words, rows.advice)
        begun = time.perf_counter()
        decision = self.learner.choose(rows.obs, rows.mask, words, led)
        inferred = time.perf_counter() - begun
        rows.action[:], rows.logp[:], rows.value[:] = decision.action, decision.logp, decision.value
        if self.job.shape.central:
            views = rows.views.reshape(len(mine), self.job.shape.central, -1)
            observe_seats(self.tables.states, mine, views)
            rows.value[:] = self.learner.foretell(rows.views)
        link(self.last, mine, seats, self.n, self.rows.next_index)
        self.n += len(mine)
        return decision.action, inferred

    def _take_advice(
        self, league: League, mine: Rows, words: Words, advice: Actions
    ) -> Actions | None:
        """Write the teacher's `advice`; return it where it is to be followed, `NONE` elsewhere."""
        advice[:] = NONE
        if league.teacher is None:
            return None
        game = self.job.game
        if league.teacher not in self.teachers:
            self.teachers[league.teacher] = make(league.teacher, game)
        teacher = self.teachers[league.teacher]
        advice[:] = teacher.act(game, self.tables.states, mine, words).action
        return np.where(league.is_led(self.number[mine]), advice, NONE)

    def _finish(self, league: League, chunk: Chunk) -> None:
        """Pay and write down the games that are over, and begin others in their place."""
        states = self.tables.states
        while len(over := np.flatnonzero(states["over"])):
            returned, scores = self.tables.results(over)
            paid = self._paid(over, returned)
            pay(self.last, over, paid, self.rows.reward, self.rows.next_index)
            if self.scholar is not None:
                self.scholar.pay(over, paid)
            for k, table in enumerate(over):
                n = int(states["n_seats"][table])
                chunk.episodes.append(
                    Episode(
                        int(self.number[table]),
                        tuple(self.owners[int(slot)] for slot in self.owner[table, :n]),
                        tuple(map(float, paid[k, :n])),
                        tuple(map(float, scores[k, :n])),
                        int(states["decision"][table]),
                    )
                )
            self._begin(over, league)
            self._forget()

    def _paid(self, over: Rows, returned: Floats) -> Floats:
        """Return what each seat of finished games is paid [n, max_seats]."""
        if self.job.utility == "rank" or self.job.game.cooperative:
            return returned
        paid = np.zeros_like(returned)
        for k, n in enumerate(self.tables.states["n_seats"][over]):
            won = returned[k, :n] == returned[k, :n].max()
            paid[k, :n] = (n * won / won.sum() - 1) / (n - 1)
        return paid

    def _forget(self) -> None:
        """Let go of opponents that are in no game."""
        in_play = set(np.unique(self.owner).tolist())
        for slot in set(self.agents) - in_play:
            del self.agents[slot], self.owners[slot]

    # Resume

    def state(self) -> WorkerState:
        """Return what a worker must `restore` to go on to the same numbers: arrays and a dict."""
        arrays = {
            "states": self.tables.states.view(np.uint8),
            "seeds": self.tables.seeds,
            "number": self.number,
            "owner": self.owner,
            "has_row": (self.last != END).astype(np.uint8),
            **{f"row.{name}": array for name, array in self.open.arrays().items()},
        }
        if self.scholar is not None:
            arrays |= self.scholar.state()
        owners = {str(slot): name for slot, name in self.owners.items()}
        return arrays, {"games": self.games, "owners": owners}

    def restore(self, state: WorkerState, specs: Mapping[str, str]) -> None:
        """Take over the `state` of a worker with the same job; `specs` make opponents by name."""
        arrays, values = state
        self.tables.states.view(np.uint8)[:] = arrays["states"]
        self.tables.seeds[:] = arrays["seeds"]
        self.number[:], self.owner[:] = arrays["number"], arrays["owner"]
        self.games = values["games"]
        self.owners = {int(slot): name for slot, name in values["owners"].items()}
        self.agents = {
            slot: make(specs[name], self.job.game)
            for slot, name in self.owners.items()
            if name not in (LEARNER, EXPERT)
        }
        if self.scholar is not None:
            self.scholar.restore(arrays)
        has_row = arrays["has_row"] == 1
        self.open = self.open.holding({k: arrays[f"row.{k}"] for k in self.open.arrays()})
        self.last[:] = END
        self.last[has_row] = np.arange(len(self.open))


def copied(state: WorkerState) -> WorkerState:
    """Return a state whose arrays are its own."""
    arrays, values = state
    return {name: np.array(array) for name, array in arrays.items()}, values
