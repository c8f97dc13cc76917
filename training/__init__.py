"""How agents learn: rollout workers, PPO, opponents, checkpoints."""
