"""Scripted players of The Dwarves: both act for the team, on what lies open.

`greedy` does what helps at once: roll for a card, fight, else walk towards the Scenario. `rule`
weighs every objective on the table (cards, crowds of troops, the council) by its worth against the
actions it takes, walks the cheapest way there, and spares hearts and the Doom marker.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from dwarrow.agents.players import Players, Words, register
from dwarrow.envs.core.kernels import Floats, Mask, States, kernel
from dwarrow.envs.core.record import NONE, Ints
from dwarrow.envs.core.rng import word_below
from dwarrow.envs.the_dwarves import GAME
from dwarrow.envs.the_dwarves import actions as act
from dwarrow.envs.the_dwarves.board import N_DIRECTIONS, N_HEXES
from dwarrow.envs.the_dwarves.cards import (
    COUNCIL_STEP,
    DECK_OF,
    EFFECT,
    FLAGS,
    MAP,
    ONGOING_OF,
    PART,
    PART_COUNT,
    PART_FACE,
    PART_START,
    PART_WHAT,
    SETUP_EFFECTS,
    TOGETHER,
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
from dwarrow.envs.the_dwarves.rules.fight import are_card_troops_here
from dwarrow.envs.the_dwarves.rules.lookup import (
    attribute,
    count_bits,
    has_ability,
    hero_hex,
    heroes_in,
    is_held,
    is_open_entrance,
    is_perished,
    max_health,
    troops_in,
)
from dwarrow.envs.the_dwarves.rules.quests import (
    card_troops,
    heroes_needed,
    is_check,
    is_part_done,
    is_part_open,
    is_part_place,
    part_word,
)
from dwarrow.envs.the_dwarves.rules.stack import seats, wide
from dwarrow.envs.the_dwarves.words import (
    N_EQUIPMENT,
    N_TROOPS,
    Ability,
    Attribute,
    Box,
    Deck,
    Effect,
    Equipment,
    Flag,
    Ongoing,
    Part,
    Spell,
    Troop,
)

_NEIGHBOUR, _DISTANCE, _RING = MAP.neighbour, MAP.distance, MAP.ring
_BLACKSADDLE = MAP.blacksaddle
BATTLE: Final[int] = np.int64(Attribute.BATTLE)  # type: ignore[assignment]
CRAFT: Final[int] = np.int64(Attribute.CRAFT)  # type: ignore[assignment]
SPEED: Final[int] = np.int64(Attribute.SPEED)  # type: ignore[assignment]
POINTS_A_MOVE = 5.0  # about the highest of three dice
FAR = 1000.0

# What things are worth to the team, in hearts of a scale of their own.
WORTH_SCENARIO, WORTH_TROOP = 40.0, 2.0
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
GEAR_WORTH = np.array([6, 7, 4, 9, 9, 8, 7, 4, 4, 2, 6, 3, 3, 5, 3, 3], np.int16)
"""How gladly a team owns a title, by Equipment."""


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
    queue = np.empty(N_HEXES * 8, np.int16)
    queue[0] = here
    head, tail = 0, 1
    while head < tail:
        h = wide(queue[head])
        head += 1
        leaving = cost[h] + (1.5 if h != here and troops_in(s, h) > 0 and not free else 0.0)
        tunnel = is_open_entrance(s, h)
        for k in range(N_HEXES if tunnel else N_DIRECTIONS):
            to = k if tunnel else wide(_NEIGHBOUR[h, k])
            if to == NONE or to == h or (tunnel and not is_tunnel_step(s, h, to)):
                continue
            price = leaving + 1.0
            if is_perished(s, to) and not harmless:
                price += 4.0
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
    return 0.0 if cost == 0 else 0.4 + cost / POINTS_A_MOVE


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
    return worth


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
def heroes_ahead(s: State, seat: int, j: int, k: int) -> int:
    """Return how many other heroes are nearer to the place of a part than this one."""
    mine, count = nearest_place(s, seat, j, k), 0
    for p in range(seats(s)):
        if p != seat and not is_held(s, p):
            theirs = nearest_place(s, p, j, k)
            count += theirs < mine or (theirs == mine and p < seat)
    return count


@kernel
def nearest_place(s: State, p: int, j: int, k: int) -> int:
    """Return how many hexes a hero is from the nearest hex of a part's place."""
    least = 99
    for h in range(N_HEXES):
        if _DISTANCE[s.players[p].hex, h] < least and is_part_place(s, j, k, h):
            least = wide(_DISTANCE[s.players[p].hex, h])
    return least


