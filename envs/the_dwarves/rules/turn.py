"""A hero's turn: its beginning, the Hero marker and its icons, the actions."""

from __future__ import annotations

from typing import Final

import numpy as np

from dwarrow.envs.core.kernels import kernel, part
from dwarrow.envs.core.record import NONE, Stream
from dwarrow.envs.core.rng import draw, shuffle
from dwarrow.envs.the_dwarves.actions import (
    CHECK,
    DISPATCHES,
    DRAW_EQUIPMENT,
    DRAW_SPELL,
    FIGHT,
    MOVE,
    PASS,
    PICK_UP,
    PUT_DOWN,
    QUEST,
    USE,
)
from dwarrow.envs.the_dwarves.cards import EQUIPMENT_AMOUNT, MAP, ONGOING_OF, RECRUITMENT, TRACK
from dwarrow.envs.the_dwarves.layout import (
    ACTIONS_PER_TURN,
    MORE_THREATS,
    N_DISPLAY,
    N_SLOTS,
    NIL,
    ONE,
    Ends,
    Phase,
    Purpose,
    Rule,
    State,
    Turn,
    Where,
)
from dwarrow.envs.the_dwarves.notation import MAX_PARTS
from dwarrow.envs.the_dwarves.rules.army import place_troops, settle
from dwarrow.envs.the_dwarves.rules.checks import (
    attempt,
    check_attribute,
    check_for_equipment,
    send_dispatches,
)
from dwarrow.envs.the_dwarves.rules.choices import choose_hex, recruit
from dwarrow.envs.the_dwarves.rules.effects import ALL_DICE
from dwarrow.envs.the_dwarves.rules.fight import fight
from dwarrow.envs.the_dwarves.rules.gear import draw_spell, owns, return_spell, spend
from dwarrow.envs.the_dwarves.rules.health import lose
from dwarrow.envs.the_dwarves.rules.lookup import has_ability
from dwarrow.envs.the_dwarves.rules.markers import advance_doom, markers_meet, move_council
from dwarrow.envs.the_dwarves.rules.movement import handle_marker
from dwarrow.envs.the_dwarves.rules.quests import (
    break_journeys,
    end_turn_of_quests,
    evaluate_quests,
    settle_trophies,
    start_journeys,
)
from dwarrow.envs.the_dwarves.rules.reveal import reshuffle_adventures
from dwarrow.envs.the_dwarves.rules.rolls import FACES, begin_attribute_roll
from dwarrow.envs.the_dwarves.rules.stack import ask, pop, push, seats, wide
from dwarrow.envs.the_dwarves.rules.windows import holds_spell, open_window, play
from dwarrow.envs.the_dwarves.words import (
    N_TROOPS,
    Ability,
    Attribute,
    Box,
    Equipment,
    Icon,
    Ongoing,
    Spell,
)

_GATE = MAP.gate
SPEED: Final[int] = np.int64(Attribute.SPEED)  # type: ignore[assignment]


@kernel
def run_turn(s: State) -> None:
    """Go on with the turn; frame: seat, stage as in `Turn`.

    Rule: turn (p. 6).
    """
    f = s.stack[s.depth - 1]
    seat, stage = wide(f.seat), wide(f.stage)
    if Turn.BEGIN < stage < Turn.ACTIONS and settle_trophies(s, NONE):
        return
    if stage != Turn.ACTIONS:
        f.stage = stage + 1
    if stage == Turn.BEGIN:
        begin_turn(s, seat)
    elif stage == Turn.COUNCIL:
        if s.council == Box.DOOM_ADVANCES:
            advance_doom(s)
    elif stage == Turn.POISON:
        suffer_poison(s, seat)
    elif stage == Turn.ADVANCE:
        advance_hero_marker(s)
    elif stage == Turn.REVEAL:
        push(s, Rule.REVEAL, seat)
    elif stage == Turn.START_ACTIONS:
        s.actions_left = ACTIONS_PER_TURN
    elif not evaluate_quests(s):
        if s.actions_left > 0 or may_blow_horn(s, seat):
            ask(s, Phase.ACTION, seat)
        else:
            end_turn(s)


