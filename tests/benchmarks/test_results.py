import pytest

from dwarrow.benchmarks.arena.rows import FORMAT, GameRow, Origin
from dwarrow.benchmarks.results import (
    DamagedError,
    Store,
    read_notes,
    rounded,
    write_aside,
    write_notes,
)
from dwarrow.benchmarks.tuning import Outcome, keep

ORIGIN = Origin("goofspiel", "1", "abc", "{}", 3)


def row(deal, seat=0, **changes):
    base = GameRow(
        "mcts:sims=10,c=1.4",
        "random",
        deal,
        seat,
        deal,
        rounded((1, 0, -1)),
        (3.0, 2.0, 1.0),
        (3, 3, 3),
        9,
    )
    return GameRow(**{**base.__dict__, **changes})


def test_rows_read_back_as_they_were_written(tmp_path):
    rows = [
        row(0),
        row(0, 1, forfeit='seat 1: said "no", twice'),
        row(1, utilities=rounded((1 / 3,) * 3)),
    ]
    with Store(tmp_path / "x.csv", FORMAT, ORIGIN) as store:
        store.append(rows[:2])
        store.append(rows[2:])
    assert FORMAT.read(tmp_path / "x.csv")[:2] == (ORIGIN, rows)
    with Store(tmp_path / "x.csv", FORMAT, ORIGIN) as store:
        assert (store.rows, store.torn) == (rows, 0)


def test_a_torn_last_line_is_dropped_and_the_file_goes_on(tmp_path):
    path = tmp_path / "x.csv"
    with Store(path, FORMAT, ORIGIN) as store:
        store.append([row(0), row(1)])
    whole = path.read_bytes()
    for cut in range(len(whole) - len(FORMAT.line(ORIGIN, row(1))) + 1, len(whole)):
        path.write_bytes(whole[:cut])
        with Store(path, FORMAT, ORIGIN) as store:
            assert store.rows == [row(0)]
            assert store.torn > 0
            store.append([row(1)])
        assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (",random,", ",", "line 3: 15 columns, wanted 16"),
        ("1;0;-1", "1;zero;-1", "line 3: column utilities: '1;zero;-1' is no number"),
        ("3;3;3", "3;3", "line 3: column decisions: 2 seats, wanted 3"),
        ("goofspiel,1,", "goofspiel,2,", "line 3: rules 2 instead of 1; not to be mixed"),
        (",abc,", ",abd,", "line 3: pack abd instead of abc; not to be mixed"),
        ("random,1,0,1", "random,0,0,1", "line 3: the same game as line 2"),
        ("random,1,0,1", "random,1,7,1", "line 3: column seat: 7 at a table of 3"),
    ],
)
def test_a_damaged_row_is_named_by_line(tmp_path, old, new, problem):
    path = tmp_path / "x.csv"
    lines = [FORMAT.line(ORIGIN, row(k)) for k in range(3)]
    assert old in lines[1]
    lines[1] = lines[1].replace(old, new)
    path.write_text(FORMAT.header + "".join(lines))
    with pytest.raises(DamagedError) as error:
        FORMAT.read(path)
    assert str(error.value) == f"{path}, {problem}"


def test_other_files_are_not_taken_for_results(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(DamagedError, match="line 1: not the header"):
        FORMAT.read(path)
    path.write_bytes(FORMAT.header.encode() + b"\xff\n")
    with pytest.raises(DamagedError, match="line 2: not UTF-8"):
        FORMAT.read(path)


def test_rows_of_other_rules_or_packs_are_not_added(tmp_path):
    path = tmp_path / "x.csv"
    with Store(path, FORMAT, ORIGIN) as store:
        store.append([row(0)])
    before = path.read_bytes()
    for other in (
        Origin("goofspiel", "2", "abc", "{}", 3),
        Origin("goofspiel", "1", "other", "{}", 3),
        Origin("goofspiel", "1", "abc", '{"level": 2}', 3),
    ):
        with pytest.raises(DamagedError, match="write to another file"):
            Store(path, FORMAT, other)
    assert path.read_bytes() == before


def test_two_processes_cannot_write_one_file(tmp_path):
    with (
        Store(tmp_path / "x.csv", FORMAT, ORIGIN),
        pytest.raises(ValueError, match="another process is writing"),
    ):
        Store(tmp_path / "x.csv", FORMAT, ORIGIN)


def test_a_full_disk_leaves_no_half_row(tmp_path, monkeypatch):
    path = tmp_path / "x.csv"
    with Store(path, FORMAT, ORIGIN) as store:
        store.append([row(0)])
        before = path.read_bytes()

        def full(descriptor):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("os.fsync", full)
        with pytest.raises(OSError, match="No space left"):
            store.append([row(1), row(2)])
        monkeypatch.undo()
        assert path.read_bytes() == before
        assert store.rows == [row(0)]
        store.append([row(1)])
    assert FORMAT.read(path)[1] == [row(0), row(1)]


def test_ties_split_the_win_and_margins_count_from_the_best_of_the_rest():
    tied = row(0, seat=1, utilities=(0.5, 0.5, -1.0), scores=(7.0, 7.0, 2.0))
    assert (tied.win, tied.margin) == (0.5, 0.0)
    assert tied.seats == ("random", "mcts:sims=10,c=1.4", "random")


def test_notes_are_kept_beside_the_rows(tmp_path):
    assert read_notes(tmp_path / "x.csv") == {}
    write_notes(tmp_path / "x.csv", {"seed": 1})
    assert read_notes(tmp_path / "x.csv") == {"seed": 1}
    (tmp_path / "x.json").write_text("{")
    with pytest.raises(DamagedError, match=r"x\.json"):
        read_notes(tmp_path / "x.csv")


def test_a_file_that_was_replaced_between_opening_and_locking_is_opened_anew(tmp_path, monkeypatch):
    path = tmp_path / "x.csv"
    with Store(path, FORMAT, ORIGIN) as store:
        store.append([row(0)])
    lock, held = Store._lock, []

    def late(store, stream):
        if not held:
            held.append(stream)
            write_aside(path, path.read_text() + FORMAT.line(ORIGIN, row(1)))
        lock(store, stream)

    monkeypatch.setattr(Store, "_lock", late)
    with Store(path, FORMAT, ORIGIN) as store:
        assert store.rows == [row(0), row(1)]
        store.append([row(2)])
    assert held[0].closed
    assert FORMAT.read(path)[1] == [row(0), row(1), row(2)]


def test_settings_that_a_sweep_found_are_whole_or_as_they_were(tmp_path, monkeypatch):
    path = tmp_path / "tuned.json"
    found = Outcome(1.0, "random", 0.1, 0, 0.0, "ucb", 6, 0.5, 0.2, 0.8, 0.0, 1.0, 0.1)
    keep(path, "goofspiel", 2, "test", [found])
    before = path.read_bytes()

    def full(descriptor):
        raise OSError("No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        keep(path, "goofspiel", 3, "test", [found])
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
