"""A slow scorer in plain Python, written from the rulebook, against the engine's final count.

It reads positions and the component tables as text and shares no code with the engine.
"""

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dwarrow import envs
from dwarrow.envs.aquilon import cards
from dwarrow.envs.core.table import play_random_games

GAME = envs.game("aquilon")
FOLDER = Path(cards.__file__).parent / "cards"
GAMES = 350


def rows(file: str) -> list[dict[str, str]]:
    with (FOLDER / file).open() as stream:
        return list(csv.DictReader(stream))


DWARF = dict(zip(cards.DWARFS, rows("dwarfs.csv"), strict=True))
COGNAR = {row["name"]: row for row in rows("cognars.csv")}
COIN = {row["coin"]: int(row["value"]) for row in rows("coins.csv")}
TRACK = {int(row["ranks"]): int(row["points"]) for row in rows("shield_track.csv")}
GAAT = {row["column"]: int(row["points"]) for row in rows("gaat.csv")}


def whose(position: dict[str, Any], seat: int) -> list[str]:
    return [name for name, holder in position["holder"].items() if holder == seat]


def column_of(position: dict[str, Any], cognar: str) -> str:
    printed = COGNAR[cognar]["column"]
    return str(position["column"][cognar]) if printed == "any" else printed


def bravery(position: dict[str, Any], seat: int) -> int:
    lord, mine = position["players"][seat], whose(position, seat)
    army = [DWARF[card] for card in lord["army"]]
    own = [COGNAR[name] for name in mine]
    ranks, points, black = Counter[str](), Counter[str](), Counter[str]()
    for dwarf in army:
        ranks[dwarf["order"]] += 1
        points[dwarf["order"]] += int(dwarf["points"])
    for name in mine:
        column = column_of(position, name)
        ranks[column] += int(COGNAR[name]["ranks"])
        if COGNAR[name]["kind"] == "mercenary":
            black[column] += int(COGNAR[name]["points"])
        else:
            points[column] += GAAT[column] if name == "Ga'at" else int(COGNAR[name]["points"])
    ranks["Shield"] += position["options"]["gaat_shield_ranks"] - 1 if (
        "Ga'at" in mine and column_of(position, "Ga'at") == "Shield"
    ) else 0  # fmt: skip

    # the five Orders
    total = TRACK[ranks["Shield"]] + sum(black.values())
    if "Abokar" in mine:
        total += ranks["Shield"]
    occults = 1 + sum(int(card["occults"]) for card in army + own)
    total += points["Temple"] * occults
    tokens = sorted(lord["covered"])
    removed = sum(int(card["tokens"]) for card in own)
    total += points["Wanderers"] - sum(tokens[: max(0, len(tokens) - removed)])
    kinds = {dwarf["rune"] for dwarf in army if dwarf["rune"]}
    runes = len(kinds) + sum(int(card["runes"]) for card in own)
    total += points["Forge"] + runes * runes
    total += points["Talion"]
    # the Command zone
    total += points["Command"]
    if "Tiss" in mine:
        total += 2 * ranks["Shield"]
    if "Jorun" in mine:
        total += 3 * runes
    # Malts and coins
    malts = sum(int(card["malts"]) for card in army + own)
    each = 1 + ("Liquor Certification" in mine) + ("Gurdan" in mine and "Borogam" in mine)
    return total + malts * each + sum(COIN[coin] for coin in lord["coins"])


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("options", [{}, {"gaat_shield_ranks": 2}])
def test_engine_and_plain_scorer_agree_on_random_end_states(players, options):
    games = GAMES if not options else 40
    states = GAME.blank(games, GAME.options.parse({"players": players, **options}))
    play_random_games(states, 77, np.zeros(GAME.n_actions, np.int8), GAME.max_decisions)
    for i in range(games):
        position = GAME.position(states, i)
        expected = [bravery(position, seat) for seat in range(players)]
        assert GAME.scores(states, i).tolist() == expected, f"game {i}"
        best = max((expected[k], len({"Tiss", "Redwin", "Aral", "Ordo", "Brum"}
                    & set(whose(position, k)))) for k in range(players))  # fmt: skip
        winners = GAME.breakdown(states, i)["winners"]
        assert best[0] == expected[winners[0]]
        assert all(GAME.returns(states, i)[k] == GAME.returns(states, i).max() for k in winners)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_tokens_lie_on_all_but_one_of_equal_wanderers(players):
    """Without a Cognar of equal value in the column, n alike cards bear n - 1 tokens."""
    states = GAME.blank(150, GAME.options.parse({"players": players}))
    play_random_games(states, 5, np.zeros(GAME.n_actions, np.int8), GAME.max_decisions)
    checked = 0
    for i in range(len(states)):
        position = GAME.position(states, i)
        for seat in range(players):
            lord, mine = position["players"][seat], whose(position, seat)
            special = {10} if "Droh" in mine else set()
            if "Ga'at" in mine and column_of(position, "Ga'at") == "Wanderers":
                special |= {9}
            values = Counter(
                int(DWARF[c]["points"]) for c in lord["army"] if DWARF[c]["order"] == "Wanderers"
            )
            tokens = Counter(lord["covered"])
            for value, count in values.items():
                if value not in special:
                    assert tokens[value] == count - 1
                    checked += count > 1
    assert checked > 100


def test_coins_and_cards_of_every_end_state_add_up():
    """Nothing is made or lost: gold in hands and treasury, and every dwarf card somewhere."""
    states = GAME.blank(60, GAME.options.parse({"players": 5}))
    play_random_games(states, 9, np.zeros(GAME.n_actions, np.int8), GAME.max_decisions)
    for i in range(len(states)):
        position = GAME.position(states, i)
        held = Counter(coin for lord in position["players"] for coin in lord["coins"])
        stock = Counter(position["treasury"])
        for row in rows("coins.csv"):
            if row["kind"] == "gold":
                assert held[row["coin"]] + stock[row["coin"]] == int(row["copies"])
        armies = [card for lord in position["players"] for card in lord["army"]]
        left = [card for deck in position["decks"] for card in deck["cards"]]
        assert sorted(armies + left) == sorted(cards.DWARFS)
        assert len(left) <= 1
