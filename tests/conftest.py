import signal
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
