"""Questions about a position that several chapters ask."""

from __future__ import annotations

from dwarrow.envs.core.kernels import kernel, part
from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_dwarves.board import N_HEXES
from dwarrow.envs.the_dwarves.cards import (
    EQUIPMENT_BONUS,
    EQUIPMENT_HEALTH,
    HERO_ABILITY,
    HERO_ATTRIBUTE,
    HERO_HEALTH,
    MAP,
    ONGOING_OF,
    TRACK,
)
from dwarrow.envs.the_dwarves.layout import N_DISPLAY, State
from dwarrow.envs.the_dwarves.rules.stack import seats, wide
from dwarrow.envs.the_dwarves.words import N_EQUIPMENT, Icon, Ongoing, PlaceKind, Troop

_NEIGHBOUR, _DISTANCE, _ENTRANCE = MAP.neighbour, MAP.distance, MAP.entrance
_KINGDOM, _GATE_AT, _GATE = MAP.kingdom, MAP.gate_at, MAP.gate
GATE_V = 3


@kernel
def hero_hex(s: State, seat: int) -> int:
    """Return the hex a hero stands on."""
    return wide(s.players[seat].hex)


@kernel
def has_ability(s: State, seat: int, ability: int) -> bool:
    """Return whether this hero has that special ability."""
    return bool(HERO_ABILITY[s.players[seat].hero] == ability)


@kernel
def attribute(s: State, seat: int, what: int) -> int:
    """Return an attribute with tiles and equipment.

    Rule: attribute_tiles (p. 16).
    """
    player = s.players[seat]
    value = wide(HERO_ATTRIBUTE[player.hero, what]) + player.bonus[what]
    for title in range(N_EQUIPMENT):
        if player.equipment[title]:
            value += EQUIPMENT_BONUS[title, what]
    return int(value)


@kernel
def max_health(s: State, seat: int) -> int:
    """Return the hearts of a hero with Increased Health tiles and equipment.

    Rule: increased_health (p. 16).
    """
    player = s.players[seat]
    value = wide(HERO_HEALTH[player.hero]) + player.health_tiles
    for title in range(N_EQUIPMENT):
        if player.equipment[title]:
            value += EQUIPMENT_HEALTH[title]
    return int(value)


@part
def is_wounded(s: State, seat: int) -> bool:
    """Return whether a hero could gain health."""
    return bool(s.players[seat].health < max_health(s, seat))


@kernel
def all_heroes(s: State) -> int:
    """Return the set of all heroes, one bit a seat."""
    return (1 << seats(s)) - 1


@kernel
def wounded_heroes(s: State) -> int:
    """Return the set of heroes who could gain health."""
    found = 0
    for p in range(seats(s)):
        if is_wounded(s, p):
            found |= 1 << p
    return found


@kernel
def is_held(s: State, seat: int) -> bool:
    """Return whether a Threat holds this hero, who then cannot move or be moved.

    Rule: held_heroes (p. 15).
    """
    for j in range(N_DISPLAY):
        slot = s.slots[j]
        if slot.card != NONE and slot.attached == seat and ONGOING_OF[slot.card] == Ongoing.HELD:
            return True
    return False


@kernel
def free_heroes(s: State) -> int:
    """Return the set of heroes whom no Threat holds."""
    found = 0
    for p in range(seats(s)):
        if not is_held(s, p):
            found |= 1 << p
    return found


@kernel
def is_perished(s: State, h: int) -> bool:
    """Return whether a hex is Perished Land."""
    return bool(s.tile[h] != NONE)


@kernel
def troops_in(s: State, h: int) -> int:
    """Return the number of troops in a hex."""
    return int(wide(s.troops[h][Troop.ORC]) + s.troops[h][Troop.TROLL] + s.troops[h][Troop.ELFAR])


@kernel
def troops_on_map(s: State, troop: int) -> int:
    """Return how many troops of a kind stand in hexes."""
    count = 0
    for h in range(N_HEXES):
        count += s.troops[h][troop]
    return count


@kernel
def perished_hexes(s: State) -> int:
    """Return the number of Perished Land tiles on the map."""
    count = 0
    for h in range(N_HEXES):
        count += s.tile[h] != NONE
    return count


