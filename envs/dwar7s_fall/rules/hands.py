"""Gems and ogre cards changing hands, and what each king can tell of the others' hands.

Gems come from open piles and go back to them, so all can keep the books; only a theft between two
others hides its kind. Ogre cards are drawn unseen. ``known_gems[king]`` and ``known_ogres[king]``
of an observer are what that king holds at least, as far as the observer can tell.
"""

from __future__ import annotations

from typing import Any

from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.record import NONE, Stream
from dwarrow.envs.core.rng import draw, shuffle
from dwarrow.envs.dwar7s_fall.cards import GEM_CARDS
from dwarrow.envs.dwar7s_fall.layout import HAND_LIMIT, N_GEMS, N_KINDS, N_OGRES, Place


@kernel
def gems_of(s: Any, seat: int) -> int:
    """Return the number of gems in a king's hand."""
    count = 0
    for gem in range(N_GEMS):
        count += s.players[seat].gems[gem]
    return count


@kernel
def ogres_of(s: Any, seat: int) -> int:
    """Return the number of ogre cards in a king's hand."""
    count = 0
    for ogre in range(N_OGRES):
        count += s.players[seat].ogres[ogre]
    return count


@kernel
def hand_size(s: Any, seat: int) -> int:
    """Return the number of tiles, gems and ogre cards in a king's hand."""
    count = gems_of(s, seat) + ogres_of(s, seat)
    for kind in range(N_KINDS):
        if s.tiles[seat * N_KINDS + kind].place == Place.HAND:
            count += 1
    return count


@kernel
def gain_gems(s: Any, seat: int, gem: int, count: int) -> None:
    """Take up to `count` gems from an open pile.

    Rule: mine (2 Mines). Ruling: R18.
    """
    taken = min(count, int(s.gem_piles[gem]))
    s.gem_piles[gem] -= taken
    s.players[seat].gems[gem] += taken
    for observer in range(s.n_seats):
        if observer != seat:
            s.players[observer].known_gems[seat, gem] += taken


@kernel
def pay_gems(s: Any, seat: int, gem: int, count: int) -> None:
    """Return gems from a hand to their open pile."""
    s.players[seat].gems[gem] -= count
    s.gem_piles[gem] += count
    for observer in range(s.n_seats):
        if observer != seat:
            known = s.players[observer].known_gems[seat, gem] - count
            s.players[observer].known_gems[seat, gem] = max(known, 0)
            settle_gems(s, observer)


@kernel
def unknown_gems(s: Any, observer: int, gem: int) -> int:
    """Return how many gems of a kind are in other kings' hands, `observer` cannot tell in whose."""
    count = GEM_CARDS[gem] - s.gem_piles[gem]
    for king in range(s.n_seats):
        known = s.players[observer].known_gems[king, gem]
        count -= s.players[observer].gems[gem] if king == observer else known
    return int(count)


@kernel
def slack_of(s: Any, observer: int, king: int) -> int:
    """Return how many gems in a king's hand `observer` does not know."""
    count = gems_of(s, king)
    for gem in range(N_GEMS):
        count -= s.players[observer].known_gems[king, gem]
    return count


@kernel
def settle_gems(s: Any, observer: int) -> None:
    """Note the unknown gems as known where no doubt is left: one kind only, or one king only."""
    kinds, last_gem = 0, 0
    for gem in range(N_GEMS):
        if unknown_gems(s, observer, gem) > 0:
            kinds += 1
            last_gem = gem
    kings, last_king = 0, 0
    for king in range(s.n_seats):
        if king != observer and slack_of(s, observer, king) > 0:
            kings += 1
            last_king = king
    if kinds == 1:
        for king in range(s.n_seats):
            if king != observer:
                slack = slack_of(s, observer, king)
                s.players[observer].known_gems[king, last_gem] += slack
    elif kings == 1:
        for gem in range(N_GEMS):
            unknown = unknown_gems(s, observer, gem)
            s.players[observer].known_gems[last_king, gem] += unknown


