"""Enter the games in the registries of Gymnasium and PettingZoo: importing this module does it.

``gymnasium.make("dwarrow/Aquilon-v0")`` and ``gymnasium.make_vec``, and, from PettingZoo 1.27 on,
``pettingzoo.make("aec", "dwarrow/aquilon-v0")`` and ``"parallel"``. Without an import before,
``gymnasium.make("dwarrow.envs.registration:dwarrow/Aquilon-v0")`` finds it too.
"""

from __future__ import annotations

import gymnasium
import pettingzoo

from dwarrow.envs import games

VERSION = 0
"""Version of the environments: it rises when an observation, action or reward changes."""


def gymnasium_id(game: str) -> str:
    """Return the Gymnasium id of a game, ``dwarrow/TheDuel-v0``."""
    name = "".join(word.capitalize() for word in game.split("_"))
    return f"dwarrow/{name}-v{VERSION}"


def pettingzoo_id(game: str) -> str:
    """Return the PettingZoo id of a game, ``dwarrow/the_duel-v0``."""
    return f"dwarrow/{game}-v{VERSION}"


def register() -> None:
    """Enter every game that is not in the registries yet."""
    for game in games():
        if gymnasium_id(game) not in gymnasium.registry:
            gymnasium.register(
                gymnasium_id(game),
                entry_point="dwarrow.envs:single",
                vector_entry_point="dwarrow.envs:vector",
                kwargs={"name": game},
                disable_env_checker=True,  # it would be run on every reset and step
                order_enforce=False,
            )
        if hasattr(pettingzoo, "aec_registry"):
            _register_pettingzoo(game)


def _register_pettingzoo(game: str) -> None:
    name, module = pettingzoo_id(game), f"dwarrow.envs.{game}_v{VERSION}"
    if name not in pettingzoo.aec_registry:
        pettingzoo.register("aec", name, f"{module}:env")
    if name not in pettingzoo.parallel_registry:
        pettingzoo.register("parallel", name, f"{module}:parallel_env")


register()
