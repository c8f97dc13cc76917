"""Replays of every game: taken from an environment, read back here and in a fresh process."""

import subprocess
import sys

import pytest
from contract.cases import module_of, play, policy

from dwarrow.envs.core.game import Game
from dwarrow.envs.core.replay import ReplayError, load, loads, record


def test_an_environment_gives_the_replay_of_its_game(g: Game, players: int):
    env = module_of(g.name).env(players=players)
    with pytest.raises(RuntimeError, match="reset"):
        env.replay()
    env.reset(seed=8)
    while not env.terminations[env.agent_selection]:
        env.step(policy(g.legal(env.states, 0), 8, int(env.states["decision"][0])))
    replay = env.replay([f"p{seat}" for seat in range(players)])
    assert replay.moves[-1].digest == env.digest()
    assert replay.result is not None
    assert loads(replay.dumps()) == replay


def test_the_parallel_form_gives_the_same_replay(g: Game, players: int):
    aec = module_of(g.name).env(players=players)
    parallel = module_of(g.name).parallel_env(players=players)
    aec.reset(seed=9)
    parallel.reset(seed=9)
    for _ in range(6):
        if not parallel.agents:
            break
        actions = {}
        for agent in parallel.acting:
            assert agent == aec.agent_selection
            number = policy(g.legal(aec.states, 0), 9, int(aec.states["decision"][0]))
            actions[agent] = number
            aec.step(number)
        parallel.step(actions)
    assert parallel.replay() == aec.replay()


def test_a_copy_goes_its_own_way(g: Game, players: int):
    env = module_of(g.name).env(players=players)
    env.reset(seed=10)
    twin = env.clone()
    env.step(int(g.legal(env.states, 0)[0]))
    assert (len(env.replay().moves), len(twin.replay().moves)) == (1, 0)
    twin.set_state(env.get_state())
    with pytest.raises(ValueError, match="moves before set_state"):
        twin.replay()
    twin.reset(seed=11)
    assert twin.replay().seed == 11


def test_a_replay_is_checked_in_a_fresh_process(real_game: str, tmp_path):
    from dwarrow.envs import game

    g = game(real_game)
    players = g.player_counts[0]
    actions = [action for _, action in play(g, 12, players=players)]
    path = record(g, 12, actions, {"players": players}).save(tmp_path / "game.jsonl")
    code = (
        "import sys; from dwarrow.envs.core.replay import load; print(len(load(sys.argv[1]).moves))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) == len(actions)
    lines = path.read_text().splitlines(keepends=True)
    lines[-3] = lines[-3].replace('"digest":"', '"digest":"x')
    path.write_text("".join(lines))
    with pytest.raises(ReplayError, match=f"step {len(actions) - 1}: the state after"):
        load(path)
