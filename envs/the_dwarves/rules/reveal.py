"""Reveal New Cards: the Scenario, the Threats it sets off, the display."""

from __future__ import annotations

from typing import Final

import numpy as np

from dwarrow.envs.core.kernels import kernel, part
from dwarrow.envs.core.record import NONE, Stream
from dwarrow.envs.core.rng import shuffle
from dwarrow.envs.the_dwarves.actions import PASS, SLOT
from dwarrow.envs.the_dwarves.cards import (
    CARD_TROOPS,
    CONDITION,
    DECK_OF,
    IMMEDIATE,
    SETUP_EFFECTS,
)
from dwarrow.envs.the_dwarves.layout import (
    N_DISPLAY,
    NIL,
    ONE,
    SCENARIO,
    End,
    Phase,
    Rule,
    State,
    Why,
)
from dwarrow.envs.the_dwarves.notation import MAX_EFFECTS
from dwarrow.envs.the_dwarves.rules.army import empty_blacksaddle, place_troops, settle
from dwarrow.envs.the_dwarves.rules.choices import choose_hero
from dwarrow.envs.the_dwarves.rules.complete import is_threat
from dwarrow.envs.the_dwarves.rules.effects import add_to_card, perform
from dwarrow.envs.the_dwarves.rules.gear import owns, spend
from dwarrow.envs.the_dwarves.rules.lookup import (
    all_heroes,
    empty_slot,
    perished_hexes,
    troops_on_map,
    wounded_heroes,
)
from dwarrow.envs.the_dwarves.rules.quests import (
    complete_card,
    discard_card,
    is_quest_done,
    settle_trophies,
)
from dwarrow.envs.the_dwarves.rules.stack import ask, finish, pop, push, seats, wide
from dwarrow.envs.the_dwarves.words import (
    N_TROOPS,
    Box,
    Condition,
    Deck,
    Equipment,
    Troop,
)

_SCENARIO, _FULFILLED, _THREATS, _DISPLAY = 0, 1, 2, 3
_FIRST_TURN = 1
ELFAR: Final[int] = np.int64(Troop.ELFAR)  # type: ignore[assignment]


@kernel
def run_reveal(s: State) -> None:
    """Go on with step 2 of a turn.

    Rule: reveal_cards (p. 8). Ruling: R18, R19, R20, R21.
    """
    f = s.stack[s.depth - 1]
    if f.stage >= _THREATS and settle_trophies(s, NONE):
        return
    if f.stage == _SCENARIO:
        if s.slots[SCENARIO].card != NONE:
            f.stage = _DISPLAY
        else:
            f.stage = _FULFILLED
            reveal_scenario(s)
    elif f.stage == _FULFILLED:
        f.stage = _THREATS
        if is_quest_done(s, SCENARIO):
            complete_card(s, SCENARIO)
            f.stage = _SCENARIO
        elif s.turn == _FIRST_TURN and s.options.keep_initial_adventures:
            f.stage = _DISPLAY
    elif f.stage == _THREATS:
        if not next_threat(s):
            discard_adventures(s)
            s.stack[s.depth - 1].stage = _DISPLAY
    elif not reveal_next(s):
        pop(s)


@kernel
def is_condition_met(s: State, card: int) -> bool:
    """Return whether a level C card may stay.

    Rule: finale_condition (p. 8).
    """
    kind, amount = CONDITION[card, 0], CONDITION[card, 1]
    if kind == Condition.PERISHED_BELOW:
        return bool(perished_hexes(s) < amount)
    if kind == Condition.PERISHED_FROM:
        return bool(perished_hexes(s) >= amount)
    if kind == Condition.ELFAR_FROM:
        return bool(troops_on_map(s, ELFAR) >= amount)
    return True


@part
def call_elfar(s: State, card: int) -> None:
    """Let elfar come through the Portal until the only level C card left can stay.

    Ruling: R51.
    """
    if CONDITION[card, 0] == Condition.ELFAR_FROM:
        missing = wide(CONDITION[card, 1]) - troops_on_map(s, ELFAR)
        place_troops(s, wide(s.tunnel), ELFAR, missing)
        settle(s)


@part
def reveal_scenario(s: State) -> None:
    """Turn the next Scenario up that may stay, and prepare it.

    Rule: scenario_cards (p. 8).
    """
    while s.n_scenario > 0:
        s.n_scenario -= 1
        card = wide(s.scenario_deck[s.n_scenario])
        s.scenario_deck[s.n_scenario] = NONE
        s.face_up[card] = 1
        if not is_condition_met(s, card) and s.n_scenario == 0:
            call_elfar(s, card)
        if is_condition_met(s, card) or s.n_scenario == 0:
            s.slots[SCENARIO].card = card
            prepare(s, card, SCENARIO)
            return
    finish(s, End.NO_FINALE)


@kernel
def prepare(s: State, card: int, j: int) -> None:
    """Carry out the preparations on a card, last first, so that the first is asked first.

    Rule: card_preparations (p. 8).
    """
    for troop in range(N_TROOPS):
        n = wide(CARD_TROOPS[card, troop])
        if n > 0:
            add_to_card(s, j, troop, n)
    set_up_card(s, card, j)


