"""Redraw what a king cannot know: secret goals, hands as far as hidden, the order of the decks."""

from __future__ import annotations

from typing import Any

import numpy as np

from dwarrow.envs.core.kernels import States, kernel
from dwarrow.envs.core.record import Ints, Stream
from dwarrow.envs.core.rng import random_below
from dwarrow.envs.dwar7s_fall.cards import GEM_CARDS, OGRE_CARDS
from dwarrow.envs.dwar7s_fall.layout import N_GEMS, N_OGRES, N_SECRETS
from dwarrow.envs.dwar7s_fall.rules.goals import is_goal_open
from dwarrow.envs.dwar7s_fall.rules.hands import ogres_of, slack_of, unknown_gems


@kernel
def resample(states: States, i: int, seat: int) -> None:
    """Redraw uniformly what `seat` cannot know; see `Kernels.resample`."""
    s = states[i]
    redraw_secrets(s, seat)
    redraw_gems(s, seat)
    redraw_ogres(s, seat)
    share_knowledge(s, seat)
    redraw_goal_deck(s)


@kernel
def mix_cards(s: Any, cards: Ints, n: int) -> None:
    """Shuffle the first `n` entries of `cards` in place."""
    for k in range(n - 1, 0, -1):
        j = random_below(s, Stream.SETUP, k + 1)
        card = cards[k]
        cards[k] = cards[j]
        cards[j] = card


@kernel
def redraw_goal_deck(s: Any) -> None:
    """Put the trading goals to come in a new order; the old one must leave no trace."""
    s.goal_deck[: s.goals_left] = np.sort(s.goal_deck[: s.goals_left])
    mix_cards(s, s.goal_deck, s.goals_left)


@kernel
def redraw_secrets(s: Any, seat: int) -> None:
    """Deal the others with unrevealed goals new ones, out of those that lie hidden from `seat`."""
    pool = np.zeros(N_SECRETS, np.int16)
    size = 0
    for secret in range(N_SECRETS):
        if secret != s.players[seat].secret and not is_goal_open(s, secret):
            pool[size] = secret
            size += 1
    mix_cards(s, pool, size)
    for king in range(s.n_seats):
        if king != seat and not s.players[king].revealed:
            size -= 1
            s.players[king].secret = pool[size]


@kernel
def redraw_gems(s: Any, seat: int) -> None:
    """Deal the gems that changed hands unseen anew, so that every hand keeps its size."""
    pool = np.zeros(np.sum(GEM_CARDS), np.int16)
    size = 0
    for gem in range(N_GEMS):
        for _ in range(unknown_gems(s, seat, gem)):
            pool[size] = gem
            size += 1
    mix_cards(s, pool, size)
    for king in range(s.n_seats):
        if king == seat:
            continue
        slack = slack_of(s, seat, king)
        s.players[king].gems[:] = s.players[seat].known_gems[king]
        for _ in range(slack):
            size -= 1
            s.players[king].gems[pool[size]] += 1


@kernel
def redraw_ogres(s: Any, seat: int) -> None:
    """Deal the ogre cards hidden from `seat` anew, to hands and deck."""
    me = s.players[seat]
    pool = np.zeros(np.sum(OGRE_CARDS), np.int16)
    size = 0
    for ogre in range(N_OGRES):
        hidden = OGRE_CARDS[ogre] - s.ogre_discard[ogre] - me.ogres[ogre]
        for king in range(s.n_seats):
            hidden -= me.known_ogres[king, ogre]
        for _ in range(hidden):
            pool[size] = ogre
            size += 1
    mix_cards(s, pool, size)
    for king in range(s.n_seats):
        if king == seat:
            continue
        slack = ogres_of(s, king)
        for ogre in range(N_OGRES):
            slack -= me.known_ogres[king, ogre]
        s.players[king].ogres[:] = me.known_ogres[king]
        for _ in range(slack):
            size -= 1
            s.players[king].ogres[pool[size]] += 1
    for k in range(s.ogre_deck_size):
        size -= 1
        s.ogre_deck[k] = pool[size]


@kernel
def share_knowledge(s: Any, seat: int) -> None:
    """Let the others know of one another's hands what `seat` knows: it cannot tell what they do."""
    me = s.players[seat]
    for observer in range(s.n_seats):
        for king in range(s.n_seats):
            if observer == king or seat in (observer, king):
                continue
            for gem in range(N_GEMS):
                s.players[observer].known_gems[king, gem] = me.known_gems[king, gem]
            for ogre in range(N_OGRES):
                s.players[observer].known_ogres[king, ogre] = me.known_ogres[king, ogre]
