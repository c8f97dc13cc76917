import numpy as np
import pytest
from toys.goofspiel import GAME

from dwarrow.envs.core.record import SCRIPT_SIZE, Stream
from dwarrow.envs.core.rng import (
    draw,
    mix,
    next_word,
    random_below,
    seed_streams,
    shuffle,
    word_below,
)

pytestmark = pytest.mark.nojit
M = 2**64


def splitmix64(counter: int) -> int:
    """The reference, in plain integers."""
    z = counter
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % M
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % M
    return z ^ (z >> 31)


def seeded(seed: int = 1):
    states = GAME.blank(1, GAME.options())
    seed_streams(states[0], seed)
    return states


def test_mix_is_splitmix64():
    for counter in (0, 1, 0x9E3779B97F4A7C15, M - 1):
        assert int(mix(np.uint64(counter))) == splitmix64(counter)
    # published first output for seed 0
    assert int(mix(np.uint64(0x9E3779B97F4A7C15))) == 0xE220A8397B1DCDAF


def test_a_stream_is_a_counter_and_streams_are_apart():
    states = seeded()
    start = [int(w) for w in states["rng"][0]]
    assert len(set(start)) == len(Stream)
    words = [int(next_word(states[0], Stream.DICE)) for _ in range(3)]
    golden = 0x9E3779B97F4A7C15
    assert words == [splitmix64((start[Stream.DICE] + (k + 1) * golden) % M) for k in range(3)]
    assert int(states["rng"][0][Stream.DECK]) == start[Stream.DECK]


def test_numbers_below_n_are_uniform():
    states, word = seeded(), np.zeros(1, np.uint64)
    for draws in (
        [random_below(states[0], Stream.DICE, 6) for _ in range(6000)],
        [word_below(word, 6) for _ in range(6000)],
    ):
        counts = np.bincount(draws, minlength=6)
        chi_square = ((counts - 1000) ** 2 / 1000).sum()
        assert chi_square < 20.5  # 99.9 % for 5 degrees of freedom
        assert len(counts) == 6


def test_a_shuffle_is_a_permutation_of_the_first_n():
    states, cards = seeded(), np.arange(10, dtype=np.int16)
    shuffle(states[0], Stream.DECK, cards, 6)
    assert sorted(cards[:6].tolist()) == list(range(6))
    assert cards[6:].tolist() == [6, 7, 8, 9]


def test_every_order_is_as_likely():
    states, seen = seeded(), {}
    for _ in range(6000):
        cards = np.arange(3, dtype=np.int16)
        shuffle(states[0], Stream.DECK, cards, 3)
        key = tuple(cards.tolist())
        seen[key] = seen.get(key, 0) + 1
    assert len(seen) == 6
    assert sum((n - 1000) ** 2 / 1000 for n in seen.values()) < 20.5


def scripted(*values: int):
    states = seeded()
    states["script"][0][: len(values)] = values
    states["script_end"] = len(values)
    return states


def test_a_script_comes_before_chance_and_is_used_up():
    states, plain = scripted(5, 0), seeded()
    before = states["rng"].tobytes()
    assert [draw(states[0], Stream.DICE, 6) for _ in range(2)] == [5, 0]
    assert states["script_next"][0] == states["script_end"][0] == 2
    assert states["rng"].tobytes() == before
    assert draw(states[0], Stream.DICE, 6) == draw(plain[0], Stream.DICE, 6)
    assert not states["script_fault"][0]


@pytest.mark.parametrize("value", [6, -1])
def test_a_scripted_value_that_does_not_fit_is_a_fault(value):
    states = scripted(value)
    assert 0 <= draw(states[0], Stream.DICE, 6) < 6
    assert states["script_fault"][0] == 1


def test_shuffles_are_never_scripted():
    states = scripted(0, 0, 0)
    shuffle(states[0], Stream.DECK, np.arange(3, dtype=np.int16), 3)
    assert states["script_next"][0] == 0


def test_a_script_longer_than_the_record_is_refused():
    with pytest.raises(ValueError, match=f"script: expected a list of at most {SCRIPT_SIZE}"):
        GAME.load({"script": [0] * (SCRIPT_SIZE + 1)})
