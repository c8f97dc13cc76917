"""Damage: Allies and throwing axes, point by point, with chain mail against each."""

from __future__ import annotations

from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_duel.cards import LIFE, N_NUMBERS, N_WITH_LIFE, Kind
from dwarrow.envs.the_duel.layout import PILE, Phase, State
from dwarrow.envs.the_duel.rules.payment import n_of_die, n_strikers, use_dice
from dwarrow.envs.the_duel.rules.supply import BY_DAMAGE, end_game, take_top_card


@kernel
def may_strike(s: State, seat: int, die: int) -> bool:
    """Return whether an unused die, or a Joker card, feeds an Ally in the display.

    Rule: allies (p. 2). Ruling: A12.
    """
    if n_of_die(s, seat, die) == 0:
        return False
    if die < N_NUMBERS:
        return n_strikers(s, seat, die) > 0
    total = 0
    for number in range(N_NUMBERS):
        total += n_strikers(s, seat, number)
    return total > 0


@kernel
def strike(s: State, seat: int, die: int) -> None:
    """Use a die with an Ally: one point of damage, its target still to be chosen.

    Rule: allies (p. 2).
    """
    use_dice(s, seat, die, 1)
    s.dealer = seat
    s.phase = Phase.TARGET


@kernel
def may_throw(s: State, seat: int) -> bool:
    """Return whether a throwing axe is in hand; there is always a target.

    Rule: throwing_axe (p. 2).
    """
    return bool(s.players[seat].hand[Kind.THROWING_AXE] > 0)


@kernel
def throw(s: State, seat: int) -> None:
    """Throw an axe, in one's own turn or the opponent's: one point of damage.

    Rule: throwing_axe (p. 2). Ruling: A15.
    """
    me = s.players[seat]
    me.hand[Kind.THROWING_AXE] -= 1
    me.discard[Kind.THROWING_AXE] += 1
    s.dealer = seat
    s.phase = Phase.TARGET


@kernel
def may_hit(s: State, seat: int, target: int) -> bool:
    """Return whether damage by `seat` may go to a target: the draw pile, or a card with life.

    Rule: dealing_damage (p. 2).
    """
    return target == PILE or s.players[1 - seat].display[target - 1] > 0


@kernel
def hit(s: State, target: int) -> None:
    """Choose the target of the point of damage in question.

    Rule: dealing_damage (p. 2). Ruling: A13.
    """
    s.target = target
    s.phase = Phase.ANSWER


@kernel
def may_prevent(s: State, seat: int) -> bool:
    """Return whether chain mail is in hand.

    Rule: chain_mail (p. 2).
    """
    return bool(s.players[seat].hand[Kind.CHAIN_MAIL] > 0)


@kernel
def prevent(s: State, seat: int) -> None:
    """Prevent the point of damage; the die or Twist behind it is spent all the same.

    Rule: chain_mail (p. 2). Ruling: A14.
    """
    me = s.players[seat]
    me.hand[Kind.CHAIN_MAIL] -= 1
    me.discard[Kind.CHAIN_MAIL] += 1
    close_damage(s)


@kernel
def suffer(s: State) -> None:
    """Let the point of damage through.

    Rule: dealing_damage (p. 2).
    """
    seat = 1 - int(s.dealer)
    target = int(s.target)
    close_damage(s)
    if target == PILE:
        lose_top_card(s, seat)
    else:
        damage_card(s, seat, target - 1)


@kernel
def close_damage(s: State) -> None:
    """Settle the point of damage: the other player's window comes next."""
    s.dealer = NONE
    s.target = NONE
    s.phase = Phase.WINDOW


@kernel
def lose_top_card(s: State, seat: int) -> None:
    """Lay the top card of a draw pile face up on the discard pile.

    Rule: damage_to_draw_pile (p. 2). Ruling: A1.
    """
    me = s.players[seat]
    me.discard[take_top_card(s, seat)] += 1
    if me.pile_size == 0:
        end_game(s, seat, BY_DAMAGE)


@kernel
def damage_card(s: State, seat: int, kind: int) -> None:
    """Damage a card of a kind, always the same one until it falls; its life defeats it.

    Rule: damage_to_card (p. 2). Ruling: A19.
    """
    me = s.players[seat]
    me.damage[kind] += 1
    if me.damage[kind] < LIFE[kind]:
        return
    me.damage[kind] = 0
    me.display[kind] -= 1
    me.discard[kind] += 1


@kernel
def heal(s: State, seat: int) -> None:
    """Give the cards that are still displayed their full life back.

    Rule: damage_wiped (p. 2).
    """
    for kind in range(N_WITH_LIFE):
        s.players[seat].damage[kind] = 0
