"""Play a few games with the deck that DWARROW_PACK_THE_DUEL names; run by `test_cards.py`."""

import numpy as np

from dwarrow import envs
from dwarrow.envs.the_duel.cards import COPIES, Kind
from dwarrow.envs.the_duel.layout import Phase

game = envs.game("the_duel")
chance = np.random.default_rng(0)
paid_to_rest = 0
for seed in range(3):
    states = game.new(1, seed=seed)
    while not game.is_over(states, 0):
        action = int(chance.choice(game.legal(states, 0)))
        game.kernels.step(states, 0, action)
        broken = game.violated(states, 0)
        assert not broken, broken
        paid_to_rest += bool(
            states["card"][0] == Kind.SHORT_REST and states["phase"][0] == Phase.NUMBER
        )
print(game.pack.name, COPIES[Kind.THROWING_AXE], game.n_actions, paid_to_rest > 0)
