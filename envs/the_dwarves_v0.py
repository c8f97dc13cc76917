"""The Dwarves for PettingZoo: ``the_dwarves_v0.env(players=3)``; see `core.module.Module`."""

from dwarrow.envs.core.module import Module

_module = Module("the_dwarves", version=0)
env, raw_env, parallel_env = _module.env, _module.raw_env, _module.parallel_env
