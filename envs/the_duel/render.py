"""The duel in words: position, why an action is illegal, how the duel ended."""

from __future__ import annotations

from typing import Any

import numpy as np

from dwarrow.envs.core.kernels import States
from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_duel import actions
from dwarrow.envs.the_duel.cards import (
    COST_DICE,
    COST_NUMBER,
    KINDS,
    LIFE,
    N_ALLIES,
    N_KINDS,
    N_LASTING,
    N_NUMBERS,
    N_WITH_LIFE,
    NAMES,
    POINTS,
    Kind,
)
from dwarrow.envs.the_duel.layout import JOKER, N_FACES, N_JOKER_CARDS, N_SEATS, PILE, Phase
from dwarrow.envs.the_duel.observe import n_unseen
from dwarrow.envs.the_duel.rules.dice import hand_size
from dwarrow.envs.the_duel.rules.payment import can_pay, n_of_die, usable_joker_cards
from dwarrow.envs.the_duel.rules.playing import n_ways_to_rest
from dwarrow.envs.the_duel.rules.supply import most_cards_to_draw
from dwarrow.envs.the_duel.scoring import points, winner

SIDES = ("the powers of good", "the powers of evil")
QUESTIONS = {
    Phase.SUPPLY: "how many cards to draw",
    Phase.EXTRA_DICE: "whether to roll more dice",
    Phase.DICE: "whether to re-roll a die",
    Phase.CARDS: "what to do in the card phase",
    Phase.REST: "which number becomes an axe",
    Phase.NUMBER: "which number to pay with",
    Phase.AXES: "how many axes to pay with",
    Phase.JOKERS: "how many Joker cards to pay with",
    Phase.REMOVE: "which card leaves the opponent’s display",
    Phase.TARGET: "what to hit",
    Phase.ANSWER: "whether to prevent the damage",
    Phase.WINDOW: "whether to throw an axe",
}

PAYMENTS = {
    Phase.NUMBER: (actions.NUMBER, actions.AXES),
    Phase.AXES: (actions.AXES, actions.JOKERS),
    Phase.JOKERS: (actions.JOKERS, actions.STRIKE),
}
"""Actions that answer a question of the payment: the first, and the first after them."""


def _list(counts: Any, names: tuple[str, ...]) -> str:
    found = [names[k] + (f" x{n}" if n > 1 else "") for k, n in enumerate(counts) if n > 0]
    return ", ".join(found) or "nothing"


def _dice(s: Any) -> str:
    shown = [actions.DICE_NAMES[face] for face in range(N_FACES) for _ in range(s.dice[face])]
    return " ".join(shown) or "none"


def _display(s: Any, seat: int) -> str:
    me, found = s.players[seat], []
    for kind in range(N_LASTING):
        for copy in range(me.display[kind]):
            life = ""
            if kind < N_WITH_LIFE:
                damage = me.damage[kind] if copy == 0 else 0
                life = f" ({LIFE[kind] - damage}/{LIFE[kind]})"
            found.append(NAMES[seat][kind] + life)
    return ", ".join(found) or "nothing"


def text(states: States, i: int, seat: int | None) -> str:
    """Return the duel as text: everything, or what `seat` may see."""
    s = states.view(np.recarray)[i]
    lines = [heading(s), _dice_line(s)]
    if s.card != NONE:
        lines.append(f"being paid for: {NAMES[s.active][s.card]}{payment(s)}")
    if s.dealer != NONE:
        target = "" if s.target == NONE else f", at {target_name(s)}"
        lines.append(f"1 damage by seat {s.dealer}{target}")
    for p in range(N_SEATS):
        lines += _player(s, p, seat)
    return "\n".join(lines)


def heading(s: Any) -> str:
    """Return whose turn it is and what is asked of whom."""
    if s.over:
        won = winner(s)
        return f"turn {s.turn}: the duel is over, seat {won} ({SIDES[won]}) wins"
    phase = Phase(int(s.phase))
    return f"turn {s.turn} of seat {s.active}: seat {s.seat} is asked {QUESTIONS[phase]}"


def _dice_line(s: Any) -> str:
    middle = N_JOKER_CARDS - sum(int(s.players[p].joker_cards) for p in range(N_SEATS))
    rolls = f", re-rolls left: {s.re_rolls}" if s.phase == Phase.DICE else ""
    new = f", new this turn: {s.new_joker_cards}" if s.new_joker_cards else ""
    ended = ", the turn is ending" if s.ended else ""
    dice = f"{s.rolled} to roll" if s.phase == Phase.EXTRA_DICE else _dice(s)
    used = ", a die was used" if s.die_used else ""
    return f"dice: {dice}{rolls}{used}; Joker cards in the middle: {middle}{new}{ended}"


def payment(s: Any) -> str:
    """Return what is chosen so far of the payment."""
    if s.pay_number == NONE:
        return ""
    number = actions.NAMES[actions.NUMBER + s.pay_number]
    return f", {number}" + ("" if s.pay_axes == NONE else f", axes {s.pay_axes}")


def target_name(s: Any) -> str:
    """Return what the damage in question is dealt to."""
    if s.target == PILE:
        return "the draw pile"
    return NAMES[1 - int(s.dealer)][int(s.target) - 1]


