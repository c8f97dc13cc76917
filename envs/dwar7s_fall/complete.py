"""What follows from the given part of a position: tests and what-if analyses write little."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dwarrow.envs.core.kernels import States
from dwarrow.envs.core.record import NONE
from dwarrow.envs.dwar7s_fall.board import redraw_regions
from dwarrow.envs.dwar7s_fall.cards import GEM_CARDS, OGRE_CARDS
from dwarrow.envs.dwar7s_fall.layout import (
    MAX_DWARFS,
    N_ROW,
    N_SECRETS,
    N_TILES,
    TILE_NAMES,
    Place,
)
from dwarrow.envs.dwar7s_fall.scoring import N_GOALS


def complete(states: States, i: int, data: Mapping[str, Any]) -> None:
    """Derive what `data` left open: places, uppermost tiles, regions, piles, decks, knowledge."""
    s = states[i]
    _place_tiles(s, data.get("tiles", {}))
    if "top" not in data:
        s["top"][:] = NONE
        order = sorted(range(N_TILES), key=lambda tile: int(s["tiles"][tile]["level"]))
        for tile in order:
            if s["tiles"][tile]["cell"] != NONE:
                s["top"][s["tiles"][tile]["cell"]] = tile
    redraw_regions(s)
    if "active" not in data and s["seat"] != NONE and "resume" not in data:
        s["active"] = s["seat"]
    players = _given(data.get("players", {}))
    for seat in range(s["n_seats"]):
        if "pile" not in players.get(seat, {}):
            on_board = int(s["tiles"]["dwarfs"][:, seat].sum())
            s["players"][seat]["pile"] = MAX_DWARFS - on_board
    if "gem_piles" not in data:
        s["gem_piles"][:] = GEM_CARDS - s["players"]["gems"].sum(axis=0)
    _deal_ogres(s, data)
    _deal_goals(s, data)
    _deal_secrets(s, players)
    _know_gems(s, players)


def _given(players: Any) -> dict[int, Mapping[str, Any]]:
    """Return the given parts of players by seat, from a list or a dict."""
    items = players.items() if isinstance(players, Mapping) else enumerate(players)
    return {int(seat): part for seat, part in items}


def _place_tiles(s: Any, given: Mapping[str, Any]) -> None:
    for name, part in given.items():
        tile = s["tiles"][TILE_NAMES.index(name)]
        if "place" in part:
            continue
        if tile["cell"] != NONE:
            tile["place"] = Place.BOARD
        elif tile["beaten_by"] != NONE:
            tile["place"] = Place.BEATEN


def _deal_ogres(s: Any, data: Mapping[str, Any]) -> None:
    """Take out of the deck what is in hands and discarded; the order of the rest stays."""
    if "ogre_deck" in data:
        return
    left = OGRE_CARDS - s["ogre_discard"] - s["players"]["ogres"].sum(axis=0)
    deck = []
    for card in s["ogre_deck"][: int(s["ogre_deck_size"])]:
        if left[card] > 0:
            left[card] -= 1
            deck.append(int(card))
    s["ogre_deck"][:] = NONE
    s["ogre_deck"][: len(deck)] = deck
    s["ogre_deck_size"] = len(deck)


def _deal_goals(s: Any, data: Mapping[str, Any]) -> None:
    """Take out of row and deck what kings have; fill the row; the order of the rest stays."""
    if "goal_deck" in data:
        return
    deck = [int(g) for g in s["goal_deck"][: int(s["goals_left"])]]
    row = [int(g) for g in s["goal_row"]]
    owned = s["players"]["goals"].any(axis=0)
    rest = [g for g in [*deck, *range(N_GOALS)] if not owned[g] and g not in row]
    rest = list(dict.fromkeys(rest))
    if "goal_row" not in data:
        row = [NONE if g == NONE or owned[g] else g for g in row]
        row = [rest.pop() if g == NONE and rest else g for g in row]
    s["goal_row"][:N_ROW] = row
    s["goal_deck"][:] = NONE
    s["goal_deck"][: len(rest)] = rest
    s["goals_left"] = len(rest)


def _deal_secrets(s: Any, players: Mapping[int, Mapping[str, Any]]) -> None:
    """Give the kings whose secret goal is not named others than the named ones."""
    named = {int(s["players"][k]["secret"]) for k, part in players.items() if "secret" in part}
    free = [secret for secret in range(N_SECRETS) if secret not in named]
    for seat in range(s["n_seats"]):
        if "secret" in players.get(seat, {}):
            continue
        mine = int(s["players"][seat]["secret"])
        chosen = mine if mine in free else free[0]
        free.remove(chosen)
        s["players"][seat]["secret"] = chosen


def _know_gems(s: Any, players: Mapping[int, Mapping[str, Any]]) -> None:
    """Let every king know the gems of all others, as when nothing was stolen."""
    for seat in range(s["n_seats"]):
        if "known_gems" in players.get(seat, {}):
            continue
        known = np.array(s["players"]["gems"])
        known[seat] = 0
        s["players"][seat]["known_gems"][:] = known
