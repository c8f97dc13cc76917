"""The conversation at the terminal: what is asked, said, refused, and hidden."""

import os
import sys
from pathlib import Path

import numpy as np
import pexpect
import pytest
from toys import known  # noqa: F401

from dwarrow import envs
from dwarrow.agents import make
from dwarrow.benchmarks import cli
from dwarrow.benchmarks.play.session import HUMAN, Session
from dwarrow.benchmarks.play.table import COMMANDS, HELP, Table
from dwarrow.benchmarks.play.words import MEANING, columns, groups

CURTAIN = "=== curtain ==="


def sit(tmp_path: Path, name: str, *seats: str, seed: int = 5, allow_undo: bool = False, **options):
    """Return a table and a function that plays the given lines and returns all that was said."""
    game = envs.game(name)
    said: list[str] = []
    lines: list[object] = []

    def ask(prompt: str) -> str:
        said.append(prompt)
        if not lines:
            raise EOFError
        line = lines.pop(0)
        if isinstance(line, BaseException):
            raise line
        return str(line)

    table = Table(
        Session(game, {"players": len(seats), **options}, seed, seats),
        ask,
        said.append,
        lambda: make("mcts:sims=50", game),
        lambda: said.append(CURTAIN),
        tmp_path / "game.jsonl",
        allow_undo,
    )

    def play(*typed: object) -> str:
        lines[:] = typed
        said.clear()
        table.play()
        assert lines == [], "not all that was typed was asked for"
        return "\n".join(said)

    return table, play


def test_a_game_by_number_name_and_beginning(tmp_path: Path):
    table, play = sit(tmp_path, "goofspiel", HUMAN, "rule")
    shown = play("3", "B 1")
    assert [m.action for m in table.session.moves if m.seat == 0] == [2, 0, 1]
    assert "1) bid 1" in shown
    assert "The game is over: all prizes are out." in shown
    assert "seat 1 (rule): bid" in shown  # what is shown to all is told
    assert not (tmp_path / "game.jsonl").exists()


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("9", "9: your choices have the numbers 1 to 3"),
        ("0", "0: your choices have the numbers 1 to 3"),
        ("b", "round 0"),  # the board
        ("bid", "'bid' may be 1) bid 1, 2) bid 2, 3) bid 3"),
        ("bid 4", "'bid 4' is no choice: type a number or a name"),
        ("sing", "'sing' is no choice"),
        ("undo", "you have made no choice yet"),
        ("undo 3", "'undo 3' is no choice"),
        ("why", "why WHAT?"),
        ("why sing", "'sing' is no action of Toy Goofspiel"),
        ("why bid 2", "'bid 2' is legal now"),
        ("save /dev/null/game.jsonl", "not saved: "),
        ("h", HELP),
        ("l", "Your choices, seat 0"),
        ("?", "seat 0 expects"),
        ("\x00\u2603 ☃", "is no choice"),
        ("  ", "seat 0> "),
        ("-1", "'-1' is no choice"),
        ("1.5", "'1.5' is no choice"),
    ],
)
def test_whatever_else_is_typed_is_answered_and_the_game_goes_on(tmp_path, typed, answer):
    table, play = sit(tmp_path, "goofspiel", HUMAN, "rule")
    shown = play(typed, "bid 1", "bid 2")
    assert answer in shown.split("seat 0> ", 1)[1]
    assert table.session.over


def test_a_choice_that_is_not_legal_now_is_explained(tmp_path: Path):
    _, play = sit(tmp_path, "goofspiel", HUMAN, "rule")
    shown = play("bid 1", "bid 1", "why BID 1", "bid 2")
    assert shown.count("'bid 1' is illegal: coin 1 is spent.") == 2


def test_end_of_input_and_quit_save_and_another_session_goes_on(tmp_path: Path):
    for stop in ("q", "quit", EOFError()):
        table, play = sit(tmp_path, "goofspiel", HUMAN, "rule")
        assert "saved; to go on: dwarrow play --resume" in play("bid 1", stop)
        assert not table.session.over
        assert (tmp_path / "game.jsonl").exists()


