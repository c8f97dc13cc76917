"""What finished tasks are worth to a scripted king of Dwar7s Fall, and dwarfs on their way."""

from __future__ import annotations

from typing import Any

from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.record import NONE
from dwarrow.envs.dwar7s_fall.board import (
    dwarfs_on,
    is_guarded,
    is_monster,
    is_uppermost,
    stack_of,
)
from dwarrow.envs.dwar7s_fall.cards import AMOUNT, COST, GEM_VP, GOAL_VP, MONSTER_VP, NEED, SPOTS
from dwarrow.envs.dwar7s_fall.layout import (
    HAND_LIMIT,
    N_GEMS,
    N_KINDS,
    N_ROW,
    Gem,
    Kind,
    Secret,
)
from dwarrow.envs.dwar7s_fall.rules.dwarfs import n_actions_of
from dwarrow.envs.dwar7s_fall.rules.hands import hand_size, ogres_of
from dwarrow.envs.dwar7s_fall.rules.tasks import GEM_OF, may_trade

ACTIONS_FOR_GEM = (1.0, 2.0, 2.0, 3.0)
"""Actions that a gem takes, by `Gem`."""


@kernel
def target_goal(s: Any, seat: int) -> int:
    """Return the trading goal of the row that pays best for the actions still needed."""
    best, best_pay = NONE, 0.0
    for slot in range(N_ROW):
        goal = s.goal_row[slot]
        if goal == NONE:
            continue
        actions = float(NEED[Kind.GENERAL_STORE])
        for gem in range(N_GEMS):
            lacking = max(COST[goal, gem] - s.players[seat].gems[gem], 0)
            actions += lacking * ACTIONS_FOR_GEM[gem]
        pay = GOAL_VP[goal] / actions
        if pay > best_pay:
            best, best_pay = int(goal), pay
    return best


@kernel
def worth_of_gem(s: Any, seat: int, gem: int, target: int) -> float:
    """Return the worth of one more gem: its points, and what it does for a goal."""
    me = s.players[seat]
    worth = float(GEM_VP[gem])
    if target != NONE and me.gems[gem] < COST[target, gem]:
        worth += 3.0
    if target != NONE and not me.revealed:
        if me.secret == Secret.GEM_OF_EVERY_KIND and me.gems[gem] == 0:
            worth += 2.0
        if me.secret == Secret.EMERALDS and gem == Gem.EMERALD:
            worth += 1.5
    return worth


@kernel
def gain_of_trade(s: Any, seat: int, slot: int) -> float:
    """Return the points that a trading goal brings over the gems that it costs."""
    goal = s.goal_row[slot]
    gain = float(GOAL_VP[goal])
    for gem in range(N_GEMS):
        gain -= COST[goal, gem] * GEM_VP[gem]
    return gain


@kernel
def is_on_table(s: Any, kind: int) -> bool:
    """Return whether an uppermost tile of this kind lies on the table with its task unblocked."""
    for king in range(s.n_seats):
        tile = king * N_KINDS + kind
        if is_uppermost(s, tile) and not is_guarded(s, tile, stack_of(tile)):
            return True
    return False


@kernel
def worth_of_beating(s: Any, seat: int, tile: int, target: int, skilled: bool) -> float:
    """Return the worth of beating a monster: its points, the hunt, the mines that it guards."""
    me = s.players[seat]
    worth = float(MONSTER_VP)
    if not skilled:
        return worth
    if not me.revealed and me.secret == Secret.MONSTERS_BEATEN:
        worth += 3.5
    if tile % N_KINDS == Kind.FIRE_DRAGON and target != NONE:
        for kind in range(Kind.EMERALD_MINE, Kind.TAVERN):
            gem = GEM_OF[kind]
            if me.gems[gem] < COST[target, gem] and not is_on_table(s, kind):
                worth += 3.0
    return worth


@kernel
def worth_of_task(s: Any, seat: int, tile: int, target: int, skilled: bool) -> float:
    """Return what the task of an uppermost tile would bring now."""
    kind, me = tile % N_KINDS, s.players[seat]
    if is_monster(tile):
        return worth_of_beating(s, seat, tile, target, skilled)
    if kind == Kind.GENERAL_STORE:
        gain = 0.0
        for slot in range(N_ROW):
            if may_trade(s, seat, slot):
                gain = max(gain, gain_of_trade(s, seat, slot))
        return gain + 4.0 if skilled and gain > 0 else gain
    if kind == Kind.TAVERN:
        hiring = skilled and not me.revealed and me.secret == Secret.OGRES_IN_HAND
        return 3.0 if hiring else 1.0 / (1 + ogres_of(s, seat))
    if kind == Kind.CASTLE or is_guarded(s, tile, stack_of(tile)):
        return 0.0
    gem = GEM_OF[kind]
    count = min(AMOUNT[kind], s.gem_piles[gem])
    worth = count * worth_of_gem(s, seat, gem, target)
    return float(worth / 4 if hand_size(s, seat) + count > HAND_LIMIT + 1 else worth)


@kernel
def worth_of_dwarf(s: Any, seat: int, tile: int, moved: bool, target: int, skilled: bool) -> float:
    """Return the worth for each action of one more dwarf on a tile."""
    kind = tile % N_KINDS
    own = s.tiles[tile].dwarfs[seat]
    lacking = NEED[kind] - own
    if lacking <= 0 or dwarfs_on(s, tile) + lacking > SPOTS[kind]:
        return 0.0
    if is_monster(tile) and dwarfs_on(s, tile) > own:
        return 0.0
    worth = worth_of_task(s, seat, tile, target, skilled) / lacking
    left = n_actions_of(s, seat) - s.used
    at_hand = s.players[seat].pile + (1 if moved else 0)
    if lacking <= left and lacking <= at_hand:
        return float(worth)
    # to be finished in a later turn, if nobody comes between
    worth *= 0.6 if is_monster(tile) else 0.4
    return worth if lacking <= left + 3 and lacking <= at_hand + 2 else 0.0
