import pytest
from contract.cases import CASES, GAMES, REAL_GAMES, TOY

from dwarrow.envs import game


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test over what its arguments name: `case`, `any_game` or `real_game`.

    The toy is small enough to be run without compilation too.
    """
    if "case" in metafunc.fixturenames:
        cases = [pytest.param(c, id=f"{c[0]}-{c[1]}", marks=marks_of(c[0])) for c in CASES]
        metafunc.parametrize("case", cases)
    if "any_game" in metafunc.fixturenames:
        metafunc.parametrize("any_game", [pytest.param(n, marks=marks_of(n)) for n in GAMES])
    if "real_game" in metafunc.fixturenames:
        metafunc.parametrize("real_game", REAL_GAMES)


def marks_of(name: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.nojit] if name == TOY else []


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
