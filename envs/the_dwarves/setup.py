"""Setup: boards, heroes, the decks; then the first turn runs to its first decision."""

from __future__ import annotations

import numpy as np

from dwarrow.envs.core.kernels import States, kernel, part
from dwarrow.envs.core.record import NONE, Ints, Stream
from dwarrow.envs.core.rng import random_below, shuffle
from dwarrow.envs.the_dwarves.board import N_HEXES, N_TILES
from dwarrow.envs.the_dwarves.cards import (
    BOOK_OF,
    CARD_TROOPS,
    DECK_OF,
    EQUIPMENT_BOOK,
    EQUIPMENT_COPIES,
    HERO_ABILITY,
    HERO_HEALTH,
    HERO_START,
    LEVEL_OF,
    MAP,
    N_CARDS,
    REMOVED,
)
from dwarrow.envs.the_dwarves.layout import (
    DOOM_START,
    FIRST_THREATS,
    N_DISPLAY,
    N_SLOTS,
    NIL,
    SUPPLY,
    Rule,
    State,
)
from dwarrow.envs.the_dwarves.rules.engine import run
from dwarrow.envs.the_dwarves.rules.gear import shuffle_equipment
from dwarrow.envs.the_dwarves.rules.lookup import clear_slot
from dwarrow.envs.the_dwarves.rules.reveal import draw_adventure
from dwarrow.envs.the_dwarves.rules.stack import push, seats, wide
from dwarrow.envs.the_dwarves.rules.turn import shuffle_threats_in
from dwarrow.envs.the_dwarves.words import (
    N_HEROES,
    N_SPELLS,
    N_TROOPS,
    Ability,
    Book,
    Box,
    Deck,
    Level,
)

_PORTAL = MAP.portal
NO_LEVEL = NONE
N_BOOKS = len(Book)


@kernel
def setup(states: States, i: int) -> None:
    """Set game `i` up and begin the first turn.

    Rule: setup (p. 4).
    """
    s: State = states[i]
    lay_out(s)
    choose_heroes(s)
    build_scenario_deck(s)
    build_adventure_deck(s)
    build_equipment_deck(s)
    push(s, Rule.TURN, NIL)
    run(s)


@kernel
def is_in_game(s: State, book: int) -> bool:
    """Return whether cards of a book or expansion are in play.

    Rule: expansions (p. 11).
    """
    if book == Book.ELFAR:
        return bool(s.options.elfar)
    if book == Book.COMBINED_MIGHT:
        return bool(s.options.combined_might)
    return True


@part
def lay_out(s: State) -> None:
    """Lay out boards, markers, supplies and tiles.

    Rule: setup_boards (p. 4).
    """
    s.doom_marker = DOOM_START
    s.council = Box.AXE
    s.fallen = NONE
    for troop in range(N_TROOPS):
        s.supply[troop] = SUPPLY[troop]
        s.recruited[troop] = NONE
    for h in range(N_HEXES):
        s.tile[h] = NONE
    s.n_pile = N_TILES
    for k in range(N_TILES):
        s.tile_pile[k] = k
    shuffle(s, Stream.SETUP, s.tile_pile[:], N_TILES)
    s.tunnel = _PORTAL if s.options.elfar else NONE
    s.marker_hex[:] = NONE
    for j in range(N_SLOTS):
        clear_slot(s, j)
    for cards in (s.scenario_deck, s.adventure_deck, s.threat_deck, s.discard, s.completed):
        cards[:] = NONE
    s.equipment_deck[:] = NONE
    s.equipment_discard[:] = NONE
    s.spell_deck[:] = NONE
    s.drawn[:] = NONE