@kernel
def steal_gem(s: Any, seat: int, victim: int) -> None:
    """Take a random gem out of a king's hand; only the two of them see which.

    Rule: thief (4 Tavern). Ruling: R21.
    """
    k = draw(s, Stream.DICE, gems_of(s, victim))
    gem = 0
    while k >= s.players[victim].gems[gem]:
        k -= s.players[victim].gems[gem]
        gem += 1
    s.players[victim].gems[gem] -= 1
    s.players[seat].gems[gem] += 1
    s.players[victim].known_gems[seat, gem] += 1
    s.players[seat].known_gems[victim, gem] -= 1
    for observer in range(s.n_seats):
        if observer == seat or observer == victim:  # noqa: SIM109
            known = s.players[observer].known_gems[victim, gem]
            s.players[observer].known_gems[victim, gem] = max(known, 0)
        else:
            for kind in range(N_GEMS):
                known = s.players[observer].known_gems[victim, kind] - 1
                s.players[observer].known_gems[victim, kind] = max(known, 0)
        settle_gems(s, observer)


@kernel
def draw_ogre(s: Any, seat: int) -> None:
    """Take the next ogre card; an empty deck is renewed from the discard pile first.

    Rule: ogre_deck (4 Tavern). Ruling: R19.
    """
    if s.ogre_deck_size == 0:
        settle_ogres(s)
        for ogre in range(N_OGRES):
            for _ in range(s.ogre_discard[ogre]):
                s.ogre_deck[s.ogre_deck_size] = ogre
                s.ogre_deck_size += 1
            s.ogre_discard[ogre] = 0
        shuffle(s, Stream.DECK, s.ogre_deck, s.ogre_deck_size)
    if s.ogre_deck_size == 0:
        return
    s.ogre_deck_size -= 1
    s.players[seat].ogres[s.ogre_deck[s.ogre_deck_size]] += 1
    s.ogre_deck[s.ogre_deck_size] = NONE


@kernel
def settle_ogres(s: Any) -> None:
    """Note the hand that each king can tell as the deck runs out.

    All cards are in hands but the discards. With two hands or more in doubt only their sum is
    known, which the books cannot hold.
    """
    for observer in range(s.n_seats):
        kings, last_king = 0, 0
        for king in range(s.n_seats):
            slack = ogres_of(s, king)
            for ogre in range(N_OGRES):
                slack -= s.players[observer].known_ogres[king, ogre]
            if king != observer and slack > 0:
                kings += 1
                last_king = king
        if kings == 1:
            for ogre in range(N_OGRES):
                s.players[observer].known_ogres[last_king, ogre] = s.players[last_king].ogres[ogre]


@kernel
def discard_ogre(s: Any, seat: int, ogre: int) -> None:
    """Put an ogre card of a hand on the open discard pile."""
    s.players[seat].ogres[ogre] -= 1
    s.ogre_discard[ogre] += 1
    for observer in range(s.n_seats):
        known = s.players[observer].known_ogres[seat, ogre] - 1
        s.players[observer].known_ogres[seat, ogre] = max(known, 0)


@kernel
def steal_ogres(s: Any, seat: int, victim: int) -> None:
    """Take all ogre cards of a king; both of them know which these were.

    Rule: crown (4 Tavern). Ruling: R21.
    """
    for ogre in range(N_OGRES):
        count = s.players[victim].ogres[ogre]
        s.players[victim].ogres[ogre] = 0
        s.players[seat].ogres[ogre] += count
        for observer in range(s.n_seats):
            known = s.players[observer].known_ogres[victim, ogre]
            s.players[observer].known_ogres[victim, ogre] = 0
            if observer == victim:
                s.players[observer].known_ogres[seat, ogre] += count
            elif observer != seat:
                s.players[observer].known_ogres[seat, ogre] += known


@kernel
def may_discard_gem(s: Any, seat: int, gem: int) -> bool:
    """Return whether a gem may be discarded now."""
    return s.players[seat].gems[gem] > 0 and hand_size(s, seat) > HAND_LIMIT


@kernel
def discard_gem(s: Any, seat: int, gem: int) -> None:
    """Discard a gem down to nine cards; it goes back to its pile.

    Rule: discard (3 Discard).
    """
    pay_gems(s, seat, gem, count=1)


@kernel
def may_discard_ogre(s: Any, seat: int, ogre: int) -> bool:
    """Return whether an ogre card may be discarded now."""
    return s.players[seat].ogres[ogre] > 0 and hand_size(s, seat) > HAND_LIMIT
