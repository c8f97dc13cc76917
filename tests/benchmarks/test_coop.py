from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from toys import known, mine  # noqa: F401
from toys.complaints import complaints

from dwarrow.benchmarks.cli import main
from dwarrow.benchmarks.coop.play import FORMAT, Coop, CoopRow, Item, Series, levels_of, row_of, run
from dwarrow.benchmarks.coop.seeds import LISTS, seeds, seeds_hash
from dwarrow.benchmarks.coop.tables import coop_table, remarks
from dwarrow.benchmarks.results import DamagedError
from dwarrow.benchmarks.stats import Until
from dwarrow.training.match import Row

TOY = Coop("mine", ("rule", "greedy"), players=(1, 3), games=200)


def chance(level, bold):
    return (1 - level * (2 if bold else 1) / 12) ** 6


def test_seed_lists_are_frozen_and_share_no_seed():
    assert seeds_hash("dev") == "9fbcf6c6dfd46e6b"
    assert seeds_hash("test") == "6b84985d29d60aed"
    dev, test = (seeds(name, 5000) for name in LISTS)
    assert len({*dev, *test}) == 10_000
    with pytest.raises(ValueError, match="has 5000 seeds, 5001 are wanted"):
        seeds("dev", 5001)
    with pytest.raises(ValueError, match="unknown seed list 'prod': known are dev, test"):
        seeds("prod", 1)


def test_win_rates_are_the_known_ones_and_fall_with_the_level(tmp_path):
    outcome = run(TOY, tmp_path / "x.csv", "test")
    assert len(outcome.rows) == 200 * 3 * 2 * 2
    found = coop_table(outcome.rows, outcome.notes["levels"])
    assert found.levels == mine.LEVELS
    for series, cell in found.cells.items():
        level, bold = mine.LEVELS.index(series.level) + 1, series.team == "greedy"
        assert cell.share.value == pytest.approx(chance(level, bold), abs=0.12)
        assert sum(cell.losses.values()) == 200 - round(200 * cell.share.value)
        assert set(cell.losses) <= {"fell" if bold else "slipped"}
    assert Counter(step.verdict for step in found.steps)["rises"] == 0
    assert Counter(step.verdict for step in found.steps)["falls"] >= 6
    # all cells play the same seeds, so the first step of the die is shared
    assert {row.seed for row in outcome.rows} == set(seeds("dev", 200))


def test_rows_are_the_same_with_two_workers_and_after_an_interruption(tmp_path):
    whole, cut, two = (tmp_path / name for name in ("whole.csv", "cut.csv", "two.csv"))
    rows = run(TOY, whole, "test").rows

    def stop(done, most):
        if done > 700:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(TOY, cut, "test", stop)
    assert 700 < len(FORMAT.read(cut)[1]) < len(rows)
    assert run(TOY, cut, "test").rows == rows
    assert cut.read_bytes() == whole.read_bytes()
    run(replace(TOY, workers=2), two, "test")
    assert two.read_bytes() == whole.read_bytes()


def test_a_cell_stops_when_its_rate_is_known(tmp_path):
    coop = replace(TOY, players=(2,), games=1000, until=Until(0.15))
    found = coop_table(run(coop, tmp_path / "x.csv", "test").rows, mine.LEVELS)
    assert all(cell.share.interval.width <= 0.15 for cell in found.cells.values())
    assert len({cell.share.n for cell in found.cells.values()}) > 1


def test_mixed_teams_alternate_seats_and_who_begins():
    cell = Series("easy", "3", "rule with greedy")
    assert cell.seats(0) == ("rule", "greedy", "rule")
    assert cell.seats(1) == ("greedy", "rule", "greedy")
    assert replace(TOY, cross=True).teams() == ["rule", "greedy", "rule with greedy"]


def test_a_mixed_team_lies_between_its_members(tmp_path):
    coop = replace(TOY, players=(2,), levels=("fair",), games=400, cross=True)
    found = coop_table(run(coop, tmp_path / "x.csv", "test").rows, mine.LEVELS)
    rate = {series.team: cell.share.value for series, cell in found.cells.items()}
    assert rate["greedy"] < rate["rule with greedy"] < rate["rule"]


