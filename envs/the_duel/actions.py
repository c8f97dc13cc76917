"""The numbering of actions.

| from | action | asked in |
|---|---|---|
| 0 | ``play K`` for each of the 20 kinds | cards; Twists also in extra_dice, dice, answer, window |
| 20 | ``draw 1`` ... | supply |
| 23 | ``roll``, ``keep``, ``pass``, ``end turn`` | extra_dice; dice; answer and window; cards |
| 27 | ``re-roll 1`` ... ``re-roll axe`` | dice |
| 33 | ``number 1`` ... ``number 5``, ``number wild`` | number, rest |
| 39 | ``axes 0`` ... ``axes 4`` | axes |
| 44 | ``jokers 0`` ... ``jokers 3`` | jokers |
| 48 | ``strike with 1`` ... ``strike with joker`` | cards |
| 55 | ``fetch with 1`` ... ``fetch with joker`` | cards (the Joker Ally) |
| 62 | ``hit draw_pile``, ``hit K`` for the 12 kinds with life | target |
| 75 | ``remove K`` for the 15 kinds of a display | remove |
"""

from __future__ import annotations

from dwarrow.envs.the_duel.cards import (
    KINDS,
    MOST_DICE_OF_A_COST,
    N_KINDS,
    N_LASTING,
)
from dwarrow.envs.the_duel.layout import (
    MOST_DRAWN,
    N_DIE_KINDS,
    N_FACES,
    N_JOKER_CARDS,
    N_TARGETS,
    PAY_NUMBERS,
    TARGETS,
)

PLAY = 0
DRAW = PLAY + N_KINDS  # DRAW + n - 1 draws n
ROLL = DRAW + MOST_DRAWN
KEEP = ROLL + 1
PASS = KEEP + 1
END_TURN = PASS + 1
RE_ROLL = END_TURN + 1
NUMBER = RE_ROLL + N_FACES
AXES = NUMBER + len(PAY_NUMBERS)
JOKERS = AXES + MOST_DICE_OF_A_COST + 1
STRIKE = JOKERS + N_JOKER_CARDS + 1
FETCH = STRIKE + N_DIE_KINDS
HIT = FETCH + N_DIE_KINDS
REMOVE = HIT + N_TARGETS
N_ACTIONS = REMOVE + N_LASTING

DICE_NAMES = ("1", "2", "3", "4", "5", "axe", "joker")

NAMES: tuple[str, ...] = (
    *(f"play {kind}" for kind in KINDS),
    *(f"draw {n}" for n in range(1, MOST_DRAWN + 1)),
    "roll",
    "keep",
    "pass",
    "end turn",
    *(f"re-roll {die}" for die in DICE_NAMES[:N_FACES]),
    *(f"number {number}" for number in PAY_NUMBERS),
    *(f"axes {n}" for n in range(MOST_DICE_OF_A_COST + 1)),
    *(f"jokers {n}" for n in range(N_JOKER_CARDS + 1)),
    *(f"strike with {die}" for die in DICE_NAMES),
    *(f"fetch with {die}" for die in DICE_NAMES),
    *(f"hit {target}" for target in TARGETS),
    *(f"remove {kind}" for kind in KINDS[:N_LASTING]),
)
