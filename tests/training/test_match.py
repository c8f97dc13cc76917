import itertools
import subprocess
import sys

import numpy as np
import pytest
import toys.known  # noqa: F401

from dwarrow.agents import make
from dwarrow.agents.base import Decision
from dwarrow.envs import game
from dwarrow.envs.core.replay import loads
from dwarrow.training.match import Lineup, Row, ThinkingTime, play_matches

TOY = game("goofspiel")
AGENTS = {name: make(name, TOY) for name in ("random", "greedy", "rule")}
LINEUPS = [
    Lineup(seed, seats)
    for n in (2, 3)
    for seed in range(40)
    for seats in itertools.permutations(AGENTS, n)
]


def play(lineups: list[Lineup], **more) -> list[Row]:
    return play_matches(TOY, {}, lineups, AGENTS, **more)


def test_rows_do_not_depend_on_tables_order_or_company():
    rows = play(LINEUPS)
    assert play(LINEUPS, tables=1) == rows
    assert play(LINEUPS[::-1], tables=7) == rows[::-1]
    assert play(LINEUPS[100:110]) == rows[100:110]


def test_rows_come_in_order_and_tell_of_their_lineup():
    seen: dict[int, Row] = {}
    rows = play(LINEUPS, on_row=seen.__setitem__)
    assert [(row.seed, row.seats) for row in rows] == LINEUPS
    assert [seen[k] for k in range(len(rows))] == rows
    for row in rows:
        assert len(row.utilities) == len(row.scores) == len(row.decisions) == len(row.seats)
        assert sum(row.utilities) == pytest.approx(0)
        assert row.moves == 3 * len(row.seats)
        # the last coin is forced and never asked for
        assert row.decisions == (2,) * len(row.seats)


@pytest.mark.nojit
def test_a_match_is_the_game_that_its_agents_play_one_row_at_a_time():
    """The same two scripted players, who draw no luck, through the public calls of the game."""
    (row,) = play([Lineup(5, ("greedy", "rule"))])
    states = TOY.new(1, seed=5, players=2)
    zero, word = np.zeros(1, np.int64), np.zeros(1, np.uint64)
    while not TOY.is_over(states, 0):
        agent = AGENTS[("greedy", "rule")[states["seat"][0]]]
        TOY.step(states, 0, int(agent.act(TOY, states, zero, word).action[0]))
    assert row.scores == tuple(TOY.scores(states, 0))
    assert row.utilities == tuple(TOY.returns(states, 0))


def test_a_seat_has_luck_of_its_own():
    """Both seats draw at random; over many games they do not draw alike."""
    rows = play([Lineup(seed, ("random", "random")) for seed in range(2000)])
    won = np.array([row.utilities[0] for row in rows])
    assert abs(won.mean()) < 0.06
    assert (won != 0).mean() > 0.4


def test_the_final_state_can_be_looked_at_and_time_is_counted():
    thinking = ThinkingTime()
    rows = play(LINEUPS[:9], inspect=TOY.breakdown, thinking=thinking)
    assert all(row.extra == {"end_reason": "all prizes are out"} for row in rows)
    assert sum(thinking.decisions.values()) == sum(sum(row.decisions) for row in rows)
    assert all(seconds > 0 for seconds in thinking.seconds.values())


def test_no_lineups_no_rows():
    assert play([]) == []


def test_an_unknown_name_in_a_lineup_is_named():
    with pytest.raises(ValueError, match=r"'nobody'.*'random', 'greedy', 'rule'"):
        play([Lineup(0, ("random", "nobody"))])


def test_a_number_of_seats_that_the_game_lacks_is_refused():
    with pytest.raises(ValueError, match=r"players=4: allowed are \[2, 3\]"):
        play([Lineup(0, ("random",) * 4)])


def test_matches_need_no_torch():
    code = "import sys, dwarrow.training.match; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_match_can_be_recorded_with_what_agents_thought():
    class Thinker:
        spec, ranked = "thinker", True

        def act(self, g, states, rows, words):
            mask = np.stack([g.mask(states, int(row)) for row in rows])
            policy = (mask / mask.sum(1, keepdims=True)).astype(np.float32)
            value = np.full(len(rows), 0.25, np.float32)
            return Decision(mask.argmax(1).astype(np.int64), value=value, policy=policy)

    replays = {}
    lineups = [Lineup(seed, ("thinker", "rule")) for seed in range(3)]
    agents = {"thinker": Thinker(), "rule": AGENTS["rule"]}
    rows = play_matches(TOY, {}, lineups, agents, on_replay=replays.__setitem__)
    assert rows == play_matches(TOY, {}, lineups, agents, tables=2)
    for k, row in enumerate(rows):
        replay = loads(replays[k].dumps())
        assert (replay.seed, replay.agents) == (row.seed, row.seats)
        assert tuple(replay.result["scores"]) == row.scores
        assert len(replay.moves) == row.moves
        first = replay.moves[0].notes
        assert first["value"] == 0.25
        assert first["policy"] == dict.fromkeys(TOY.actions, pytest.approx(1 / 3, abs=1e-4))
        assert [bool(move.notes) for move in replay.moves] == [True, False] * 2 + [False] * 2
