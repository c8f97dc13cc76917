"""Scripted kings of Dwar7s Fall.

Both weigh what an action brings against the actions that it takes, and look no further than this
turn. `greedy` counts points as they stand. `rule` also works towards one trading goal and its
secret goal, lays the mine that is lacking, spoils others' castles, and uses ogre cards.
"""

from __future__ import annotations

from typing import Any

from dwarrow.agents.players import Players, Words, register
from dwarrow.agents.players.dwar7s_fall_worth import (
    gain_of_trade,
    is_on_table,
    target_goal,
    worth_of_dwarf,
    worth_of_task,
)
from dwarrow.envs.core.kernels import Mask, States, kernel
from dwarrow.envs.core.record import NONE
from dwarrow.envs.core.rng import word_below
from dwarrow.envs.dwar7s_fall import GAME
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
from dwarrow.envs.dwar7s_fall.board import dwarfs_on, is_monster, is_uppermost, way_out
from dwarrow.envs.dwar7s_fall.cards import COST, GEM_VP, LEAST, NEED, POINTS, SPOTS, WALLS
from dwarrow.envs.dwar7s_fall.layout import (
    HAND_LIMIT,
    N_KINDS,
    N_SIDES,
    N_TILES,
    NEIGHBOUR,
    Kind,
    Ogre,
    Phase,
    Secret,
)
from dwarrow.envs.dwar7s_fall.rules.dwarfs import may_move_dwarf
from dwarrow.envs.dwar7s_fall.rules.hands import gems_of, hand_size, ogres_of
from dwarrow.envs.dwar7s_fall.rules.ogres import may_aim_at
from dwarrow.envs.dwar7s_fall.rules.tasks import GEM_OF
from dwarrow.envs.dwar7s_fall.rules.tiles import may_play_tile
from dwarrow.envs.dwar7s_fall.scoring import goals_of, monsters_beaten

NOTHING = -1000.0


@kernel
def greedy(states: States, i: int, mask: Mask, word: Words) -> int:
    """Take what brings most points for each action it takes."""
    return best_action(states[i], mask, word, False)


@kernel
def rule(states: States, i: int, mask: Mask, word: Words) -> int:
    """Follow a good player's advice; see the functions below."""
    return best_action(states[i], mask, word, True)


@kernel
def best_action(s: Any, mask: Mask, word: Words, skilled: bool) -> int:
    """Return the legal action with the highest worth, ties broken at random."""
    if mask[REVEAL]:
        return REVEAL
    target = target_goal(s, s.seat) if skilled else NONE
    best, best_worth, ties = PASS, NOTHING, 0
    for action in range(len(mask)):
        if not mask[action]:
            continue
        worth = worth_of(s, action, target, skilled)
        if worth > best_worth:
            best, best_worth, ties = action, worth, 1
        elif worth == best_worth:
            ties += 1
            if word_below(word, ties) == 0:
                best = action
    return best


@kernel
def worth_of(s: Any, action: int, target: int, skilled: bool) -> float:
    """Return what a legal action is worth to the king who is asked."""
    if action == PASS:
        return 0.0
    seat, phase = s.seat, s.phase
    if phase == Phase.ACT:
        return worth_of_acting(s, seat, action, target, skilled)
    if phase == Phase.TILE_CELL:
        return worth_of_cell(s, seat, s.chosen.kind, action - AT, skilled)
    if phase == Phase.TILE_TURN:
        return worth_of_turn(s, seat, s.chosen.kind, s.chosen.cell, action - SIDE)
    if phase == Phase.MOVE_FROM:
        return worth_of_moving(s, seat, s.top[action - AT], target, skilled)
    if phase == Phase.MOVE_TO:
        here = s.top[s.chosen.cell]
        return worth_of_step(s, seat, here, action - SIDE, target, skilled)
    if phase <= Phase.CROWN_KING:
        return worth_of_aim(s, seat, phase, action)
    if phase == Phase.RESOLVE:
        return worth_of_order(s.top[action - AT] % N_KINDS)
    if phase == Phase.DIG:
        return worth_of_digging(s, seat, action - AT, skilled)
    if phase == Phase.TRADE:
        return gain_of_trade(s, seat, action - GOAL)
    if phase == Phase.DISCARD:
        return -worth_of_card(s, seat, action, target)
    return 0.0


# Actions


@kernel
def worth_of_acting(s: Any, seat: int, action: int, target: int, skilled: bool) -> float:
    """Return what a dwarf, a tile, a move or an ogre card brings for each action it takes."""
    if action < SIDE:
        return worth_of_dwarf(s, seat, s.top[action - AT], False, target, skilled)
    if action < MOVE:
        return worth_of_tile(s, seat, action - PLAY, target, skilled)
    if action == MOVE:
        best = -1.0
        for tile in range(N_TILES):
            if s.tiles[tile].dwarfs[seat]:
                best = max(best, worth_of_moving(s, seat, tile, target, skilled))
        return best
    return worth_of_ogre(s, seat, action - OGRE, skilled)


