"""What one seat may see: the observation, `seen`, and redrawing what it cannot know."""

from __future__ import annotations

from dwarrow.envs.core.kernels import Floats, States, kernel
from dwarrow.envs.core.observation import Observation
from dwarrow.envs.core.record import NONE, Stream
from dwarrow.envs.core.rng import shuffle
from dwarrow.envs.the_duel.cards import (
    COPIES,
    DECK_SIZE,
    LIFE,
    MAX_COPIES,
    MAX_POINTS,
    MOST_DICE_OF_A_COST,
    N_KINDS,
    N_LASTING,
    N_WITH_LIFE,
)
from dwarrow.envs.the_duel.layout import (
    MAX_DICE,
    N_FACES,
    N_JOKER_CARDS,
    N_SEATS,
    N_TARGETS,
    PAY_NUMBERS,
    Phase,
    State,
)
from dwarrow.envs.the_duel.rules.dice import hand_size
from dwarrow.envs.the_duel.scoring import points

N_PAY_NUMBERS = len(PAY_NUMBERS)
_COPIES_SCALE = float(MAX_COPIES)
_LIFE_SCALE = float(LIFE.max())

LAYOUT = Observation(
    ("phase", (len(Phase),), "the question, one-hot"),
    ("asked", (1,), "1 if the observer is asked"),
    ("active", (1,), "1 in the observer's turn"),
    ("hand", (N_KINDS,), "own hand by kind", _COPIES_SCALE),
    ("hidden", (2, N_KINDS), "own draw pile; the opponent's pile and hand together", _COPIES_SCALE),
    ("display", (2, N_LASTING), "displays by kind, own first", _COPIES_SCALE),
    (
        "damage",
        (2, N_WITH_LIFE),
        "damage of this turn, on one card of each kind",
        _LIFE_SCALE,
    ),
    ("hand_size", (2,), "cards in hand", 10.0),
    ("pile_size", (2,), "cards in the draw pile", float(DECK_SIZE)),
    ("joker_cards", (2,), "Joker cards", float(N_JOKER_CARDS)),
    ("new_joker_cards", (1,), "of these, not usable this turn", float(N_JOKER_CARDS)),
    ("points", (2,), "victory points in the display", float(MAX_POINTS)),
    ("dice", (N_FACES,), "unused dice by face", float(MAX_DICE)),
    ("rolled", (1,), "dice of this turn", float(MAX_DICE)),
    ("re_rolls", (1,), "re-rolls left", 2.0),
    ("die_used", (1,), "1 once a die was used this turn"),
    ("ended", (1,), "1 in the last window of the turn"),
    ("card", (N_KINDS,), "the card being paid for or carried out, one-hot"),
    ("pay_number", (N_PAY_NUMBERS,), "number chosen to pay it with, one-hot"),
    ("pay_axes", (MOST_DICE_OF_A_COST + 1,), "axes chosen to pay it with, one-hot"),
    ("dealer", (2,), "who deals the damage in question, observer first, one-hot"),
    ("target", (N_TARGETS,), "what it is dealt to, one-hot"),
    ("flags", (5,), "the options after players, in their order"),
)
(
    PHASE,
    ASKED,
    ACTIVE,
    HAND,
    HIDDEN,
    DISPLAY,
    DAMAGE,
    HAND_SIZE,
    PILE_SIZE,
    JOKER_CARDS,
    NEW_JOKER_CARDS,
    POINTS_AT,
    DICE,
    ROLLED,
    RE_ROLLS,
    DIE_USED,
    ENDED,
    CARD,
    PAY_NUMBER,
    PAY_AXES,
    DEALER,
    TARGET,
    FLAGS,
) = (piece.start for piece in LAYOUT.pieces.values())


@kernel
def n_unseen(s: State, seat: int, kind: int) -> int:
    """Return how many cards of a kind lie in a player's hand and draw pile together."""
    me = s.players[seat]
    n = COPIES[kind] - me.discard[kind]
    if kind < N_LASTING:
        n -= me.display[kind]
    if s.active == seat and s.card == kind:
        n -= 1
    return int(n)


