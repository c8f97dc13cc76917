"""Which actions are legal: one writer a question, calling only what `may_` be done."""

from __future__ import annotations

from dwarrow.envs.core.kernels import Mask, States, kernel, part
from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_dwarves.actions import (
    ADVANCE_DOOM,
    CAST,
    CHECK,
    DEFEAT,
    DISPATCHES,
    DRAW_EQUIPMENT,
    DRAW_SPELL,
    FIGHT,
    HEX,
    INCREASE,
    LOSE_HEALTH,
    MOVE,
    N_ACTIONS,
    N_PLACES,
    PASS,
    PICK_DIE,
    PICK_UP,
    PUT_DOWN,
    QUEST,
    REPEAT,
    REROLL,
    REROLL_ALL,
    REROLL_SPEED,
    RETURN,
    SET_SIX,
    SLOT,
    TAKE,
    TAKE_ONE,
    TAKE_TWO,
    TROOP,
    USE,
)
from dwarrow.envs.the_dwarves.actions import HERO as HERO_ACTION
from dwarrow.envs.the_dwarves.board import N_DIRECTIONS, N_HEXES
from dwarrow.envs.the_dwarves.cards import MAP
from dwarrow.envs.the_dwarves.layout import N_DISPLAY, N_SLOTS, Phase, Rule, State
from dwarrow.envs.the_dwarves.notation import MAX_PARTS
from dwarrow.envs.the_dwarves.rules.changes import (
    is_any_chosen,
    may_increase,
    may_raise,
    may_repeat,
    may_reroll_all,
    may_reroll_one,
    may_reroll_speed,
    may_set,
    may_use_rune,
)
from dwarrow.envs.the_dwarves.rules.checks import (
    may_assign,
    may_check_attribute,
    may_check_for_equipment,
    may_send_dispatches,
)
from dwarrow.envs.the_dwarves.rules.complete import is_threat
from dwarrow.envs.the_dwarves.rules.fight import collects, may_defeat, may_fight
from dwarrow.envs.the_dwarves.rules.gear import may_pick, owns
from dwarrow.envs.the_dwarves.rules.lookup import hero_hex, is_open_entrance
from dwarrow.envs.the_dwarves.rules.movement import (
    may_move,
    may_pick_up,
    may_put_down,
    may_ride_cart,
    may_use_tunnels,
)
from dwarrow.envs.the_dwarves.rules.quests import is_check, may_attempt, part_word
from dwarrow.envs.the_dwarves.rules.rolls import may_gather, may_shoot, may_throw_axes
from dwarrow.envs.the_dwarves.rules.stack import seats, wide
from dwarrow.envs.the_dwarves.rules.targets import (
    eligible_heroes,
    may_choose_hex,
    may_decline_hero,
    may_decline_hex,
)
from dwarrow.envs.the_dwarves.rules.turn import may_blow_horn, may_draw_spell, may_still
from dwarrow.envs.the_dwarves.rules.windows import holds_spell, may_cast, may_use
from dwarrow.envs.the_dwarves.words import (
    N_ATTRIBUTES,
    N_EQUIPMENT,
    N_SPELLS,
    N_TROOPS,
    Equipment,
    Part,
    Spell,
)

_NEIGHBOUR = MAP.neighbour


@kernel
def legal(states: States, i: int, mask: Mask) -> int:
    """Write 1 for every legal action of game `i`; return how many there are."""
    s: State = states[i]
    mask[:] = 0
    if s.over:
        return 0
    seat = wide(s.seat)
    if s.phase <= Phase.TROPHY:
        write_course(s, seat, mask)
    else:
        write_detail(s, seat, mask)
    count = 0
    for action in range(N_ACTIONS):
        count += mask[action]
    return count


