"""The components, read from ``cards/`` and checked; nothing else opens the data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dwarrow.envs.core.pack import Pack, integer, one_of, text
from dwarrow.envs.core.record import Ints

KINDS = (
    "castle",
    "emerald_mine",
    "diamond_mine",
    "gold_mine",
    "ruby_mine",
    "tavern",
    "general_store",
    "fire_dragon",
    "frost_giant",
)
STACKS = ("castle", "mine", "inn")
STACK_OF = {
    "castle": "castle",
    "emerald_mine": "mine",
    "diamond_mine": "mine",
    "gold_mine": "mine",
    "ruby_mine": "mine",
    "tavern": "inn",
    "general_store": "inn",
    "fire_dragon": "mine",
    "frost_giant": "castle",
}
MONSTERS = ("fire_dragon", "frost_giant")
GEMS = ("gold", "emerald", "diamond", "ruby")
SECRETS = (
    "kingdom_tiles",
    "kingdom_points",
    "emeralds",
    "dwarf_trios",
    "gem_of_every_kind",
    "monsters_beaten",
    "ogres_in_hand",
)
OGRES = ("ambush", "brute", "thief", "panic", "crown")

N_GEM_CARDS, N_OGRE_CARDS, N_TRADING_GOALS = 34, 13, 10
DWARFS = 7
"""Dwarfs of each king."""

PACK = Pack("dwar7s_fall", Path(__file__).parent / "cards")


def _by_name(pack: Pack, file: str, names: tuple[str, ...], columns: dict[str, Any]) -> Any:
    """Read a table whose first column holds each of `names` once; return its rows in that order."""
    first, *_ = columns
    rows: list[Any] = [None] * len(names)
    for number, row in enumerate(pack.table(file, columns), start=2):
        if rows[row[first]] is not None:
            pack.fail(file, number, first, f"{names[row[first]]!r} stands here a second time")
        rows[row[first]] = {**row, "row": number}
    missing = [name for name, row in zip(names, rows, strict=True) if row is None]
    if missing:
        pack.fail(file, len(rows) - len(missing) + 2, first, f"no row for {', '.join(missing)}")
    return rows


def _column(rows: Any, name: str) -> Ints:
    """Return a column as a read-only array."""
    column = np.array([row[name] for row in rows], dtype=np.int16)
    column.setflags(write=False)
    return column


def _read_only(values: Any) -> Ints:
    array = np.array(values, dtype=np.int16)
    array.setflags(write=False)
    return array


def _load_tiles(pack: Pack) -> tuple[Any, Any, Any, Any]:
    kind = {"kind": one_of(KINDS)}
    tiles = _by_name(
        pack,
        "tiles.csv",
        KINDS,
        {**kind, "stack": one_of(STACKS), "need": integer(1, DWARFS), "amount": integer(1, 4)},
    )
    spots = _by_name(pack, "spots.csv", KINDS, {**kind, "spots": integer(1, 4 * DWARFS)})
    sides = {side: integer(0, 1) for side in ("north", "east", "south", "west")}
    walls = _by_name(pack, "walls.csv", KINDS, {**kind, **sides})
    points = _by_name(pack, "points.csv", KINDS, {**kind, "vp": integer(0, 20)})
    for k, name in enumerate(KINDS):
        tile, spot, wall = tiles[k], spots[k], walls[k]
        if STACKS[tile["stack"]] != STACK_OF[name]:
            pack.fail(
                "tiles.csv",
                tile["row"],
                "stack",
                f"{STACKS[tile['stack']]!r}; the rulebook stacks {name} as {STACK_OF[name]!r}",
            )
        if name in MONSTERS and tile["need"] != 5:
            pack.fail("tiles.csv", tile["row"], "need", "the rulebook has 5 dwarfs beat a monster")
        if spot["spots"] < tile["need"]:
            pack.fail(
                "spots.csv",
                spot["row"],
                "spots",
                f"{spot['spots']} spots cannot hold the {tile['need']} dwarfs that {name} needs",
            )
        n_walls = sum(wall[side] for side in sides)
        if not 1 <= n_walls <= 3:
            pack.fail("walls.csv", wall["row"], "north", f"{n_walls} walls; a tile has 1 to 3")
    return tiles, spots, walls, points


def _load_goals(pack: Pack, gem_cards: Ints) -> Any:
    costs = {gem: integer(0, 9) for gem in GEMS}
    rows = pack.table("trading_goals.csv", {"goal": text, **costs, "vp": integer(0, 99)})
    pack.expect("trading_goals.csv", "the number of trading goals", len(rows), N_TRADING_GOALS)
    names: set[str] = set()
    for number, row in enumerate(rows, start=2):
        if row["goal"] in names:
            pack.fail("trading_goals.csv", number, "goal", f"{row['goal']!r} stands here twice")
        names.add(row["goal"])
        if not any(row[gem] for gem in GEMS):
            pack.fail("trading_goals.csv", number, "gold", "a trading goal costs at least one gem")
        for k, gem in enumerate(GEMS):
            if row[gem] > gem_cards[k]:
                problem = f"{row[gem]} wanted, but there are {gem_cards[k]} {gem} cards"
                pack.fail("trading_goals.csv", number, gem, problem)
    return rows


_tiles, _spots, _walls, _points = _load_tiles(PACK)
STACK = _column(_tiles, "stack")
"""Stacking type of each kind, as index into `STACKS`."""
NEED = _column(_tiles, "need")
"""Dwarfs of one colour that complete the task, by kind."""
AMOUNT = _column(_tiles, "amount")
"""Cards that a completed task brings, by kind."""
SPOTS = _column(_spots, "spots")
"""Allocation spots, by kind."""
POINTS = _column(_points, "vp")
"""Victory points in a kingdom, by kind."""
PRINTED_WALLS = _read_only([[row[s] for s in ("north", "east", "south", "west")] for row in _walls])
"""Walls as printed [kind, side], the card's top to the north."""
WALLS = _read_only(
    [
        [[printed[(side - turned) % 4] for side in range(4)] for turned in range(4)]
        for printed in PRINTED_WALLS
    ]
)
"""Walls [kind, turned, side]: `turned` is the side that the card's top points to."""
SAME_AS = _read_only(
    [[next(t for t in range(4) if (w[t] == w[turned]).all()) for turned in range(4)] for w in WALLS]
)
"""First turn with the same walls [kind, turned]: turns that look alike are one choice."""

