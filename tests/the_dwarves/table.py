"""A table to lay positions out on: heroes, cards, troops, scripted dice, and actions by name."""

from __future__ import annotations

import numpy as np

from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_dwarves import GAME
from dwarrow.envs.the_dwarves.cards import (
    CARD_TITLES,
    CARD_TROOPS,
    EQUIPMENT_TITLES,
    MAP,
    RECRUITMENT,
    SPELL_NAMES,
)
from dwarrow.envs.the_dwarves.layout import SCENARIO, SUPPLY
from dwarrow.envs.the_dwarves.words import Equipment, Troop

DECKS = (
    ("scenario_deck", "n_scenario"),
    ("adventure_deck", "n_adventure"),
    ("threat_deck", "n_threat"),
    ("discard", "n_discard"),
    ("completed", "n_completed"),
)
SLOTS = ("display 1", "display 2", "display 3", "scenario")
PERSUADE = "Persuade the Kings of Mankind"


def at(place: str | tuple[int, int]) -> int:
    """Return a hex by the name of its place, or by q and r."""
    if isinstance(place, str):
        return MAP.places[place].index
    return MAP.axial.tolist().index(list(place))


def kinds(troops: str) -> list[int]:
    """Return ``"orc 2, troll 1"`` as counts."""
    counts = [0, 0, 0]
    for word in filter(None, troops.split(", ")):
        name, number = word.split(" ")
        counts[Troop[name.upper()]] += int(number)
    return counts


