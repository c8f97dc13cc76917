"""Kingdoms, secret goals, points, ranks."""

from __future__ import annotations

from typing import Any

from dwarrow.envs.core.kernels import Floats, States, kernel
from dwarrow.envs.dwar7s_fall.board import castle_works, is_monster
from dwarrow.envs.dwar7s_fall.cards import (
    GEM_VP,
    GOAL_VP,
    LEAST,
    MONSTER_VP,
    POINTS,
    SECRET_VP,
    TRIO,
)
from dwarrow.envs.dwar7s_fall.layout import (
    MAX_DWARFS,
    N_GEMS,
    N_KINDS,
    N_OGRES,
    N_TILES,
    Gem,
    Kind,
    Secret,
)

N_GOALS = len(GOAL_VP)


@kernel
def kingdom_tiles(s: Any, seat: int) -> int:
    """Return the number of tiles within the walls of a king's castle; 0 without a castle.

    Rule: kingdom_size (Winning the Game). Ruling: R27.
    """
    if not castle_works(s, seat):
        return 0
    region = s.tiles[seat * N_KINDS + Kind.CASTLE].region
    count = 0
    for tile in range(N_TILES):
        if s.tiles[tile].region == region:
            count += 1
    return count


@kernel
def kingdom_points(s: Any, seat: int) -> int:
    """Return the victory points of all tiles within the walls of a king's castle.

    Rule: kingdom_points (Winning the Game). Ruling: R9, R27.
    """
    if not castle_works(s, seat):
        return 0
    region = s.tiles[seat * N_KINDS + Kind.CASTLE].region
    points = 0
    for tile in range(N_TILES):
        if s.tiles[tile].region == region:
            points += POINTS[tile % N_KINDS]
    return points


@kernel
def monsters_beaten(s: Any, seat: int) -> int:
    """Return how many monsters a king has defeated."""
    count = 0
    for tile in range(N_TILES):
        if s.tiles[tile].beaten_by == seat:
            count += 1
    return count


@kernel
def dwarf_trios(s: Any, seat: int) -> int:
    """Return on how many monsters a king has three dwarfs or more."""
    count = 0
    for tile in range(N_TILES):
        if is_monster(tile) and s.tiles[tile].dwarfs[seat] >= TRIO:
            count += 1
    return count


@kernel
def progress(s: Any, seat: int, secret: int) -> int:
    """Return how far a king is with a secret goal, in the measure of ``LEAST[secret]``."""
    me = s.players[seat]
    if secret == Secret.KINGDOM_TILES:
        return kingdom_tiles(s, seat)
    if secret == Secret.KINGDOM_POINTS:
        return kingdom_points(s, seat)
    if secret == Secret.EMERALDS:
        return int(me.gems[Gem.EMERALD])
    if secret == Secret.DWARF_TRIOS:
        return dwarf_trios(s, seat)
    if secret == Secret.MONSTERS_BEATEN:
        return monsters_beaten(s, seat)
    if secret == Secret.OGRES_IN_HAND:
        count = 0
        for ogre in range(N_OGRES):
            count += me.ogres[ogre]
        return count
    fewest = me.gems[0]
    for gem in range(N_GEMS):
        fewest = min(fewest, me.gems[gem])
    return int(fewest)


@kernel
def meets_secret(s: Any, seat: int, secret: int) -> bool:
    """Return whether a king fulfils a secret goal now.

    Rule: secret_goals (2 Secret Goals).
    """
    return bool(progress(s, seat, secret) >= LEAST[secret])


@kernel
def trading_goals_of(s: Any, seat: int) -> int:
    """Return how many trading goals a king has completed."""
    count = 0
    for goal in range(N_GOALS):
        count += s.players[seat].goals[goal]
    return count


@kernel
def goals_of(s: Any, seat: int) -> int:
    """Return how many goals a king has completed; monsters do not count.

    Rule: goals (Endgame). Ruling: R30.
    """
    return trading_goals_of(s, seat) + int(s.players[seat].revealed)


@kernel
def goal_points(s: Any, seat: int) -> int:
    """Return the points of a king's completed goals."""
    me = s.players[seat]
    points = 0
    for goal in range(N_GOALS):
        points += me.goals[goal] * GOAL_VP[goal]
    if me.revealed:
        points += SECRET_VP[me.secret]
    return points


@kernel
def gem_points(s: Any, seat: int) -> int:
    """Return the points of the gems in a king's hand."""
    points = 0
    for gem in range(N_GEMS):
        points += s.players[seat].gems[gem] * GEM_VP[gem]
    return points


@kernel
def points_of(s: Any, seat: int) -> int:
    """Return a king's victory points as the game stands.

    Rule: winning (Winning the Game).
    """
    return (
        goal_points(s, seat)
        + MONSTER_VP * monsters_beaten(s, seat)
        + gem_points(s, seat)
        + kingdom_points(s, seat)
    )


@kernel
def dwarfs_on_board(s: Any, seat: int) -> int:
    """Return how many dwarfs of a king stand on the board."""
    return MAX_DWARFS - int(s.players[seat].pile)


@kernel
def beats(s: Any, a: int, b: int) -> bool:
    """Return whether king `a` finishes before king `b`: points, kingdom in tiles, dwarfs on board.

    Rule: ties (Winning the Game).
    """
    if points_of(s, a) != points_of(s, b):
        return points_of(s, a) > points_of(s, b)
    if kingdom_tiles(s, a) != kingdom_tiles(s, b):
        return kingdom_tiles(s, a) > kingdom_tiles(s, b)
    return dwarfs_on_board(s, a) > dwarfs_on_board(s, b)


@kernel
def scores(states: States, i: int, out: Floats) -> None:
    """Write the points of every king to `out`; see `Kernels.scores`."""
    s = states[i]
    for seat in range(s.n_seats):
        out[seat] = points_of(s, seat)


@kernel
def returns(states: States, i: int, out: Floats) -> None:
    """Write utilities linear in the final rank to `out`; see `Kernels.returns`."""
    s = states[i]
    for a in range(s.n_seats):
        out[a] = 0
        for b in range(s.n_seats):
            if a != b and beats(s, a, b):
                out[a] += 1 / (s.n_seats - 1)
            elif a != b and beats(s, b, a):
                out[a] -= 1 / (s.n_seats - 1)
