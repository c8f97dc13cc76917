"""Executors: the same chunks wherever workers live, whoever is lost; memory; resuming."""

import gc
import shutil
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file
from toys.errands import shared_memory
from toys.rollouts import (
    DECISIONS,
    JOB,
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

from dwarrow.benchmarks.arena.play import Arena
from dwarrow.benchmarks.arena.play import run as play_arena
from dwarrow.training.algorithms import train
from dwarrow.training.config import PPOConfig
from dwarrow.training.crew import Commons
from dwarrow.training.crew.segment import Segment
from dwarrow.training.executors import Executor, WorkerSettings, split
from dwarrow.training.executors.host import Desk, RolloutHost
from dwarrow.training.matchmaking import League
from dwarrow.training.ppo import Training, resumed
from dwarrow.training.rollout import RolloutWorker, WorkerJob
from dwarrow.training.scholar import EXPERT
from dwarrow.training.trajectory import END, OPEN, Chunk


@pytest.fixture(scope="module")
def against(tmp_path_factory) -> League:
    return league(tmp_path_factory.mktemp("pool"))


@pytest.fixture
def executor(request):
    """Start executors that are closed whatever happens; nothing of theirs is left behind."""
    running: list[Executor] = []
    before = shared_memory()

    def start(kind: str, workers: int, job: WorkerJob = JOB, **more) -> Executor:
        running.append(started(kind, workers, job, **more))
        return running[-1]

    yield start
    for one in running:
        one.close()
        one.close()
    assert shared_memory() == before


def test_games_and_tables_are_shared_out():
    jobs = split(replace(JOB, tables=33, decisions=100), 2)
    assert [(job.first, job.stride) for job in jobs] == [(0, 2), (1, 2)]
    assert [(job.tables, job.decisions) for job in jobs] == [(17, 50)] * 2
    assert split(JOB, 1) == [JOB]


@pytest.mark.parametrize("workers", [2, 3, 4])
def test_the_players_at_a_table_are_mixed_alike_for_every_number_of_workers(against, workers):
    def sizes(job: WorkerJob, decisions: int) -> dict[int, int]:
        worker = RolloutWorker(job)
        worker.set_weights(network(0))
        return {e.number: len(e.owners) for e in worker.collect(against, decisions).episodes}

    job = replace(JOB, decisions=4000)
    alone = sizes(job, 4000)
    for part in split(job, workers):
        found = sizes(part, 1000)
        assert len(found) > 100
        assert 0.3 < sum(size == 2 for size in found.values()) / len(found) < 0.7
        shared = found.keys() & alone.keys()
        assert len(shared) > 100
        assert {k: found[k] for k in shared} == {k: alone[k] for k in shared}


def test_all_executors_collect_the_same_and_a_lost_worker_changes_nothing(executor, against):
    alone = collected(executor("serial", 1), against, 5)
    assert against_others(alone) == {"rule", "past-000000"}
    assert collected(executor("processes", 1), against, 5) == alone

    two = collected(executor("threads", 2), against, 5)
    processes = executor("processes", 2)
    found = collected(processes, against, 2)
    pids = processes.backend.process_ids()
    kill(pids[0])  # while it has nothing to do
    found += collected(processes, against, 1, first=2)
    processes.publish(network(3))
    threading.Timer(0.01, kill, [pids[1]]).start()  # while it plays, or just after
    found.append(content(processes.collect(against, DECISIONS)))
    found += collected(processes, against, 1, first=4)
    assert found == two
    assert len(processes.incidents) == 2
    assert all("was ended by SIGKILL" in line for line in processes.incidents)
    numbers = games_counted(found)
    assert len(numbers) == len(set(numbers)) > 500
    assert {number % 2 for number in numbers} == {0, 1}


def test_a_learner_that_searches_finds_the_same_everywhere(executor, against):
    mixed = against.joined_by(EXPERT, 0.3)
    two = collected(executor("threads", 2, SEARCHING), mixed, 3)
    assert EXPERT in against_others(two)
    processes = executor("processes", 2, SEARCHING)
    found = collected(processes, mixed, 2)
    kill(processes.backend.process_ids()[0])
    assert found + collected(processes, mixed, 1, first=2) == two


def test_a_joined_chunk_links_every_seat_to_its_own_next_decision(executor, against):
    threads = executor("threads", 3)
    for k in range(2):
        threads.publish(network(k))
        chunk = threads.collect(against, DECISIONS)
    linked = np.flatnonzero(chunk.next_index >= 0)
    assert len(linked) > DECISIONS / 2
    assert (chunk.next_index[linked] > linked).all()
    assert len(set(chunk.next_index[linked])) == len(linked)
    learned = chunk.next_index != OPEN
    assert DECISIONS - 3 * 11 * 3 < learned.sum() < DECISIONS + 33 * 4
    # what seats were paid is what the learner's seats got in the games that ended
    ended = sum(
        utility
        for episode in chunk.episodes
        for owner, utility in zip(episode.owners, episode.utilities, strict=True)
        if owner == "learner"
    )
    assert chunk.reward[chunk.next_index == END].sum() == pytest.approx(ended, abs=1e-3)
    assert set(chunk.seconds) >= {"env", "infer"}


def test_a_replacement_leaves_the_memory_alone_that_the_lost_may_still_write_to(against):
    commons = Commons(Chunk.size(JOB.room, *JOB.widths))
    commons.memory[:] = 7
    desk = Desk(commons, 4, 0, JOB.room, 0)
    weights = {"learner": {k: v.numpy() for k, v in network(0).state_dict().items()}}
    host, another = RolloutHost(JOB), RolloutHost(JOB)
    another.shun(4)
    found = another.collect(weights, None, against, 100, desk)
    assert len(found.chunk) == found.n > 100
    assert (commons.memory == 7).all()
    there = host.collect(weights, None, against, 100, desk)
    assert (len(there.chunk), there.n) == (0, found.n)
    rows = desk.rows(JOB).rows(slice(0, found.n))
    assert content(there.chunk.holding(rows.arrays())) == content(found.chunk)
    later = Desk(commons, 5, 0, JOB.room, 0)
    assert len(another.collect(weights, None, against, 100, later).chunk) == 0


def test_a_thread_that_was_given_up_no_longer_reaches_the_chunk(executor, against, monkeypatch):
    wanted = collected(executor("threads", 2), against, 1)
    collect, wake, late = RolloutHost.collect, threading.Event(), []

    def oversleeping(host: RolloutHost, *request):
        if host.job.first == 0 and not late:
            late.append(request[-1])
            wake.wait()
        return collect(host, *request)

    monkeypatch.setattr(RolloutHost, "collect", oversleeping)
    threads = executor("threads", 2, deadline=3.0)
    threads.publish(network(0))
    chunk = threads.collect(against, DECISIONS)
    assert any("no answer for 3 s" in line for line in threads.incidents)
    for array in late[0].rows(split(JOB, 2)[0]).arrays().values():
        array[:] = 7  # what it may write when it wakes
    assert content(chunk) == wanted[0]
    wake.set()


def test_without_shared_memory_chunks_come_with_the_answers(executor, against, monkeypatch):
    two = collected(executor("threads", 2), against, 2)
    monkeypatch.setattr(Segment, "grow", lambda self, size, spare=0.0: False)
    assert collected(executor("processes", 2), against, 2) == two


def test_overlap_plays_by_the_weights_before(executor, against):
    lagging = executor("threads", 2, overlap=True)
    found = collected(lagging, against, 4)
    plain = executor("threads", 2)
    wanted = []
    for k in (0, 0, 1, 2):  # chunk k + 1 is asked for when chunk k is handed over
        plain.publish(network(k))
        wanted.append(content(plain.collect(against, DECISIONS)))
    assert found == wanted


def test_workers_go_on_from_a_state_wherever_they_live(executor, against):
    whole = collected(executor("threads", 2), against, 4)
    begun = executor("threads", 2)
    begin = collected(begun, against, 2)
    specs = dict(zip(against.names, against.specs, strict=True))
    fresh = executor("processes", 2)
    fresh.restore(begun.states(), specs)
    kill(fresh.backend.process_ids()[1])  # it is put back to the restored state
    assert begin + collected(fresh, against, 2, first=2) == whole
    with pytest.raises(ValueError, match=r"games of 2 workers, not 1: go on with --workers 2"):
        executor("threads", 1).restore(begun.states(), specs)


def test_memory_is_flat_over_300_collects(executor, against):
    processes = executor("processes", 1)
    processes.publish(network(0))

    def use(n: int) -> tuple[float, float]:
        for _ in range(n):
            processes.collect(against, 200)
        gc.collect()
        (pid,) = processes.backend.process_ids().values()
        return resident("self"), resident(str(pid))

    before = use(100)
    after = use(200)
    # megabytes; a chunk that stayed would be ten times that
    assert all(late - early < 2 for early, late in zip(before, after, strict=True))


# Runs


SMALL = {
    "players": (2,),
    "tables": 64,
    "batch": 600,
    "minibatch": 200,
    "hidden": 32,
    "evaluate": (),
    "evaluate_games": 0,
    "tensorboard": False,
}


def config(**more) -> PPOConfig:
    return PPOConfig("goofspiel", **{**SMALL, "iterations": 6, **more})


def weights(run: Path, iteration: int = 6) -> dict[str, bytes]:
    return tensors(run / "checkpoints" / f"{iteration:06d}")


def tensors(folder: Path) -> dict[str, bytes]:
    return {
        f"{path.name}:{name}": array.tobytes()
        for path in sorted(folder.glob("*.safetensors"))
        for name, array in load_file(path).items()
    }


def test_runs_resume_to_the_bit_with_every_executor_and_between_them(tmp_path):
    alone = train(config(), tmp_path / "alone")
    cut = train(config(executor="processes", workers=1), tmp_path / "cut", stop_after=3)
    train(resumed(cut), cut, resume=True)
    assert weights(cut) == weights(alone)

    two = train(config(executor="threads", workers=2), tmp_path / "two")
    cut = train(config(executor="processes", workers=2), tmp_path / "cut2", stop_after=3)
    other = tmp_path / "other"
    shutil.copytree(cut, other)
    train(resumed(cut), cut, resume=True)
    train(replace(resumed(other), executor="threads"), other, resume=True)
    assert weights(cut) == weights(other) == weights(two)
    assert len([name for name in weights(two) if name.endswith(":owner")]) == 2
    pools = [tensors(run / "pool") for run in (cut, other, two)]
    assert pools[0] == pools[1] == pools[2]


def test_a_run_goes_on_without_a_killed_worker_and_says_so(tmp_path, capsys):
    two = train(config(executor="threads", workers=2), tmp_path / "two")
    run = tmp_path / "run"
    training = Training(config(executor="processes", workers=2), run, resume=False)
    for k in range(6):
        if k == 3:
            kill(training.executor.backend.process_ids()[1])
        training.iterate()
    training.checkpoint()
    training.close()
    assert weights(run) == weights(two)
    assert "worker 1 was lost (process" in capsys.readouterr().err
    (line,) = (run / "workers.log").read_text().splitlines()
    assert "worker 1 was lost (process" in line


def test_ctrl_c_ends_a_run_with_processes_and_it_can_go_on(tmp_path):
    before = shared_memory()
    run = tmp_path / "run"

    def press() -> None:
        while not (run / "metrics.jsonl").is_file() or not (run / "metrics.jsonl").stat().st_size:
            time.sleep(0.05)
        signal.raise_signal(signal.SIGINT)

    thread = threading.Thread(target=press, daemon=True)
    thread.start()
    train(config(executor="processes", workers=2, overlap=True, iterations=10**6), run)
    thread.join()
    done = int((run / "checkpoints" / "latest").read_text())
    assert done > 0
    assert shared_memory() == before
    train(resumed(run, iterations=done + 2), run, resume=True)
    assert int((run / "checkpoints" / "latest").read_text()) == done + 2


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"executor": "serial", "workers": 2}, "--workers 2 with --executor serial"),
        ({"workers": 0}, "--workers 0: at least 1"),
        ({"address": "auto", "executor": "threads"}, "--address auto with --executor threads"),
        ({"overlap": True}, "--overlap with --executor serial"),
        ({"deadline": 0.0}, "--deadline 0.0: more than 0"),
        ({"deadline": float("nan")}, "--deadline nan"),
    ],
)
def test_contradictory_settings_are_named(more, said):
    with pytest.raises(ValueError, match=said):
        config(**more)


def test_settings_say_where_a_run_plays():
    assert (config().executor, config().workers) == ("serial", 1)
    assert (config(workers=3).executor, config(workers=3).workers) == ("processes", 3)
    assert WorkerSettings().executor is None


# Arenas


def test_an_arena_has_the_same_rows_with_every_executor(tmp_path):
    arena = Arena("goofspiel", ("rule", "mcts:sims=20", "random"), players=3, games=30)
    files: dict[str, bytes] = {}

    def play(name: str, **more) -> None:
        play_arena(replace(arena, **more), tmp_path / name, "test")
        files[name] = (tmp_path / name).read_bytes()

    play("serial")
    play("threads", executor="threads", workers=2)
    play("processes-1", executor="processes", workers=1)
    play("processes-2", executor="processes", workers=2)
    assert len(set(files.values())) == 1
    assert files["serial"].count(b"\n") > 270
