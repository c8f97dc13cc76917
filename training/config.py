"""The settings of a run: one dataclass for each algorithm, which is also its command line."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro

from dwarrow import envs
from dwarrow.agents.neural.network import Shape, has_bf16
from dwarrow.envs.core.game import Game
from dwarrow.training.executors import WorkerSettings
from dwarrow.training.learning import ExpertSettings, PPOSettings, check_bounds
from dwarrow.training.rollout import Utility

MINUTES = 10.0
"""A run takes so long if it is told neither minutes nor iterations."""


@dataclass(frozen=True)
class RunConfig(WorkerSettings):
    """What every run is told, however it learns."""

    game: tyro.conf.Positional[str]
    """The game, for example aquilon."""

    algorithm: tyro.conf.Positional[str] = ""
    """How it learns."""

    players: tuple[int, ...] = ()
    """Players at a table; several numbers mix them. Default: as many as the game's default."""

    options: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME=VALUE")] = ()
    """Options of the game."""

    run: Path | None = None
    """Folder of the run, which must not exist. Default: a new one in runs/ (or DWARROW_RUNS)."""

    seed: int = 0
    """Every deal, seating and draw of the run follows from it."""

    minutes: float | None = None
    """Train for so long (default 10 unless there is another limit)."""

    iterations: int | None = None
    """Train for so many iterations; such a run can be repeated to the bit."""

    begin: str | None = None
    """Run or weights whose network this run begins with, instead of one that knows nothing."""

    utility: Utility = "rank"
    """What is learned: a high final rank, or winning."""

    tables: int = 256
    """Games in play at once."""

    hidden: int = 256
    """Width of the network's layers."""

    layers: int = 2
    """Layers of the network."""

    channels: int = 32
    """Numbers that describe a cell of a board, where a game has any."""

    bf16: Literal["auto", "on", "off"] = "auto"
    """Matrix products in bfloat16. auto: where the processor has it."""

    threads: int = 1
    """Threads of torch. Two are slower than one as soon as anything else runs."""

    past_share: float = 0.05
    """Share of games against past selves."""

    scripted_share: float = 0.6
    """Share of games against scripted players."""

    opponents: tuple[str, ...] = ("greedy", "rule")
    """Agents that count as scripted players; any spec will do."""

    snapshots: int = 50
    """Past selves kept, evenly over the run."""

    evaluate: tuple[str, ...] = ("random", "greedy", "rule")
    """Agents to be measured against while training; the learner takes one seat, they the others."""

    evaluate_games: int = 300
    """Games of a measurement, against each; 0: none."""

    evaluations: int = 20
    """Measurements, evenly over the run."""

    evaluate_in: Literal["turn", "background"] = "turn"
    """Measure between two iterations, or in a process of low priority on another core."""

    checkpoint_minutes: float = 1.0
    """Minutes from one checkpoint to the next."""

    tensorboard: bool = True
    """Write TensorBoard logs too, if it is installed."""

    tracker: Literal["none", "wandb", "trackio"] = "none"
    """Log to Weights & Biases or Trackio as well, which then must be installed."""

    def __post_init__(self) -> None:
        """Check what no type says.

        Raises:
            ValueError: naming the setting, its value and what is allowed.
        """
        if self.minutes is not None and self.iterations is not None:
            raise ValueError("give --minutes or --iterations, not both")
        check_bounds(self)
        if self.past_share + self.scripted_share > 1:
            raise ValueError(
                f"--past-share {self.past_share} and --scripted-share {self.scripted_share} "
                "together are more than 1"
            )
        if len(set(self.players)) < len(self.players):
            raise ValueError(f"--players {' '.join(map(str, self.players))}: a number comes twice")
        named = [pair for pair in self.options if pair.split("=")[:-1] == ["players"]]
        if self.players and named:
            raise ValueError(f"give --players or --options {named[0]}, not both")
        self.settle_workers()
        if self.run is not None and set(str(self.run)) & set(",="):
            raise ValueError(f"--run {self.run}: , and = would not fit in a spec such as ppo:RUN")

    @property
    def shape(self) -> Shape:
        """The sizes of the network."""
        return Shape(self.hidden, self.layers, self.channels)

    @property
    def uses_bf16(self) -> bool:
        """Whether this run computes in bfloat16 here."""
        return self.bf16 == "on" or (self.bf16 == "auto" and has_bf16())

    def games(self, game: Game) -> tuple[dict[str, Any], ...]:
        """Return the options of the games to play, one dict for each number of players.

        Raises:
            ValueError: an option or number of players that the game does not have.
        """
        chosen = game.options.read(self.options)
        counts = self.players or (game.options.parse(chosen).to_dict()["players"],)
        variants = tuple({**chosen, "players": n} for n in counts)
        for variant in variants:
            game.options.parse(variant)
        return variants


