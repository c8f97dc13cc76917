from dataclasses import replace
from multiprocessing import active_children

import numpy as np
import pytest
import torch
from toys import known  # noqa: F401

from dwarrow.agents.base import MODULES, AgentSpec, Decision, Kind, register_kind
from dwarrow.agents.neural.network import Network, Shape
from dwarrow.agents.neural.weights import save_weights
from dwarrow.benchmarks.arena.play import Arena, row_of, run
from dwarrow.benchmarks.arena.rows import FORMAT, GameRow
from dwarrow.benchmarks.arena.schedule import Match, Pairing, deals_of, matches, pairings, rounds
from dwarrow.benchmarks.arena.standings import standings
from dwarrow.benchmarks.campaign import stopping
from dwarrow.benchmarks.crew import Crew
from dwarrow.benchmarks.identity import weights_hash
from dwarrow.benchmarks.results import DamagedError, rounded
from dwarrow.benchmarks.stats import Until
from dwarrow.envs import game
from dwarrow.training.match import Row

TOY = Arena("goofspiel", ("rule", "greedy", "random"), players=3, games=90)


def played(arena, path):
    return run(arena, path, "test").rows


class Stumbling:
    """Plays the first legal action, but stumbles in some games."""

    ranked = True

    def __init__(self, spec, fault):
        self.spec, self.fault = spec, fault

    def act(self, game, states, rows, words):
        actions = np.array([game.legal(states, int(r))[0] for r in rows])
        for k, row in enumerate(rows):
            if states["deck"][row][0] == 1 and states["turn"][row] == 1:
                if self.fault == "crash":
                    raise RuntimeError("lost my coins")
                actions[k] = (
                    2 if self.fault == "illegal" and game.mask(states, int(row))[2] == 0 else 7
                )
        return Decision(actions)


@pytest.fixture(scope="module", autouse=True)
def stumbling():
    def build(game, spec: AgentSpec, options):
        return Stumbling(spec.text, spec.source)

    register_kind(Kind("stumbling", build, source="FAULT"))


def test_every_deal_is_played_once_for_each_seat_of_the_one():
    found = list(matches(Pairing("a", "b"), 3, range(2)))
    assert found == [Match("a", "b", deal, seat) for deal in (0, 1) for seat in (0, 1, 2)]
    assert found[1].lineup(3, first_seed=100).seats == ("b", "a", "b")
    assert found[4].lineup(3, first_seed=100).seed == 101


def test_pairings_take_one_against_the_rest_both_ways_round_and_once_with_two_seats():
    three = pairings("ab", 3, mirror=True)
    assert three == [("a", "b"), ("b", "a"), ("a", "a"), ("b", "b")]
    assert pairings("abc", 2, mirror=False) == [("a", "b"), ("a", "c"), ("b", "c")]


def test_games_are_rounded_up_so_that_every_seat_comes_equally_often():
    assert deals_of(Pairing("a", "b"), 3, 100) == 34
    assert deals_of(Pairing("a", "a"), 3, 100) == 102
    mirror = list(matches(Pairing("a", "a"), 3, range(deals_of(Pairing("a", "a"), 3, 100))))
    assert [sum(m.seat == seat for m in mirror) for seat in range(3)] == [34, 34, 34]
    assert sum(len(r) for r in rounds(Pairing("a", "b"), 3, 1000)) == 334


def test_rows_are_the_same_with_two_workers_and_after_an_interruption(tmp_path):
    whole, cut, two = (tmp_path / name for name in ("whole.csv", "cut.csv", "two.csv"))
    rows = played(TOY, whole)
    assert len(rows) == 90 * 6 + 90 * 3

    def stop(done, most):
        if done > 300:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(TOY, cut, "test", stop)
    kept = cut.read_bytes()
    assert len(kept) < len(whole.read_bytes())
    cut.write_bytes(kept[:-17])  # and killed while writing a row
    outcome = run(TOY, cut, "test")
    assert outcome.torn > 0
    assert outcome.rows == rows
    assert cut.read_bytes() == whole.read_bytes()

    assert played(replace(TOY, workers=2), two) == rows
    assert two.read_bytes() == whole.read_bytes()


