"""Workers as Ray actors, on one machine or many: ``pip install dwarrow[ray]``.

Only Ray's actors and object store are used. Weights are put into the store once and read in place
by every actor; a chunk comes back the same way. Signs of life are Ray's own affair.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from dwarrow.training.crew.crew import Done, Failed, Lost, Recipe
from dwarrow.training.crew.processes import keep_to_one_thread

CONNECT = 15.0
"""Seconds for finding a cluster."""

FALLBACK = "or train on this machine alone, with --executor processes"

_PROBE = """
import os, ray
ray.init(address=os.environ["DWARROW_PROBE"], log_to_driver=False, logging_level="ERROR")
os._exit(0)
"""


class RayBackend:
    """See `crew.Backend`."""

    remote = True

    def __init__(self, workers: int, address: str | None = None) -> None:
        """Connect to the cluster at `address`, or start Ray on this machine for so many workers.

        A Ray that this process is connected to already is used, and left running.

        Raises:
            ValueError: Ray is not installed, there is no cluster, or it is too small.
        """
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is sent anywhere
        os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")  # a busy machine is slow
        try:
            import ray
        except ImportError:
            raise ValueError(
                f"--executor ray: Ray is not installed; pip install 'dwarrow[ray]', {FALLBACK}"
            ) from None
        self.ray: Any = ray
        self._ours = not ray.is_initialized()
        if self._ours:
            self._connect(workers, address)
        self._actors: dict[int, Any] = {}
        self._begun: set[int] = set()
        self._requests: dict[Any, int] = {}  # reference of an answer -> worker
        self._class = ray.remote(Host)
        self._check_size(workers)

    def start(self, worker: int, recipe: Recipe) -> None:
        """Start an actor on a core of its own.

        A replacement reserves none: the core may be gone with its node, of which the cluster does
        not know at once, and the actor would wait for it for ever.
        """
        options = {
            "num_cpus": int(worker not in self._begun),
            "max_restarts": 0,
            "max_task_retries": 0,
        }
        actor = self._class.options(**options, scheduling_strategy="SPREAD").remote(recipe)
        self._actors[worker] = actor
        self._begun.add(worker)

    def submit(self, worker: int, method: str, arguments: tuple[Any, ...]) -> None:
        """Call an actor; references among the arguments become values there."""
        reference = self._actors[worker].call.remote(method, *arguments)
        self._requests[reference] = worker

    def wait(self, seconds: float) -> Sequence[Done | Failed | Lost]:
        """Return what has come in."""
        waiting = list(self._requests)
        ready, _ = self.ray.wait(waiting, num_returns=1, timeout=seconds)
        if ready:
            ready, _ = self.ray.wait(waiting, num_returns=len(waiting), timeout=0)
        return [self._answer(reference) for reference in ready]

    def _answer(self, reference: Any) -> Done | Failed | Lost:
        worker = self._requests.pop(reference)
        errors = self.ray.exceptions
        try:
            return Done(worker, self.ray.get(reference))
        except errors.RayTaskError as error:
            cause = error.cause if isinstance(error.cause, BaseException) else error
            return Failed(worker, cause)
        except errors.RayError as error:
            self.stop(worker)
            return Lost(worker, _in_short(error))

    def share(self, value: Any) -> Any:
        """Put a value into the object store."""
        return self.ray.put(value)

    def stop(self, worker: int) -> None:
        """Kill an actor."""
        actor = self._actors.pop(worker, None)
        if actor is not None:
            self.ray.kill(actor)
        self._requests = {ref: other for ref, other in self._requests.items() if other != worker}

    def close(self) -> None:
        """Kill the actors; leave the cluster, or end the Ray that was started here."""
        if not self.ray.is_initialized():
            return
        for worker in list(self._actors):
            self.stop(worker)
        if self._ours:
            self.ray.shutdown()

    def process_ids(self) -> dict[int, int]:
        """Return the id of each worker's process, on its own machine."""
        pids = {worker: actor.pid.remote() for worker, actor in self._actors.items()}
        return {worker: self.ray.get(pid) for worker, pid in pids.items()}

    def nodes(self) -> dict[int, str]:
        """Return the node on which each worker lives."""
        nodes = {worker: actor.node.remote() for worker, actor in self._actors.items()}
        return {worker: self.ray.get(node) for worker, node in nodes.items()}

    def _connect(self, workers: int, address: str | None) -> None:
        quiet = {"log_to_driver": False, "logging_level": "ERROR"}
        if address is None:
            self.ray.init(address="local", num_cpus=workers, include_dashboard=False, **quiet)
            return
        if "://" in address:
            raise ValueError(
                f"--address {address}: give auto or HOST:PORT of the head node, and run on a "
                "machine of the cluster"
            )
        _probe(address)
        self.ray.init(address=address, **quiet)

    def _check_size(self, workers: int) -> None:
        there = int(self.ray.cluster_resources().get("CPU", 0))
        if there < workers:
            self.close()
            raise ValueError(f"--workers {workers}: the Ray cluster has {there} cores")


class Host:
    """What Ray runs: an actor that holds a worker's object.

    The object is made with the first call, so that what goes wrong there is an error, not a loss.
    """

    def __init__(self, recipe: Recipe) -> None:
        """Note the recipe."""
        self.recipe, self.made = recipe, None

    def call(self, method: str, *arguments: Any) -> Any:
        """Ask the object."""
        if self.made is None:
            self.made = self.recipe.make()
            keep_to_one_thread()
        return getattr(self.made, method)(*arguments)

    def pid(self) -> int:
        """Return the id of the actor's process."""
        return os.getpid()

    def node(self) -> str:
        """Return the id of the actor's node."""
        import ray

        return str(ray.get_runtime_context().get_node_id())


def _probe(address: str) -> None:
    """Connect once in a process of its own, which can be ended if that takes for ever.

    Raises:
        ValueError: there is no cluster.
    """
    environment = {**os.environ, "DWARROW_PROBE": address}
    try:
        subprocess.run(
            [sys.executable, "-c", _PROBE],
            env=environment,
            timeout=CONNECT,
            check=True,
            capture_output=True,
            stdin=subprocess.DEVNULL,
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        if isinstance(error, subprocess.TimeoutExpired):
            why = f"no answer within {CONNECT:g} s"
        else:
            lines = error.stderr.decode(errors="replace").strip().splitlines()
            why = lines[-1] if lines else f"exit status {error.returncode}"
        raise ValueError(
            f"--address {address}: no Ray cluster there ({why}); start one with "
            f"`ray start --head`, leave --address out to use this machine, {FALLBACK}"
        ) from None


def _in_short(error: BaseException) -> str:
    """Return the first line that says something."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0] if lines else 'no reason given'}"
