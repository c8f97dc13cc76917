"""Move on the Map: steps, tunnels, Perished Land and its penalties."""

from __future__ import annotations

from dwarrow.envs.core.kernels import kernel, part
from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_dwarves.actions import HEX, LOSE_HEALTH, PASS, PICK_UP, PUT_DOWN, USE
from dwarrow.envs.the_dwarves.board import N_HEXES
from dwarrow.envs.the_dwarves.layout import ONE, Phase, Rule, State
from dwarrow.envs.the_dwarves.notation import MOST_MARKERS
from dwarrow.envs.the_dwarves.rules.gear import owns, spend
from dwarrow.envs.the_dwarves.rules.health import lose
from dwarrow.envs.the_dwarves.rules.lookup import (
    has_ability,
    hero_hex,
    is_held,
    is_open_entrance,
    is_perished,
    troops_in,
)
from dwarrow.envs.the_dwarves.rules.markers import advance_doom
from dwarrow.envs.the_dwarves.rules.quests import enter_for_quests, evaluate_quests
from dwarrow.envs.the_dwarves.rules.stack import ask, pop, push, wide
from dwarrow.envs.the_dwarves.words import Ability, Equipment

ARRIVED = 1
CARRIED_BY_CART = 1


@part
def may_move(s: State, seat: int) -> bool:
    """Return whether a hero can take the action Move on the Map.

    Rule: move (p. 9).
    """
    return not is_held(s, seat)


@part
def begin_move(s: State, seat: int, points: int) -> None:
    """Let a hero move up to as many hexes as the highest die shows; frame: a points, b cart."""
    s.stack[push(s, Rule.MOVE, seat)].a = points


@part
def may_use_tunnels(s: State, seat: int) -> bool:
    """Return whether the next movement point can lead a hero to any other open entrance.

    Rule: tunnel_system (p. 10). Ruling: R27, R29.
    """
    f = s.stack[s.depth - 1]
    is_carried = f.rule == Rule.MOVE and f.b == CARRIED_BY_CART
    return is_open_entrance(s, hero_hex(s, seat)) or is_carried


@part
def step_to(s: State, seat: int, h: int) -> None:
    """Enter the next hex; what it costs comes at once, what it completes after that.

    Rule: move (p. 9).
    """
    f = s.stack[s.depth - 1]
    f.a -= 1
    f.b = 0
    f.stage = ARRIVED
    relocate(s, seat, h)
    enter_for_quests(s, seat)


@kernel
def relocate(s: State, seat: int, h: int) -> None:
    """Put a hero on a hex; entering Perished Land has its price, by card too.

    Rule: perished_land_penalty (p. 9). Ruling: R28.
    """
    s.players[seat].hex = h
    if is_perished(s, h) and not has_ability(s, seat, Ability.UNHARMED_BY_PERISHED_LAND):
        s.stack[push(s, Rule.PENALTY, s.active)].a = seat


@kernel
def answer_penalty(s: State, action: int) -> None:
    """Pay for Perished Land: a heart of the hero who entered, or a step of the Doom marker.

    Rule: perished_land_penalty (p. 9).
    """
    hero = wide(s.stack[s.depth - 1].a)
    pop(s)
    if action == LOSE_HEALTH:
        lose(s, hero, ONE)
    else:
        advance_doom(s)


@part
def is_stopped_by_troops(s: State, seat: int) -> bool:
    """Return whether troops in the hex end this hero's movement.

    Rule: troops_end_movement (p. 9). Ruling: R26.
    """
    free = has_ability(s, seat, Ability.EXTRA_TROOP) or owns(s, seat, Equipment.CLOAK)
    return troops_in(s, hero_hex(s, seat)) > 0 and not free


@kernel
def run_move(s: State) -> None:
    """Arrive, complete what entering completes, then ask for the next step."""
    f = s.stack[s.depth - 1]
    seat = wide(f.seat)
    if f.stage == ARRIVED:
        f.stage = 0
        if is_stopped_by_troops(s, seat):
            f.a = 0
    if evaluate_quests(s):
        return
    if f.a == 0 or is_held(s, seat):
        pop(s)
    else:
        ask(s, Phase.STEP, seat)


@kernel
def answer_step(s: State, action: int) -> None:
    """Take a step, ride the Cart Pass, handle a marker, or stop."""
    f = s.stack[s.depth - 1]
    seat = wide(f.seat)
    if action == PASS:
        f.a = 0
    elif action == USE + Equipment.CART_PASS:
        spend(s, seat, Equipment.CART_PASS)
        f.b = CARRIED_BY_CART
    elif action in (PICK_UP, PUT_DOWN):
        handle_marker(s, seat, action)
    else:
        step_to(s, seat, action - HEX)


@part
def may_ride_cart(s: State, seat: int) -> bool:
    """Return whether the Cart Pass can take this hero to some open entrance.

    Rule: cart_pass (p. 15).
    """
    if not owns(s, seat, Equipment.CART_PASS) or s.stack[s.depth - 1].b == CARRIED_BY_CART:
        return False
    for h in range(N_HEXES):  # noqa: SIM110
        if is_open_entrance(s, h) and h != s.players[seat].hex:
            return True
    return False


@kernel
def may_pick_up(s: State, seat: int) -> bool:
    """Return whether a Scenario marker lies here and the hero's hands are free.

    Rule: carrying_markers (p. 16).
    """
    if s.players[seat].carries or s.players[seat].dropped:
        return False
    return marker_in(s, hero_hex(s, seat)) != NONE


@kernel
def marker_in(s: State, h: int) -> int:
    """Return which of the markers lies in a hex, or NONE."""
    for k in range(MOST_MARKERS):
        if s.marker_hex[k] == h:
            return k
    return NONE


@kernel
def may_put_down(s: State, seat: int) -> bool:
    """Return whether this hero carries a marker."""
    return bool(s.players[seat].carries == 1)


@kernel
def handle_marker(s: State, seat: int, action: int) -> None:
    """Pick a marker up, or put it down, which can be done once a turn.

    Rule: carrying_markers (p. 16).
    """
    player = s.players[seat]
    if action == PICK_UP:
        s.marker_hex[marker_in(s, hero_hex(s, seat))] = NONE
        player.carries = 1
    else:
        s.marker_hex[marker_in(s, wide(NONE))] = player.hex
        player.carries = 0
        player.dropped = 1
