"""The verbs record and replay, and the page in a real browser."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import toys.known  # noqa: F401

from dwarrow.benchmarks import cli
from dwarrow.benchmarks.commands.replay import listing, walk
from dwarrow.envs.core.replay import Replay, load
from dwarrow.envs.core.replay_page import page


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("replays") / "game.jsonl"
    arguments = ["goofspiel", "--agents", "rule", "greedy", "random", "--seed", "4"]
    assert cli.main(["record", *arguments, "--out", str(path)]) == 0
    return path


@pytest.fixture
def replay(file: Path) -> Replay:
    return load(file)


def test_a_game_is_recorded_with_its_agents_and_forced_moves(replay: Replay):
    assert replay.agents == ("rule", "greedy", "random")
    assert replay.seed == 4
    assert replay.result is not None
    assert len(replay.moves) == 9


def test_one_agent_takes_all_seats(tmp_path: Path):
    path = tmp_path / "game.jsonl"
    cli.main(["record", "goofspiel", "--agents", "random", "--players", "2", "-o", str(path)])
    assert load(path).agents == ("random", "random")


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        (["--agents", "rule", "rule", "--players", "3"], "2 agents for 3 seats"),
        (["--agents", "chess"], "chess"),
        (["--agents", "rule", "--options", "lords=3"], "unknown option 'lords'"),
        (["--agents", "rule", "--seed", "-1"], "a seed is 0 or more"),
    ],
)
def test_what_cannot_be_played_is_refused(
    more: list[str], problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert cli.main(["record", "goofspiel", *more, "-o", str(tmp_path / "x")]) == 2
    assert problem in capsys.readouterr().err


def test_without_a_terminal_the_moves_and_the_end_are_listed(
    file: Path, replay: Replay, capsys: pytest.CaptureFixture[str]
):
    assert cli.main(["replay", str(file)]) == 0
    out = capsys.readouterr().out
    for step, move in enumerate(replay.moves, start=1):
        assert f"{step}. {replay.name_of(move.seat)} {replay.game.action_name(move.action)}" in out
    assert "points: seat 0 (rule)" in out


def test_a_seat_is_told_no_more_than_it_saw(replay: Replay):
    lines: list[str] = []
    listing(replay, 0, lines.append)
    assert "something hidden" in "\n".join(lines)


def test_a_reader_walks_through_the_positions(replay: Replay):
    answers = iter(["", "n", "b", "99", "e", "3", "what", "q"])
    asked: list[str] = []
    said: list[str] = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return next(answers)

    walk(replay, None, ask, said.append)
    steps = [int(prompt[1:].split("/")[0]) for prompt in asked]
    assert steps == [0, 1, 2, 1, 1, 9, 3, 3]
    assert sum("there are steps 0 to 9" in line for line in said) == 2
    assert replay.game.text(replay.position_at(2), 0) in said[2]


def test_a_walk_ends_with_the_input(replay: Replay):
    def ask(_: str) -> str:
        raise EOFError

    said: list[str] = []
    walk(replay, 1, ask, said.append)
    assert len(said) == 1


def test_a_replay_that_cannot_be_trusted_is_refused_in_a_line(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "changed.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:4]))
    assert cli.main(["replay", str(path)]) == 2
    assert "truncated after step 3" in capsys.readouterr().err
    assert cli.main(["replay", str(file), "--seat", "3"]) == 2
    assert "--seat 3: the replay has seats 0 to 2" in capsys.readouterr().err
    assert cli.main(["replay", str(tmp_path / "missing")]) == 2


def test_a_page_is_written(file: Path, replay: Replay, tmp_path: Path):
    out = tmp_path / "new" / "game.html"
    assert cli.main(["replay", str(file), "-o", str(out)]) == 0
    assert out.read_text("utf-8") == page(replay)


def test_a_picture_of_a_step_is_written(file: Path, replay: Replay, tmp_path: Path):
    out = tmp_path / "game.svg"
    arguments = ["replay", str(file), "-o", str(out), "--seat", "1"]
    assert cli.main([*arguments, "--step", "2"]) == 0
    assert out.read_text("utf-8") == replay.game.svg(replay.position_at(2), 0, 1)
    assert cli.main(arguments) == 0
    assert out.read_text("utf-8") == replay.game.svg(replay.position_at(9), 0, 1)


@pytest.mark.parametrize(
    ("name", "step", "problem"),
    [
        ("game.png", [], "ends with .html"),
        ("game.svg", ["--step", "10"], "steps 0 to 9"),
        ("game.html", ["--step", "1"], "a page holds every step"),
    ],
)
def test_what_cannot_be_written_is_refused(
    file: Path, name: str, step: list[str], problem: str, tmp_path: Path, capsys
):
    assert cli.main(["replay", str(file), "-o", str(tmp_path / name), *step]) == 2
    assert problem in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


# A real browser

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")

_PROBE = """<script>
const press = key => dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
const seen = () => [by("count").textContent, by("said").textContent,
  by("picture").textContent.length > 0, [...by("views").children].findIndex(
    b => b.getAttribute("aria-pressed") === "true")];
const log = [seen()];
for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "End", "Home", "1", "a"]) {
  press(key); log.push(seen());
}
by("slider").value = 4; by("slider").oninput({target: by("slider")}); log.push(seen());
by("moves").children[6].onclick(); log.push(seen());
by("speed").value = "200"; press(" ");
setTimeout(() => { log.push(seen());
  const box = document.createElement("pre"); box.id = "log";
  box.textContent = JSON.stringify(log); document.body.append(box); }, 1500);
</script>"""


def browse(path: Path) -> tuple[str, str]:
    """Return the page as it is after its scripts, and what the browser said of it."""
    browser = next((found for name in _BROWSERS if (found := shutil.which(name))), None)
    assert browser, f"no browser found: install one of {', '.join(_BROWSERS)}"
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    flags += ["--proxy-server=127.0.0.1:9", "--enable-logging=stderr", "--dump-dom"]
    flags += ["--virtual-time-budget=5000", f"--user-data-dir={path.parent / 'profile'}"]
    done = subprocess.run(
        [browser, *flags, path.as_uri()], capture_output=True, text=True, timeout=240, check=True
    )
    return done.stdout, done.stderr


@pytest.mark.slow
def test_the_page_steps_in_a_browser_without_network_or_errors(replay: Replay, tmp_path: Path):
    path = tmp_path / "game.html"
    path.write_text(page(replay).replace("</body>", f"{_PROBE}</body>"), encoding="utf-8")
    dom, said = browse(path)
    assert [line for line in said.splitlines() if "CONSOLE" in line] == []
    log = json.loads(re.search(r'<pre id="log">(.*?)</pre>', dom).group(1))

    def told(step: int) -> str:
        move = replay.moves[step - 1]
        return f"seat {move.seat} {replay.game.action_name(move.action)}" if step else "set-up"

    steps = [0, 1, 2, 1, 9, 0, 0, 0, 4, 7, 9]
    views = [0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0]
    assert log == [[f"{k} / 9", told(k), True, v] for k, v in zip(steps, views, strict=True)]
