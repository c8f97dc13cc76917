"""An agent that costs its worker the life."""

import os
import signal

import numpy as np

from dwarrow.agents.base import Decision, Kind, register_kind


class Fatal:
    ranked = True

    def __init__(self, spec):
        self.spec = spec

    def act(self, game, states, rows, words):
        if len(rows) > 1:  # it survives being tried out
            os.kill(os.getpid(), signal.SIGKILL)
        return Decision(np.array([game.legal(states, int(row))[0] for row in rows]))


register_kind(Kind("fatal", lambda game, spec, options: Fatal(spec.text)))