@kernel
def part_objective(s: State, seat: int, j: int, k: int, cost: Floats, goal: Floats) -> None:
    """Weigh one part of a card for this hero; write a better goal: [worth, hex, action]."""
    if not is_part_open(s, j, k) or is_part_done(s, j, k):
        return
    slot, word = s.slots[j], part_word(s, j, k)
    card = slot.card
    if word == Part.COUNCIL or word == Part.TROPHY:
        return
    if FLAGS[card] & Flag.ATTACHED and slot.attached != seat:
        return
    worth = card_worth(s, j)
    needed = wide(TOGETHER[card])
    if word == Part.MEET:
        needed = heroes_needed(s, j, k)
    needed = min(needed, seats(s))
    if needed > 1 and heroes_ahead(s, seat, j, k) >= needed:
        return
    if word == Part.ROUTE and slot.journey[seat] == 0:
        start = wide(PART_START[card, k])
        work = 0.6 + actions_to(1.0 * _DISTANCE[start, place_of(s, j, k, start)])
        weigh(goal, worth / (actions_to(cost[start]) + work), start, act.PASS)
        return
    for h in range(N_HEXES):
        if cost[h] >= FAR or not is_part_place(s, j, k, h):
            continue
        work, action = part_work(s, seat, j, k, h, cost)
        if needed > 1 and count_bits(heroes_in(s, h) | (1 << seat)) < needed:
            work, action = work + 2.0, act.PASS
        weigh(goal, worth / (actions_to(cost[h]) + work), h, action)


@kernel
def place_of(s: State, j: int, k: int, start: int) -> int:
    """Return the hex where a route ends."""
    for h in range(N_HEXES):
        if is_part_place(s, j, k, h):
            return h
    return start


@kernel
def part_work(s: State, seat: int, j: int, k: int, h: int, cost: Floats) -> tuple[float, int]:
    """Return how many actions a part takes once the hero is in hex `h`, and which action."""
    word = part_word(s, j, k)
    slot = s.slots[j]
    if is_check(word):
        guarded = FLAGS[slot.card] & Flag.CLEAR and troops_in(s, h) > 0
        work = check_actions(s, seat, j, k)
        if guarded:
            return work + fight_actions(s, seat, h), act.FIGHT
        return work, act.QUEST + j * MAX_PARTS + k
    if word == Part.TROOPS:
        n = card_troops(s, j)
        orcs, trolls, elfar = (
            slot.troops[Troop.ORC],
            slot.troops[Troop.TROLL],
            slot.troops[Troop.ELFAR],
        )
        return n / max(0.2, kills_per_fight(s, seat, orcs, trolls, elfar)), act.FIGHT
    if word == Part.CLEAR:
        return 0.3 + fight_actions(s, seat, h), act.FIGHT if troops_in(s, h) else act.PASS
    if word == Part.CARRY:
        if s.players[seat].carries:
            return 0.3, act.PASS
        return FAR, act.PASS
    if word == Part.GO or word == Part.ROUTE:
        return (0.3 if cost[h] > 0 else 1.2), act.MOVE
    return 0.3, act.PASS


@kernel
def fight_actions(s: State, seat: int, h: int) -> float:
    """Return about how many fights clear a hex."""
    t = s.troops[h]
    kills = kills_per_fight(s, seat, t[Troop.ORC], t[Troop.TROLL], t[Troop.ELFAR])
    return troops_in(s, h) / max(0.2, kills)


@kernel
def weigh(goal: Floats, rate: float, h: int, action: int) -> None:
    """Keep the better of two goals in `goal`."""
    if rate > goal[0]:
        goal[0], goal[1], goal[2] = rate, h, action


