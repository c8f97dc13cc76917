"""The Dwarves: answers to every question but which action and which step."""

from __future__ import annotations

import numpy as np

from dwarrow.agents.players.the_dwarves_worth import (
    BATTLE,
    CRAFT,
    HEARTS_TO_SPARE,
    SPEED,
    card_worth,
    nearest,
    part_places,
)
from dwarrow.envs.core.kernels import Mask, kernel
from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_dwarves import actions as act
from dwarrow.envs.the_dwarves.board import N_HEXES
from dwarrow.envs.the_dwarves.cards import (
    MAP,
    PART_COUNT,
)
from dwarrow.envs.the_dwarves.layout import (
    N_SLOTS,
    SCENARIO,
    Phase,
    Purpose,
    Rule,
    State,
    Where,
    Why,
)
from dwarrow.envs.the_dwarves.notation import MAX_PARTS
from dwarrow.envs.the_dwarves.rules.lookup import (
    attribute,
    hero_hex,
    is_perished,
    max_health,
    troops_in,
)
from dwarrow.envs.the_dwarves.rules.quests import (
    is_part_done,
    is_part_open,
)
from dwarrow.envs.the_dwarves.rules.stack import seats, wide
from dwarrow.envs.the_dwarves.words import (
    N_EQUIPMENT,
    N_TROOPS,
    Equipment,
    Spell,
)

_RING = MAP.ring
GEAR_WORTH = np.array([6, 7, 4, 9, 9, 8, 7, 4, 4, 2, 6, 3, 3, 5, 3, 3], np.int16)
"""How gladly a team owns a title, by Equipment."""


@kernel
def free_play(s: State, seat: int, mask: Mask) -> int:
    """Return a card worth playing now without an action, or NONE."""
    if mask[act.PICK_UP]:
        return act.PICK_UP
    if mask[act.USE + Equipment.WAR_HORN] and s.actions_left == 0:
        return act.USE + Equipment.WAR_HORN
    worst, lost = 99, 0
    for p in range(seats(s)):
        worst = min(worst, wide(s.players[p].health))
        lost = max(lost, max_health(s, p) - s.players[p].health)
    if mask[act.USE + Equipment.HERBS] and lost >= 2:
        return act.USE + Equipment.HERBS
    if mask[act.CAST + Spell.MEND] and lost >= 2:
        return act.CAST + Spell.MEND
    if mask[act.CAST + Spell.WARMTH] and lost >= 1:
        return act.CAST + Spell.WARMTH
    return NONE


@kernel
def small_choice(s: State, seat: int, mask: Mask) -> int:
    """Answer every question but which action and which step."""
    phase = s.phase
    if phase == Phase.PENALTY:
        hero = wide(s.stack[s.depth - 1].a)
        rich = s.players[hero].health >= HEARTS_TO_SPARE or s.doom_marker - s.hero_marker <= 2
        return act.LOSE_HEALTH if rich else act.ADVANCE_DOOM
    if phase == Phase.DICE:
        return dice_choice(s, mask)
    if phase == Phase.SELECT:
        return select_choice(s, mask)
    if phase == Phase.ALLOCATE:
        return hit_choice(mask)
    if phase == Phase.HERO:
        return hero_choice(s, mask)
    if phase == Phase.HEX:
        return hex_choice(s, mask)
    if phase == Phase.WINDOW:
        play = free_play(s, seat, mask)
        return act.PASS if play == NONE else play
    if phase == Phase.EQUIPMENT:
        return equipment_choice(s, mask)
    if phase == Phase.SHIELD:
        safe = s.players[seat].health >= 3
        return act.TAKE_TWO if safe else act.PASS
    if phase == Phase.DISCARD_THREAT or phase == Phase.THREAT:
        return threat_choice(s, mask)
    if phase == Phase.PREPARE:
        crowd = s.purpose == Purpose.STRIKE or troops_in(s, hero_hex(s, seat)) > 2
        for action in range(act.USE, act.RETURN):
            if mask[action] and (action != act.USE + Equipment.THROWING_AXES or crowd):
                return action
        return act.PASS
    return last_choice(mask)


@kernel
def last_choice(mask: Mask) -> int:
    """Take the last legal action: the most dangerous troop, a card rather than none."""
    for action in range(len(mask) - 1, -1, -1):
        if mask[action]:
            return action
    return act.PASS


@kernel
def dice_wanted(s: State) -> int:
    """Return how many dice should succeed in the roll."""
    if s.purpose == Purpose.FIGHT or s.purpose == Purpose.STRIKE:
        return wide(s.n_dice)
    if s.purpose == Purpose.CHECK:
        f = s.stack[s.depth - 1]
        if f.rule == Rule.ROLL and f.a != NONE:
            return int(max(1, wide(PART_COUNT[s.slots[f.a].card, f.b]) - s.slots[f.a].hits[f.b]))
    return 1


