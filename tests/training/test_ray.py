"""Real Ray: a cluster of two nodes on this machine that loses a worker, then a node."""

import gc
import os
import signal
import socket
import subprocess
import sys
import textwrap
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import ray
from toys.errands import Errands, shared_memory
from toys.rollouts import (
    DECISIONS,
    SEARCHING,
    against_others,
    collected,
    content,
    games_counted,
    kill,
    league,
    network,
    resident,
    started,
)

from dwarrow.agents.neural.weights import save_weights
from dwarrow.benchmarks.arena.play import Arena
from dwarrow.benchmarks.arena.play import run as play_arena
from dwarrow.envs import game
from dwarrow.training.algorithms import train
from dwarrow.training.config import PPOConfig
from dwarrow.training.crew import Crew, Recipe, contact
from dwarrow.training.crew import cluster as clusters
from dwarrow.training.crew.cluster import RayBackend
from dwarrow.training.ppo import resumed
from dwarrow.training.scholar import EXPERT

pytestmark = [
    pytest.mark.limit(150),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning"),
]


def test_an_address_without_a_cluster_is_named_in_time_with_what_to_do_instead(monkeypatch):
    begun = time.monotonic()
    with pytest.raises(
        ValueError, match=r"--address 127.0.0.1:9: no Ray cluster there .*processes"
    ):
        RayBackend(1, "127.0.0.1:9")
    with pytest.raises(ValueError, match="give auto or HOST:PORT"):
        RayBackend(1, "ray://127.0.0.1:10001")
    monkeypatch.setattr(clusters, "CONNECT", 4.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(ValueError, match=f"--address {address}: no Ray cluster there"):
            RayBackend(1, address)
    assert time.monotonic() - begun < 20


def test_ray_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ValueError, match=r"pip install 'dwarrow\[ray\]', or .*processes"):
        RayBackend(2)


