"""The Dwarves: The Duel, for two players."""

from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Kernels
from dwarrow.envs.the_duel.actions import NAMES
from dwarrow.envs.the_duel.cards import PACK
from dwarrow.envs.the_duel.checks import Violation, complete, violations
from dwarrow.envs.the_duel.layout import MAX_DECISIONS, N_SEATS, DuelOptions, State
from dwarrow.envs.the_duel.observe import LAYOUT, observe, resample, seen
from dwarrow.envs.the_duel.picture import svg
from dwarrow.envs.the_duel.render import breakdown, text, why
from dwarrow.envs.the_duel.rules import legal, step
from dwarrow.envs.the_duel.scoring import returns, scores
from dwarrow.envs.the_duel.setup import setup

GAME = Game(
    name="the_duel",
    title="The Dwarves: The Duel",
    version="1",
    state=State,
    options=DuelOptions,
    kernels=Kernels(setup, legal, step, observe, returns, scores, resample, seen, violations),
    actions=NAMES,
    observation=LAYOUT,
    violation=Violation,
    max_seats=N_SEATS,
    pack=PACK,
    why=why,
    breakdown_of=breakdown,
    text_of=text,
    svg_of=svg,
    complete=complete,
    max_decisions=MAX_DECISIONS,
)
