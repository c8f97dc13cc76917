"""The Dwarves: what a team led by `rule` may expect as a hero begins to act."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from dwarrow.agents.players import Prospects, register_prospects
from dwarrow.agents.players.outlook import Features, judge, load, put
from dwarrow.agents.players.the_dwarves_worth import nearest, part_places
from dwarrow.envs.core.kernels import Floats, States, kernel, part
from dwarrow.envs.core.record import NONE, Ints
from dwarrow.envs.the_dwarves import GAME
from dwarrow.envs.the_dwarves.board import N_HEXES
from dwarrow.envs.the_dwarves.cards import DECK_OF, LEVELS, MAP, N_CARDS, PART, PART_COUNT
from dwarrow.envs.the_dwarves.layout import (
    ACTIONS_PER_TURN,
    DOOM_START,
    MAX_SEATS,
    N_DISPLAY,
    SCENARIO,
    Phase,
    State,
)
from dwarrow.envs.the_dwarves.notation import MAX_PARTS
from dwarrow.envs.the_dwarves.rules.lookup import (
    attribute,
    hero_hex,
    is_held,
    is_perished,
    max_health,
    troops_in,
)
from dwarrow.envs.the_dwarves.rules.quests import (
    card_troops,
    is_part_done,
    is_part_open,
)
from dwarrow.envs.the_dwarves.rules.stack import seats, wide
from dwarrow.envs.the_dwarves.words import (
    N_ATTRIBUTES,
    N_BOXES,
    N_EQUIPMENT,
    N_HEROES,
    N_TROOPS,
    Deck,
)

FILE = Path(__file__).with_suffix(".csv")
FAR = 12.0  # hexes; as far as anything is
N_SCENARIOS = int((DECK_OF == Deck.SCENARIO).sum())  # the first cards
MOST_LEFT, MOST_HEARTS, FULL = 12, 8, 5
MOST = 256  # features of one position at most
_BLACKSADDLE = MAP.blacksaddle

_features = Features()
_family = _features.family

LEVEL, SEATS, BOOKS = (
    _family("level", len(LEVELS)),
    _family("heroes", MAX_SEATS),
    _family("book", 2),
)
GAP, MARKER = _family("spaces left", DOOM_START + 1), _family("hero marker", DOOM_START + 1)
LEFT, COUNCIL = _family("scenarios left", MOST_LEFT), _family("council", N_BOXES)
TURN, PILES = _family("turn", 2), _family("piles", 3)
TROOPS, CROWDS = _family("troops", N_TROOPS), _family("crowds", FULL)
BLACKSADDLE, PERISHED = _family("at Blacksaddle", FULL), _family("perished", 2)
TROOPS_AT, PERISHED_AT = _family("troops at", N_HEXES), _family("perished at", N_HEXES)
SCENARIO_IS, SCENARIO_DONE = _family("scenario", N_SCENARIOS), _family("done of it", N_SCENARIOS)
NEAREST_TO_IT, ACTIVE_TO_IT, ALL_TO_IT = (
    _family(f"{who} to it", N_SCENARIOS) for who in ("nearest", "active", "all")
)
ON_IT, PARTS, ROUND = (
    _family("on it", N_SCENARIOS),
    _family("part", 3 * MAX_PARTS),
    _family("now", 3),
)
CARD, CARD_DONE = _family("card", N_CARDS), _family("done of card", N_CARDS)
NEAREST_TO_CARD, THREATS = _family("nearest to card", N_CARDS), _family("threats", N_DISPLAY + 1)
HERO, ACTIVE = _family("hero", N_HEROES), _family("active hero", N_HEROES)
HEARTS_OF, WEAKEST = _family("hearts of", N_HEROES), _family("weakest has", MOST_HEARTS)
ACTIVE_HEARTS, HEARTS = _family("active has", MOST_HEARTS), _family("hearts", 2)
EQUIPMENT, ATTRIBUTES = _family("equipment", N_EQUIPMENT), _family("attributes", 2 * N_ATTRIBUTES)
HELD, MARKERS, CARRIED = _family("held", 1), _family("markers", 2), _family("carried", 2)
ACTIVE_AT, OTHERS_AT = _family("active at", N_HEXES), _family("others at", N_HEXES)
FEATURES = tuple(_features.names)


@kernel
def describe(states: States, i: int, seat: int, at: Ints, value: Floats) -> int:
    """Write the features of a position in which a hero begins to act; return how many, else 0.

    They are the team's, whoever is asked about.
    """
    s: State = states[i]
    if s.phase != Phase.ACTION or s.actions_left != ACTIONS_PER_TURN:
        return 0
    n = describe_tracks(s, at, value)
    n = describe_map(s, at, value, n)
    n = describe_scenario(s, at, value, n)
    n = describe_display(s, at, value, n)
    return describe_heroes(s, at, value, n)


@part
def describe_tracks(s: State, at: Ints, value: Floats) -> int:
    """Write what the tracks and piles say."""
    n = put(at, value, 0, LEVEL + s.options.difficulty, 1.0)
    n = put(at, value, n, SEATS + s.n_seats - 1, 1.0)
    n = put(at, value, n, BOOKS, 1.0 * s.options.elfar)
    n = put(at, value, n, BOOKS + 1, 1.0 * s.options.combined_might)
    n = put(at, value, n, GAP + max(0, wide(s.doom_marker) - s.hero_marker), 1.0)
    n = put(at, value, n, MARKER + wide(s.hero_marker), 1.0)
    n = put(at, value, n, LEFT + min(MOST_LEFT - 1, wide(s.n_scenario)), 1.0)
    n = put(at, value, n, COUNCIL + wide(s.council), 1.0)
    n = put(at, value, n, TURN, 1.0 * s.skip_hero_marker)
    n = put(at, value, n, TURN + 1, 1.0 * s.horn_blown)
    n = put(at, value, n, PILES, s.n_threat / 20)
    n = put(at, value, n, PILES + 1, s.n_adventure / 20)
    return put(at, value, n, PILES + 2, s.n_completed / 10)


@part
def describe_map(s: State, at: Ints, value: Floats, n: int) -> int:
    """Write where troops stand and what land has perished."""
    crowds, kinds = np.zeros(FULL + 1, np.int64), np.zeros(N_TROOPS, np.int64)
    perished = 0
    for h in range(N_HEXES):
        here = troops_in(s, h)
        crowds[min(FULL, here)] += 1
        n = put(at, value, n, TROOPS_AT + h, here / 4)
        for troop in range(N_TROOPS):
            kinds[troop] += s.troops[h][troop]
        if is_perished(s, h):
            perished += 1
            n = put(at, value, n, PERISHED_AT + h, 1.0)
    for troop in range(N_TROOPS):
        n = put(at, value, n, TROOPS + troop, kinds[troop] / 10)
    for size in range(1, FULL + 1):
        n = put(at, value, n, CROWDS + size - 1, crowds[size] / 3)
    n = put(at, value, n, BLACKSADDLE + min(FULL - 1, troops_in(s, _BLACKSADDLE)), 1.0)
    n = put(at, value, n, PERISHED, perished / 10)
    return put(at, value, n, PERISHED + 1, perished * perished / 100)


@part
def describe_scenario(s: State, at: Ints, value: Floats, n: int) -> int:
    """Write how far the Scenario is, and how far the heroes are from it."""
    slot = s.slots[SCENARIO]
    card = wide(slot.card)
    if card == NONE:
        return n
    n = put(at, value, n, SCENARIO_IS + card, 1.0)
    n = put(at, value, n, SCENARIO_DONE + card, progress(s, SCENARIO))
    on_it = card_troops(s, SCENARIO) + slot.markers - slot.trophies
    n = put(at, value, n, ON_IT + card, on_it / 4)
    nearest, together, stood, journeys = FAR, 0.0, 0, 0
    for p in range(seats(s)):
        far = way_to(s, SCENARIO, p)
        nearest = min(nearest, far)
        together += far / seats(s)
        stood += slot.stood[p]
        journeys += slot.journey[p]
        if p == s.active:
            n = put(at, value, n, ACTIVE_TO_IT + card, far / 5)
    n = put(at, value, n, NEAREST_TO_IT + card, nearest / 5)
    n = put(at, value, n, ALL_TO_IT + card, together / 5)
    n = put(at, value, n, ROUND, 1.0 * stood)
    n = put(at, value, n, ROUND + 1, 1.0 * journeys)
    n = put(at, value, n, ROUND + 2, 1.0 * slot.carried_over)
    for k in range(MAX_PARTS):
        n = put(at, value, n, PARTS + 3 * k, 1.0 * is_part_open(s, SCENARIO, k))
        n = put(at, value, n, PARTS + 3 * k + 1, 1.0 * is_part_done(s, SCENARIO, k))
        n = put(at, value, n, PARTS + 3 * k + 2, slot.hits[k] / 4)
    return n


@part
def describe_display(s: State, at: Ints, value: Floats, n: int) -> int:
    """Write the Adventures and Threats on display."""
    threats = 0
    for j in range(N_DISPLAY):
        card = wide(s.slots[j].card)
        if card == NONE:
            continue
        threats += DECK_OF[card] == Deck.THREAT
        nearest = FAR
        for p in range(seats(s)):
            nearest = min(nearest, way_to(s, j, p))
        n = put(at, value, n, CARD + card, 1.0)
        n = put(at, value, n, CARD_DONE + card, progress(s, j))
        n = put(at, value, n, NEAREST_TO_CARD + card, nearest / 5)
    return put(at, value, n, THREATS + threats, 1.0)


@part
def describe_heroes(s: State, at: Ints, value: Floats, n: int) -> int:
    """Write who the heroes are, how they are, where, and with what."""
    weakest, hearts, lost, held = MOST_HEARTS - 1, 0, 0, 0
    gear, attributes = np.zeros(N_EQUIPMENT, np.int64), np.zeros(2 * N_ATTRIBUTES, np.int64)
    for p in range(seats(s)):
        me = s.players[p]
        health = min(MOST_HEARTS - 1, max(0, wide(me.health)))
        weakest = min(weakest, health)
        hearts += health
        lost += max_health(s, p) - health
        held += is_held(s, p)
        others = p != s.active
        n = put(at, value, n, HERO + me.hero, 1.0)
        n = put(at, value, n, HEARTS_OF + me.hero, health / 4)
        n = put(at, value, n, (OTHERS_AT if others else ACTIVE_AT) + wide(me.hex), 1.0)
        n = put(at, value, n, CARRIED + others, 1.0 * me.carries)
        if not others:
            n = put(at, value, n, ACTIVE + me.hero, 1.0)
            n = put(at, value, n, ACTIVE_HEARTS + health, 1.0)
        for what in range(N_ATTRIBUTES):
            size = attribute(s, p, what)
            attributes[what] += size
            attributes[N_ATTRIBUTES + what] = max(attributes[N_ATTRIBUTES + what], size)
        for title in range(N_EQUIPMENT):
            gear[title] += me.equipment[title]
    n = put(at, value, n, WEAKEST + weakest, 1.0)
    n = put(at, value, n, HEARTS, hearts / 10)
    n = put(at, value, n, HEARTS + 1, lost / 5)
    n = put(at, value, n, HELD, 1.0 * held)
    for k in range(len(attributes)):
        n = put(at, value, n, ATTRIBUTES + k, attributes[k] / 7)
    for title in range(N_EQUIPMENT):
        n = put(at, value, n, EQUIPMENT + title, 1.0 * gear[title])
    lying = 0
    for k in range(len(s.marker_hex)):
        lying += s.marker_hex[k] != NONE
    n = put(at, value, n, MARKERS, 1.0 * lying)
    return put(at, value, n, MARKERS + 1, 1.0 * s.delivered)


@part
def progress(s: State, j: int) -> float:
    """Return the share of a card's quest that is done."""
    card, parts, done = s.slots[j].card, 0, 0.0
    for k in range(MAX_PARTS):
        if PART[card, k] == NONE:
            continue
        parts += 1
        if is_part_done(s, j, k):
            done += 1.0
        else:
            done += min(0.9, s.slots[j].hits[k] / max(1, PART_COUNT[card, k]))
    return done / max(1, parts)


@part
def way_to(s: State, j: int, p: int) -> float:
    """Return how many hexes a hero is from the nearest place where the card has work to do."""
    least, found = FAR, False
    places = np.empty(N_HEXES, np.int16)
    for k in range(MAX_PARTS):
        if not is_part_open(s, j, k) or is_part_done(s, j, k):
            continue
        found = True
        n = part_places(s, j, k, places)
        least = min(least, 1.0 * nearest(hero_hex(s, p), places[:n]))
    return least if found else 0.0


_HIDDEN, _BIAS, _OUTPUT, _LAST = load(FILE, FEATURES)


@kernel
def expect(states: States, i: int, seat: int) -> float:
    """Return the utility to expect as a hero begins to act, NaN at any other moment."""
    at, value = np.empty(MOST, np.int16), np.empty(MOST, np.float32)
    n = describe(states, i, seat, at, value)
    if n == 0:
        return float(np.nan)
    return judge(_HIDDEN, _BIAS, _OUTPUT, _LAST, at, value, n)


# A step counts when the way is done; judged one by one, steps off the way of `rule` cost wins
# (`agents/search/README.md`).
register_prospects(GAME.dtype, Prospects(describe, expect, FEATURES, MOST, FILE, (Phase.STEP,)))
