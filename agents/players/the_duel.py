"""Scripted players of The Dwarves: The Duel: `greedy` counts points, `rule` follows advice.

Both give every legal action a worth and take the best; equals are drawn by lot. They read their own
hand and what lies open.
"""

from __future__ import annotations

from dwarrow.agents.players import Players, Words, register
from dwarrow.envs.core.kernels import Mask, States, kernel
from dwarrow.envs.core.record import NONE
from dwarrow.envs.core.rng import word_below
from dwarrow.envs.the_duel import GAME, actions
from dwarrow.envs.the_duel.cards import (
    COST_DICE,
    COST_NUMBER,
    LIFE,
    N_ALLIES,
    N_KINDS,
    N_LASTING,
    N_NUMBERS,
    N_WITH_LIFE,
    POINTS,
    Kind,
)
from dwarrow.envs.the_duel.layout import AXE, JOKER, N_JOKER_CARDS, PILE, Phase, State
from dwarrow.envs.the_duel.rules.payment import n_strikers, usable_joker_cards
from dwarrow.envs.the_duel.scoring import points

PLAY, DRAW, ROLL, PASS = actions.PLAY, actions.DRAW, actions.ROLL, actions.PASS
END_TURN, RE_ROLL, NUMBER, AXES = (
    actions.END_TURN, actions.RE_ROLL, actions.NUMBER, actions.AXES,
)  # fmt: skip
JOKERS, STRIKE, FETCH, HIT = actions.JOKERS, actions.STRIKE, actions.FETCH, actions.HIT
REMOVE = actions.REMOVE

NEVER, WINS = -100.0, 100.0


# Greedy


@kernel
def points_of_hit(s: State, seat: int, target: int) -> float:
    """Return the points that one more damage takes off the opponent."""
    if target == PILE or s.players[1 - seat].display[target - 1] == 0:
        return 0.0
    kind = target - 1
    defeats = s.players[1 - seat].damage[kind] + 1 >= LIFE[kind]
    return float(POINTS[kind]) if defeats else 0.0


@kernel
def most_points_of_a_hit(s: State, seat: int) -> float:
    """Return the most points that one more damage takes off the opponent."""
    best = 0.0
    for target in range(1, N_WITH_LIFE + 1):
        best = max(best, points_of_hit(s, seat, target))
    return best


@kernel
def most_points_displayed(s: State, seat: int) -> float:
    """Return the points of the best card in a display."""
    best = 0.0
    for kind in range(N_ALLIES, N_WITH_LIFE):
        if s.players[seat].display[kind] > 0:
            best = max(best, float(POINTS[kind]))
    return best


@kernel
def greedy_worth(s: State, seat: int, action: int) -> float:
    """Return the change of the lead in points that an action brings at once."""
    if action >= REMOVE:
        return float(POINTS[action - REMOVE])
    if action >= HIT:
        return points_of_hit(s, seat, action - HIT)
    if STRIKE <= action < FETCH or action == PLAY + Kind.THROWING_AXE:
        return most_points_of_a_hit(s, seat)
    if action == PLAY + Kind.BEGONE:
        return most_points_displayed(s, 1 - seat)
    if action == PLAY + Kind.CHAIN_MAIL:
        return points_of_hit(s, 1 - seat, int(s.target))
    return float(POINTS[action - PLAY]) if action < DRAW else 0.0


@kernel
def greedy(states: States, i: int, mask: Mask, word: Words) -> int:
    """Take what changes the lead in points most at once; anything where nothing does."""
    return best_action(states[i], mask, word, False)


# Rule: what a card is worth, in points


@kernel
def lead(s: State, seat: int) -> int:
    """Return how many points `seat` is ahead."""
    return points(s, seat) - points(s, 1 - seat)


@kernel
def time_left(s: State) -> float:
    """Return how much of the duel is to come: 1 for long, 0 for none."""
    shorter = min(int(s.players[0].pile_size), int(s.players[1].pile_size))
    return min(1.0, (shorter - 1) / 14)


@kernel
def card_worth(s: State, kind: int) -> float:
    """Return what a displayed card is worth: points last, everything else works with time.

    Dice come first: with three no cost of four can be rolled. The king turns every die to damage.
    """
    if N_ALLIES <= kind < N_WITH_LIFE:
        return float(POINTS[kind])
    time = time_left(s)
    if kind == Kind.REINFORCEMENT:
        return 4.0 * time
    if kind == Kind.DWARF_KING:
        return 4.0 * time
    if kind in (Kind.BOINDIL, Kind.ANDOKAI):
        return 2.0 * time
    return 1.3 * time


@kernel
def best_target_worth(s: State, seat: int) -> float:
    """Return the worth of the best card in the display of `seat`, for Begone!."""
    best = 0.0
    for kind in range(N_LASTING):
        if s.players[seat].display[kind] > 0:
            best = max(best, card_worth(s, kind))
    return best


