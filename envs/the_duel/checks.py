"""What every sound record keeps, and what follows from a position that is loaded in part."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntFlag
from typing import Any

import numpy as np

from dwarrow.envs.core.kernels import States, kernel
from dwarrow.envs.core.record import NONE, Stream
from dwarrow.envs.core.rng import shuffle
from dwarrow.envs.the_duel.cards import (
    COPIES,
    COST_DICE,
    DECK_SIZE,
    KINDS,
    LIFE,
    N_KINDS,
    N_LASTING,
    N_WITH_LIFE,
)
from dwarrow.envs.the_duel.layout import (
    BASE_DICE,
    MAX_DICE,
    MAX_TURNS,
    N_FACES,
    N_JOKER_CARDS,
    N_SEATS,
    PILE,
    Phase,
    State,
)
from dwarrow.envs.the_duel.rules.dice import take_dice
from dwarrow.envs.the_duel.rules.turn import asked_seat, n_answers


class Violation(IntFlag):
    """What can be wrong with a record."""

    CARDS_ARE_NOT_THE_DECK = 1
    JOKER_CARDS_ARE_NOT_THREE = 2
    DICE_DO_NOT_ADD_UP = 4
    DAMAGE_DOES_NOT_FIT_THE_DISPLAY = 8
    QUESTION_DOES_NOT_FIT_THE_TABLE = 16
    WRONG_SEAT = 32
    DRAW_PILE_IS_USED_UP = 64
    WRONG_TURN = 128


# Plain ints for the kernels, which cannot read an IntFlag.
CARDS, JOKERS, DICE, DAMAGE, QUESTION, SEAT, USED_UP, TURN = (int(v) for v in Violation)


@kernel
def violations(states: States, i: int) -> int:
    """Return the broken invariants as bits of `Violation`; 0 for all that play can reach."""
    s: State = states[i]
    if not (0 <= s.active < N_SEATS and 0 <= s.starter < N_SEATS and NONE <= s.dealer < N_SEATS):
        return SEAT
    bits = 0
    jokers = 0
    for seat in range(N_SEATS):
        if not is_deck(s, seat):
            bits |= CARDS
        if not is_damage_sound(s, seat):
            bits |= DAMAGE
        held = s.players[seat].joker_cards
        jokers += held
        if held < 0:
            bits |= JOKERS
    if jokers > N_JOKER_CARDS or not 0 <= s.new_joker_cards <= s.players[s.active].joker_cards:
        bits |= JOKERS
    if not 1 <= s.turn <= MAX_TURNS or (s.turn + s.starter + s.active) % N_SEATS == 0:
        bits |= TURN
    if not are_dice_sound(s):
        bits |= DICE
    if bits == 0:
        bits |= question_violations(s)
    return bits


@kernel
def is_deck(s: State, seat: int) -> bool:
    """Return whether all zones of a player together are the deck."""
    me = s.players[seat]
    for place in range(DECK_SIZE):
        if (me.pile[place] == NONE) != (place >= me.pile_size):
            return False
    for kind in range(N_KINDS):
        n = me.hand[kind] + me.discard[kind]
        least = min(me.hand[kind], me.discard[kind])
        if kind < N_LASTING:
            n += me.display[kind]
            least = min(least, me.display[kind])
        for place in range(me.pile_size):
            n += me.pile[place] == kind
        if s.active == seat and s.card == kind:
            n += 1
        if least < 0 or n != COPIES[kind]:
            return False
    return True


@kernel
def is_damage_sound(s: State, seat: int) -> bool:
    """Return whether damage lies on displayed cards and below their life."""
    me = s.players[seat]
    for kind in range(N_WITH_LIFE):
        damage = me.damage[kind]
        if not 0 <= damage < LIFE[kind] or (damage > 0 and me.display[kind] == 0):
            return False
    return True


@kernel
def are_dice_sound(s: State) -> bool:
    """Return whether the dice fit the phase."""
    total = 0
    for face in range(N_FACES):
        if s.dice[face] < 0:
            return False
        total += s.dice[face]
    if s.phase == Phase.OVER:
        return True
    if s.phase == Phase.SUPPLY:
        return s.rolled == 0 and total == 0 and s.re_rolls == 0
    if not BASE_DICE <= s.rolled <= MAX_DICE or s.re_rolls < 0:
        return False
    if s.phase == Phase.EXTRA_DICE:
        return total == 0 and s.re_rolls == 0
    if s.phase == Phase.DICE:
        return bool(total == s.rolled)
    return s.re_rolls == 0 and total <= s.rolled and (bool(total == s.rolled) or s.die_used == 1)


@kernel
def question_violations(s: State) -> int:
    """Return what is wrong with phase, seat and the matter in hand; cards and dice are sound."""
    bits = 0
    ended = s.phase == Phase.OVER
    if ended != (s.over == 1) or ended != (s.used_up != NONE):
        bits |= QUESTION
    for seat in range(N_SEATS):
        if (s.players[seat].pile_size == 0) != (s.used_up == seat):
            bits |= USED_UP
    if s.ended not in (0, 1) or s.die_used not in (0, 1) or (s.ended and s.phase < Phase.TARGET):
        bits |= QUESTION
    if not is_damage_question_sound(s) or not is_card_question_sound(s):
        return bits | QUESTION
    if s.seat != (NONE if ended else asked_seat(s)):
        bits |= SEAT
    return bits


@kernel
def is_damage_question_sound(s: State) -> bool:
    """Return whether dealer and target are set just when they are asked about."""
    if (s.dealer != NONE) != (s.phase == Phase.TARGET or s.phase == Phase.ANSWER):
        return False
    if (s.target != NONE) != (s.phase == Phase.ANSWER):
        return False
    if s.phase != Phase.ANSWER or s.target == PILE:
        return True
    return bool(s.players[1 - s.dealer].display[s.target - 1] > 0)


@kernel
def is_card_question_sound(s: State) -> bool:
    """Return whether card and payment are set just when asked about, and can be answered."""
    paying = s.phase == Phase.NUMBER or s.phase == Phase.AXES or s.phase == Phase.JOKERS
    if (s.card != NONE) != paying or (s.pay_axes != NONE) != (s.phase == Phase.JOKERS):
        return False
    if (s.pay_number != NONE) != (s.phase == Phase.AXES or s.phase == Phase.JOKERS):
        return False
    if paying and COST_DICE[s.card] == 0:
        return False
    if paying or s.phase == Phase.REST or s.phase == Phase.REMOVE:
        return n_answers(s, s.active) > 0
    return True


def complete(states: States, i: int, data: Mapping[str, Any]) -> None:
    """Derive what a partial position leaves open: draw piles, the number of dice, who is asked.

    A player whose cards are given without a draw pile gets the rest of the deck as pile, shuffled.

    Raises:
        ValueError: the cards given are not those of a deck; the card and its places are named.
    """
    s: Any = states.view(np.recarray)[i]
    given = data.get("players", {})
    if not isinstance(given, Mapping):
        given = dict(enumerate(given))
    for key, player in given.items():
        zones = {"hand", "display", "discard"} & set(player)
        if zones and "pile" not in player:
            _fill_pile(s, int(key))
    if data.get("card") and str(s.active) not in map(str, given) and s.active in range(N_SEATS):
        _fill_pile(s, int(s.active))
    for seat in range(N_SEATS):
        _check_cards(s, seat)
    if "rolled" not in data and s.phase == Phase.EXTRA_DICE:
        take_dice(s, s.active)
    elif "rolled" not in data and "dice" in data:
        s.rolled = max(BASE_DICE, int(s.dice.sum()))
        s.die_used |= int(s.dice.sum() < s.rolled and "die_used" not in data)
    if "seat" not in data and s.phase != Phase.OVER and 0 <= s.active < N_SEATS:
        s.seat = asked_seat(s)


def _lying(s: Any, seat: int) -> dict[str, Any]:
    """Return how often each kind lies in each place but the draw pile."""
    me = s.players[seat]
    played = [int(s.active == seat and s.card == kind) for kind in range(N_KINDS)]
    display = [*map(int, me.display), *[0] * (N_KINDS - N_LASTING)]
    hand, discard = list(map(int, me.hand)), list(map(int, me.discard))
    return {"hand": hand, "display": display, "discard": discard, "card": played}


def _fill_pile(s: Any, seat: int) -> None:
    me, lying = s.players[seat], _lying(s, seat)
    rest = [int(COPIES[kind]) - sum(n[kind] for n in lying.values()) for kind in range(N_KINDS)]
    cards = [kind for kind in range(N_KINDS) for _ in range(max(rest[kind], 0))]
    me.pile[:] = NONE
    me.pile[: len(cards)] = cards
    me.pile_size = len(cards)
    shuffle(s, Stream.DECK, me.pile, me.pile_size)


def _check_cards(s: Any, seat: int) -> None:
    me, lying = s.players[seat], _lying(s, seat)
    pile = me.pile[: me.pile_size].tolist()
    lying["pile"] = [pile.count(kind) for kind in range(N_KINDS)]
    for kind in range(N_KINDS):
        places = {place: n[kind] for place, n in lying.items() if n[kind]}
        if sum(places.values()) != COPIES[kind] or min(places.values(), default=0) < 0:
            where = ", ".join(f"{place} {n}" for place, n in places.items()) or "nowhere"
            total = sum(sum(n) for n in lying.values())
            raise ValueError(
                f"players.{seat}: {sum(places.values())} {KINDS[kind]} ({where}) in {total} cards; "
                f"the deck has {COPIES[kind]} in {DECK_SIZE}"
            )