@part
def choose_heroes(s: State) -> None:
    """Give every seat its hero, as chosen or drawn, on the start hex with full health.

    Rule: setup_heroes (p. 5).
    """
    heroes = np.empty(N_HEROES, np.int16)
    for hero in range(N_HEROES):
        heroes[hero] = hero
    shuffle(s, Stream.SETUP, heroes, N_HEROES)
    for p in range(seats(s)):
        player = s.players[p]
        player.hero = s.options.heroes[p] if s.options.n_heroes else heroes[p]
        player.hex = HERO_START[player.hero]
        player.health = HERO_HEALTH[player.hero]
        if HERO_ABILITY[player.hero] == Ability.SPELLS:
            for spell in range(N_SPELLS):
                s.spell_deck[spell] = spell
            shuffle(s, Stream.SETUP, s.spell_deck[:], N_SPELLS)
            s.n_spells = N_SPELLS
            s.spells_unseen = N_SPELLS


@kernel
def add_cards(cards: Ints, n: int, deck: int, level: int, book: int) -> int:
    """Put the cards of a kind on a pile, written in place; return its new height."""
    for card in range(N_CARDS):
        if DECK_OF[card] == deck and LEVEL_OF[card] == level and BOOK_OF[card] == book:
            cards[n] = card
            n += 1
    return n


@part
def build_scenario_deck(s: State) -> None:
    """Pile up the Scenarios: level C below, one level B, then level A without those removed.

    Rule: scenario_deck (p. 5).
    """
    might = wide(s.options.combined_might)
    deck = s.scenario_deck[:]
    n = wide(NIL)
    if not s.options.elfar or (s.options.combined_might and s.options.finales):
        n = add_scenarios(s, n, Level.C)
    if s.options.elfar:
        n = add_cards(deck, n, Deck.SCENARIO, Level.C, Book.ELFAR)
    shuffle(s, Stream.SETUP, deck, n)
    top = add_scenarios(s, n, Level.B)
    keep = n + random_below(s, Stream.SETUP, top - n)
    deck[n], deck[keep] = deck[keep], deck[n]
    n += 1
    deck[n:top] = NONE
    top = add_scenarios(s, n, Level.A)
    level_a = deck[n:top]
    shuffle(s, Stream.SETUP, level_a, top - n)
    left = top - wide(REMOVED[s.options.difficulty, might])
    deck[left:top] = NONE
    s.n_scenario = left


@kernel
def add_scenarios(s: State, n: int, level: int) -> int:
    """Put the Scenarios of a level on the deck, except the Portal; return its new height.

    Rule: expansions (p. 11).
    """
    n = add_cards(s.scenario_deck[:], n, Deck.SCENARIO, level, Book.BASE)
    if s.options.combined_might:
        n = add_cards(s.scenario_deck[:], n, Deck.SCENARIO, level, Book.COMBINED_MIGHT)
    return n


@part
def build_adventure_deck(s: State) -> None:
    """Turn three Adventures up, then shuffle three unseen Threats into the deck.

    Rule: adventure_deck (p. 5).
    """
    for book in range(N_BOOKS):
        if is_in_game(s, book):
            n = wide(s.n_adventure)
            s.n_adventure = add_cards(s.adventure_deck[:], n, Deck.ADVENTURE, NO_LEVEL, book)
            n = wide(s.n_threat)
            s.n_threat = add_cards(s.threat_deck[:], n, Deck.THREAT, NO_LEVEL, book)
    shuffle(s, Stream.SETUP, s.adventure_deck[:], wide(s.n_adventure))
    shuffle(s, Stream.SETUP, s.threat_deck[:], wide(s.n_threat))
    for j in range(N_DISPLAY):
        card = draw_adventure(s)
        s.slots[j].card = card
        s.face_up[card] = 1
        for troop in range(N_TROOPS):
            n = wide(CARD_TROOPS[card, troop])
            s.slots[j].troops[troop] = n
            s.supply[troop] -= n
    shuffle_threats_in(s, wide(FIRST_THREATS))


@part
def build_equipment_deck(s: State) -> None:
    """Shuffle the Equipment deck.

    Rule: equipment_deck (p. 5).
    """
    for title in range(len(EQUIPMENT_COPIES)):
        if is_in_game(s, wide(EQUIPMENT_BOOK[title])):
            for _ in range(EQUIPMENT_COPIES[title]):
                s.equipment_deck[s.n_equipment] = title
                s.n_equipment += 1
    shuffle_equipment(s)
