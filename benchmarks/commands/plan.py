"""Say how many games a question needs, before playing them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import tyro

from dwarrow.benchmarks.stats import Until, games_for_width, games_needed


@dataclass
class Config:
    """How many games a question needs."""

    detect: tuple[float, float] | None = None
    """Two win shares to be told apart, such as 0.50 0.55."""
    until: str | None = None
    """A win share to be known so well: width=0.03 or margin=0.015."""
    share: float = 0.5
    """About where that win share lies; 0.5 needs the most games."""
    power: float = 0.8
    """Chance to notice the difference if it is there."""
    alpha: float = 0.05
    """Chance to see a difference that is not there."""


def run(arguments: Sequence[str]) -> int:
    """Run the verb."""
    config = tyro.cli(Config, args=list(arguments), prog="dwarrow plan", description=__doc__)
    if config.detect is None and config.until is None:
        raise ValueError("say what to plan: --detect 0.50 0.55, or --until width=0.03")
    if config.detect is not None:
        base, better = config.detect
        fixed = games_needed(base, better, config.alpha, config.power)
        both = games_needed(base, better, config.alpha, config.power, both=True)
        levels = f"alpha {config.alpha:g}, power {config.power:g}, two-sided"
        print(f"To tell a win share of {better:g} from {base:g} ({levels}):")
        print(f"  {fixed} games, if {base:g} is a known number such as the fair share")
        print(f"  {both} games of each, if both are measured agents")
    if config.until is not None:
        width = Until.parse(config.until).width
        games = games_for_width(config.share, width)
        print(
            f"For a 95 % interval {width:g} wide (plus or minus {width / 2:g}) "
            f"around {config.share:g}:"
        )
        print(f"  {games} games")
    return 0
