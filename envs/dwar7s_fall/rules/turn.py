"""The course of a turn: actions, Resolve, Discard, windows for others, the end of the game.

Every function here leaves the game waiting for a choice, or over. A choice that the rules leave no
freedom in, and that is plain to the whole table, is not asked.
"""

from __future__ import annotations

from typing import Any

from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.record import NONE
from dwarrow.envs.dwar7s_fall.layout import (
    GOALS_TO_END,
    HAND_LIMIT,
    N_TILES,
    Phase,
)
from dwarrow.envs.dwar7s_fall.rules.dwarfs import n_actions_of
from dwarrow.envs.dwar7s_fall.rules.goals import may_reveal, might_reveal, reveal
from dwarrow.envs.dwar7s_fall.rules.hands import hand_size, ogres_of, steal_gem, steal_ogres
from dwarrow.envs.dwar7s_fall.rules.tasks import may_resolve, resolve
from dwarrow.envs.dwar7s_fall.scoring import goals_of


@kernel
def clear_choice(s: Any) -> None:
    """Forget the parts of a choice that is made."""
    s.chosen.kind = NONE
    s.chosen.cell = NONE
    s.chosen.king = NONE


@kernel
def may_act(s: Any, seat: int) -> bool:
    """Return whether a king has an action left.

    Rule: actions (1 Perform Actions). Ruling: R10.
    """
    return bool(s.used < n_actions_of(s, seat))


@kernel
def begin_turn(s: Any, seat: int) -> None:
    """Let a king begin his turn; a fresh turn has actions, so he is asked at once.

    Rule: turn_phases (Player's Turn).
    """
    s.active = seat
    s.seat = seat
    s.used = 0
    s.tasks = 0
    for tile in range(N_TILES):
        s.tiles[tile].resolved = 0
    s.phase = Phase.ACT


@kernel
def end_action(s: Any) -> None:
    """Finish an action or ogre card; others may be asked to reveal."""
    clear_choice(s)
    if not ask_others(s, Phase.ACT):
        go_on_acting(s)


@kernel
def go_on_acting(s: Any) -> None:
    """Ask for the next action; with no action and no ogre card left, Resolve begins.

    Rule: stop_acting (1 Perform Actions). Ruling: R11.
    """
    s.seat = s.active
    s.phase = Phase.ACT
    if not may_act(s, s.active) and ogres_of(s, s.active) == 0 and not might_reveal(s, s.active):
        go_on_resolving(s)


@kernel
def go_on_resolving(s: Any) -> None:
    """Resolve the finished tasks of the active king; he is asked for the order where it is his.

    Rule: order (2 Resolve). Ruling: R12.
    """
    s.seat = s.active
    while True:
        s.phase = Phase.RESOLVE
        finished, last = 0, 0
        for tile in range(N_TILES):
            if may_resolve(s, s.active, tile):
                finished += 1
                last = tile
        if finished == 0:
            begin_show(s)
            return
        if finished > 1 or (s.tasks > 0 and might_reveal(s, s.active)):
            return
        resolve(s, s.active, last)
        if s.phase in (Phase.DIG, Phase.TRADE):
            return
        if ask_others(s, Phase.RESOLVE):
            return


@kernel
def begin_show(s: Any) -> None:
    """After Resolve a king may reveal before he discards."""
    s.phase = Phase.SHOW
    if s.tasks == 0 or not might_reveal(s, s.active):
        begin_discard(s)


@kernel
def begin_discard(s: Any) -> None:
    """Ask for discards while there are more than nine cards in hand, then end the turn.

    Rule: hand_limit (3 Discard).
    """
    s.phase = Phase.DISCARD
    if hand_size(s, s.active) <= HAND_LIMIT:
        end_turn(s)


@kernel
def end_turn(s: Any) -> None:
    """End a turn: three goals trigger the last round, a round's end may end the game.

    Rule: endgame (Endgame). Ruling: R28.
    """
    if goals_of(s, s.active) >= GOALS_TO_END:
        s.last_round = 1
    following = s.active + 1
    if following < s.n_seats:
        begin_turn(s, following)
    elif s.last_round or s.turn >= s.options.cap:
        end_game(s)
    else:
        s.turn += 1
        begin_turn(s, 0)


@kernel
def end_game(s: Any) -> None:
    """End the game: secret goals fulfilled now are revealed, then all is scored.

    Rule: final_reveal (2 Secret Goals). Ruling: R26.
    """
    for seat in range(s.n_seats):
        if may_reveal(s, seat):
            reveal(s, seat)
    s.over = 1
    s.seat = NONE
    s.phase = Phase.OVER


@kernel
def ask_others(s: Any, resume: int) -> bool:
    """Ask every other king in turn whether he reveals; return whether there is one to ask.

    Rule: reveal_any_time (2 Secret Goals). Ruling: R26.
    """
    if not s.options.reveal_interrupt:
        return False
    s.resume = resume
    return ask_next(s, s.active)


@kernel
def ask_next(s: Any, last: int) -> bool:
    """Ask the next king after `last` whose goal is still secret, up to the active one."""
    for k in range(1, s.n_seats):
        seat = (last + k) % s.n_seats
        if seat == s.active:
            break
        if not s.players[seat].revealed:
            s.seat = seat
            s.phase = Phase.WINDOW
            return True
    s.resume = NONE
    return False


@kernel
def aim_at_king(s: Any, king: int) -> None:
    """Aim a Thief or a Crown at a king; he may be asked to reveal before it strikes."""
    s.chosen.king = king
    if s.options.reveal_interrupt and not s.players[king].revealed:
        s.resume = s.phase
        s.phase = Phase.WINDOW
        s.seat = king
    else:
        strike(s, s.phase)


@kernel
def strike(s: Any, card: int) -> None:
    """Carry out the Thief or the Crown that was aimed; `card` is the phase that asked for it."""
    s.resume = NONE
    s.seat = s.active
    if card == Phase.THIEF_KING:
        steal_gem(s, s.active, s.chosen.king)
    else:
        steal_ogres(s, s.active, s.chosen.king)
    end_action(s)


@kernel
def answer_window(s: Any) -> None:
    """Go on after a king's answer in a window."""
    resume = s.resume
    if resume in (Phase.THIEF_KING, Phase.CROWN_KING):
        strike(s, resume)
    elif not ask_next(s, s.seat):
        if resume == Phase.ACT:
            go_on_acting(s)
        else:
            go_on_resolving(s)
