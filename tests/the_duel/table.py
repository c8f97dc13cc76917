"""Positions of The Duel in a line, and playing on from them by action names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from dwarrow import envs
from dwarrow.envs.core.kernels import States
from dwarrow.envs.the_duel.cards import COPIES, KINDS, N_LASTING, N_WITH_LIFE

GAME = envs.game("the_duel")
AXE = 5
"""The face of a die as scripts name it: 0 to 4 are the numbers 1 to 5."""


def counts(cards: Iterable[str], kinds: Sequence[str] = KINDS) -> dict[str, int]:
    found = Counter(cards)
    assert set(found) <= set(kinds)
    return {kind: found[kind] for kind in kinds}


def side(
    hand: Sequence[str] = (),
    display: Sequence[str] = (),
    discard: Sequence[str] = (),
    top: Sequence[str] = (),
    pile: Sequence[str] | None = None,
    joker_cards: int = 0,
    damage: dict[str, int] | None = None,
    paying: str = "",
) -> dict[str, Any]:
    """A player's cards. What is not named lies in the pile, or, if `pile` is, in the discard."""
    deck = Counter({kind: int(n) for kind, n in zip(KINDS, COPIES, strict=True)})
    rest = deck - Counter(
        [*hand, *display, *discard, *top, *(pile or ()), *[paying][: len(paying)]]
    )
    others = [kind for kind in KINDS for _ in range(rest[kind])]
    if pile is None:
        pile = [*top, *others]
    else:
        discard = [*discard, *others]
    wounds = dict.fromkeys(KINDS[:N_WITH_LIFE], 0)
    return {
        "hand": counts(hand),
        "display": counts(display, KINDS[:N_LASTING]),
        "discard": counts(discard),
        "pile": list(reversed(pile)),
        "joker_cards": joker_cards,
        "damage": {**wounds, **(damage or {})},
    }


def dice(shown: str) -> dict[str, int]:
    """Dice as a word: ``"114a"`` are two ones, a four and an axe."""
    faces = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "axe": "a"}
    return {face: shown.count(sign) for face, sign in faces.items()}


def table(
    me: dict[str, Any],
    other: dict[str, Any],
    shown: str = "",
    phase: str = "cards",
    options: dict[str, Any] | None = None,
    **fields: Any,
) -> States:
    """A position in which seat 0 is active, in turn 3, and asked in the card phase."""
    if phase == "cards":
        used = int(len(shown) < 3)
        fields = {"dice": dice(shown), "rolled": max(3, len(shown)), "die_used": used, **fields}
    position = {
        "options": options or {},
        "starter": 0,
        "active": 0,
        "turn": 3,
        "phase": phase,
        "players": [me, other],
        **fields,
    }
    return GAME.load(position)


def before_supply(me: dict[str, Any], other: dict[str, Any], **fields: Any) -> States:
    """The last window of seat 1's turn: when seat 0 passes, its own turn begins."""
    rolled = {"dice": dice("123"), "rolled": 3}
    return table(me, other, phase="window", active=1, turn=4, ended=1, **rolled, **fields)


def play(states: States, *names: str) -> States:
    """Play actions by name; a script must be used up by them."""
    for name in names:
        GAME.step(states, 0, GAME.action_id(name))
    assert states["script_next"][0] == states["script_end"][0]
    return states


def legal(states: States, first: str = "") -> list[str]:
    """The names of the legal actions that begin with a word."""
    names = [GAME.action_name(int(a)) for a in GAME.legal(states, 0)]
    return [name for name in names if name.startswith(first)]


def player(states: States, seat: int) -> dict[str, Any]:
    """A player's cards as in the position, without the kinds of which there is none."""
    found: dict[str, Any] = GAME.position(states, 0)["players"][seat]
    for zone in ("hand", "display", "discard"):
        found[zone] = {kind: n for kind, n in found[zone].items() if n}
    return found


def phase(states: States) -> str:
    return str(GAME.position(states, 0)["phase"])


def shown(states: States) -> str:
    """The unused dice as a word."""
    return "".join(s * int(n) for s, n in zip("12345a", states["dice"][0], strict=True))
