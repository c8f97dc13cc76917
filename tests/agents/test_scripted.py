import numpy as np
import pytest
import toys.known  # noqa: F401

from dwarrow.agents import make, words
from dwarrow.envs import add_game, game

TOY = game("goofspiel")


@pytest.mark.nojit
@pytest.mark.parametrize("spec", ["random", "greedy", "rule"])
def test_a_row_is_acted_in_alike_whatever_the_batch(spec: str):
    agent = make(spec, TOY)
    states = TOY.new(40, players=3)
    own = words(np.random.default_rng(1), 40)
    before = states.tobytes()
    together = agent.act(TOY, states, np.arange(40), own).action
    alone = [agent.act(TOY, states, np.array([k]), own[k : k + 1]).action[0] for k in range(40)]
    assert together.tolist() == alone
    assert states.tobytes() == before


def test_random_draws_every_legal_action_alike():
    states = TOY.new(6000)
    chosen = make("random", TOY).act(
        TOY, states, np.arange(6000), words(np.random.default_rng(0), 6000)
    )
    counts = np.bincount(chosen.action, minlength=3)
    assert ((counts - 2000) ** 2 / 2000).sum() < 13.8  # chi-square, 2 degrees, p = 0.001


def test_greedy_and_rule_play_as_they_say():
    state = TOY.load({"deck": [2, 3, 1]})
    one = words(np.random.default_rng(0), 1)
    rows = np.zeros(1, np.int64)
    assert make("greedy", TOY).act(TOY, state, rows, one).action.tolist() == [2]
    assert make("rule", TOY).act(TOY, state, rows, one).action.tolist() == [1]


def test_a_game_without_scripted_players_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("dwarrow.agents.players._MODULES", {})
    add_game("goofspiel", "toys.goofspiel")
    with pytest.raises(ValueError, match="agent 'rule': goofspiel has no scripted players"):
        make("rule", TOY)
