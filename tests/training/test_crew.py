"""Crews: requests and answers, workers that are lost and replaced, what is left behind."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest
from toys.errands import Errands, shared_memory

from dwarrow.training.crew import Crew, Recipe, backend_for, settle
from dwarrow.training.crew.crew import Lost
from dwarrow.training.crew.inline import InlineBackend
from dwarrow.training.crew.processes import ProcessBackend
from dwarrow.training.crew.segment import Segment

HERE = Path(__file__).parent


def crew(kind: str, n: int = 2, **more) -> Crew:
    recipes = [Recipe.of(Errands, f"worker {k}") for k in range(n)]
    return Crew(backend_for(kind, n), recipes, **{"say": lambda line: None, **more})


def ask(crew: Crew, worker: int, method: str, *arguments):
    crew.ask(worker, method, *arguments)
    ((found, answer),) = crew.answers()
    assert found == worker
    return answer


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("kind", ["serial", "threads", "processes"])
def test_each_worker_has_an_object_of_its_own_and_items_come_back_in_order(kind):
    before = shared_memory()
    with crew(kind) as found:
        for total in (1, 3):
            for worker in range(2):
                found.ask(worker, "add", total - worker)
            answers = dict(found.answers())
        assert answers == {0: ("worker 0", 4), 1: ("worker 1", 2)}
        assert list(found.map("square", range(50))) == [x * x for x in range(50)]
        assert list(found.map("square", [])) == []
        with pytest.raises(LookupError, match="no such errand"):
            ask(found, 0, "fail")
        big = np.arange(100_000.0).reshape(100, 1000)
        for array in (big, big[:10], big.T, np.zeros((0, 4), np.int8)):
            doubled = ask(found, 1, "double", array)
            assert doubled.dtype == array.dtype
            assert np.array_equal(doubled, 2 * array)
        del doubled
    found.close()
    assert shared_memory() == before
    assert found.incidents == []


def test_processes_are_others_and_end_with_the_crew(tmp_path):
    said = []

    def revive(worker):
        return [("put", (100,))]

    mark = str(tmp_path / "mark")
    with crew("processes", say=said.append, revive=revive) as found:
        first = [ask(found, worker, "pid") for worker in range(2)]
        assert len({os.getpid(), *first}) == 3
        # one dies with a request in hand, which is made again by a revived one
        assert ask(found, 0, "die_once", mark) == "alive"
        assert ask(found, 0, "add", 1) == ("worker 0", 101)
        assert ask(found, 1, "add", 1) == ("worker 1", 1)
        # one dies with nothing to do
        os.kill(first[1], signal.SIGKILL)
        assert ask(found, 1, "add", 1) == ("worker 1", 101)
        pids = [ask(found, worker, "pid") for worker in range(2)]
        assert not {first[0], first[1]} & set(pids)
        with pytest.raises(ChildProcessError, match="worker 0 was lost 3 times at the same work"):
            ask(found, 0, "die")
    assert not any(is_running(pid) for pid in [*first, *pids])
    assert said == found.incidents
    assert len(said) == 4
    assert f"worker 0 was lost (process {first[0]} was ended by SIGKILL" in said[0]


def test_who_is_silent_or_too_slow_is_replaced(tmp_path):
    recipes = [Recipe.of(Errands, "slow")]
    with Crew(ProcessBackend(silence=10), recipes, say=lambda line: None) as found:
        assert ask(found, 0, "stop_once", str(tmp_path / "mark")) == "alive"
        assert any("no sign of life for 10 s" in line for line in found.incidents)
        found.deadline = 1.0
        with pytest.raises(ChildProcessError, match=r"3 times .* no answer for 1 s"):
            ask(found, 0, "sleep", 60)
    assert any("worker 0 was lost (no answer for 1 s)" in line for line in found.incidents)


class Plagued(InlineBackend):
    """Loses worker 1 so many times while another has work: idle, or with what revives it."""

    def __init__(self, times: int, in_hand: bool) -> None:
        super().__init__()
        self.left, self.in_hand = times, in_hand

    def wait(self, seconds: float):
        if self.left and (1 not in self._requests or self.in_hand):
            self.left -= 1
            self.stop(1)
            return [Lost(1, "out of memory")]
        return super().wait(seconds)

    def submit(self, worker: int, method: str, arguments) -> None:
        super().submit(worker, method, arguments)
        self._requests = dict(sorted(self._requests.items(), reverse=True))


def plagued(times: int, in_hand: bool, revive=lambda worker: [("put", (5,))]) -> Crew:
    recipes = [Recipe.of(Errands, f"worker {k}") for k in range(2)]
    return Crew(Plagued(times, in_hand), recipes, say=lambda line: None, revive=revive)


def test_a_worker_that_cannot_be_revived_is_not_begun_for_ever():
    with (
        plagued(100, in_hand=True) as found,
        pytest.raises(ChildProcessError, match=r"worker 1 was lost 3 times .* out of memory"),
    ):
        ask(found, 0, "add", 1)
    with (
        plagued(100, in_hand=True, revive=lambda worker: []) as found,
        pytest.raises(ChildProcessError, match="worker 1 was lost 3 times"),
    ):
        ask(found, 0, "add", 1)


def test_a_worker_that_was_revived_may_be_lost_again():
    with plagued(7, in_hand=False) as found:
        assert ask(found, 0, "add", 1) == ("worker 0", 1)
        assert len(found.incidents) == 7
        assert ask(found, 1, "add", 1) == ("worker 1", 6)


def test_without_enough_shared_memory_arrays_go_through_the_pipe(monkeypatch):
    monkeypatch.setattr(Segment, "grow", lambda self, size, spare=0.0: False)
    with crew("processes", 1) as found:
        array = np.arange(300_000.0)
        assert np.array_equal(ask(found, 0, "double", array), 2 * array)


SCRIPT = """
    import os, sys
    sys.path.insert(0, sys.argv[1])
    import numpy as np
    from toys.errands import Errands
    from dwarrow.training.crew import Crew, Recipe, backend_for

    def main():
        recipes = [Recipe.of(Errands, "worker")] * 2
        with Crew(backend_for("processes", 2), recipes) as crew:
            for worker in range(2):
                crew.ask(worker, "double", np.ones(100_000))
            len(list(crew.answers()))
            for worker in range(2):
                crew.ask(worker, "sleep", 60)
            print(*crew.backend.process_ids().values(), flush=True)
            list(crew.answers())

    if __name__ == "__main__":
        main()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_behind_by_ctrl_c_or_a_killed_learner(tmp_path, number):
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(SCRIPT))
    process = subprocess.Popen(
        [sys.executable, str(script), str(HERE.parent)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    pids = [int(word) for word in process.stdout.readline().split()]
    assert len(pids) == 2
    assert shared_memory(process.pid)
    # a terminal sends Ctrl-C to all of the group, the workers too
    (os.killpg if number == signal.SIGINT else os.kill)(process.pid, number)
    _, errors = process.communicate(timeout=30)
    assert ("KeyboardInterrupt" in errors) == (number == signal.SIGINT)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and (
        any(map(is_running, pids)) or shared_memory(process.pid)
    ):
        time.sleep(0.1)
    assert not any(map(is_running, pids))
    assert not shared_memory(process.pid)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ((None, None, None), ("serial", 1)),
        ((None, 1, None), ("serial", 1)),
        (("serial", None, None), ("serial", 1)),
        ((None, 3, None), ("processes", 3)),
        (("processes", 1, None), ("processes", 1)),
        (("threads", 2, None), ("threads", 2)),
        ((None, 2, "auto"), ("ray", 2)),
    ],
)
def test_what_is_left_open_is_filled_in(given, meant):
    assert settle(*given) == meant


def test_the_default_is_a_worker_for_every_core():
    assert settle("processes", None, None) == ("processes", len(os.sched_getaffinity(0)))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("serial", 2, None), "--workers 2 with --executor serial: one worker plays there"),
        (("processes", 0, None), "--workers 0: at least 1"),
        (("processes", 2, "auto"), "--address auto with --executor processes: only ray has"),
        (("serial", None, "here:6379"), "--address here:6379 with --executor serial"),
    ],
)
def test_contradictions_are_named(given, said):
    with pytest.raises(ValueError, match=said):
        settle(*given)
