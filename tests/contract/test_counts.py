"""Exact counts of what can be reached, kept with the version of the rules."""

import math

import pytest
from contract.cases import REAL_GAMES
from counts import counts, load, widths

from dwarrow.envs import game

CASES = [(name, players) for name in REAL_GAMES for players in game(name).player_counts]


@pytest.mark.parametrize(("name", "seats"), CASES)
def test_as_many_sequences_and_positions_as_ever(name, seats):
    assert counts(game(name), seats) == load()[name][str(seats)], "see `make traces`"


@pytest.mark.nojit
def test_counts_of_a_toy_are_those_worked_out_by_hand():
    """Two bidders with three coins: 3 x 3 in round one, 2 x 2 in round two, then one way on."""
    toy = game("goofspiel")
    found = widths(toy, toy.new(1, seed=0, players=2))
    assert [sequences for sequences, _ in found] == [3, 9, 18, 36, 36, 36]
    assert found[-1][0] == math.factorial(3) ** 2