@part
def begin_turn(s: State, seat: int) -> None:
    """Begin a turn with a window for cards that may be played at any time.

    Rule: turn (p. 6).
    """
    s.turn += 1
    s.active = seat
    s.players[seat].dropped = 0
    s.horn_blown = 0
    for j in range(N_SLOTS):
        s.slots[j].stood[seat] = 0
    open_window(s)


@part
def suffer_poison(s: State, seat: int) -> None:
    """Let the poisoned hero lose a heart at the start of each own turn.

    Rule: deadly_poison (p. 11).
    """
    for j in range(N_DISPLAY):
        card = s.slots[j].card
        if card != NONE and ONGOING_OF[card] == Ongoing.POISON and s.slots[j].attached == seat:
            lose(s, seat, ONE)


@part
def advance_hero_marker(s: State) -> None:
    """Advance the Hero marker and take the action of its space.

    Rule: hero_marker (p. 6). Ruling: R1, R2.
    """
    if s.skip_hero_marker:
        s.skip_hero_marker = 0
        return
    s.hero_marker += 1
    if markers_meet(s):
        return
    icon = TRACK[s.hero_marker]
    if icon == Icon.COUNCIL:
        move_council(s, -ONE)
    elif icon == Icon.THREATS:
        shuffle_threats_in(s, wide(MORE_THREATS))
    else:
        recruit(s, wide(_GATE[icon - Icon.GATE_I]), ALL_DICE, Ends.TO_HEX, NIL)


@kernel
def shuffle_threats_in(s: State, n: int) -> None:
    """Shuffle Threats into the Adventure deck, unseen; an exhausted deck is made anew first.

    Rule: threat_icon (p. 7). Ruling: R49, R50.
    """
    reshuffle_adventures(s)
    for _ in range(min(n, wide(s.n_threat))):
        s.n_threat -= 1
        s.adventure_deck[s.n_adventure] = s.threat_deck[s.n_threat]
        s.threat_deck[s.n_threat] = NONE
        s.n_adventure += 1
    shuffle(s, Stream.DECK, s.adventure_deck[:], wide(s.n_adventure))


# Recruitment


@kernel
def run_recruit(s: State) -> None:
    """Roll the Recruitment dice, let the drums be stilled, then use them.

    Frame: a hex, b dice, c what becomes of the troops, d slot.

    Rule: place_troops (p. 7).
    """
    f = s.stack[s.depth - 1]
    if f.stage == 0:
        f.stage = 1
        roll_recruitment(s, wide(f.b))
        holder = drummer(s)
        if holder != NONE:
            ask(s, Phase.DRUMS, holder)
            return
    end_recruit(s)


@part
def roll_recruitment(s: State, dice: int) -> None:
    """Roll Recruitment dice; the council may want blanks rolled once more.

    Rule: council_reroll_blanks (p. 7).
    """
    for troop in range(N_TROOPS):
        s.recruited[troop] = NONE
        if (dice >> troop) & 1:
            s.recruited[troop] = RECRUITMENT[troop, draw(s, Stream.DICE, FACES)]
    if s.council == Box.REROLL_BLANKS:
        for troop in range(N_TROOPS):
            if s.recruited[troop] == 0:
                s.recruited[troop] = RECRUITMENT[troop, draw(s, Stream.DICE, FACES)]


@kernel
def may_still(s: State, troop: int) -> bool:
    """Return whether a Recruitment die just rolled shows more than its lowest face.

    Rule: spells (p. 15).
    """
    return bool(s.recruited[troop] > RECRUITMENT[troop, 0])


@part
def drummer(s: State) -> int:
    """Return the seat that can still the drums now, or NONE."""
    for p in range(seats(s)):
        if holds_spell(s, p, Spell.STILL_THE_DRUMS):
            for troop in range(N_TROOPS):
                if may_still(s, troop):
                    return p
    return NONE


