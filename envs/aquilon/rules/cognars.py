"""Recruiting Cognars: lines, mercenaries in pairs and chains, and each Cognar's own effect.

`State.chain` follows a lord's mercenaries: 0 none under way, 1 the first of a pair stands and its
partner is due, 2 the last one completed a line too, so another may follow without condition.
"""

from __future__ import annotations

from typing import Any

from dwarrow.envs.aquilon.cards import (
    ANY_COLUMN,
    COGNAR_COLUMN,
    COGNAR_MALTS,
    COGNAR_OCCULTS,
    COGNAR_POINTS,
    COGNAR_RANKS,
    COGNAR_RUNES,
    COMMAND,
    EXCHANGE_3,
    FIRST_MERCENARY,
    GAAT_POINTS,
    N_MERCENARIES,
    N_ORDERS,
    N_RECRUITS,
    ZERO,
    Cognar,
    Order,
)
from dwarrow.envs.aquilon.layout import N_PLACES, SVARA_LOOKS_AT, Phase, State
from dwarrow.envs.aquilon.rules.army import check_pariah, lines, place_dwarf
from dwarrow.envs.aquilon.rules.coins import deduce_places
from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.record import NONE, Stream
from dwarrow.envs.core.rng import shuffle


@kernel
def recruits_owed(s: State, seat: int) -> int:
    """Return how many Cognars a lord must recruit: lines less those recruited or lost.

    Rule: recruiting (p. 9).
    """
    me = s.players[seat]
    return lines(s, seat) - int(me.recruited) - int(me.lost)


@kernel
def completing_column(s: State, seat: int) -> int:
    """Return the one column in which a rank completes a line, or NONE.

    Rule: mercenaries (p. 16).
    """
    ranks, fewest, found = s.players[seat].ranks, lines(s, seat), NONE
    for order in range(N_ORDERS):
        if ranks[order] == fewest:
            if found != NONE:
                return NONE
            found = order
    return found


@kernel
def mercenaries_left(s: State) -> int:
    """Return how many mercenaries are still on the card holder."""
    count = 0
    for cognar in range(FIRST_MERCENARY, FIRST_MERCENARY + N_MERCENARIES):
        if s.holder[cognar] == NONE:
            count += 1
    return count


@kernel
def may_recruit_mercenary(s: State, seat: int) -> bool:
    """Return whether a mercenary may be recruited now.

    The first of a pair must complete a line and leave a partner; the partner may stand anywhere;
    a partner that completes a line lets another follow, unless only one is left.

    Rule: mercenaries (p. 16).
    Ruling: R-5.
    """
    if s.chain == 1:
        return True
    if mercenaries_left(s) < 2:
        return bool(s.chain == 2 and s.options.last_mercenary_in_chain)
    return bool(s.chain == 2 or completing_column(s, seat) != NONE)


@kernel
def is_mercenary(cognar: int) -> bool:
    """Return whether a Cognar is a mercenary.

    Rule: mercenaries (p. 16).
    """
    return FIRST_MERCENARY <= cognar < FIRST_MERCENARY + N_MERCENARIES


@kernel
def may_recruit(s: State, cognar: int, mercenaries: bool) -> bool:
    """Return whether a Cognar may be recruited now by a lord who is owed one.

    `mercenaries`: what `may_recruit_mercenary` says.

    Rule: recruiting (p. 9).
    """
    if s.holder[cognar] != NONE:
        return False
    if is_mercenary(cognar):
        return mercenaries
    return bool(s.chain != 1)


@kernel
def can_recruit(s: State, seat: int) -> bool:
    """Return whether anybody is eligible.

    Ruling: R-6.
    """
    for cognar in range(N_RECRUITS):
        if may_recruit(s, cognar, False):
            return True
    return may_recruit_mercenary(s, seat) and mercenaries_left(s) > 0


@kernel
def recruit(s: State, seat: int, cognar: int) -> bool:
    """Recruit a Cognar; return whether the lord must decide something at once.

    Rule: recruiting (p. 9).
    """
    s.players[seat].recruited += 1
    if is_mercenary(cognar):
        s.chosen = cognar
        if s.chain != 0:
            s.phase = Phase.PLACE
            return True
        place_chosen(s, seat, completing_column(s, seat))
        return False
    s.chain = 0
    place_cognar(s, seat, cognar, int(COGNAR_COLUMN[cognar]))
    return cognar_effect(s, seat, cognar)


