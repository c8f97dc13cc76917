"""What follows from a partial position: supplies and decks without what is laid out elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dwarrow.envs.core.kernels import States
from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_dwarves.cards import DECK_OF, TROPHY
from dwarrow.envs.the_dwarves.layout import N_DISPLAY, N_SLOTS, SUPPLY
from dwarrow.envs.the_dwarves.words import Deck, Equipment

_DECKS = (
    ("scenario_deck", "n_scenario"),
    ("adventure_deck", "n_adventure"),
    ("threat_deck", "n_threat"),
    ("discard", "n_discard"),
    ("completed", "n_completed"),
)


def complete(states: States, i: int, data: Mapping[str, Any]) -> None:
    """Take out of supplies and decks that `data` does not name what it lays out elsewhere."""
    s: Any = states[i]
    if "supply" not in data and {"troops", "slots"} & set(data):
        _refill_supply(s)
    if "tile" in data and "tile_pile" not in data:
        laid = {int(t) for t in s["tile"] if t != NONE}
        _keep(
            s, "tile_pile", "n_pile", [t for t in _cards(s, "tile_pile", "n_pile") if t not in laid]
        )
    if "slots" in data or any(deck in data for deck, _ in _DECKS):
        _sort_cards(s, data)
    if "players" in data and "equipment_deck" not in data:
        _hand_out_equipment(s)


def _refill_supply(s: Any) -> None:
    for troop, total in enumerate(SUPPLY):
        out = int(s["troops"][:, troop].sum())
        for j in range(N_SLOTS):
            slot = s["slots"][j]
            out += int(slot["troops"][troop])
            if slot["card"] != NONE and TROPHY[slot["card"]] == troop:
                out += int(slot["trophies"])
        s["supply"][troop] = total - out


def _cards(s: Any, deck: str, n: str) -> list[int]:
    return [int(card) for card in s[deck][: s[n]]]


def _keep(s: Any, deck: str, n: str, cards: list[int]) -> None:
    s[deck][:] = NONE
    s[deck][: len(cards)] = cards
    s[n] = len(cards)


def _sort_cards(s: Any, data: Mapping[str, Any]) -> None:
    """Take cards that were placed out of the other decks; what is nowhere goes under its deck."""
    placed = {int(s["slots"][j]["card"]) for j in range(N_SLOTS)}
    before: set[int] = set()
    for deck, n in _DECKS:
        before |= set(_cards(s, deck, n))
        if deck in data:
            placed |= set(_cards(s, deck, n))
    for deck, n in _DECKS:
        if deck not in data:
            _keep(s, deck, n, [card for card in _cards(s, deck, n) if card not in placed])
    lost = [card for card in range(len(DECK_OF)) if s["face_up"][card] and card not in placed]
    adventures = _cards(s, "adventure_deck", "n_adventure")
    lost = [c for c in lost if c not in before and DECK_OF[c] != Deck.SCENARIO]
    if "adventure_deck" not in data:
        _keep(s, "adventure_deck", "n_adventure", [*lost, *adventures])
    for j in range(N_DISPLAY + 1):
        if s["slots"][j]["card"] != NONE:
            s["face_up"][s["slots"][j]["card"]] = 1


def _hand_out_equipment(s: Any) -> None:
    deck = _cards(s, "equipment_deck", "n_equipment")
    for p in range(int(s["n_seats"])):
        for title, owned in enumerate(s["players"][p]["equipment"]):
            if owned and title != Equipment.SPELL_BOOK and title in deck:
                deck.remove(title)
    _keep(s, "equipment_deck", "n_equipment", deck)
    s["equipment_unseen"] = min(int(s["equipment_unseen"]), len(deck))
