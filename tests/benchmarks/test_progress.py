import pytest

from dwarrow.benchmarks.commands import _progress


def test_the_speed_is_that_of_the_series_being_played(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    clock = iter([0, 0, 20, 40, 60])
    monkeypatch.setattr(_progress.time, "monotonic", lambda: next(clock))
    with _progress.Progress() as report:
        report(100, 200)  # what an earlier run played
        report(160, 200)
        report(10, 200)  # the next series, resumed as well
        report(20, 200)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "160 of 200 games, 3 games/s, at most 13 s left"
    assert lines[-1] == "20 of 200 games, 30.0 games/min, at most 360 s left"
