import time
from typing import Any

import numpy as np
import pytest
import toys.known  # noqa: F401

from dwarrow.agents import make
from dwarrow.agents.search import tree
from dwarrow.agents.search.agent import spend
from dwarrow.envs import game

TOY = game("goofspiel")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("sims=0", "sims=0: allowed is 1 or more"),
        ("sims=-5", "sims=-5: allowed is 1 or more"),
        ("sims=many", "sims=many: expected a whole number"),
        ("seconds=0", "seconds=0.0: allowed is above 0, up to 3600"),
        ("seconds=-1", "seconds=-1.0: allowed is above 0"),
        ("seconds=1e9", "seconds=1000000000.0: allowed is above 0, up to 3600"),
        ("seconds=nan", "seconds=nan: allowed is above 0"),
        ("c=-1", "c=-1.0: allowed is 0 to 1000"),
        ("c=nan", "c=nan: allowed is 0 to 1000"),
        ("epsilon=2", "epsilon=2.0: allowed is 0 to 1"),
        ("cutoff=-1", "cutoff=-1: allowed is 0 or more"),
        ("advice=2", "advice=2.0: allowed is 0 to 1"),
        ("threads=0", "threads=0: allowed is 1 to 256"),
        ("rollout=wise", "expected one of random, greedy, rule"),
        ("selection=best", "expected one of ucb, regret"),
        ("temperature=-1", "temperature=-1.0: allowed is 0 to 100"),
        ("depth=3", "unknown option 'depth'; known are sims, seconds"),
    ],
)
def test_a_bad_setting_is_refused_in_words(options: str, problem: str):
    with pytest.raises(ValueError, match=problem.replace(".", r"\.")) as error:
        make(f"mcts:{options}", TOY)
    assert f"mcts:{options}" in str(error.value)


@pytest.mark.parametrize("option", ["rollout=rule", "advice=0.5"])
def test_nobody_to_ask_is_said(option: str, monkeypatch: pytest.MonkeyPatch):
    def none(game: object) -> None:
        raise KeyError("goofspiel has no scripted players")

    monkeypatch.setattr("dwarrow.agents.search.agent.players_of", none)
    with pytest.raises(ValueError, match=f"{option}: goofspiel has no scripted players"):
        make(f"mcts:{option}", TOY)
    make("mcts:sims=1,advice=0", TOY)


def test_flat_monte_carlo_knows_no_tree_settings():
    with pytest.raises(ValueError, match="unknown option 'selection'"):
        make("flat_mc:selection=regret", TOY)


def test_a_memory_need_beyond_the_machine_is_refused_before_allocating():
    begun = time.perf_counter()
    with pytest.raises(ValueError, match=r"needs 133 TB for its trees, this machine has .*B"):
        make("mcts:sims=1000000000000", TOY)
    with pytest.raises(ValueError, match=r"sims=1e\+?\d+|needs .* PB"):
        make(f"mcts:sims={10**18}", TOY)
    assert time.perf_counter() - begun < 1


def test_threads_count_in_the_memory_need(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tree, "machine_memory", lambda: 20_000_000)
    make("mcts:sims=50000", TOY)
    with pytest.raises(ValueError, match="take fewer simulations or fewer threads"):
        make("mcts:sims=50000,threads=8", TOY)


def test_sizes_are_said_for_people():
    assert tree.in_words(999) == "999 B"
    assert tree.in_words(1_500_000_000) == "1.5 GB"


@pytest.mark.parametrize("sims", [1, 2, 3, 7])
def test_a_budget_in_simulations_is_kept_to(sims: int):
    thought = make(f"mcts:sims={sims}", TOY).think(TOY, TOY.new(), 0)
    assert thought.sims == sims
    assert sum(c.visits for c in thought.candidates) == sims


def test_a_budget_in_seconds_is_kept_to():
    agent = make("mcts:seconds=0.2", TOY)
    begun = time.perf_counter()
    thought = agent.think(TOY, TOY.new(), 0)
    assert 0.15 < time.perf_counter() - begun < 5  # a busy machine may wake us late
    assert thought.sims > 100


def test_of_two_budgets_the_first_to_end_counts():
    thought = make("mcts:seconds=30,sims=500", TOY).think(TOY, TOY.new(), 0)
    assert thought.sims == 500


