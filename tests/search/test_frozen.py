import json

import pytest
from search.freeze import FILE, visits

FROZEN = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("key", FROZEN)
def test_visit_counts_are_as_frozen(key: str):
    name, players, spec = key.split("; ")
    assert visits(name, int(players), spec) == FROZEN[key]