@part
def write_course(s: State, seat: int, mask: Mask) -> None:
    """Write `mask` for questions about actions, steps, dice and hits."""
    phase = s.phase
    if phase == Phase.ACTION:
        write_action(s, seat, mask)
    elif phase == Phase.STEP:
        write_step(s, seat, mask)
    elif phase == Phase.PENALTY:
        mask[LOSE_HEALTH] = 1
        mask[ADVANCE_DOOM] = 1
    elif phase == Phase.PREPARE:
        write_prepare(s, seat, mask)
    elif phase == Phase.DICE:
        write_dice(s, seat, mask)
    elif phase == Phase.SELECT:
        mask[PASS] = is_any_chosen(s)
        for k in range(wide(s.stack[s.depth - 1].a), wide(s.n_dice)):
            mask[PICK_DIE + k] = 1
    elif phase == Phase.ASSIGN:
        for j in range(N_SLOTS):
            for k in range(MAX_PARTS):
                mask[QUEST + j * MAX_PARTS + k] = may_assign(
                    s, seat, j, k, wide(s.stack[s.depth - 1].d)
                )
    elif phase == Phase.ALLOCATE:
        die = wide(s.stack[s.depth - 1].b)
        for place in range(N_PLACES):
            for troop in range(N_TROOPS):
                mask[DEFEAT + place * N_TROOPS + troop] = may_defeat(s, seat, die, place, troop)
    elif phase == Phase.EXTRA_TROOP:
        mask[PASS] = 1
        for troop in range(N_TROOPS):
            mask[TROOP + troop] = s.troops[hero_hex(s, seat)][troop] > 0
    else:
        for j in range(N_SLOTS):
            mask[SLOT + j] = collects(s, j, wide(s.stack[s.depth - 1].a))


@part
def write_detail(s: State, seat: int, mask: Mask) -> None:
    """Write `mask` for questions about cards, heroes, hexes and troops."""
    phase = s.phase
    if phase == Phase.WINDOW:
        mask[PASS] = 1
        write_plays(s, seat, mask)
    elif phase == Phase.DRUMS:
        mask[PASS] = 1
        for troop in range(N_TROOPS):
            mask[TROOP + troop] = may_still(s, troop)
    elif phase == Phase.HERO:
        mask[PASS] = may_decline_hero(s)
        heroes = eligible_heroes(s)
        for p in range(seats(s)):
            if (heroes >> p) & 1:
                mask[HERO_ACTION + s.players[p].hero] = 1
    elif phase == Phase.HEX:
        mask[PASS] = may_decline_hex(s)
        for h in range(N_HEXES):
            mask[HEX + h] = may_choose_hex(s, h)
    elif phase == Phase.TROOP:
        mask[TROOP : TROOP + N_TROOPS] = 1
    elif phase == Phase.THREAT or phase == Phase.DISCARD_THREAT:
        mask[PASS] = phase == Phase.DISCARD_THREAT
        for j in range(N_DISPLAY):
            mask[SLOT + j] = is_threat(s, j)
    elif phase == Phase.EQUIPMENT:
        write_equipment(s, mask)
    elif phase == Phase.SHIELD:
        mask[PASS] = 1
        mask[TAKE_ONE] = 1
        mask[TAKE_TWO] = 1
    elif phase == Phase.DISGUISE:
        mask[PASS] = 1
        mask[USE + Equipment.DISGUISE] = 1
    else:
        for spell in range(N_SPELLS):
            mask[RETURN + spell] = s.hand[spell]


@kernel
def write_plays(s: State, seat: int, mask: Mask) -> None:
    """Write `mask` for the cards that may be played at any time."""
    mask[USE + Equipment.HERBS] = may_use(s, seat, Equipment.HERBS)
    mask[USE + Equipment.SKULL] = may_use(s, seat, Equipment.SKULL)
    for spell in range(N_SPELLS):
        if may_cast(s, seat, spell):
            mask[CAST + spell] = 1


