"""A game between people and agents: moves, what a seat is told, taking back, keeping."""

import json

import numpy as np
import pytest
from toys import known  # noqa: F401

from dwarrow import envs
from dwarrow.agents import make
from dwarrow.benchmarks.play.session import HUMAN, TAKEN_BACK, Session, resumed
from dwarrow.envs.core.replay import load, told
from dwarrow.training.match import Lineup, play_matches

GAMES = ["goofspiel", *envs.games()]


def begin(name: str, *seats: str, seed: int = 5, **options) -> Session:
    game = envs.game(name)
    return Session(game, {"players": len(seats), **options}, seed, seats)


def on(session: Session) -> Session:
    """Play on until a person is asked."""
    while session.advance():
        pass
    return session


def choose(session: Session, name: str) -> None:
    session.choose(session.game.action_id(name))


def test_agents_alone_play_the_game_that_a_match_with_this_seed_plays():
    seats = ("rule", "random", "rule")
    session = on(begin("goofspiel", *seats, seed=11))
    assert session.over
    agents = {spec: make(spec, session.game) for spec in set(seats)}
    [row] = play_matches(session.game, {}, [Lineup(11, seats)], agents)
    assert tuple(session.game.scores(session.states, 0)) == row.scores
    assert len(session.moves) == row.moves


def test_a_person_is_asked_only_where_there_is_a_choice():
    session = on(begin("goofspiel", HUMAN, "random"))
    for bid in ("bid 1", "bid 2"):
        choose(on(session), bid)
    assert on(session).over
    assert session.moves[-2].forced
    assert session.told(4, 0) == "you: bid 3 (nothing else was possible)"


def test_an_illegal_choice_is_refused_and_changes_nothing():
    session = on(begin("goofspiel", HUMAN, "random"))
    choose(session, "bid 1")
    on(session)
    before = session.states.copy()
    with pytest.raises(ValueError, match="coin 1 is spent"):
        choose(session, "bid 1")
    assert session.states == before


@pytest.mark.parametrize("name", GAMES)
def test_what_a_seat_is_told_tells_no_two_moves_apart_that_look_the_same_to_it(name: str):
    game, rng = envs.game(name), np.random.default_rng(3)
    n_told = 0
    for seed in range(3):
        states = game.new(seed=seed)
        while not game.is_over(states, 0) and states["decision"][0] < 60:
            legal, actor = game.legal(states, 0), int(states["seat"][0])
            for viewer in range(int(states["n_seats"][0])):
                by_event: dict[int, set[str]] = {}
                for action in map(int, legal if viewer != actor else ()):
                    event = game.seen(states, 0, action, actor, viewer)
                    by_event.setdefault(event, set()).add(told(game, states, actor, action, viewer))
                assert all(len(words) == 1 for words in by_event.values()), by_event
                n_told += len(by_event)
            game.step(states, 0, int(rng.choice(legal)))
    assert n_told > 10


def test_the_last_bid_in_aquilon_tells_others_only_the_coin_that_is_shown():
    session = on(begin("aquilon", HUMAN, HUMAN))
    choose(session, "bid 0 1 2")
    assert session.told(0, 1) == "seat 0 (human): something hidden"
    choose(on(session), "bid 3 1 2")
    assert session.told(1, 0) == "seat 1 (human): bid 3 (the rest is hidden)"
    assert session.told(1, 1) == "you: bid 3 1 2"


# Taking back


def walking() -> Session:
    """Return The Dwarves with a hero whose speed is rolled, about to step: nothing new to find."""
    session = on(begin("the_dwarves", HUMAN, HUMAN, seed=4))
    choose(session, "move")
    return on(session)


def test_a_choice_of_which_nothing_came_can_be_taken_back():
    session = walking()
    before = session.states.copy()
    choose(session, "hex 0 3")
    assert session.take_back(0) == 1
    assert session.states == before
    assert len(session.moves) == 1


def test_a_roll_stands():
    session = walking()  # its last choice, to move, was answered by dice
    with pytest.raises(ValueError, match="chance has decided something since: that choice stands"):
        session.take_back(0)


