"""Agents that choose by a network: `network`, its `masked` numerics, `weights` files, the agent.

Importing this sets torch to one thread, unless ``OMP_NUM_THREADS`` says how many: on small networks
two threads are slower than one, many times so, as soon as anything else runs on the machine.
"""

import os

import torch

if "OMP_NUM_THREADS" not in os.environ:
    torch.set_num_threads(1)
