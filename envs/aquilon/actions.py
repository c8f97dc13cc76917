"""Action numbers and their names; the only place that knows the numbering.

from  to   action
  0   59   bid A B C: hand coins A, B, C (counted from 0, lowest first) to taverns 0, 1, 2
 60   64   take K: the card in slot K of the tavern
 65   67   discard K: two lords, second tavern
 68   72   pick K: of the five cards that Svara looks at
 73   94   recruit NAME
 95   99   place in COLUMN: a mercenary or Ga'at
100  104   upgrade PLACE: tavern 0, 1, 2, purse 0, 1
105  106   give up K: first or second of two coins of equal value
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from dwarrow.envs.aquilon.cards import COGNARS, N_ORDERS, N_RECRUITS, ORDERS
from dwarrow.envs.aquilon.layout import (
    N_PLACES,
    N_SLOTS,
    N_SLOTS_TWO_LORDS,
    N_TAVERNS,
    PURSE,
    SVARA_LOOKS_AT,
)

_BIDS = list(permutations(range(N_PLACES), N_TAVERNS))
N_BIDS = len(_BIDS)
BID = 0
TAKE = BID + N_BIDS
DISCARD = TAKE + N_SLOTS
PICK = DISCARD + N_SLOTS_TWO_LORDS
RECRUIT = PICK + SVARA_LOOKS_AT
PLACE = RECRUIT + N_RECRUITS
UPGRADE = PLACE + N_ORDERS
GIVE_UP = UPGRADE + N_PLACES
N_ACTIONS = GIVE_UP + 2

_PLACES = (*(f"tavern {k}" for k in range(N_TAVERNS)), "purse 0", "purse 1")

ACTIONS = (
    *(f"bid {a} {b} {c}" for a, b, c in _BIDS),
    *(f"take {k}" for k in range(N_SLOTS)),
    *(f"discard {k}" for k in range(N_SLOTS_TWO_LORDS)),
    *(f"pick {k}" for k in range(SVARA_LOOKS_AT)),
    *(f"recruit {name}" for name in COGNARS[:N_RECRUITS]),
    *(f"place in {column}" for column in ORDERS),
    *(f"upgrade {place}" for place in _PLACES),
    *(f"give up {k}" for k in range(2)),
)

# Row k: the hand coin that bid k puts at each place; the purse takes the rest, rising.
BID_COINS = np.array(
    [(*bid, *(c for c in range(N_PLACES) if c not in bid)) for bid in _BIDS], dtype=np.int16
)
BID_COINS.setflags(write=False)


def _bid_swaps() -> np.ndarray:
    """Return for every bid the place with which each place but the last swaps coins, in turn."""
    swaps = np.zeros((N_BIDS, N_PLACES - 1), dtype=np.int16)
    for bid, coins in enumerate(BID_COINS.tolist()):
        lying = list(range(N_PLACES))
        for place in range(N_PLACES - 1):
            other = lying.index(coins[place])
            lying[place], lying[other] = lying[other], lying[place]
            swaps[bid, place] = other
    swaps.setflags(write=False)
    return swaps


BID_SWAPS = _bid_swaps()
"""How a hand becomes a bid without a copy of it."""


def _canonical_bids() -> tuple[np.ndarray, np.ndarray]:
    """Return for every set of alike neighbours in hand which bids are legal, and how many.

    Bit j of the index: hand coins j and j + 1 are the same coin. Of bids that lay the same coins
    only the one that lays the earlier hand coin in the earlier tavern is legal.
    """
    masks = np.ones((1 << (N_PLACES - 1), N_BIDS), dtype=np.int8)
    for alike in range(len(masks)):
        for k, bid in enumerate(_BIDS):
            where = [bid.index(c) if c in bid else PURSE for c in range(N_PLACES)]
            for j in range(N_PLACES - 1):
                if alike >> j & 1 and where[j] > where[j + 1]:
                    masks[alike, k] = 0
    counts = masks.sum(axis=1).astype(np.int16)
    for array in (masks, counts):
        array.setflags(write=False)
    return masks, counts


CANONICAL_BIDS, N_CANONICAL_BIDS = _canonical_bids()