@kernel
def observe(states: States, i: int, seat: int, out: Floats) -> None:
    """Write what `seat` may see into the zeroed `out`."""
    s: State = states[i]
    out[PHASE + s.phase] = 1
    out[ASKED] = s.seat == seat
    out[ACTIVE] = s.active == seat
    for k in range(N_SEATS):
        observe_player(s, seat if k == 0 else 1 - seat, k, out)
    for kind in range(N_KINDS):
        held = s.players[seat].hand[kind]
        out[HAND + kind] = held / _COPIES_SCALE
        out[HIDDEN + kind] = (n_unseen(s, seat, kind) - held) / _COPIES_SCALE
        out[HIDDEN + N_KINDS + kind] = n_unseen(s, 1 - seat, kind) / _COPIES_SCALE
    observe_turn(s, seat, out)
    out[FLAGS] = s.options.short_rest
    out[FLAGS + 1] = s.options.automatic_payment
    out[FLAGS + 2] = s.options.extra_dice_after_roll
    out[FLAGS + 3] = s.options.joker_card_is_die
    out[FLAGS + 4] = s.options.window_after_roll


@kernel
def observe_player(s: State, p: int, k: int, out: Floats) -> None:
    """Write what everybody sees of player `p`, as the `k`-th seen from the observer."""
    me = s.players[p]
    for kind in range(N_LASTING):
        out[DISPLAY + k * N_LASTING + kind] = me.display[kind] / _COPIES_SCALE
    for kind in range(N_WITH_LIFE):
        out[DAMAGE + k * N_WITH_LIFE + kind] = me.damage[kind] / _LIFE_SCALE
    out[HAND_SIZE + k] = hand_size(s, p) / 10
    out[PILE_SIZE + k] = me.pile_size / DECK_SIZE
    out[JOKER_CARDS + k] = me.joker_cards / N_JOKER_CARDS
    out[POINTS_AT + k] = points(s, p) / MAX_POINTS
    out[DEALER + k] = s.dealer == p


@kernel
def observe_turn(s: State, seat: int, out: Floats) -> None:
    """Write the dice and what is being paid for or dealt."""
    for face in range(N_FACES):
        out[DICE + face] = s.dice[face] / MAX_DICE
    out[NEW_JOKER_CARDS] = s.new_joker_cards / N_JOKER_CARDS
    out[ROLLED] = s.rolled / MAX_DICE
    out[RE_ROLLS] = s.re_rolls / 2
    out[DIE_USED] = s.die_used
    out[ENDED] = s.ended
    if s.card != NONE:
        out[CARD + s.card] = 1
    if s.pay_number != NONE:
        out[PAY_NUMBER + s.pay_number] = 1
    if s.pay_axes != NONE:
        out[PAY_AXES + s.pay_axes] = 1
    if s.target != NONE:
        out[TARGET + s.target] = 1


@kernel
def seen(states: States, i: int, action: int, actor: int, seat: int) -> int:
    """Return which event `seat` sees: every choice is made in the open, and so is passing."""
    return action + 1


@kernel
def deal(s: State, seat: int, n_hand: int) -> None:
    """Shuffle what a player's hand does not hold and deal `n_hand` of it; the rest is the pile.

    The cards are put in the order of their kinds first, so that the result depends on nothing but
    what everybody knows, and on chance.
    """
    me = s.players[seat]
    n = 0
    for kind in range(N_KINDS):
        for _ in range(n_unseen(s, seat, kind) - me.hand[kind]):
            me.pile[n] = kind
            n += 1
    shuffle(s, Stream.DECK, me.pile, n)
    for _ in range(n_hand):
        n -= 1
        me.hand[me.pile[n]] += 1
        me.pile[n] = NONE


@kernel
def resample(states: States, i: int, seat: int) -> None:
    """Redraw the opponent's hand and both draw piles.

    The opponent's hand and pile together are known card by card, and nothing he does shows which is
    which: every deal of them is equally likely.
    """
    s: State = states[i]
    deal(s, seat, 0)
    n_hand = hand_size(s, 1 - seat)
    for kind in range(N_KINDS):
        s.players[1 - seat].hand[kind] = 0
    deal(s, 1 - seat, n_hand)
