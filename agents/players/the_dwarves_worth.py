"""The Dwarves: what is worth doing, how many actions it takes, and the way there."""

from __future__ import annotations

from typing import Final

import numpy as np

from dwarrow.envs.core.kernels import Floats, kernel
from dwarrow.envs.core.record import NONE, Ints
from dwarrow.envs.the_dwarves.board import N_DIRECTIONS, N_HEXES
from dwarrow.envs.the_dwarves.cards import (
    DECK_OF,
    EFFECT,
    FLAGS,
    MAP,
    ONGOING_OF,
    PART_COUNT,
    PART_FACE,
    PART_PLACE,
    PART_PLACE_KIND,
    PART_WHAT,
    SETUP_EFFECTS,
)
from dwarrow.envs.the_dwarves.layout import SCENARIO, State
from dwarrow.envs.the_dwarves.rules.lookup import (
    attribute,
    has_ability,
    hero_hex,
    is_held,
    is_open_entrance,
    is_perished,
    max_health,
    troops_in,
)
from dwarrow.envs.the_dwarves.rules.quests import (
    is_part_place,
    part_word,
)
from dwarrow.envs.the_dwarves.rules.stack import seats, wide
from dwarrow.envs.the_dwarves.words import (
    Ability,
    Attribute,
    Box,
    Deck,
    Effect,
    Flag,
    Ongoing,
    Part,
    PlaceKind,
)

_NEIGHBOUR, _DISTANCE = MAP.neighbour, MAP.distance
BATTLE: Final[int] = np.int64(Attribute.BATTLE)  # type: ignore[assignment]
CRAFT: Final[int] = np.int64(Attribute.CRAFT)  # type: ignore[assignment]
SPEED: Final[int] = np.int64(Attribute.SPEED)  # type: ignore[assignment]
FAR, NOWHERE = 1000.0, 99

# Worths are on a scale of their own; an objective is worth so much an action that it takes.
WORTH_SCENARIO, WORTH_TROOP, WORTH_EQUIPMENT = 60.0, 1.2, 3.0
WORTH_COUNCIL, WORTH_COUNCIL_LOW = 4.8, 6.0  # a step to the right; while left of the axe
CROWD_OF_THREE, CROWD_OF_FOUR, WEIGHT_BLACKSADDLE = 0.5, 1.2, 1.5  # of troops
WEIGHT_THREAT, WEIGHT_ADVENTURE = 0.8, 0.6
WEIGHT_BEHIND = 0.8  # of a place that another hero is nearer to
HEART_OF_MANY, HEART_OF_TWO, LAST_HEART = 3.0, 8.0, 187.5  # what a fight that may fail puts at risk
HEART_A_FIGHT = 20.0  # how far that risk slows a fight against the troops of a card
HEARTS_TO_SPARE = 3.0  # with as many, Perished Land is paid with a heart
LAST_SPACES = 12.5  # spaces between the markers below which crowds matter less
PRICE_OF_PERISHED_LAND, PRICE_OF_LEAVING_TROOPS = 4.0, 1.5  # in movement points
POINTS_A_MOVE, MOVE_OVERHEAD = 10.0, 0.4  # hexes a Move action; actions that any walk costs
WAIT_FOR_HEROES = 2.0  # actions
WORTH_OF_EFFECT = np.full(len(Effect), 6.0, np.float32)
for _effect, _worth in (
    (Effect.EQUIP, 9.0),
    (Effect.EQUIP_BOTH, 14.0),
    (Effect.PICK_EQUIPMENT, 11.0),
    (Effect.SEARCH_EQUIPMENT, 11.0),
    (Effect.ATTRIBUTE, 13.0),
    (Effect.HEAL, 5.0),
    (Effect.HEAL_BOTH, 4.0),
    (Effect.MAX_HEALTH, 8.0),
    (Effect.TUNNEL, 2.0),
    (Effect.SKIP_HERO_MARKER, 12.0),
    (Effect.DOOM, 9.0),
    (Effect.COUNCIL, 7.0),
    (Effect.BLIGHT, 10.0),
    (Effect.PERISH_WITH, 12.0),
    (Effect.PERISH_AROUND, 8.0),
    (Effect.LOSE, 9.0),
    (Effect.LOSE_PER_HERO, 12.0),
    (Effect.LOSE_ATTACHED, 9.0),
    (Effect.LOSE_NEAREST, 9.0),
    (Effect.RECRUIT, 9.0),
):
    WORTH_OF_EFFECT[_effect] = _worth