# Rule: paying


@kernel
def n_axes_and_jokers_needed(s: State, kind: int, rested: int) -> int:
    """Return how many wild dice the cheapest payment takes, once a die `rested` is an axe."""
    most = 0
    for number in range(N_NUMBERS):
        if COST_NUMBER[kind] in (NONE, number):
            most = max(most, int(s.dice[number]) - int(number == rested))
    return max(0, int(COST_DICE[kind]) - most)


@kernel
def play_worth(s: State, seat: int, kind: int, rested: int) -> float:
    """Return the worth of playing a card, less the wild dice it takes; NEVER if it cannot be."""
    wild = n_axes_and_jokers_needed(s, kind, rested)
    axes = int(s.dice[AXE]) + int(rested != NONE)
    if wild > axes + usable_joker_cards(s, seat):
        return NEVER
    price = 0.2 * min(wild, axes) + 0.8 * max(0, wild - axes)
    if kind == Kind.BEGONE:
        return best_target_worth(s, 1 - seat) - price
    return card_worth(s, kind) - price


@kernel
def best_play_worth(s: State, seat: int, rested: int) -> float:
    """Return the worth of the best card in hand that can be paid."""
    best = 0.0
    for kind in range(N_KINDS):
        if s.players[seat].hand[kind] > 0 and COST_DICE[kind] > 0:
            best = max(best, play_worth(s, seat, kind, rested))
    return best


# Rule: damage


@kernel
def n_strikes(s: State, seat: int) -> int:
    """Return how much damage the unused dice and Joker cards can deal with the Allies."""
    total, strikers = 0, 0
    for number in range(N_NUMBERS):
        n = n_strikers(s, seat, number)
        strikers += n
        if n > 0:
            total += int(s.dice[number])
    return total + int(s.dice[AXE]) + usable_joker_cards(s, seat) if strikers > 0 else total


@kernel
def hit_worth(s: State, seat: int, target: int, damage: int) -> float:
    """Return what a target is worth with so much damage to deal, less the dice it takes.

    The draw pile is worth hitting by who leads: the duel ends sooner. Damage that defeats nothing
    is wasted.
    """
    other = s.players[1 - seat]
    if target == PILE:
        if lead(s, seat) <= 0:
            return -0.5
        return WINS if damage >= other.pile_size else 0.3
    kind = target - 1
    left = int(LIFE[kind] - other.damage[kind])
    if other.display[kind] == 0 or left > damage:
        return -1.0
    return card_worth(s, kind) - 0.4 * left


@kernel
def best_hit_worth(s: State, seat: int, damage: int) -> float:
    """Return the worth of the best target for so much damage."""
    best = hit_worth(s, seat, PILE, damage)
    for target in range(1, N_WITH_LIFE + 1):
        best = max(best, hit_worth(s, seat, target, damage))
    return best


@kernel
def answer_worth(s: State, seat: int) -> float:
    """Return the worth of chain mail now: for a card about to fall, or a duel about to be lost."""
    me = s.players[seat]
    if s.target == PILE:
        return WINS if me.pile_size == 1 and lead(s, seat) <= 0 else -1.0
    kind = int(s.target) - 1
    if me.damage[kind] + 1 < LIFE[kind]:
        return -1.0
    return card_worth(s, kind) - 1.5


# Rule: the phases


@kernel
def supply_worth(s: State, seat: int, n: int) -> float:
    """Return the worth of drawing `n` cards: many, but the last one only as the leader."""
    if n >= s.players[seat].pile_size:
        return WINS if lead(s, seat) > 0 else NEVER
    few = s.players[seat].pile_size < 8 and lead(s, seat) <= 0
    return float(-n) if few else float(n)


@kernel
def power_worth(s: State, seat: int) -> float:
    """Return the worth of two more dice: there must be something dear to pay for."""
    dear = 0
    for kind in range(N_KINDS):
        if COST_DICE[kind] >= 3:
            dear += int(s.players[seat].hand[kind])
    return 1.0 if dear > 0 else -1.0


@kernel
def re_roll_worth(s: State, seat: int, face: int) -> float:
    """Return the worth of a re-roll: dice that neither match others nor feed an Ally."""
    if face == AXE:
        return NEVER
    most = 0
    for number in range(N_NUMBERS):
        most = max(most, int(s.dice[number]))
    worth = 0.5 if s.dice[face] < most else 0.5 - 0.4 * most
    if n_strikers(s, seat, face) > 0:
        worth -= 0.4
    return worth - 0.1 * int(s.dice[face])


