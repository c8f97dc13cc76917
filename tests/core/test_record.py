from enum import IntEnum
from typing import Annotated, Any

import numpy as np
import pytest

from dwarrow.envs.core.position import encode, overlay
from dwarrow.envs.core.record import (
    NONE,
    Counted,
    Header,
    Ints,
    Keys,
    Names,
    empty,
    fields_of,
    labels,
    record,
)


class Gem(IntEnum):
    RED = 0
    BLUE = 1


class Bag:
    """Three bytes and then a word: there is padding to spell out."""

    gems: Annotated[Ints, np.int16, 2, Keys(Gem)]
    best: Annotated[int, np.int16, Names(Gem)]
    weight: Annotated[int, np.int64]
    worn: Annotated[int, np.int16]


class Chest:
    lid: Annotated[int, np.int16]
    n_bags: Annotated[int, np.int16]
    bags: Annotated[Any, Bag, 3, Counted("n_bags")]
    row: Annotated[Ints, np.int16, 4, Counted("n_row"), Names(Gem)]
    n_row: Annotated[int, np.int16]


def chest() -> np.ndarray:
    states = np.zeros(1, record(Chest))
    states["row"] = NONE
    overlay(
        states[0],
        Chest,
        {"bags": [{"gems": {"red": 3}}, {"best": "blue", "weight": 2**40}], "row": ["red", "blue"]},
    )
    return states


def test_fields_are_what_the_class_declares():
    assert [f.name for f in fields_of(Chest)] == ["lid", "n_bags", "bags", "row", "n_row"]
    assert [f.name for f in fields_of(Header)][:3] == ["rng", "script", "script_end"]
    assert record(Bag)["gems"].shape == (2,)


def test_copies_are_equal_to_the_byte():
    """Also where the memory was dirty: the padding is part of the record."""
    states = chest()
    for _ in range(50):
        dirty = np.full(states.nbytes, 0xAB, np.uint8)
        del dirty
        assert states.copy().tobytes() == states.tobytes()
    other = np.full(states.nbytes, 0xAB, np.uint8).view(states.dtype)
    other[:] = states
    assert other.tobytes() == states.tobytes()
    names = [n for n in record(Bag).names or () if n.startswith("_pad")]
    assert sum(record(Bag)[n].itemsize for n in names) == record(Bag).itemsize - 6 - 8 - 2


def test_padding_is_not_part_of_a_position():
    assert encode(chest()[0], Chest) == {
        "lid": 0,
        "bags": [
            {"gems": {"red": 3, "blue": 0}, "best": "red", "weight": 0, "worn": 0},
            {"gems": {"red": 0, "blue": 0}, "best": "blue", "weight": 2**40, "worn": 0},
        ],
        "row": ["red", "blue"],
    }


def test_a_shorter_list_clears_what_it_leaves_unused():
    states = chest()
    overlay(states[0], Chest, {"row": ["blue"]})
    assert states["row"][0].tolist() == [Gem.BLUE, NONE, NONE, NONE]
    assert states["n_row"][0] == 1


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"hinge": 1}, r"^hinge: unknown; known are \['lid', 'bags', 'row'\]"),
        ({"n_row": 1}, "^n_row: unknown"),
        ({"lid": "open"}, "^lid: expected a whole number, not 'open'"),
        ({"lid": 40_000}, "^lid: 40000 is not within -32768 to 32767"),
        ({"row": ["red"] * 5}, r"^row: expected a list of at most 4"),
        ({"row": ["green"]}, r"^row.0: 'green' is not one of \['red', 'blue'\] or null"),
        ({"bags": [{}, {"gems": {"green": 1}}]}, r"^bags.1.gems.green: unknown; known are"),
        ({"bags": [{"gems": [1]}]}, r"^bags.0.gems: expected 2 entries, not \[1\]"),
        ({"bags": [3]}, r"^bags.0: expected an object, not 3"),
        ({"bags": [{"best": 1}]}, "^bags.0.best: 1 is not one of"),
    ],
)
def test_errors_name_the_path(data, said):
    with pytest.raises(ValueError, match=said):
        overlay(chest()[0], Chest, data)


def test_wrong_declarations_are_refused():
    class NoElement:
        x: int

    class Odd:
        x: Annotated[int, np.int16, "three"]

    class Taken:
        size: Annotated[int, np.int16]

    with pytest.raises(TypeError, match=r"NoElement\.x: Annotated"):
        record(NoElement)
    with pytest.raises(TypeError, match=r"Odd\.x: unknown spec 'three'"):
        record(Odd)
    with pytest.raises(TypeError, match=r"Taken\.size: NumPy scalars have"):
        record(Taken)
    with pytest.raises(TypeError, match="not unique"):
        Names(("a", "a"))
    with pytest.raises(TypeError, match="must count 0, 1, 2"):
        labels(IntEnum("Gap", {"A": 0, "C": 2}))


def test_empty_states_are_zero():
    assert not any(empty(record(Chest), 4).tobytes())
