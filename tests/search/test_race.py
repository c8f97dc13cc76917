"""A race departs from the scripted player's action for a reason only."""

import numpy as np
import pytest
from toys.mine import GAME as MINE

from dwarrow.agents import make
from dwarrow.agents.search import Thought, race

CAREFUL, BOLD = MINE.actions


def last_step(difficulty: str = "easy"):
    """Return a mine with one step to go: careful fails on one face of twelve, bold on two."""
    for seed in range(100):
        states = MINE.new(1, seed, difficulty=difficulty)
        for _ in range(5):
            MINE.is_over(states, 0) or MINE.step(states, 0, 0)
        if not MINE.is_over(states, 0):
            return states
    raise AssertionError("nobody got that far")


def thoughts(spec: str, n: int = 40) -> list[Thought]:
    agent, states = make(spec, MINE), last_step()
    return [agent.think(MINE, states, 0, word) for word in range(n)]


def departures(spec: str) -> int:
    """Return how many of 40 searches want the bold step."""
    return sum(max(t.candidates, key=lambda c: c.share).name == BOLD for t in thoughts(spec))


def test_chance_leads_a_tree_astray_but_no_race():
    settings = "sims=20,rollout=rule,epsilon=0"
    assert departures(f"mcts:{settings},selection=ucb,advice=0") >= 3
    assert departures(f"mcts:{settings},selection=race") == 0


def test_bad_advice_is_left_when_its_fault_is_proven():
    settings = "rollout=greedy,epsilon=0,selection=race"  # greedy advises the bold step
    assert departures(f"mcts:sims=4,{settings}") == 40
    assert departures(f"mcts:sims=1000,{settings}") == 0
    assert departures(f"mcts:sims=1000,{settings},caution=100") == 40


def test_all_actions_are_tried_in_the_same_worlds():
    for thought in thoughts("mcts:sims=200,rollout=rule,epsilon=0,selection=race"):
        careful, bold = sorted(thought.candidates, key=lambda c: c.action)
        assert careful.visits == bold.visits == 100
        # whatever die fails the careful step fails the bold one too, so neither is ever luckier
        assert careful.value >= bold.value


@pytest.mark.parametrize("sims", [1, 2, 3, 7])
def test_a_race_keeps_to_its_budget(sims: int):
    [thought] = thoughts(f"mcts:sims={sims},rollout=rule,selection=race", 1)
    assert thought.sims == sum(c.visits for c in thought.candidates) == sims
    assert (thought.candidates[0].name, thought.candidates[0].share) == (CAREFUL, 1.0)


def field(*rivals: tuple[float, ...]) -> race.Race:
    """Return a race in which rivals led by this in each world."""
    found = race.allocate(len(rivals))
    found.course["entered"] = found.course["running"] = len(rivals)
    for k, leads in enumerate(rivals):
        found.field["action"][k], found.field["worlds"][k] = k, len(leads)
        found.field["lead"][k], found.field["square"][k] = sum(leads), sum(x * x for x in leads)
    return found


@pytest.mark.parametrize(
    ("leads", "won"),
    [
        ((2, -2) * 8 + (2,), False),  # noise
        ((2, 2, 2), False),  # too few worlds to prove anything
        ((2,) * 8 + (0,) * 8, True),
        ((0.2,) * 400, True),  # small but sure
        ((0.03,) * 400, False),  # sure, but below the margin
        ((-1,) * 50, False),
        ((), False),
    ],
)
def test_a_lead_must_stand_clear_of_its_error(leads: tuple[float, ...], won: bool):
    assert race.winner(field((0,) * len(leads), leads), 2, 0.04) == won


def test_the_largest_sure_lead_wins():
    worlds = 100
    assert (
        race.winner(field((0,) * worlds, (0.5,) * worlds, (1,) * worlds, (2, -2) * 50), 2, 0) == 2
    )


def test_heats_halve_the_field_and_keep_the_advice():
    running = race.allocate(5)
    running.course["entered"], running.course["running"], running.course["heat"] = 5, 5, 4
    running.field["action"] = range(5)
    running.field["lead"] = [0, -3, 2, -1, 1]
    left = []
    while running.course["running"][0] > 2:
        race.next_heat(running)
        left.append(running.field["action"][: running.course["running"][0]].tolist())
    assert left == [[0, 2, 4], [0, 2]]
    assert running.course["heat"][0] == 16


def test_the_batch_and_the_threads_change_nothing():
    spec = "mcts:sims=60,rollout=rule,selection=race"
    states, rows = MINE.new(6), np.arange(6)
    words = np.arange(6, dtype=np.uint64)
    wanted = make(spec, MINE).act(MINE, states, rows, words)
    threaded = make(f"{spec},threads=3", MINE).act(MINE, states, rows, words)
    assert np.array_equal(wanted.policy, threaded.policy)
    assert np.array_equal(wanted.value, threaded.value)
