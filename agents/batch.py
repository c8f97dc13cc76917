"""Compiled rows: what the seats to move may see, and sampling from a masked policy."""

from __future__ import annotations

import math

import numpy as np

from dwarrow.agents.base import Actions, Rows, Words
from dwarrow.envs.core.compiling import compile_once
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Floats, Mask, States, kernel, legal, observe
from dwarrow.envs.core.record import as_records
from dwarrow.envs.core.rng import mix

_S11 = np.uint64(11)
_TWO_53 = float(2**53)


@kernel
def observe_rows(states: States, rows: Rows, obs: Floats, mask: Mask) -> None:
    """Write the view of the seat to move [n, features] and its mask [n, n_actions] for each row."""
    for k in range(len(rows)):
        obs[k, :] = 0
        observe(states, rows[k], states[rows[k]].seat, obs[k])
        legal(states, rows[k], mask[k])


@kernel
def observe_seats(states: States, rows: Rows, views: Floats) -> None:
    """Write what every seat sees [n, max_seats, features], the seat to move first."""
    for k in range(len(rows)):
        views[k] = 0
        n_seats = states[rows[k]].n_seats
        for j in range(n_seats):
            observe(states, rows[k], (states[rows[k]].seat + j) % n_seats, views[k, j])


@kernel
def choose_rows(
    logits: Floats, mask: Mask, words: Words, greedy: bool, actions: Actions, logp: Floats
) -> None:
    """Draw an action a row from the softmax of the legal logits, or take the best if `greedy`.

    One word decides a row: it picks a point on the line of cumulated probabilities. Only legal
    actions lie on that line, whatever the logits. Writes `actions` and the log-probabilities.
    """
    for k in range(len(logits)):
        best = -1
        for a in range(logits.shape[1]):
            if mask[k, a] and (best < 0 or logits[k, a] > logits[k, best]):
                best = a
        total = 0.0
        for a in range(logits.shape[1]):
            if mask[k, a]:
                total += math.exp(logits[k, a] - logits[k, best])
        chosen = best
        if not greedy:
            point = np.float64(mix(words[k]) >> _S11) / _TWO_53 * total
            for a in range(logits.shape[1]):
                if mask[k, a]:
                    point -= math.exp(logits[k, a] - logits[k, best])
                    if point < 0:
                        chosen = a
                        break
        actions[k] = chosen
        logp[k] = logits[k, chosen] - logits[k, best] - math.log(total)


def ready(game: Game) -> None:
    """Compile the kernels above for a game once, in sight."""

    def exercise() -> None:
        row = np.zeros(1, np.int64)
        obs = np.zeros((1, game.observation.size), np.float32)
        mask = np.zeros((1, game.n_actions), np.int8)
        observe_rows(as_records(game.new()), row, obs, mask)
        choose_rows(
            np.zeros((1, game.n_actions), np.float32),
            mask,
            row.astype(np.uint64),
            False,
            row.copy(),
            np.zeros(1, np.float32),
        )

    game.ready()
    compile_once(f"{game.name}-rows", f"views of {game.title}", exercise)
