"""Who sits where: seat plans for numbered games, and the pool of opponents on disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dwarrow.agents import make
from dwarrow.agents.base import Rows
from dwarrow.agents.neural.network import Network
from dwarrow.agents.neural.weights import save_weights
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.rng import mix
from dwarrow.training.trajectory import Episode

LEARNER = "learner"
"""The name of the agent that learns, in seat plans and episodes."""

_SEATS, _DRAW = 1, 2  # what a stream of random numbers is for
_VARIANTS = np.uint64(0x8CB92BA72F3D8DD7)  # keeps the options of a game apart from its deal
_GOLDEN = (5**0.5 - 1) / 2


@dataclass(frozen=True)
class League:
    """From whom the opponents of new games are drawn, and who teaches the learner.

    Attributes:
        self_share: share of games in which the learner has every seat.
        names: the opponents that may be drawn.
        weights: how often, relative to one another.
        specs: the spec that makes each.
        teacher: spec of an agent whose advice is recorded at each of the learner's decisions.
        led: share of games in which the learner's seats follow that advice.
        hero: the learner.
    """

    self_share: float = 1.0
    names: tuple[str, ...] = ()
    weights: tuple[float, ...] = ()
    specs: tuple[str, ...] = ()
    teacher: str | None = None
    led: float = 0.0
    hero: str = LEARNER

    def seats(self, seed: int, number: int, n_seats: int) -> tuple[str, ...]:
        """Return who sits where in game `number` of the run with this seed.

        In a game against others, one opponent takes some of the seats and the learner the rest:
        how many and which is drawn evenly, from one learner to one opponent.
        """
        rng = np.random.default_rng((seed, _SEATS, number))
        if not self.names or n_seats == 1 or rng.random() < self.self_share:
            return (self.hero,) * n_seats
        share = np.array(self.weights) / sum(self.weights)
        opponent = self.names[int(rng.choice(len(self.names), p=share))]
        seats = [self.hero] * n_seats
        for seat in rng.permutation(n_seats)[: int(rng.integers(1, n_seats))]:
            seats[seat] = opponent
        return tuple(seats)

    def joined_by(self, name: str, share: float) -> League:
        """Return the league with another opponent in it, in a share of all games.

        It is one that the worker knows: a learner too.
        """
        others = 1 - self.self_share
        scale = others / sum(self.weights) if self.weights else 0.0
        return replace(
            self,
            self_share=self.self_share - share,
            names=(*self.names, name),
            weights=(*(w * scale for w in self.weights), share),
            specs=(*self.specs, ""),
        )

    def is_led(self, numbers: Rows) -> NDArray[np.bool_]:
        """Return in which of the games of these numbers the learner's seats follow advice.

        Multiples of the golden ratio spread evenly, so any stretch of games has that share.
        """
        led: NDArray[np.bool_] = numbers * _GOLDEN % 1 < self.led
        return led


def deal_seed(seed: int, number: int) -> int:
    """Return the game seed of game `number` of a run: always the same, on any worker."""
    word = mix(mix(np.uint64(seed)) ^ np.uint64(number))
    return int(word) >> 2


def variant(seed: int, number: int, n: int) -> int:
    """Return which of `n` options game `number` of a run has: always the same, on any worker.

    Of `n` games in a row each has another, in turn from one that is drawn for them: a worker that
    plays only every so manyth game meets all options too.
    """
    drawn = mix(mix(np.uint64(seed) ^ _VARIANTS) ^ np.uint64(number // n))
    return (number + int(drawn)) % n


@dataclass
class Entry:
    """One opponent of the pool.

    Attributes:
        name: what episodes call it.
        spec: the spec that makes it.
        strength: 1 minus the share of utility the learner got of late: 1 if it always wins.
        games: games against it.
    """

    name: str
    spec: str
    strength: float = 0.5
    games: int = 0


class OpponentPool:
    """Scripted players and past selves; the harder an opponent is to beat, the more it is drawn.

    Past selves are weights files in a folder. A file is written once and never changed.
    """

    def __init__(
        self,
        folder: Path,
        game: Game,
        scripted: Sequence[str] = (),
        active: int = 1,
        memory: float = 0.02,
        hero: str = LEARNER,
    ) -> None:
        """Begin with the `scripted` specs.

        Args:
            folder: where past selves are kept.
            game: the game.
            scripted: specs of opponents that are there from the start.
            active: past selves that may be drawn in an iteration: few, as each is a network of its
                own to evaluate.
            memory: weight of a new game in the running strength.
            hero: whose opponents they are.

        Raises:
            ValueError: a spec of `scripted` does not name an agent of this game.
        """
        for spec in scripted:
            make(spec, game)
        self.folder, self.game = folder, game
        self.active, self.memory, self.hero = active, memory, hero
        self.scripted = [Entry(spec, spec) for spec in scripted]
        self.past: list[Entry] = []

    def snapshot(self, network: Network, number: int) -> Entry:
        """Add the present weights as a past self; an earlier file of that name must not exist.

        Raises:
            FileExistsError: there is one.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"past-{number:06d}.safetensors"
        if path.exists():
            raise FileExistsError(f"{path}: snapshots are never overwritten")
        save_weights(path, network, self.game)
        # a new self is as strong as the learner
        entry = Entry(path.stem, f"ppo:{path}")
        self.past.append(entry)
        return entry

    def league(self, seed: int, iteration: int, past_share: float, scripted_share: float) -> League:
        """Return the opponents of the games begun in an iteration, by prioritised fictitious play.

        The past selves that may be drawn now are themselves drawn by strength.
        """
        rng = np.random.default_rng((seed, _DRAW, iteration))
        groups = []
        if self.past and past_share > 0:
            weights = _priority(self.past)
            n = min(self.active, len(self.past))
            drawn = rng.choice(len(self.past), n, replace=False, p=weights / weights.sum())
            groups.append((past_share, [self.past[k] for k in sorted(drawn)], np.ones(n)))
        if self.scripted and scripted_share > 0:
            groups.append((scripted_share, self.scripted, _priority(self.scripted)))
        entries = [entry for _, group, _ in groups for entry in group]
        shares = [share * w for share, _, weights in groups for w in weights / weights.sum()]
        return League(
            1 - sum(share for share, _, _ in groups),
            tuple(entry.name for entry in entries),
            tuple(map(float, shares)),
            tuple(entry.spec for entry in entries),
            hero=self.hero,
        )

    def record(self, episodes: Sequence[Episode]) -> None:
        """Count finished games against opponents."""
        known = {entry.name: entry for entry in (*self.scripted, *self.past)}
        for episode in episodes:
            opponents = set(episode.owners) - {self.hero}
            mine = [
                u for u, o in zip(episode.utilities, episode.owners, strict=True) if o == self.hero
            ]
            for name in opponents & known.keys():
                entry = known[name]
                entry.games += 1
                lost = (1 - float(np.mean(mine))) / 2
                entry.strength += max(self.memory, 1 / entry.games) * (lost - entry.strength)

    def manifest(self) -> dict[str, Any]:
        """Return all entries, JSON-ready; paths are relative to the folder."""
        past = [{**asdict(entry), "spec": _file(entry).name} for entry in self.past]
        return {"scripted": [asdict(entry) for entry in self.scripted], "past": past}

    def restore(self, manifest: dict[str, Any]) -> None:
        """Take over a `manifest`, and delete weights files that it does not know.

        Raises:
            ValueError: a weights file of the manifest is missing.
        """
        self.scripted = [Entry(**entry) for entry in manifest["scripted"]]
        self.past = [
            Entry(**{**entry, "spec": f"ppo:{self.folder / entry['spec']}"})
            for entry in manifest["past"]
        ]
        for entry in self.past:
            if not _file(entry).is_file():
                raise ValueError(f"{_file(entry)}: this past self of the opponent pool is missing")
        kept = {_file(entry) for entry in self.past}
        for path in self.folder.glob("past-*"):
            if path not in kept:  # written after the checkpoint that is resumed from
                path.unlink()

    def clear(self) -> None:
        """Forget all past selves, files too: the run begins."""
        self.restore({**self.manifest(), "past": []})

    def specs(self) -> dict[str, str]:
        """Return the spec of every opponent by its name."""
        return {entry.name: entry.spec for entry in (*self.scripted, *self.past)}


def _file(entry: Entry) -> Path:
    return Path(entry.spec.removeprefix("ppo:"))


def _priority(entries: Sequence[Entry]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the weight of each entry: the square of its strength, and a little for all."""
    return np.array([entry.strength**2 + 0.02 for entry in entries])
