"""Regions, kingdoms and points again, slowly: flood fill over a dict of cells, from a position."""

from __future__ import annotations

from typing import Any

from dwarrow.envs.dwar7s_fall.cards import (
    GEM_VP,
    GOAL_NAMES,
    GOAL_VP,
    KINDS,
    POINTS,
    PRINTED_WALLS,
    SECRET_VP,
    SECRETS,
)

STEPS = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
ORDER = list(STEPS)


def where(cell: str) -> tuple[int, int]:
    return ord(cell[0]) - ord("A"), int(cell[1:])


def kind_of(name: str) -> str:
    return name.partition("_")[2]


def walls_of(name: str, tile: dict[str, Any]) -> set[str]:
    """The sides of the cell on which a turned tile shows a wall."""
    printed = PRINTED_WALLS[KINDS.index(kind_of(name))]
    quarter_turns = ORDER.index(tile["turned"])
    return {ORDER[(k + quarter_turns) % 4] for k in range(4) if printed[k]}


def uppermost(position: dict[str, Any]) -> dict[tuple[int, int], str]:
    on_top: dict[tuple[int, int], str] = {}
    for name, tile in sorted(position["tiles"].items(), key=lambda item: item[1]["level"]):
        if tile["place"] == "board":
            on_top[where(tile["cell"])] = name
    return on_top


def regions(position: dict[str, Any]) -> list[set[str]]:
    on_top, tiles = uppermost(position), position["tiles"]
    left, found = set(on_top), []
    while left:
        reached, ahead = set(), [left.pop()]
        while ahead:
            x, y = ahead.pop()
            reached.add(on_top[x, y])
            for k, (side, (dx, dy)) in enumerate(STEPS.items()):
                beyond = x + dx, y + dy
                if beyond not in left:
                    continue
                here, there = on_top[x, y], on_top[beyond]
                opposite = ORDER[(k + 2) % 4]
                if side in walls_of(here, tiles[here]):
                    continue
                if opposite in walls_of(there, tiles[there]):
                    continue
                left.discard(beyond)
                ahead.append(beyond)
        found.append(reached)
    return found


def kingdom(position: dict[str, Any], colour: str) -> set[str]:
    """The tiles of a king's kingdom; none if his castle is not in play."""
    castle = f"{colour}_castle"
    for region in regions(position):
        if castle in region:
            giants = {name for name in region if name.endswith("frost_giant")}
            if position["options"]["giant_takes"] == "region" and giants:
                return set()
            return region
    return set()


def points(position: dict[str, Any], seat: int) -> int:
    colour = ["blue", "red", "green", "yellow"][seat]
    king = position["players"][seat]
    total = sum(
        vp * king["goals"][goal] for goal, vp in zip(GOAL_NAMES, GOAL_VP.tolist(), strict=True)
    )
    if king["revealed"]:
        total += int(SECRET_VP[SECRETS.index(king["secret"])])
    total += 3 * sum(tile["beaten_by"] == colour for tile in position["tiles"].values())
    total += sum(n * vp for n, vp in zip(king["gems"].values(), GEM_VP.tolist(), strict=True))
    return total + sum(
        int(POINTS[KINDS.index(kind_of(name))]) for name in kingdom(position, colour)
    )


def order(position: dict[str, Any]) -> list[int]:
    """Place of every seat, 0 for the winner; equal kings share a place."""
    colours = ["blue", "red", "green", "yellow"]
    keys = [
        (points(position, k), len(kingdom(position, colours[k])), 7 - king["pile"])
        for k, king in enumerate(position["players"])
    ]
    return [sum(other > key for other in keys) for key in keys]