def test_an_arena_grows_by_agents_and_games_without_playing_anything_twice(tmp_path):
    small = replace(TOY, agents=("greedy", "random"), games=30)
    path = tmp_path / "x.csv"
    first = played(small, path)
    told = []
    grown = run(TOY, path, "test", lambda done, most: told.append((done, most)))
    assert told[0][0] > len(first)
    assert told[-1] == (810, 810)
    assert set(first) <= set(grown.rows)
    assert path.read_bytes() == _fresh(TOY, tmp_path)
    # back to fewer: nothing to play, the other games stay in the file
    assert played(small, path) == first
    assert len(FORMAT.read(path)[1]) == 810


def _fresh(arena, tmp_path):
    played(arena, tmp_path / "fresh.csv")
    return (tmp_path / "fresh.csv").read_bytes()


def test_a_pairing_stops_when_its_share_is_known(tmp_path):
    arena = replace(TOY, agents=("greedy", "random"), games=3000, mirror=False, until=Until(0.12))
    outcome = run(arena, tmp_path / "x.csv", "test")
    found = standings(outcome.rows, arena.agents, 3, n_bootstraps=20)
    for cell in found.cells.values():
        assert cell.share.interval.width <= 0.12
        assert cell.share.n < 600
        # a round before, it was not yet known
        assert cell.share.n % 60 == 0
    counts = {cell.share.n for cell in found.cells.values()}
    assert len(counts) == 2  # the surer pairing stopped earlier
    again = run(replace(arena, workers=2), tmp_path / "y.csv", "test")
    assert again.rows == outcome.rows


def test_results_of_other_seeds_options_or_agents_are_refused(tmp_path, monkeypatch):
    small = replace(TOY, agents=("greedy", "random"), games=6)
    path = tmp_path / "x.csv"
    played(small, path)
    with pytest.raises(ValueError, match="deals begin with seed 0, not with 5"):
        played(replace(small, seed=5), path)
    with pytest.raises(DamagedError, match="players 3 instead of 2; write to another"):
        played(replace(small, players=2), path)
    monkeypatch.setattr("dwarrow.benchmarks.campaign.identity", lambda *of: "newer")
    with pytest.raises(ValueError, match="greedy has changed since its games were played"):
        played(small, path)


def test_agents_named_the_other_way_round_go_on_with_the_same_games(tmp_path):
    path = tmp_path / "x.csv"
    two = replace(TOY, agents=("greedy", "random"), players=2, games=20, mirror=False)
    first = played(two, path)
    turned = replace(two, agents=("random", "greedy"))
    assert played(turned, path) == first
    assert len(FORMAT.read(path)[1]) == 20
    more = played(replace(turned, games=40), path)
    assert more[:20] == first
    assert {(row.one, row.rest) for row in more} == {("greedy", "random")}


def test_a_file_with_both_sides_of_a_pairing_tells_each_game_once(tmp_path):
    path = tmp_path / "x.csv"
    two = replace(TOY, agents=("greedy", "random"), players=2, games=6, mirror=False)
    rows = played(replace(two, games=10), path)
    origin, once = two.origin(game("goofspiel")), rows[:6]
    lines = [FORMAT.line(origin, row) for row in (*once, *(row.across for row in rows))]
    path.write_text(FORMAT.header + "".join(lines), encoding="utf-8")
    assert FORMAT.read(path)[1] == rows
    found = standings(FORMAT.read(path)[1], two.agents, 2, n_bootstraps=20)
    assert found.cells["greedy", "random"].share.n == 10
    assert played(two, path) == once


def test_who_sees_everything_stays_unranked_in_runs_without_it(tmp_path):
    path = tmp_path / "x.csv"
    arena = replace(TOY, agents=("oracle_mcts:sims=4", "random"), games=6)
    assert run(arena, path, "test").unranked == ("oracle_mcts:sims=4",)
    later = run(replace(arena, agents=("greedy", "random")), path, "test")
    assert later.unranked == ("oracle_mcts:sims=4",)
    assert run(arena, path, "test").notes["unranked"] == ["oracle_mcts:sims=4"]


def test_games_with_another_time_for_a_decision_are_not_mixed(tmp_path):
    path = tmp_path / "x.csv"
    small = replace(TOY, agents=("greedy", "random"), games=6, seconds=9.0)
    played(small, path)
    assert played(small, path)
    for seconds, given in ((None, "no limit"), (2.5, "2.5 s")):
        problem = f"played with 9 s for a decision, not with {given}; give the same --seconds"
        with pytest.raises(ValueError, match=problem):
            played(replace(small, seconds=seconds), path)


