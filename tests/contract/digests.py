"""Play games of one name and print the digest after every decision: `python digests.py NAME ...`.

Run in processes with other hash seeds, or without compilation, and compared.
"""

import sys

from contract.cases import policy

from dwarrow.envs import game


def digests(name: str, players: int, seed: int, limit: int) -> list[str]:
    g = game(name)
    states = g.new(1, seed=seed, players=players)
    lines = [g.digest(states, 0)]
    while not g.is_over(states, 0) and len(lines) < limit:
        decision = int(states["decision"][0])
        g.kernels.step(states, 0, policy(g.legal(states, 0), seed, decision))
        lines.append(g.digest(states, 0))
    return lines


if __name__ == "__main__":
    for counted in sys.argv[3:]:
        print(*digests(sys.argv[1], int(counted), 77, int(sys.argv[2])))
