"""A race of the actions at hand against the advised one, all of them tried in the same worlds.

Where a game is long and full of chance, actions differ by a hundredth of a win and outcomes by a
whole one: a search that plays what came out best so far plays noise, and loses to the scripted
player that it plays out with. Here every action is tried in the same drawn states with the same
chance to come, so that only differences count; heat by heat the weaker half of the field drops out
(sequential halving: Karnin, Koren & Somekh 2013); and the scripted player's action is played unless
the lead of another stands clear of its own error (a rollout algorithm: Bertsekas, Tsitsiklis & Wu
1997).
"""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

import numpy as np

from dwarrow.agents.search.mo_ismcts import imagine, new_seed
from dwarrow.agents.search.rollout import play_out, scripted
from dwarrow.agents.search.tree import RootRow
from dwarrow.envs.core.kernels import Floats, Mask, States, kernel, legal, step
from dwarrow.envs.core.record import empty, record
from dwarrow.envs.core.rng import mix

FIRST_HEAT = 16
"""Worlds of the first heat where time alone ends the race; as the field halves, heats double."""

FEWEST_WORLDS = 8
"""With fewer, worlds that agree prove nothing."""


class Course:
    """How far a race has come."""

    entered: Annotated[int, np.int32]
    running: Annotated[int, np.int32]  # still in the race: the first ones of the field
    heat: Annotated[int, np.int64]  # worlds of this heat
    left: Annotated[int, np.int64]  # worlds still to come in this heat
    next: Annotated[int, np.int64]  # who runs next in this world
    seed: Annotated[int, np.int64]  # of this world
    bar: Annotated[float, np.float64]  # what the advised action got in this world


class Rival:
    """One action; the advised one is the first of the field."""

    action: Annotated[int, np.int32]
    worlds: Annotated[int, np.int64]  # in which it was tried
    value: Annotated[float, np.float64]  # sum of what the searching seat got
    lead: Annotated[float, np.float64]  # sum of what it got more than the advised action did there
    square: Annotated[float, np.float64]  # sum of the squares of these


COURSE, RIVAL = record(Course), record(Rival)


class Race(NamedTuple):
    """The arrays of one race; kernels write them."""

    course: States  # Course [1]
    field: States  # Rival [n_actions]


def allocate(n_actions: int) -> Race:
    """Allocate a race."""
    return Race(empty(COURSE, 1), empty(RIVAL, n_actions))


@kernel
def line_up(states: States, i: int, plan: States, race: Race, mask: Mask, word: Any) -> None:
    """Enter every legal action, the advised one first; without advice, the first."""
    course, field = race.course[0], race.field
    n_legal = legal(states, i, mask)
    advised = scripted(states, i, mask, word, plan[0].rollout)
    legal(states, i, mask)  # asking may have used the mask up
    course.entered = 0
    for action in range(len(mask)):
        if mask[action]:
            rival = field[course.entered]
            rival.action = action
            rival.worlds = 0
            rival.value = 0.0
            rival.lead = 0.0
            rival.square = 0.0
            if action == advised:
                swap(field, 0, course.entered)
            course.entered += 1
    course.running = n_legal
    course.next = 0
    course.heat = FIRST_HEAT
    if plan[0].sims:
        heats = max(1, math.ceil(math.log2(n_legal)))
        course.heat = max(1, plan[0].sims // (n_legal * heats))
    course.left = course.heat


@kernel
def run(
    states: States,
    i: int,
    seat: int,
    plan: States,
    race: Race,
    work: States,
    mask: Mask,
    word: Any,
    values: Floats,
    n: int,
) -> None:
    """Try `n` actions more, one after the other in each world."""
    course = race.course[0]
    for _ in range(n):
        if course.next == 0:
            if course.left == 0:
                next_heat(race)
            course.left -= 1
            course.seed = new_seed(word)
        rival = race.field[course.next]
        own = word[0]
        imagine(states, i, seat, plan, work, 0, course.seed)
        word[0] = mix(np.uint64(course.seed))  # those who play on have the same luck too
        step(work, 0, rival.action)
        play_out(work, 0, plan, mask, word, values)
        word[0] = own
        if course.next == 0:
            course.bar = values[seat]
        lead = values[seat] - course.bar
        rival.worlds += 1
        rival.value += values[seat]
        rival.lead += lead
        rival.square += lead * lead
        course.next = (course.next + 1) % course.running


@kernel
def next_heat(race: Race) -> None:
    """Let the better half of the field go on, twice as far; the advised action always does."""
    course, field = race.course[0], race.field
    for place in range(1, course.running):
        for k in range(place + 1, course.running):
            if field[k].lead > field[place].lead:
                swap(field, place, k)
    course.running = max(2, (course.running + 1) // 2)
    course.heat *= 2
    course.left = course.heat


@kernel
def swap(field: States, j: int, k: int) -> None:
    """Let two rivals change places."""
    kept = field[j : j + 1].copy()
    field[j] = field[k]
    field[k] = kept[0]


def winner(race: Race, caution: float, margin: float) -> int:
    """Return the place in the field of the action to play: 0, the advised, or one still running.

    It takes a mean lead above `margin` and `caution` times its standard error together.
    """
    best, best_lead = 0, 0.0
    for k in range(1, int(race.course[0]["running"])):
        worlds, total, square = (float(race.field[k][x]) for x in ("worlds", "lead", "square"))
        if worlds < FEWEST_WORLDS:
            continue
        lead = total / worlds
        error = math.sqrt(max(square / worlds - lead**2, 0) / (worlds - 1))
        if lead > max(best_lead, margin + caution * error):
            best, best_lead = k, lead
    return best


def table(race: Race, caution: float, margin: float) -> list[RootRow]:
    """Return the field as rows of a visit table: the action to play, then the longest tried."""
    chosen = winner(race, caution, margin)
    rows = []
    for k in range(int(race.course[0]["entered"])):
        rival = race.field[k]
        worlds = int(rival["worlds"])
        mean = float(rival["value"]) / max(worlds, 1)
        rows.append(RootRow(int(rival["action"]), worlds, mean, worlds, float(k == chosen)))
    return sorted(rows, key=lambda row: (-row.strategy, -row.visits, -row.value, row.action))
