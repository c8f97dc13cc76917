"""What happens to the hero, the hex or the Recruitment die that somebody chose."""

from __future__ import annotations

from dwarrow.envs.core.kernels import kernel, part
from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_dwarves.actions import HERO as HERO_ACTION
from dwarrow.envs.the_dwarves.actions import HEX, PASS
from dwarrow.envs.the_dwarves.board import N_GATES, N_HEXES
from dwarrow.envs.the_dwarves.cards import MAP
from dwarrow.envs.the_dwarves.layout import HEALTH_TILES, NIL, ONE, Phase, Rule, State, Where, Why
from dwarrow.envs.the_dwarves.rules.army import perish, resting_hex, settle
from dwarrow.envs.the_dwarves.rules.choices import choose_hero, choose_hex
from dwarrow.envs.the_dwarves.rules.gear import draw_equipment, equip, heroes_without
from dwarrow.envs.the_dwarves.rules.health import gain, lose
from dwarrow.envs.the_dwarves.rules.lookup import (
    first_bit,
    free_heroes,
    is_perished,
    troops_in,
    wounded_heroes,
)
from dwarrow.envs.the_dwarves.rules.movement import relocate
from dwarrow.envs.the_dwarves.rules.stack import ask, pop, push, seats, wide

_BLACKSADDLE, _GATE, _GATE_AT = MAP.blacksaddle, MAP.gate, MAP.gate_at
_NEIGHBOUR, _DISTANCE = MAP.neighbour, MAP.distance


@part
def health_tiles_left(s: State) -> bool:
    """Return whether an Increased Health tile is left in the box."""
    used = 0
    for p in range(seats(s)):
        used += s.players[p].health_tiles
    return used < HEALTH_TILES


@kernel
def eligible_heroes(s: State) -> int:
    """Return the set of heroes that may be chosen by the frame on top."""
    f = s.stack[s.depth - 1]
    heroes = wide(f.c)
    if f.a == Why.HEAL or f.a == Why.WARMTH:
        return heroes & wounded_heroes(s)
    if f.a == Why.GIVE:
        return heroes & heroes_without(s, wide(f.d))
    if f.a == Why.MAX_HEALTH and not health_tiles_left(s):
        return 0
    if f.a == Why.TELEPORT or f.a == Why.EXCHANGE or f.a == Why.EXCHANGE_WITH:
        return heroes & free_heroes(s)
    return heroes


@kernel
def may_decline_hero(s: State) -> bool:
    """Return whether no hero need be chosen: the second of Warmth."""
    f = s.stack[s.depth - 1]
    return bool(f.a == Why.WARMTH and f.d == 1)


@kernel
def run_hero(s: State) -> None:
    """Ask which hero, unless there is no choice."""
    heroes = eligible_heroes(s)
    if heroes == 0:
        pop(s)
    elif heroes & (heroes - 1) == 0 and not may_decline_hero(s):
        hero_chosen(s, first_bit(heroes))
    else:
        ask(s, Phase.HERO, s.stack[s.depth - 1].seat)


@kernel
def answer_hero(s: State, action: int) -> None:
    """Find the seat of the hero that the action names; or decline."""
    if action == PASS:
        pop(s)
        return
    from_zero = action - HERO_ACTION
    for p in range(seats(s)):
        if s.players[p].hero == from_zero:
            hero_chosen(s, p)
            return


@kernel
def hero_chosen(s: State, p: int) -> None:
    """Let happen to hero `p` what the frame on top is about."""
    f = s.stack[s.depth - 1]
    why, amount, heroes, extra, chooser = wide(f.a), wide(f.b), wide(f.c), wide(f.d), wide(f.seat)
    pop(s)
    if why == Why.LOSE:
        lose(s, p, amount)
    elif why == Why.POINT:
        s.pledged[p] += amount
    elif why == Why.HEAL:
        gain(s, p, amount)
    elif why == Why.WARMTH:
        gain(s, p, amount)
        if extra == 0:
            choose_hero(s, Why.WARMTH, amount, heroes & ~(1 << p), ONE)
            s.stack[s.depth - 1].seat = chooser
    elif why == Why.GIVE:
        equip(s, p, extra)
    elif why == Why.ATTRIBUTE:
        s.players[p].bonus[extra] += amount
    elif why == Why.MAX_HEALTH:
        s.players[p].health_tiles += 1
        s.players[p].health += 1
    elif why == Why.ATTACH:
        s.slots[extra].attached = p
    elif why == Why.SPOIL:
        s.stack[push(s, Rule.SPOIL, chooser)].a = p
    elif why == Why.EQUIP:
        draw_equipment(s, 1 << p)
    elif why == Why.TELEPORT:
        choose_hex(s, Where.TELEPORT, p, ONE, NIL)
        s.stack[s.depth - 1].seat = chooser
    elif why == Why.EXCHANGE:
        choose_hero(s, Why.EXCHANGE_WITH, NIL, free_heroes(s) & ~(1 << p), p)
        s.stack[s.depth - 1].seat = chooser
    else:
        exchange(s, p, extra)


