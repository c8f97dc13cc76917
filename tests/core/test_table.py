"""Choosing among the legal actions of a mask."""

import numpy as np

from dwarrow.envs.core.table import BLOCK, pick


def test_every_legal_action_is_found_by_its_place():
    rng = np.random.default_rng(0)
    for length in (1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 107):
        for share in (0, 0.02, 0.5, 1):
            mask = (rng.random(length) < share).astype(np.int8)
            legal = np.flatnonzero(mask)
            assert [pick(mask, k) for k in range(len(legal))] == legal.tolist()
            assert pick(mask, len(legal)) == -1
