"""Dwarves of Aquilon for PettingZoo: ``aquilon_v0.env(players=3)``; see `core.module.Module`."""

from dwarrow.envs.core.module import Module

_module = Module("aquilon", version=0)
env, raw_env, parallel_env = _module.env, _module.raw_env, _module.parallel_env
