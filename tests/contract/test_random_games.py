"""Thousands of random games, with every promise of the contract checked at every decision."""

from dataclasses import fields

import numpy as np
import pytest
from contract.examine import CHANGED, FAULTS, examine, workspace

from dwarrow.envs.core.kernels import JIT

# Games of each player count: a number of decisions, so that long games take no longer than short.
BATCH = 250 if JIT else 10
MOST_GAMES = 10 * BATCH
LEAST_GAMES = 2 * BATCH
N_DECISIONS = 100_000


def run(g, n: int, first_seed: int = 0, **options) -> np.ndarray:
    report = np.zeros(CHANGED + 1, np.int64)
    states = g.blank(n, g.options.parse(options))
    fault = examine(states, first_seed, g.max_decisions, 4, g.cooperative, workspace(g), report)
    i, decision, seat = report[:3]
    assert fault == 0, (
        f"{FAULTS[fault]}: seed {first_seed + i}, options {options}, decision {decision}, "
        f"seat to move {seat}, broken {g.violated(states, i)}"
    )
    return report


def test_random_games_keep_every_promise(g, players):
    played, decisions, changed = 0, 0, 0
    while played < LEAST_GAMES or (played < MOST_GAMES and decisions < N_DECISIONS):
        report = run(g, BATCH, first_seed=played, players=players)
        played, decisions = played + BATCH, decisions + report[3]
        changed += report[CHANGED]
    assert decisions >= played
    assert changed > 0  # resampling does change hidden things


def test_every_value_of_every_option_keeps_every_promise(g, any_game):
    """One option at a time away from its default."""
    for f in fields(g.options):
        for value in f.metadata["allowed"] or ():
            if f.name != "players" and value != f.default:
                run(g, 100, first_seed=10_000, **{f.name: value})


def test_an_option_out_of_range_is_named_with_what_is_allowed(g, any_game):
    with pytest.raises(ValueError, match=r"option players=99: allowed are \["):
        g.new(players=99)
    with pytest.raises(ValueError, match=r"unknown option 'colour': known are \['players'"):
        g.new(colour="red")