# The way


@kernel
def survey(s: State, seat: int, cost: Floats, first: Ints) -> None:
    """Write what it costs a hero to reach every hex, and the first hex of the way there."""
    here = hero_hex(s, seat)
    cost[:] = FAR
    first[:] = NONE
    cost[here] = 0
    harmless = has_ability(s, seat, Ability.UNHARMED_BY_PERISHED_LAND)
    free = has_ability(s, seat, Ability.EXTRA_TROOP)
    entering = np.ones(N_HEXES, np.float32)
    if not harmless:
        for h in range(N_HEXES):
            if is_perished(s, h):
                entering[h] += PRICE_OF_PERISHED_LAND
    queue = np.empty(N_HEXES * 8, np.int16)
    queue[0] = here
    head, tail = 0, 1
    while head < tail:
        h = wide(queue[head])
        head += 1
        leaving = cost[h] + (
            PRICE_OF_LEAVING_TROOPS if h != here and troops_in(s, h) > 0 and not free else 0.0
        )
        tunnel = is_open_entrance(s, h)
        for k in range(N_HEXES if tunnel else N_DIRECTIONS):
            to = k if tunnel else wide(_NEIGHBOUR[h, k])
            if to in (NONE, h) or (tunnel and not is_tunnel_step(s, h, to)):
                continue
            price = leaving + entering[to]
            if price < cost[to] and tail < len(queue):
                cost[to] = price
                first[to] = to if h == here else first[h]
                queue[tail] = to
                tail += 1


@kernel
def is_tunnel_step(s: State, h: int, to: int) -> bool:
    """Return whether a hero in an open entrance can go to this hex with one point."""
    return _DISTANCE[h, to] == 1 or is_open_entrance(s, to)


@kernel
def actions_to(cost: float) -> float:
    """Return about how many Move actions a way takes."""
    return 0.0 if cost == 0 else MOVE_OVERHEAD + cost / POINTS_A_MOVE


# What is worth doing


@kernel
def card_worth(s: State, j: int) -> float:
    """Return what completing or averting a card is worth."""
    if j == SCENARIO:
        return WORTH_SCENARIO
    card = s.slots[j].card
    worth = 0.0
    for k in range(SETUP_EFFECTS, EFFECT.shape[1]):
        if EFFECT[card, k] != NONE:
            worth += WORTH_OF_EFFECT[EFFECT[card, k]]
    if ONGOING_OF[card] == Ongoing.HELD or ONGOING_OF[card] == Ongoing.POISON:
        worth += 8.0
    if DECK_OF[card] == Deck.ADVENTURE and EFFECT[card, SETUP_EFFECTS] == Effect.HEAL:
        worth *= min(2, missing_hearts(s)) / 2
    if EFFECT[card, SETUP_EFFECTS] == Effect.COUNCIL and DECK_OF[card] == Deck.ADVENTURE:
        worth *= 0.3 if s.council >= Box.REROLL_ONE else 1.0
    return worth * (WEIGHT_THREAT if DECK_OF[card] == Deck.THREAT else WEIGHT_ADVENTURE)


@kernel
def missing_hearts(s: State) -> int:
    """Return how many hearts the team has lost."""
    missing = 0
    for p in range(seats(s)):
        missing += max_health(s, p) - s.players[p].health
    return missing


