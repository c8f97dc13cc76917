"""Where a crew works: what ``--executor``, ``--workers`` and ``--address`` mean together."""

from __future__ import annotations

import os
from typing import Literal

from dwarrow.training.crew.crew import Backend

ExecutorName = Literal["serial", "threads", "processes", "ray"]


def settle(
    executor: ExecutorName | None, workers: int | None, address: str | None
) -> tuple[ExecutorName, int]:
    """Return where workers run and how many there are, if some of it was left open.

    Raises:
        ValueError: options that contradict one another.
    """
    if workers is not None and workers < 1:
        raise ValueError(f"--workers {workers}: at least 1")
    if executor is None:
        executor = "ray" if address else "processes" if (workers or 1) > 1 else "serial"
    if executor == "serial" and (workers or 1) > 1:
        raise ValueError(
            f"--workers {workers} with --executor serial: one worker plays there, by turns with "
            "everything else; choose threads, processes or ray"
        )
    if address is not None and executor != "ray":
        raise ValueError(
            f"--address {address} with --executor {executor}: only ray has a cluster to connect to"
        )
    return executor, workers or (1 if executor == "serial" else cores())


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def backend_for(executor: ExecutorName, workers: int, address: str | None = None) -> Backend:
    """Return the backend of a crew.

    Raises:
        ValueError: Ray is not installed, or has no cluster there.
    """
    if executor == "serial":
        from dwarrow.training.crew.inline import InlineBackend

        return InlineBackend()
    if executor == "threads":
        from dwarrow.training.crew.threads import ThreadBackend

        return ThreadBackend()
    if executor == "processes":
        from dwarrow.training.crew.processes import ProcessBackend

        return ProcessBackend()
    from dwarrow.training.crew.cluster import RayBackend

    return RayBackend(workers, address)
