"""Pictures: valid and self-contained, the same for two states that a seat cannot tell apart."""

import re
import xml.etree.ElementTree as ET

import pytest
from contract.cases import spread

from dwarrow.envs import game
from dwarrow.envs.core.game import Game

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("seed", [3])
def test_pictures_tell_a_seat_no_more_than_it_may_know(g: Game, players: int, seed: int):
    for states in spread(g, seed, 5, players=players):
        before = g.digest(states, 0)
        for seat in range(players):
            twin = g.resample(states, 0, seat, 17)
            assert g.svg(states, 0, seat) == g.svg(twin, 0, seat)
        assert g.digest(states, 0) == before


def test_pictures_are_valid_and_need_nothing_from_elsewhere(g: Game, players: int):
    for states in spread(g, 4, 3, players=players):
        for seat in (None, *range(players)):
            document = g.svg(states, 0, seat)
            root = ET.fromstring(document)
            assert root.tag == f"{SVG}svg"
            tags = {element.tag.removeprefix(SVG) for element in root.iter()}
            assert tags <= {
                "svg", "title", "rect", "circle", "polygon", "line", "text",
            }  # fmt: skip
            assert not re.search(r"href|url\(|@import", document)


def test_nothing_is_drawn_outside_the_picture(g: Game, players: int):
    for states in spread(g, 5, 3, players=players):
        root = ET.fromstring(g.svg(states, 0))
        _, _, width, height = map(float, root.attrib["viewBox"].split())
        for element in root.iter():
            for key, limit in (("x", width), ("cx", width), ("y", height), ("cy", height)):
                assert 0 <= float(element.get(key, 0)) <= limit, ET.tostring(element)


def test_every_game_draws_a_picture_of_its_own(real_game: str):
    assert game(real_game).svg_of is not None


def test_a_notebook_shows_the_picture(any_game: str):
    states = game(any_game).new(seed=1)
    picture = game(any_game).svg(states, 0)
    assert picture._repr_svg_() == picture
