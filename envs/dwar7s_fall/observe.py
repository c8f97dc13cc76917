"""What one king may see, as numbers; what he sees of a choice; redrawing what he cannot know.

Hidden are the secret goals of the others, the kinds of their ogre cards, the order of the decks,
and the kind of a gem that a Thief carried off between two others. Kings count from the observer on.
"""

from __future__ import annotations

from typing import Any

from dwarrow.envs.core.kernels import Floats, States, kernel
from dwarrow.envs.core.observation import Observation
from dwarrow.envs.core.record import NONE
from dwarrow.envs.dwar7s_fall.actions import AT, N_ACTIONS, REVEAL
from dwarrow.envs.dwar7s_fall.board import castle_works, dwarfs_on, is_guarded, stack_of
from dwarrow.envs.dwar7s_fall.cards import COST, GEM_VP, GOAL_VP, LEAST, SPOTS, WALLS
from dwarrow.envs.dwar7s_fall.layout import (
    BASE_ACTIONS,
    MAX_SEATS,
    N_CELLS,
    N_GEMS,
    N_KINDS,
    N_OGRES,
    N_PHASES,
    N_ROW,
    N_SECRETS,
    N_SIDES,
    N_TILES,
    WIDTH,
    Kind,
    Place,
)
from dwarrow.envs.dwar7s_fall.rules.dwarfs import n_actions_of
from dwarrow.envs.dwar7s_fall.rules.hands import gems_of, ogres_of
from dwarrow.envs.dwar7s_fall.rules.tasks import gems_lacking
from dwarrow.envs.dwar7s_fall.scoring import (
    kingdom_points,
    kingdom_tiles,
    monsters_beaten,
    points_of,
    progress,
    trading_goals_of,
)

CASTLE_PLANE = N_KINDS
WALL_PLANE = CASTLE_PLANE + 1
DWARF_PLANE = WALL_PLANE + N_SIDES
KINGDOM_PLANE = DWARF_PLANE + MAX_SEATS
FREE_PLANE = KINGDOM_PLANE + 2
HEIGHT_PLANE, BLOCKED_PLANE, CHOSEN_PLANE = FREE_PLANE + 1, FREE_PLANE + 2, FREE_PLANE + 3
N_PLANES = CHOSEN_PLANE + 1
PER_TILE = 5
PER_KING = 11
PER_GOAL = N_GEMS + 2

LAYOUT = Observation(
    (
        "board",
        (N_PLANES, WIDTH, WIDTH),
        "planes: 9 kinds of uppermost tile; own castle; walls N, E, S, W; dwarfs of each king / 5; "
        "own kingdom; others' kingdoms / 2; free spots / 5; tiles in the stack / 5; tasks blocked "
        "by a monster; cell chosen so far",
    ),
    (
        "tiles",
        (N_TILES, PER_TILE),
        "each king's tiles: in hand, uppermost, covered, cells east and south of the middle / 8",
    ),
    ("phase", (N_PHASES,), "what is asked, one-hot"),
    ("asked", (MAX_SEATS,), "who is asked, one-hot"),
    ("active", (MAX_SEATS,), "whose turn it is, one-hot"),
    ("players", (MAX_SEATS - 1,), "2, 3 or 4 kings, one-hot"),
    ("rules", (4,), "options: stack-only monsters, stack guards, region giants, interrupts"),
    ("clock", (5,), "turn / 30, turns left / 30, last round, actions used / 4, actions left / 4"),
    ("chosen", (N_KINDS + MAX_SEATS,), "kind of tile, then king, chosen so far, one-hot"),
    (
        "kings",
        (MAX_SEATS, PER_KING),
        "each king: pile / 7, castle works, kingdom tiles / 10 and points / 10, monsters / 2, "
        "trading goals / 3, secret goal revealed, points / 50, gems / 9, ogres / 9, at table",
    ),
    ("gems", (MAX_SEATS, N_GEMS), "gems that the observer knows in each hand", 5.0),
    ("ogres", (MAX_SEATS, N_OGRES), "ogre cards that the observer knows in each hand", 3.0),
    ("secrets", (MAX_SEATS, N_SECRETS), "own secret goal and those revealed, one-hot"),
    ("progress", (N_SECRETS,), "how far the observer is with each secret goal, 1 = fulfilled"),
    (
        "goals",
        (N_ROW, PER_GOAL),
        "trading goals on offer: cost by gem / 2, points / 16, gems the observer lacks / 4",
    ),
    ("gem_piles", (N_GEMS,), "gems in the piles", 10.0),
    ("decks", (2,), "ogre cards / 13 and trading goals / 7 in the decks"),
    ("ogre_discard", (N_OGRES,), "ogre cards discarded", 3.0),
    actions={"board": range(AT, AT + N_CELLS)},
)
BOARD, TILES, PHASE, ASKED, ACTIVE, PLAYERS, RULES, CLOCK, CHOSEN = map(
    LAYOUT.at,
    ("board", "tiles", "phase", "asked", "active", "players", "rules", "clock", "chosen"),
)
KINGS, GEMS, OGRES, SECRETS, PROGRESS, GOALS = map(
    LAYOUT.at, ("kings", "gems", "ogres", "secrets", "progress", "goals")
)
GEM_PILES, DECKS, OGRE_DISCARD = map(LAYOUT.at, ("gem_piles", "decks", "ogre_discard"))


