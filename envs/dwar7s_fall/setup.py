"""Setting the table."""

from __future__ import annotations

from typing import Any

import numpy as np

from dwarrow.envs.core.kernels import States, kernel
from dwarrow.envs.core.record import NONE, Stream
from dwarrow.envs.core.rng import shuffle
from dwarrow.envs.dwar7s_fall.cards import GEM_CARDS, OGRE_CARDS
from dwarrow.envs.dwar7s_fall.layout import (
    MAX_DWARFS,
    MAX_SEATS,
    N_GEMS,
    N_KINDS,
    N_OGRES,
    N_ROW,
    N_SECRETS,
    N_TILES,
    Place,
)
from dwarrow.envs.dwar7s_fall.rules.turn import begin_turn, clear_choice
from dwarrow.envs.dwar7s_fall.scoring import N_GOALS


@kernel
def setup(states: States, i: int) -> None:
    """Lay out goals, gems, tiles, dwarfs and ogre cards; the first seat begins.

    Rule: setup (Game Setup). Ruling: R29.
    """
    s = states[i]
    deal_goals(s)
    for gem in range(N_GEMS):
        s.gem_piles[gem] = GEM_CARDS[gem]
    s.ogre_deck_size = 0
    for ogre in range(N_OGRES):
        for _ in range(OGRE_CARDS[ogre]):
            s.ogre_deck[s.ogre_deck_size] = ogre
            s.ogre_deck_size += 1
    shuffle(s, Stream.DECK, s.ogre_deck, s.ogre_deck_size)
    hand_out_tiles(s)
    s.turn = 1
    s.resume = NONE
    clear_choice(s)
    begin_turn(s, 0)


@kernel
def deal_goals(s: Any) -> None:
    """Reveal three trading goals and deal every king a secret goal.

    Rule: setup_goals (Game Setup).
    """
    for goal in range(N_GOALS):
        s.goal_deck[goal] = goal
    shuffle(s, Stream.DECK, s.goal_deck, N_GOALS)
    s.goals_left = N_GOALS
    for slot in range(N_ROW):
        s.goals_left -= 1
        s.goal_row[slot] = s.goal_deck[s.goals_left]
        s.goal_deck[s.goals_left] = NONE
    secrets = np.arange(N_SECRETS).astype(np.int16)
    shuffle(s, Stream.SETUP, secrets, N_SECRETS)
    for seat in range(MAX_SEATS):
        s.players[seat].secret = secrets[seat] if seat < s.n_seats else NONE


@kernel
def hand_out_tiles(s: Any) -> None:
    """Give every king his nine tiles and seven dwarfs; other colours stay in the box."""
    for tile in range(N_TILES):
        s.tiles[tile].place = Place.HAND if tile // N_KINDS < s.n_seats else Place.BOX
        s.tiles[tile].cell = NONE
        s.tiles[tile].region = NONE
        s.tiles[tile].beaten_by = NONE
    s.top[:] = NONE
    for seat in range(s.n_seats):
        s.players[seat].pile = MAX_DWARFS
