"""The latest decisions of full searches: what an expert's network learns from.

In memory they lie in a ring. On disk they lie in parts, a file for all that came between two
checkpoints; a part is written once, and deleted when the ring has moved past it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from dwarrow.envs.core.game import Game
from dwarrow.training.scholar import Study


@dataclass(frozen=True)
class Part:
    """A file of decisions.

    Attributes:
        name: of the file.
        until: number of decisions, from the first of the run on, up to its end.
    """

    name: str
    until: int


class Window:
    """Keeps so many decisions; the oldest are dropped for new ones."""

    def __init__(self, folder: Path, game: Game, most: int) -> None:
        """Begin with nothing; `folder` is made when it is needed."""
        self.folder, self.most = folder, most
        self.ring = Study.allocate(most, game.observation.size, game.n_actions)
        self.total = 0  # decisions ever added
        self.parts: list[Part] = []

    def __len__(self) -> int:
        """Return how many decisions there are to learn from."""
        return min(self.total, self.most)

    def add(self, study: Study) -> None:
        """Add decisions, fewer than the window holds or the latest of them."""
        self.total += max(0, len(study) - self.most)
        study = study.rows(slice(max(0, len(study) - self.most), None))
        at = (self.total + np.arange(len(study))) % self.most
        for name, array in self.ring.arrays().items():
            array[at] = study.arrays()[name]
        self.total += len(study)

    def sample(self, rng: np.random.Generator, n: int) -> Study:
        """Return `n` decisions drawn evenly, with repetition."""
        return self.ring.rows(self._at(rng.integers(self.total - len(self), self.total, n)))

    def save(self, iteration: int) -> None:
        """Write what was added since the last call, before the checkpoint that lists it."""
        done = self.parts[-1].until if self.parts else 0
        oldest = max(done, self.total - self.most)
        if oldest == self.total:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        name = f"part-{iteration:06d}.safetensors"
        aside = self.folder / (name + ".partial")
        arrays = self.ring.rows(self._at(np.arange(oldest, self.total))).arrays()
        try:
            save_file(arrays, aside)
            os.replace(aside, self.folder / name)
        except BaseException:
            aside.unlink(missing_ok=True)  # a full disk gets its room back
            raise
        self.parts.append(Part(name, self.total))
        self.parts = [part for part in self.parts if part.until > self.total - self.most]

    def tidy(self) -> None:
        """Delete files that the window no longer needs, after the checkpoint that says so."""
        kept = {part.name for part in self.parts}
        for path in self.folder.glob("part-*"):
            if path.name not in kept:
                path.unlink()

    def manifest(self) -> list[dict[str, Any]]:
        """Return the parts, JSON-ready."""
        return [vars(part) for part in self.parts]

    def restore(self, manifest: list[dict[str, Any]]) -> None:
        """Take over the parts of a `manifest`.

        Raises:
            ValueError: one of them is missing or not whole.
        """
        self.parts = [Part(**part) for part in manifest]
        for part in self.parts:
            path = self.folder / part.name
            try:
                study = Study(**load_file(path))
            except (OSError, SafetensorError, TypeError) as error:
                raise ValueError(f"{path}: not a whole part of the window ({error})") from None
            self.total = part.until - len(study)
            self.add(study)
        self.tidy()

    def _at(self, numbers: np.ndarray[Any, np.dtype[np.int64]]) -> np.ndarray[Any, Any]:
        return numbers % self.most
