import json

import pytest
from search.freeze import FILE, visits

FROZEN = json.loads(FILE.read_text(encoding="utf-8"))

# the toy is small enough for plain Python, and both ways must search alike
KEYS = [pytest.param(k, marks=pytest.mark.nojit) if "goofspiel" in k else k for k in FROZEN]


@pytest.mark.parametrize("key", KEYS)
def test_visit_counts_are_as_frozen(key: str):
    name, players, spec = key.split("; ")
    assert visits(name, int(players), spec) == FROZEN[key], (
        "play or search has changed; if that was meant, run tests/search/freeze.py"
    )
