"""Scripted players of The Dwarves: both act for the team, on what lies open.

`greedy` does what helps at once: roll for a card, fight, else walk towards the Scenario. `rule`
weighs every objective on the table (cards, crowds of troops, the council) by its worth against the
actions it takes, walks the cheapest way there, and spares hearts and the Doom marker.
"""

from __future__ import annotations

import numpy as np

from dwarrow.agents.players import Players, Words, register
from dwarrow.agents.players.the_dwarves_choices import free_play, scenario_distance, small_choice
from dwarrow.agents.players.the_dwarves_goals import seek
from dwarrow.agents.players.the_dwarves_worth import (
    FAR,
    check_actions,
    survey,
)
from dwarrow.envs.core.kernels import Mask, States, kernel
from dwarrow.envs.core.record import NONE, Ints
from dwarrow.envs.core.rng import word_below
from dwarrow.envs.the_dwarves import GAME
from dwarrow.envs.the_dwarves import actions as act
from dwarrow.envs.the_dwarves.board import N_HEXES
from dwarrow.envs.the_dwarves.layout import N_SLOTS, Phase, State
from dwarrow.envs.the_dwarves.notation import MAX_PARTS
from dwarrow.envs.the_dwarves.rules.lookup import (
    hero_hex,
    is_held,
    is_perished,
    troops_in,
)
from dwarrow.envs.the_dwarves.rules.stack import wide

# Decisions


@kernel
def rule(states: States, i: int, mask: Mask, word: Words) -> int:
    """Follow the best objective of the hero who is asked."""
    s: State = states[i]
    seat = wide(s.seat)
    if s.phase != Phase.ACTION and s.phase != Phase.STEP:
        return small_choice(s, seat, mask)
    cost, first = np.empty(N_HEXES, np.float32), np.empty(N_HEXES, np.int16)
    goal = np.empty(3, np.float32)
    survey(s, seat, cost, first)
    if s.phase == Phase.ACTION:
        play = free_play(s, seat, mask)
        if play != NONE:
            return play
    if is_held(s, seat):
        for h in range(N_HEXES):
            if h != hero_hex(s, seat):
                cost[h] = FAR
    seek(s, seat, cost, goal)
    target, action = int(goal[1]), int(goal[2])
    if s.phase == Phase.STEP:
        return step_choice(s, seat, mask, target, action, first)
    if target != NONE and target != hero_hex(s, seat) and mask[act.MOVE]:
        return act.MOVE
    if action != act.PASS and mask[action]:
        return action
    return idle_choice(s, seat, mask)


@kernel
def step_choice(s: State, seat: int, mask: Mask, target: int, action: int, first: Ints) -> int:
    """Step on the way to the target; stop there, or before land that costs too much."""
    if mask[act.PICK_UP]:
        return act.PICK_UP
    if target == NONE or (target == hero_hex(s, seat) and action != act.MOVE):
        return act.PASS
    to = wide(first[target])
    if to == NONE:  # a visit to where the hero stands: out and back in
        for k in range(N_HEXES):
            if mask[act.HEX + k] and not is_perished(s, k) and troops_in(s, k) == 0:
                return act.HEX + k
        return act.PASS
    return act.HEX + to if mask[act.HEX + to] else act.PASS


@kernel
def idle_choice(s: State, seat: int, mask: Mask) -> int:
    """Do something useful on the spot while waiting."""
    for action in (act.PICK_UP, act.FIGHT, act.DRAW_EQUIPMENT, act.DISPATCHES, act.DRAW_SPELL):
        if mask[action] and (action != act.FIGHT or s.players[seat].health > 1):
            return action
    for action in range(act.QUEST, act.HEX):
        if mask[action]:
            return action
    return act.PASS


# Greedy


@kernel
def greedy(states: States, i: int, mask: Mask, word: Words) -> int:
    """Roll for the card most likely to be completed, else fight, else walk to the Scenario."""
    s: State = states[i]
    seat = wide(s.seat)
    if s.phase == Phase.STEP:
        return greedy_step(s, seat, mask)
    if s.phase != Phase.ACTION:
        return small_choice(s, seat, mask)
    best, action = 0.0, NONE
    for k in range(N_SLOTS * MAX_PARTS):
        if mask[act.QUEST + k]:
            value = 1 / check_actions(s, seat, k // MAX_PARTS, k % MAX_PARTS)
            if value > best:
                best, action = value, act.QUEST + k
    if action != NONE:
        return action
    if mask[act.FIGHT] and s.players[seat].health > 1:
        return act.FIGHT
    for what in range(3):
        if mask[act.CHECK + what]:
            return act.CHECK + what
    if mask[act.MOVE] and scenario_distance(s, hero_hex(s, seat)) > 0:
        return act.MOVE
    if mask[act.DRAW_EQUIPMENT]:
        return act.DRAW_EQUIPMENT
    if mask[act.DISPATCHES] and word_below(word, 2) == 0:
        return act.DISPATCHES
    return act.MOVE if mask[act.MOVE] else last_plain(mask)


@kernel
def last_plain(mask: Mask) -> int:
    """Return any plain action that is legal."""
    for action in (act.DISPATCHES, act.DRAW_SPELL):
        if mask[action]:
            return action
    return act.PASS


@kernel
def greedy_step(s: State, seat: int, mask: Mask) -> int:
    """Step towards the Scenario, or stop when no step is nearer."""
    best, action = scenario_distance(s, hero_hex(s, seat)), act.PASS
    for h in range(N_HEXES):
        if mask[act.HEX + h]:
            distance = scenario_distance(s, h)
            if distance < best:
                best, action = distance, act.HEX + h
    return act.PICK_UP if mask[act.PICK_UP] else action


register(GAME.dtype, Players(greedy, rule))
