"""How long a game can be: the bounds in `layout`, added up from the tables, and play that drags on.

Every question is laid to one thing that happens a bounded number of times: a turn, an action, a
card turned up, a card used. A loss of health brings a window, in which each hero who could play
something passes once, and an answer for each Protective Shield.
"""

import numpy as np
import pytest

from dwarrow.envs.core.kernels import JIT, kernel, legal, step
from dwarrow.envs.core.rng import mix, word_below
from dwarrow.envs.core.table import begin, pick
from dwarrow.envs.the_dwarves import GAME
from dwarrow.envs.the_dwarves.actions import PASS
from dwarrow.envs.the_dwarves.cards import (
    BOOK_OF,
    CARD_TROOPS,
    DECK_OF,
    EFFECT,
    EFFECT_COUNT,
    EFFECT_TROOPS,
    EQUIPMENT_COPIES,
    N_CARDS,
    RECRUITMENT,
    SETUP_EFFECTS,
    TRACK,
)
from dwarrow.envs.the_dwarves.layout import (
    ACTIONS_PER_TURN,
    DOOM_START,
    FIRST_THREATS,
    MAX_DECISIONS,
    MAX_SEATS,
    MAX_TURNS,
    MORE_THREATS,
    N_DISPLAY,
)
from dwarrow.envs.the_dwarves.notation import MOST_DICE
from dwarrow.envs.the_dwarves.rules.rolls import FACES
from dwarrow.envs.the_dwarves.words import Book, Deck, Effect, Equipment, Icon

GAMES = 500 if JIT else 2

# Who could play something at any time: owners of Healing Herbs or the Skull, and Andokai.
WINDOW = int(EQUIPMENT_COPIES[Equipment.HERBS] + EQUIPMENT_COPIES[Equipment.SKULL]) + 1
LOSS = WINDOW + int(EQUIPMENT_COPIES[Equipment.SHIELD])
PENALTY = 1 + LOSS  # which price of Perished Land
SELECT = MOST_DICE  # dice picked to be thrown again, or those before a pass
CHANGERS = 3  # who may pass on a roll: roller, owner of the Signal Mirror, Andokai
DRUMS = 1

# Before the throw the roller (and the Crossbow) and Andokai; then at most three changes that cost
# no card: council, re-roll of all dice, council again. Of a Move: council, Speed dice. After every
# change all may pass again.
ROLL = (2 + 1) + 3 + (3 + 1) * CHANGERS
MOVE_ROLL = 1 + (1 + 1 + SELECT) + (2 + 1) * CHANGERS

MOVE = 1 + MOVE_ROLL + FACES * (1 + PENALTY) + 1  # steps, each into Perished Land, then a pass
FIGHT = 1 + ROLL + MOST_DICE * 2 + 2 + LOSS  # each die: which troop, which card gets it; Narmora's
CHECK = 1 + ROLL + 1 + 1 + DRUMS + 2 + LOSS  # card named after; backlash; a bolt; a strike missed
EXCHANGE = 1 + 2 + 2 * PENALTY  # the dearest spell, whose card takes an action to draw
SECOND_FATE = 1 + SELECT + CHANGERS
SPELL = 1 + 2 + max(EXCHANGE, SECOND_FATE)  # drawn, spells returned (also for a lost Spell Book)

# A gained Equipment card: who gets it, then its use: the Skull (kind, troops from hexes; a loss),
# the Rune Stone, the Mirror and so on.
SKULL = 1 + 1 + DRUMS + int(RECRUITMENT.max()) + LOSS
GAIN = 1 + max(SKULL, 1 + SELECT + CHANGERS)
EQUIPMENT = 1 + ROLL + GAIN
ACTION = max(MOVE, FIGHT, CHECK, SPELL, EQUIPMENT)

# The window at its beginning, poison, the icon's recruitment, the pass at its end, markers handled.
TURN = WINDOW + LOSS + DRUMS + 1 + 3


def passes(turns: int) -> int:
    """How often the Adventure deck is gone through: of its cards at most three lie face up."""
    adventures = int(np.sum((DECK_OF == Deck.ADVENTURE) & (BOOK_OF == Book.BASE)))
    return 1 + N_DISPLAY * (turns + 1) // (adventures - N_DISPLAY)


