"""What searches expect of positions of The Dwarves and Dwar7s Fall, and how that is learned."""

import numpy as np
import pytest

from dwarrow import envs
from dwarrow.agents import make
from dwarrow.agents.players import Prospects, expect, prospects_of
from dwarrow.agents.players.outlook import Weights, load, spelled
from dwarrow.agents.search.plan import Settings, plan_for
from dwarrow.agents.search.rollout import judge_all
from dwarrow.benchmarks.cli import main
from dwarrow.envs.core.kernels import kernel, legal, step
from dwarrow.envs.core.table import pick
from dwarrow.envs.the_dwarves.layout import Phase
from dwarrow.training.outlook import fit, joined, sample, sample_of

DWARVES, FALL = envs.game("the_dwarves"), envs.game("dwar7s_fall")
FOUND, OF_FALL = prospects_of(DWARVES), prospects_of(FALL)


@kernel
def judged(states, i, seat, mask):
    """Play the last legal action until the position can be judged; NaN if it never can."""
    while True:
        n_legal = legal(states, i, mask)
        if n_legal == 0:
            return np.nan
        found = expect(states, i, seat)
        if not np.isnan(found):
            return found
        step(states, i, pick(mask, n_legal - 1))


def judgements(**options: object) -> np.ndarray:
    mask = np.zeros(DWARVES.n_actions, np.int8)
    games = [DWARVES.new(1, seed, **options) for seed in range(30)]
    return np.array([judged(states, 0, 0, mask) for states in games])


@pytest.mark.parametrize("found", [FOUND, OF_FALL])
def test_weights_are_of_the_features_that_are_described(found: Prospects):
    weights = load(found.file, found.features)
    lines = found.file.read_text(encoding="utf-8").splitlines()
    assert [line.split(",")[0] for line in lines[:-3]] == list(found.features)
    assert len(set(found.features)) == len(found.features)
    assert weights.hidden.shape == (len(found.features), len(weights.bias))


def test_weights_are_kept_by_name(tmp_path):
    file = tmp_path / "weights.csv"
    rng = np.random.default_rng(0)
    kept = Weights(
        rng.normal(size=(3, 2)).astype(np.float32).round(3),
        np.array([0.5, -1], np.float32),
        np.array([2, 0], np.float32),
        0.25,
    )
    file.write_text(spelled(("a", "b", "c"), kept), encoding="utf-8")
    found = load(file, ("c", "new", "a"))
    assert np.array_equal(found.hidden, [kept.hidden[2], [0, 0], kept.hidden[0]])
    assert np.array_equal(found.bias, kept.bias)
    assert np.array_equal(found.output, kept.output)
    assert found.last == kept.last
    assert not load(tmp_path / "none.csv", ("a",)).hidden.any()


def test_harder_levels_are_expected_to_go_worse():
    means = [np.nanmean(judgements(difficulty=level)) for level in ("easy", "brave", "heroic")]
    assert means[0] > means[1] > means[2]
    assert 0.3 < means[0] < 0.9  # `rule` wins 83 games of a hundred


@pytest.mark.parametrize("players", [1, 3, 6])
def test_any_number_of_heroes_can_be_judged(players: int):
    found = judgements(players=players, elfar=True)
    assert np.isfinite(found).sum() >= 25
    assert np.nanmax(np.abs(found)) < 1


def test_no_position_has_more_features_than_there_is_room_for():
    found = sample(DWARVES, {"players": 6, "elfar": True, "combined_might": True}, 40, 3)
    assert (found.at < len(FOUND.features)).sum(axis=1).max() < FOUND.most * 0.8


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_king_is_expected_to_do_as_well_as_he_stands(players: int):
    mask = np.zeros(FALL.n_actions, np.int8)
    ahead, behind = [], []
    for seed in range(20):
        states = FALL.new(1, seed, players=players)
        for seat in range(players):
            judged(states, 0, seat, mask)
            before = expect(states, 0, seat)
            for reader, found in ((seat, ahead), ((seat + 1) % players, behind)):
                rich = states.copy()
                rich["players"]["goals"][0, seat, :2] = 1  # the first two trading goals, 16 points
                found.append(expect(rich, 0, reader) - expect(states, 0, reader))
            assert -1 < before < 1
    assert np.mean(ahead) > 0.1 > -0.03 > np.mean(behind)