@dataclass(frozen=True)
class PPOConfig(PPOSettings, RunConfig):
    """Train a PPO agent by self-play and save it as a run."""

    algorithm: tyro.conf.Positional[Literal["ppo"]] = "ppo"
    """How it learns."""

    central_value: bool = False
    """Foretell values while training from what all seats see; each still acts by what it sees."""

    teacher: str | None = None
    """Agent to learn from at the start, for example rule: its advice is imitated, then PPO."""

    teacher_share: float = 0.25
    """Share of the run in which the teacher is imitated."""

    def __post_init__(self) -> None:
        """Check what no type says; see `RunConfig`."""
        super().__post_init__()
        if self.central_value and self.teacher is not None:
            raise ValueError("--central-value with --teacher: its lessons do not teach that value")

    @property
    def shape(self) -> Shape:
        """The sizes of the network."""
        if not self.central_value:
            return super().shape
        return replace(super().shape, central=envs.game(self.game).max_seats)


@dataclass(frozen=True)
class ExpertConfig(ExpertSettings, RunConfig):
    """Train the network of an MCTS agent by expert iteration and save it as a run."""

    algorithm: tyro.conf.Positional[Literal["expert"]] = "expert"
    """How it learns."""

    tables: int = 128
    """Games in play at once."""

    past_share: float = 0.05
    """Share of games against past selves, which do not search."""

    scripted_share: float = 0.2
    """Share of games against scripted players."""

    def __post_init__(self) -> None:
        """Check what no type says; see `RunConfig`."""
        super().__post_init__()
        self.check_search()


@dataclass(frozen=True)
class MixedConfig(RunConfig):
    """Let PPO and the expert learn at the same tables, and save both as a run."""

    algorithm: tyro.conf.Positional[Literal["mixed"]] = "mixed"
    """How it learns."""

    scripted_share: float = 0.4
    """Share of games of PPO against scripted players."""

    shared_share: float = 0.25
    """Share of games in which PPO and the expert sit at one table."""

    ppo: PPOSettings = field(default_factory=PPOSettings)
    """How PPO learns."""

    expert: ExpertSettings = field(default_factory=ExpertSettings)
    """How the expert searches and learns."""

    def __post_init__(self) -> None:
        """Check what no type says; see `RunConfig`."""
        super().__post_init__()
        check_bounds(self.ppo, "ppo.")
        check_bounds(self.expert, "expert.")
        self.expert.check_search("expert.")
        if not 0 < self.shared_share <= 1 - self.past_share - self.scripted_share + 1e-9:
            raise ValueError(
                f"--shared-share {self.shared_share}: more than 0, and with --past-share "
                f"{self.past_share} and --scripted-share {self.scripted_share} not above 1"
            )

    def of_ppo(self) -> PPOConfig:
        """Return the settings that PPO learns by."""
        return PPOConfig(self.game, seed=self.seed, bf16=self.bf16, **vars(self.ppo))


CONFIGS: dict[str, type[RunConfig]] = {
    "ppo": PPOConfig,
    "expert": ExpertConfig,
    "mixed": MixedConfig,
}
"""The settings of each algorithm."""
