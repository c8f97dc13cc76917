"""What a module ``envs/<game>_v0.py`` offers, under the names that PettingZoo gives it."""

from __future__ import annotations

from typing import Any

from dwarrow.envs import game
from dwarrow.envs.core.aec import AECGame
from dwarrow.envs.core.parallel import ParallelGame


class Module:
    """The environments of one game. Neither the game nor Numba's kernels load before a call.

    ``render_mode``, ``illegal`` and ``utility`` are those of `TableEnv`; the other options are the
    game's own, for example ``players=3``.
    """

    def __init__(self, name: str, version: int) -> None:
        """Name the game and the version of its environments."""
        self.name, self.version = name, version

    def env(self, **options: Any) -> AECGame:
        """Return the game as a PettingZoo `AECEnv`.

        Raises:
            ValueError: an unknown option or a value that is not allowed.
        """
        return AECGame(game(self.name), version=self.version, **options)

    raw_env = env  # the checks are in `step` itself: there is no stack of wrappers to leave out

    def parallel_env(self, **options: Any) -> ParallelGame:
        """Return the game as a PettingZoo `ParallelEnv`, in which simultaneous seats act at once.

        Raises:
            ValueError: an unknown option or a value that is not allowed.
        """
        return ParallelGame(game(self.name), version=self.version, **options)