def test_positions_of_an_agents_games_are_those_soon_after_its_decisions():
    agent = make("random", FALL)
    found = sample_of(FALL, {"players": 3}, agent, 4, 7)
    assert sorted(set(found.game)) == [0, 1, 2, 3]
    assert (found.at < len(OF_FALL.features)).sum(axis=1).max() < OF_FALL.most * 0.8
    assert set(np.unique(found.won)) <= {0, 0.5, 1, 0.25, 0.75}
    assert found.won.mean() == pytest.approx(0.5)  # all three kings of every position
    again = sample_of(FALL, {"players": 3}, agent, 4, 7)
    assert np.array_equal(found.at, again.at)
    assert np.array_equal(found.won, again.won)


def test_a_fit_learns_who_wins():
    rng = np.random.default_rng(0)
    found = sample(DWARVES, {}, 20, 1)
    found.at = rng.integers(0, 4, (20_000, 3)).astype(np.int16)
    found.value = np.ones((20_000, 3), np.float16)
    found.game = np.arange(20_000)
    found.won = (found.at == 1).any(axis=1).astype(np.float32)  # whoever has feature 1 wins
    losses: list[float] = []
    fit(joined([found, found]), 4, 8, 20, 0, lambda epoch, loss: losses.append(loss))
    assert losses[-1] < 0.1 < losses[0]


def test_the_command_writes_a_file_that_searches_read(tmp_path, capsys):
    out = tmp_path / "weights.csv"
    few = ("--games", "6", "--others", "2", "--epochs", "1", "--units", "4", "--out", str(out))
    assert main(["outlook", "the_dwarves", *few]) == 0
    assert load(out, FOUND.features).hidden.shape == (len(FOUND.features), 4)
    assert f"kept in {out}" in capsys.readouterr().out
    of = ("--by", "random", "--by-games", "1")
    assert main(["outlook", "dwar7s_fall", *few, *of]) == 0
    assert load(out, OF_FALL.features).hidden.shape == (len(OF_FALL.features), 4)
    assert main(["outlook", "dwar7s_fall", *few, "--by", "nobody"]) == 2
    assert "nobody" in capsys.readouterr().err
    assert main(["outlook", "dwar7s_fall", *few, *of, "--by-games", "0"]) == 2
    assert "by_games=0: at least 1" in capsys.readouterr().err
    assert main(["outlook", "aquilon"]) == 2
    assert "aquilon has no features" in capsys.readouterr().err


def test_a_cut_off_rollout_is_judged_by_what_is_expected():
    states = DWARVES.new(1, 5, difficulty="heroic")
    whole = make("mcts:sims=400,selection=race,rollout=rule,epsilon=0,cutoff=0", DWARVES)
    cut = make("mcts:sims=400,selection=race,rollout=rule,epsilon=0,cutoff=1", DWARVES)
    while len(DWARVES.legal(states, 0)) == 1:
        DWARVES.step(states, 0, int(DWARVES.legal(states, 0)[0]))
    found = [agent.think(DWARVES, states, 0).value for agent in (whole, cut)]
    assert -0.9 < found[1] < 0.2  # win and loss alone, not the points of a lost game
    assert found[0] > found[1] - 0.2


def test_kings_utilities_at_a_cut_off_cancel_out():
    states = FALL.new(1, 3, players=3)
    plan = plan_for(FALL, Settings(cutoff=1), 3)
    assert plan["judged"] == 1
    out = np.zeros(FALL.max_seats, np.float32)
    assert judge_all(states, 0, plan, out)
    first = [expect(states, 0, seat) for seat in range(3)]
    assert out[:3].tolist() == pytest.approx([x - np.mean(first) for x in first], abs=1e-6)
    assert plan_for(FALL, Settings(cutoff=0), 3)["judged"] == 0


def test_steps_of_a_move_are_left_to_the_rule_player():
    states = DWARVES.new(1, 5)
    agent, rule = (
        make("mcts:sims=30,selection=race,rollout=rule,cutoff=1", DWARVES),
        make("rule", DWARVES),
    )
    row, word = np.zeros(1, np.int64), np.zeros(1, np.uint64)
    raced = steps = 0
    while raced < 3 or steps < 3:
        legal_now = DWARVES.legal(states, 0)
        chosen = int(rule.act(DWARVES, states, row, word).action[0])
        if len(legal_now) > 1:
            thought = agent.think(DWARVES, states, 0)
            if states["phase"][0] == Phase.STEP:
                assert [(c.action, c.share) for c in thought.candidates] == [(chosen, 1.0)]
                steps += 1
            else:
                assert thought.sims == 30
                raced += 1
        DWARVES.step(states, 0, chosen)
