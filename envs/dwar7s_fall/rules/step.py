"""`step`: what each choice does."""

from __future__ import annotations

from typing import Any

from dwarrow.envs.core.kernels import States, kernel
from dwarrow.envs.dwar7s_fall.actions import (
    AT,
    DISCARD_GEM,
    DISCARD_OGRE,
    GOAL,
    KING,
    MOVE,
    OGRE,
    PASS,
    PLAY,
    REVEAL,
    SIDE,
)
from dwarrow.envs.dwar7s_fall.layout import N_OGRES, Ogre, Phase
from dwarrow.envs.dwar7s_fall.rules.dwarfs import move_dwarf, place_dwarf
from dwarrow.envs.dwar7s_fall.rules.goals import reveal
from dwarrow.envs.dwar7s_fall.rules.hands import discard_gem, discard_ogre
from dwarrow.envs.dwar7s_fall.rules.ogres import ambush, brute, enemies_on, panic, play_ogre
from dwarrow.envs.dwar7s_fall.rules.tasks import dig, resolve, trade
from dwarrow.envs.dwar7s_fall.rules.tiles import play_tile
from dwarrow.envs.dwar7s_fall.rules.turn import (
    aim_at_king,
    answer_window,
    ask_others,
    begin_discard,
    end_action,
    go_on_acting,
    go_on_resolving,
)

ASKS_FIRST = (
    Phase.AMBUSH_CELL.value,
    Phase.BRUTE_CELL.value,
    Phase.THIEF_KING.value,
    Phase.PANIC_CELL.value,
    Phase.CROWN_KING.value,
)
"""What an ogre card asks first, by `Ogre`."""


@kernel
def step(states: States, i: int, action: int) -> bool:
    """Play a legal action; see `Kernels.step`."""
    s = states[i]
    s.decision += 1
    phase = s.phase
    if phase == Phase.ACT:
        act(s, action)
    elif phase <= Phase.MOVE_TO:
        choose_for_action(s, action)
    elif phase <= Phase.CROWN_KING:
        choose_for_ogre(s, action)
    elif phase <= Phase.TRADE:
        choose_in_resolve(s, action)
    elif action == REVEAL:
        reveal(s, s.seat)
        if phase == Phase.WINDOW:
            answer_window(s)
        else:
            begin_discard(s)
    elif phase == Phase.WINDOW:
        answer_window(s)
    elif phase == Phase.SHOW:
        begin_discard(s)
    else:
        if action < DISCARD_OGRE:
            discard_gem(s, s.seat, action - DISCARD_GEM)
        else:
            discard_ogre(s, s.seat, action - DISCARD_OGRE)
        begin_discard(s)
    return bool(s.over)


@kernel
def act(s: Any, action: int) -> None:
    """Begin an action or an ogre card; placing a dwarf is done at once."""
    if action < SIDE:
        place_dwarf(s, s.seat, action - AT)
        s.used += 1
        end_action(s)
    elif action < MOVE:
        s.chosen.kind = action - PLAY
        s.phase = Phase.TILE_CELL
    elif action == MOVE:
        s.phase = Phase.MOVE_FROM
    elif action < OGRE + N_OGRES:
        ogre = action - OGRE
        play_ogre(s, s.seat, ogre)
        s.phase = ASKS_FIRST[ogre]
        if ogre in (Ogre.THIEF, Ogre.CROWN):
            aim_if_one(s)
    elif action == REVEAL:
        reveal(s, s.seat)
        go_on_acting(s)
    else:
        go_on_resolving(s)


@kernel
def aim_if_one(s: Any) -> None:
    """With two kings a Thief or a Crown has one target: it is not asked for."""
    if s.n_seats == 2:
        aim_at_king(s, 1 - s.seat)


@kernel
def choose_for_action(s: Any, action: int) -> None:
    """Choose cell and turn of a tile, or start and direction of a dwarf."""
    if s.phase == Phase.TILE_CELL:
        s.chosen.cell = action - AT
        s.phase = Phase.TILE_TURN
    elif s.phase == Phase.TILE_TURN:
        play_tile(s, s.seat, s.chosen.kind, s.chosen.cell, action - SIDE)
        s.used += 1
        end_action(s)
    elif s.phase == Phase.MOVE_FROM:
        s.chosen.cell = action - AT
        s.phase = Phase.MOVE_TO
    else:
        move_dwarf(s, s.seat, s.chosen.cell, action - SIDE)
        s.used += 1
        end_action(s)


@kernel
def choose_for_ogre(s: Any, action: int) -> None:
    """Choose the targets of an ogre card; a single possible king is not asked for."""
    if s.phase == Phase.AMBUSH_CELL:
        ambush(s, action - AT)
        end_action(s)
    elif s.phase in (Phase.BRUTE_CELL, Phase.PANIC_CELL):
        s.chosen.cell = action - AT
        s.phase += 1
        if enemies_on(s, s.seat, s.chosen.cell) == 1:
            choose_enemy(s, first_enemy_on(s, s.seat, s.chosen.cell))
    elif s.phase in (Phase.BRUTE_KING, Phase.PANIC_KING):
        choose_enemy(s, (s.seat + action - KING) % s.n_seats)
    elif s.phase == Phase.BRUTE_OWN:
        brute(s, s.seat, s.chosen.cell, s.chosen.king, action - AT)
        end_action(s)
    elif s.phase == Phase.PANIC_TO:
        panic(s, s.chosen.cell, s.chosen.king, action - AT)
        end_action(s)
    else:
        aim_at_king(s, (s.seat + action - KING) % s.n_seats)


@kernel
def choose_enemy(s: Any, king: int) -> None:
    """Take whose dwarf a Brute or a Panic is about, and ask for the last target."""
    s.chosen.king = king
    s.phase += 1


@kernel
def first_enemy_on(s: Any, seat: int, cell: int) -> int:
    """Return the first other king with a dwarf on a cell."""
    king = 0
    while king == seat or s.tiles[s.top[cell]].dwarfs[king] == 0:
        king += 1
    return king


@kernel
def choose_in_resolve(s: Any, action: int) -> None:
    """Choose the next task, where to dig, or which goal to trade for."""
    if action == REVEAL:
        reveal(s, s.seat)
        go_on_resolving(s)
        return
    if s.phase == Phase.RESOLVE:
        resolve(s, s.seat, s.top[action - AT])
        if s.phase in (Phase.DIG, Phase.TRADE):
            return
    elif action != PASS and s.phase == Phase.DIG:
        dig(s, action - AT)
    elif action != PASS:
        trade(s, s.seat, action - GOAL)
    if not ask_others(s, Phase.RESOLVE):
        go_on_resolving(s)
