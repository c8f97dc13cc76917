"""Resolve: which tasks are finished, and what each of them does."""

from __future__ import annotations

from typing import Any

from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.record import NONE
from dwarrow.envs.dwar7s_fall.board import (
    dwarfs_on,
    is_closed,
    is_guarded,
    is_monster,
    is_uppermost,
    lift_top,
    redraw_regions,
    stack_of,
)
from dwarrow.envs.dwar7s_fall.cards import AMOUNT, COST, NEED
from dwarrow.envs.dwar7s_fall.layout import (
    N_GEMS,
    N_KINDS,
    N_ROW,
    N_TILES,
    Gem,
    Kind,
    Phase,
    Place,
)
from dwarrow.envs.dwar7s_fall.rules.dwarfs import send_home
from dwarrow.envs.dwar7s_fall.rules.hands import draw_ogre, gain_gems, gems_of, pay_gems

GEM_OF = (NONE, Gem.EMERALD.value, Gem.DIAMOND.value, Gem.GOLD.value, Gem.RUBY.value)
"""What is mined, by kind of tile."""


@kernel
def may_resolve(s: Any, seat: int, tile: int) -> bool:
    """Return whether a king's task on a tile is finished and not yet resolved this turn.

    Dwarfs of another colour only stop the defeat of a monster.

    Rule: task (2 Resolve). Ruling: R12, R14.
    """
    on = s.tiles[tile]
    if on.region == NONE or on.resolved or on.dwarfs[seat] < NEED[tile % N_KINDS]:
        return False
    return not is_monster(tile) or dwarfs_on(s, tile) == on.dwarfs[seat]


@kernel
def resolve(s: Any, seat: int, tile: int) -> None:
    """Take the needed dwarfs back and carry the task out, or ask where to dig or what to buy.

    The phase becomes ``dig`` or ``trade`` where there is something to choose.

    Rule: resolve (2 Resolve). Ruling: R13, R15.
    """
    kind = tile % N_KINDS
    s.tiles[tile].resolved = 1
    s.tasks += 1
    send_home(s, seat, tile, NEED[kind])
    if is_monster(tile):
        defeat_monster(s, seat, tile)
    elif kind == Kind.TAVERN:
        hire_ogre(s, seat)
    elif kind == Kind.GENERAL_STORE:
        if might_trade(s, seat):
            s.phase = Phase.TRADE
    elif is_guarded(s, tile, stack_of(tile)):
        return  # the dwarfs come back with empty hands
    elif kind == Kind.CASTLE:
        if can_dig(s):
            s.phase = Phase.DIG
    else:
        gain_gems(s, seat, GEM_OF[kind], AMOUNT[kind])


@kernel
def hire_ogre(s: Any, seat: int) -> None:
    """Take the ogre cards that a tavern gives.

    Rule: tavern (4 Tavern).
    """
    for _ in range(AMOUNT[Kind.TAVERN]):
        draw_ogre(s, seat)


@kernel
def defeat_monster(s: Any, seat: int, tile: int) -> None:
    """Take a monster off the board and keep it; what lay below is in play again.

    A surplus dwarf has nothing to stand on and goes home.

    Rule: defeat_monster (3 Monsters). Ruling: R5.
    """
    for king in range(s.n_seats):
        send_home(s, king, tile, s.tiles[tile].dwarfs[king])
    lift_top(s, s.tiles[tile].cell)
    s.tiles[tile].place = Place.BEATEN
    s.tiles[tile].beaten_by = seat
    s.tiles[tile].resolved = 0
    redraw_regions(s)


@kernel
def may_dig(s: Any, cell: int) -> bool:
    """Return whether a cell's stack may be dug: two tiles or more, no dwarf, no monster."""
    tile = s.top[cell]
    if tile == NONE or s.tiles[tile].level == 0:
        return False
    return dwarfs_on(s, tile) == 0 and not is_closed(s, tile)


@kernel
def can_dig(s: Any) -> bool:
    """Return whether there is a stack to dig."""
    for tile in range(N_TILES):  # noqa: SIM110
        if is_uppermost(s, tile) and may_dig(s, s.tiles[tile].cell):
            return True
    return False


@kernel
def dig(s: Any, cell: int) -> None:
    """Put the uppermost tile of a stack under the others, turned as it is.

    Rule: dig (1.2 Digging). Ruling: R16.
    """
    moved = s.top[cell]
    height = s.tiles[moved].level
    for tile in range(N_TILES):
        if s.tiles[tile].cell != cell:
            continue
        if tile == moved:
            s.tiles[tile].level = 0
            continue
        s.tiles[tile].level += 1
        if s.tiles[tile].level == height:
            s.top[cell] = tile
    redraw_regions(s)


@kernel
def may_trade(s: Any, seat: int, slot: int) -> bool:
    """Return whether a king can pay for the trading goal in a slot of the row."""
    goal = s.goal_row[slot]
    return goal != NONE and gems_lacking(s, seat, goal) == 0


@kernel
def gems_lacking(s: Any, seat: int, goal: int) -> int:
    """Return how many gems a king is short of the price of a trading goal."""
    lacking = 0
    for gem in range(N_GEMS):
        lacking += max(0, COST[goal, gem] - s.players[seat].gems[gem])
    return lacking


@kernel
def might_trade(s: Any, seat: int) -> bool:
    """Return whether, by the number of gems in his hand, a king might pay for some trading goal.

    He is asked whenever he might, not only when he can: being asked must not give his gems away.

    Ruling: R15.
    """
    held = gems_of(s, seat)
    for slot in range(N_ROW):
        goal = s.goal_row[slot]
        if goal == NONE:
            continue
        cost = 0
        for gem in range(N_GEMS):
            cost += COST[goal, gem]
        if held >= cost:
            return True
    return False


@kernel
def trade(s: Any, seat: int, slot: int) -> None:
    """Return the gems, take the goal, refill its place in the row.

    Rule: trade (5 General Store). Ruling: R20.
    """
    goal = s.goal_row[slot]
    for gem in range(N_GEMS):
        if COST[goal, gem]:
            pay_gems(s, seat, gem, COST[goal, gem])
    s.players[seat].goals[goal] = 1
    s.goal_row[slot] = NONE
    if s.goals_left > 0:
        s.goals_left -= 1
        s.goal_row[slot] = s.goal_deck[s.goals_left]
        s.goal_deck[s.goals_left] = NONE
