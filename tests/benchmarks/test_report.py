import json
import re
from html.parser import HTMLParser

import pytest
from toys import known, mine  # noqa: F401
from toys.complaints import complaints

from dwarrow.benchmarks.arena.play import Arena
from dwarrow.benchmarks.arena.play import run as play_arena
from dwarrow.benchmarks.cli import main
from dwarrow.benchmarks.coop.play import Coop
from dwarrow.benchmarks.coop.play import run as play_coop
from dwarrow.benchmarks.report.page import page
from dwarrow.benchmarks.report.plots import Point, intervals, lines, ticks
from dwarrow.benchmarks.report.sources import Block, Section, sections
from dwarrow.benchmarks.results import DamagedError
from dwarrow.benchmarks.speed import Effort, measure


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    arena = Arena("goofspiel", ("rule", "greedy", "random"), players=3, games=30)
    play_arena(arena, folder / "arena.csv", "dwarrow arena goofspiel")
    play_coop(Coop("mine", ("rule",), (2,), games=40), folder / "coop.csv", "dwarrow coop mine")
    report = measure(
        ["goofspiel"], Effort(0.001, 2), peers=False, compile_afresh=[], only=["core", "masks"]
    )
    (folder / "speed.json").write_text(json.dumps(report.to_json("dwarrow bench speed")))
    run = folder / "run"
    run.mkdir()
    (run / "config.json").write_text(json.dumps({"game": "goofspiel", "seed": 0}))
    entries = [
        {
            "iteration": k,
            "seconds": 60.0 * k,
            "entropy": 1.0,
            **({"win/random": k / 4} if k % 2 else {}),
        }
        for k in range(4)
    ]
    (run / "metrics.jsonl").write_text("".join(json.dumps(e) + "\n" for e in entries))
    return folder


class Outline(HTMLParser):
    """Collects what a browser would load, and checks that tags are closed in order."""

    def __init__(self):
        super().__init__()
        self.open, self.links, self.tables, self.bare = [], [], 0, 0

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.links += [v for k, v in values.items() if k in ("src", "href", "action")]
        if tag == "table":
            self.tables += 1
            self.bare += self.open[-1] != ("div", "wide")
        if tag not in ("meta", "link"):
            self.open.append((tag, values.get("class")))

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag


def outline(text):
    found = Outline()
    found.feed(text)
    assert found.open == []
    return found


def test_the_page_holds_every_kind_of_result_and_needs_nothing_else(results, tmp_path, capsys):
    names = [str(results / n) for n in ("arena.csv", "coop.csv", "speed.json", "run")]
    assert main(["report", *names, "-o", str(tmp_path / "r.html")]) == 0
    assert "4 results in" in capsys.readouterr().out
    text = (tmp_path / "r.html").read_text()
    found = outline(text)
    assert all(link.startswith("#s") or link == "data:," for link in found.links)
    assert "<script" not in text
    assert "http" not in re.sub(r"dwarrow[^<]*", "", text)
    # on a phone the page keeps its width: every table scrolls in a box of its own
    assert 'content="width=device-width, initial-scale=1"' in text
    assert (found.bare, found.tables > 7) == (0, True)
    for words in (
        "Toy Goofspiel: arena, 3 players",
        "rating (random = 0)",
        "Control: every agent against copies of itself",
        "Toy Mine: co-op win rates",
        "slipped",
        "seed list dev",
        "Training run run (goofspiel)",
        "win share while training",
        "dwarrow arena goofspiel",
        "decisions of whole random games",
    ):
        assert words in text
    assert text.count("<svg") == 4


def test_results_of_different_packs_or_rules_are_not_mixed(results, tmp_path):
    other = tmp_path / "other.csv"
    text = (results / "arena.csv").read_text()
    pack = sections([results / "arena.csv"])[0].origin[2]
    other.write_text(text.replace(pack, "0123456789abcdef"))
    with pytest.raises(ValueError, match=r"other.csv has goofspiel with rules 1 and pack 0123456"):
        sections([results / "arena.csv", other])
    other.write_text(text.replace("goofspiel,1,", "goofspiel,2,"))
    with pytest.raises(ValueError, match="not to be mixed"):
        sections([results / "arena.csv", other])