@kernel
def seats_on(s: Any, seat: int, king: int) -> int:
    """Return how many places after `seat` a king sits."""
    return int((king - seat) % s.n_seats)


@kernel
def bounded(value: float) -> float:
    """Keep a feature within the bounds of an observation, whatever a pack prints."""
    return min(value, 2.0)


@kernel
def observe(states: States, i: int, seat: int, out: Floats) -> None:
    """Write what `seat` may see into the zeroed `out`; see `Kernels.observe`."""
    s = states[i]
    observe_board(s, seat, out)
    observe_question(s, seat, out)
    for king in range(s.n_seats):
        observe_king(s, seat, king, out)
    observe_supply(s, seat, out)


@kernel
def observe_board(s: Any, seat: int, out: Floats) -> None:
    """Write the planes of the board and the list of tiles."""
    for tile in range(N_TILES):
        on, kind, owner = s.tiles[tile], tile % N_KINDS, tile // N_KINDS
        if on.place == Place.BOX:
            continue
        k = seats_on(s, seat, owner)
        at = TILES + (k * N_KINDS + kind) * PER_TILE
        if on.place == Place.HAND:
            out[at] = 1
        if on.cell == NONE:
            continue
        out[at + 3] = (on.cell % WIDTH - WIDTH // 2) / 8
        out[at + 4] = (on.cell // WIDTH - WIDTH // 2) / 8
        if on.region == NONE:
            out[at + 2] = 1
            continue
        out[at + 1] = 1
        cell = BOARD + on.cell
        out[cell + kind * N_CELLS] = 1
        if kind == Kind.CASTLE and k == 0:
            out[cell + CASTLE_PLANE * N_CELLS] = 1
        for side in range(N_SIDES):
            out[cell + (WALL_PLANE + side) * N_CELLS] = WALLS[kind, on.turned, side]
        for king in range(s.n_seats):
            j = seats_on(s, seat, king)
            out[cell + (DWARF_PLANE + j) * N_CELLS] = on.dwarfs[king] / 5
            castle = king * N_KINDS + Kind.CASTLE
            if s.tiles[castle].region == on.region:
                out[cell + (KINGDOM_PLANE + min(j, 1)) * N_CELLS] += 0.5 if j else 1.0
        out[cell + FREE_PLANE * N_CELLS] = bounded((SPOTS[kind] - dwarfs_on(s, tile)) / 5)
        out[cell + HEIGHT_PLANE * N_CELLS] = bounded((on.level + 1) / 5)
        out[cell + BLOCKED_PLANE * N_CELLS] = is_guarded(s, tile, stack_of(tile))
    if s.chosen.cell != NONE:
        out[BOARD + CHOSEN_PLANE * N_CELLS + s.chosen.cell] = 1


@kernel
def observe_question(s: Any, seat: int, out: Floats) -> None:
    """Write who is asked what, and how far the game is."""
    out[PHASE + s.phase] = 1
    if s.seat != NONE:
        out[ASKED + seats_on(s, seat, s.seat)] = 1
    out[ACTIVE + seats_on(s, seat, s.active)] = 1
    out[PLAYERS + s.n_seats - 2] = 1
    out[RULES] = s.options.monster_stack_only
    out[RULES + 1] = s.options.monster_guards
    out[RULES + 2] = s.options.giant_takes
    out[RULES + 3] = s.options.reveal_interrupt
    out[CLOCK] = s.turn / 30
    out[CLOCK + 1] = (s.options.cap - s.turn) / 30
    out[CLOCK + 2] = s.last_round
    out[CLOCK + 3] = s.used / (BASE_ACTIONS + 1)
    out[CLOCK + 4] = max(n_actions_of(s, s.active) - s.used, 0) / (BASE_ACTIONS + 1)
    if s.chosen.kind != NONE:
        out[CHOSEN + s.chosen.kind] = 1
    if s.chosen.king != NONE:
        out[CHOSEN + N_KINDS + seats_on(s, seat, s.chosen.king)] = 1


@kernel
def observe_king(s: Any, seat: int, king: int, out: Floats) -> None:
    """Write what `seat` knows of a king: all of himself, what is public and inferred of others."""
    k = seats_on(s, seat, king)
    me, him = s.players[seat], s.players[king]
    at = KINGS + k * PER_KING
    out[at] = him.pile / 7
    out[at + 1] = castle_works(s, king)
    out[at + 2] = bounded(kingdom_tiles(s, king) / 10)
    out[at + 3] = bounded(kingdom_points(s, king) / 10)
    out[at + 4] = bounded(monsters_beaten(s, king) / 2)
    out[at + 5] = bounded(trading_goals_of(s, king) / 3)
    out[at + 6] = him.revealed
    out[at + 8] = bounded(gems_of(s, king) / 9)
    out[at + 9] = bounded(ogres_of(s, king) / 9)
    out[at + 10] = 1
    own = king == seat
    for gem in range(N_GEMS):
        known = him.gems[gem] if own else me.known_gems[king, gem]
        out[GEMS + k * N_GEMS + gem] = bounded(known / 5)
    for ogre in range(N_OGRES):
        known = him.ogres[ogre] if own else me.known_ogres[king, ogre]
        out[OGRES + k * N_OGRES + ogre] = bounded(known / 3)
    if own or him.revealed:
        out[SECRETS + k * N_SECRETS + him.secret] = 1
    if own:
        out[at + 7] = bounded(points_of(s, king) / 50)
    else:
        out[at + 7] = bounded(open_points(s, seat, king) / 50)


@kernel
def open_points(s: Any, seat: int, king: int) -> int:
    """Return the points of another king without the gems whose kind `seat` does not know."""
    points = points_of(s, king)
    for gem in range(N_GEMS):
        hidden = s.players[king].gems[gem] - s.players[seat].known_gems[king, gem]
        points -= hidden * GEM_VP[gem]
    return points


@kernel
def observe_supply(s: Any, seat: int, out: Floats) -> None:
    """Write piles, decks, the row of goals, and the observer's own progress."""
    for secret in range(N_SECRETS):
        out[PROGRESS + secret] = bounded(progress(s, seat, secret) / LEAST[secret])
    for slot in range(N_ROW):
        goal = s.goal_row[slot]
        if goal == NONE:
            continue
        for gem in range(N_GEMS):
            out[GOALS + slot * PER_GOAL + gem] = bounded(COST[goal, gem] / 2)
        out[GOALS + slot * PER_GOAL + N_GEMS] = bounded(GOAL_VP[goal] / 16)
        out[GOALS + slot * PER_GOAL + N_GEMS + 1] = bounded(gems_lacking(s, seat, goal) / 4)
    for gem in range(N_GEMS):
        out[GEM_PILES + gem] = bounded(s.gem_piles[gem] / 10)
    out[DECKS] = s.ogre_deck_size / 13
    out[DECKS + 1] = s.goals_left / 7
    for ogre in range(N_OGRES):
        out[OGRE_DISCARD + ogre] = bounded(s.ogre_discard[ogre] / 3)


@kernel
def seen(states: States, i: int, action: int, actor: int, seat: int) -> int:
    """Return what `seat` sees of a choice: all of it, and which secret goal comes to light."""
    if action == REVEAL and actor != seat:
        return N_ACTIONS + 1 + int(states[i].players[actor].secret)
    return action + 1