@kernel
def worth_of_moving(s: Any, seat: int, tile: int, target: int, skilled: bool) -> float:
    """Return the worth of the best step of a dwarf off a tile."""
    best = -1.0
    for side in range(N_SIDES):
        if may_move_dwarf(s, seat, s.tiles[tile].cell, side):
            best = max(best, worth_of_step(s, seat, tile, side, target, skilled))
    return best


@kernel
def worth_of_step(s: Any, seat: int, tile: int, side: int, target: int, skilled: bool) -> float:
    """Return the worth of a step: what it does there, less what it undoes here."""
    there = worth_of_dwarf(s, seat, way_out(s, tile, side), True, target, skilled)
    kind = tile % N_KINDS
    own = s.tiles[tile].dwarfs[seat]
    if own >= NEED[kind] or dwarfs_on(s, tile) - own + NEED[kind] <= SPOTS[kind]:
        there -= worth_of_task(s, seat, tile, target, skilled) / NEED[kind]
    else:
        there += 0.1  # nothing will ever come of staying
    return there - 0.05


@kernel
def worth_of_tile(s: Any, seat: int, kind: int, target: int, skilled: bool) -> float:
    """Return the worth of laying a tile: its points in the kingdom, or the trouble it makes."""
    if kind == Kind.CASTLE:
        return 10.0
    if kind == Kind.FROST_GIANT or kind == Kind.FIRE_DRAGON:
        return worth_of_monster(s, seat, kind) if skilled else -0.5
    worth = float(POINTS[kind]) if has_room(s, seat) else 0.3
    if skilled and target != NONE and not is_on_table(s, kind):
        if kind == Kind.GENERAL_STORE:
            worth += 1.0
        elif kind != Kind.TAVERN and COST[target, GEM_OF[kind]] > 0:
            worth += 2.0
    return worth


@kernel
def worth_of_monster(s: Any, seat: int, kind: int) -> float:
    """Return the worth of laying a monster: a giant on a rival's castle, or prey for the hunt."""
    me = s.players[seat]
    if kind == Kind.FROST_GIANT:
        for king in range(s.n_seats):
            castle = king * N_KINDS + Kind.CASTLE
            if king != seat and is_uppermost(s, castle):
                cell = s.tiles[castle].cell
                if may_play_tile(s, seat, kind, cell):
                    return 2.5
    prey = monsters_beaten(s, seat)
    for tile in range(N_TILES):
        if is_monster(tile) and is_uppermost(s, tile):
            prey += 1
    hunting = not me.revealed and me.secret == Secret.MONSTERS_BEATEN
    return 0.9 if hunting and prey < LEAST[Secret.MONSTERS_BEATEN] else -0.5


@kernel
def has_room(s: Any, seat: int) -> bool:
    """Return whether a tile could be laid beside the king's own kingdom."""
    region = s.tiles[seat * N_KINDS + Kind.CASTLE].region
    if region == NONE:
        return False
    for tile in range(N_TILES):
        if s.tiles[tile].region != region:
            continue
        for side in range(N_SIDES):
            cell = NEIGHBOUR[s.tiles[tile].cell, side]
            wall = WALLS[tile % N_KINDS, s.tiles[tile].turned, side]
            if cell != NONE and not wall and s.top[cell] == NONE:
                return True
    return False


@kernel
def worth_of_cell(s: Any, seat: int, kind: int, cell: int, skilled: bool) -> float:
    """Return how well a tile would lie on a cell."""
    under = s.top[cell]
    mine = s.tiles[seat * N_KINDS + Kind.CASTLE].region
    monster = kind == Kind.FROST_GIANT or kind == Kind.FIRE_DRAGON
    if under != NONE:
        owner = under // N_KINDS
        rival = owner != seat and s.tiles[under].region != mine
        if under % N_KINDS == Kind.CASTLE and owner != seat:
            return 5.0 if monster or skilled else 0.5
        return 0.4 if monster and rival else -2.0
    worth = 0.0
    for side in range(N_SIDES):
        beside = NEIGHBOUR[cell, side]
        if beside == NONE or s.top[beside] == NONE:
            continue
        tile = s.top[beside]
        wall = WALLS[tile % N_KINDS, s.tiles[tile].turned, (side + 2) % N_SIDES]
        if s.tiles[tile].region == mine and mine != NONE:
            worth += -1.0 if wall else 2.0
        elif not wall:
            worth += 0.1 if kind != Kind.CASTLE else 0.5
    return -worth if monster else worth


@kernel
def worth_of_turn(s: Any, seat: int, kind: int, cell: int, turned: int) -> float:
    """Return how well a tile would lie turned this way: open to the own kingdom and to growth."""
    mine = s.tiles[seat * N_KINDS + Kind.CASTLE].region
    worth = 0.0
    for side in range(N_SIDES):
        if not WALLS[kind, turned, side]:
            continue
        beside = NEIGHBOUR[cell, side]
        if beside == NONE:
            continue
        if s.top[beside] == NONE:
            worth -= 0.5
            continue
        tile = s.top[beside]
        walled = WALLS[tile % N_KINDS, s.tiles[tile].turned, (side + 2) % N_SIDES]
        if not walled:
            own = mine != NONE and s.tiles[tile].region == mine
            worth -= 3.0 if own or kind == Kind.CASTLE else 1.0
    return worth


