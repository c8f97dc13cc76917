"""`dwarrow.duel`: two agents, one call, a frame."""

import numpy as np
import pytest

import dwarrow
from dwarrow import envs
from dwarrow.benchmarks import bar
from dwarrow.benchmarks.stats import wilson
from dwarrow.training import match


def duel(a="rule", b="random", game="aquilon", games=12, **more):
    return dwarrow.duel(a, b, game=game, games=games, progress=False, **more)


def test_it_is_what_import_dwarrow_gives():
    assert "duel" in dir(dwarrow)
    assert dwarrow.envs is envs
    with pytest.raises(AttributeError, match="no attribute 'dual'"):
        _ = dwarrow.dual


def test_a_row_an_agent_with_share_interval_and_seats():
    frame = duel(players=3)
    assert list(frame.index) == ["rule", "random"]
    for _, row in frame.iterrows():
        assert row["games"] == 12
        assert row["share"] == row["wins"] / 12
        assert (row["low"], row["high"]) == wilson(row["wins"], 12)
        assert row["fair"] == pytest.approx(1 / 3)
        assert row["margin low"] <= row["margin"] <= row["margin high"]
        assert np.mean([row[f"seat {k}"] for k in range(3)]) == pytest.approx(row["share"])
    assert frame.loc["rule", "share"] > 0.8 > 0.2 > frame.loc["random", "share"]
    assert frame.attrs["options"]["players"] == 3
    assert frame.attrs["interrupted"] is False


def test_two_seats_make_one_set_of_games_seen_from_both_sides():
    frame = duel(players=2)
    assert frame["wins"].sum() == 12
    assert frame.loc["rule", "margin"] == -frame.loc["random", "margin"]


def test_games_are_rounded_up_to_whole_deals_with_seats_rotated():
    frame = duel(players=3, games=4, per_game=True)
    assert len(frame) == 12
    assert (
        frame.groupby(["agent", "deal"])["seat"].apply(sorted).map(list).tolist() == [[0, 1, 2]] * 4
    )


def test_the_summary_follows_from_the_games():
    games, summary = duel(players=2, per_game=True), duel(players=2)
    np.testing.assert_allclose(
        games.groupby("agent")["win"].sum().loc[summary.index], summary["wins"]
    )
    np.testing.assert_allclose(
        games.groupby("agent")["margin"].mean().loc[summary.index], summary["margin"]
    )


def test_the_same_seed_gives_the_same_table_and_another_seed_another():
    assert duel(players=2).equals(duel(players=2))
    assert not duel(players=2).equals(duel(players=2, seed=99))


def test_an_agent_against_itself_shares_evenly_and_keeps_two_names():
    frame = duel("rule", "rule", players=2)
    assert list(frame.index) == ["rule (a)", "rule (b)"]
    assert list(frame["share"]) == [0.5, 0.5]


def test_functions_and_objects_may_play():
    def first(observation, mask):
        return int(mask.argmax())

    class Rule:
        def __init__(self):
            self.agent = dwarrow.agents.make("rule", envs.game("aquilon"))

        def act(self, game, states, rows, words):
            return self.agent.act(game, states, rows, words)

    frame = duel(Rule(), first, players=2)
    assert list(frame.index) == ["Rule", "first"]
    assert frame.loc["Rule", "wins"] == duel("rule", first, players=2).loc["rule", "wins"]


def test_in_a_cooperative_game_each_plays_the_same_deals_alone():
    frame = duel("rule", "random", game="the_dwarves", games=6, players=2, difficulty="easy")
    assert list(frame["games"]) == [6, 6]
    assert frame["fair"].isna().all()
    assert "margin" not in frame
    assert frame.loc["rule", "points"] > frame.loc["random", "points"]


def test_ctrl_c_returns_the_deals_that_were_played_whole(monkeypatch, capsys):
    calls = []

    def play(*arguments, **more):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return match.play_matches(*arguments, **more)

    monkeypatch.setattr("dwarrow.benchmarks.duel.play_matches", play)
    frame = duel(players=2, games=40)
    assert frame.attrs["interrupted"] is True
    played = int(frame["games"].iloc[0])
    assert 0 < played < 40
    assert f"interrupted; {played} of 40 games" in capsys.readouterr().err
    monkeypatch.undo()
    assert frame.equals(duel(players=2, games=played))  # no game is there because it was short


def test_ctrl_c_at_once_leaves_an_empty_table(monkeypatch):
    def play(*arguments, **more):
        raise KeyboardInterrupt

    monkeypatch.setattr("dwarrow.benchmarks.duel.play_matches", play)
    frame = duel(players=2)
    assert list(frame["games"]) == [0, 0]
    assert frame["share"].isna().all()
    assert list(frame["low"]) == [0, 0]
    assert list(frame["high"]) == [1, 1]


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"a": "chess"}, "unknown agent 'chess'"),
        ({"players": 9}, "option players=9"),
        ({"games": 0}, "at least 1 game"),
        ({"seed": -1}, "seed of 0 or more"),
        ({"colour": 3}, "unknown option 'colour'"),
    ],
)
def test_what_does_not_fit_is_said(wrong, problem):
    with pytest.raises(ValueError, match=problem):
        duel(**wrong)


def test_the_line_says_how_far_and_how_long():
    assert bar.line(30, 120, "games", 10.0) == (
        "██████░░░░░░░░░░░░░░░░░░ 30 of 120 games, 10 s, 30 s left"
    )
    assert bar.line(120, 120, "games", 40.0).endswith(" 120 of 120 games, 40 s")


def test_a_terminal_shows_the_line_and_a_pipe_nothing(monkeypatch, capsys):
    dwarrow.duel("rule", "random", game="aquilon", games=2, players=2)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    dwarrow.duel("rule", "random", game="aquilon", games=2, players=2)
    assert "2 of 2 games" in capsys.readouterr().err
