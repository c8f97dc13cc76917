"""Golden playthroughs: every game plays today as it did when its traces were written."""

import json

from traces import FOLDER, settings, trace

from dwarrow.envs import game


def test_traces_replay_line_by_line(real_game):
    folder = FOLDER / real_game / "traces"
    for path in sorted(folder.glob("*.txt")):
        kept = path.read_text("utf-8").splitlines()
        now = trace(json.loads(kept[0]))
        for number, (old, new) in enumerate(zip(kept, now, strict=False), start=1):
            assert new == old, f"{path.name}, line {number}: see `make traces`"
        assert len(now) == len(kept), path.name


def test_every_player_count_and_option_has_its_trace(real_game):
    there = {path.name for path in (FOLDER / real_game / "traces").glob("*.txt")}
    if there:  # that there are traces at all is asked of every game with its other documents
        assert there == {f"{title}.txt" for title, _ in settings(game(real_game))}