@kernel
def number_worth(s: State, seat: int, number: int) -> float:
    """Return the worth of paying with a number: no wild dice, no dice that Allies could use."""
    if number >= N_NUMBERS:
        return NEVER
    cost, held = int(COST_DICE[s.card]), int(s.dice[number])
    worth = -10.0 * max(0, cost - held) - 0.5 * max(0, held - cost)
    return worth - (1.0 if n_strikers(s, seat, number) > 0 else 0.0)


@kernel
def axes_worth(s: State, axes: int) -> float:
    """Return the worth of paying with so many axes: what the dice lack, before Joker cards."""
    held = 0 if s.pay_number >= N_NUMBERS else int(s.dice[s.pay_number])
    lacking = max(0, int(COST_DICE[s.card]) - held)
    return -abs(float(axes - min(lacking, int(s.dice[AXE]))))


@kernel
def rest_worth(s: State, seat: int) -> float:
    """Return the worth of Short Rest: the best card that can be paid with it and not without."""
    best = 0.0
    for number in range(N_NUMBERS):
        if s.dice[number] > 0:
            best = max(best, best_play_worth(s, seat, number))
    gain = best - best_play_worth(s, seat, NONE)
    return best + 0.1 if gain >= 1.0 else -1.0


@kernel
def end_worth(s: State, seat: int) -> float:
    """Return the worth of ending the turn: a Joker card if no die was used."""
    rewarded = not s.die_used and s.players[seat].joker_cards < N_JOKER_CARDS
    return 0.8 * time_left(s) if rewarded else 0.0


@kernel
def card_phase_worth(s: State, seat: int, action: int) -> float:
    """Return the worth of an action of the card phase."""
    axes = int(s.players[seat].hand[Kind.THROWING_AXE])
    if action == END_TURN:
        return end_worth(s, seat)
    if action >= FETCH:
        return 0.3 - 0.1 * (action - FETCH == AXE) - 1.0 * (action - FETCH == JOKER)
    if action >= STRIKE:
        die = action - STRIKE
        return best_hit_worth(s, seat, n_strikes(s, seat) + axes) - 0.03 * max(0, die - 4)
    if action == PLAY + Kind.SHORT_REST:
        return rest_worth(s, seat)
    if action == PLAY + Kind.THROWING_AXE:
        return best_hit_worth(s, seat, n_strikes(s, seat) + axes) - 1.0
    return play_worth(s, seat, action - PLAY, NONE)


@kernel
def rule_worth(s: State, seat: int, action: int) -> float:
    """Return the worth of an action by the advice above; passing is worth 0."""
    phase = s.phase
    if phase == Phase.CARDS:
        return card_phase_worth(s, seat, action)
    axes = int(s.players[seat].hand[Kind.THROWING_AXE])
    if phase == Phase.WINDOW:
        return 0.0 if action == PASS else best_hit_worth(s, seat, axes) - 1.2
    if phase == Phase.ANSWER:
        return 0.0 if action == PASS else answer_worth(s, seat)
    if phase == Phase.TARGET:
        mine = n_strikes(s, seat) if s.active == seat else 0
        return hit_worth(s, seat, action - HIT, 1 + axes + mine)
    if phase == Phase.SUPPLY:
        return supply_worth(s, seat, action - DRAW + 1)
    if action == PLAY + Kind.ANDOKAIS_POWER:
        return power_worth(s, seat)
    return announced_worth(s, seat, action)


@kernel
def announced_worth(s: State, seat: int, action: int) -> float:
    """Return the worth of re-rolls, payments and what a card does."""
    phase = s.phase
    if phase == Phase.DICE and action >= RE_ROLL:
        return re_roll_worth(s, seat, action - RE_ROLL)
    if phase == Phase.REST:
        return best_play_worth(s, seat, action - NUMBER)
    if phase == Phase.NUMBER:
        return number_worth(s, seat, action - NUMBER)
    if phase == Phase.AXES:
        return axes_worth(s, action - AXES)
    if phase == Phase.JOKERS:
        return -float(action - JOKERS)
    return card_worth(s, action - REMOVE) if phase == Phase.REMOVE else 0.0


@kernel
def rule(states: States, i: int, mask: Mask, word: Words) -> int:
    """Build dice and Allies early, points late; defeat what can be defeated; lead, then hurry."""
    return best_action(states[i], mask, word, True)


@kernel
def best_action(s: State, mask: Mask, word: Words, skilled: bool) -> int:
    """Return the legal action with the highest worth, ties broken at random."""
    seat = int(s.seat)
    best, found, ties = 0.0, NONE, 0
    for action in range(len(mask)):
        if mask[action] == 0:
            continue
        worth = rule_worth(s, seat, action) if skilled else greedy_worth(s, seat, action)
        if found == NONE or worth > best:
            best, found, ties = worth, action, 1
        elif worth == best:
            ties += 1
            if word_below(word, ties) == 0:
                found = action
    return found


register(GAME.dtype, Players(greedy, rule))
