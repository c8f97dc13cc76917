import faulthandler
import signal
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

# Whoever starts the tests in the background hands on that Ctrl-C is ignored; programs under test,
# which are sent one, would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # Rule tests are small enough for plain Python; other tests ask for it with the marker.
    for item in items:
        if Path(item.path).name.startswith("test_rules"):
            item.add_marker(pytest.mark.nojit)


@contextmanager
def limited(item: pytest.Item) -> Iterator[None]:
    """Fail a test with the marker `limit` that waits for something which never comes."""
    marker = item.get_closest_marker("limit")
    if marker is None or not hasattr(signal, "SIGALRM"):
        yield
        return
    (seconds,) = marker.args

    def give_up(number: int, frame: object) -> None:
        raise TimeoutError(f"{item.name}: not done after {seconds} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds, 30)
    faulthandler.dump_traceback_later(seconds + 60, exit=True)  # not even that helped
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    with limited(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    with limited(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, None, None]:
    with limited(item):
        return (yield)
