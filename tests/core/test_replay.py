"""Replays of the toy: written, read back, and refused when anything in them was changed."""

import json

import numpy as np
import pytest
import toys.known  # noqa: F401
from contract.cases import play

from dwarrow.envs import game
from dwarrow.envs.core.replay import Replay, ReplayError, load, loads, record
from dwarrow.envs.core.replay_page import page

G = game("goofspiel")
SEED = 5


def played(**options) -> Replay:
    actions = [action for _, action in play(G, SEED, players=3, **options)]
    return record(G, SEED, actions, {"players": 3, **options}, ["rule", "mcts", "human"])


@pytest.fixture
def replay() -> Replay:
    return played()


@pytest.fixture
def lines(replay: Replay) -> list[str]:
    return replay.dumps().splitlines()


def changed(lines: list[str], k: int, **values) -> str:
    data = {**json.loads(lines[k]), **values}
    rest = [*lines[:k], json.dumps(data, separators=(",", ":")), *lines[k:][1:]]
    return "\n".join(rest) + "\n"


def test_a_replay_is_read_back_as_it_was_written(replay: Replay, tmp_path):
    path = replay.save(tmp_path / "new folder" / "game.jsonl")
    assert load(path) == replay
    assert [p.name for p in path.parent.iterdir()] == ["game.jsonl"]


def test_a_replay_ends_with_the_result(replay: Replay):
    states = replay.position_at(len(replay.moves))
    assert G.is_over(states, 0)
    assert replay.result["scores"] == G.scores(states, 0).tolist()
    assert replay.result["utilities"] == pytest.approx(G.returns(states, 0).tolist(), abs=1e-6)


def test_positions_are_those_of_the_game(replay: Replay):
    true = [G.digest(states, 0) for states, _ in play(G, SEED, players=3)]
    assert [G.digest(states, 0) for states in replay.states()][:-1] == true
    with pytest.raises(ValueError, match="steps 0 to"):
        replay.position_at(len(replay.moves) + 1)


def test_an_unfinished_game_is_a_replay_without_result():
    actions = [action for _, action in play(G, SEED, players=2)][:3]
    replay = record(G, SEED, actions, {"players": 2})
    assert replay.result is None
    assert loads(replay.dumps()) == replay


def test_moves_without_a_choice_are_put_in(replay: Replay):
    chosen = []
    for states, action in play(G, SEED, players=3):
        if len(G.legal(states, 0)) > 1:
            chosen.append(action)
    assert len(chosen) < len(replay.moves)
    again = record(G, SEED, chosen, {"players": 3}, replay.agents, forced=False)
    assert again == replay


def test_an_illegal_action_is_not_recorded():
    with pytest.raises(ValueError, match="illegal"):
        record(G, SEED, [0, 0, 0, 0], {"players": 2})
    with pytest.raises(ValueError, match="1 agents for 2 seats"):
        record(G, SEED, [], {"players": 2}, ["rule"])


# Refusals


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("replay", 99, "format 99 of replay"),
        ("game", "chess", "step 0: unknown game 'chess'"),
        ("version", "0", "step 0: rules version '0' of goofspiel, this is"),
        ("components", "ab", "step 0: played with components ab, these are"),
        ("options", {"players": 99}, "step 0: option players=99"),
        ("options", {"lords": 3}, "step 0: unknown option 'lords'"),
        ("options", [], "step 0: options is"),
        ("seed", SEED + 1, "step 0: the state after set-up has digest"),
        ("seed", "five", "step 0: seed is 'five', expected int"),
        ("digest", "0", "step 0: the state after set-up has digest"),
        ("agents", ["rule"], "agents or notes were changed"),
        ("agents", ["a", "b", "c"], "agents or notes were changed"),
    ],
)
def test_a_changed_first_line_is_refused(lines: list[str], key: str, value, message: str):
    with pytest.raises(ReplayError, match=message):
        loads(changed(lines, 0, **{key: value}))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"digest": "0"}, "step 4: the state after .* has digest [0-9a-f]{16}, the replay says"),
        ({"action": "fly"}, "step 4: goofspiel has no action 'fly'"),
        ({"seat": 9}, "step 4: seat 9 moves, but seat"),
        ({"step": 5}, "step 4: the line says step 5"),
        ({"notes": []}, "step 4: notes are"),
        ({"notes": {"value": 1}}, "agents or notes were changed"),
    ],
)
def test_a_changed_move_is_refused_with_its_step(lines: list[str], values: dict, message: str):
    with pytest.raises(ReplayError, match=message):
        loads(changed(lines, 4, **values))


