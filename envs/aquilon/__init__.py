"""Dwarves of Aquilon: hidden bids at three taverns, five Orders to collect, 2 to 5 lords."""

from __future__ import annotations

from dwarrow.envs.aquilon.actions import ACTIONS, UPGRADE
from dwarrow.envs.aquilon.cards import PACK
from dwarrow.envs.aquilon.completing import complete
from dwarrow.envs.aquilon.layout import MAX_SEATS, PURSE, AquilonOptions, Phase, State
from dwarrow.envs.aquilon.observe import OBSERVATION, observe, resample, seen
from dwarrow.envs.aquilon.picture import svg
from dwarrow.envs.aquilon.render import breakdown, text, why
from dwarrow.envs.aquilon.rules.turn import legal, step
from dwarrow.envs.aquilon.scoring import returns, scores
from dwarrow.envs.aquilon.setup import setup
from dwarrow.envs.aquilon.soundness import Violation, violations
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Kernels

GAME = Game(
    name="aquilon",
    title="Dwarves of Aquilon",
    version="1",
    state=State,
    options=AquilonOptions,
    kernels=Kernels(setup, legal, step, observe, returns, scores, resample, seen, violations),
    actions=ACTIONS,
    observation=OBSERVATION,
    violation=Violation,
    max_seats=MAX_SEATS,
    pack=PACK,
    why=why,
    breakdown_of=breakdown,
    text_of=text,
    svg_of=svg,
    complete=complete,
    # 90 cards taken, 30 bids, Svara's card; each with an upgrade or an exchange; 22 recruits, each
    # with at most one choice more; 24 discards; Ordo
    max_decisions=300,
    simultaneous_phases=(Phase.BID,),
    veiled=dict.fromkeys((UPGRADE + PURSE, UPGRADE + PURSE + 1), "upgrade purse"),
)
