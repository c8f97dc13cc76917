import numpy as np
import pytest
from search.fairness import leak, positions, tables

from dwarrow.agents import Decision, make
from dwarrow.agents.players import players_of
from dwarrow.envs import Game, game
from dwarrow.envs.core.kernels import States

FAIR = (
    "random",
    "greedy",
    "rule",
    "flat_mc:sims=40",
    "mcts:sims=60",
    "mcts:sims=60,rollout=rule,epsilon=0.2",
    "mcts:sims=60,advice=0.5,rollout=greedy",
    "mcts:sims=60,selection=regret",
    "mcts:sims=60,cutoff=5",
)


def has_players(g: Game) -> bool:
    try:
        players_of(g)
    except KeyError:
        return False
    return True


@pytest.mark.parametrize(("name", "players"), tables())
def test_a_draw_depends_on_what_the_seat_knows_and_the_seed_alone(name: str, players: int):
    g = game(name)
    for states in positions(g, players, 8):
        for seat in range(players):
            draws = [g.resample(states, 0, seat, seed) for seed in range(3)]
            for seed in range(3):
                again = {g.resample(d, 0, seat, seed).tobytes() for d in draws}
                assert again == {draws[seed].tobytes()}, (
                    f"seat {seat}: the draw with seed {seed} depends on what is hidden"
                )


@pytest.mark.parametrize(("name", "players"), tables())
@pytest.mark.parametrize("spec", FAIR)
def test_no_agent_acts_on_what_its_seat_cannot_know(name: str, players: int, spec: str):
    g = game(name)
    if not has_players(g) and any(word in spec for word in ("greedy", "rule")):
        with pytest.raises(ValueError, match="no scripted players"):
            make(spec, g)
        return
    agent = make(spec, g)
    for states in positions(g, players, 5):
        assert leak(g, agent, states) == ""


class DeckReader:
    """Bids its highest coin if the last prize is the best, else its lowest: it reads the deck."""

    spec = "deck_reader"
    ranked = True

    def act(self, g: Game, states: States, rows: np.ndarray, words: np.ndarray) -> Decision:
        last = states["deck"][rows, -1]
        chosen = [g.legal(states, int(i))[0 if best == 3 else -1] for i, best in zip(rows, last)]  # noqa: B905
        return Decision(np.array(chosen))


def test_an_agent_that_reads_the_deck_is_caught():
    g = game("goofspiel")
    found = [leak(g, DeckReader(), states, tries=8) for states in positions(g, 2, 20)]
    assert any("when only hidden things changed" in line for line in found)


def test_the_oracle_is_caught_and_not_ranked():
    g = game("goofspiel")
    oracle = make("oracle_mcts:sims=200", g)
    assert not oracle.ranked
    assert make("mcts:sims=1", g).ranked
    assert any(leak(g, oracle, states, tries=8) for states in positions(g, 2, 20))


@pytest.mark.parametrize("spec", ["flat_mc:sims=20", "mcts:sims=20", "oracle_mcts:sims=20"])
def test_thinking_leaves_the_game_alone(spec: str):
    g = game("goofspiel")
    states = g.new(3, players=3)
    before = states.tobytes()
    agent = make(spec, g)
    agent.act(g, states, np.arange(3), np.arange(3, dtype=np.uint64))
    assert states.tobytes() == before
