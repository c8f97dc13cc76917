r"""The map of Girdlegard, the Perished Land tiles and the Doom track, read from the pack.

Hexes are flat-top, axial (q, r), r pointing south, numbered in the order of the rows of map.csv.
Directions go clockwise from the north::

            N 0
      NW 5  ___  NE 1
           /   \
      SW 4 \___/  SE 2
            S 3
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dwarrow.envs.core.pack import Pack, integer, one_of
from dwarrow.envs.core.record import NONE, Ints
from dwarrow.envs.the_dwarves.notation import Place
from dwarrow.envs.the_dwarves.words import Hero, Icon, PlaceKind, Troop

HEROES = tuple(Hero)
RADIUS = 4
N_HEXES = 61
N_DIRECTIONS = 6
N_GATES = 4
N_TILES = 36
N_SPACES = 41
SQUARES = 4
STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")
COLOURS = ("red", "blue")
KINGDOMS = ("Gauragar", "Urgon", "Idoslan", "Sangrein", "Ran Ribastur", "Weyurn", "Tabain")
LOCATIONS = (
    *("Porista", "Dson Balsur", "Toboribor", "Dragonsfire", "Blacksaddle", "Green Haven"),
    *("Roodacre", "Alandur", "Mifurdania", "Lot-Ionan's Vaults", "Queen Xamtys II"),
)
GATES = ("I", "II", "IV", "V")
PAIRS = ("OO", "TT", "EE", "OT", "OE", "TE")
ICONS = ("council", "threats", *(f"gate {g}" for g in GATES))
_LETTERS = {"O": Troop.ORC, "T": Troop.TROLL, "E": Troop.ELFAR}


def frozen(values: Any) -> Ints:
    """Return a read-only int16 array."""
    array: Ints = np.asarray(values, dtype=np.int16)
    array.flags.writeable = False
    return array


@dataclass(frozen=True)
class Map:
    """The map as arrays by hex.

    Attributes:
        axial: q and r.
        neighbour: hex in each direction, or NONE.
        distance: hexes between two hexes.
        arrow: direction of the red and the blue arrow, NONE at Blacksaddle.
        ring: hexes from the centre.
        kingdom: kingdom of each hex.
        location: location of each hex, or NONE.
        gate: hex of each gate.
        gate_at: gate of each hex, or NONE.
        entrance: 1 where a tunnel entrance is printed.
        portal: hex where the Portal tile begins.
        blacksaddle: its hex.
        order: hexes outermost first, then by q and r.
        places: every place a card may name.
    """

    axial: Ints
    neighbour: Ints
    distance: Ints
    arrow: Ints
    ring: Ints
    kingdom: Ints
    location: Ints
    gate: Ints
    gate_at: Ints
    entrance: Ints
    portal: int
    blacksaddle: int
    order: Ints
    places: dict[str, Place]


def load_map(pack: Pack) -> Map:
    """Read map.csv.

    Raises:
        PackError: a hex missing or twice, a place missing, an arrow path that does not end at
            Blacksaddle.
    """
    file = "map.csv"
    rows = pack.table(
        file,
        {
            "q": integer(-RADIUS, RADIUS),
            "r": integer(-RADIUS, RADIUS),
            "kingdom": one_of(KINGDOMS),
            "location": one_of(LOCATIONS, NONE),
            "gate": one_of(GATES, NONE),
            "tunnel": one_of(("entrance", "portal"), NONE),
            "red": one_of(DIRECTIONS, NONE),
            "blue": one_of(DIRECTIONS, NONE),
        },
    )
    at = {(row["q"], row["r"]): k for k, row in enumerate(rows)}
    for k, row in enumerate(rows):
        if at[row["q"], row["r"]] != k or max(abs(row["q"]), abs(row["q"] + row["r"])) > RADIUS:
            pack.fail(file, k + 2, "q", f"({row['q']}, {row['r']}) is there twice or off the map")
    pack.expect(file, "number of hexes", len(rows), N_HEXES)
    pack.expect(file, "tunnel entrances", sum(r["tunnel"] == 0 for r in rows), 4)
    pack.expect(file, "portals", sum(r["tunnel"] == 1 for r in rows), 1)
    axial = [(row["q"], row["r"]) for row in rows]
    neighbour = [[at.get((q + dq, r + dr), NONE) for dq, dr in STEPS] for q, r in axial]
    location = [row["location"] for row in rows]
    gate_at = [row["gate"] for row in rows]
    gate = [_only(pack, file, f"gate {g}", gate_at, k) for k, g in enumerate(GATES)]
    places = _places(pack, rows, location, gate)
    blacksaddle = places["Blacksaddle"].index
    arrow = [(row["red"], row["blue"]) for row in rows]
    _check_arrows(pack, neighbour, arrow, blacksaddle)
    ring = [max(abs(q), abs(r), abs(q + r)) for q, r in axial]
    return Map(
        axial=frozen(axial),
        neighbour=frozen(neighbour),
        distance=frozen([[_apart(a, b) for b in axial] for a in axial]),
        arrow=frozen(arrow),
        ring=frozen(ring),
        kingdom=frozen([row["kingdom"] for row in rows]),
        location=frozen(location),
        gate=frozen(gate),
        gate_at=frozen(gate_at),
        entrance=frozen([row["tunnel"] == 0 for row in rows]),
        portal=next(k for k, row in enumerate(rows) if row["tunnel"] == 1),
        blacksaddle=blacksaddle,
        order=frozen(sorted(range(N_HEXES), key=lambda k: (-ring[k], axial[k]))),
        places=places,
    )


def _apart(a: tuple[int, int], b: tuple[int, int]) -> int:
    dq, dr = a[0] - b[0], a[1] - b[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def _only(pack: Pack, file: str, what: str, column: list[int], value: int) -> int:
    pack.expect(file, f"number of hexes with {what}", column.count(value), 1)
    return column.index(value)


def _places(
    pack: Pack, rows: list[dict[str, Any]], location: list[int], gate: list[int]
) -> dict[str, Place]:
    places = {"": Place()}
    for k, name in enumerate(LOCATIONS):
        places[name] = Place(PlaceKind.HEX, _only(pack, "map.csv", name, location, k))
    for name, h in zip(GATES, gate, strict=True):
        places[f"gate {name}"] = Place(PlaceKind.HEX, h)
    for k, name in enumerate(KINGDOMS):
        if all(row["kingdom"] != k for row in rows):
            pack.expect("map.csv", f"number of hexes of {name}", 0, "at least 1")
        places[f"kingdom {name}"] = Place(PlaceKind.KINGDOM, k)
    places["any gate"] = Place(PlaceKind.ANY_GATE)
    places["tunnel entrance"] = Place(PlaceKind.TUNNEL_ENTRANCE)
    places["Portal"] = Place(PlaceKind.PORTAL)
    places["perished hex"] = Place(PlaceKind.PERISHED)
    places["troops"] = Place(PlaceKind.TROOPS)
    places["attached hero"] = Place(PlaceKind.ATTACHED)
    places["marked gate"] = Place(PlaceKind.MARKED_GATE)
    return places


def _check_arrows(
    pack: Pack, neighbour: list[list[int]], arrow: list[tuple[int, int]], blacksaddle: int
) -> None:
    """Check that whatever tiles come to lie, troops on them end at Blacksaddle."""
    ends = {blacksaddle}
    while True:
        more = {
            h
            for h in range(N_HEXES)
            if h not in ends and all(d != NONE and neighbour[h][d] in ends for d in arrow[h])
        }
        if not more:
            break
        ends |= more
    for h in range(N_HEXES):
        if h not in ends:
            pack.fail("map.csv", h + 2, "red", "this arrow or the blue one misses Blacksaddle")


@dataclass(frozen=True)
class Tiles:
    """The Perished Land tiles.

    Attributes:
        arrow: colour of the arrow of each tile.
        square: troop of each of its squares, two left and two right of the arrow.
    """

    arrow: Ints
    square: Ints


def load_tiles(pack: Pack) -> Tiles:
    """Read tiles.csv."""
    pair = one_of(PAIRS)
    rows = pack.table(
        "tiles.csv",
        {"tile": integer(1, N_TILES), "arrow": one_of(COLOURS), "left": pair, "right": pair},
    )
    pack.expect("tiles.csv", "tile numbers", [r["tile"] for r in rows], [*range(1, N_TILES + 1)])
    letters = [PAIRS[row["left"]] + PAIRS[row["right"]] for row in rows]
    return Tiles(
        arrow=frozen([row["arrow"] for row in rows]),
        square=frozen([[_LETTERS[c] for c in squares] for squares in letters]),
    )


def load_track(pack: Pack) -> Ints:
    """Read doom_track.csv: the icon of every space between the two start spaces."""
    icon: Callable[[str], Any] = one_of(ICONS)
    rows = pack.table("doom_track.csv", {"space": integer(1, N_SPACES), "icon": icon})
    spaces = [r["space"] for r in rows]
    pack.expect("doom_track.csv", "spaces", spaces, [*range(1, N_SPACES + 1)])
    threats = sum(r["icon"] == Icon.THREATS for r in rows)
    pack.expect("doom_track.csv", "threat spaces", threats, 6)
    return frozen([NONE, *(row["icon"] for row in rows)])
