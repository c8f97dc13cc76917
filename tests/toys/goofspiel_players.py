"""Players of the toy: `greedy` bids its highest coin, `rule` the coin worth the prize."""

from toys.goofspiel import GAME, N_CARDS

from dwarrow.agents.players import Players, Words, register
from dwarrow.envs.core.kernels import Mask, States, kernel


@kernel
def greedy(states: States, i: int, mask: Mask, word: Words) -> int:
    best = 0
    for k in range(N_CARDS):
        if mask[k]:
            best = k
    return best


@kernel
def rule(states: States, i: int, mask: Mask, word: Words) -> int:
    s = states[i]
    wanted = s.deck[s.turn] - 1
    best = -1
    for k in range(N_CARDS):
        if mask[k] and (best < 0 or abs(k - wanted) < abs(best - wanted)):
            best = k
    return best


register(GAME.dtype, Players(greedy, rule))