@kernel
def set_up_card(s: State, card: int, j: int) -> None:
    """Carry out what a card says of its preparation beside its troops."""
    for k in range(MAX_EFFECTS):
        perform(s, card, k, j, NIL, NIL)


@part
def next_threat(s: State) -> bool:
    """Resolve the Threats of the display one by one, in the order the active hero wants.

    Rule: threats (p. 8). Ruling: R18.
    """
    count, only = 0, wide(NONE)
    for j in range(N_DISPLAY):
        if is_threat(s, j):
            count += 1
            only = j
    if count > 1:
        ask(s, Phase.THREAT, s.active)
    elif count == 1:
        resolve_threat(s, only)
    return count > 0


@kernel
def answer_threat(s: State, action: int) -> None:
    """Resolve the chosen Threat next."""
    resolve_threat(s, action - SLOT)


@kernel
def resolve_threat(s: State, j: int) -> None:
    """Let a Threat happen; then it is discarded.

    Frame: a slot, b heroes asked for a disguise, c card; stage counts effects.
    """
    f = s.stack[push(s, Rule.THREAT, s.active)]
    f.a, f.c = j, s.slots[j].card


@kernel
def run_threat(s: State) -> None:
    """Go on with a Threat that happens: disguises, its effects, discarding it, Blacksaddle.

    Rule: threats (p. 8). Ruling: R10, R46.
    """
    f = s.stack[s.depth - 1]
    j, stage = wide(f.a), wide(f.stage)
    if settle_trophies(s, j):
        return
    if stage == 0:
        while f.b < s.n_seats:
            holder = (wide(s.active) + f.b) % seats(s)
            if owns(s, holder, Equipment.DISGUISE):
                ask(s, Phase.DISGUISE, holder)
                return
            f.b += 1
    f.stage += 1
    if stage < MAX_EFFECTS:
        perform(s, wide(f.c), SETUP_EFFECTS + stage, j, NIL, NIL)
    else:
        pop(s)
        discard_card(s, j)
        empty_blacksaddle(s)


@kernel
def answer_disguise(s: State, action: int) -> None:
    """Discard a Deceptive Disguise, and with it the Threat without effect; or pass.

    Rule: deceptive_disguise (p. 15). Ruling: R46.
    """
    f = s.stack[s.depth - 1]
    f.b += 1
    if action != PASS:
        j = wide(f.a)
        spend(s, wide(s.seat), Equipment.DISGUISE)
        pop(s)
        discard_card(s, j)


@part
def discard_adventures(s: State) -> None:
    """Discard the unresolved Adventures after the Threats.

    Rule: threats (p. 8).
    """
    for j in range(N_DISPLAY):
        if s.slots[j].card != NONE:
            discard_card(s, j)


@kernel
def reshuffle_adventures(s: State) -> None:
    """Make the discard pile the new Adventure deck if the deck has run out.

    Rule: adventure_deck (p. 5). Ruling: R49.
    """
    if s.n_adventure == 0 and s.n_discard > 0:
        for k in range(s.n_discard):
            s.adventure_deck[k] = s.discard[k]
            s.discard[k] = NONE
        s.n_adventure = s.n_discard
        s.n_discard = 0
        shuffle(s, Stream.DECK, s.adventure_deck[:], wide(s.n_adventure))


@kernel
def draw_adventure(s: State) -> int:
    """Draw from the Adventure deck; NONE if there is no card at all."""
    reshuffle_adventures(s)
    if s.n_adventure == 0:
        return NONE
    s.n_adventure -= 1
    card = wide(s.adventure_deck[s.n_adventure])
    s.adventure_deck[s.n_adventure] = NONE
    return card


@part
def reveal_next(s: State) -> bool:
    """Turn up one card for the display; return whether there was room and a card.

    Rule: adventure_and_threat_cards (p. 9).
    """
    j = empty_slot(s)
    if j == NONE:
        return False
    card = draw_adventure(s)
    if card == NONE:
        return False
    s.slots[j].card = card
    s.face_up[card] = 1
    if DECK_OF[card] == Deck.ADVENTURE:
        prepare(s, card, j)
        return True
    if IMMEDIATE[card] or is_supply_short(s, card):
        resolve_threat(s, j)
        set_up_card(s, card, j)
    else:
        prepare(s, card, j)
    council_on_threat(s)
    return True


@part
def is_supply_short(s: State, card: int) -> bool:
    """Return whether the supply cannot provide the troops for a Threat.

    Rule: threat_without_troops (p. 9). Ruling: R15.
    """
    for troop in range(N_TROOPS):  # noqa: SIM110
        if s.supply[troop] < CARD_TROOPS[card, troop]:
            return True
    return False


@part
def council_on_threat(s: State) -> None:
    """Let the council act on a newly revealed Threat: a hero loses or gains health.

    Rule: council_on_threats (p. 7). Ruling: R23.
    """
    if s.council == Box.LOSE_HEALTH:
        choose_hero(s, Why.LOSE, ONE, all_heroes(s), NIL)
    elif s.council == Box.GAIN_HEALTH and wounded_heroes(s):
        choose_hero(s, Why.HEAL, ONE, all_heroes(s), NIL)