# Ogres


@kernel
def worth_of_ogre(s: Any, seat: int, ogre: int, skilled: bool) -> float:
    """Return the worth of playing an ogre card now; it costs no action."""
    me = s.players[seat]
    if ogre == Ogre.THIEF and not skilled:
        return 2.0
    if not skilled:
        return 0.0
    saving = not me.revealed and me.secret == Secret.OGRES_IN_HAND
    if ogre == Ogre.CROWN:
        most = 0
        for king in range(s.n_seats):
            if king != seat:
                most = max(most, ogres_of(s, king))
        return 20.0 if most > 1 else 0.0
    if saving:
        return 0.0
    if ogre == Ogre.THIEF:
        return 20.0 if hand_size(s, seat) <= HAND_LIMIT else 0.0
    if ogre == Ogre.AMBUSH:
        best = 0.0
        for tile in range(N_TILES):
            if is_uppermost(s, tile):
                best = max(best, worth_of_ambush(s, seat, tile))
        return 15.0 if best > 1 else 0.0
    best = 0.0
    for tile in range(N_TILES):
        if is_uppermost(s, tile) and may_aim_at(s, seat, ogre, s.tiles[tile].cell):
            best = max(best, worth_of_thinning(s, seat, tile))
    return 10.0 if best > 0 else 0.0


@kernel
def worth_of_ambush(s: Any, seat: int, tile: int) -> float:
    """Return the worth of clearing a tile: others' work undone, own dwarfs stuck there freed."""
    own = s.tiles[tile].dwarfs[seat]
    others = dwarfs_on(s, tile) - own
    if own >= NEED[tile % N_KINDS]:
        return -5.0
    stuck = others + NEED[tile % N_KINDS] > SPOTS[tile % N_KINDS]
    return float(others + (1.0 if stuck else -1.5) * own)


@kernel
def worth_of_thinning(s: Any, seat: int, tile: int) -> float:
    """Return the worth of taking an enemy dwarf off a tile: a monster's guard, a finished task."""
    if is_monster(tile):
        return float(2.0 * s.tiles[tile].dwarfs[seat] - 3.0)
    worth = 0.0
    for king in range(s.n_seats):
        if king != seat and s.tiles[tile].dwarfs[king] >= NEED[tile % N_KINDS]:
            worth += 1.0
    return worth


@kernel
def worth_of_aim(s: Any, seat: int, phase: int, action: int) -> float:
    """Return the worth of a target of an ogre card."""
    if phase == Phase.AMBUSH_CELL:
        return worth_of_ambush(s, seat, s.top[action - AT])
    if phase == Phase.THIEF_KING or phase == Phase.CROWN_KING:
        king = (seat + action - KING) % s.n_seats
        gems = gems_of(s, king) if phase == Phase.THIEF_KING else 0
        return gems + 2.0 * goals_of(s, king) + (ogres_of(s, king) if gems == 0 else 0)
    if phase == Phase.BRUTE_CELL or phase == Phase.PANIC_CELL:
        return worth_of_thinning(s, seat, s.top[action - AT])
    if phase == Phase.BRUTE_OWN:
        return -float(NEED[s.top[action - AT] % N_KINDS])
    return 0.0


# Resolve and Discard


@kernel
def worth_of_order(kind: int) -> float:
    """Return the order of tasks: monsters free the mines, mines pay the store, digging is last."""
    if kind == Kind.FIRE_DRAGON or kind == Kind.FROST_GIANT:
        return 4.0
    if kind == Kind.GENERAL_STORE:
        return 2.0
    return 1.0 if kind == Kind.CASTLE else 3.0


@kernel
def worth_of_digging(s: Any, seat: int, cell: int, skilled: bool) -> float:
    """Return the worth of a dig: only to uncover the own castle, or to cover a rival's."""
    top = s.top[cell]
    if not skilled or top == seat * N_KINDS + Kind.CASTLE:
        return -1.0
    castle = seat * N_KINDS + Kind.CASTLE
    below = s.tiles[castle].cell == cell and s.tiles[castle].level == s.tiles[top].level - 1
    return 1.0 if below or top % N_KINDS == Kind.CASTLE else -1.0


@kernel
def worth_of_card(s: Any, seat: int, action: int, target: int) -> float:
    """Return the worth of keeping a gem or an ogre card."""
    if action >= DISCARD_OGRE:
        me = s.players[seat]
        saving = not me.revealed and me.secret == Secret.OGRES_IN_HAND
        kept = 4.0 if saving and target != NONE else 1.1
        return kept + (1.0 if action - DISCARD_OGRE in (Ogre.THIEF, Ogre.CROWN) else 0.0)
    gem = action - DISCARD_GEM
    worth = float(GEM_VP[gem])
    if target != NONE and s.players[seat].gems[gem] <= COST[target, gem]:
        worth += 3.0
    return worth


register(GAME.dtype, Players(greedy, rule))
