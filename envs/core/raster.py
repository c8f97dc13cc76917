"""SVG pictures as arrays of pixels, with resvg and Pillow: the extra ``pictures``."""

from __future__ import annotations

import io
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray


def can_rasterise() -> bool:
    """Return whether what `picture_image` needs is installed."""
    return find_spec("resvg_py") is not None and find_spec("PIL") is not None


def picture_image(svg: str, zoom: float = 1) -> NDArray[np.uint8]:
    """Draw an SVG document as an image [height, width, 3]; letters come from the system's fonts.

    Raises:
        ImportError: the extra ``pictures`` is not installed.
        ValueError: `svg` is no SVG document.
    """
    try:
        import resvg_py
        from PIL import Image
    except ImportError:
        raise ImportError("pictures as pixels need pip install 'dwarrow[pictures]'") from None
    drawn = bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=zoom))
    with Image.open(io.BytesIO(drawn)) as image:
        return np.array(image.convert("RGB"), np.uint8)
