"""AEC, parallel and vector forms play the same games as the core."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from contract.cases import module_of, play, policy

from dwarrow.envs.core.vector import VectorTable

SEEDS = range(3)


def core_game(g, seed, players):
    """Return a line per decision, seat and action, and the digest and returns at the end."""
    states, lines = None, []
    for states, action in play(g, seed, players=players):
        lines.append((int(states["seat"][0]), action, g.digest(states, 0)))
    return lines, g.digest(states, 0), g.returns(states, 0).tolist()


def test_aec_plays_the_core_game(case, g, players):
    env = module_of(g.name).env(players=players)
    for seed in SEEDS:
        lines, digest, returns = core_game(g, seed, players)
        env.reset(seed=seed)
        for seat, action, before in lines:
            assert env.digest() == before
            assert env.agent_selection == f"player_{seat}"
            view, reward, over, truncated, info = env.last()
            np.testing.assert_array_equal(view["observation"], g.observe(env.states, 0, seat))
            np.testing.assert_array_equal(view["action_mask"], g.mask(env.states, 0))
            np.testing.assert_array_equal(view["action_mask"], info["action_mask"])
            assert (reward, over, truncated) == (0, False, False)
            simultaneous = int(env.states["phase"][0]) in g.simultaneous_phases
            assert info["simultaneous"] is simultaneous
            for waiting in set(env.agents) - {env.agent_selection}:
                assert not env.observe(waiting)["action_mask"].any()
                assert not env.infos[waiting]["action_mask"].any()
            env.step(action)
        assert env.digest() == digest
        assert list(env.rewards.values()) == returns
        assert all(over is True for over in env.terminations.values())
        for agent in env.possible_agents:  # all end together and leave one by one
            assert env.agent_selection == agent
            view, reward, over, _, info = env.last()
            assert view is not None
            assert reward == returns[int(agent[-1])]
            assert over is True
            assert info["end_reason"]
            assert info["breakdown"] == g.breakdown(env.states, 0)
            env.step(None)
        assert env.agents == []


def test_parallel_plays_the_core_game_whatever_the_order_of_the_seats(case, g, players):
    """Every seat plays by its own view alone; so AEC and parallel go the same way to the byte.

    The view of a seat that decides at once with others is the one it has in its turn of the AEC
    form: that it comes later in the order tells it nothing.
    """
    env, aec = (
        module_of(g.name).parallel_env(players=players),
        module_of(g.name).env(players=players),
    )
    together = 0
    for seed in SEEDS:
        views, _ = env.reset(seed=seed)
        aec.reset(seed=seed)
        while env.agents:
            assert env.digest() == aec.digest()
            acting = list(env.acting)
            together += len(acting) > 1
            chosen = {agent: by_view(views[agent]) for agent in env.agents}
            for agent in acting:
                assert agent == aec.agent_selection
                turn = aec.observe(agent)
                for part in ("observation", "action_mask"):
                    np.testing.assert_array_equal(turn[part], views[agent][part])
                aec.step(chosen[agent])
            for agent in set(env.agents) - set(acting):
                assert not views[agent]["action_mask"].any()
                assert not env.observation_space(agent)["action_mask"].low.any()
            order = reversed(env.agents)  # of the dict: it does not matter
            views, rewards, _, _, infos = env.step({agent: chosen[agent] for agent in order})
        assert env.digest() == aec.digest()
        assert rewards == aec.rewards
        assert {a: i["breakdown"] for a, i in infos.items()} == {
            a: i["breakdown"] for a, i in aec.infos.items()
        }
    assert bool(together) == bool(g.simultaneous_phases)


def by_view(view) -> int:
    """Choose by what one seat sees."""
    legal = np.flatnonzero(view["action_mask"])
    if not len(legal):
        return 0
    return policy(legal, int(view["observation"].view(np.uint32).sum()), 0)


def test_a_pending_choice_is_hidden_from_all_others(case, g, players):
    """In a simultaneous phase all others see the same, whatever was chosen before them."""
    module, checked = module_of(g.name), 0
    env = module.env(players=players)
    for seed in SEEDS:
        env.reset(seed=seed)
        while not env.terminations.get("player_0", True) and checked < 40:
            legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
            if env._simultaneous and len(legal) > 1:
                checked += assert_hidden(g, env, legal[:: max(1, len(legal) // 4)])
            env.step(policy(legal, seed, int(env.states["decision"][0])))
    assert bool(checked) == bool(g.simultaneous_phases)


def assert_hidden(g, env, actions) -> bool:
    """Play each action on a copy; return whether one was compared."""
    shown = []
    mover = env._seat_of[env.agent_selection]
    others = [seat for seat in range(len(env.agents)) if seat != mover]
    for action in actions:
        if any(g.seen(env.states, 0, int(action), mover, seat) > 0 for seat in others):
            return False  # the last choice: now all is shown
        twin = env.clone()
        twin.step(int(action))
        if int(twin.states["phase"][0]) != int(env.states["phase"][0]):
            return False
        view = {agent: twin.observe(agent) for agent in twin.agents}
        text = [g.text(twin.states, 0, seat) for seat in others]
        shown.append((view, text))
    (first, first_text), *rest = shown
    for view, text in rest:
        assert text == first_text
        for seat in others:
            for part in ("observation", "action_mask"):
                agent = f"player_{seat}"
                np.testing.assert_array_equal(view[agent][part], first[agent][part])
    return True


def test_vector_table_plays_the_core_games(case, g, players):
    """Row i plays the games seeded i, i + n, ... with the returns and scores of each."""
    n = 4
    table = VectorTable(g, n, seed=100, players=players)
    ended = np.zeros(n, int)
    while ended.min() < 2:
        actions = np.zeros(n, np.int64)
        seeds = table.seeds.copy()
        for i in range(n):
            states, seat = table.states, int(table.seat[i])
            assert seat == states["seat"][i]
            np.testing.assert_array_equal(table.observation[i], g.observe(states, i, seat))
            np.testing.assert_array_equal(table.mask[i], g.mask(states, i))
            legal = np.flatnonzero(table.mask[i])
            actions[i] = policy(legal, int(seeds[i]), int(states["decision"][i]))
        table.step(actions)
        for i in np.flatnonzero(table.done):
            assert seeds[i] == 100 + i + n * ended[i]
            states = finished(g, int(seeds[i]), players)
            np.testing.assert_array_equal(table.returns[i][:players], g.returns(states, 0))
            np.testing.assert_array_equal(table.scores[i][:players], g.scores(states, 0))
            ended[i] += 1
            assert table.seeds[i] == 100 + i + n * ended[i]
            assert g.digest(table.states, i) == g.digest(
                g.new(1, seed=int(table.seeds[i]), players=players), 0
            )


def finished(g, seed, players):
    return [states for states, _ in play(g, seed, players=players)][-1]


def test_vector_table_checks_all_rows_before_anything_moves(any_game, g):
    table = VectorTable(g, 5)
    illegal = np.flatnonzero(table.mask[3] == 0)
    actions = table.mask.argmax(1)
    for bad in ([int(illegal[0])] if len(illegal) else []) + [-1, g.n_actions]:
        before = table.states.tobytes(), table.seeds.tobytes(), table.observation.tobytes()
        wrong = actions.copy()
        wrong[3] = bad
        with pytest.raises(ValueError, match="row 3: "):
            table.step(wrong)
        after = table.states.tobytes(), table.seeds.tobytes(), table.observation.tobytes()
        assert before == after
    with pytest.raises(ValueError, match=r"whole numbers \[5\]"):
        table.step(actions[:4])
    with pytest.raises(ValueError, match="rows"):
        table.step(actions[:2], rows=np.array([1, 1]))
    with pytest.raises(ValueError, match="rows 0 to 4"):
        table.step(actions[:2], rows=np.array([4, 5]))
    with pytest.raises(ValueError, match="read-only"):
        table.mask[:] = 1
    table.step(actions)


def test_vector_tables_run_side_by_side_in_threads(any_game, g):
    def run(seed: int) -> str:
        table = VectorTable(g, 8, seed=seed)
        for _ in range(60):
            table.step(table.mask.argmax(1))
        return "".join(g.digest(table.states, i) for i in range(8))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(run, range(6))) == [run(seed) for seed in range(6)]


def test_vector_table_mixes_player_counts_and_steps_some_rows(any_game, g):
    counts = [g.player_counts[k % len(g.player_counts)] for k in range(4)]
    table = VectorTable(g, [{"players": k} for k in counts], seed=7, auto_reset=False)
    assert table.states["n_seats"].tolist() == counts
    untouched = table.states[1:3].tobytes()
    rows = np.array([3, 0])
    while len(rows):
        table.step(table.mask[rows].argmax(1), rows)
        rows = rows[table.states["over"][rows] == 0]
    assert table.states[1:3].tobytes() == untouched
    assert table.states["over"].tolist() == [1, 0, 0, 1]
    assert not table.mask[[0, 3]].any()
    with pytest.raises(ValueError, match=r"row 0: .*the game is over"):
        table.step(np.zeros(1, np.int64), np.array([0]))
    table.begin(np.array([0]))
    assert table.mask[0].any()
