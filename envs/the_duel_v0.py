"""The Dwarves: The Duel for PettingZoo: ``the_duel_v0.env()``; see `core.module.Module`."""

from dwarrow.envs.core.module import Module

_module = Module("the_duel", version=0)
env, raw_env, parallel_env = _module.env, _module.raw_env, _module.parallel_env
