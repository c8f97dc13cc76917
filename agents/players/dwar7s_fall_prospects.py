"""Dwar7s Fall: what a king may expect as a turn begins, if all kings play on as `rule` does.

Hands and secret goals count as they are: searches ask about states that they have drawn.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dwarrow.agents.players import Prospects, register_prospects
from dwarrow.agents.players.dwar7s_fall_worth import gain_of_trade, is_on_table
from dwarrow.agents.players.outlook import Features, judge, load, put
from dwarrow.envs.core.kernels import Floats, States, kernel
from dwarrow.envs.core.record import NONE, Ints
from dwarrow.envs.dwar7s_fall import GAME
from dwarrow.envs.dwar7s_fall.board import castle_works
from dwarrow.envs.dwar7s_fall.cards import LEAST, NEED
from dwarrow.envs.dwar7s_fall.layout import (
    GOALS_TO_END,
    HAND_LIMIT,
    MAX_DWARFS,
    MAX_SEATS,
    N_GEMS,
    N_KINDS,
    N_ROW,
    N_SECRETS,
    N_TILES,
    Phase,
    Place,
)
from dwarrow.envs.dwar7s_fall.rules.hands import ogres_of
from dwarrow.envs.dwar7s_fall.rules.tasks import gems_lacking
from dwarrow.envs.dwar7s_fall.scoring import goals_of, kingdom_points, points_of, progress

FILE = Path(__file__).with_suffix(".csv")
MOST = 256  # features of one position at most
FAR_LEAD = 20.0  # points

_features = Features()

TURN = _features.family("turn", 2)
LAST_ROUND = _features.family("last round", 1)
SEATS = _features.family("kings", MAX_SEATS)
ORDER = _features.family("turns until mine", MAX_SEATS)
OPEN = _features.family("open", N_KINDS)
LEAD = _features.family("lead", 3)
AHEAD, BEHIND = (_features.family(name, GOALS_TO_END + 1) for name in ("own goals", "most goals"))

# What is said of a king, once of the one asked about, once as the mean of all rivals, and once of
# the rival with most points.
_KING = Features()
POINTS = _KING.family("points", 1)
GOALS = _KING.family("goals", GOALS_TO_END + 1)
SECRET, REVEALED = _KING.family("on the way to secret", N_SECRETS), _KING.family("revealed", 1)
GEMS = _KING.family("gems", N_GEMS)
PAYABLE, GAIN, LACKING = (_KING.family(name, 1) for name in ("payable", "gain", "lacking"))
OGRES, TILES = _KING.family("ogres", 1), _KING.family("in hand", N_KINDS)
CASTLE, KINGDOM = _KING.family("castle", 1), _KING.family("kingdom", 1)
PILE, ON, READY = (
    _KING.family("pile", 1),
    _KING.family("dwarfs on", N_KINDS),
    _KING.family("ready on", N_KINDS),
)
OWN, RIVALS, FOREMOST = (
    _features.families(f"{who}:", _KING) for who in ("own", "rivals", "foremost rival")
)
FEATURES = tuple(_features.names)


@kernel
def describe(states: States, i: int, seat: int, at: Ints, value: Floats) -> int:
    """Write what a position in which a turn begins has for a king; return how many, else 0."""
    s = states[i]
    if s.phase != Phase.ACT or s.used > 0:
        return 0
    n = describe_table(s, seat, at, value)
    n = describe_king(s, seat, OWN, 1.0, at, value, n)
    for king in range(s.n_seats):
        if king != seat:
            n = describe_king(s, king, RIVALS, 1.0 / (s.n_seats - 1), at, value, n)
    if s.n_seats > 2:
        n = describe_king(s, foremost_rival(s, seat), FOREMOST, 1.0, at, value, n)
    return n


@kernel
def foremost_rival(s: Any, seat: int) -> int:
    """Return the rival with most points."""
    best, most = NONE, 0
    for king in range(s.n_seats):
        points = points_of(s, king)
        if king != seat and (best == NONE or points > most):
            best, most = king, points
    return best


@kernel
def describe_table(s: Any, seat: int, at: Ints, value: Floats) -> int:
    """Write how far the game is, who is ahead, and what can be done on the table."""
    lead = (points_of(s, seat) - points_of(s, foremost_rival(s, seat))) / FAR_LEAD
    most = 0
    for king in range(s.n_seats):
        if king != seat:
            most = max(most, goals_of(s, king))
    left = (s.options.cap - s.turn) / s.options.cap
    n = put(at, value, 0, TURN, s.turn / 10)
    n = put(at, value, n, TURN + 1, 1.0 - left)
    n = put(at, value, n, LAST_ROUND, 1.0 * s.last_round)
    n = put(at, value, n, SEATS + s.n_seats - 1, 1.0)
    n = put(at, value, n, ORDER + (seat - s.active) % s.n_seats, 1.0)
    for kind in range(N_KINDS):
        n = put(at, value, n, OPEN + kind, 1.0 * is_on_table(s, kind))
    n = put(at, value, n, LEAD, lead)
    n = put(at, value, n, LEAD + 1, lead * (1.0 - left))
    n = put(at, value, n, LEAD + 2, lead * s.last_round)
    n = put(at, value, n, AHEAD + min(GOALS_TO_END, goals_of(s, seat)), 1.0)
    return put(at, value, n, BEHIND + min(GOALS_TO_END, most), 1.0)


@kernel
def describe_king(
    s: Any, king: int, block: int, share: float, at: Ints, value: Floats, n: int
) -> int:
    """Write a king's points, hand, kingdom and dwarfs into a block, each times `share`."""
    me = s.players[king]
    n = put(at, value, n, block + POINTS, share * points_of(s, king) / 20)
    n = put(at, value, n, block + GOALS + min(GOALS_TO_END, goals_of(s, king)), share)
    if me.revealed:
        n = put(at, value, n, block + REVEALED, share)
    else:
        done = min(1.0, progress(s, king, me.secret) / LEAST[me.secret])
        n = put(at, value, n, block + SECRET + me.secret, share * done)
    for gem in range(N_GEMS):
        n = put(at, value, n, block + GEMS + gem, share * me.gems[gem] / 3)
    n = describe_trades(s, king, block, share, at, value, n)
    n = put(at, value, n, block + OGRES, share * ogres_of(s, king) / 3)
    n = put(at, value, n, block + CASTLE, share * castle_works(s, king))
    n = put(at, value, n, block + KINGDOM, share * kingdom_points(s, king) / 10)
    n = put(at, value, n, block + PILE, share * me.pile / MAX_DWARFS)
    for kind in range(N_KINDS):
        if s.tiles[king * N_KINDS + kind].place == Place.HAND:
            n = put(at, value, n, block + TILES + kind, share)
    for tile in range(N_TILES):
        own = s.tiles[tile].dwarfs[king]
        if own:
            kind = tile % N_KINDS
            n = put(at, value, n, block + ON + kind, share * own / NEED[kind])
            n = put(at, value, n, block + READY + kind, share * (own >= NEED[kind]))
    return n