@kernel
def chance_of_hits(dice: int, face: int, wanted: int) -> float:
    """Return the chance that at least `wanted` of the dice show `face` or more."""
    p = (7 - face) / 6
    total, term = 0.0, (1 - p) ** dice
    for hits in range(dice + 1):
        if hits >= wanted:
            total += term
        term = term * (dice - hits) / (hits + 1) * p / (1 - p)
    return total


@kernel
def check_actions(s: State, seat: int, j: int, k: int) -> float:
    """Return about how many actions this hero needs to succeed in a part."""
    card = s.slots[j].card
    word, face, count = part_word(s, j, k), wide(PART_FACE[card, k]), wide(PART_COUNT[card, k])
    if word == Part.HEALTH_DICE:
        return 1 / chance_of_hits(wide(s.players[seat].health), face, 1)
    dice = min(7, attribute(s, seat, BATTLE if word == Part.STRIKE else wide(PART_WHAT[card, k])))
    if word == Part.STRIKE:
        return float(max(1.0, s.slots[j].markers * 6 / dice))
    left = max(1, count - s.slots[j].hits[k])
    repeats = max(1, wide(s.slots[j].markers)) if FLAGS[card] & Flag.REPEAT else 1
    if FLAGS[card] & Flag.PERSIST:
        return float(max(1.0, left * 6 / (dice * (7 - face))))
    both = max(0.02, chance_of_hits(2 * dice, face, left))
    once = chance_of_hits(dice, face, left)
    return repeats * (once + 2 * (1 - once)) / both


@kernel
def kills_per_fight(s: State, seat: int, orcs: int, trolls: int, elfar: int) -> float:
    """Return about how many of these troops one fight defeats."""
    dice = min(7, attribute(s, seat, BATTLE))
    reach = dice / 6.0
    by_six = min(1.0 * elfar + trolls + orcs, reach)
    by_five = min(1.0 * trolls + orcs, reach)
    by_four = min(1.0 * orcs, reach)
    extra = 1.0 if has_ability(s, seat, Ability.EXTRA_TROOP) else 0.0
    return min(by_six + by_five + by_four + extra, 1.0 * orcs + trolls + elfar)


@kernel
def risk(s: State, seat: int, orcs: int, trolls: int) -> float:
    """Return what the heart that a fight may cost is worth."""
    if has_ability(s, seat, Ability.EXTRA_TROOP):
        return 0.0
    miss = 0.5 if orcs else 0.667 if trolls else 0.833
    health = s.players[seat].health
    heart = HEART_OF_MANY if health >= 3 else HEART_OF_TWO if health == 2 else LAST_HEART
    return float(heart * miss ** min(7, attribute(s, seat, BATTLE)))


@kernel
def part_places(s: State, j: int, k: int, places: Ints) -> int:
    """Write the hexes that are the place of a part, in order; return how many."""
    card = s.slots[j].card
    if PART_PLACE_KIND[card, k] == PlaceKind.HEX:  # most of them
        places[0] = PART_PLACE[card, k]
        return 1
    n = 0
    for h in range(N_HEXES):
        if is_part_place(s, j, k, h):
            places[n] = h
            n += 1
    return n


@kernel
def nearest(h: int, places: Ints) -> int:
    """Return how many hexes a hex is from the nearest of these."""
    least = NOWHERE
    for to in places:
        least = min(least, wide(_DISTANCE[h, to]))
    return least


@kernel
def heroes_ahead(s: State, seat: int, places: Ints) -> int:
    """Return how many other heroes are nearer to one of these hexes than this one."""
    mine, count = nearest(hero_hex(s, seat), places), 0
    for p in range(seats(s)):
        if p != seat and not is_held(s, p):
            theirs = nearest(hero_hex(s, p), places)
            count += theirs < mine or (theirs == mine and p < seat)
    return count
