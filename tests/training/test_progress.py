import io
import json
import sys
import types
from pathlib import Path

import pytest
import toys.known  # noqa: F401
from rich.console import Console

from dwarrow.training import progress as shown
from dwarrow.training.config import PPOConfig
from dwarrow.training.logging import MetricsLog, read_metrics

CONFIG = PPOConfig("goofspiel", minutes=5.0)
QUIET = PPOConfig("goofspiel", tensorboard=False)
METRICS = {
    "iteration": 3,
    "seconds": 60.0,
    "games": 1234,
    "total_decisions": 60_000,
    "decisions_per_second": 21_000.0,
    "entropy": 0.9,
    "kl": 0.004,
    "explained_variance": 0.25,
    "time/env": 0.1,
    "time/infer": 0.2,
    "time/learn": 0.7,
    "win/rule": 0.4,
}


def test_plain_lines_are_few_and_the_last_is_whole(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    with shown.progress(CONFIG, tmp_path) as show:
        for k in range(10):
            show(0.2 + k / 100, METRICS)
        show(1.0, {**METRICS, "win/rule": 0.6})
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert lines[0] == f"goofspiel: learning, run {tmp_path}"
    assert lines[1] == (
        " 20% 4:00 left | 60,000 decisions, 21,000/s | entropy 0.90 kl 0.0040 foreseen 25% | "
        "env 10% infer 20% learn 70% eval 0% | wins: rule 40%"
    )
    assert lines[2].startswith("100% 0:00 left")
    assert lines[2].endswith("wins: rule 60%")


def test_the_live_table_shows_the_figures_and_the_curve_of_wins(tmp_path: Path):
    board = shown.Board(CONFIG, tmp_path)
    for share in (0.0, 0.3, 0.99):
        board.take(0.5, {**METRICS, "win/rule": share})
    out = Console(file=io.StringIO(), width=100)
    out.print(board.table())
    text = out.file.getvalue()
    for part in (
        "21,000",
        "1,234",
        "env 10% infer 20% learn 70% eval 0%",
        "wins against rule",
        "99%",
        "▁▃█",
    ):
        assert part in text


def test_a_terminal_gets_the_live_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    with shown.progress(CONFIG, tmp_path) as show:
        show(0.2, METRICS)
    assert "wins against rule" in capsys.readouterr().out


def test_a_notebook_gets_one_line_that_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    texts: list[str] = []

    class Handle:
        def update(self, data: dict[str, str], raw: bool) -> None:
            texts.append(data["text/plain"])

    def display(data: dict[str, str], raw: bool, display_id: bool) -> Handle:
        texts.append(data["text/plain"])
        return Handle()

    class ZMQInteractiveShell: ...

    ipython = types.ModuleType("IPython")
    ipython.get_ipython = ZMQInteractiveShell  # type: ignore[attr-defined]
    ipython.display = types.ModuleType("IPython.display")  # type: ignore[attr-defined]
    ipython.display.display = display
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", ipython.display)
    with shown.progress(CONFIG, tmp_path) as show:
        show(0.5, METRICS)
        show(1.0, METRICS)
    assert texts[0] == "starting"
    assert texts[1].startswith("██████████░░░░░░░░░░  50%")
    assert texts[2].startswith("████████████████████ 100%")


def test_metrics_are_a_line_each_and_a_cut_off_line_is_left_out(tmp_path: Path):
    with MetricsLog(tmp_path, QUIET) as log:
        log.write({"iteration": 1, "x": 0.5})
        log.write({"iteration": 2, "x": 0.25})
    with (tmp_path / "metrics.jsonl").open("a") as file:
        file.write('{"iteration": 3, "x"')
    assert read_metrics(tmp_path) == [{"iteration": 1, "x": 0.5}, {"iteration": 2, "x": 0.25}]
    with MetricsLog(tmp_path, QUIET, after=1) as log:
        log.write({"iteration": 2, "x": 9})
    lines = (tmp_path / "metrics.jsonl").read_text().splitlines()
    assert [json.loads(line)["x"] for line in lines] == [0.5, 9]


def test_tensorboard_gets_the_same_numbers(tmp_path: Path):
    pytest.importorskip("tensorboard")
    with MetricsLog(tmp_path, CONFIG) as log:
        log.write({"iteration": 1, "x": 0.5})
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(tmp_path / "tensorboard"))
    events.Reload()
    assert [(e.step, e.value) for e in events.Scalars("x")] == [(1, 0.5)]
