"""The Dwarves: Book 1 with the Elfar and Combined Might expansions, 1 to 6 heroes together."""

from __future__ import annotations

from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Kernels
from dwarrow.envs.the_dwarves.actions import ACTION_NAMES
from dwarrow.envs.the_dwarves.cards import PACK
from dwarrow.envs.the_dwarves.layout import MAX_DECISIONS, MAX_SEATS, DwarvesOptions, State
from dwarrow.envs.the_dwarves.observe import LAYOUT, observe, resample, seen
from dwarrow.envs.the_dwarves.picture import svg
from dwarrow.envs.the_dwarves.positions import complete
from dwarrow.envs.the_dwarves.render import breakdown, text, why
from dwarrow.envs.the_dwarves.rules.engine import step
from dwarrow.envs.the_dwarves.rules.legal import legal
from dwarrow.envs.the_dwarves.scoring import Violation, returns, scores, violations
from dwarrow.envs.the_dwarves.setup import setup

GAME = Game(
    name="the_dwarves",
    title="The Dwarves",
    version="3",
    state=State,
    options=DwarvesOptions,
    kernels=Kernels(setup, legal, step, observe, returns, scores, resample, seen, violations),
    actions=ACTION_NAMES,
    observation=LAYOUT,
    violation=Violation,
    max_seats=MAX_SEATS,
    pack=PACK,
    why=why,
    breakdown_of=breakdown,
    text_of=text,
    svg_of=svg,
    complete=complete,
    max_decisions=MAX_DECISIONS,
    cooperative=True,
)
