import sys
from pathlib import Path

import pytest

from dwarrow.benchmarks import cli


@pytest.fixture(autouse=True)
def _verbs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "verbs_of_the_test"
    folder.mkdir()
    (folder / "__init__.py").write_text('"""Verbs."""\n')
    (folder / "say_it.py").write_text(
        '"""Say it.\n\nMore.\n"""\n'
        "def run(arguments):\n"
        "    if arguments == ['key']: raise KeyError('no such key: known are a, b')\n"
        "    if arguments == ['value']: raise ValueError('bad value')\n"
        "    if arguments == ['stop']: raise KeyboardInterrupt\n"
        "    if arguments == ['bug']: raise RuntimeError('a bug')\n"
        "    print(*arguments)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(cli, "PACKAGES", [*cli.PACKAGES, "verbs_of_the_test"])
    for name in [n for n in sys.modules if n.startswith("verbs_of_the_test")]:
        del sys.modules[name]


def test_a_verb_gets_the_rest_of_the_line(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["say-it", "a", "b"]) == 0
    assert capsys.readouterr().out == "a b\n"


def test_help_lists_every_verb_with_its_first_line(capsys: pytest.CaptureFixture[str]):
    assert cli.main([]) == 0
    out = capsys.readouterr().out
    for verb in cli.verbs():
        assert f"  {verb} " in out
    assert "say-it       Say it.\n" in out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["say-it", "key"], "dwarrow say-it: no such key: known are a, b"),
        (["say-it", "value"], "dwarrow say-it: bad value"),
        (["fly"], "dwarrow: unknown verb 'fly': known are "),
    ],
)
def test_what_a_user_got_wrong_is_one_line_and_exit_code_2(
    arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]
):
    assert cli.main(arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith(line)
    assert said.count("\n") == 1


def test_a_bug_keeps_its_traceback():
    with pytest.raises(RuntimeError, match="a bug"):
        cli.main(["say-it", "bug"])


def test_a_traceback_can_be_asked_for(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DWARROW_TRACEBACK", "1")
    with pytest.raises(ValueError, match="bad value"):
        cli.main(["say-it", "value"])


def test_an_interrupt_ends_quietly(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["say-it", "stop"]) == 130
    assert "interrupted" in capsys.readouterr().err