def test_an_answer_of_another_seat_stands():
    session = on(begin("goofspiel", HUMAN, "rule"))
    choose(session, "bid 1")
    on(session)
    with pytest.raises(ValueError, match=r"seat 1 \(rule\) has chosen since"):
        session.take_back(0)


def test_a_card_turned_up_stands_though_no_chance_was_used():
    # two lords alone at the table: the next taverns come off a deck that was shuffled long ago
    session = on(begin("aquilon", HUMAN, HUMAN, seed=2))
    while session.states["turn"][0] == 0:
        k = len(session.moves)
        legal = session.game.legal(session.states, 0)
        last = session.states["taverns"][0][2]
        seat = session.seat
        session.choose(int(legal[0]))
        on(session)
    assert (last >= 0).any()
    session.moves[k:] = [m for m in session.moves[k:] if m.seat == seat or m.forced]
    assert session.came_of(k) == "something hidden has come to light since"


def test_there_must_be_a_choice_to_take_back():
    with pytest.raises(ValueError, match="you have made no choice yet"):
        walking().take_back(1)


def test_taking_back_anyway_leaves_chance_as_it_was_and_is_written_down(tmp_path):
    session = on(begin("goofspiel", HUMAN, "rule"))
    before = session.states.copy()
    choose(session, "bid 1")
    on(session)
    answer = session.moves[1]
    assert session.take_back(0, anyway=True) == 2
    assert session.states == before
    choose(session, "bid 1")
    on(session)
    assert session.moves[1] == answer  # the agent's luck has not changed either
    session.take_back(0, anyway=True)
    choose(session, "bid 2")
    on(session)
    assert load(session.save(tmp_path / "game.jsonl")).moves[0].notes == {TAKEN_BACK: 2}


def test_taking_back_what_may_be_taken_back_is_not_written_down():
    session = walking()
    choose(session, "hex 0 3")
    session.take_back(0, anyway=True)
    choose(session, "hex 0 3")
    assert session.moves[-1].notes == {}


# Keeping


def test_a_game_that_is_continued_goes_on_as_if_never_interrupted(tmp_path):
    whole = on(begin("aquilon", HUMAN, "rule", "random"))
    first = whole.game.legal(whole.states, 0)[7]
    whole.choose(int(first))
    again = resumed(load(whole.save(tmp_path / "game.jsonl")))
    assert again.seats == whole.seats
    for _ in range(20):
        for session in (on(whole), on(again)):
            if not session.over:
                session.choose(int(session.game.legal(session.states, 0)[-1]))
    assert [m.action for m in again.moves] == [m.action for m in whole.moves]
    assert again.states.tobytes() == whole.states.tobytes()
    assert again.last_choice(0) == whole.last_choice(0)


def test_others_may_go_on_with_it(tmp_path):
    session = on(begin("goofspiel", HUMAN, "rule"))
    choose(session, "bid 1")
    replay = load(session.save(tmp_path / "game.jsonl"))
    assert resumed(replay, ("random", HUMAN)).people == [1]
    with pytest.raises(ValueError, match="3 seats are given for 2 players"):
        resumed(replay, ("random", HUMAN, HUMAN))


def test_a_tampered_file_is_refused(tmp_path):
    session = on(begin("goofspiel", HUMAN, "rule"))
    choose(session, "bid 1")
    path = session.save(tmp_path / "game.jsonl")
    lines = path.read_text().splitlines()
    lines[1] = json.dumps(json.loads(lines[1]) | {"action": "bid 2"})
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(ValueError, match="step 1: the state after 'bid 2' has digest"):
        resumed(load(path))


def test_a_finished_game_does_not_go_on(tmp_path):
    session = on(begin("goofspiel", "random", "random"))
    with pytest.raises(ValueError, match="this game is over"):
        resumed(load(session.save(tmp_path / "game.jsonl")))


def test_there_is_somebody_in_each_seat():
    with pytest.raises(ValueError, match="1 seats are given for 2 players"):
        Session(envs.game("goofspiel"), {"players": 2}, 0, (HUMAN,))
