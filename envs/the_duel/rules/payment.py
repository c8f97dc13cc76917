"""Costs: one die of a number, or two to four equal dice; axes and Joker cards stand for any."""

from __future__ import annotations

from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_duel.cards import COST_DICE, COST_NUMBER, N_ALLIES, N_NUMBERS, STRIKES
from dwarrow.envs.the_duel.layout import AXE, JOKER, WILD_ONLY, Phase, State


@kernel
def usable_joker_cards(s: State, seat: int) -> int:
    """Return the Joker cards held since before this turn.

    Rule: using_joker_cards (p. 2).
    """
    return int(s.players[seat].joker_cards - s.new_joker_cards)


@kernel
def n_of_die(s: State, seat: int, die: int) -> int:
    """Return how many unused dice show `die`, or how many Joker cards may be used as dice."""
    return usable_joker_cards(s, seat) if die == JOKER else int(s.dice[die])


@kernel
def use_dice(s: State, seat: int, die: int, n: int) -> None:
    """Put `n` dice, or Joker cards, back into the middle of the table.

    Rule: using_joker_cards (p. 2). Ruling: A4.
    """
    if n == 0:
        return
    if die == JOKER:
        s.players[seat].joker_cards -= n
        if s.options.joker_card_is_die:
            s.die_used = 1
    else:
        s.dice[die] -= n
        s.die_used = 1


@kernel
def can_pay(s: State, seat: int, kind: int) -> bool:
    """Return whether the unused dice and Joker cards cover the cost of a card.

    Rule: equal_dice_cost (p. 2).
    """
    most = 0
    for number in range(N_NUMBERS):
        if COST_NUMBER[kind] in (NONE, number):
            most = max(most, int(s.dice[number]))
    return bool(most + s.dice[AXE] + usable_joker_cards(s, seat) >= COST_DICE[kind])


# A payment of `dice` dice takes `a` axes, `j` Joker cards and the rest from the dice of one number:
# at least `fewest` of them (where the payer names the number it must be there), at most `most`.


@kernel
def fewest_natural(s: State, number: int) -> int:
    """Return how many dice of the number must be among those paid."""
    return 0 if COST_NUMBER[s.card] != NONE or number == WILD_ONLY else 1


@kernel
def most_natural(s: State, number: int) -> int:
    """Return how many dice of the number there are to pay with."""
    return 0 if number == WILD_ONLY else int(s.dice[number])


@kernel
def may_pay_with(s: State, seat: int, number: int) -> bool:
    """Return whether the announced card can be paid in dice of a number, or in wild dice alone.

    Rule: equal_dice_cost (p. 2). Ruling: A10.
    """
    most = most_natural(s, number)
    wild = s.dice[AXE] + usable_joker_cards(s, seat)
    return fewest_natural(s, number) <= most and most + wild >= COST_DICE[s.card]


@kernel
def pay_with(s: State, number: int) -> None:
    """Choose the number to pay with."""
    s.pay_number = number
    s.phase = Phase.AXES


@kernel
def may_pay_jokers(s: State, seat: int, axes: int, jokers: int) -> bool:
    """Return whether so many Joker cards, after so many axes, leave a rest the dice can pay.

    Rule: single_die_cost (p. 2). Ruling: A11.
    """
    rest = COST_DICE[s.card] - axes - jokers
    number = int(s.pay_number)
    enough = fewest_natural(s, number) <= rest <= most_natural(s, number)
    return enough and jokers <= usable_joker_cards(s, seat)


@kernel
def may_pay_axes(s: State, seat: int, axes: int) -> bool:
    """Return whether so many axes leave a rest that can be paid.

    Rule: single_die_cost (p. 2).
    """
    if axes > s.dice[AXE]:
        return False
    ways = 0
    for jokers in range(usable_joker_cards(s, seat) + 1):
        ways += may_pay_jokers(s, seat, axes, jokers)
    return ways > 0


@kernel
def pay_axes(s: State, axes: int) -> None:
    """Choose how many axes to pay with."""
    s.pay_axes = axes
    s.phase = Phase.JOKERS


@kernel
def pay(s: State, seat: int, jokers: int) -> None:
    """Pay the announced card: Joker cards, axes, and the rest in dice of the number.

    Rule: playing_cards (p. 2).
    """
    axes = int(s.pay_axes)
    rest = int(COST_DICE[s.card]) - axes - jokers
    use_dice(s, seat, JOKER, jokers)
    use_dice(s, seat, AXE, axes)
    if rest > 0:
        use_dice(s, seat, int(s.pay_number), rest)
    s.pay_number = NONE
    s.pay_axes = NONE


@kernel
def n_strikers(s: State, seat: int, number: int) -> int:
    """Return how many Allies in a display turn a die of that number into damage."""
    total = 0
    for kind in range(N_ALLIES):
        total += s.players[seat].display[kind] * STRIKES[kind, number]
    return total


@kernel
def payment_price(s: State, seat: int, number: int, axes: int, jokers: int) -> int:
    """Return how dear a payment is: Joker cards first, then axes, then dice an Ally could use."""
    price = 100 * jokers + 10 * axes
    return price + (number != WILD_ONLY and n_strikers(s, seat, number) > 0)


@kernel
def choose_cheapest_payment(s: State, seat: int) -> int:
    """Set number and axes of the cheapest payment of the announced card; return its Joker cards.

    Equally cheap ones differ in the number alone: the lowest is taken. Ruling: R2.
    """
    best, number_of_best, axes_of_best, jokers_of_best = 1000, WILD_ONLY, 0, 0
    for number in range(N_NUMBERS + 1):
        if COST_NUMBER[s.card] not in (NONE, number) or not may_pay_with(s, seat, number):
            continue
        s.pay_number = number
        for axes in range(s.dice[AXE] + 1):
            for jokers in range(usable_joker_cards(s, seat) + 1):
                price = payment_price(s, seat, number, axes, jokers)
                if price < best and may_pay_jokers(s, seat, axes, jokers):
                    best, number_of_best = price, number
                    axes_of_best, jokers_of_best = axes, jokers
    s.pay_number = number_of_best
    s.pay_axes = axes_of_best
    return jokers_of_best