@kernel
def add_cognar(s: State, me: Any, cognar: int, column: int) -> None:
    """Count a Cognar's ranks, points and symbols for a lord.

    Rule: cognars (p. 14).
    """
    points = int(COGNAR_POINTS[cognar])
    ranks = int(COGNAR_RANKS[cognar])
    me.malts += COGNAR_MALTS[cognar]
    me.occults += COGNAR_OCCULTS[cognar]
    me.unique_runes += COGNAR_RUNES[cognar]
    if column == COMMAND:
        me.command_points += points
        return
    if cognar == Cognar.GAAT:
        points = int(GAAT_POINTS[column])
        if column == Order.SHIELD:
            ranks = int(s.options.gaat_shield_ranks)
    me.ranks[column] += ranks
    if is_mercenary(cognar):
        me.mercenary_points += points
    else:
        me.points[column] += points


@kernel
def place_cognar(s: State, seat: int, cognar: int, column: int) -> None:
    """Place a Cognar in a column or the Command zone.

    Rule: cognars (p. 14).
    """
    if column == Order.WANDERERS:
        points = GAAT_POINTS[column] if cognar == Cognar.GAAT else COGNAR_POINTS[cognar]
        check_pariah(s, seat, int(points), False, COGNAR_COLUMN[cognar] == Order.WANDERERS)
    s.holder[cognar] = seat
    if COGNAR_COLUMN[cognar] == ANY_COLUMN:
        s.column[cognar - FIRST_MERCENARY] = column
    add_cognar(s, s.players[seat], cognar, column)


@kernel
def place_chosen(s: State, seat: int, column: int) -> None:
    """Place the mercenary or Ga'at whose column was chosen, and follow the chain.

    Rule: mercenaries (p. 16), oberon (p. 15).
    """
    before = lines(s, seat)
    place_cognar(s, seat, s.chosen, column)
    if not is_mercenary(s.chosen):
        s.chain = 0
    elif s.chain == 0:
        s.chain = 1
    else:
        s.chain = 2 if lines(s, seat) > before else 0
    s.chosen = NONE


@kernel
def cognar_effect(s: State, seat: int, cognar: int) -> bool:
    """Carry out what a Cognar does on arrival; return whether the lord must decide something.

    Rule: cognars (p. 14).
    """
    if cognar == Cognar.SVARA:
        return svara(s, seat)
    if cognar == Cognar.DERDHR:
        s.phase = Phase.DERDHR
        return True
    if cognar == Cognar.KARDUM:
        kardum(s, seat)
    elif cognar == Cognar.OBERON:
        s.chosen = Cognar.GAAT
        s.phase = Phase.PLACE
        return True
    return False


@kernel
def kardum(s: State, seat: int) -> None:
    """Put the 3-Exchange coin where the 0 lies, in sight; the 0 leaves the game.

    Rule: kardum (p. 14).
    Ruling: C-9.
    """
    me = s.players[seat]
    for place in range(N_PLACES):
        if me.coins[place] == ZERO:
            me.coins[place] = EXCHANGE_3
            me.known[place] = 1
    deduce_places(me)


@kernel
def svara_cards(s: State) -> int:
    """Return how many cards Svara looks at: the top five of Era 2, or the one that is left.

    Rule: svara (p. 14).
    """
    return min(SVARA_LOOKS_AT, int(s.decks[1].left))


@kernel
def svara(s: State, seat: int) -> bool:
    """Look at the top cards of Era 2; return whether there is something to choose.

    Rule: svara (p. 14).
    """
    if svara_cards(s) > 1:
        s.phase = Phase.SVARA
        return True
    if svara_cards(s) == 1:
        return pick(s, seat, 0)
    return False


@kernel
def pick(s: State, seat: int, k: int) -> bool:
    """Take the `k`-th card from the top of Era 2 and shuffle the rest of the deck.

    Return whether a purse coin must be chosen for its Talion upgrade.

    Rule: svara (p. 14).
    """
    deck = s.decks[1]
    top = int(deck.left) - 1
    card = deck.cards[top - k]
    deck.cards[top - k] = deck.cards[top]
    deck.cards[top] = NONE
    deck.left -= 1
    shuffle(s, Stream.DECK, deck.cards, deck.left)
    place_dwarf(s, seat, card)
    return bool(s.phase == Phase.UPGRADE)
