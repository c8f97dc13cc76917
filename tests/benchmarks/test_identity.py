import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import toys.known  # noqa: F401

from dwarrow.agents import make
from dwarrow.agents.base import Decision
from dwarrow.agents.neural.network import Network, Shape
from dwarrow.agents.neural.weights import save_weights
from dwarrow.agents.scripted import ScriptedAgent
from dwarrow.agents.search.agent import SearchAgent
from dwarrow.agents.search.lockstep import NetSearch
from dwarrow.benchmarks.arena.play import Arena, run
from dwarrow.benchmarks.identity import identity
from dwarrow.benchmarks.results import write_notes
from dwarrow.envs import game

TOY = game("goofspiel")
SPECS = ("rule", "greedy", "mcts:sims=9", "flat_mc:sims=9", "oracle_mcts:sims=9,rollout=rule")


def known_by(spec: str) -> str:
    return identity(make(spec, TOY), TOY, 2)


def change(monkeypatch: pytest.MonkeyPatch, kind: type, spec: str = "") -> None:
    """Let agents of a kind take the first legal action where two coins are left."""
    act = kind.act

    def changed(self, game, states, rows, words):
        decision = act(self, game, states, rows, words)
        for k, row in enumerate(rows):
            legal = game.legal(states, int(row))
            if len(legal) == 2 and self.spec.startswith(spec):
                decision.action[k] = legal[0]
        return decision

    monkeypatch.setattr(kind, "act", changed)


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    path = tmp_path / "weights.safetensors"
    save_weights(path, Network(TOY.observation, TOY.n_actions, Shape(8), 0), TOY)
    return path


def test_an_agent_is_the_same_in_every_process_compiled_or_not():
    script = (
        "import toys.known\n"
        "from dwarrow.agents import make\n"
        "from dwarrow.benchmarks.identity import identity\n"
        "from dwarrow.envs import game\n"
        "TOY = game('goofspiel')\n"
        f"print(*(identity(make(spec, TOY), TOY, 2) for spec in {SPECS}))"
    )
    paths = os.pathsep.join((str(Path(__file__).parents[1]), *sys.path))
    for changes in ({"PYTHONHASHSEED": "7"}, {"NUMBA_DISABLE_JIT": "1"}):
        environment = {**os.environ, "PYTHONPATH": paths, **changes}
        found = subprocess.run(
            [sys.executable, "-c", script],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert found.stdout.split() == [known_by(spec) for spec in SPECS]


def test_agents_that_choose_otherwise_differ():
    found = [known_by(spec) for spec in SPECS]
    assert "" not in found
    assert len(set(found)) == len(SPECS)
    assert known_by("random") == ""


@pytest.mark.parametrize("spec", ["rule", "greedy"])
def test_a_scripted_player_is_known_by_what_it_does(monkeypatch: pytest.MonkeyPatch, spec: str):
    was = known_by(spec)
    change(monkeypatch, ScriptedAgent, spec)
    assert known_by(spec) != was


def test_a_scripted_player_that_was_only_written_anew_is_the_same(monkeypatch: pytest.MonkeyPatch):
    was = known_by("greedy")

    def highest(self, game, states, rows, words):
        return Decision(np.array([game.legal(states, int(row))[-1] for row in rows]))

    monkeypatch.setattr(ScriptedAgent, "act", highest)
    assert known_by("greedy") == was


def test_a_search_is_known_by_what_it_chooses(monkeypatch: pytest.MonkeyPatch):
    was = known_by("mcts:sims=9")
    change(monkeypatch, SearchAgent)
    assert known_by("mcts:sims=9") != was


def test_a_search_is_another_when_the_player_changes_that_it_rolls_out_with(
    monkeypatch: pytest.MonkeyPatch,
):
    specs = "mcts:rollout=rule", "mcts:rollout=random", "mcts:advice=0.3", "mcts:rollout=greedy"
    was = [known_by(spec) for spec in specs]
    change(monkeypatch, ScriptedAgent, "rule")
    assert [known_by(s) == w for s, w in zip(specs, was, strict=True)] == [False, True, False, True]


def test_the_budget_of_a_search_is_no_part_of_it():
    same = ("mcts:seconds=0.01,c=0.7", "mcts:c=0.7,sims=3", "mcts:c=0.7,threads=2")
    assert len({known_by(spec) for spec in same}) == 1
    assert known_by("mcts:c=0.01") != known_by(same[0])


def test_a_network_is_known_by_its_weights_and_a_guided_search_by_its_choices_too(
    weights: Path, monkeypatch: pytest.MonkeyPatch
):
    specs = f"ppo:{weights}", f"mcts:sims=2,net={weights}"
    first = [known_by(spec) for spec in specs]
    assert first == [known_by(spec) for spec in specs]
    save_weights(weights, Network(TOY.observation, TOY.n_actions, Shape(8), 1), TOY)
    other = [known_by(spec) for spec in specs]
    assert all(a != b for a, b in zip(first, other, strict=True))
    change(monkeypatch, NetSearch)
    assert [known_by(spec) == o for spec, o in zip(specs, other, strict=True)] == [True, False]


def test_games_of_a_player_that_has_changed_are_not_mixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    arena = Arena("goofspiel", ("rule", "random"), 2, games=2, mirror=False)
    run(arena, tmp_path / "x.csv", "test")
    change(monkeypatch, ScriptedAgent, "rule")
    with pytest.raises(ValueError, match="rule has changed since its games were played"):
        run(arena, tmp_path / "x.csv", "test")


def test_games_of_a_player_whose_notes_are_of_all_numbers_of_seats_are_not_mixed(tmp_path: Path):
    arena = Arena("goofspiel", ("rule", "random"), 2, games=2, mirror=False)
    path = tmp_path / "x.csv"
    notes = run(arena, path, "test").notes
    write_notes(path, {**notes, "identities": {"rule": "0123", "random": ""}})
    with pytest.raises(ValueError, match="rule has changed since its games were played"):
        run(arena, path, "test")