def test_results_without_their_notes_are_shown_all_the_same(results, tmp_path):
    alone = tmp_path / "alone.csv"
    alone.write_text((results / "arena.csv").read_text())
    found = sections([alone])[0]
    assert found.facts == []
    assert found.blocks[1].rows[0][0] in ("rule", "greedy", "random")
    outline(page("t", [found]))


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("a.csv", "a,b\n", "line 1: not the header"),
        ("a.json", "{", "a.json: "),
        ("a.json", "{}", "not the result of `dwarrow bench speed --json`"),
    ],
)
def test_what_is_no_result_is_refused(tmp_path, name, text, problem):
    (tmp_path / name).write_text(text)
    with pytest.raises(DamagedError, match=problem):
        sections([tmp_path / name])


def test_wrong_use_is_one_line_and_exit_code_2(capsys, tmp_path, results):
    (tmp_path / "empty").mkdir()
    damaged = tmp_path / "damaged.csv"
    lines_ = (results / "arena.csv").read_text().splitlines(keepends=True)
    damaged.write_text("".join([*lines_[:3], lines_[3].replace(";", ",", 1), *lines_[4:]]))
    for line, words in (
        ([], "name at least one results file"),
        ([str(tmp_path / "none.csv")], "no such file or folder"),
        ([str(tmp_path / "empty")], "not the folder of a run"),
        ([str(damaged)], "line 4: 17 columns, wanted 16"),
    ):
        assert main(["report", *line]) == 2
        shown = capsys.readouterr().err
        assert words in shown
        assert len(complaints(shown)) == 1


def test_a_torn_last_line_of_a_run_does_not_matter_but_other_damage_is_named(results, tmp_path):
    run = tmp_path / "run"
    run.mkdir()
    for name in ("config.json", "metrics.jsonl"):
        (run / name).write_text((results / "run" / name).read_text())
    with (run / "metrics.jsonl").open("a") as stream:
        stream.write('{"iteration": 4, "se')
    assert sections([run])[0].blocks
    (run / "metrics.jsonl").write_text('{"iteration\n{"iteration": 1}\n')
    with pytest.raises(DamagedError, match=r"metrics\.jsonl, line 1: not JSON"):
        sections([run])


def test_text_of_results_cannot_become_markup():
    nasty = "<b>x</b>&"
    text = page(
        nasty, [Section(nasty, [Block(nasty, [nasty], [[nasty]])], [nasty], [], None, nasty)]
    )
    assert "<b>" not in text
    assert "<b>" not in intervals(nasty, [(nasty, 1.0, 0.5, 1.5)])


def test_plots_put_values_where_they_belong():
    svg = intervals("t", [("a", 0.0, -1.0, 1.0), ("b", 10.0, 9.0, 11.0)], reference=0.0)
    dots = [float(x) for x in re.findall(r'<circle cx="([\d.]+)"', svg)]
    assert 10 < dots[0] < dots[1] < 350
    assert 'class="reference"' in svg
    curve = lines("t", {"a": [Point(0, 0, 0, 0), Point(1, 1, 0.9, 1.0)]}, ["easy", "hard"])
    assert 'points="40.0,180.0 340.0,10.0"' in curve
    assert curve.count("whisker") == 1
    assert lines("t", {}) == ""


def test_ticks_are_round_numbers_within_the_range():
    assert ticks(0, 1, 5) == [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert ticks(-130, 480) == [0, 200, 400]
    assert ticks(3, 3) == [3]


def test_no_two_lines_of_a_plot_look_the_same():
    point = Point(0.0, 0.5, 0.4, 0.6)
    drawn = lines("t", {str(k): [point] for k in range(21)})
    styles = re.findall(r'<polyline [^>]*style="([^"]*)"', drawn)
    assert len(styles) == len(set(styles)) == 21
