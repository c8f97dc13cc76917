"""The plain loop that every library is compared with, and a record of who did what."""

from collections import defaultdict

import numpy as np

from dwarrow.envs.core.module import Module
from dwarrow.envs.core.opponents import UniformOpponent


def plain_rewards(name: str, seed: int, actions: list[int], **options) -> dict[str, float]:
    """Return what every seat gets for a whole game of these actions."""
    env = Module(name, version=0).env(**options)
    env.reset(seed=seed)
    for action in actions:
        assert not any(env.terminations.values())
        env.step(action)
    assert all(env.terminations.values())
    return dict(env.rewards)


class Recorder:
    """Opponents at random, who write down all that is played at the tables of a `VectorGame`.

    Attributes:
        played: the actions of every game, by row and seed.
        rewards: what the learner got in the finished ones, and on which seat.
    """

    def __init__(self) -> None:
        self.games, self.inner = None, UniformOpponent()
        self.played, self.rewards = defaultdict(list), {}

    def act(self, game, states, rows, words):
        chosen = self.inner.act(game, states, rows, words)
        for row, action in zip(rows, chosen.action, strict=True):
            self.played[self.key(row)].append(int(action))
        return chosen

    def key(self, row: int) -> tuple[int, int]:
        return int(row), int(self.games.table.seeds[row])

    def random_actions(self, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Choose for the learner on all rows, and write it down."""
        self.now = [(self.key(row), int(self.games.seats[row])) for row in range(len(masks))]
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        for (key, _), action in zip(self.now, actions, strict=True):
            self.played[key].append(int(action))
        return actions

    def finished(self, rewards: np.ndarray, over: np.ndarray) -> None:
        """Keep the rewards of games that ended; the others have earned nothing yet."""
        assert not rewards[~over].any()
        for row in np.flatnonzero(over):
            key, seat = self.now[row]
            self.rewards[key] = seat, float(rewards[row])

    def check(self, name: str, least: int, **options) -> None:
        """Play every finished game again in the plain loop and compare."""
        assert len(self.rewards) >= least
        assert {seat for seat, _ in self.rewards.values()} == set(range(options["players"]))
        for key, (seat, reward) in self.rewards.items():
            plain = plain_rewards(name, key[1], self.played[key], **options)
            assert reward == np.float32(plain[f"player_{seat}"])
