"""Things that choose actions: random, rules of thumb, search, networks.

``make("greedy", game)`` makes one; ``kinds()`` lists what there is.
"""

from dwarrow.agents.base import (
    Agent,
    AgentSpec,
    Decision,
    Kind,
    kinds,
    make,
    register_kind,
    words,
)

__all__ = ["Agent", "AgentSpec", "Decision", "Kind", "kinds", "make", "register_kind", "words"]
