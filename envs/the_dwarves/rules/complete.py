"""After a Scenario or an Adventure is completed: its reward, and what follows from it."""

from __future__ import annotations

from dwarrow.envs.core.kernels import kernel, part
from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_dwarves.actions import PASS, SLOT
from dwarrow.envs.the_dwarves.cards import DECK_OF, SETUP_EFFECTS
from dwarrow.envs.the_dwarves.layout import N_DISPLAY, NIL, ONE, Phase, State
from dwarrow.envs.the_dwarves.notation import MAX_EFFECTS
from dwarrow.envs.the_dwarves.rules.effects import perform
from dwarrow.envs.the_dwarves.rules.lookup import has_ability
from dwarrow.envs.the_dwarves.rules.markers import move_council
from dwarrow.envs.the_dwarves.rules.quests import discard_card
from dwarrow.envs.the_dwarves.rules.stack import ask, pop, wide
from dwarrow.envs.the_dwarves.words import Ability, Box, Deck

_QUEEN, _COUNCIL, _END = MAX_EFFECTS, MAX_EFFECTS + 1, MAX_EFFECTS + 2


@kernel
def run_complete(s: State) -> None:
    """Give the reward effect by effect, then Xamtys, then the council.

    Frame: a card, b hex where it was completed, c heroes who were there; stage counts effects.

    Rule: completing_cards (p. 15).
    """
    f = s.stack[s.depth - 1]
    stage, card = wide(f.stage), wide(f.a)
    f.stage += 1
    if stage < MAX_EFFECTS:
        perform(s, card, SETUP_EFFECTS + stage, NIL, wide(f.b), wide(f.c))
    elif DECK_OF[card] != Deck.ADVENTURE or stage == _END:
        pop(s)
    elif stage == _QUEEN:
        honour_queen(s, wide(f.seat))
    elif may_discard_threat(s):
        ask(s, Phase.DISCARD_THREAT, s.active)


@part
def honour_queen(s: State, seat: int) -> None:
    """Move the Council marker right when Xamtys completes an Adventure.

    Rule: xamtys (p. 15).
    """
    if has_ability(s, seat, Ability.COUNCIL_ON_ADVENTURE):
        move_council(s, ONE)


@kernel
def is_threat(s: State, j: int) -> bool:
    """Return whether a faceup Threat lies in slot `j`."""
    card = s.slots[j].card
    return bool(card != NONE and DECK_OF[card] == Deck.THREAT)


@part
def may_discard_threat(s: State) -> bool:
    """Return whether the council lets the team discard a faceup Threat.

    Rule: council_discard_threat (p. 7).
    """
    if s.council != Box.DISCARD_THREAT:
        return False
    for j in range(N_DISPLAY):  # noqa: SIM110
        if is_threat(s, j):
            return True
    return False


@kernel
def answer_discard_threat(s: State, action: int) -> None:
    """Discard a faceup Threat without consequence, or keep all."""
    if action != PASS:
        discard_card(s, action - SLOT)
