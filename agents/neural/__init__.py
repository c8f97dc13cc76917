"""Agents that choose by a network: `network`, its `masked` numerics, `weights` files, the agent."""
