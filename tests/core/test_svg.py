"""The drawing helper: text stays inside its room, documents are valid XML whatever is written."""

import xml.etree.ElementTree as ET

import pytest

from dwarrow.envs.core import svg


def test_text_is_escaped_and_control_characters_are_dropped():
    picture = svg.Picture(100)
    picture.text(1, 2, "Fish & <Chips>\x07\n")
    root = ET.fromstring(picture.finish(50, "A < B & C"))
    title, text = root[0], root[2]
    assert title.text == "A < B & C"
    assert text.text == "Fish & <Chips>"


@pytest.mark.parametrize(
    "text", ["Liquor Certification", "MMMMMMMMMM", "illicit", "Andôkai’s Power"]
)
@pytest.mark.parametrize("room", [30, 60, 90, 400])
def test_a_fitted_text_is_no_wider_than_its_room(text: str, room: float):
    shown, size = svg.fitted(text, 13, room, bold=True)
    assert svg.text_width(shown, size, bold=True) <= room
    assert shown == text or shown.endswith("…")


def test_a_text_that_fits_is_left_alone_and_one_that_nearly_fits_shrinks():
    width = svg.text_width("Wanderers", 12)
    assert svg.fitted("Wanderers", 12, width) == ("Wanderers", 12)
    shown, size = svg.fitted("Wanderers", 12, 0.9 * width)
    assert shown == "Wanderers"
    assert 0.85 * 12 < size < 12


def test_text_is_wrapped_between_words():
    lines = svg.wrapped("one two three four", 10, svg.text_width("one two", 10))
    assert lines == ["one two", "three", "four"]


def test_a_letter_unknown_to_the_width_table_counts_as_wide():
    assert svg.text_width("ᚠ", 10) == 10


def test_numbers_are_short():
    picture = svg.Picture(10)
    picture.rect(1.0, 2.5, 3.333333, 4, "#000000", corner=2)
    assert picture.lines == ['<rect x="1" y="2.5" width="3.33" height="4" rx="2" fill="#000000"/>']


def test_colours_mix():
    assert svg.shade("#000000", "#ffffff", 0.5) == "#808080"
    assert svg.shade("#102030", "#ffffff", 0) == "#102030"


def test_cells_of_a_grid_follow_row_by_row():
    assert svg.rows_of(5, 2) == 3
    assert svg.grid(3, 0, 0, 2, 10, 20) == [(0, 0), (10, 0), (0, 20)]
    assert svg.rows_of(0, 2) == 0


def test_a_hexagon_has_its_corners_on_a_circle():
    corners = svg.hexagon(5, 5, 2, flat=False)
    assert len(corners) == 6
    assert all((x - 5) ** 2 + (y - 5) ** 2 == pytest.approx(4) for x, y in corners)