@kernel
def dice_choice(s: State, mask: Mask) -> int:
    """Improve a roll that falls short, the cheapest way first."""
    lowest, nearest, hits = 0, NONE, 0
    for k in range(s.n_dice):
        if s.dice[k] < s.dice[lowest]:
            lowest = k
        if s.dice[k] >= s.need:
            hits += 1
        elif nearest == NONE or s.dice[k] > s.dice[nearest]:
            nearest = k
    if hits >= dice_wanted(s):
        return act.PASS
    if nearest != NONE and mask[act.INCREASE + nearest] and s.dice[nearest] == s.need - 1:
        return act.INCREASE + nearest
    if s.purpose == Purpose.MOVE and (hits or s.dice[nearest] >= 4):
        return act.PASS
    if mask[act.REROLL + lowest] and s.dice[lowest] < s.need:
        return act.REROLL + lowest
    if mask[act.REROLL_ALL] and 2 * hits < s.n_dice and hits <= 1:
        return act.REROLL_ALL
    if mask[act.REROLL_SPEED]:
        return act.REROLL_SPEED
    short = hits == 0 and s.purpose != Purpose.MOVE
    if short and mask[act.REPEAT + lowest]:
        return act.REPEAT + lowest
    if short and mask[act.SET_SIX + lowest]:
        return act.SET_SIX + lowest
    if short and mask[act.CAST + Spell.SECOND_FATE]:
        return act.CAST + Spell.SECOND_FATE
    if short and mask[act.USE + Equipment.RUNE_STONE]:
        return act.USE + Equipment.RUNE_STONE
    if nearest != NONE and mask[act.INCREASE + nearest] and s.purpose == Purpose.FIGHT:
        return act.INCREASE + nearest
    return act.PASS


@kernel
def select_choice(s: State, mask: Mask) -> int:
    """Throw again every die that failed."""
    for k in range(s.n_dice):
        if mask[act.PICK_DIE + k] and s.dice[k] < s.need:
            return act.PICK_DIE + k
    return act.PASS if mask[act.PASS] else last_choice(mask)


@kernel
def hit_choice(mask: Mask) -> int:
    """Hit the most dangerous troop: on the Scenario, on other cards, here, elsewhere."""
    for place in range(act.BESIDE - 1, -1, -1):
        for troop in range(N_TROOPS - 1, -1, -1):
            if mask[act.DEFEAT + place * N_TROOPS + troop]:
                return act.DEFEAT + place * N_TROOPS + troop
    return last_choice(mask)


@kernel
def hero_choice(s: State, mask: Mask) -> int:
    """Choose who can best bear a loss, or best use a gift."""
    f = s.stack[s.depth - 1]
    best, action = -1000, act.PASS
    for p in range(seats(s)):
        if not mask[act.HERO + s.players[p].hero]:
            continue
        value = -wide(s.players[p].health)
        if f.a == Why.LOSE or f.a == Why.POINT or f.a == Why.ATTACH or f.a == Why.SPOIL:
            value = wide(s.players[p].health) - s.pledged[p]
        elif f.a == Why.GIVE:
            value = gift_value(s, p, wide(f.d))
        elif f.a == Why.ATTRIBUTE:
            value = attribute(s, p, wide(f.d))
        if value > best:
            best, action = value, act.HERO + s.players[p].hero
    return action


@kernel
def gift_value(s: State, p: int, title: int) -> int:
    """Return how well a hero can use an Equipment title."""
    owned = 0
    for other in range(N_EQUIPMENT):
        owned += s.players[p].equipment[other]
    if title == Equipment.WAR_AXE or title == Equipment.THROWING_AXES:
        return 10 * attribute(s, p, BATTLE) - owned
    if title == Equipment.TOOLS:
        return 10 * attribute(s, p, CRAFT) - owned
    if title == Equipment.BOOTS:
        return -10 * attribute(s, p, SPEED) - owned
    if title == Equipment.RING_MAIL:
        return -10 * max_health(s, p) - owned
    return -owned


@kernel
def hex_choice(s: State, mask: Mask) -> int:
    """Take troops from the fullest hex; put the tunnel, or a hero, near the Scenario."""
    where = s.stack[s.depth - 1].a
    best, action = -1000, act.PASS
    for h in range(N_HEXES):
        if not mask[act.HEX + h]:
            continue
        value = 10 * troops_in(s, h) - wide(_RING[h])
        if where == Where.BLIGHT:
            value = -value
        elif where == Where.TUNNEL or where == Where.RELOCATE or where == Where.TELEPORT:
            value = -scenario_distance(s, h) - 20 * is_perished(s, h)
        if value > best:
            best, action = value, act.HEX + h
    return action


@kernel
def scenario_distance(s: State, h: int) -> int:
    """Return how many hexes a hex is from where the Scenario wants heroes."""
    least = 20
    if s.slots[SCENARIO].card == NONE:
        return least
    places = np.empty(N_HEXES, np.int16)
    for k in range(MAX_PARTS):
        if is_part_open(s, SCENARIO, k) and not is_part_done(s, SCENARIO, k):
            n = part_places(s, SCENARIO, k, places)
            least = min(least, nearest(h, places[:n]))
    return least


@kernel
def equipment_choice(s: State, mask: Mask) -> int:
    """Keep the most useful title; give up the least useful."""
    spoiling = s.stack[s.depth - 1].rule == Rule.SPOIL
    best, action = -1000, act.PASS
    for title in range(N_EQUIPMENT):
        value = -GEAR_WORTH[title] if spoiling else GEAR_WORTH[title]
        if mask[act.TAKE + title] and value > best:
            best, action = value, act.TAKE + title
    return action


@kernel
def threat_choice(s: State, mask: Mask) -> int:
    """Choose the worst Threat."""
    best, action = 0.0, act.PASS
    for j in range(N_SLOTS):
        if mask[act.SLOT + j] and card_worth(s, j) > best:
            best, action = card_worth(s, j), act.SLOT + j
    return action if mask[action] else last_choice(mask)
