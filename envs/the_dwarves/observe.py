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
from dwarrow.envs.the_dwarves.board import N_DIRECTIONS, N_HEXES, N_TILES, RADIUS
from dwarrow.envs.the_dwarves.cards import (
    BOOK_OF,
    DECK_OF,
    EQUIPMENT_COPIES,
    LEVEL_OF,
    LEVELS,
    MAP,
    N_CARDS,
    TRACK,
)
from dwarrow.envs.the_dwarves.layout import (
    DOOM_START,
    MAX_SEATS,
    N_EQUIPMENT_CARDS,
    N_SLOTS,
    OVERRUN,
    Ends,
    Phase,
    Purpose,
    Rule,
    State,
    Where,
    Why,
)
from dwarrow.envs.the_dwarves.notation import MAX_PARTS, MOST_DICE
from dwarrow.envs.the_dwarves.rules.army import resting_hex, tile_direction
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
    TUNNEL_TILE = 5
    MARKERS = 6
    HEROES = 7
    ACTIVE_HERO = 13
    TARGET = 14
    PLACES = 15


class Stake(IntEnum):
    """What the rules at work mean to a hero."""

    LOSES = 0
    WILL_LOSE = 1
    PLEDGED = 2
    PRICE = 3
    CHOSEN = 4


class Amount(IntEnum):
    """Numbers of the rules at work."""

    HEARTS = 0
    STEPS = 1
    CART = 2
    POINTS = 3
    DEFEATED = 4