@part
def write_action(s: State, seat: int, mask: Mask) -> None:
    """Write `mask` for the choice of an action.

    Rule: actions (p. 9).
    """
    mask[PASS] = 1
    mask[USE + Equipment.WAR_HORN] = may_blow_horn(s, seat)
    write_plays(s, seat, mask)
    mask[PICK_UP] = may_pick_up(s, seat)
    mask[PUT_DOWN] = may_put_down(s, seat)
    if s.actions_left == 0:
        return
    mask[MOVE] = may_move(s, seat)
    mask[FIGHT] = may_fight(s, seat)
    mask[DISPATCHES] = may_send_dispatches(s)
    mask[DRAW_EQUIPMENT] = may_check_for_equipment(s, seat)
    mask[DRAW_SPELL] = may_draw_spell(s, seat)
    named_later = s.options.name_card == 1
    for j in range(N_SLOTS):
        if s.slots[j].card == NONE:
            continue
        for k in range(MAX_PARTS):
            if not is_check(part_word(s, j, k)):
                continue
            if not named_later or part_word(s, j, k) > Part.PLANT:
                mask[QUEST + j * MAX_PARTS + k] = may_attempt(s, seat, j, k)
    if named_later:
        for what in range(N_ATTRIBUTES):
            mask[CHECK + what] = may_check_attribute(s, seat, what)


@part
def write_step(s: State, seat: int, mask: Mask) -> None:
    """Write `mask` for the next step of a move.

    Rule: move (p. 9).
    """
    mask[PASS] = 1
    here = hero_hex(s, seat)
    for d in range(N_DIRECTIONS):
        if _NEIGHBOUR[here, d] != NONE:
            mask[HEX + _NEIGHBOUR[here, d]] = 1
    if may_use_tunnels(s, seat):
        for h in range(N_HEXES):
            if h != here and is_open_entrance(s, h):
                mask[HEX + h] = 1
    mask[USE + Equipment.CART_PASS] = may_ride_cart(s, seat)
    mask[PICK_UP] = may_pick_up(s, seat)
    mask[PUT_DOWN] = may_put_down(s, seat)


@part
def write_prepare(s: State, seat: int, mask: Mask) -> None:
    """Write `mask` for what may be added to a roll."""
    roller = wide(s.stack[s.depth - 1].seat)
    mask[PASS] = 1
    mask[USE + Equipment.THROWING_AXES] = may_throw_axes(s, seat, roller)
    mask[USE + Equipment.CROSSBOW] = may_shoot(s, seat, roller)
    mask[CAST + Spell.GATHER_STRENGTH] = may_gather(s, seat)


@part
def write_dice(s: State, seat: int, mask: Mask) -> None:
    """Write `mask` for what may change a roll."""
    roller = wide(s.stack[s.depth - 1].seat)
    mask[PASS] = 1
    reroll, increase = may_reroll_one(s, seat, roller), may_increase(s, seat, roller)
    for k in range(wide(s.n_dice)):
        mask[REROLL + k] = reroll
        mask[INCREASE + k] = increase and may_raise(s, k)
        mask[SET_SIX + k] = may_set(s, seat, k)
        mask[REPEAT + k] = may_repeat(s, seat, k)
    mask[REROLL_ALL] = may_reroll_all(s, seat, roller)
    mask[REROLL_SPEED] = may_reroll_speed(s, seat, roller)
    mask[USE + Equipment.RUNE_STONE] = may_use_rune(s, seat, roller)
    mask[CAST + Spell.SECOND_FATE] = holds_spell(s, seat, Spell.SECOND_FATE)


@part
def write_equipment(s: State, mask: Mask) -> None:
    """Write `mask` for a choice among Equipment cards."""
    f = s.stack[s.depth - 1]
    for title in range(N_EQUIPMENT):
        if f.rule == Rule.PICK:
            mask[TAKE + title] = may_pick(s, title, f.a == 1)
        else:
            mask[TAKE + title] = owns(s, wide(f.a), title)
