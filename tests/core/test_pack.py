from pathlib import Path

import pytest

from dwarrow.envs.core.pack import Pack, PackError, integer, one_of, optional_text, text

COLUMNS = {
    "name": text,
    "value": integer(0, 9),
    "gem": one_of(("red", "blue"), empty=-1),
    "note": optional_text,
}
GOOD = "name,value,gem,note,source\nRuby,3,red,,rulebook\nRock,0,,x,reconstructed\n"


def pack(folder: Path, content: str = GOOD) -> Pack:
    (folder / "cards.csv").write_text(content, "utf-8")
    return Pack("toy", folder)


def test_a_table_is_read_with_its_provenance(tmp_path):
    built_in = pack(tmp_path)
    rows = built_in.table("cards.csv", COLUMNS)
    assert rows[0] == {"name": "Ruby", "value": 3, "gem": 0, "note": "", "source": "rulebook"}
    assert rows[1]["gem"] == -1
    assert built_in.provenance() == {"cards.csv": {"rulebook": 1, "reconstructed": 1}}
    assert built_in.name == "built-in"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            GOOD.replace("Ruby,3", "Ruby,x"),
            "row 2, column value: 'x' is not allowed; wanted a whole number from 0 to 9",
        ),
        (GOOD.replace("Ruby,3", "Ruby,10"), "row 2, column value: '10'"),
        (
            GOOD.replace("Rock,0,,", "Rock,0,green,"),
            r"row 3, column gem: 'green' is not allowed; wanted one of \['red', 'blue'\]",
        ),
        (GOOD.replace("Ruby", ""), "row 2, column name: '' is not allowed; wanted some text"),
        (GOOD.replace("rulebook", "hearsay"), "row 2, column source: 'hearsay'"),
        (GOOD.replace(",source", ",origin"), r"columns are .*'origin'\], wanted .*'source'\]"),
        ("", "columns are None"),
        (GOOD.replace("Ruby,3,red,,rulebook", "Ruby,3"), "row 2, column gem|row 2, column source"),
    ],
)
def test_a_bad_cell_is_named_by_file_row_and_column(tmp_path, content, said):
    with pytest.raises(PackError, match=said) as error:
        pack(tmp_path, content).table("cards.csv", COLUMNS)
    assert "cards.csv" in str(error.value)


def test_missing_files_and_folders_are_named(tmp_path, monkeypatch):
    with pytest.raises(PackError, match=r"coins\.csv: missing"):
        pack(tmp_path).table("coins.csv", COLUMNS)
    monkeypatch.setenv("DWARROW_PACK_TOY", str(tmp_path / "nowhere"))
    with pytest.raises(PackError, match=r"DWARROW_PACK_TOY=.*nowhere: no such folder"):
        Pack("toy", tmp_path)


def test_a_chosen_folder_replaces_the_built_in_one(tmp_path, monkeypatch):
    built_in, mine = tmp_path / "cards", tmp_path / "mine"
    built_in.mkdir()
    mine.mkdir()
    theirs = pack(built_in)
    pack(mine, GOOD.replace("Ruby,3", "Ruby,4"))
    monkeypatch.setenv("DWARROW_PACK_TOY", str(mine))
    chosen = Pack("toy", built_in)
    assert chosen.name == "mine"
    assert chosen.table("cards.csv", COLUMNS)[0]["value"] == 4
    assert chosen.hash != theirs.hash


def test_counts_of_the_rulebook_are_checked(tmp_path):
    built_in = pack(tmp_path)
    built_in.expect("cards.csv", "number of cards", 2, 2)
    with pytest.raises(PackError, match=r"cards\.csv: number of cards is 2, the rulebook says 3"):
        built_in.expect("cards.csv", "number of cards", 2, 3)


def test_toml_is_read_or_refused(tmp_path):
    (tmp_path / "track.toml").write_text("steps = [1, 2]\n")
    assert pack(tmp_path).toml("track.toml") == {"steps": [1, 2]}
    (tmp_path / "track.toml").write_text("steps = [1, 2\n")
    with pytest.raises(PackError, match=r"track\.toml"):
        pack(tmp_path).toml("track.toml")
