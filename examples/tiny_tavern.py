"""A tavern of Aquilon in miniature: a game of your own on the same core, small enough to solve.

Two lords hold coins worth 0, 2 and 3. In each of two rounds two of the dwarfs 1 to 4 come to the
tavern, each lord bids a coin unseen, and the higher one takes the better dwarf, the other the
rest. Of equal bids the one of the lord with the crown is the higher, and then the crown changes
hands. Who bids the 0 melts the other two coins: the better of them is replaced by one worth their
sum. Coins go back to their lords. Dwarfs and coins are points; more points win.

    from dwarrow import envs
    envs.add_game("tiny_tavern", "tiny_tavern")     # name, and the module that holds its GAME
    envs.single("tiny_tavern")                      # it now has every form that the others have
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from dwarrow import envs
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Floats, Kernels, Mask, States, kernel
from dwarrow.envs.core.observation import Observation
from dwarrow.envs.core.options import Options, option
from dwarrow.envs.core.pack import Pack
from dwarrow.envs.core.record import NONE, Header, Ints, Names, Stream
from dwarrow.envs.core.rng import random_below, shuffle

LORDS, ROUNDS, N_DWARFS, N_COINS = 2, 2, 4, 3


class Phase(IntEnum):
    BID = 0
    OVER = 1


class Coin(IntEnum):
    ZERO = 0
    LOWER = 1
    HIGHER = 2


class Choices:
    players: Annotated[int, np.int16]


class Lord:
    coins: Annotated[Ints, np.int16, N_COINS]  # what each Coin is worth
    bid: Annotated[int, np.int16, Names(Coin)]
    dwarfs: Annotated[int, np.int16]  # points of the dwarfs taken


class State(Header):
    phase: Annotated[int, np.int16, Names(Phase)]
    options: Annotated[Choices, Choices]
    round_played: Annotated[int, np.int16]
    crown: Annotated[int, np.int16]
    dwarfs: Annotated[Ints, np.int16, N_DWARFS]  # the two of each round, the better one first
    lords: Annotated[Any, Lord, LORDS]


@dataclass(frozen=True)
class TavernOptions(Options):
    players: int = option(LORDS, (LORDS,), "lords")


LAYOUT = Observation(
    ("round", (ROUNDS,), "round played, one-hot"),
    ("tavern", (2,), "dwarfs in the tavern, the better one first", 4.0),
    ("crown", (1,), "1 if the observer has the crown"),
    ("coins", (LORDS, N_COINS), "worth of every coin, from the observer on", 8.0),
    ("dwarfs", (LORDS,), "points of dwarfs taken, from the observer on", 7.0),
    ("own_bid", (N_COINS,), "the observer's pending bid, one-hot"),
)
TAVERN, CROWN, COINS, DWARFS, OWN_BID = map(
    LAYOUT.at, ("tavern", "crown", "coins", "dwarfs", "own_bid")
)


@kernel
def bring_dwarfs(s: Any, first_round: int) -> None:
    """Shuffle the dwarfs of `first_round` and later over their rounds, each round's in order."""
    late = s.dwarfs[2 * first_round :]
    late.sort()
    shuffle(s, Stream.DECK, late, len(late))
    for r in range(first_round, ROUNDS):
        if s.dwarfs[2 * r] < s.dwarfs[2 * r + 1]:
            s.dwarfs[2 * r], s.dwarfs[2 * r + 1] = s.dwarfs[2 * r + 1], s.dwarfs[2 * r]


@kernel
def setup(states: States, i: int) -> None:
    s = states[i]
    for k in range(N_DWARFS):
        s.dwarfs[k] = k + 1
    bring_dwarfs(s, 0)
    s.crown = random_below(s, Stream.SETUP, LORDS)
    for p in range(LORDS):
        s.lords[p].coins[Coin.LOWER], s.lords[p].coins[Coin.HIGHER] = 2, 3
        s.lords[p].bid = NONE


@kernel
def legal(states: States, i: int, mask: Mask) -> int:
    mask[:] = 1 - states[i].over
    return 0 if states[i].over else len(mask)


@kernel
def step(states: States, i: int, action: int) -> bool:
    s = states[i]
    s.decision += 1
    s.lords[s.seat].bid = action
    if s.seat + 1 < LORDS:
        s.seat += 1
        return False
    serve(s)
    s.round_played += 1
    s.seat = 0
    if s.round_played == ROUNDS:
        s.over, s.seat, s.phase = 1, NONE, Phase.OVER
    return s.over == 1