def _player(s: Any, p: int, seat: int | None) -> list[str]:
    me, names = s.players[p], NAMES[p]
    lines = [
        f"seat {p}, {SIDES[p]}: {points(s, p)} points, draw pile {me.pile_size}, "
        f"hand {hand_size(s, p)}, Joker cards {me.joker_cards}",
        f"  display: {_display(s, p)}",
    ]
    if seat in (None, p):
        lines.append(f"  hand: {_list(me.hand, names)}")
    else:
        unseen = [n_unseen(s, p, kind) for kind in range(N_KINDS)]
        lines.append(f"  in hand or draw pile: {_list(unseen, names)}")
    if seat is None:
        pile = [names[kind] for kind in me.pile[: me.pile_size][::-1]]
        lines.append(f"  draw pile from the top: {', '.join(pile) or 'nothing'}")
    lines.append(f"  discard pile: {_list(me.discard, names)}")
    return lines


def why(states: States, i: int, action: int) -> str:
    """Return in a sentence why `action` is illegal now."""
    s = states.view(np.recarray)[i]
    seat, phase = int(s.seat), Phase(int(s.phase))
    if phase == Phase.CARDS and action < actions.DRAW:
        return _why_not_play(s, seat, action - actions.PLAY)
    if phase == Phase.CARDS and actions.STRIKE <= action < actions.HIT:
        return _why_not_use(s, seat, action)
    if phase in PAYMENTS:
        return _why_not_pay(s, seat, phase, action)
    others = "the opponent’s display"
    if phase == Phase.SUPPLY and actions.DRAW <= action < actions.ROLL:
        return f"seat {seat} draws 1 to {most_cards_to_draw(s, seat)} cards."
    if phase == Phase.DICE and actions.RE_ROLL <= action < actions.NUMBER:
        return "no re-roll is left." if s.re_rolls == 0 else f"the dice are {_dice(s)}."
    if phase == Phase.REST and actions.NUMBER <= action < actions.AXES:
        return f"Short Rest does not fit that number; the dice are {_dice(s)}."
    if phase == Phase.TARGET and actions.HIT <= action < actions.REMOVE:
        return f"{KINDS[action - actions.HIT - 1]} is not in {others}."
    if phase == Phase.REMOVE and action >= actions.REMOVE:
        return f"{KINDS[action - actions.REMOVE]} is not in {others}."
    if action < actions.DRAW and s.players[seat].hand[action] == 0:
        return f"{KINDS[action]} is not in hand."
    return f"seat {seat} is asked {QUESTIONS[phase]}."


def _cost(kind: int) -> str:
    if COST_NUMBER[kind] != NONE:
        return f"one die {COST_NUMBER[kind] + 1}"
    return f"{COST_DICE[kind]} equal dice"


def _means(s: Any, seat: int) -> str:
    return f"unused are the dice {_dice(s)}, usable Joker cards {usable_joker_cards(s, seat)}"


def _why_not_play(s: Any, seat: int, kind: int) -> str:
    if s.players[seat].hand[kind] == 0:
        return f"{KINDS[kind]} is not in hand."
    if kind == Kind.CHAIN_MAIL:
        return "chain_mail answers damage, and none is being dealt."
    if kind == Kind.ANDOKAIS_POWER:
        return "andokais_power belongs in the dice phase."
    if not can_pay(s, seat, kind):
        return f"{KINDS[kind]} costs {_cost(kind)}; {_means(s, seat)}."
    if kind == Kind.SHORT_REST and n_ways_to_rest(s) == 0:
        return f"short_rest needs a die that fits; the dice are {_dice(s)}."
    return f"{KINDS[kind]} needs a card in the opponent’s display."


def _why_not_use(s: Any, seat: int, action: int) -> str:
    fetch = action >= actions.FETCH
    die = action - (actions.FETCH if fetch else actions.STRIKE)
    if n_of_die(s, seat, die) == 0:
        what = "usable Joker card" if die == JOKER else f"die {actions.DICE_NAMES[die]}"
        return f"no {what} is left; {_means(s, seat)}."
    if fetch and s.players[seat].joker_cards == N_JOKER_CARDS:
        return f"seat {seat} has all {N_JOKER_CARDS} Joker cards."
    if fetch:
        return "joker_ally is not in the display."
    number = f" with a {actions.DICE_NAMES[die]}" if die < N_NUMBERS else ""
    return f"no Ally in the display deals damage{number}."


def _why_not_pay(s: Any, seat: int, phase: Phase, action: int) -> str:
    first, end = PAYMENTS[phase]
    if not first <= action < end:
        return f"seat {seat} is asked {QUESTIONS[phase]}."
    cost = f"{KINDS[s.card]} costs {_cost(int(s.card))}, no more and no less"
    return f"{cost}; chosen so far: {payment(s)[2:] or 'nothing'}; {_means(s, seat)}."


def breakdown(states: States, i: int) -> dict[str, Any]:
    """Return points by kind of card, how the duel ended, whether the tie-break decided."""
    s = states.view(np.recarray)[i]
    by_kind = [
        {
            KINDS[kind]: int(s.players[p].display[kind] * POINTS[kind])
            for kind in range(N_ALLIES, N_WITH_LIFE)
        }
        for p in range(N_SEATS)
    ]
    if not s.over:
        return {"points": by_kind, "end_reason": "", "tie_break": ""}
    deed = ("drew", "lost to damage")[s.end_reason]
    tied = points(s, 0) == points(s, 1)
    return {
        "points": by_kind,
        "end_reason": f"seat {s.used_up} {deed} the last card of its draw pile",
        "tie_break": f"the draw pile of seat {winner(s)} is not used up" if tied else "",
        "winner": winner(s),
        "turns": int(s.turn),
    }
