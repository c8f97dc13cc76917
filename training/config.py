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
from dwarrow.training.rollout import Utility
from dwarrow.training.scholar import SearchJob

MINUTES = 10.0
"""A run takes so long if it is told neither minutes nor iterations."""

_BOUNDS = (
    ("minutes", 0.01, 1e6),
    ("sims cheap_sims window", 1, 10**9),
    ("search_games temperature exploration", 0, 1e6),
    ("full_share", 1e-3, 1),
    ("reuse", 1e-3, 1e3),
    ("iterations tables epochs hidden layers channels threads snapshots evaluations", 1, 10**9),
    ("batch minibatch", 16, 10**9),
    ("seed evaluate_games checkpoint_minutes", 0, 10**9),
    ("lr clip max_grad_norm", 1e-9, 1e3),
    ("lr_end entropy entropy_end value_weight kl_magnet", 0, 1e3),
    ("gamma gae_lambda past_share scripted_share magnet_rate teacher_share noise", 0, 1),
)


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
class Steps:
    """How steps down a gradient are taken."""

    batch: int = 10_000
    """Decisions learned from in an iteration."""

    minibatch: int = 1024
    """Decisions in a gradient step."""

    lr: float = 1.5e-3
    """Learning rate at the start; it falls in a line."""

    lr_end: float = 2e-5
    """Learning rate at the end."""

    value_weight: float = 0.5
    """Weight of the value loss."""

    max_grad_norm: float = 0.5
    """Gradients are scaled down to this norm."""


@dataclass(frozen=True)
class PPOSettings(Steps):
    """How PPO learns from what was played."""

    epochs: int = 2
    """Times that each batch is gone through."""

    clip: float = 0.2
    """How far a decision's probability ratio may move the policy."""

    entropy: float = 0.015
    """Bonus for the policy's entropy at the start; it falls in a line."""

    entropy_end: float = 0.002
    """The same at the end."""

    gamma: float = 1.0
    """Discount from one decision of a seat to its next."""

    gae_lambda: float = 0.95
    """Trade of bias against variance in the advantages."""

    kl_magnet: float = 0.0
    """Weight of the KL term that draws the policy to a slow copy of itself (MMD); 0: none."""

    magnet_rate: float = 0.05
    """Share by which the slow copy follows in an iteration."""


@dataclass(frozen=True)
class ExpertSettings(Steps):
    """How the expert searches, and how its network learns from that."""

    batch: int = 1_000
    """Decisions of full searches collected in an iteration."""

    minibatch: int = 512
    """Decisions in a gradient step."""

    lr: float = 1e-3
    """Learning rate at the start; it falls in a line."""

    lr_end: float = 1e-4
    """Learning rate at the end."""

    value_weight: float = 1.0
    """Weight of the value loss."""

    max_grad_norm: float = 1.0
    """Gradients are scaled down to this norm."""

    sims: int = 64
    """Simulations of a full search, of which the network learns."""

    cheap_sims: int = 12
    """Simulations of a cheap search, which is only played by."""

    full_share: float = 0.25
    """Share of decisions that get a full search."""

    noise: float = 0.25
    """Share of the root's priors that is random in a full search."""

    temperature: float = 1.0
    """How the search plays: 1 in proportion to its visits, 0 the most visited action."""

    exploration: float | None = None
    """Exploration constant of the search. Default: its own."""

    window: int = 50_000
    """Decisions of full searches kept to learn from."""

    reuse: float = 4.0
    """Times that a decision is learned from, on average."""

    search_games: int = 60
    """Games of a measurement in which the expert searches; 0: none."""

    def check_search(self, prefix: str = "") -> None:
        """Check what no type says; `prefix` stands before the names on the command line.

        Raises:
            ValueError: settings that contradict one another.
        """
        if self.cheap_sims > self.sims:
            raise ValueError(
                f"--{prefix}cheap-sims {self.cheap_sims}: more than --{prefix}sims {self.sims}"
            )
        if self.minibatch > self.window:
            raise ValueError(
                f"--{prefix}minibatch {self.minibatch}: more than --{prefix}window {self.window}"
            )

    def search(self, shape: Shape, bf16: bool) -> SearchJob:
        """Return the search for workers, guided by a network of this shape."""
        return SearchJob(
            self.sims,
            self.cheap_sims,
            self.full_share,
            self.noise,
            self.temperature,
            self.exploration,
            shape,
            bf16,
        )


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


def check_bounds(settings: Any, prefix: str = "") -> None:
    """Check the numbers of a dataclass of settings.

    Args:
        settings: the dataclass.
        prefix: what stands before its settings' names on the command line.

    Raises:
        ValueError: naming the setting, its value and what is allowed.
    """
    for names, low, high in _BOUNDS:
        for name in names.split():
            value = getattr(settings, name, None)
            if value is not None and not low <= value <= high:
                option = f"--{prefix}{name.replace('_', '-')}"
                raise ValueError(f"{option} {value}: allowed is {low:g} to {high:g}")


CONFIGS: dict[str, type[RunConfig]] = {
    "ppo": PPOConfig,
    "expert": ExpertConfig,
    "mixed": MixedConfig,
}
"""The settings of each algorithm."""
