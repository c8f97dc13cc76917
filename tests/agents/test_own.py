"""Agents of one's own: functions and objects, checked where they are wrong."""

import numpy as np
import pytest

from dwarrow import envs
from dwarrow.agents import Decision, make
from dwarrow.agents.own import as_agent

GAME = envs.game("aquilon")


def act(agent, word: int = 7, n: int = 1) -> list[int]:
    states = GAME.new(n=n, seed=3, players=3)
    words = np.arange(word, word + n, dtype=np.uint64)
    return agent.act(GAME, states, np.arange(n), words).action.tolist()


def first(observation, mask):
    return np.flatnonzero(mask)[0]


def drawn(observation, mask, rng):
    return rng.choice(np.flatnonzero(mask))


def test_a_function_sees_what_the_seat_to_move_may_know():
    got = []

    def peep(observation, mask):
        got.append((observation, mask))
        return int(mask.argmax())

    states = GAME.new(seed=3, players=3)
    assert act(as_agent(peep, GAME)) == [int(GAME.legal(states, 0)[0])]
    [(observation, mask)] = got
    np.testing.assert_array_equal(observation, GAME.observe(states, 0, int(states["seat"][0])))
    np.testing.assert_array_equal(mask, GAME.mask(states, 0))


def test_a_function_is_called_by_its_name():
    assert as_agent(first, GAME).spec == "first"


def test_a_third_parameter_is_a_generator_that_follows_from_the_word():
    agent = as_agent(drawn, GAME)
    assert act(agent, 7) == act(agent, 7)
    assert len({act(agent, word)[0] for word in range(20)}) > 1


def test_a_spec_is_made_and_an_object_is_taken_as_it_is():
    rule = make("rule", GAME)
    assert act(as_agent("rule", GAME), n=5) == act(rule, n=5) == act(as_agent(rule, GAME), n=5)
    assert as_agent(rule, GAME).spec == "rule"


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (lambda o, m: int(np.flatnonzero(m == 0)[0]), "is illegal"),
        (lambda o, m: 10_000, "is no action"),
        (lambda o, m: 3.0, "expected the number of an action"),
        (lambda o, m: None, "expected the number of an action"),
        (lambda o, m: True, "expected the number of an action"),
    ],
)
def test_a_wrong_answer_is_an_error_that_says_why(answer, problem):
    with pytest.raises(ValueError, match=problem):
        act(as_agent(answer, GAME))


@pytest.mark.parametrize("action", [np.zeros(3, np.int64), np.zeros(1), [0.5], None])
def test_an_object_answers_with_one_whole_number_a_row(action):
    class Odd:
        def act(self, game, states, rows, words):
            return Decision(action)

    with pytest.raises(ValueError, match="'Odd': act answers with a Decision"):
        act(as_agent(Odd(), GAME))


@pytest.mark.parametrize("given", [3, None, dict])
def test_anything_else_is_refused(given):
    with pytest.raises(TypeError, match=r"is no agent|is a class"):
        as_agent(given, GAME)