@pytest.fixture(scope="module")
def cluster():
    from ray.cluster_utils import Cluster

    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")  # a busy machine is slow
    arguments = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 10**8}
    found = Cluster(initialize_head=True, head_node_args=arguments)
    found.spare = found.add_node(num_cpus=1, object_store_memory=10**8)
    yield found
    found.shutdown()


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Move to a folder of which the nodes know nothing: paths from here are none to them."""
    monkeypatch.chdir(tmp_path)
    return Path("pool")


def test_too_small_a_cluster_is_named(cluster):
    with pytest.raises(ValueError, match="--workers 5: the Ray cluster has 2 cores"):
        RayBackend(5, cluster.address)


def test_an_arena_on_two_nodes_has_the_rows_of_one_process(cluster, elsewhere):
    toy = game("goofspiel")
    elsewhere.mkdir()
    save_weights(elsewhere / "a.safetensors", network(1), toy)
    specs = ("rule", "mcts:sims=20", f"ppo:{elsewhere / 'a.safetensors'}")
    arena = Arena("goofspiel", specs, players=2, games=20)
    play_arena(arena, Path("alone.csv"), "test")
    on_ray = replace(arena, executor="ray", workers=2, address=cluster.address)
    play_arena(on_ray, Path("ray.csv"), "test")
    assert Path("ray.csv").read_bytes() == Path("alone.csv").read_bytes()
    assert Path("alone.csv").read_bytes().count(b"\n") > 100


def test_arrays_come_and_go_on_both_nodes(cluster):
    recipes = [Recipe.of(Errands, f"worker {k}") for k in range(2)]
    with Crew(RayBackend(2, cluster.address), recipes, say=lambda line: None) as crew:
        assert len(set(crew.backend.nodes().values())) == 2
        for n in (100, 10**6, 10**5, 10**6, 3):
            for worker in range(2):
                crew.ask(worker, "double", np.arange(n) + worker)
            for worker, doubled in crew.answers():
                assert np.array_equal(doubled, 2 * (np.arange(n) + worker))
        del doubled
        for worker in range(2):
            crew.ask(worker, "fail")
            with pytest.raises(LookupError, match="no such errand"):
                list(crew.answers())


def test_who_does_not_begin_or_falls_silent_is_replaced(cluster, monkeypatch, tmp_path):
    # three workers on two cores: the third cannot begin, another needs no core of its own
    patience = contact.START
    monkeypatch.setattr(contact, "START", 2.0)

    def say(line: str) -> None:
        monkeypatch.setattr(contact, "START", patience)

    recipes = [Recipe.of(Errands, f"worker {k}") for k in range(3)]
    with Crew(RayBackend(2, cluster.address), recipes, say=say) as crew:
        crew.ask(2, "add", 3)
        assert list(crew.answers()) == [(2, ("worker 2", 3))]
        assert crew.incidents == [
            "worker 2 was lost (its actor did not begin within 2 s); another takes its place"
        ]
        monkeypatch.setattr(contact, "SILENCE", 5.0)
        here = ray.get_runtime_context().get_node_id()
        near = next(w for w, node in crew.backend.nodes().items() if node == here)
        crew.ask(near, "stop_once", str(tmp_path / "mark"))
        assert list(crew.answers()) == [(near, "alive")]
        assert "(no sign of life for 5 s)" in crew.incidents[1]


def test_memory_is_flat_over_300_collects(cluster, elsewhere):
    before = shared_memory()
    executor = started("ray", 2, address=cluster.address)
    against = league(elsewhere)
    try:

        def use(n: int) -> list[float]:
            for k in range(n):
                executor.publish(network(k % 2))
                executor.collect(against, 200)
            gc.collect()
            pids = executor.backend.process_ids().values()
            return [stored(), resident("self"), *map(resident, map(str, pids))]

        early = use(100)
        late = use(200)
        assert len(set(executor.backend.nodes().values())) == 2
    finally:
        executor.close()
    # megabytes; a chunk of each collect that stayed would be ten times that
    assert all(b - a < 2 for a, b in zip(early, late, strict=True)), (early, late)
    assert shared_memory() == before


def stored() -> float:
    """Return the megabytes that lie in the object stores of all nodes."""
    from ray._private.internal_api import node_stats

    total = 0
    for node in ray.nodes():
        if node["Alive"]:
            found = node_stats(node["NodeManagerAddress"], node["NodeManagerPort"], False)
            total += found.store_stats.object_store_bytes_used
    return total / 2**20


def test_runs_resume_to_the_bit_on_ray(cluster, tmp_path):
    small = PPOConfig(
        "goofspiel",
        players=(2,),
        tables=64,
        batch=600,
        minibatch=200,
        hidden=32,
        evaluate=(),
        evaluate_games=0,
        tensorboard=False,
        iterations=4,
        executor="threads",
        workers=2,
    )
    whole = train(small, tmp_path / "whole")
    on_ray = replace(small, executor="ray", address=cluster.address)
    cut = train(on_ray, tmp_path / "cut", stop_after=2)
    train(resumed(cut), cut, resume=True)
    assert weights(cut) == weights(whole)


def weights(run: Path) -> dict[str, bytes]:
    from safetensors.numpy import load_file

    return {
        f"{path.name}:{name}": array.tobytes()
        for path in sorted((run / "checkpoints" / "000004").glob("*.safetensors"))
        for name, array in load_file(path).items()
    }


def test_a_cluster_loses_a_worker_then_a_node_and_nothing_is_lost_or_counted_twice(
    cluster, elsewhere
):
    mixed = league(elsewhere).joined_by(EXPERT, 0.2)
    threads = started("threads", 2, SEARCHING)
    wanted = collected(threads, mixed, 6)
    threads.close()
    assert against_others(wanted) == {"rule", "past-000000", EXPERT}

    executor = started("ray", 2, SEARCHING, address=cluster.address, deadline=60.0)
    try:
        found = collected(executor, mixed, 2)
        nodes = executor.backend.nodes()
        assert len(set(nodes.values())) == 2  # one each
        (stays,) = (worker for worker, node in nodes.items() if node != cluster.spare.node_id)
        kill(executor.backend.process_ids()[stays])
        found += collected(executor, mixed, 1, first=2)
        (line,) = executor.incidents
        assert f"worker {stays} was lost" in line

        for name in (EXPERT, "learner"):
            executor.publish(network(3), name)
        executor._ask(mixed, DECISIONS)  # the node goes while its worker is at work
        cluster.remove_node(cluster.spare)
        found.append(content(executor.collect(mixed, DECISIONS)))
        found += collected(executor, mixed, 2, first=4)
        assert len(executor.incidents) >= 2
        assert len(set(executor.backend.nodes().values())) == 1
    finally:
        executor.close()
    assert found == wanted
    numbers = games_counted(found)
    assert len(numbers) == len(set(numbers)) > 300


SCRIPT = """
    import sys
    sys.path.insert(0, sys.argv[1])
    from toys.errands import Errands
    from dwarrow.training.crew import Crew, Recipe, backend_for

    if __name__ == "__main__":
        with Crew(backend_for("ray", 1), [Recipe.of(Errands, "worker")]) as crew:
            print(*crew.backend.process_ids().values(), flush=True)
            crew.ask(0, "sleep", 60)
            list(crew.answers())
"""


def test_ctrl_c_leaves_no_worker_behind(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(SCRIPT))
    process = subprocess.Popen(
        [sys.executable, str(script), str(Path(__file__).parents[1])],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        (pid,) = map(int, process.stdout.readline().split())
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert "KeyboardInterrupt" in errors
    deadline = time.monotonic() + 30
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not Path(f"/proc/{pid}").exists()