def most_turns() -> int:
    """Every turn moves the Hero marker, but for one Forced March in each pass."""
    marches = int(np.sum(EFFECT == Effect.SKIP_HERO_MARKER))
    turns = DOOM_START
    while DOOM_START + marches * passes(turns + 1) > turns:
        turns += 1
    return turns


def effect_questions(card: int, k: int) -> int:
    """The most that an effect asks."""
    word, count = EFFECT[card, k], abs(int(EFFECT_COUNT[card, k]))
    points = count * (MAX_SEATS if word == Effect.LOSE_PER_HERO else 1)
    known = {
        Effect.EQUIP: count * GAIN,
        Effect.EQUIP_BOTH: 1 + 2 * GAIN,
        Effect.PICK_EQUIPMENT: 1 + GAIN,
        Effect.SEARCH_EQUIPMENT: 1 + GAIN,
        Effect.HEAL: count,
        Effect.HEAL_BOTH: 2,
        Effect.REMOVE: count,
        Effect.LOSE: points + min(points, MAX_SEATS) * LOSS,
        Effect.LOSE_PER_HERO: points + min(points, MAX_SEATS) * LOSS,
        Effect.LOSE_ATTACHED: LOSS,
        Effect.LOSE_NEAREST: 1 + LOSS,
        Effect.SPOIL_EQUIPMENT: 2 + LOSS,
        Effect.PUT: int(EFFECT_TROOPS[card, k].sum()),  # those that the supply lacks
        Effect.ENGULF: int(EFFECT_TROOPS[card, k].sum()),
    }
    return known.get(Effect(word), 1) if word >= 0 else 0


def card_questions(card: int) -> int:
    """The most that a card asks from when it is turned up until it is gone."""
    effects = sum(effect_questions(card, k) for k in range(2 * SETUP_EFFECTS))
    if DECK_OF[card] == Deck.THREAT:  # its turn, disguises, the council's box
        return 1 + int(EQUIPMENT_COPIES[Equipment.DISGUISE]) + 1 + LOSS + effects
    discarded = 1  # the council lets a Threat be discarded
    return int(CARD_TROOPS[card].sum()) + effects + discarded


def most_questions() -> int:
    turns = most_turns()
    adventures = sum(card_questions(c) for c in range(N_CARDS) if DECK_OF[c] == Deck.ADVENTURE)
    scenarios = sum(card_questions(c) for c in range(N_CARDS) if DECK_OF[c] == Deck.SCENARIO)
    threats = sorted(card_questions(c) for c in range(N_CARDS) if DECK_OF[c] == Deck.THREAT)
    in_play = FIRST_THREATS + MORE_THREATS * int(np.sum(TRACK == Icon.THREATS))
    each_pass = adventures + sum(threats[-in_play:])
    horn = int(EQUIPMENT_COPIES[Equipment.WAR_HORN] > 0)  # once a turn
    actions = turns * (ACTIONS_PER_TURN + horn)
    return turns * TURN + actions * ACTION + passes(turns) * each_pass + scenarios


def test_no_game_is_longer_than_the_bounds():
    assert most_turns() == MAX_TURNS
    assert MAX_DECISIONS / 2 < most_questions() < MAX_DECISIONS


@kernel
def drag_on(states, first_seed, mask):
    """Play at random without passing where there is anything else to do."""
    word = np.zeros(1, np.uint64)
    for i in range(len(states)):
        begin(states, i, first_seed + i)
        word[0] = mix(np.uint64(first_seed + i))
        n_legal = legal(states, i, mask)
        while n_legal > 0:
            if mask[PASS] and n_legal > 1:
                mask[PASS] = 0
                n_legal -= 1
            step(states, i, pick(mask, word_below(word, n_legal)))
            n_legal = legal(states, i, mask)


@pytest.mark.parametrize("players", [1, 2, 4, 6])
def test_games_in_which_nobody_passes_stay_far_below(players):
    options = {"players": players, "elfar": True, "combined_might": True}
    states = GAME.blank(GAMES, GAME.options.parse(options))
    drag_on(states, 100 * players, np.zeros(GAME.n_actions, np.int8))
    assert states["over"].all()
    assert states["turn"].max() <= MAX_TURNS
    assert states["decision"].max() < MAX_DECISIONS / 20