@kernel
def answer_drums(s: State, action: int, first: int) -> None:
    """Set one Recruitment die to its lowest face, or leave all."""
    if action != PASS:
        return_spell(s, Spell.STILL_THE_DRUMS)
        s.recruited[action - first] = RECRUITMENT[action - first, 0]


@part
def end_recruit(s: State) -> None:
    """Put the recruited troops on their hex or card, or remove as many from the map.

    Rule: place_troops (p. 7).
    """
    f = s.stack[s.depth - 1]
    h, ends, j, chooser = wide(f.a), wide(f.c), wide(f.d), wide(f.seat)
    pop(s)
    for troop in range(N_TROOPS):
        n = wide(s.recruited[troop])
        s.recruited[troop] = NONE
        if n <= 0:
            continue
        if ends == Ends.TO_HEX:
            place_troops(s, h, troop, n)
        elif ends == Ends.TO_CARD:
            placed = min(n, wide(s.supply[troop]))
            s.supply[troop] -= placed
            s.slots[j].troops[troop] += placed
        else:
            choose_hex(s, Where.REMOVE, troop, n, NIL)
            s.stack[s.depth - 1].seat = chooser
    if ends == Ends.TO_HEX:
        settle(s)


@kernel
def answer_troop(s: State, action: int, first: int) -> None:
    """Roll the chosen Recruitment die; frame: a what becomes of the troops, d slot."""
    f = s.stack[s.depth - 1]
    ends, j, chooser = wide(f.a), wide(f.d), wide(f.seat)
    pop(s)
    recruit(s, NIL, 1 << (action - first), ends, j)
    s.stack[s.depth - 1].seat = chooser


# Actions


@kernel
def may_blow_horn(s: State, seat: int) -> bool:
    """Return whether a War Horn can bring another action, once a turn.

    A check for equipment can bring the horn back that was just spent; it must not bring the turn to
    a standstill.

    Rule: war_horn (p. 15).
    """
    return owns(s, seat, Equipment.WAR_HORN) and not s.horn_blown


@part
def may_draw_spell(s: State, seat: int) -> bool:
    """Return whether Andokai can take the action of drawing a spell.

    Rule: spells (p. 15).
    """
    return has_ability(s, seat, Ability.SPELLS) and s.n_spells > 0


@kernel
def answer_action(s: State, action: int) -> None:
    """Take an action, or play a card without one.

    Rule: actions (p. 9).
    """
    seat = wide(s.seat)
    if action == PASS:
        if s.actions_left == 0:
            end_turn(s)
        else:
            s.actions_left -= 1
    elif action == USE + Equipment.WAR_HORN:
        spend(s, seat, Equipment.WAR_HORN)
        s.horn_blown = 1
        s.actions_left += EQUIPMENT_AMOUNT[Equipment.WAR_HORN]
    elif action in (PICK_UP, PUT_DOWN):
        handle_marker(s, seat, action)
    elif action >= USE:
        play(s, seat, action)
    else:
        s.actions_left -= 1
        if action == MOVE:
            start_journeys(s, seat)
            begin_attribute_roll(s, seat, Purpose.MOVE, SPEED, wide(FACES))
        else:
            break_journeys(s, seat)
            take_action(s, seat, action)


@part
def take_action(s: State, seat: int, action: int) -> None:
    """Take an action other than Move.

    Rule: actions (p. 9).
    """
    if action == FIGHT:
        fight(s, seat)
    elif action == DISPATCHES:
        send_dispatches(s, seat)
    elif action == DRAW_EQUIPMENT:
        check_for_equipment(s, seat)
    elif action == DRAW_SPELL:
        draw_spell(s, seat)
    elif action >= CHECK:
        check_attribute(s, seat, action - CHECK)
    else:
        attempt(s, seat, (action - QUEST) // MAX_PARTS, (action - QUEST) % MAX_PARTS)


@kernel
def end_turn(s: State) -> None:
    """End the turn; the next hero in clockwise order is active.

    Rule: turn (p. 6).
    """
    end_turn_of_quests(s)
    f = s.stack[s.depth - 1]
    f.seat = (f.seat + 1) % s.n_seats
    f.stage = Turn.BEGIN
