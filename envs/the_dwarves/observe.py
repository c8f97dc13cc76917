"""What a seat may see, as numbers; and redrawing what lies face down.

The heroes play as one team: all is open but the order of the decks and of the tiles, the
Scenarios put back in the box, and which Threats were shuffled into the Adventure deck.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from dwarrow.envs.core.kernels import Floats, States, kernel, part
from dwarrow.envs.core.observation import Observation
from dwarrow.envs.core.record import NONE, Ints, Stream
from dwarrow.envs.core.rng import shuffle
from dwarrow.envs.the_dwarves.actions import HEX
from dwarrow.envs.the_dwarves.board import N_DIRECTIONS, N_HEXES, RADIUS
from dwarrow.envs.the_dwarves.cards import (
    BOOK_OF,
    DECK_OF,
    LEVEL_OF,
    LEVELS,
    MAP,
    N_CARDS,
    TRACK,
)
from dwarrow.envs.the_dwarves.layout import (
    DOOM_START,
    MAX_SEATS,
    N_SLOTS,
    OVERRUN,
    Phase,
    Purpose,
    Rule,
    State,
    Where,
    Why,
)
from dwarrow.envs.the_dwarves.notation import MAX_PARTS, MOST_DICE
from dwarrow.envs.the_dwarves.rules.army import tile_direction
from dwarrow.envs.the_dwarves.rules.lookup import (
    attribute,
    is_held,
    is_open_entrance,
    is_perished,
    max_health,
)
from dwarrow.envs.the_dwarves.rules.quests import is_part_open, is_part_place
from dwarrow.envs.the_dwarves.rules.stack import seats, wide
from dwarrow.envs.the_dwarves.setup import is_in_game
from dwarrow.envs.the_dwarves.words import (
    N_ATTRIBUTES,
    N_BOXES,
    N_EQUIPMENT,
    N_HEROES,
    N_SPELLS,
    N_TROOPS,
    Book,
    Deck,
    Icon,
    Level,
)


class Channel(IntEnum):
    """Layers of the board piece; a layer a slot and a layer a direction follow the last."""

    TROOPS = 0
    PERISHED = 3
    OPEN_TUNNEL = 4
    MARKERS = 5
    OWN_HERO = 6
    OTHER_HEROES = 7
    ACTIVE_HERO = 8
    PLACES = 9


SIDE = 2 * RADIUS + 1
AHEAD = 6  # spaces of the Doom track shown ahead of the Hero marker
N_ICONS = len(Icon)
N_LEVELS, N_PURPOSES, N_WHY = len(Level), len(Purpose), len(Why)
_AXIAL = MAP.axial
_SLOT = N_CARDS + N_TROOPS + 3 + MAX_SEATS + 2 * MAX_PARTS + 2 * MAX_SEATS
_PLAYER = N_HEROES + 2 + N_ATTRIBUTES + N_EQUIPMENT + 6
CHANNELS = (
    *("orcs", "trolls", "elfar", "perished", "open tunnel", "markers"),
    *("own hero", "other heroes", "active hero"),
    *("place of display 1", "place of display 2", "place of display 3", "place of scenario"),
    *(f"arrow {d}" for d in range(N_DIRECTIONS)),
)
ARROWS = Channel.PLACES + N_SLOTS


def _hex_actions() -> list[int]:
    """Return the action that names the hex in each cell of the board piece."""
    actions = [NONE] * SIDE**2
    for h, (q, r) in enumerate(_AXIAL.tolist()):
        actions[(r + RADIUS) * SIDE + q + RADIUS] = HEX + h
    return actions


LAYOUT = Observation(
    ("board", (len(CHANNELS), SIDE, SIDE), "hexes by r and q: " + ", ".join(CHANNELS), 5.0),
    ("phase", (len(Phase),), "question asked, one-hot"),
    ("asked", (MAX_SEATS,), "who is asked, from the observer on"),
    ("track", (3,), "Hero marker, Doom marker, spaces between them", 42.0),
    ("icons", (AHEAD, N_ICONS), "icons of the next spaces, one-hot"),
    ("council", (N_BOXES,), "Council marker, one-hot"),
    (
        "turn",
        (3,),
        "actions left / 3, whether the next turn skips the Hero marker, whether a War Horn was "
        "blown",
    ),
    ("level", (len(LEVELS),), "difficulty, one-hot"),
    ("options", (6,), "elfar, combined_might, finales, name_card, nodonn_abilities, keep_..."),
    ("heroes_in_play", (MAX_SEATS,), "number of heroes, one-hot"),
    (
        "heroes",
        (MAX_SEATS, _PLAYER),
        "from the observer on: hero one-hot, health, hearts (/5), attributes (/7), equipment, "
        "carries, dropped, pony, held, active, in play",
    ),
    ("hand", (N_SPELLS,), "Andokai's spells"),
    ("supply", (N_TROOPS,), "troops in supply", 30.0),
    ("piles", (7,), "cards and tiles in the piles, Scenarios completed", 30.0),
    (
        "cards",
        (N_SLOTS, _SLOT),
        "display and Scenario: card one-hot, troops, trophies, markers, carried over, attached "
        "hero, hits, parts done, journeys, stood",
    ),
    ("face_up", (N_CARDS,), "1 once a card was seen"),
    ("discarded", (N_CARDS,), "1 in the discard pile"),
    ("dice", (MOST_DICE,), "Number dice", 6.0),
    ("roll", (len(Purpose) + 5,), "purpose one-hot, needed / 6, what was used (4)"),
    ("recruited", (N_TROOPS,), "Recruitment dice", 3.0),
    ("rule", (len(Rule),), "rule that asks, one-hot"),
    ("why", (len(Why) + len(Where),), "why a hero or a hex is chosen, one-hot"),
    ("amount", (3,), "numbers b, c, d of the frame that asks", 10.0),
    ("offered", (N_EQUIPMENT,), "equipment being given or picked"),
    actions={"board": _hex_actions()},
)
_AT = {name: LAYOUT.at(name) for name in LAYOUT.pieces}
BOARD, PHASE, ASKED, TRACK_AT, ICONS = (
    _AT[n] for n in ("board", "phase", "asked", "track", "icons")
)
COUNCIL, TURN, LEVEL, OPTIONS = (_AT[n] for n in ("council", "turn", "level", "options"))
HEROES_IN_PLAY, HEROES, HAND = (_AT[n] for n in ("heroes_in_play", "heroes", "hand"))
SUPPLY, PILES, CARDS, FACE_UP = (_AT[n] for n in ("supply", "piles", "cards", "face_up"))
DISCARDED, DICE, ROLL, RECRUITED = (_AT[n] for n in ("discarded", "dice", "roll", "recruited"))
RULE, WHY, AMOUNT, OFFERED = (_AT[n] for n in ("rule", "why", "amount", "offered"))


@kernel
def observe(states: States, i: int, seat: int, out: Floats) -> None:
    """Write what `seat` may see into the zeroed `out`."""
    s: State = states[i]
    observe_board(s, seat, out)
    observe_tracks(s, seat, out)
    for k in range(seats(s)):
        observe_hero(s, (seat + k) % seats(s), HEROES + k * _PLAYER, out)
    for j in range(N_SLOTS):
        if s.slots[j].card != NONE:
            observe_card(s, j, seat, CARDS + j * _SLOT, out)
    observe_question(s, out)


@kernel
def cell(channel: int, h: int) -> int:
    """Return where a hex lies in a channel of the board piece."""
    return int(BOARD + (channel * SIDE + _AXIAL[h, 1] + RADIUS) * SIDE + _AXIAL[h, 0] + RADIUS)


@part
def observe_board(s: State, seat: int, out: Floats) -> None:
    """Write the board piece into `out`."""
    for h in range(N_HEXES):
        for troop in range(N_TROOPS):
            out[cell(troop, h)] = s.troops[h][troop] / OVERRUN
        if is_perished(s, h):
            out[cell(wide(Channel.PERISHED.value), h)] = 1
            out[cell(ARROWS + tile_direction(s, h), h)] = 1
        out[cell(wide(Channel.OPEN_TUNNEL.value), h)] = is_open_entrance(s, h)
        for j in range(N_SLOTS):
            if s.slots[j].card == NONE:
                continue
            for k in range(MAX_PARTS):
                if is_part_open(s, j, k) and is_part_place(s, j, k, h):
                    out[cell(Channel.PLACES + j, h)] = 1
    for k in range(len(s.marker_hex)):
        if s.marker_hex[k] != NONE:
            out[cell(wide(Channel.MARKERS.value), wide(s.marker_hex[k]))] += 0.25
    for p in range(seats(s)):
        h = wide(s.players[p].hex)
        if p == seat:
            out[cell(wide(Channel.OWN_HERO.value), h)] = 1
        else:
            out[cell(wide(Channel.OTHER_HEROES.value), h)] += 0.2
        if p == s.active:
            out[cell(wide(Channel.ACTIVE_HERO.value), h)] = 1


@part
def observe_tracks(s: State, seat: int, out: Floats) -> None:
    """Write tracks, options, supplies and piles into `out`."""
    out[PHASE + s.phase] = 1
    if s.seat != NONE:
        out[ASKED + (s.seat - seat) % seats(s)] = 1
    out[TRACK_AT] = s.hero_marker / DOOM_START
    out[TRACK_AT + 1] = s.doom_marker / DOOM_START
    out[TRACK_AT + 2] = (s.doom_marker - s.hero_marker) / DOOM_START
    for k in range(AHEAD):
        space = s.hero_marker + 1 + k
        if space < min(s.doom_marker, len(TRACK)):
            out[ICONS + k * N_ICONS + TRACK[space]] = 1
    out[COUNCIL + s.council] = 1
    out[TURN] = s.actions_left / 3
    out[TURN + 1] = s.skip_hero_marker
    out[TURN + 2] = s.horn_blown
    o = s.options
    out[LEVEL + o.difficulty] = 1
    out[OPTIONS], out[OPTIONS + 1], out[OPTIONS + 2] = o.elfar, o.combined_might, o.finales
    out[OPTIONS + 3], out[OPTIONS + 4] = o.name_card, o.nodonn_abilities
    out[OPTIONS + 5] = o.keep_initial_adventures
    out[HEROES_IN_PLAY + s.n_seats - 1] = 1
    for spell in range(N_SPELLS):
        out[HAND + spell] = s.hand[spell]
    for troop in range(N_TROOPS):
        out[SUPPLY + troop] = s.supply[troop] / 30
        out[RECRUITED + troop] = max(0, s.recruited[troop]) / 3
    out[PILES], out[PILES + 1], out[PILES + 2] = (
        s.n_scenario / 30,
        s.n_adventure / 30,
        s.n_threat / 30,
    )
    out[PILES + 3], out[PILES + 4], out[PILES + 5] = (
        s.n_equipment / 30,
        s.n_spells / 30,
        s.n_pile / 30,
    )
    out[PILES + 6] = s.n_completed / 30
    for card in range(N_CARDS):
        out[FACE_UP + card] = s.face_up[card]
    for k in range(s.n_discard):
        out[DISCARDED + s.discard[k]] = 1


@part
def observe_hero(s: State, p: int, at: int, out: Floats) -> None:
    """Write one hero into `out` from `at` on."""
    player = s.players[p]
    out[at + player.hero] = 1
    at += N_HEROES
    out[at] = player.health / 5
    out[at + 1] = max_health(s, p) / 5
    at += 2
    for what in range(N_ATTRIBUTES):
        out[at + what] = attribute(s, p, what) / MOST_DICE
    at += N_ATTRIBUTES
    for title in range(N_EQUIPMENT):
        out[at + title] = player.equipment[title]
    at += N_EQUIPMENT
    out[at], out[at + 1], out[at + 2] = player.carries, player.dropped, player.pony
    out[at + 3], out[at + 4], out[at + 5] = is_held(s, p), p == s.active, 1


@part
def observe_card(s: State, j: int, seat: int, at: int, out: Floats) -> None:
    """Write a faceup card into `out` from `at` on."""
    slot = s.slots[j]
    out[at + slot.card] = 1
    at += N_CARDS
    for troop in range(N_TROOPS):
        out[at + troop] = slot.troops[troop] / 5
    at += N_TROOPS
    out[at], out[at + 1], out[at + 2] = slot.trophies / 10, slot.markers / 4, slot.carried_over / 5
    at += 3
    if slot.attached != NONE:
        out[at + (slot.attached - seat) % seats(s)] = 1
    at += MAX_SEATS
    for k in range(MAX_PARTS):
        out[at + k] = slot.hits[k] / 5
        out[at + MAX_PARTS + k] = slot.done[k]
    at += 2 * MAX_PARTS
    for k in range(seats(s)):
        p = (seat + k) % seats(s)
        out[at + k] = slot.journey[p]
        out[at + MAX_SEATS + k] = slot.stood[p]


@part
def observe_question(s: State, out: Floats) -> None:
    """Write the dice and the frame that asks into `out`."""
    for k in range(MOST_DICE):
        out[DICE + k] = s.dice[k] / 6
    out[ROLL + s.purpose] = 1
    at = ROLL + N_PURPOSES
    out[at] = s.need / 6
    for k in range(4):
        out[at + 1 + k] = (s.used >> k) & 1
    f = s.stack[s.depth - 1]
    out[RULE + f.rule] = 1
    if f.rule == Rule.HERO:
        out[WHY + f.a] = 1
        if f.a == Why.GIVE:
            out[OFFERED + f.d] = 1
    elif f.rule == Rule.HEX:
        out[WHY + N_WHY + f.a] = 1
    out[AMOUNT], out[AMOUNT + 1], out[AMOUNT + 2] = f.b / 10, f.c / 64, f.d / 64
    for k in range(s.n_drawn):
        out[OFFERED + s.drawn[k]] = 1


# Face-down cards


@kernel
def resample(states: States, i: int, seat: int) -> None:
    """Redraw what lies face down; no seat knows more than another."""
    s: State = states[i]
    redraw(s, Stream.SETUP, s.tile_pile[: s.n_pile])
    redraw_scenarios(s)
    redraw_threats(s)
    redraw(s, Stream.DECK, s.adventure_deck[: s.n_adventure])
    known = s.n_equipment - s.equipment_unseen
    redraw(s, Stream.DECK, s.equipment_deck[known : s.n_equipment])
    known = s.n_spells - s.spells_unseen
    redraw(s, Stream.DECK, s.spell_deck[known : s.n_spells])


@kernel
def redraw(s: State, stream: int, cards: Ints) -> None:
    """Put cards into an order that depends on which they are only, not on how they lay."""
    for end in range(1, len(cards)):
        card, k = cards[end], end
        while k > 0 and cards[k - 1] > card:
            cards[k] = cards[k - 1]
            k -= 1
        cards[k] = card
    shuffle(s, stream, cards, len(cards))


@part
def redraw_scenarios(s: State) -> None:
    """Redraw the Scenario deck level by level: those in the box are unknown too."""
    n = wide(s.n_scenario)
    pool = np.empty(N_CARDS, np.int16)
    for level in range(N_LEVELS):
        size = 0
        for card in range(N_CARDS):
            if LEVEL_OF[card] == level and not s.face_up[card] and may_be_in_deck(s, card):
                pool[size] = card
                size += 1
        shuffle(s, Stream.SETUP, pool, size)
        for k in range(n):
            if LEVEL_OF[s.scenario_deck[k]] == level and size > 0:
                size -= 1
                s.scenario_deck[k] = pool[size] + N_CARDS  # marked, so that it is drawn once
        for k in range(n):
            if s.scenario_deck[k] >= N_CARDS:
                s.scenario_deck[k] -= N_CARDS


@part
def may_be_in_deck(s: State, card: int) -> bool:
    """Return whether a Scenario could lie in the deck of this game.

    Rule: expansions (p. 11).
    """
    if not is_in_game(s, wide(BOOK_OF[card])):
        return False
    sole = s.options.elfar and not (s.options.combined_might and s.options.finales)
    return LEVEL_OF[card] != Level.C or not sole or BOOK_OF[card] == Book.ELFAR


@part
def redraw_threats(s: State) -> None:
    """Redraw which Threats that were never seen lie in the Adventure deck, which in their own."""
    pool = np.empty(N_CARDS, np.int16)
    size = 0
    for card in range(N_CARDS):
        if is_unseen_threat(s, card) and is_in_game(s, wide(BOOK_OF[card])):
            pool[size] = card
            size += 1
    shuffle(s, Stream.DECK, pool, size)
    for k in range(s.n_threat):
        size -= 1
        s.threat_deck[k] = pool[size]
    for k in range(s.n_adventure):
        if is_unseen_threat(s, wide(s.adventure_deck[k])):
            size -= 1
            s.adventure_deck[k] = pool[size]


@kernel
def is_unseen_threat(s: State, card: int) -> bool:
    """Return whether a card is a Threat that nobody has seen."""
    return DECK_OF[card] == Deck.THREAT and not s.face_up[card]


@kernel
def seen(states: States, i: int, action: int, actor: int, seat: int) -> int:
    """Return which event `seat` sees of an action: all play openly."""
    return action + 1
