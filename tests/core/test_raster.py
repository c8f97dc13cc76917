"""Pictures as pixels, with the renderer and without."""

import builtins

import numpy as np
import pytest
import toys.known  # noqa: F401

from dwarrow.envs import game
from dwarrow.envs.core import table_env
from dwarrow.envs.core.aec import AECGame
from dwarrow.envs.core.bitmap import text_image
from dwarrow.envs.core.raster import can_rasterise, picture_image
from dwarrow.envs.core.svg import Picture

G = game("goofspiel")


def test_shapes_come_out_where_they_were_drawn():
    picture = Picture(40)
    picture.rect(10, 5, 20, 10, "#ff0000")
    image = picture_image(picture.finish(20, "a red box"))
    assert image.dtype == np.uint8
    assert image.shape == (20, 40, 3)
    assert (image[5:15, 10:30] == (255, 0, 0)).all()
    assert (image[:4] == (0xFB, 0xF6, 0xEA)).all()
    assert picture_image(picture.finish(20, "a red box"), zoom=2).shape == (40, 80, 3)


def test_what_is_no_picture_is_refused():
    with pytest.raises(ValueError, match="unknown token"):
        picture_image("no picture")


def test_an_environment_renders_the_picture():
    env = AECGame(G, render_mode="rgb_array")
    env.reset(seed=0)
    assert can_rasterise()
    assert (env.render() == picture_image(G.svg(env.states, 0))).all()


def test_an_environment_renders_the_text_without_the_renderer(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(table_env, "can_rasterise", lambda: False)
    env = AECGame(G, render_mode="rgb_array")
    env.reset(seed=0)
    assert (env.render() == text_image(G.text(env.states, 0))).all()


def test_a_missing_renderer_is_named(monkeypatch: pytest.MonkeyPatch):
    found = builtins.__import__

    def without(name, *more, **named):
        if name == "resvg_py":
            raise ImportError(name)
        return found(name, *more, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=r"dwarrow\[pictures\]"):
        picture_image("<svg/>")