@kernel
def is_entrance(s: State, h: int) -> bool:
    """Return whether a tunnel entrance or the tile is here, perished or not."""
    return _ENTRANCE[h] == 1 or s.tunnel == h


@part
def are_tunnels_closed(s: State) -> bool:
    """Return whether a Threat closes the Tunnel system."""
    for j in range(N_DISPLAY):
        card = s.slots[j].card
        if card != NONE and ONGOING_OF[card] == Ongoing.CLOSED_TUNNELS:
            return True
    return False


@kernel
def is_open_entrance(s: State, h: int) -> bool:
    """Return whether this hex gives access to the Tunnel system.

    Rule: tunnel_system (p. 10).
    """
    return is_entrance(s, h) and not is_perished(s, h) and not are_tunnels_closed(s)


@part
def marked_gate(s: State) -> int:
    """Return the gate printed at the Hero marker's space, else gate V."""
    icon = NONE
    if s.hero_marker < len(TRACK):
        icon = wide(TRACK[s.hero_marker])
    if icon >= Icon.GATE_I:
        return wide(_GATE[icon - Icon.GATE_I])
    return wide(_GATE[GATE_V])


@part
def is_place(s: State, j: int, kind: int, index: int, h: int) -> bool:
    """Return whether hex `h` is the place that a part of the card in slot `j` names.

    Rule: kingdoms_and_locations (p. 16).
    """
    if kind == PlaceKind.ANYWHERE:
        return True
    if kind == PlaceKind.HEX:
        return h == index
    if kind == PlaceKind.KINGDOM:
        return bool(_KINGDOM[h] == index)
    if kind == PlaceKind.ANY_GATE:
        return bool(_GATE_AT[h] != NONE)
    if kind == PlaceKind.TUNNEL_ENTRANCE:
        return is_entrance(s, h)
    if kind == PlaceKind.PORTAL:
        return s.tunnel == h
    if kind == PlaceKind.PERISHED:
        return is_perished(s, h)
    if kind == PlaceKind.TROOPS:
        return troops_in(s, h) > 0
    attached = wide(s.slots[j].attached)
    return attached != NONE and s.players[attached].hex == h


@kernel
def place_hex(s: State, kind: int, index: int) -> int:
    """Return the hex that an effect names; NONE for a Portal that is not there."""
    if kind == PlaceKind.PORTAL:
        return wide(s.tunnel)
    if kind == PlaceKind.MARKED_GATE:
        return marked_gate(s)
    return index


@kernel
def heroes_in(s: State, h: int) -> int:
    """Return the set of heroes in a hex."""
    found = 0
    for p in range(seats(s)):
        if s.players[p].hex == h:
            found |= 1 << p
    return found


@kernel
def count_bits(heroes: int) -> int:
    """Return the size of a set of heroes."""
    count = 0
    while heroes > 0:
        count += heroes & 1
        heroes >>= 1
    return count


@part
def first_bit(heroes: int) -> int:
    """Return the lowest seat of a set of heroes that is not empty."""
    p = 0
    while not (heroes >> p) & 1:
        p += 1
    return p


@kernel
def nearest_heroes(s: State, h: int) -> int:
    """Return the set of heroes fewest hexes away from a hex."""
    least, found = N_HEXES, 0
    for p in range(seats(s)):
        distance = wide(_DISTANCE[s.players[p].hex, h])
        if distance < least:
            least, found = distance, 0
        if distance == least:
            found |= 1 << p
    return found


@part
def seat_of_ability(s: State, ability: int) -> int:
    """Return the seat of the hero with a special ability, or NONE."""
    for p in range(seats(s)):
        if has_ability(s, p, ability):
            return p
    return NONE


@part
def empty_slot(s: State) -> int:
    """Return the first display slot without a card, or NONE."""
    for j in range(N_DISPLAY):
        if s.slots[j].card == NONE:
            return j
    return NONE


@kernel
def clear_slot(s: State, j: int) -> None:
    """Empty a slot; what lay on the card was dealt with before."""
    slot = s.slots[j]
    slot.card, slot.attached = NONE, NONE
    slot.troops[:] = 0
    slot.trophies, slot.markers, slot.carried_over = 0, 0, 0
    slot.hits[:] = 0
    slot.done[:] = 0
    slot.journey[:] = 0
    slot.stood[:] = 0
