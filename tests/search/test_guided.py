"""Search guided by a network: lock-step, priors, values of every seat."""

from pathlib import Path

import numpy as np
import pytest
import toys.known  # noqa: F401
from search.fairness import leak, positions
from toys import crossroads

from dwarrow import envs
from dwarrow.agents import make
from dwarrow.agents.neural.network import Network, Shape
from dwarrow.agents.neural.weights import save_weights
from dwarrow.agents.search import Settings
from dwarrow.agents.search.lockstep import LANES, NetSearch
from dwarrow.envs import game

TOY = game("goofspiel")
ROADS = crossroads.GAME


class Blank:
    """Knows nothing: even priors, all outcomes level. Counts what it is asked."""

    def __init__(self, n_actions: int) -> None:
        self.n_actions = n_actions
        self.asked: list[int] = []

    def evaluate(self, obs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        self.asked.append(len(obs))
        return np.zeros((len(obs), self.n_actions), np.float32), np.zeros(len(obs), np.float32)


class Partial(Blank):
    """Prefers one action."""

    def __init__(self, n_actions: int, action: int) -> None:
        super().__init__(n_actions)
        self.action = action

    def evaluate(self, obs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        logits, value = super().evaluate(obs)
        logits[:, self.action] = 5.0
        return logits, value


class ByScore(Blank):
    """Expects what the observer's share of the points says."""

    def evaluate(self, obs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        logits, _ = super().evaluate(obs)
        score = obs[:, TOY.observation["score"].slice]
        return logits, (2 * score[:, 0] - score[:, 1:].sum(axis=1)).astype(np.float32)


def weights(path: Path, g, seed: int = 0) -> Path:
    file = path / "weights.safetensors"
    save_weights(file, Network(g.observation, g.n_actions, Shape(32, 1), seed), g)
    return file


def guided(evaluator: Blank, g=TOY, **settings) -> NetSearch:
    return NetSearch(g, "guided", Settings(**settings), evaluator)


@pytest.mark.parametrize("word", range(3))
def test_three_seats_come_to_the_max_n_choice_without_knowledge(word: int):
    thought = guided(Blank(4), ROADS, sims=3000).think(ROADS, ROADS.new(), 0, word)
    assert thought.candidates[0].name == "left"
    assert thought.candidates[0].value == pytest.approx(0.7, abs=0.06)


def test_priors_are_followed_until_values_speak():
    visits = {
        evaluator: next(
            c.visits
            for c in guided(evaluator, sims=20).think(TOY, TOY.new(), 0).candidates
            if c.name == "bid 2"
        )
        for evaluator in (Blank(3), Partial(3, 1))
    }
    even, preferred = visits.values()
    assert preferred > even
    # with the last prize to come, bidding the highest coin left wins more, whatever the prior
    states = TOY.load({"deck": [1, 3, 2]})
    for action in (0, 0):
        TOY.step(states, 0, action)
    late = guided(Partial(3, 1), sims=400).think(TOY, states, 0)
    assert late.candidates[0].name == "bid 3"


def test_one_row_a_leaf_speaks_for_two_seats_and_three_seats_speak_for_themselves():
    for players, rows in ((2, 1), (3, 3)):
        evaluator = Blank(3)
        guided(evaluator, sims=10).think(TOY, TOY.new(players=players), 0)
        assert evaluator.asked[0] == rows
        assert set(evaluator.asked) == {rows}


@pytest.mark.parametrize("players", [2, 3])
def test_every_seat_is_judged_by_its_own_view(players: int):
    agent = guided(ByScore(3), sims=1)
    states = TOY.load({"players": {"1": {"score": 2}}, "options": {"players": players}})
    TOY.step(states, 0, 1)
    agent.think(TOY, states, 0)
    work, values = agent.leaves.work, agent.leaves.values[0]
    views = np.array([TOY.observe(work, 0, seat) for seat in range(players)])
    own = agent.evaluator.evaluate(views)[1]
    assert own.tolist() == pytest.approx([-1 / 3, 2 / 3, -1 / 3][:players])
    assert values[:players].tolist() == pytest.approx(
        own.tolist() if players == 3 else [-2 / 3, 2 / 3]
    )
    for seat, row in enumerate(agent.leaves.asked[0, :players]):
        if row >= 0:
            assert np.array_equal(agent.leaves.obs[row], views[seat])


@pytest.mark.parametrize("threads", [1, 3])
def test_lanes_batch_and_threads_change_nothing(tmp_path: Path, threads: int):
    file = weights(tmp_path, TOY)
    n = LANES + 7
    states = np.concatenate([TOY.new(n - 20, players=3), TOY.new(20, seed=99, players=2)])
    words = np.arange(n, dtype=np.uint64)
    together = make(f"mcts:sims=24,net={file},threads={threads}", TOY).act(
        TOY, states, np.arange(n), words
    )
    agent = make(f"mcts:sims=24,net={file}", TOY)
    for k in (0, 1, LANES - 1, LANES, n - 1):
        alone = agent.act(TOY, states, np.array([k]), words[k : k + 1])
        assert alone.action[0] == together.action[k]
        assert np.array_equal(alone.policy[0], together.policy[k])
        assert alone.value[0] == together.value[k]


def test_a_forced_move_is_not_searched():
    states, words = TOY.new(3), np.arange(3, dtype=np.uint64)
    for action in (0, 0, 1, 1):
        TOY.step(states, 1, action)
    evaluator = Blank(3)
    agent = guided(evaluator, sims=20)
    thought = agent.think(TOY, states, 1)
    assert (thought.sims, evaluator.asked) == (0, [])
    assert [(c.name, c.share) for c in thought.candidates] == [("bid 3", 1.0)]
    together = agent.act(TOY, states, np.arange(3), words)
    assert together.policy[1].tolist() == [0, 0, 1]
    for k in range(3):
        alone = agent.act(TOY, states, np.array([k]), words[k : k + 1])
        for part in ("action", "logp", "value", "policy"):
            assert np.array_equal(getattr(alone, part)[0], getattr(together, part)[k])


def test_a_guided_opponent_plays_single_agent_games_to_their_end(tmp_path: Path):
    other = make(f"mcts:sims=4,net={weights(tmp_path, TOY)}", TOY)
    env = envs.single("goofspiel", opponents=[other])
    _, info = env.reset(seed=3)
    over = False
    while not over:
        action = int(np.flatnonzero(info["action_mask"])[0])
        _, _, over, _, info = env.step(action)


@pytest.mark.parametrize("temperature", [0, 1])
def test_one_simulation_plays_by_what_the_network_says(temperature: int):
    agent = guided(Partial(3, 1), sims=1, temperature=temperature)
    prior = np.exp([0, 5, 0]) / np.exp([0, 5, 0]).sum()
    share = prior if temperature else np.array([0, 1, 0])
    thought = agent.think(TOY, TOY.new(), 0)
    assert thought.candidates[0].name == "bid 2"
    assert sum(c.visits for c in thought.candidates) == 0
    found = {c.action: c.share for c in thought.candidates}
    assert [found[k] for k in range(3)] == pytest.approx(share)
    rows = np.arange(300)
    decision = agent.act(TOY, TOY.new(300), rows, rows.astype(np.uint64))
    assert (decision.action == 1).mean() > 0.95
    assert decision.logp == pytest.approx(np.log(share[decision.action]), abs=1e-5)
    assert decision.policy == pytest.approx(np.tile(share, (300, 1)), abs=1e-5)


@pytest.mark.parametrize("players", [2, 3])
def test_a_guided_search_plays_fair(tmp_path: Path, players: int):
    agent = make(f"mcts:sims=40,net={weights(tmp_path, TOY)}", TOY)
    for states in positions(TOY, players, 8):
        assert leak(TOY, agent, states) == ""


def test_noise_moves_the_root_and_is_drawn_from_the_given_word():
    states = TOY.new()
    tables = [
        guided(Blank(3), sims=30, noise=noise).think(TOY, states, 0, word).candidates
        for noise, word in ((0.0, 1), (0.9, 1), (0.9, 1), (0.9, 2))
    ]
    assert tables[1] == tables[2]
    assert tables[0] != tables[1] != tables[3]


def test_a_network_of_another_game_or_layout_is_refused(tmp_path: Path):
    (tmp_path / "roads").mkdir()
    file = weights(tmp_path / "roads", ROADS)
    with pytest.raises(ValueError, match="made for game 'crossroads'"):
        make(f"mcts:sims=10,net={file}", TOY)
    with pytest.raises(ValueError, match="no run or weights 'nowhere'"):
        make("mcts:sims=10,net=nowhere", TOY)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("rollout=rule", "rollout=rule: a network replaces rollouts"),
        ("epsilon=0.3", "epsilon=0.3: a network replaces rollouts"),
        ("cutoff=3", "cutoff=3: a network replaces rollouts"),
        ("selection=regret", "selection=regret: a network brings its own, PUCT"),
        ("noise=2", "noise=2.0: allowed is 0 to 1"),
        (f"x=1,sims={10**12}", "unknown option 'x'"),
    ],
)
def test_settings_without_meaning_are_refused(tmp_path: Path, options: str, problem: str):
    with pytest.raises(ValueError, match=problem):
        make(f"mcts:net={weights(tmp_path, TOY)},{options}", TOY)


def test_noise_needs_a_network():
    with pytest.raises(ValueError, match="noise has no meaning without a network"):
        make("mcts:noise=0.2", TOY)


def test_a_budget_in_seconds_is_kept_to(tmp_path: Path):
    thought = make(f"mcts:seconds=0.1,net={weights(tmp_path, TOY)}", TOY).think(TOY, TOY.new(), 0)
    assert thought.sims > 1
