"""Search that plays fair: flat Monte Carlo and multiple-observer information-set MCTS.

Read `mo_ismcts` first, then `tree` and `selection`; `agent` is what plays.
"""

from dwarrow.agents.search.agent import SearchAgent
from dwarrow.agents.search.flat_mc import FlatMC
from dwarrow.agents.search.plan import Budget, Settings
from dwarrow.agents.search.thought import Candidate, Thought

__all__ = ["Budget", "Candidate", "FlatMC", "SearchAgent", "Settings", "Thought"]
