"""Dwar7s Fall: kings lay tiles, send dwarfs to work, and hire ogres, for goals and a kingdom."""

from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Kernels
from dwarrow.envs.dwar7s_fall.actions import ACTIONS
from dwarrow.envs.dwar7s_fall.cards import PACK
from dwarrow.envs.dwar7s_fall.checks import Violation, violations
from dwarrow.envs.dwar7s_fall.complete import complete
from dwarrow.envs.dwar7s_fall.layout import MAX_CAP, MAX_SEATS, FallOptions, State
from dwarrow.envs.dwar7s_fall.observe import LAYOUT, observe, seen
from dwarrow.envs.dwar7s_fall.picture import svg
from dwarrow.envs.dwar7s_fall.reasons import why
from dwarrow.envs.dwar7s_fall.render import breakdown, text
from dwarrow.envs.dwar7s_fall.resample import resample
from dwarrow.envs.dwar7s_fall.rules.legal import legal
from dwarrow.envs.dwar7s_fall.rules.step import step
from dwarrow.envs.dwar7s_fall.scoring import returns, scores
from dwarrow.envs.dwar7s_fall.setup import setup

# 4 actions of 3 choices, 13 ogre cards of 4, 3 tasks of 2, a reveal, two passes, at most 22 cards
# to discard; with reveal_interrupt 3 kings are asked after each of 20 steps, and the victims.
MAX_CHOICES_IN_A_TURN = 180

GAME = Game(
    name="dwar7s_fall",
    title="Dwar7s Fall",
    version="1",
    state=State,
    options=FallOptions,
    kernels=Kernels(setup, legal, step, observe, returns, scores, resample, seen, violations),
    actions=ACTIONS,
    observation=LAYOUT,
    violation=Violation,
    max_seats=MAX_SEATS,
    pack=PACK,
    why=why,
    breakdown_of=breakdown,
    text_of=text,
    svg_of=svg,
    complete=complete,
    max_decisions=MAX_CHOICES_IN_A_TURN * MAX_CAP * MAX_SEATS,
)
