import json
import os
import sys
from types import SimpleNamespace

import pytest
from toys import known  # noqa: F401
from toys.complaints import complaints

from dwarrow import envs
from dwarrow.benchmarks import layers, learning, peers, speed, startup
from dwarrow.benchmarks.cli import main
from dwarrow.benchmarks.goals import GOALS, Goal, Verdict, verdicts
from dwarrow.benchmarks.peers import MissingError, Peer
from dwarrow.benchmarks.speed import Effort, Figure, PeerFigure, Report, measure
from dwarrow.benchmarks.speed_tables import quantity, ratio
from dwarrow.benchmarks.timing import Rate, one_core, rate

BRIEF = Effort(0.001, 2)


def test_a_rate_counts_what_the_chunks_did_and_shows_its_spread(monkeypatch):
    clock = iter([0.0, 0.5, 1.0, 10.0, 10.25, 10.5, 10.75, 11.0])
    monkeypatch.setattr("time.perf_counter", lambda: next(clock))
    found = rate(lambda: 100, seconds=1.0, repeats=2)
    assert (found.low, found.high, found.repeats) == (200.0, 400.0, 2)
    assert found.median == 300.0
    assert found.spread == 2.0


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no affinity on this system")
def test_measuring_keeps_to_one_core_and_gives_the_others_back():
    before, inside = os.sched_getaffinity(0), set()

    def measure_and_fail():
        with one_core():
            inside.update(os.sched_getaffinity(0))
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        measure_and_fail()
    assert len(inside) == 1
    assert os.sched_getaffinity(0) == before


def test_every_layer_counts_what_it_says():
    game = envs.game("goofspiel")
    assert layers.core(game, 3)() == layers.N_GAMES * 9
    assert layers.vector(game, 3)() == layers.N_ROWS
    assert layers.python_loop(game, 2)() == 6
    assert layers.environment(game, 3, wrapped=True)() == 9
    assert layers.search(game, 2, sims=20, threads=2)() == 40


def test_states_in_the_middle_are_spread_over_the_game_and_not_over():
    game = envs.game("goofspiel")
    states, _ = layers._middle(game, 3)
    decisions = states["decision"].tolist()
    assert not states["over"].any()
    assert (min(decisions), max(decisions)) == (0, 8)
    assert len(set(decisions)) == 9


def test_a_run_measures_every_layer_and_says_what_it_left_out(monkeypatch):
    def broken(game, players):
        raise RuntimeError("out of order")

    monkeypatch.setattr(layers, "masks", broken)
    said = []
    report = measure(
        ["goofspiel"],
        BRIEF,
        peers=False,
        compile_afresh=[],
        only=["core", "masks"],
        say=said.append,
    )
    assert [f.layer for f in report.figures] == ["core"]
    assert report.left_out == [("goofspiel masks", "RuntimeError: out of order")]
    assert said == ["goofspiel: compiling", "goofspiel core", "goofspiel masks"]
    found = json.loads(json.dumps(report.to_json("dwarrow bench speed")))
    assert found["figures"][0]["rate"]["median"] > 10_000
    assert found["figures"][0]["counts"] == speed.COUNTS["core"]
    assert found["games"]["goofspiel"]["pack_hash"]
    assert found["versions"]["numba"]
    assert found["left_out"] == [{"what": "goofspiel masks", "why": "RuntimeError: out of order"}]


def test_unknown_layers_are_refused_before_anything_is_measured():
    with pytest.raises(ValueError, match=r"unknown layers \['warp'\]: known are \['core'"):
        measure(["goofspiel"], BRIEF, peers=False, compile_afresh=[], only=["warp"])


def test_starting_up_is_timed_in_fresh_processes():
    assert 0.1 < startup.warm("goofspiel", 1).median < startup.cold("goofspiel").median


def test_another_process_compiles_what_is_measured(tmp_path, monkeypatch):
    monkeypatch.setenv("DWARROW_CACHE", str(tmp_path))
    startup.fill_cache("goofspiel", 3, ["core", "no such layer"])
    compiled = {path.name.split("-")[0] for path in tmp_path.rglob("*.nbc")}
    assert "table.play_random_games" in compiled
    assert "layers.copy_many" not in compiled


def test_goals_are_judged_where_they_were_measured():
    measured = {("aquilon", "core"): 3e6, ("aquilon", "raw_env"): 1e5, ("aquilon", "env"): 7e4}
    found = {str(v.goal): v for v in verdicts({**measured, ("aquilon", "warm"): 2.0}, GOALS)}
    assert found["aquilon core: at least 2,000,000/s"].reached is True
    assert found["aquilon env: at least 0.8 times raw_env"].reached is False
    assert found["aquilon env: at least 0.8 times raw_env"].measured == pytest.approx(0.7)
    assert found["aquilon warm: at most 1.5 s"].reached is False
    assert found["aquilon cold: at most 60 s"].reached is None
    assert not any(v.goal.game == "the_duel" for v in found.values())
    assert Verdict(Goal("g", "cold", 60), 60.0).reached is True


def rated(median):
    return Rate(median, median / 2, median * 2, 3)