def test_ctrl_c_saves_too(tmp_path: Path):
    _, play = sit(tmp_path, "goofspiel", HUMAN, "rule")
    with pytest.raises(KeyboardInterrupt):
        play("bid 1", KeyboardInterrupt())
    assert (tmp_path / "game.jsonl").exists()


def test_between_two_people_falls_a_curtain(tmp_path: Path):
    _, play = sit(tmp_path, "goofspiel", HUMAN, HUMAN, HUMAN)
    shown = play("", "bid 3", "", "bid 2", "", "bid 1", "", "q")
    # a curtain falls before and after the question whether the right person looks
    private, questions = shown.split(CURTAIN)[2::2], shown.split(CURTAIN)[1::2]
    assert [f"seat {k}> " in part for k, part in enumerate((*private[:3], private[3]))] == [
        True, True, True, False,
    ]  # fmt: skip
    assert all("Press Enter when nobody else looks" in part for part in questions)
    assert "bid 3" not in private[1].split("Your choices")[0]
    assert "seat 0 (human): something hidden" in private[1]
    assert "bid hidden" in private[2]
    assert private[2].count("something hidden") == 2
    assert "you: bid 3" in private[3]
    assert "seat 2 (human): bid 1" in private[3]  # it was the last, and all bids are shown


def test_where_nothing_is_secret_there_is_no_curtain(tmp_path: Path):
    _, play = sit(tmp_path, "the_dwarves", HUMAN, HUMAN, seed=4)
    assert CURTAIN not in play("move", "hex 0 3", "q")


def test_a_hint_is_the_same_for_all_that_the_seat_cannot_tell_apart(tmp_path: Path):
    hints = set()
    for draw in range(4):
        table, play = sit(tmp_path, "aquilon", HUMAN, HUMAN, HUMAN)
        session = table.session
        session.choose(0)
        session.states[:] = session.game.resample(session.states, 0, 1, draw)
        hints.add(play("", "?").split("seat 1> ")[-2])
    [hint] = hints
    assert "visits" in hint
    assert hint.count(") bid ") == 10
    assert "others are left out" in hint


def test_undo_shows_the_position_before_the_choice(tmp_path: Path):
    table, play = sit(tmp_path, "the_dwarves", HUMAN, seed=4)
    shown = play("move", "hex 0 3", "u", "q")
    assert "1 move taken back" in shown
    assert len(table.session.moves) == 1
    boards = shown.split("The Dwarves, ")[1:]
    assert [part.split("Your choices")[0] for part in boards[1::2]] == [
        boards[1].split("Your choices")[0]
    ] * 2


def test_undo_after_an_answer_needs_leave(tmp_path: Path):
    _, play = sit(tmp_path, "goofspiel", HUMAN, "rule")
    assert "that choice stands; --allow-undo" in play("bid 1", "undo", "bid 2")
    table, play = sit(tmp_path, "goofspiel", HUMAN, "rule", allow_undo=True)
    shown = play("bid 1", "undo", "bid 2", "bid 3")
    assert "2 moves taken back" in shown
    assert [m.action for m in table.session.moves if m.seat == 0][:2] == [1, 2]


@pytest.mark.parametrize("name", list(MEANING))
def test_every_game_is_played_through_by_numbers(tmp_path: Path, name: str):
    rng = np.random.default_rng(1)
    players = {"the_duel": 2, "dwar7s_fall": 2}.get(name, 3)
    seats = [HUMAN, *["random"] * (players - 1)]
    table, _ = sit(tmp_path, name, *seats)
    session, n_asked = table.session, 0
    table.say = lambda line: None

    def ask(prompt: str) -> str:
        nonlocal n_asked
        n_asked += 1
        return str(rng.integers(1, 1 + len(session.game.legal(session.states, 0))))

    table.ask = ask
    assert table.play()
    assert n_asked > 10


@pytest.mark.parametrize("name", list(MEANING))
def test_choices_are_told_alike_whatever_the_seat_cannot_know(name: str):
    game, rng = envs.game(name), np.random.default_rng(2)
    details, verbs = 0, set()
    for seed in range(4):
        states = game.new(seed=seed)
        while not game.is_over(states, 0) and states["decision"][0] < 120:
            seat = int(states["seat"][0])
            listed = groups(game, states)
            assert listed == groups(game, game.resample(states, 0, seat, seed))
            choices = [choice for group in listed for choice in group.choices]
            assert [c.number for c in choices] == [*range(1, len(choices) + 1)]
            assert sorted(c.action for c in choices) == list(game.legal(states, 0))
            details += sum(bool(c.detail) for c in choices)
            verbs |= {group.meaning for group in listed}
            game.step(states, 0, int(rng.choice(game.legal(states, 0))))
    assert details > 20
    assert len(verbs) > 3