@kernel
def serve(s: Any) -> None:
    """Open the bids: dwarfs are taken, zeros melt coins, the crown settles a tie."""
    worth_0, worth_1 = s.lords[0].coins[s.lords[0].bid], s.lords[1].coins[s.lords[1].bid]
    first = s.crown
    if worth_0 == worth_1:
        s.crown = 1 - s.crown
    else:
        first = 0 if worth_0 > worth_1 else 1
    s.lords[first].dwarfs += s.dwarfs[2 * s.round_played]
    s.lords[1 - first].dwarfs += s.dwarfs[2 * s.round_played + 1]
    for p in range(LORDS):
        if s.lords[p].bid == Coin.ZERO:
            s.lords[p].coins[Coin.HIGHER] += s.lords[p].coins[Coin.LOWER]
        s.lords[p].bid = NONE


@kernel
def observe(states: States, i: int, seat: int, out: Floats) -> None:
    s = states[i]
    if s.over == 0:
        out[s.round_played] = 1
        out[TAVERN] = s.dwarfs[2 * s.round_played] / 4
        out[TAVERN + 1] = s.dwarfs[2 * s.round_played + 1] / 4
    out[CROWN] = s.crown == seat
    for k in range(LORDS):
        lord = s.lords[(seat + k) % LORDS]
        for c in range(N_COINS):
            out[COINS + k * N_COINS + c] = lord.coins[c] / 8
        out[DWARFS + k] = lord.dwarfs / 7
    if s.lords[seat].bid != NONE:
        out[OWN_BID + s.lords[seat].bid] = 1


@kernel
def scores(states: States, i: int, out: Floats) -> None:
    for p in range(LORDS):
        out[p] = states[i].lords[p].dwarfs
        for worth in states[i].lords[p].coins:
            out[p] += worth


@kernel
def returns(states: States, i: int, out: Floats) -> None:
    scores(states, i, out)
    lead = out[0] - out[1]
    out[0] = 1.0 if lead > 0 else (-1.0 if lead < 0 else 0.0)
    out[1] = -out[0]


@kernel
def resample(states: States, i: int, seat: int) -> None:
    """Redraw the dwarfs to come and a pending bid of the other lord."""
    s = states[i]
    bring_dwarfs(s, min(s.round_played + 1, ROUNDS))
    if s.lords[1 - seat].bid != NONE:
        s.lords[1 - seat].bid = random_below(s, Stream.SETUP, N_COINS)


@kernel
def seen(states: States, i: int, action: int, actor: int, seat: int) -> int:
    """The bid that completes a round shows both; a first bid only its own lord knows."""
    if actor + 1 == LORDS:
        return 10 + N_COINS * states[i].lords[0].bid + action
    return 1 + action if actor == seat else 0


@kernel
def violations(states: States, i: int) -> int:
    s = states[i]
    bits, kinds = 0, 0
    for value in s.dwarfs:
        kinds |= 1 << value
    if kinds != 0b11110:
        bits |= 1
    taken = 0
    for k in range(2 * s.round_played):
        taken += s.dwarfs[k]
    if s.lords[0].dwarfs + s.lords[1].dwarfs != taken:
        bits |= 2
    return bits


class Violation(IntFlag):
    DWARFS_ARE_NOT_ONE_TO_FOUR = 1
    DWARFS_TAKEN_DO_NOT_ADD_UP = 2


def breakdown(states: States, i: int) -> dict[str, Any]:
    s = states[i]
    lords = [{"dwarfs": int(p["dwarfs"]), "coins": int(p["coins"].sum())} for p in s["lords"]]
    return {"lords": lords, "end_reason": "the tavern is empty" if s["over"] else ""}


def text(states: States, i: int, seat: int | None) -> str:
    s = states[i]
    k = int(s["round_played"])
    lines = [f"round {k + 1}, tavern {s['dwarfs'][2 * k : 2 * k + 2].tolist()}"]
    for p, lord in enumerate(s["lords"]):
        bid = "" if lord["bid"] == NONE else f", bids coin {lord['bid']}"
        lines.append(
            f"lord {p}: coins {lord['coins'].tolist()}, dwarfs {lord['dwarfs']}"
            + (", crown" if s["crown"] == p else "")
            + (bid if seat in (None, p) else "")
        )
    return "\n".join(lines)


GAME = Game(
    name="tiny_tavern",
    title="Tiny Tavern",
    version="1",
    state=State,
    options=TavernOptions,
    kernels=Kernels(setup, legal, step, observe, returns, scores, resample, seen, violations),
    actions=("bid the zero", "bid the lower coin", "bid the higher coin"),
    observation=LAYOUT,
    violation=Violation,
    max_seats=LORDS,
    pack=Pack("tiny_tavern", Path(__file__).parent),
    why=lambda states, i, action: "the tavern is empty.",
    breakdown_of=breakdown,
    text_of=text,
    max_decisions=ROUNDS * LORDS,
    simultaneous_phases=(Phase.BID,),
)

envs.add_game("tiny_tavern", __name__)