@part
def exchange(s: State, p: int, q: int) -> None:
    """Swap two heroes; each enters the other's hex.

    Rule: spells (p. 15).
    """
    h = wide(s.players[p].hex)
    there = wide(s.players[q].hex)
    if h != there:
        relocate(s, p, there)
        relocate(s, q, h)


# Hexes


@kernel
def may_choose_hex(s: State, h: int) -> bool:
    """Return whether the frame on top may name this hex."""
    f = s.stack[s.depth - 1]
    where, what = wide(f.a), wide(f.b)
    if where == Where.TUNNEL:
        return _GATE_AT[h] == NONE and h != _BLACKSADDLE and h != s.tunnel
    if where == Where.RELOCATE:
        return not is_perished(s, h) and troops_in(s, h) == 0 and s.players[what].hex != h
    if where == Where.TELEPORT:
        return troops_in(s, h) == 0 and s.players[what].hex != h
    if where == Where.BLIGHT:
        return is_blighted(s, h)
    if where == Where.TAKE_FOR_HEX and h == resting_hex(s, wide(f.d)):
        return False
    return bool(s.troops[h][what] > 0)


@kernel
def may_decline_hex(s: State) -> bool:
    """Return whether no hex need be chosen."""
    where = s.stack[s.depth - 1].a
    if where == Where.TUNNEL:
        return s.tunnel != NONE
    return bool(where == Where.RELOCATE or where == Where.REMOVE_UP_TO)


@kernel
def run_hex(s: State) -> None:
    """Ask which hex, as often as the frame says, unless there is no choice."""
    f = s.stack[s.depth - 1]
    count, only = 0, wide(NONE)
    if f.c > 0:
        for h in range(N_HEXES):
            if may_choose_hex(s, h):
                count += 1
                only = h
    if count == 0:
        end_hexes(s)
    elif count == 1 and not may_decline_hex(s):
        hex_chosen(s, only)
    else:
        ask(s, Phase.HEX, f.seat)


@kernel
def end_hexes(s: State) -> None:
    """End a choice of hexes; troops put on a hex now spread."""
    spread = s.stack[s.depth - 1].a == Where.TAKE_FOR_HEX
    pop(s)
    if spread:
        settle(s)


@kernel
def answer_hex(s: State, action: int) -> None:
    """Take the hex that the action names; or decline."""
    if action == PASS:
        end_hexes(s)
    else:
        hex_chosen(s, action - HEX)


@kernel
def hex_chosen(s: State, h: int) -> None:
    """Let happen in hex `h` what the frame on top is about."""
    f = s.stack[s.depth - 1]
    where, what, target = wide(f.a), wide(f.b), wide(f.d)
    f.c -= 1
    if where == Where.TUNNEL:
        s.tunnel = h
        pop(s)
    elif where == Where.RELOCATE or where == Where.TELEPORT:
        pop(s)
        relocate(s, what, h)
    elif where == Where.BLIGHT:
        pop(s)
        perish(s, h)
    else:
        s.troops[h][what] -= 1
        if where == Where.TAKE_FOR_CARD:
            s.slots[target].troops[what] += 1
        elif where == Where.TAKE_FOR_HEX:
            s.troops[resting_hex(s, target)][what] += 1
        else:
            s.supply[what] += 1


@part
def is_blighted(s: State, h: int) -> bool:
    """Return whether a gate may perish: no gate has more troops; or the nearest hex behind one.

    Rule: blight (p. 16).
    """
    most, nearest = NONE, N_HEXES
    for k in range(N_GATES):
        gate = wide(_GATE[k])
        if not is_perished(s, gate):
            most = max(most, troops_in(s, gate))
        else:
            nearest = min(nearest, path_length(s, gate))
    if most != NONE:
        return _GATE_AT[h] != NONE and not is_perished(s, h) and troops_in(s, h) == most
    for k in range(N_GATES):
        gate = wide(_GATE[k])
        if h != _BLACKSADDLE and path_length(s, gate) == nearest and resting_hex(s, gate) == h:
            return True
    return False


@kernel
def path_length(s: State, gate: int) -> int:
    """Return how far troops flow from a perished gate; every step goes one ring inward."""
    return wide(_DISTANCE[gate, _BLACKSADDLE]) - wide(_DISTANCE[resting_hex(s, gate), _BLACKSADDLE])