class Table:
    """One game in the action step of the first hero's turn, with an empty map and display.

    The Scenario is one that nobody fulfils by chance.
    """

    def __init__(self, *heroes: str, seed: int = 1, **options) -> None:
        self.states = GAME.new(1, seed=seed, heroes=heroes or ("bavragor", "gandogar"), **options)
        self.s = self.states[0]
        s = self.s
        s["troops"][:] = 0
        s["tile"][:] = NONE
        s["n_pile"], s["tile_pile"][:] = 36, np.arange(36)
        for j in range(4):
            self._take_off(j)
        s["supply"][:] = SUPPLY
        s["stack"][1:] = np.zeros_like(s["stack"][1:])
        frame = s["stack"][0]
        s["depth"], frame["rule"], frame["stage"], frame["seat"] = 1, 0, 6, 0
        s["phase"], s["seat"], s["actions_left"] = 1, 0, 2
        s["council"], s["hero_marker"], s["doom_marker"] = 4, 1, 42
        s["script_end"] = s["script_next"] = 0
        for p in range(int(s["n_seats"])):
            s["players"][p]["equipment"][:] = 0
        self.show("scenario", PERSUADE)

    # Laying out

    def _take_off(self, j: int) -> None:
        slot = self.s["slots"][j]
        if slot["card"] != NONE:
            deck, n = DECKS[0] if j == SCENARIO else DECKS[1]
            cards = [int(slot["card"]), *self.s[deck][: self.s[n]]]
            self._write(deck, n, cards)
            self.s["supply"] += slot["troops"]
        for name in slot.dtype.names:
            slot[name] = NONE if name in ("card", "attached") else 0

    def _write(self, deck: str, n: str, cards: list[int]) -> None:
        self.s[deck][:] = NONE
        self.s[deck][: len(cards)] = cards
        self.s[n] = len(cards)

    def _find(self, title: str) -> int:
        card = CARD_TITLES.index(title)
        for deck, n in DECKS:
            cards = self.s[deck][: self.s[n]].tolist()
            if card in cards:
                cards.remove(card)
                self._write(deck, n, cards)
        for j in range(4):
            if self.s["slots"][j]["card"] == card:
                self._take_off(j)
                return self._find(title)
        return card

    def show(self, slot: str, title: str, **fields) -> Table:
        """Lay a card face up, with its troops from the supply and whatever else is given."""
        j, card = SLOTS.index(slot), self._find(title)
        self._take_off(j)
        self.s["slots"][j]["card"] = card
        self.s["slots"][j]["troops"] = CARD_TROOPS[card]
        self.s["supply"] -= CARD_TROOPS[card]
        for name, value in fields.items():
            self.s["slots"][j][name] = value
        self.s["face_up"][card] = 1
        return self

    def on_top(self, deck: str, *titles: str) -> Table:
        """Put cards on a deck, the first on top."""
        name, n = f"{deck}_deck", f"n_{deck}"
        for title in reversed(titles):
            card = self._find(title)
            self._write(name, n, [*self.s[name][: self.s[n]].tolist(), card])
            self.s["face_up"][card] = 0
        return self

    def finale(self, title: str) -> Table:
        """Leave only one card in the Scenario deck."""
        card = self._find(title)
        self._write("scenario_deck", "n_scenario", [card])
        self.s["slots"][SCENARIO]["card"] = NONE
        return self

    def put(self, troops: str, place: str | tuple[int, int]) -> Table:
        """Put troops from the supply on a hex."""
        self.s["troops"][at(place)] += np.array(kinds(troops), np.int16)
        self.s["supply"] -= np.array(kinds(troops), np.int16)
        return self

    def perish(self, *places: str | tuple[int, int], tile: int | None = None) -> Table:
        """Turn hexes into Perished Land with the next tiles of the pile, or with a numbered one."""
        for place in places:
            pile = self.s["tile_pile"][: self.s["n_pile"]].tolist()
            number = pile[0] if tile is None else tile - 1
            pile.remove(number)
            self._write("tile_pile", "n_pile", pile)
            self.s["tile"][at(place)] = number
        return self

    def next_tile(self, *tiles: int) -> Table:
        """Let these tiles (numbers as printed) be drawn next, the first first."""
        pile = [k for k in self.s["tile_pile"][: self.s["n_pile"]].tolist() if k + 1 not in tiles]
        self._write("tile_pile", "n_pile", [*pile, *(t - 1 for t in reversed(tiles))])
        return self

    def stand(self, hero: int, place: str | tuple[int, int]) -> Table:
        """Put a hero on a hex."""
        self.s["players"][hero]["hex"] = at(place)
        return self

    def give(self, hero: int, *titles: str) -> Table:
        """Give Equipment out of its deck to a hero; the Spell Book out of the spells."""
        for title in titles:
            k = EQUIPMENT_TITLES.index(title)
            self.s["players"][hero]["equipment"][k] = 1
            if k == Equipment.SPELL_BOOK:
                self._take_spell(title)
            else:
                deck = self.s["equipment_deck"][: self.s["n_equipment"]].tolist()
                deck.remove(k)
                self._write("equipment_deck", "n_equipment", deck)
                self.s["equipment_unseen"] = len(deck)
        return self

    def _take_spell(self, spell: str) -> None:
        deck = self.s["spell_deck"][: self.s["n_spells"]].tolist()
        deck.remove(SPELL_NAMES.index(spell))
        self._write("spell_deck", "n_spells", deck)
        self.s["spells_unseen"] = len(deck)

    def spell(self, *spells: str) -> Table:
        """Put spells into Andokai's hand."""
        for spell in spells:
            self._take_spell(spell)
            self.s["hand"][SPELL_NAMES.index(spell)] = 1
        return self

    def next_equipment(self, *titles: str) -> Table:
        """Let these be drawn next, the first first."""
        deck = self.s["equipment_deck"][: self.s["n_equipment"]].tolist()
        numbers = [EQUIPMENT_TITLES.index(t) for t in titles]
        for k in numbers:
            deck.remove(k)
        self._write("equipment_deck", "n_equipment", [*deck, *reversed(numbers)])
        return self

    def set(self, **fields) -> Table:
        """Set fields of the record."""
        for name, value in fields.items():
            self.s[name] = value
        return self

    def health(self, *hearts: int) -> Table:
        """Set the health of the heroes in order."""
        for p, value in enumerate(hearts):
            self.s["players"][p]["health"] = value
        return self

    # Chance

    def _script(self, values: list[int]) -> None:
        end = int(self.s["script_end"])
        if self.s["script_next"] == end:
            self.s["script"][:] = 0
            end = 0
            self.s["script_next"] = 0
        self.s["script"][end : end + len(values)] = values
        self.s["script_end"] = end + len(values)

    def roll(self, *faces: int) -> Table:
        """Script Number dice."""
        self._script([face - 1 for face in faces])
        return self

    def recruit(self, *skulls: int | None) -> Table:
        """Script Recruitment dice: orcs, trolls, elfar; None for a die that is not rolled."""
        values = []
        for troop, n in enumerate(skulls):
            if n is not None:
                values.append(RECRUITMENT[troop].tolist().index(n))
        self._script(values)
        return self

    # Playing

    def legal(self) -> list[str]:
        """The names of the legal actions."""
        return [GAME.action_name(int(a)) for a in GAME.legal(self.states, 0)]

    def act(self, *names: str) -> Table:
        """Play actions by name; the position must be sound before and after each."""
        for name in names:
            assert GAME.violated(self.states, 0) == [], GAME.text(self.states, 0)
            GAME.step(self.states, 0, GAME.action_id(name))
        assert GAME.violated(self.states, 0) == [], GAME.text(self.states, 0)
        return self

    def walk(self, *hexes: tuple[int, int] | str) -> Table:
        """Step from hex to hex of a move."""
        for h in hexes:
            q, r = MAP.axial[at(h)].tolist()
            self.act(f"hex {q} {r}")
        return self

    def end_turn(self) -> Table:
        """Pass until it is another turn (or the game is over)."""
        turn = int(self.s["turn"])
        while self.s["turn"] == turn and not self.s["over"]:
            self.act("pass")
        return self

    # Reading

    @property
    def used_up(self) -> bool:
        """Whether every scripted value was used."""
        return bool(self.s["script_next"] == self.s["script_end"])

    def troops(self, place: str | tuple[int, int]) -> list[int]:
        """Orcs, trolls and elfar on a hex."""
        return self.s["troops"][at(place)].tolist()

    def total(self, troop: str) -> int:
        """How many of a kind stand on the map."""
        return int(self.s["troops"][:, Troop[troop.upper()]].sum())

    def owned(self, hero: int) -> list[str]:
        """Titles a hero owns."""
        flags = self.s["players"][hero]["equipment"]
        return [t for t, n in zip(EQUIPMENT_TITLES, flags, strict=True) if n]

    def shown(self, slot: str) -> str | None:
        """Title of the card in a slot."""
        card = int(self.s["slots"][SLOTS.index(slot)]["card"])
        return None if card == NONE else CARD_TITLES[card]

    def card(self, slot: str):
        """Record of a slot."""
        return self.s["slots"][SLOTS.index(slot)]

    def hero(self, p: int):
        """Record of a hero."""
        return self.s["players"][p]

    def where(self, p: int) -> tuple[int, int]:
        """Hex of a hero."""
        q, r = MAP.axial[self.s["players"][p]["hex"]].tolist()
        return q, r

    @property
    def council(self) -> int:
        """Steps of the Council marker from the axe."""
        return int(self.s["council"]) - 4

    @property
    def completed(self) -> list[str]:
        """Titles of the Scenarios completed."""
        return [CARD_TITLES[c] for c in self.s["completed"][: self.s["n_completed"]]]

    @property
    def discarded(self) -> list[str]:
        """Titles in the discard pile."""
        return [CARD_TITLES[c] for c in self.s["discard"][: self.s["n_discard"]]]