def test_another_legal_action_is_refused_at_its_step(replay: Replay, lines: list[str]):
    legal = G.legal(replay.position_at(0), 0)
    other = next(int(a) for a in legal if a != replay.moves[0].action)
    with pytest.raises(ReplayError, match=r"step 1: the state after .* has digest"):
        loads(changed(lines, 1, action=G.action_name(other)))


def test_an_illegal_action_is_refused_at_its_step(replay: Replay, lines: list[str]):
    mask = G.mask(replay.position_at(6), 0)
    illegal = int(np.flatnonzero(mask == 0)[0])
    with pytest.raises(ReplayError, match=r"step 7: .* is illegal"):
        loads(changed(lines, 7, action=G.action_name(illegal)))


@pytest.mark.parametrize("k", [1, 5])
def test_a_missing_move_is_refused(lines: list[str], k: int):
    with pytest.raises(ReplayError, match=f"step {k}: the line says step {k + 1}"):
        loads("\n".join(lines[:k] + lines[k + 1 :]) + "\n")


def test_a_truncated_replay_is_refused_with_its_last_step(lines: list[str]):
    with pytest.raises(ReplayError, match="truncated after step 5"):
        loads("\n".join(lines[:6]) + "\n")
    with pytest.raises(ReplayError, match="truncated in step 6"):
        loads("\n".join(lines[:7])[:-9])


def test_a_damaged_line_is_refused(lines: list[str]):
    with pytest.raises(ReplayError, match="damaged at step 3"):
        loads("\n".join([*lines[:3], "{", *lines[4:]]) + "\n")


def test_a_changed_result_is_refused(lines: list[str]):
    scores = json.loads(lines[-1])["result"]["scores"]
    result = {**json.loads(lines[-1])["result"], "scores": [99.0, *scores[1:]]}
    with pytest.raises(ReplayError, match=r"the result: scores is .*, not \[99\.0"):
        loads(changed(lines, len(lines) - 1, result=result))
    with pytest.raises(ReplayError, match="moves, the last line says 1"):
        loads(changed(lines, len(lines) - 1, moves=1))
    with pytest.raises(ReplayError, match="1 lines follow the result"):
        loads("\n".join([*lines, "{}"]) + "\n")


@pytest.mark.parametrize("text", ["", "hello\n", "[1]\n", '{"game": "goofspiel"}\n'])
def test_a_foreign_file_is_refused(text: str, tmp_path):
    path = tmp_path / "foreign.txt"
    path.write_text(text)
    with pytest.raises(ReplayError, match=r"foreign\.txt: not a replay"):
        load(path)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(ReplayError, match=r"picture\.png: not a replay"):
        load(path)


# Pages


def test_a_page_needs_nothing_from_elsewhere(replay: Replay):
    html = page(replay)
    assert html.count("</script>") == 2
    assert "http://www.w3.org/2000/svg" in html
    assert "http" not in html.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    assert "default-src 'none'" in html


def film_of(html: str) -> dict:
    return json.loads(html.split('type="application/json">')[1].split("</script>")[0])


def test_a_page_holds_the_picture_of_every_step_for_every_seat(replay: Replay):
    film = film_of(page(replay))
    for k, view in enumerate((None, 0, 1, 2)):
        for step, states in enumerate(replay.states()):
            runs = film["frames"][film["views"][k]["frames"][step]]
            lines = []
            for first, count in zip(runs[::2], runs[1::2], strict=True):
                lines += film["parts"][first : first + count]
            assert "\n".join(lines) == G.svg(states, 0, view)


def test_a_page_for_one_seat_holds_nothing_that_it_may_not_know(replay: Replay):
    html = page(replay, seat=1)
    film = film_of(html)
    assert [view["name"] for view in film["views"]] == ["seat 1 (mcts)"]
    assert f"seed {SEED}" not in html
    for states, step in zip(replay.states(), range(len(replay.moves)), strict=False):
        move = replay.moves[step]
        seat, action, _ = film["views"][0]["moves"][step]
        seen = G.seen(states, 0, move.action, move.seat, 1)
        if seen > 0:
            assert (seat, action) == (move.seat, G.action_name(move.action))
        else:
            assert action in ("something hidden", "something that this seat does not notice")
    with pytest.raises(ValueError, match="seats 0 to 2"):
        page(replay, seat=3)


def test_a_notebook_shows_the_page_in_a_frame(replay: Replay):
    assert replay._repr_html_().startswith("<iframe")