SIDE = 2 * RADIUS + 1
AHEAD = 6  # spaces of the Doom track shown ahead of the Hero marker
N_ICONS = len(Icon)
N_LEVELS, N_PURPOSES, N_RULES, N_WHY = len(Level), len(Purpose), len(Rule), len(Why)
N_REASONS = N_WHY + len(Where)
N_STAKES, N_AMOUNTS = len(Stake), len(Amount)
MOST_COPIES = int(EQUIPMENT_COPIES.max())
_AXIAL = MAP.axial
_SLOT = N_CARDS + N_TROOPS + 3 + MAX_SEATS + 2 * MAX_PARTS + 2 * MAX_SEATS
_PLAYER = N_HEROES + 2 + N_ATTRIBUTES + N_EQUIPMENT + 6
CHANNELS = (
    *("orcs", "trolls", "elfar", "perished", "open tunnel", "tunnel tile", "markers", "own hero"),
    *(f"hero {k} seats on" for k in range(1, MAX_SEATS)),
    *("active hero", "where troops are to be put"),
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
    ("tiles", (N_TILES,), "1 while in the pile of Perished Land tiles"),
    ("equipment_discarded", (N_EQUIPMENT,), "cards in the discard pile"),
    (
        "equipment_under",
        (N_EQUIPMENT, MOST_COPIES),
        "cards known to lie under the deck: 1 less the share of a full deck above each",
    ),
    ("spells_under", (N_SPELLS,), "the same for spells"),
    ("dice", (MOST_DICE,), "Number dice", 6.0),
    (
        "spent",
        (MOST_DICE + 1,),
        "1 if a die has hit or is picked; whether the last is a Crossbow's",
    ),
    ("roll", (len(Purpose) + 6,), "purpose one-hot, needed / 6, what was used (4), dice / 7"),
    ("recruited", (N_TROOPS,), "Recruitment dice", 3.0),
    ("rule", (N_RULES,), "rule that asks, one-hot"),
    ("frames", (N_RULES, 2), "rules at work: how many (/4), stage of the topmost (/8)"),
    ("why", (2, N_REASONS), "why a hero or a hex is chosen: now, one-hot; later, how many"),
    (
        "at_stake",
        (MAX_SEATS, N_STAKES),
        "from the observer on: hearts being lost, to be lost after that, pledged (/5); prices of "
        "Perished Land to be paid, chosen before",
    ),
    (
        "subject",
        (N_SLOTS + MAX_PARTS + N_ATTRIBUTES,),
        "card, part and attribute of the rules at work, one-hot",
    ),
    ("reward", (N_CARDS,), "card whose reward is being given, one-hot"),
    ("wanted", (N_TROOPS,), "troops to be taken or removed, or the one just defeated", 5.0),
    (
        "amount",
        (N_AMOUNTS,),
        "hearts or points of the choice / 5, steps left / 6, whether the Cart Pass carries, points "
        "left to share out / 6, troops defeated / 7",
    ),
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
DISCARDED, TILES, UNUSED = (_AT[n] for n in ("discarded", "tiles", "equipment_discarded"))
UNDER, SPELLS_UNDER = _AT["equipment_under"], _AT["spells_under"]
DICE, SPENT, ROLL, RECRUITED = (_AT[n] for n in ("dice", "spent", "roll", "recruited"))
RULE, FRAMES, WHY, AT_STAKE = (_AT[n] for n in ("rule", "frames", "why", "at_stake"))
SUBJECT, REWARD, WANTED = (_AT[n] for n in ("subject", "reward", "wanted"))
AMOUNT, OFFERED = _AT["amount"], _AT["offered"]
PARTS_AT = SUBJECT + N_SLOTS
ATTRIBUTES_AT = PARTS_AT + MAX_PARTS


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
    observe_decks(s, out)
    observe_roll(s, out)
    observe_question(s, seat, out)


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
        out[cell(wide(Channel.TUNNEL_TILE.value), h)] = s.tunnel == h
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
        out[cell(Channel.HEROES + (p - seat) % seats(s), h)] = 1
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
def observe_decks(s: State, out: Floats) -> None:
    """Write what is known of decks besides their sizes into `out`."""
    for k in range(s.n_pile):
        out[TILES + s.tile_pile[k]] = 1
    for k in range(s.n_spent):
        out[UNUSED + s.equipment_discard[k]] += 1
    for k in range(s.n_equipment - s.equipment_unseen - 1, -1, -1):
        at = UNDER + s.equipment_deck[k] * MOST_COPIES
        while out[at] > 0:
            at += 1
        out[at] = 1 - (s.n_equipment - 1 - k) / N_EQUIPMENT_CARDS
    for k in range(s.n_spells - s.spells_unseen):
        out[SPELLS_UNDER + s.spell_deck[k]] = 1 - (s.n_spells - 1 - k) / N_SPELLS


@part
def observe_roll(s: State, out: Floats) -> None:
    """Write the dice into `out`."""
    for k in range(MOST_DICE):
        out[DICE + k] = s.dice[k] / 6
    out[ROLL + s.purpose] = 1
    at = ROLL + N_PURPOSES
    out[at] = s.need / 6
    for k in range(4):
        out[at + 1 + k] = (s.used >> k) & 1
    for k in range(s.n_drawn):
        out[OFFERED + s.drawn[k]] += 1


@part
def observe_question(s: State, seat: int, out: Floats) -> None:
    """Write the rules at work into `out`, the one that asks first."""
    out[RULE + s.stack[s.depth - 1].rule] = 1
    for p in range(seats(s)):
        out[stake(s, seat, p, wide(Stake.PLEDGED.value))] = s.pledged[p] / 5
    for k in range(s.depth - 1, -1, -1):
        f = s.stack[k]
        topmost = out[FRAMES + f.rule * 2] == 0
        out[FRAMES + f.rule * 2] += 0.25
        if topmost:
            out[FRAMES + f.rule * 2 + 1] = f.stage / 8
        if f.rule == Rule.LOSE:
            what = wide(Stake.LOSES.value if topmost else Stake.WILL_LOSE.value)
            out[stake(s, seat, wide(f.seat), what)] += f.a / 5
        elif f.rule == Rule.HERO:
            observe_choice_of_hero(s, k, seat, out)
        elif f.rule == Rule.HEX:
            observe_choice_of_hex(s, k, seat, out)
        elif f.rule == Rule.ROLL or f.rule == Rule.FIGHT or f.rule == Rule.SELECT:
            observe_use_of_dice(s, k, out)
        else:
            observe_frame(s, k, seat, out)


@kernel
def stake(s: State, seat: int, p: int, what: int) -> int:
    """Return where it says what the rules at work mean to hero `p`."""
    return AT_STAKE + (p - seat) % seats(s) * N_STAKES + what


@part
def observe_choice_of_hero(s: State, k: int, seat: int, out: Floats) -> None:
    """Write why a hero is chosen into `out`; more choices may be waiting for their turn."""
    f = s.stack[k]
    if k == s.depth - 1:
        out[WHY + f.a] = 1
        out[AMOUNT + Amount.HEARTS] = f.b / 5
    else:
        out[WHY + N_REASONS + f.a] += 1
    if f.a == Why.GIVE:
        out[OFFERED + f.d] += 1
    elif f.a == Why.ATTRIBUTE:
        out[ATTRIBUTES_AT + f.d] = 1
    elif f.a == Why.ATTACH:
        out[SUBJECT + f.d] = 1
    elif f.a == Why.EXCHANGE_WITH:
        out[stake(s, seat, wide(f.d), wide(Stake.CHOSEN.value))] = 1


@part
def observe_choice_of_hex(s: State, k: int, seat: int, out: Floats) -> None:
    """Write why a hex is chosen into `out`."""
    f = s.stack[k]
    out[WHY + N_WHY + f.a + (k < s.depth - 1) * N_REASONS] += 1
    if f.a == Where.RELOCATE or f.a == Where.TELEPORT:
        out[stake(s, seat, wide(f.b), wide(Stake.CHOSEN.value))] = 1
    elif Where.TAKE_FOR_CARD <= f.a <= Where.REMOVE_UP_TO:
        out[WANTED + f.b] += f.c / 5
    if f.a == Where.TAKE_FOR_CARD:
        out[SUBJECT + f.d] = 1
    elif f.a == Where.TAKE_FOR_HEX:
        out[cell(wide(Channel.TARGET.value), resting_hex(s, wide(f.d)))] = 1


@part
def observe_use_of_dice(s: State, k: int, out: Floats) -> None:
    """Write what a roll is for, or which dice are used, into `out`."""
    f = s.stack[k]
    out[SPENT + MOST_DICE] = s.crossbow
    if f.rule == Rule.ROLL:
        out[ROLL + N_PURPOSES + 5] = s.n_dice / MOST_DICE
        if s.purpose == Purpose.CHECK:
            out[ATTRIBUTES_AT + f.d] = 1
        if f.a != NONE and s.purpose >= Purpose.CHECK and s.purpose != Purpose.EQUIPMENT:
            out[SUBJECT + f.a] = 1
            out[PARTS_AT + f.b] = 1
        return
    for die in range(s.n_dice):
        out[SPENT + die] = s.chosen[die]
    if f.rule == Rule.FIGHT:
        out[AMOUNT + Amount.DEFEATED] = f.a / MOST_DICE


@part
def observe_frame(s: State, k: int, seat: int, out: Floats) -> None:
    """Write what another rule at work is about into `out`."""
    f = s.stack[k]
    if f.rule == Rule.MOVE:
        out[AMOUNT + Amount.STEPS], out[AMOUNT + Amount.CART] = f.a / 6, f.b
    elif f.rule == Rule.PENALTY:
        out[stake(s, seat, wide(f.a), wide(Stake.PRICE.value))] += 1
    elif f.rule == Rule.SPLIT:
        out[AMOUNT + Amount.POINTS] = f.a / 6
    elif f.rule == Rule.SPOIL:
        out[stake(s, seat, wide(f.a), wide(Stake.CHOSEN.value))] = 1
    elif f.rule == Rule.THREAT:
        out[SUBJECT + f.a] = 1
    elif f.rule == Rule.COMPLETE:
        out[REWARD + f.a] = 1
    elif f.rule == Rule.TROPHY:
        out[WANTED + f.a] = 1 / 5
    elif f.rule == Rule.ASSIGN:
        out[ATTRIBUTES_AT + f.d] = 1
    elif f.rule == Rule.TROOP and f.a == Ends.TO_CARD:
        out[SUBJECT + f.d] = 1
    elif f.rule == Rule.RECRUIT:
        if f.c == Ends.TO_CARD:
            out[SUBJECT + f.d] = 1
        elif f.c == Ends.TO_HEX:
            out[cell(wide(Channel.TARGET.value), resting_hex(s, wide(f.a)))] = 1


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
