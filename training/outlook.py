"""Learning what to expect of positions: played out by `rule`, then fitted.

In half of the games a few turns are played carelessly first, because a search will ask about
positions that `rule` does not come to by itself; from there on `rule` plays to the end, and some
positions are kept with what the game brought: for each seat, or for the team. Where searches go
`rule` may never come, careless or not: positions of an agent's own games are learned from too,
with what `rule` makes of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dwarrow.agents import players
from dwarrow.agents.base import Agent
from dwarrow.agents.players.outlook import Weights
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Floats, Mask, States, kernel, legal, returns, step
from dwarrow.envs.core.record import Ints, as_records
from dwarrow.envs.core.rng import mix, seed_streams, word_below
from dwarrow.envs.core.table import begin, pick
from dwarrow.training.tables import Tables

KEPT = 0.5
"""Share of the positions that can be judged which is kept."""

SOON = 2
"""Positions kept after each decision of an agent whose games are played on."""

CARELESS_AT, CARELESS = 150, 12
"""In half of the games so many decisions, among the first, are careless one time in five."""

BATCH, RATE, DECAY = 2048, 4e-3, 1e-3
TESTED = 20
"""One game in so many is not learned from but tested on."""

_ONE_IN_FIVE = 5


@dataclass
class Sample:
    """Positions with how their games ended.

    Attributes:
        at: their features [n, most], one past the last feature where there are no more.
        value: and the values of these [n, most].
        game: which game each is of [n].
        won: what it brought, 0 for the last or a game lost, 1 for the first or a game won [n].
    """

    at: Ints
    value: NDArray[np.float16]
    game: NDArray[np.int64]
    won: Floats


@kernel
def play_and_keep(
    states: States,
    begun: bool,
    seed: int,
    views: int,
    mask: Mask,
    word: Any,
    at: Ints,
    value: Floats,
    size: Any,
    game: Any,
    seat: Any,
) -> int:
    """Play every game to its end and keep positions, for the first `views` seats; return how many.

    Games that are `begun` go on with new chance, half of them with a careless decision, and soon
    no more of their positions are kept. Writes `at`, `value` [room, most], `size`, `game` and
    `seat` [room] until they are full.
    """
    n = 0
    for i in range(len(states)):
        word[0] = mix(np.uint64(seed + i))
        if begun:
            seed_streams(states[i], seed + i)
            careless, odds, left = word_below(word, 2), 1, SOON
        else:
            begin(states, i, seed + i)
            careless = word_below(word, 2) * word_below(word, CARELESS_AT)
            odds, left = _ONE_IN_FIVE, len(size)
        taken = 0
        while True:
            n_legal = legal(states, i, mask)
            if n_legal == 0:
                break
            kept = min(left, (len(size) - n) // views) > 0 and taken >= careless
            if kept and word_below(word, 1000) < 1000 * KEPT:
                first = n
                for p in range(views):
                    size[n] = players.describe(states, i, p, at[n], value[n])
                    game[n], seat[n] = i, p
                    n += size[n] > 0
                left -= n > first
            if n_legal == 1:
                action = pick(mask, 0)
            elif careless - CARELESS <= taken < careless and word_below(word, odds) == 0:
                action = pick(mask, word_below(word, n_legal))
            else:
                action = players.rule(states, i, mask, word)
            taken += n_legal > 1
            if step(states, i, action):
                break
    return n


@kernel
def outcomes(states: States, out: Floats) -> None:
    """Write the utility of every seat [n, seats]."""
    for i in range(len(states)):
        returns(states, i, out[i])


def sample(game: Game, options: dict[str, Any], games: int, seed: int) -> Sample:
    """Play `games` and return positions of them."""
    states = game.new(games, seed, **options)
    return _played_on(game, states, False, np.arange(games), seed, 20 * games)


def sample_of(game: Game, options: dict[str, Any], agent: Agent, games: int, seed: int) -> Sample:
    """Let an agent play `games` by itself and `rule` play on from each of its decisions.

    Return positions that come soon after these: those that a search by this agent asks about.
    """
    template = game.blank(1, game.options.parse(options))
    tables, rows = Tables(game, template, games), np.arange(games)
    tables.begin(rows, np.zeros(games, np.int64), seed + rows)
    found, origin = [], []
    while len(rows := np.flatnonzero(tables.states["over"] == 0)):
        found.append(tables.states[rows])
        origin.append(rows)
        tables.step(rows, agent.act(game, tables.states, rows, tables.words(rows)).action)
    states = np.concatenate(found)
    return _played_on(game, states, True, np.concatenate(origin), seed, SOON * len(states))


def _played_on(
    game: Game, states: States, begun: bool, origin: NDArray[np.int64], seed: int, room: int
) -> Sample:
    """Play `states` to the end and return positions of them, `room` at most."""
    found = players.prospects_of(game)
    none, most = len(found.features), found.most
    views = 1 if game.cooperative else int(states["n_seats"][0])
    room *= views
    at, value = np.full((room, most), none, np.int16), np.zeros((room, most), np.float32)
    size, which, seat = (np.zeros(room, np.int64) for _ in range(3))
    mask, word = np.zeros(game.n_actions, np.int8), np.zeros(1, np.uint64)
    states = as_records(states)
    n = play_and_keep(states, begun, seed, views, mask, word, at, value, size, which, seat)
    utility = np.zeros((len(states), game.max_seats), np.float32)
    outcomes(states, utility)
    unused = np.arange(most) >= size[:n, None]
    at[:n][unused] = none
    value[:n][unused] = 0
    won = np.asarray((utility[which[:n], seat[:n]] + 1) / 2, np.float32)
    return Sample(at[:n].copy(), value[:n].astype(np.float16), origin[which[:n]], won)


def joined(samples: Sequence[Sample]) -> Sample:
    """Return several samples as one; their games are numbered on."""
    firsts = np.cumsum([0, *(int(s.game.max(initial=0)) + 1 for s in samples)])
    width = max(int((s.value != 0).any(axis=0).nonzero()[0].max(initial=0)) + 1 for s in samples)
    return Sample(
        np.concatenate([s.at[:, :width] for s in samples]),
        np.concatenate([s.value[:, :width] for s in samples]),
        np.concatenate([s.game + first for s, first in zip(samples, firsts[:-1], strict=True)]),
        np.concatenate([s.won for s in samples]),
    )


def fit(
    found: Sample,
    n_features: int,
    units: int,
    epochs: int,
    seed: int,
    say: Callable[[int, float], None] = lambda epoch, loss: None,
) -> Weights:
    """Fit weights to a sample; `say` hears each epoch's loss on the games not learned from."""
    import torch  # only this needs it
    from torch.nn import functional

    rng = np.random.default_rng(seed)
    generator = torch.Generator().manual_seed(seed)
    bag = torch.nn.EmbeddingBag(n_features + 1, units, mode="sum")
    torch.nn.init.normal_(bag.weight, 0, 0.15, generator=generator)
    bias = torch.zeros(units, requires_grad=True)
    output = (torch.randn(units, generator=generator) / units**0.5).requires_grad_()
    last = torch.zeros(1, requires_grad=True)
    tested = np.flatnonzero(found.game % TESTED == 0)
    learned = np.flatnonzero(found.game % TESTED)
    steps = max(1, len(learned) // BATCH) * epochs
    optimizer = torch.optim.AdamW([bag.weight, bias, output, last], RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps + 1)

    def loss_of(rows: NDArray[np.int64]) -> torch.Tensor:
        at = torch.from_numpy(found.at[rows].astype(np.int64))
        value = torch.from_numpy(found.value[rows].astype(np.float32))
        won = torch.from_numpy(found.won[rows])
        logit = torch.relu(bag(at, per_sample_weights=value) + bias) @ output + last
        return functional.binary_cross_entropy_with_logits(logit, won)

    for epoch in range(epochs):
        order = rng.permutation(learned)
        for k in range(steps // epochs):
            loss = loss_of(order[k * BATCH : (k + 1) * BATCH])
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
        with torch.no_grad():
            parts = [loss_of(tested[k : k + BATCH]) for k in range(0, len(tested), BATCH)]
            say(epoch, float(torch.stack(parts).mean()) if parts else float("nan"))
    hidden, bias_, output_, last_ = (t.detach().numpy() for t in (bag.weight, bias, output, last))
    return Weights(hidden[:-1], bias_, output_, float(last_[0]))
