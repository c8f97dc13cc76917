from dataclasses import dataclass

import pytest

from dwarrow.envs.core.options import Options, option


@dataclass(frozen=True)
class Toy(Options):
    players: int = option(2, range(2, 5), "seats")
    level: str = option("calm", ("calm", "wild"), "how hard")
    flag: bool = option(False, (False, True), "a ruling")
    heroes: tuple[str, ...] = option((), None, "checked elsewhere")


def test_options_are_parsed_and_written_back():
    chosen = Toy.parse({"players": 3, "heroes": ["a", "b"]})
    assert chosen == Toy(players=3, heroes=("a", "b"))
    assert Toy.parse(chosen.to_dict()) == chosen
    assert chosen.to_dict()["heroes"] == ["a", "b"]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"players": 5}, r"option players=5: allowed are \[2, 3, 4\]"),
        ({"players": 2.0}, "option players=2.0"),
        ({"players": True}, "option players=True"),
        ({"flag": 2}, r"option flag=2: allowed are \[False, True\]"),
        ({"level": "mild"}, r"option level='mild': allowed are \['calm', 'wild'\]"),
        ({"colour": 1}, r"unknown option 'colour': known are \['players', 'level', 'flag'"),
    ],
)
def test_bad_options_are_named_with_what_is_allowed(values, said):
    with pytest.raises(ValueError, match=said):
        Toy.parse(values)


def test_options_are_read_as_typed():
    typed = ["players=3", "level=WILD", "flag=true", "heroes=tungdil+boindil"]
    assert Toy.read(typed) == {
        "players": 3,
        "level": "wild",
        "flag": True,
        "heroes": ("tungdil", "boindil"),
    }


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        (["players"], r"option 'players': write name=value; known are \['players'"),
        (["colour=1"], "unknown option 'colour': known are"),
        (["level="], "option 'level=': write name=value"),
        (["level=calm", "level=wild"], "option level is given twice"),
        (["level=mild"], r"option level='mild': allowed are \['calm', 'wild'\]"),
    ],
)
def test_what_cannot_be_read_is_named(pairs, said):
    with pytest.raises(ValueError, match=said):
        Toy.read(pairs)
