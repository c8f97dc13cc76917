"""Pushing the frames that ask for a hero, a hex or a kind of troop; `targets` answers them."""

from __future__ import annotations

from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.the_dwarves.layout import Rule, State
from dwarrow.envs.the_dwarves.rules.stack import push


@kernel
def choose_hero(s: State, why: int, amount: int, heroes: int, extra: int) -> None:
    """Let the hero whose turn it is choose one of `heroes`; see `Why` for what follows.

    Rule: team_decisions (p. 6).
    """
    f = s.stack[push(s, Rule.HERO, s.active)]
    f.a, f.b, f.c, f.d = why, amount, heroes, extra


@kernel
def choose_hex(s: State, where: int, what: int, count: int, extra: int) -> None:
    """Let the hero whose turn it is choose a hex, `count` times; see `Where` for what follows."""
    f = s.stack[push(s, Rule.HEX, s.active)]
    f.a, f.b, f.c, f.d = where, what, count, extra


@kernel
def choose_die(s: State, seat: int, ends: int, j: int) -> None:
    """Let `seat` choose one Recruitment die to roll; see `Ends` for what follows."""
    f = s.stack[push(s, Rule.TROOP, seat)]
    f.a, f.d = ends, j


@kernel
def recruit(s: State, h: int, dice: int, ends: int, j: int) -> None:
    """Roll the Recruitment dice whose bits are set; see `Ends` for what follows."""
    f = s.stack[push(s, Rule.RECRUIT, s.active)]
    f.a, f.b, f.c, f.d = h, dice, ends, j