def test_a_full_tree_goes_on_without_growing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("dwarrow.agents.search.agent.TIMED_NODES", 5)
    thought = make("mcts:seconds=0.05", TOY).think(TOY, TOY.new(), 0)
    assert sum(c.visits for c in thought.candidates) == thought.sims


def test_a_forced_move_costs_nothing():
    states = TOY.new()
    for action in (0, 0, 1, 1):
        TOY.step(states, 0, action)
    thought = make("mcts:sims=100000", TOY).think(TOY, states, 0)
    assert thought.sims == 0
    assert [(c.name, c.share) for c in thought.candidates] == [("bid 3", 1.0)]


@pytest.mark.parametrize(
    "spec", ["mcts:sims=200", "flat_mc:sims=200", "mcts:sims=90,selection=regret"]
)
def test_the_batch_and_the_threads_change_nothing(spec: str):
    states = TOY.new(12, players=3)
    words = np.arange(100, 112, dtype=np.uint64)
    rows = np.arange(12)
    wanted = make(spec, TOY).act(TOY, states, rows, words)
    threaded = make(f"{spec},threads=3", TOY).act(TOY, states, rows, words)
    agent = make(spec, TOY)
    backwards = agent.act(TOY, states, rows[::-1].copy(), words[::-1].copy())
    for part in ("action", "logp", "value", "policy"):
        assert np.array_equal(getattr(wanted, part), getattr(threaded, part))
        assert np.array_equal(getattr(wanted, part), getattr(backwards, part)[::-1])


def searched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that will hold the simulations of every search from here on."""
    counts: list[int] = []

    def counted(*budget: Any) -> int:
        counts.append(spend(*budget))
        return counts[-1]

    monkeypatch.setattr("dwarrow.agents.search.agent.spend", counted)
    return counts


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("goofspiel", "mcts:sims=200"),
        ("aquilon", "mcts:sims=100"),
        ("aquilon", "flat_mc:sims=100"),
        ("the_duel", "mcts:sims=200,advice=0.9,c=1.0"),
    ],
)
def test_a_search_ends_when_its_choice_is_settled(
    name: str, spec: str, monkeypatch: pytest.MonkeyPatch
):
    g, rng, counts = game(name), np.random.default_rng(5), searched(monkeypatch)
    agent, player, rows = make(spec, g), make("random", g), np.zeros(1, np.int64)
    states, saved = g.new(), 0
    for _ in range(150):
        if g.is_over(states, 0):
            states = g.new(seed=int(rng.integers(2**31)))
        words = rng.integers(0, 2**63, 1).astype(np.uint64)
        if len(g.legal(states, 0)) > 1:
            counts.clear()
            chosen = agent.act(g, states, rows, words).action[0]
            whole = agent.think(g, states, 0, int(words[0]))
            assert chosen == whole.candidates[0].action
            short, long = counts
            assert short <= long == whole.sims
            saved += long - short
        g.step(states, 0, int(player.act(g, states, rows, words).action[0]))
    assert saved > 500  # with nothing saved, nothing would be shown


@pytest.mark.parametrize("options", ["temperature=1", "selection=regret", "seconds=60"])
def test_a_search_that_draws_or_is_timed_never_ends_early(
    options: str, monkeypatch: pytest.MonkeyPatch
):
    counts = searched(monkeypatch)
    agent = make(f"mcts:sims=400,{options}", TOY)
    agent.act(TOY, TOY.new(8), np.arange(8), np.arange(8, dtype=np.uint64))
    assert counts == [400] * 8


def test_temperature_draws_in_proportion_to_the_visits():
    states = TOY.new(1)
    cold = make("mcts:sims=60", TOY).think(TOY, states, 0, 3)
    warm = make("mcts:sims=60,temperature=1", TOY).think(TOY, states, 0, 3)
    assert [c.share for c in cold.candidates] == [1.0, 0.0, 0.0]
    assert [c.share for c in warm.candidates] == pytest.approx(
        [c.visits / 60 for c in warm.candidates]
    )


def test_the_visit_table_reads_as_a_table():
    text = str(make("mcts:sims=60", TOY).think(TOY, TOY.new(), 0))
    head, *rows, last = text.splitlines()
    assert head.split() == ["action", "visits", "value", "available", "share"]
    assert len(rows) == 3
    assert last.startswith("seat 0 expects ")
    assert last.endswith(" after 60 simulations")