def test_heroes_are_drawn_by_number_or_named():
    assert Series("easy", "4", "rule").players == 4
    named = Series("easy", "tungdil+boindil", "rule")
    assert named.players == 2
    assert named.options() == {"difficulty": "easy", "heroes": ("tungdil", "boindil")}
    assert Series("-", "2", "rule").options() == {}
    assert levels_of(mine.GAME) == list(mine.LEVELS)


def test_a_game_with_a_forfeit_is_lost():
    item = Item(Series("easy", "2", "rule"), 3)
    row = Row(
        7, ("rule", "rule"), (1.0, 1.0), (6.0, 6.0), (3, 3), 6, ((1, "out of time"), "through")
    )
    assert row_of(item, row) == CoopRow(
        "easy", "2", "rule", 3, 7, 0, 6.0, 6, "forfeit", "rule: out of time"
    )


def test_a_level_that_is_easier_than_the_one_below_is_named():
    rng = np.random.default_rng(0)
    rows = [
        CoopRow(level, "2", "rule", deal, deal, int(rng.random() < p), 1.0, 6, "lost")
        for level, p in (("easy", 0.4), ("fair", 0.6), ("hard", 0.58))
        for deal in range(400)
    ]
    found = coop_table(rows, mine.LEVELS)
    assert [step.verdict for step in found.steps] == ["rises", "not shown"]
    notes = {"rules": "1", "pack": "p", "pack_hash": "h", "seeds": "dev"}
    text = "\n".join(remarks(found, notes))
    assert "NOT MONOTONE: rule with 2 heroes wins more on fair than on easy" in text
    assert "falls in 0 of 2 steps, rises in 1; in 1 the games do not tell" in text


def test_results_of_another_seed_list_are_not_mixed_in(tmp_path):
    small = replace(TOY, players=(2,), games=5)
    run(small, tmp_path / "x.csv", "test")
    with pytest.raises(
        DamagedError, match=r"seeds dev .* instead of test .*; write to another file"
    ):
        run(replace(small, seeds="test"), tmp_path / "x.csv", "test")


def test_an_agent_that_changed_is_refused_with_other_numbers_of_heroes_too(tmp_path, monkeypatch):
    path = tmp_path / "x.csv"
    rows = run(replace(TOY, players=(1,), games=6), path, "test").rows
    more = run(replace(TOY, games=6), path, "test")
    assert [row for row in more.rows if row.series.players == 1] == rows
    assert [*more.notes["identities"]["rule"]] == ["1", "3"]
    monkeypatch.setattr("dwarrow.benchmarks.campaign.identity", lambda *of: "newer")
    with pytest.raises(ValueError, match="rule has changed since its games were played"):
        run(replace(TOY, players=(2,), games=6), path, "test")


def test_the_command_prints_rates_reasons_and_the_check(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    line = "coop mine --agents rule --players 2 --games 60 --levels easy hard --seeds test"
    assert main(line.split()) == 0
    shown = capsys.readouterr().out
    for part in ("Won games, %", "lost by", "slipped", "falls in 1 of 1 steps", "seed list test"):
        assert part in shown
    assert "fair" not in shown
    assert (tmp_path / "results" / "coop_mine.json").exists()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            "coop goofspiel --agents rule",
            "goofspiel is competitive: measure it with `dwarrow arena`",
        ),
        ("arena mine --agents rule random", "mine is cooperative: measure it with `dwarrow coop`"),
        (
            "coop mine --agents rule --levels deep",
            "unknown level 'deep': mine has easy, fair, hard",
        ),
        ("coop mine --agents rule --players 9", "option players=9"),
        ("coop mine --agents rule rule", "at least one, none twice"),
        ("coop mine --agents rule --seeds prod", "unknown seed list 'prod'"),
        ("coop mine --agents rule --options players=3", "option players=3: give --players"),
        ("coop mine --agents rule --options difficulty=hard", "difficulty=hard: give --levels"),
        ("coop mine --agents rule --options heroes=1 --players 2", "heroes=1: give --heroes"),
        ("coop mine --agents rule --games 6000", "has 5000 seeds, 6000 are wanted"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(capsys, tmp_path, monkeypatch, line, words):
    monkeypatch.chdir(tmp_path)
    assert main(line.split()) == 2
    shown = capsys.readouterr().err
    assert words in shown
    assert len(complaints(shown)) == 1
    assert not list(tmp_path.rglob("*.csv"))
