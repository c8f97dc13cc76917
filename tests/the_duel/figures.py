"""Print what random play of The Duel looks like, for the spec sheet.

``python tests/the_duel/figures.py [games]``
"""

import sys
import time

import numpy as np
from numpy.typing import NDArray

from dwarrow.envs import game
from dwarrow.envs.core.kernels import Mask, States, kernel, legal, step
from dwarrow.envs.core.rng import mix
from dwarrow.envs.core.table import begin, play_random_games, random_action
from dwarrow.envs.the_duel.layout import Phase
from dwarrow.envs.the_duel.scoring import points, winner

GAME = game("the_duel")
COLUMNS = ("turns", "decisions", "choices", "card-phase choices", "points", "margin", "first wins")


@kernel
def measure(
    states: States, seed: int, mask: Mask, out: NDArray[np.float64], branching: NDArray[np.int64]
) -> None:
    """Play every game at random; write a row of `COLUMNS` each, and count card-phase choices."""
    word = np.zeros(1, np.uint64)
    for i in range(len(states)):
        begin(states, i, seed + i)
        s = states[i]
        word[0] = mix(np.uint64(seed + i))
        while not s.over:
            n = legal(states, i, mask)
            out[i, 2] += n > 1
            if s.phase == Phase.CARDS:
                out[i, 3] += 1
                branching[n] += 1
            step(states, i, random_action(mask, n, word))
        out[i, 0], out[i, 1] = s.turn, s.decision
        out[i, 4] = points(s, 0) + points(s, 1)
        out[i, 5] = abs(points(s, 0) - points(s, 1))
        out[i, 6] = winner(s) == s.starter


def leaves(states: States, i: int, action: int, scratch: States, depth: int) -> int:
    """Count the complete choices that an action begins: payments, targets and so on."""
    scratch[depth] = states[i]
    seat = int(scratch["seat"][depth])
    GAME.kernels.step(scratch, depth, action)
    staged = Phase.REST <= scratch["phase"][depth] <= Phase.TARGET
    if not staged or scratch["seat"][depth] != seat:
        return 1
    following = GAME.legal(scratch, depth)
    return sum(leaves(scratch, depth, int(a), scratch, depth + 1) for a in following)


def play_complete_choices(n: int) -> tuple[float, float]:
    """Play `n` games uniformly over complete choices; return mean turns, mean choices."""
    chance = np.random.default_rng(0)
    scratch = GAME.blank(6, GAME.options())
    turns, choices = [], []
    for seed in range(n):
        states = GAME.new(1, seed=seed)
        while not states["over"][0]:
            legal_now = GAME.legal(states, 0)
            ways = np.array([leaves(states, 0, int(a), scratch, 0) for a in legal_now])
            if states["phase"][0] == Phase.CARDS:
                choices.append(ways.sum())
            GAME.kernels.step(states, 0, int(chance.choice(legal_now, p=ways / ways.sum())))
        turns.append(states["turn"][0])
    return float(np.mean(turns)), float(np.mean(choices))


def main() -> None:
    """Measure and print."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    states, mask = GAME.blank(n, GAME.options()), np.zeros(GAME.n_actions, np.int8)
    out, branching = np.zeros((n, len(COLUMNS))), np.zeros(GAME.n_actions + 1, np.int64)
    measure(states, 0, mask, out, branching)
    for name, column in zip(COLUMNS, out.T, strict=True):
        print(
            f"{name}: mean {column.mean():.2f}, 95 % up to {np.quantile(column, 0.95):.0f}, "
            f"most {column.max():.0f}"
        )
    error = 1.96 * out[:, 6].std() / n**0.5
    print(f"first player wins {out[:, 6].mean():.3f} +- {error:.3f}")
    by_damage = (states["end_reason"] == 1).mean()
    print(f"ended by damage {by_damage:.3f}, equal points {(out[:, 5] == 0).mean():.3f}")
    actions = np.repeat(np.arange(len(branching)), branching)
    print(
        f"legal actions in the card phase: mean {actions.mean():.1f}, "
        f"95 % up to {np.quantile(actions, 0.95):.0f}, most {actions.max()}"
    )
    play_random_games(states[:1], 0, mask, GAME.max_decisions)
    begun = time.perf_counter()
    total = play_random_games(states, 0, mask, GAME.max_decisions)
    rate = total / (time.perf_counter() - begun)
    turns, choices = play_complete_choices(200)
    print(f"uniform over complete choices: {turns:.1f} turns, {choices:.1f} card-phase choices")
    print(f"{rate / 1e6:.1f} million decisions/s on one core, state {GAME.dtype.itemsize} bytes")


if __name__ == "__main__":
    main()
