import pytest
from contract.cases import CASES, GAMES, REAL_GAMES

from dwarrow.envs import game


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test over what its arguments name: `case`, `any_game` or `real_game`."""
    if "case" in metafunc.fixturenames:
        ids = [f"{name}-{players}" for name, players in CASES]
        metafunc.parametrize("case", CASES, ids=ids)
    if "any_game" in metafunc.fixturenames:
        metafunc.parametrize("any_game", GAMES)
    if "real_game" in metafunc.fixturenames:
        metafunc.parametrize("real_game", REAL_GAMES)


@pytest.fixture
def g(request: pytest.FixtureRequest):
    """The game of this case."""
    names = request.fixturenames
    if "case" in names:
        return game(request.getfixturevalue("case")[0])
    return game(request.getfixturevalue("any_game" if "any_game" in names else "real_game"))


@pytest.fixture
def players(case: tuple[str, int]) -> int:
    return case[1]
