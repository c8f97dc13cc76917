"""Arena: a round robin of agents, every deal played with seats rotated."""
