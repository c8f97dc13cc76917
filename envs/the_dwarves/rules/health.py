"""Health: losing it, with interruptions and the Protective Shield, and gaining it."""

from __future__ import annotations

from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.the_dwarves.actions import TAKE_ONE, TAKE_TWO
from dwarrow.envs.the_dwarves.layout import NIL, ONE, End, Phase, Rule, State, Why
from dwarrow.envs.the_dwarves.rules.choices import choose_hero
from dwarrow.envs.the_dwarves.rules.gear import owns, spend
from dwarrow.envs.the_dwarves.rules.lookup import all_heroes, max_health
from dwarrow.envs.the_dwarves.rules.stack import ask, finish, pop, push, seats, wide
from dwarrow.envs.the_dwarves.rules.windows import open_window
from dwarrow.envs.the_dwarves.words import Equipment

SHIELDED = 2  # points from one source that a Protective Shield answers


@kernel
def lose(s: State, seat: int, amount: int) -> None:
    """Let a hero lose health from one source, after whatever answers it."""
    s.stack[push(s, Rule.LOSE, seat)].a = amount


@kernel
def take(s: State, seat: int, amount: int) -> None:
    """Take hearts from a hero; at none the hero dies and the game is lost.

    Rule: losing (p. 6).
    """
    s.players[seat].health -= amount
    if s.players[seat].health <= 0:
        s.players[seat].health = 0
        if not s.over:
            s.fallen = seat
        finish(s, End.HERO_DIED)


@kernel
def gain(s: State, seat: int, amount: int) -> None:
    """Give hearts to a hero, up to all of them.

    Rule: health (p. 3). Ruling: R24.
    """
    s.players[seat].health = min(max_health(s, seat), s.players[seat].health + amount)


@kernel
def run_lose(s: State) -> None:
    """Go on with a loss: a window first, then shields, then the hearts.

    Frame: a hearts; b heroes asked for a shield so far.
    """
    f = s.stack[s.depth - 1]
    hero = wide(f.seat)
    if f.stage == 0:
        f.stage = 1
        open_window(s)
        return
    while f.b < s.n_seats and f.a >= SHIELDED:
        holder = (s.active + wide(f.b)) % seats(s)
        if holder != hero and owns(s, holder, Equipment.SHIELD):
            ask(s, Phase.SHIELD, holder)
            return
        f.b += 1
    amount = wide(f.a)
    pop(s)
    if amount > 0:
        take(s, hero, amount)


@kernel
def answer_shield(s: State, action: int) -> None:
    """Take 1 or 2 of another hero's 2 damage, and discard the shield; or pass.

    Rule: protective_shield (p. 16). Ruling: R47.
    """
    f = s.stack[s.depth - 1]
    f.b += 1
    if action in (TAKE_ONE, TAKE_TWO):
        amount = 1 + (action == TAKE_TWO)
        f.a -= amount
        holder = wide(s.seat)
        spend(s, holder, Equipment.SHIELD)
        take(s, holder, amount)


@kernel
def split_loss(s: State, points: int) -> None:
    """Let the team share out a loss, point by point.

    Rule: shared_loss (p. 16).
    """
    s.stack[push(s, Rule.SPLIT, s.active)].a = points


@kernel
def run_split(s: State) -> None:
    """Ask for the next point's hero, or let all lose what they were given.

    Frame: a points left.
    """
    f = s.stack[s.depth - 1]
    if f.a > 0:
        f.a -= 1
        choose_hero(s, Why.POINT, ONE, all_heroes(s), NIL)
        return
    pop(s)
    for p in range(seats(s) - 1, -1, -1):
        if s.pledged[p]:
            lose(s, p, wide(s.pledged[p]))
            s.pledged[p] = 0
