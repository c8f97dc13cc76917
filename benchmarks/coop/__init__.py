"""Win rates of cooperative games by level of difficulty, heroes and team."""