@kernel
def describe_trades(
    s: Any, king: int, block: int, share: float, at: Ints, value: Floats, n: int
) -> int:
    """Write how many trading goals of the row a king can pay for, or how far he is from one."""
    payable, gain, fewest = 0, 0.0, HAND_LIMIT
    for slot in range(N_ROW):
        goal = s.goal_row[slot]
        if goal == NONE:
            continue
        lacking = gems_lacking(s, king, goal)
        fewest = min(fewest, lacking)
        if lacking == 0:
            payable += 1
            gain = max(gain, gain_of_trade(s, king, slot))
    n = put(at, value, n, block + PAYABLE, share * payable)
    n = put(at, value, n, block + GAIN, share * gain / 10)
    return put(at, value, n, block + LACKING, share * fewest / 4)


_HIDDEN, _BIAS, _OUTPUT, _LAST = load(FILE, FEATURES)


@kernel
def expect(states: States, i: int, seat: int) -> float:
    """Return the utility that a king may expect as a turn begins, NaN at any other moment."""
    at, value = np.empty(MOST, np.int16), np.empty(MOST, np.float32)
    n = describe(states, i, seat, at, value)
    if n == 0:
        return float(np.nan)
    return judge(_HIDDEN, _BIAS, _OUTPUT, _LAST, at, value, n)


register_prospects(GAME.dtype, Prospects(describe, expect, FEATURES, MOST, FILE))