def test_notes_keep_which_pairings_a_stopping_rule_ended(tmp_path):
    path = tmp_path / "x.csv"
    wide = replace(TOY, agents=("greedy", "random"), games=900, mirror=False, until=Until(0.2))
    first = run(wide, path, "test").notes["stopped"]
    assert sorted(entry["series"] for entry in first) == [
        ["greedy", "random"],
        ["random", "greedy"],
    ]
    assert {entry["width"] for entry in first} == {0.2}
    assert all(entry["games"] < 900 for entry in first)
    assert (
        "ended 2 series of games as soon as the interval was 20 points"
        in stopping({"stopped": first})[0]
    )
    # others that are played without a rule change nothing in what these were
    others = replace(wide, agents=("rule", "random"), games=30, until=None)
    assert run(others, path, "test").notes["stopped"] == first
    # one of them goes on to the end: it is no longer stopped
    rest = run(replace(wide, until=None, alone="random"), path, "test").notes["stopped"]
    assert [entry["series"] for entry in rest] == [["greedy", "random"]]


def test_a_run_at_work_is_one_agent_on_every_worker(tmp_path, monkeypatch):
    run_folder = tmp_path / "run"
    run_folder.mkdir()
    toy, weights = game("goofspiel"), run_folder / "weights.safetensors"

    def learn(seed):
        network = Network(toy.observation, toy.n_actions, Shape(8), seed)
        with torch.no_grad():
            network.policy.weight.mul_(100)
        save_weights(weights, network, toy)

    learn(0)
    arena = replace(TOY, agents=(f"ppo:{run_folder}", "random"), players=2, games=60, mirror=False)
    rows = played(arena, tmp_path / "x.csv")
    first = weights_hash(str(run_folder))
    begin = Crew._begin

    def late(crew):
        learn(1)  # after this process has made its agents, before the workers make theirs
        return begin(crew)

    monkeypatch.setattr(Crew, "_begin", late)
    for executor in ("processes", "threads"):
        learn(0)
        path = tmp_path / f"{executor}.csv"
        outcome = run(replace(arena, workers=2, executor=executor), path, "test")
        assert outcome.rows == rows
        assert outcome.notes["identities"][f"ppo:{run_folder}"] == {"2": first}
        assert weights_hash(str(run_folder)) != first


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"agents": ("random", "random")}, r"\['random'\] are named twice"),
        ({"agents": ("random",), "mirror": False}, "at least two agents"),
        ({"games": 0}, "at least 1 game"),
        ({"agents": ("random", "wizard")}, "unknown agent 'wizard'"),
        ({"players": 9}, "option players=9"),
        ({"workers": 0}, "--workers 0: at least 1"),
        ({"workers": 2, "executor": "serial"}, "--workers 2 with --executor serial"),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_is_written(tmp_path, changes, problem):
    with pytest.raises(ValueError, match=problem):
        run(replace(TOY, **changes), tmp_path / "x.csv", "test")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("fault", ["crash", "illegal"])
def test_an_agent_that_crashes_forfeits_that_game_and_is_reported(tmp_path, fault):
    spec = f"stumbling:{fault}"
    arena = replace(TOY, agents=(spec, "random"), players=2, mirror=False)
    outcome = run(arena, tmp_path / "x.csv", "test")
    lost = [row for row in outcome.rows if row.forfeit]
    assert 0.2 < len(lost) / len(outcome.rows) < 0.5
    for row in lost:
        assert row.forfeit.startswith(f"seat {row.seat}: ")
        assert row.utilities[row.seat] == -1.0
    found = standings(outcome.rows, arena.agents, 2, n_bootstraps=20)
    (reasons,) = found.forfeits.values()
    assert sum(reasons.values()) == len(lost) == found.overall[spec].forfeits
    words = "lost my coins" if fault == "crash" else "illegal action"
    assert any(words in reason for reason in reasons)
    # games before the fault are played as if nothing happened
    assert any(row.win == 1 for row in outcome.rows if not row.forfeit)


def test_an_agent_that_overruns_its_time_forfeits(tmp_path):
    arena = replace(TOY, agents=("rule", "random"), games=3, mirror=False, seconds=1e-9)
    outcome = run(arena, tmp_path / "x.csv", "test")
    assert all("s for a decision" in row.forfeit for row in outcome.rows)


