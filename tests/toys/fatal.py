"""An agent that costs its worker the life."""

import os
import signal

from dwarrow.agents.base import Kind, register_kind


class Fatal:
    ranked = True

    def __init__(self, spec):
        self.spec = spec

    def act(self, game, states, rows, words):
        os.kill(os.getpid(), signal.SIGKILL)


register_kind(Kind("fatal", lambda game, spec, options: Fatal(spec.text)))
