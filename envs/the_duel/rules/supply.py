"""Draw piles: the supply phase, and what happens when a pile is used up."""

from __future__ import annotations

from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_duel.cards import Kind
from dwarrow.envs.the_duel.layout import END_REASONS, Phase, State
from dwarrow.envs.the_duel.rules.dice import take_dice

BY_DRAWING = END_REASONS.index("draw")
BY_DAMAGE = END_REASONS.index("damage")


@kernel
def end_game(s: State, seat: int, reason: int) -> None:
    """End the duel at once: the draw pile of `seat` is used up.

    Rule: end_of_game (p. 2). Ruling: A1.
    """
    s.used_up = seat
    s.end_reason = reason
    s.over = 1
    s.phase = Phase.OVER


@kernel
def take_top_card(s: State, seat: int) -> int:
    """Take the top card off a draw pile and return its kind."""
    me = s.players[seat]
    me.pile_size -= 1
    kind = int(me.pile[me.pile_size])
    me.pile[me.pile_size] = NONE
    return kind


@kernel
def draw_card(s: State, seat: int) -> None:
    """Draw the top card of one's draw pile into one's hand."""
    s.players[seat].hand[take_top_card(s, seat)] += 1


@kernel
def most_cards_to_draw(s: State, seat: int) -> int:
    """Return how many cards may be drawn: one more for each Ancient Knowledge, and what is there.

    Rule: additional_cards (p. 1). Ruling: A2.
    """
    me = s.players[seat]
    return min(1 + int(me.display[Kind.ANCIENT_KNOWLEDGE]), int(me.pile_size))


@kernel
def may_draw_cards(s: State, seat: int, n: int) -> bool:
    """Return whether `n` cards may be drawn, all at once.

    Rule: supply_phase (p. 1).
    """
    return 1 <= n <= most_cards_to_draw(s, seat)


@kernel
def draw_cards(s: State, seat: int, n: int) -> None:
    """Draw `n` cards; the last card of the pile ends the game.

    Rule: supply_phase (p. 1).
    """
    for _ in range(n):
        draw_card(s, seat)
    if s.players[seat].pile_size == 0:
        end_game(s, seat, BY_DRAWING)
        return
    take_dice(s, seat)
    s.phase = Phase.EXTRA_DICE
