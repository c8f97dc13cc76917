"""The layers of the project, each as a chunk of work for `timing.rate`."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dwarrow.benchmarks.timing import Chunk
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Floats, Mask, States, kernel, legal, observe
from dwarrow.envs.core.rng import mix
from dwarrow.envs.core.table import (
    begin,
    copy_state,
    floats,
    play_random,
    play_random_games,
    random_action,
    resample_into,
)

N_GAMES = 64
"""Games in a batch: more bring no speed, fewer count the call from Python."""


N_ROWS = 256
"""Rows of a vector table, as a rollout worker has them."""


@kernel
def play_to_the_middle(states: States, seed: int, mask: Mask, longest: int) -> None:
    """Leave each game of the batch at a random depth of random play, not yet over."""
    word = np.zeros(1, np.uint64)
    for i in range(len(states)):
        begin(states, i, seed + i)
        word[0] = mix(np.uint64(seed + i))
        length = play_random(states, i, mask, word, longest)
        begin(states, i, seed + i)
        word[0] = mix(np.uint64(seed + i))
        play_random(states, i, mask, word, (i * length) // len(states))


@kernel
def copy_many(states: States, spare: States, n: int) -> int:
    """Copy states in turn into ``spare[0]``."""
    for k in range(n):
        copy_state(states, k % len(states), spare, 0)
    return n


@kernel
def resample_many(states: States, spare: States, n: int) -> int:
    """Resample states in turn, each for the seat to move, into ``spare[0]``."""
    for k in range(n):
        i = k % len(states)
        resample_into(states, i, states[i].seat, k, spare, 0)
    return n


@kernel
def observe_many(states: States, out: Floats, n: int) -> int:
    """Observe states in turn, each for the seat to move."""
    for k in range(n):
        i = k % len(states)
        out[:] = 0
        observe(states, i, states[i].seat, out)
    return n


@kernel
def mask_many(states: States, mask: Mask, n: int) -> int:
    """Write the masks of states in turn."""
    for k in range(n):
        legal(states, k % len(states), mask)
    return n


@kernel
def choose_many(masks: NDArray[np.int8], words: NDArray[np.uint64], out: NDArray[Any]) -> None:
    """Choose a legal action for each row at random into `out`."""
    for i in range(len(masks)):
        n_legal = 0
        for action in range(masks.shape[1]):
            n_legal += masks[i, action]
        out[i] = random_action(masks[i], n_legal, words[i : i + 1])


def core(game: Game, players: int) -> Chunk:
    """Whole random games inside one compiled call, set-up included; counts decisions."""
    states = game.new(N_GAMES, players=players)
    mask, seeds = np.zeros(game.n_actions, np.int8), iter(range(0, 2**60, N_GAMES))
    return lambda: play_random_games(states, next(seeds), mask, game.max_decisions)


def _middle(game: Game, players: int) -> tuple[States, States]:
    states, spare = game.new(N_GAMES, players=players), game.new(1, players=players)
    play_to_the_middle(states, 1, np.zeros(game.n_actions, np.int8), game.max_decisions)
    return states, spare


def copies(game: Game, players: int) -> Chunk:
    """Copies of a state inside a compiled loop; counts copies."""
    states, spare = _middle(game, players)
    return lambda: copy_many(states, spare, 20_000)


def resamples(game: Game, players: int) -> Chunk:
    """Fresh states of the information set of the seat to move, mid-game; counts states."""
    states, spare = _middle(game, players)
    return lambda: resample_many(states, spare, 2_000)


def observations(game: Game, players: int) -> Chunk:
    """Observations of the seat to move, mid-game; counts observations."""
    states, _ = _middle(game, players)
    out = floats(game.observation.size)
    return lambda: observe_many(states, out, 2_000)


def masks(game: Game, players: int) -> Chunk:
    """Masks of legal actions, mid-game; counts masks."""
    states, _ = _middle(game, players)
    mask = np.zeros(game.n_actions, np.int8)
    return lambda: mask_many(states, mask, 2_000)


def python_loop(game: Game, players: int) -> Chunk:
    """One random game through `Game.step` from Python, every action checked; counts decisions."""
    rng, seeds = random.Random(0), iter(range(2**60))

    def chunk() -> int:
        states, decisions = game.new(1, next(seeds), players=players), 0
        while not states["over"][0]:
            game.step(states, 0, int(rng.choice(game.legal(states, 0).tolist())))
            decisions += 1
        return decisions

    return chunk


def aec_game(env: Any, rng: random.Random) -> int:
    """Play one random game through PettingZoo's AEC interface, ours and peers' alike."""
    env.reset(seed=rng.randrange(2**31))
    turns = 0
    for agent in env.agent_iter():
        observation, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        mask = info.get("action_mask")
        if mask is None and isinstance(observation, dict):
            mask = observation.get("action_mask")
        space = env.action_space(agent)
        action = (
            rng.choice(np.flatnonzero(mask).tolist())
            if mask is not None
            else rng.randrange(space.n)
        )
        env.step(action)
        turns += 1
    return turns


def aec(make: Callable[[], Any]) -> Chunk:
    """Random games through an AEC environment, `last` and mask at every turn; counts turns."""
    env, rng = make(), random.Random(0)
    return lambda: aec_game(env, rng)


def vector(game: Game, players: int) -> Chunk:
    """A `VectorTable` of random play, observation and mask written each step; counts decisions."""
    from dwarrow.envs.core.vector import VectorTable

    table = VectorTable(game, N_ROWS, players=players)
    words = np.array([mix(np.uint64(k)) for k in range(N_ROWS)], np.uint64)
    actions = np.zeros(N_ROWS, np.int64)

    def chunk() -> int:
        choose_many(table.mask, words, actions)
        table.step(actions)
        return N_ROWS

    return chunk


def environment(game: Game, players: int, wrapped: bool) -> Chunk:
    """The game through PettingZoo's AEC interface; counts turns."""
    from dwarrow.envs.core.module import Module

    module = Module(game.name, 0)
    return aec(lambda: (module.env if wrapped else module.raw_env)(players=players))


def search(game: Game, players: int, sims: int, threads: int) -> Chunk:
    """MCTS from the first decision of games, full random playouts; counts simulations.

    A forced move is no decision and would not be searched at all.
    """
    from dwarrow.agents.base import make, words

    agent = make(f"mcts:sims={sims},c=1.4,rollout=random,cutoff=0,advice=0,threads={threads}", game)
    states = game.new(threads, players=players)
    for i in range(threads):
        while len(legal := game.legal(states, i)) == 1:
            game.step(states, i, int(legal[0]))
    rows, generator = np.arange(threads), np.random.default_rng(0)

    def chunk() -> int:
        agent.act(game, states, rows, words(generator, threads))
        return sims * threads

    return chunk