@kernel
def seek(s: State, seat: int, cost: Floats, goal: Floats) -> None:
    """Write the best objective of a hero into `goal`: worth an action, hex, action there."""
    goal[0], goal[1], goal[2] = 0, NONE, act.PASS
    for j in range(N_SLOTS):
        if s.slots[j].card != NONE:
            for k in range(MAX_PARTS):
                if part_word(s, j, k) != NONE:
                    part_objective(s, seat, j, k, cost, goal)
    seek_markers(s, seat, cost, goal)
    seek_fights(s, seat, cost, goal)
    here = hero_hex(s, seat)
    if s.council != Box.EQUIPMENT:
        p = chance_of_hits(min(7, attribute(s, seat, CRAFT)), wide(COUNCIL_STEP[s.council]), 1)
        weigh(goal, p * council_worth(s), here, act.DISPATCHES)
    need = 4 if s.council == Box.EQUIPMENT else 5
    if s.council == Box.EQUIPMENT or has_ability(s, seat, Ability.EARLY_EQUIPMENT):
        p = chance_of_hits(min(7, attribute(s, seat, CRAFT)), need, 1)
        weigh(goal, p * 5.0, here, act.DRAW_EQUIPMENT)
    if has_ability(s, seat, Ability.SPELLS) and s.n_spells > 0:
        weigh(goal, 3.0, here, act.DRAW_SPELL)


@kernel
def council_worth(s: State) -> float:
    """Return what a step of the council is worth; with a card that asks for it, a card's worth."""
    for j in range(N_SLOTS):
        card = s.slots[j].card
        if card != NONE:
            for k in range(MAX_PARTS):
                if PART[card, k] == Part.COUNCIL and not is_part_done(s, j, k):
                    return card_worth(s, j) / 2
    if s.council == Box.DOOM_ADVANCES:
        return 12.0
    if s.council < Box.AXE:
        return 6.0
    return 3.0


@kernel
def seek_markers(s: State, seat: int, cost: Floats, goal: Floats) -> None:
    """Weigh markers on the map that are to be carried."""
    if s.players[seat].carries or s.players[seat].dropped:
        return
    for k in range(len(s.marker_hex)):
        h = wide(s.marker_hex[k])
        if h != NONE:
            weigh(goal, WORTH_SCENARIO / (actions_to(cost[h]) + 1.5), h, act.PICK_UP)


@kernel
def seek_fights(s: State, seat: int, cost: Floats, goal: Floats) -> None:
    """Weigh crowds of troops: those about to overrun their hex first."""
    brave = s.players[seat].health > 1
    for h in range(N_HEXES):
        n = troops_in(s, h)
        if n == 0 or cost[h] >= FAR:
            continue
        t = s.troops[h]
        kills = kills_per_fight(s, seat, t[Troop.ORC], t[Troop.TROLL], t[Troop.ELFAR])
        for j in range(N_SLOTS):
            if h == hero_hex(s, seat) and are_card_troops_here(s, seat, j):
                kills += 0.5
        worth = WORTH_TROOP * kills * (1.0 if n < 3 else 1.4 if n == 3 else 2.0)
        worth += trophy_worth(s, h, kills)
        if h == _BLACKSADDLE:
            worth *= 1.5
        if kills < 0.8 and not brave:
            worth *= 0.2
        fights = max(1.0, n / max(0.3, kills))
        weigh(goal, worth * fights / (actions_to(cost[h]) + fights), h, act.FIGHT)


@kernel
def trophy_worth(s: State, h: int, kills: float) -> float:
    """Return what troops of a hex are worth to cards that collect them."""
    worth = 0.0
    for j in range(N_SLOTS):
        card = s.slots[j].card
        if card == NONE:
            continue
        for k in range(MAX_PARTS):
            if PART[card, k] == Part.TROPHY and s.troops[h][PART_WHAT[card, k]] > 0:
                left = max(1, PART_COUNT[card, k] - s.slots[j].trophies)
                worth += card_worth(s, j) * min(1.0, kills / left)
    return worth


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
        rich = s.players[hero].health >= 3 or s.doom_marker - s.hero_marker <= 2
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
    for k in range(MAX_PARTS):
        if not is_part_open(s, SCENARIO, k) or is_part_done(s, SCENARIO, k):
            continue
        for to in range(N_HEXES):
            if _DISTANCE[h, to] < least and is_part_place(s, SCENARIO, k, to):
                least = wide(_DISTANCE[h, to])
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
    if mask[act.FIGHT]:
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
