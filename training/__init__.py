"""How agents learn: rollout workers, PPO, expert iteration, opponents, checkpoints."""