@pytest.mark.parametrize("name", list(MEANING))
def test_every_verb_has_a_meaning_and_none_is_a_command(name: str):
    verbs = {action.split(" ")[0] for action in envs.game(name).actions}
    assert verbs == set(MEANING[name])
    commands = {*COMMANDS.values(), "why", "save"}
    assert not commands & {action.lower() for action in envs.game(name).actions}
    assert not any(verb.isdigit() or verb in commands for verb in verbs)


def test_columns_are_read_downwards():
    assert columns(["a", "b", "c"], 12) == ["  a   c", "  b"]
    assert columns(["a long one", "b"], 5) == ["  a long one", "  b"]


# The command


def test_piped_lines_play_a_game_and_a_file_goes_on(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    typed = iter(["bid 1\n", "q\n", "bid 2\n"])
    monkeypatch.setattr("sys.stdin.readline", lambda: next(typed))
    line = ["play", "goofspiel", "--seats", HUMAN, "rule", "--seed", "3"]
    assert cli.main(line) == 0
    assert "Toy Goofspiel, seed 3: seat 0 (human), seat 1 (rule)" in capsys.readouterr().out
    assert cli.main(["play", "--resume", "play-goofspiel-3.jsonl"]) == 0
    assert "the whole game: dwarrow replay play-goofspiel-3.jsonl" in capsys.readouterr().out
    assert cli.main(["play", "--resume", "play-goofspiel-3.jsonl"]) == 2
    assert "this game is over" in capsys.readouterr().err
    assert cli.main(["replay", "play-goofspiel-3.jsonl"]) == 0


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("play", "say what to play: aquilon"),
        ("play chess", "unknown game 'chess'"),
        ("play goofspiel --seats rule rule", "nobody to ask: name 'human'"),
        ("play goofspiel --seats human wizard", "unknown agent 'wizard'"),
        ("play goofspiel --seats human rule --options players=3", "2 seats are given for 3"),
        ("play goofspiel --seats human", "option players=1"),
        ("play goofspiel --seats human rule --hint rule", "take flat_mc or mcts"),
        ("play goofspiel --seats human rule --hint oracle_mcts:sims=9", "take flat_mc or mcts"),
        ("play goofspiel --seats human rule --seed -1", "seed=-1"),
        ("play --resume nothing.jsonl", "nothing.jsonl"),
        ("play goofspiel --resume nothing.jsonl", "leave them out"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_line(tmp_path, monkeypatch, capsys, line, problem):
    monkeypatch.chdir(tmp_path)
    assert cli.main(line.split()) == 2
    assert problem in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_in_a_real_terminal_with_ctrl_c(tmp_path: Path):
    arguments = ["-m", "dwarrow.benchmarks.cli", "play", "aquilon", "--seed", "7"]
    arguments += ["--seats", "human", "rule", "rule", "--hint", "mcts:sims=20"]
    child = pexpect.spawn(
        sys.executable, arguments, cwd=str(tmp_path), encoding="utf-8", timeout=240,
        dimensions=(60, 160), env={**os.environ, "TERM": "xterm"},
    )  # fmt: skip
    child.expect_exact("seat 0> ")
    child.sendline("nonsense")
    child.expect_exact("'nonsense' is no choice")
    child.expect_exact("seat 0> ")
    child.sendline("?")
    child.expect_exact("seat 0 expects")
    child.expect_exact("seat 0> ")
    child.sendline("bid 0 1 2")
    child.expect_exact("you: bid 0 1 2")
    child.expect_exact("seat 0> ")
    child.sendintr()
    child.expect_exact("saved; to go on: dwarrow play --resume play-aquilon-7.jsonl")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == cli.INTERRUPTED
    assert (tmp_path / "play-aquilon-7.jsonl").exists()