_gems = _by_name(
    PACK, "gems.csv", GEMS, {"gem": one_of(GEMS), "cards": integer(1, 34), "vp": integer(0, 20)}
)
GEM_CARDS = _column(_gems, "cards")
GEM_VP = _column(_gems, "vp")
PACK.expect("gems.csv", "the number of gem cards", int(GEM_CARDS.sum()), N_GEM_CARDS)

_goals = _load_goals(PACK, GEM_CARDS)
GOAL_NAMES = tuple(str(row["goal"]) for row in _goals)
COST = _read_only([[row[gem] for gem in GEMS] for row in _goals])
"""Gems that a trading goal costs [goal, gem]."""
GOAL_VP = _column(_goals, "vp")

_secrets = _by_name(
    PACK,
    "secret_goals.csv",
    SECRETS,
    {"goal": one_of(SECRETS), "least": integer(1, 36), "vp": integer(0, 20)},
)
LEAST = _column(_secrets, "least")
"""What a secret goal asks for at least."""
SECRET_VP = _column(_secrets, "vp")

_ogres = _by_name(
    PACK, "ogres.csv", OGRES, {"ogre": one_of(OGRES), "cards": integer(1, N_OGRE_CARDS)}
)
OGRE_CARDS = _column(_ogres, "cards")
PACK.expect("ogres.csv", "the number of ogre cards", int(OGRE_CARDS.sum()), N_OGRE_CARDS)

MONSTER_VP, TRIO = 3, 3
