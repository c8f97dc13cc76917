"""Workers as Ray actors, on one machine or many: ``pip install dwarrow[ray]``.

Only Ray's actors and object store are used. Actors on other nodes find weights in the store and
leave chunks there, and their signs of life are Ray's own affair. Those on this node are spoken to
over a pipe, as processes are, which takes a fraction of the time.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from multiprocessing import connection
from typing import Any

from dwarrow.training.crew.actor import Greeting, Host, NodeCommons
from dwarrow.training.crew.commons import Commons
from dwarrow.training.crew.contact import START, Contact, Shared
from dwarrow.training.crew.crew import Done, Failed, Lost, Recipe
from dwarrow.training.crew.line import BEAT

KNOCK = 4.0
"""Seconds for finding anything at an address."""

CONNECT = 15.0
"""Seconds for finding out whether that is a cluster."""

_BY_TURNS = 0.005  # seconds for listening to actors of this node, while others are at work too

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
        self._hosts: dict[int, Contact] = {}
        self._begun: set[int] = set()
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
        self._hosts[worker] = Contact(worker, actor)
        self._begun.add(worker)

    def submit(self, worker: int, method: str, arguments: tuple[Any, ...]) -> None:
        """Ask an actor; one that has not begun is asked when it has."""
        self._hosts[worker].ask(method, arguments)

    def wait(self, seconds: float) -> Sequence[Done | Failed | Lost]:
        """Return what has come in."""
        until = time.monotonic() + seconds
        while True:
            begun = time.monotonic()
            heard = self._listen(max(0.0, until - begun))
            listened = min(time.monotonic() - begun, 2 * BEAT)
            found = []
            for worker, host in list(self._hosts.items()):
                answer = self._answer(worker, host, worker in heard, listened)
                if isinstance(answer, Lost):
                    self.stop(worker)
                if answer is not None:
                    found.append(answer)
            if found or time.monotonic() >= until:
                return found

    def _listen(self, seconds: float) -> set[int]:
        """Return whose pipe or reference has something, as soon as one has."""
        pipes = {host.line.pipe: w for w, host in self._hosts.items() if host.line and host.due}
        references = {host.reference: w for w, host in self._hosts.items() if host.reference}
        ready: list[Any] = []
        if pipes:
            alone = not references
            ready += connection.wait(list(pipes), seconds if alone else min(seconds, _BY_TURNS))
            seconds = 0.0
        if references:
            ready += self.ray.wait(list(references), num_returns=1, timeout=seconds)[0]
        return {(pipes | references)[one] for one in ready}

    def _answer(
        self, worker: int, host: Contact, heard: bool, listened: float
    ) -> Done | Failed | Lost | None:
        """Return what has come from an actor, or that it is lost; None if nothing has."""
        errors = self.ray.exceptions
        try:
            return host.receive() if heard else host.missed(listened)
        except errors.RayTaskError as error:
            cause = error.cause if isinstance(error.cause, BaseException) else error
            return Failed(worker, cause)
        except errors.RayError as error:
            return Lost(worker, _in_short(error))

    def share(self, value: Any) -> Any:
        """Put a value into the object store once some actor elsewhere is to have it."""
        return Shared(value)

    def commons(self, size: int) -> Commons:
        """Return shared memory of this machine, which actors of this node see."""
        return NodeCommons(size)

    def stop(self, worker: int) -> None:
        """Kill an actor."""
        host = self._hosts.pop(worker, None)
        if host is not None:
            host.end()

    def close(self) -> None:
        """Kill the actors; leave the cluster, or end the Ray that was started here."""
        for worker in list(self._hosts):
            self.stop(worker)
        if self._ours and self.ray.is_initialized():
            self.ray.shutdown()

    def process_ids(self) -> dict[int, int]:
        """Return the id of each worker's process, on its own machine."""
        return {worker: greeting.pid for worker, greeting in self._greetings().items()}

    def nodes(self) -> dict[int, str]:
        """Return the node on which each worker lives."""
        return {worker: greeting.node for worker, greeting in self._greetings().items()}

    def _greetings(self) -> dict[int, Greeting]:
        """Wait until all actors have begun.

        Raises:
            TimeoutError: they do not.
        """
        for host in self._hosts.values():
            if host.greeting is None:
                host.meet(START)
        return {worker: host.greeting for worker, host in self._hosts.items() if host.greeting}

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
        _knock(address)
        _probe(address)
        self.ray.init(address=address, **quiet)

    def _check_size(self, workers: int) -> None:
        there = int(self.ray.cluster_resources().get("CPU", 0))
        if there < workers:
            self.close()
            raise ValueError(f"--workers {workers}: the Ray cluster has {there} cores")


def _knock(address: str) -> None:
    """See whether anything listens at an address that is written out.

    Raises:
        ValueError: nothing does.
    """
    host, colon, port = address.rpartition(":")
    if not (colon and port.isdigit()):
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), KNOCK).close()
    except (OSError, OverflowError) as error:
        raise _no_cluster(address, error) from None


def _no_cluster(address: str, why: object) -> ValueError:
    return ValueError(
        f"--address {address}: no Ray cluster there ({why}); start one with "
        f"`ray start --head`, leave --address out to use this machine, {FALLBACK}"
    )


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
        raise _no_cluster(address, why) from None


def _in_short(error: BaseException) -> str:
    """Return the first line that says something."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0] if lines else 'no reason given'}"
