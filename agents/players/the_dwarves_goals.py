"""The Dwarves: the objectives on the table, and which of them is best for a hero now."""

from __future__ import annotations

import numpy as np

from dwarrow.agents.players.the_dwarves_worth import (
    CRAFT,
    CROWD_OF_FOUR,
    CROWD_OF_THREE,
    FAR,
    HEART_A_FIGHT,
    LAST_SPACES,
    WAIT_FOR_HEROES,
    WEIGHT_BEHIND,
    WEIGHT_BLACKSADDLE,
    WORTH_COUNCIL,
    WORTH_COUNCIL_LOW,
    WORTH_EQUIPMENT,
    WORTH_SCENARIO,
    WORTH_TROOP,
    actions_to,
    card_worth,
    chance_of_hits,
    check_actions,
    heroes_ahead,
    kills_per_fight,
    part_places,
    risk,
)
from dwarrow.envs.core.kernels import Floats, kernel
from dwarrow.envs.core.record import NONE, Ints
from dwarrow.envs.the_dwarves import actions as act
from dwarrow.envs.the_dwarves.board import N_HEXES
from dwarrow.envs.the_dwarves.cards import (
    COUNCIL_STEP,
    FLAGS,
    MAP,
    PART,
    PART_COUNT,
    PART_PLACE_KIND,
    PART_START,
    PART_WHAT,
    TOGETHER,
)
from dwarrow.envs.the_dwarves.layout import N_SLOTS, State
from dwarrow.envs.the_dwarves.notation import MAX_PARTS
from dwarrow.envs.the_dwarves.rules.fight import are_card_troops_here
from dwarrow.envs.the_dwarves.rules.lookup import (
    attribute,
    count_bits,
    has_ability,
    hero_hex,
    heroes_in,
    troops_in,
)
from dwarrow.envs.the_dwarves.rules.quests import (
    card_troops,
    heroes_needed,
    is_check,
    is_part_done,
    is_part_open,
    part_word,
)
from dwarrow.envs.the_dwarves.rules.stack import seats, wide
from dwarrow.envs.the_dwarves.words import (
    Ability,
    Box,
    Flag,
    Part,
    Troop,
)

_DISTANCE, _BLACKSADDLE = MAP.distance, MAP.blacksaddle


@kernel
def part_objective(
    s: State, seat: int, j: int, k: int, cost: Floats, scratch: Ints, goal: Floats
) -> None:
    """Weigh one part of a card for this hero; write a better goal: [worth, hex, action]."""
    slot, word = s.slots[j], part_word(s, j, k)
    if is_part_done(s, j, k) or not is_part_open(s, j, k):
        return
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
    places = scratch[: part_places(s, j, k, scratch)]
    ahead = heroes_ahead(s, seat, places)
    if needed > 1 and ahead >= needed:
        return
    if needed == 1 and ahead > 0 and PART_PLACE_KIND[card, k] > 0:
        worth *= WEIGHT_BEHIND
    if word == Part.ROUTE and slot.journey[seat] == 0:
        start = wide(PART_START[card, k])
        end = wide(places[0]) if len(places) else start
        work = 0.6 + actions_to(1.0 * _DISTANCE[start, end])
        weigh(goal, worth / (actions_to(cost[start]) + work), start, act.PASS)
        return
    check = check_actions(s, seat, j, k) if is_check(word) else 0.0
    for place in places:
        h = wide(place)
        if cost[h] >= FAR:
            continue
        work, action = part_work(s, seat, j, k, h, cost, check)
        if needed > 1 and count_bits(heroes_in(s, h) | (1 << seat)) < needed:
            work, action = work + WAIT_FOR_HEROES, act.PASS
        weigh(goal, worth / (actions_to(cost[h]) + work), h, action)


@kernel
def part_work(
    s: State, seat: int, j: int, k: int, h: int, cost: Floats, check: float
) -> tuple[float, int]:
    """Return how many actions a part takes once the hero is in hex `h`, and which action.

    `check` is what its roll takes, if it has one.
    """
    word = part_word(s, j, k)
    slot = s.slots[j]
    if is_check(word):
        if FLAGS[slot.card] & Flag.CLEAR and troops_in(s, h) > 0:
            return check + fight_actions(s, seat, h), act.FIGHT
        return check, act.QUEST + j * MAX_PARTS + k
    if word == Part.TROOPS:
        n = card_troops(s, j)
        orcs, trolls, elfar = (
            slot.troops[Troop.ORC],
            slot.troops[Troop.TROLL],
            slot.troops[Troop.ELFAR],
        )
        work = n / max(0.2, kills_per_fight(s, seat, orcs, trolls, elfar))
        return work * (1.0 + risk(s, seat, orcs, trolls) / HEART_A_FIGHT), act.FIGHT
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
    scratch = np.empty(N_HEXES, np.int16)
    for j in range(N_SLOTS):
        if s.slots[j].card != NONE:
            for k in range(MAX_PARTS):
                if part_word(s, j, k) != NONE:
                    part_objective(s, seat, j, k, cost, scratch, goal)
    seek_markers(s, seat, cost, goal)
    seek_fights(s, seat, cost, goal)
    here = hero_hex(s, seat)
    if s.council != Box.EQUIPMENT:
        p = chance_of_hits(min(7, attribute(s, seat, CRAFT)), wide(COUNCIL_STEP[s.council]), 1)
        weigh(goal, p * council_worth(s), here, act.DISPATCHES)
    need = 4 if s.council == Box.EQUIPMENT else 5
    if s.council == Box.EQUIPMENT or has_ability(s, seat, Ability.EARLY_EQUIPMENT):
        p = chance_of_hits(min(7, attribute(s, seat, CRAFT)), need, 1)
        weigh(goal, p * WORTH_EQUIPMENT, here, act.DRAW_EQUIPMENT)
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
        return WORTH_COUNCIL_LOW
    return WORTH_COUNCIL


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
def spaces_left(s: State) -> int:
    """Return the number of spaces between the Hero and the Doom marker."""
    return s.doom_marker - s.hero_marker


@kernel
def seek_fights(s: State, seat: int, cost: Floats, goal: Floats) -> None:
    """Weigh crowds of troops: those about to overrun their hex first."""
    for h in range(N_HEXES):
        n = troops_in(s, h)
        if n == 0 or cost[h] >= FAR:
            continue
        t = s.troops[h]
        kills = kills_per_fight(s, seat, t[Troop.ORC], t[Troop.TROLL], t[Troop.ELFAR])
        for j in range(N_SLOTS):
            if h == hero_hex(s, seat) and are_card_troops_here(s, seat, j):
                kills += 0.5
        crowd = 1.0 if n < 3 else CROWD_OF_THREE if n == 3 else CROWD_OF_FOUR
        worth = WORTH_TROOP * kills * crowd * min(1.0, spaces_left(s) / LAST_SPACES)
        worth += trophy_worth(s, h, kills)
        if h == _BLACKSADDLE:
            worth *= WEIGHT_BLACKSADDLE
        worth -= risk(s, seat, t[Troop.ORC], t[Troop.TROLL])
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