def test_who_forfeits_is_last_and_the_others_keep_their_order():
    match = Match("a", "b", 0, 0)
    row = Row(
        0, ("a", "b", "b"), (1.0, -1.0, 0.0), (9.0, 1.0, 2.0), (3, 3, 3), 9, ((0, "x"), "end")
    )
    assert row_of(match, row).utilities == (-1.0, 0.0, 1.0)
    assert row_of(match, row).forfeit == "seat 0: x"
    clean = Row(0, ("a", "b", "b"), (1.0, -1.0, 0.0), (9.0, 1.0, 2.0), (3, 3, 3), 9, (None, "end"))
    assert row_of(match, clean).utilities == (1.0, -1.0, 0.0)


def made_up(one, rest, deals, shares, rng, players=3):
    rows = []
    for deal in range(deals):
        for seat in range(players) if one != rest else [deal % players]:
            winner = int(rng.choice(players, p=shares(seat)))
            utilities = tuple(1.0 if k == winner else -0.5 for k in range(players))
            scores = tuple(float(10 * (k == winner)) for k in range(players))
            rows.append(
                GameRow(one, rest, deal, seat, deal, rounded(utilities), scores, (1,) * players, 9)
            )
    return rows


def even(seat):
    return [1 / 3] * 3


def test_standings_rate_agents_and_read_two_seats_from_both_sides():
    rng = np.random.default_rng(0)
    rows = []
    for one, rest, share in (("good", "random", 0.8), ("random", "good", 0.1)):
        rows += made_up(
            one, rest, 100, lambda s, p=share: [p if k == s else (1 - p) / 2 for k in range(3)], rng
        )
    found = standings(rows, ["random", "good"], 3, n_bootstraps=50)
    assert found.agents == ("good", "random")
    assert found.cells["good", "random"].share.value == pytest.approx(0.8, abs=0.08)
    assert found.cells["good", "random"].margin.value == pytest.approx(
        10 * (2 * found.cells["good", "random"].share.value - 1)
    )
    assert found.ratings["random"].points == 0
    assert found.ratings["good"].interval.low > 100
    two = [GameRow("a", "b", k, 0, k, (1.0, -1.0), (5.0, 1.0), (1, 1), 2) for k in range(30)]
    both = standings(two, ["a", "b"], 2, n_bootstraps=20)
    assert both.cells["a", "b"].share.value == 1.0
    assert both.cells["b", "a"].share.value == 0.0
    assert both.overall["b"].margin.value == -4.0
    assert both.reference == "a"


def test_a_seat_that_wins_more_than_its_share_is_named():
    rng = np.random.default_rng(1)
    fair = made_up("a", "a", 600, even, rng)
    unfair = made_up("b", "b", 600, lambda seat: [0.45, 0.3, 0.25], rng)
    found = standings([*fair, *unfair], ["a", "b"], 3, ["a"], n_bootstraps=20)
    assert found.mirrors["a"].outliers == ()
    assert found.mirrors["a"].fair
    assert 0 in found.mirrors["b"].outliers
    # whoever is called the one sat in every seat equally often
    assert found.mirrors["b"].fair
    assert found.mirrors["b"].one.interval.covers(1 / 3)


def test_an_agent_that_sees_everything_is_never_ranked():
    rng = np.random.default_rng(2)
    rows = made_up("a", "random", 40, even, rng) + made_up("oracle", "a", 40, even, rng)
    found = standings(rows, ["oracle", "a", "random"], 3, ["oracle"], n_bootstraps=20)
    assert "oracle" not in found.ratings
    assert found.agents[-1] == "oracle"
    assert found.cells["oracle", "a"].share.n == 120


def test_a_worker_that_dies_is_replaced_and_the_rows_are_the_same(tmp_path, capsys):
    killed = []

    def kill(done, most):
        if not killed:
            killed.extend(active_children())
            for worker in killed:
                worker.kill()

    rows = run(replace(TOY, workers=2), tmp_path / "x.csv", "test", kill).rows
    assert len(killed) == 2
    assert rows == played(TOY, tmp_path / "y.csv")
    assert (tmp_path / "x.csv").read_bytes() == (tmp_path / "y.csv").read_bytes()
    assert capsys.readouterr().err.count("another takes its place") == 2


def test_workers_that_die_again_and_again_end_the_run_with_a_word_and_nothing_is_lost(tmp_path):
    MODULES["fatal"] = "toys.fatal"
    arena = replace(TOY, agents=("random", "greedy", "fatal"), players=2, workers=2, mirror=False)
    with pytest.raises(
        ChildProcessError, match=r"3 times .*run the same command again, with fewer"
    ):
        run(arena, tmp_path / "x.csv", "test")
    assert {row.rest for row in FORMAT.read(tmp_path / "x.csv")[1]} == {"greedy"}
