"""Workers as Ray actors, on one machine or many: ``pip install dwarrow[ray]``.

Only Ray's actors and object store are used. Actors on other nodes find weights in the store and
leave chunks there; with those on this node, arrays are exchanged through shared memory, which takes
a fraction of the time. Signs of life are Ray's own affair.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from dwarrow.training.crew.actor import Greeting, Host, NodeCommons, Parcelled, node
from dwarrow.training.crew.commons import Commons
from dwarrow.training.crew.crew import Done, Failed, Lost, Recipe
from dwarrow.training.crew.segment import Parcel, Segment, unpack

KNOCK = 4.0
"""Seconds for finding anything at an address."""

CONNECT = 15.0
"""Seconds for finding out whether that is a cluster."""

START = 300.0
"""An actor that has not begun for so long, while its answer is waited for, is lost."""

PATIENCE = 60.0
"""Seconds for fetching an answer that is ready."""

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
        self._hosts: dict[int, _Host] = {}
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
        self._hosts[worker] = _Host(actor)
        self._begun.add(worker)

    def submit(self, worker: int, method: str, arguments: tuple[Any, ...]) -> None:
        """Call an actor."""
        host = self._hosts[worker]
        self._meet([host])
        self._requests[host.send(method, arguments)] = worker

    def wait(self, seconds: float) -> Sequence[Done | Failed | Lost]:
        """Return what has come in."""
        begun = time.monotonic()
        waiting = list(self._requests)
        ready, _ = self.ray.wait(waiting, num_returns=1, timeout=seconds)
        if ready:
            ready, _ = self.ray.wait(waiting, num_returns=len(waiting), timeout=0)
        self._meet(self._hosts.values())
        found = [self._answer(reference) for reference in ready]
        listened = min(time.monotonic() - begun, 2 * seconds)
        return found + self._not_begun(listened)

    def _answer(self, reference: Any) -> Done | Failed | Lost:
        worker = self._requests.pop(reference)
        errors = self.ray.exceptions
        try:
            return Done(worker, self._hosts[worker].open(self.ray.get(reference, timeout=PATIENCE)))
        except errors.RayTaskError as error:
            cause = error.cause if isinstance(error.cause, BaseException) else error
            return Failed(worker, cause)
        except errors.RayError as error:
            self.stop(worker)
            return Lost(worker, _in_short(error))

    def _meet(self, hosts: Iterable[_Host]) -> None:
        """Note which actors have begun, and where."""
        strangers = {host.hello: host for host in hosts if host.greeting is None}
        if not strangers:
            return
        ready, _ = self.ray.wait(list(strangers), num_returns=len(strangers), timeout=0)
        for hello in ready:
            with suppress(self.ray.exceptions.RayError):  # its request will tell
                strangers[hello].greeting = self.ray.get(hello, timeout=PATIENCE)

    def _not_begun(self, listened: float) -> list[Lost]:
        """Count the time for which actors were waited for; return those that took too long."""
        late = []
        for worker in set(self._requests.values()):
            host = self._hosts[worker]
            if host.greeting is None:
                host.waited += listened
                if host.waited > START:
                    self.stop(worker)
                    late.append(Lost(worker, f"its actor did not begin within {START:g} s"))
        return late

    def share(self, value: Any) -> Any:
        """Put a value into the object store once some actor elsewhere is to have it."""
        return _Shared(value)

    def commons(self, size: int) -> Commons:
        """Return shared memory of this machine, which actors of this node see."""
        return NodeCommons(size)

    def stop(self, worker: int) -> None:
        """Kill an actor."""
        host = self._hosts.pop(worker, None)
        if host is not None:
            host.end()
        self._requests = {ref: other for ref, other in self._requests.items() if other != worker}

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
                host.greeting = self.ray.get(host.hello, timeout=START)
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


class _Shared:
    """A value for several workers."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self._reference: Any = None

    def reference(self) -> Any:
        """Put it into the object store, if it is not there yet."""
        if self._reference is None:
            import ray

            self._reference = ray.put(self.value)
        return self._reference


class _Host:
    """This side of an actor.

    Attributes:
        greeting: what it said of itself; None: nothing yet.
        waited: seconds that were spent waiting for that.
    """

    def __init__(self, actor: Any) -> None:
        self.actor = actor
        self.requests, self.answers = Segment(), Segment()
        self.requests.grow(1)
        self.hello = actor.hello.remote(node(), self.requests.name)
        self.greeting: Greeting | None = None
        self.waited = 0.0
        self._room = 0  # that the latest answer needs

    def send(self, method: str, arguments: tuple[Any, ...]) -> Any:
        """Send a request; return the reference of its answer."""
        if self.greeting is None or not self.greeting.near:
            given = [a.reference() if isinstance(a, _Shared) else a for a in arguments]
            return self.actor.call.remote(method, *given)
        if self._room:
            self.answers.grow(self._room)
        request = method, tuple(a.value if isinstance(a, _Shared) else a for a in arguments)
        parcel = Parcel(request)
        if parcel.size and not self.requests.grow(parcel.size):
            parcel.keep_whole(request)
        layout = parcel.pack(self.requests.buffer)
        return self.actor.call_near.remote(self.requests.name, self.answers.name, layout)

    def open(self, answer: Any) -> Any:
        """Return what an answer says; its arrays are valid until the next request."""
        if not isinstance(answer, Parcelled):
            return answer
        self._room = answer.room
        return unpack(answer.layout, self.answers.buffer)

    def end(self) -> None:
        """Kill the actor."""
        import ray

        if ray.is_initialized():
            ray.kill(self.actor)
        self.requests.free()
        self.answers.free()


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
