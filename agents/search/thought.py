"""What a search says: the visit table, and how a choice comes out of it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dwarrow.agents.base import Decision
from dwarrow.agents.search.plan import Selection, Settings
from dwarrow.agents.search.selection import visit_policy
from dwarrow.agents.search.tree import RootRow
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import States


@dataclass(frozen=True)
class Candidate:
    """A row of the visit table.

    Attributes:
        action: its number.
        name: its name in the rulebook's words.
        visits: simulations that began with it.
        value: mean utility of the searching seat over these, in [-1, 1].
        availability: simulations in which it was legal.
        share: probability with which the search would play it.
    """

    action: int
    name: str
    visits: int
    value: float
    availability: int
    share: float


@dataclass(frozen=True)
class Thought:
    """What a search thinks of a decision.

    Attributes:
        seat: the seat to move.
        sims: simulations run.
        value: utility that `seat` expects, in [-1, 1].
        candidates: the legal actions that were tried, the most visited first.
    """

    seat: int
    sims: int
    value: float
    candidates: list[Candidate] = field(default_factory=list)

    def __str__(self) -> str:
        """Return the visit table as text."""
        width = max([len(c.name) for c in self.candidates], default=6)
        lines = [f"{'action':<{width}}  visits   value  available   share"]
        lines += [
            f"{c.name:<{width}}  {c.visits:>6}  {c.value:+.3f}  {c.availability:>9}  "
            f"{c.share:>6.1%}"
            for c in self.candidates
        ]
        return "\n".join(
            [*lines, f"seat {self.seat} expects {self.value:+.3f} after {self.sims} simulations"]
        )


def thought_of(
    game: Game,
    plan: States,
    settings: object,
    phase: int,
    seat: int,
    sims: int,
    table: list[RootRow],
) -> Thought:
    """Put a root's edges, the most visited first, into words and probabilities.

    Where regret matching chose at the root, its average strategy is what the search would play;
    after a race its winner; else the most visited action is, or a draw by visits if there is a
    temperature. The first simulation with a network only opens the root: after it alone, what the
    network says stands for the visits.
    """
    visits = np.array([row.visits for row in table], np.float64)
    rules = plan[0]
    if rules["selection"] == Selection.RACE:
        share = np.array([row.strategy for row in table])
    elif rules["selection"] == Selection.REGRET and int(rules["simultaneous"]) >> phase & 1:
        share = np.array([row.strategy for row in table])
        share /= share.sum()
    else:
        weights = visits if visits.any() else np.array([row.prior for row in table])
        share = visit_policy(
            weights, settings.temperature if isinstance(settings, Settings) else 0.0
        )
    value = float(sum(row.visits * row.value for row in table) / max(visits.sum(), 1))
    candidates = [
        Candidate(
            row.action, game.actions[row.action], row.visits, row.value, row.available, float(p)
        )
        for row, p in zip(table, share, strict=True)
    ]
    return Thought(seat, sims, value, candidates)


def without_search(game: Game, seat: int, action: int) -> Thought:
    """Return the thought of a seat that need not search: `action` is forced, or left to others."""
    return Thought(seat, 0, 0.0, [Candidate(action, game.actions[action], 0, 0.0, 0, 1.0)])


def record_choice(thought: Thought, luck: float, decision: Decision, k: int) -> None:
    """Write what a thought comes to into row `k` of a decision; `luck` in [0, 1) draws it."""
    assert decision.logp is not None
    assert decision.value is not None
    assert decision.policy is not None
    shares = np.array([c.share for c in thought.candidates])
    chosen = min(int(np.searchsorted(np.cumsum(shares), luck, "right")), len(shares) - 1)
    decision.action[k] = thought.candidates[chosen].action
    decision.logp[k] = np.log(max(shares[chosen], 1e-30))
    decision.value[k] = thought.value
    visits = sum(c.visits for c in thought.candidates)
    for c in thought.candidates:
        decision.policy[k, c.action] = c.visits / visits if visits else c.share


def empty_decision(n: int, n_actions: int) -> Decision:
    """Allocate a decision for `n` rows with all its parts."""
    return Decision(
        np.zeros(n, np.int64),
        np.zeros(n, np.float32),
        np.zeros(n, np.float32),
        np.zeros((n, n_actions), np.float32),
    )