def test_promises_beside_peers_take_the_best_of_them():
    report = Report(calibrations=[1.0])
    report.figures = [Figure("aquilon", 3, "core", "x", rated(6e6))]
    report.peers = [
        PeerFigure("A", "slow", "slow(1)", "core", "loop", ("aquilon",), rated(1e5)),
        PeerFigure("B", "fast", "fast", "core", "inside", ("aquilon",), rated(3e6)),
        PeerFigure("B", "other", "other", "core", "inside", ("the_duel",), rated(9e6)),
    ]
    report.figures.append(Figure("aquilon", 2, "search", "x", rated(4e4)))
    for game, sims in (("leduc_poker", 1e6), ("hearts", 1e4)):
        report.peers.append(
            PeerFigure("OpenSpiel", game, game, "search", "x", ("aquilon",), rated(sims))
        )
    core, vector, search = report.peer_verdicts()
    assert (core.ratio, core.reached) == (2.0, False)
    assert core.beside == "B fast: inside"
    assert vector.reached is None
    assert (search.ratio, search.reached) == (4.0, True)
    assert ratio(report.figures[0], report.peers[1]) == "x2 (0.5 - 8)"


def test_a_machine_with_other_work_is_noticed():
    assert Report(calibrations=[10.0, 11.5, 11.9]).busy is False
    assert Report(calibrations=[9.0, 11.5, 11.9]).busy is True


class FakeState:
    """Deal, then three nodes: one in turn, one for both players, one in turn."""

    def __init__(self, node=0):
        self.node = node

    def clone(self):
        return FakeState(self.node)

    def is_terminal(self):
        return self.node == 4

    def is_chance_node(self):
        return self.node == 0

    def is_simultaneous_node(self):
        return self.node == 2

    def chance_outcomes(self):
        return [(0, 0.5), (1, 0.5)]

    def current_player(self):
        return 0

    def legal_actions(self, player=0):
        return [0, 1]

    def legal_actions_mask(self, player):
        return [1, 1]

    def observation_tensor(self, player):
        looked.append(player)
        return [0.0]

    def apply_action(self, action):
        self.node += 1

    def apply_actions(self, actions):
        assert len(actions) == 2
        self.node += 1


looked: list[int] = []


@pytest.fixture
def fake_spiel(monkeypatch):
    kind = SimpleNamespace(provides_observation_tensor=True)
    game = SimpleNamespace(
        num_players=lambda: 2, get_type=lambda: kind, new_initial_state=FakeState
    )
    module = SimpleNamespace(load_game=lambda name: {"toy": game}[name])
    monkeypatch.setitem(sys.modules, "pyspiel", module)
    looked.clear()


@pytest.mark.usefixtures("fake_spiel")
def test_peers_count_a_decision_for_each_player_of_a_simultaneous_node():
    assert peers.spiel_play("toy", tensors=False)() == 4
    assert not looked
    assert peers.spiel_play("toy", tensors=True)() == 4
    assert looked == [0, 0, 1, 0]
    assert peers.spiel_clones("toy")() == 200


@pytest.mark.usefixtures("fake_spiel")
def test_a_game_that_a_peer_lacks_is_said():
    with pytest.raises(MissingError, match="OpenSpiel has no other"):
        peers.spiel_play("other", tensors=False)


def test_a_missing_peer_is_said_and_not_an_error(monkeypatch):
    monkeypatch.setitem(sys.modules, "rlcard", None)
    absent = Peer(
        "RLCard", "uno", "uno", "core", "turns", ("goofspiel",), lambda: peers.rlcard_play("uno")
    )
    odd = Peer("Odd", "x", "x", "core", "turns", ("goofspiel",), lambda: 1 / 0)
    there = Peer("Here", "y", "y", "core", "turns", ("goofspiel",), lambda: lambda: 7)
    elsewhere = Peer("Here", "z", "z", "core", "turns", ("aquilon",), lambda: lambda: 7)
    monkeypatch.setattr(speed, "NEAREST", (absent, odd, there, elsewhere))
    report = measure(["goofspiel"], BRIEF, peers=True, compile_afresh=[], only=["core"])
    assert [p.game for p in report.peers] == ["y"]
    reasons = dict(report.left_out)
    assert "rlcard cannot be imported" in reasons["RLCard uno core"]
    assert reasons["Odd x core"].startswith("ZeroDivisionError")


def test_figures_are_short_for_people():
    assert quantity(6_570_000) == "6.57 M"
    assert quantity(48_200) == "48,200"
    assert quantity(0.789, seconds=True) == "0.79 s"
    assert quantity(12.34) == "12.3"


def test_bench_writes_tables_and_json(capsys, tmp_path):
    file = tmp_path / "speed.json"
    line = ["bench", "speed", "--games", "goofspiel", "--quick", "--layers", "core", "copies"]
    assert main([*line, "--json", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "goofspiel, 2 seats" in shown
    assert "The command: dwarrow bench speed --games goofspiel" in shown
    assert {f["layer"] for f in json.loads(file.read_text())["figures"]} == {"core", "copies"}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("bench speed --games chess", "unknown game 'chess': known are"),
        ("bench speed --games goofspiel --layers warp", "unknown layers ['warp']"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(capsys, line, words):
    assert main(line.split()) == 2
    shown = capsys.readouterr().err
    assert words in shown
    assert len(complaints(shown)) == 1


def test_learning_counts_the_decisions_it_learned_from():
    game = envs.game("goofspiel")
    assert learning.rollout(game, 3)() == learning.ROLLOUT
    assert learning.ppo(game, 3, bf16=False, batch=3000)() == 3000
