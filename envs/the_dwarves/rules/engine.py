"""Runs the stack until somebody has a choice, and hands answers to the rule that asked."""

from __future__ import annotations

from dwarrow.envs.core.kernels import States, kernel, part
from dwarrow.envs.the_dwarves.actions import RETURN, TROOP
from dwarrow.envs.the_dwarves.layout import Phase, Purpose, Rule, State
from dwarrow.envs.the_dwarves.rules.changes import (
    answer_dice,
    answer_select,
    run_roll,
    run_select,
)
from dwarrow.envs.the_dwarves.rules.checks import (
    answer_assign,
    end_check,
    end_check_for_equipment,
    end_dispatches,
    end_health_dice,
    end_strike,
    run_assign,
)
from dwarrow.envs.the_dwarves.rules.complete import answer_discard_threat, run_complete
from dwarrow.envs.the_dwarves.rules.fight import (
    answer_allocate,
    answer_extra,
    answer_trophy,
    begin_bolt,
    begin_hits,
    run_fight,
    run_trophy,
)
from dwarrow.envs.the_dwarves.rules.gear import (
    answer_equipment,
    return_spell,
    run_equip,
    run_pick,
    run_spells,
    run_spoil,
)
from dwarrow.envs.the_dwarves.rules.health import answer_shield, run_lose, run_split
from dwarrow.envs.the_dwarves.rules.movement import (
    answer_penalty,
    answer_step,
    begin_move,
    run_move,
)
from dwarrow.envs.the_dwarves.rules.reveal import (
    answer_disguise,
    answer_threat,
    run_reveal,
    run_threat,
)
from dwarrow.envs.the_dwarves.rules.rolls import answer_prepare, highest_die
from dwarrow.envs.the_dwarves.rules.stack import ask, pop, wide
from dwarrow.envs.the_dwarves.rules.targets import answer_hero, answer_hex, run_hero, run_hex
from dwarrow.envs.the_dwarves.rules.turn import (
    answer_action,
    answer_drums,
    answer_troop,
    run_recruit,
    run_turn,
)
from dwarrow.envs.the_dwarves.rules.windows import answer_window, run_window


@kernel
def run(s: State) -> None:
    """Let the rule on top of the stack go on until a question is asked or the game is over."""
    while s.phase == Phase.RUN:
        rule = s.stack[s.depth - 1].rule
        if rule <= Rule.PENALTY:
            run_course(s, rule)
        else:
            run_detail(s, rule)


@part
def run_course(s: State, rule: int) -> None:
    """Go on with the course of a turn."""
    if rule == Rule.TURN:
        run_turn(s)
    elif rule == Rule.WINDOW:
        run_window(s)
    elif rule == Rule.REVEAL:
        run_reveal(s)
    elif rule == Rule.THREAT:
        run_threat(s)
    elif rule == Rule.COMPLETE:
        run_complete(s)
    elif rule == Rule.ROLL:
        if run_roll(s):
            fulfil_roll(s)
    elif rule == Rule.MOVE:
        run_move(s)
    else:
        ask(s, Phase.PENALTY, s.stack[s.depth - 1].seat)


@part
def run_detail(s: State, rule: int) -> None:
    """Go on with what a turn sets off."""
    if rule == Rule.FIGHT:
        run_fight(s)
    elif rule == Rule.TROPHY:
        run_trophy(s)
    elif rule == Rule.RECRUIT:
        run_recruit(s)
    elif rule == Rule.LOSE:
        run_lose(s)
    elif rule == Rule.SPLIT:
        run_split(s)
    elif rule == Rule.HERO:
        run_hero(s)
    elif rule == Rule.HEX:
        run_hex(s)
    elif rule == Rule.TROOP:
        ask(s, Phase.TROOP, s.stack[s.depth - 1].seat)
    elif rule == Rule.EQUIP:
        run_equip(s)
    elif rule == Rule.PICK:
        run_pick(s)
    elif rule == Rule.SPOIL:
        run_spoil(s)
    elif rule == Rule.SPELLS:
        run_spells(s)
    elif rule == Rule.SELECT:
        run_select(s)
    else:
        run_assign(s)


@part
def fulfil_roll(s: State) -> None:
    """Use a roll that stands for what it was made for.

    Rule: number_dice (p. 9).
    """
    f = s.stack[s.depth - 1]
    seat, j, k, what = wide(f.seat), wide(f.a), wide(f.b), wide(f.d)
    pop(s)
    purpose = s.purpose
    if purpose == Purpose.MOVE:
        begin_move(s, seat, min(highest_die(s), 6))
    elif purpose == Purpose.FIGHT:
        begin_hits(s, seat)
    elif purpose == Purpose.DISPATCHES:
        end_dispatches(s)
    elif purpose == Purpose.CHECK:
        end_check(s, seat, j, k, what)
    elif purpose == Purpose.EQUIPMENT:
        end_check_for_equipment(s)
    elif purpose == Purpose.HEALTH:
        end_health_dice(s, j, k)
    else:
        if s.crossbow:
            begin_bolt(s, seat)
        end_strike(s, seat, j, k)


@part
def answer(s: State, action: int) -> None:
    """Hand an answer to the rule that asked."""
    phase = wide(s.phase)
    s.phase = Phase.RUN
    if phase <= Phase.TROPHY:
        answer_course(s, phase, action)
    else:
        answer_detail(s, phase, action)


@part
def answer_course(s: State, phase: int, action: int) -> None:
    """Hand on answers about actions, steps, dice and hits."""
    if phase == Phase.ACTION:
        answer_action(s, action)
    elif phase == Phase.STEP:
        answer_step(s, action)
    elif phase == Phase.PENALTY:
        answer_penalty(s, action)
    elif phase == Phase.PREPARE:
        answer_prepare(s, action)
    elif phase == Phase.DICE:
        answer_dice(s, action)
    elif phase == Phase.SELECT:
        answer_select(s, action)
    elif phase == Phase.ASSIGN:
        answer_assign(s, action)
    elif phase == Phase.ALLOCATE:
        answer_allocate(s, action)
    elif phase == Phase.EXTRA_TROOP:
        answer_extra(s, action)
    else:
        answer_trophy(s, action)


@part
def answer_detail(s: State, phase: int, action: int) -> None:
    """Hand on answers about cards, heroes, hexes and troops."""
    if phase == Phase.WINDOW:
        answer_window(s, action)
    elif phase == Phase.DRUMS:
        answer_drums(s, action, TROOP)
    elif phase == Phase.HERO:
        answer_hero(s, action)
    elif phase == Phase.HEX:
        answer_hex(s, action)
    elif phase == Phase.TROOP:
        answer_troop(s, action, TROOP)
    elif phase == Phase.THREAT:
        answer_threat(s, action)
    elif phase == Phase.DISCARD_THREAT:
        answer_discard_threat(s, action)
    elif phase == Phase.EQUIPMENT:
        answer_equipment(s, action)
    elif phase == Phase.SHIELD:
        answer_shield(s, action)
    elif phase == Phase.DISGUISE:
        answer_disguise(s, action)
    else:
        return_spell(s, action - RETURN)


@kernel
def step(states: States, i: int, action: int) -> bool:
    """Play a legal action in game `i`; return whether the game is over."""
    s: State = states[i]
    s.decision += 1
    answer(s, action)
    run(s)
    return s.over == 1
