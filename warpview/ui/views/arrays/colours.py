"""Give the colours of the elements of an array, and of the texts on them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from warpview.ui.drawing import palette
from warpview.ui.drawing.theme import Theme, contrast
from warpview.ui.views.arrays.colouring import TOKENS


@lru_cache(8)
def value_map(theme: Theme) -> pg.ColorMap:
    """Return a colour map from nearly the background to the colour of active lanes."""
    ends = [palette.colour(theme, f"heat{k}") for k in (1, 7)]
    return pg.ColorMap([0.0, 1.0], [colour.getRgb() for colour in ends])


@lru_cache(8)
def ink_change(theme: Theme) -> float:
    """Return the share of the range of values from which text in the colour of lanes' stands out more."""
    shades = [QColor(*shade).name() for shade in value_map(theme).getLookupTable(0.0, 1.0, 101).tolist()]
    lighter = (contrast(theme.on_active, shade) > contrast(theme.text, shade) for shade in shades)
    return next((k / 100 for k, better in enumerate(lighter) if better), 1.0)


@lru_cache(8)
def tint_table(theme: Theme) -> NDArray[np.uint8]:
    """Return the colours of the tokens of accesses as a lookup table: uint8[256, 4]."""
    table = np.zeros((256, 4), np.uint8)
    for k, token in enumerate(TOKENS):
        colour = palette.colour(theme, token)
        table[k] = (colour.red(), colour.green(), colour.blue(), colour.alpha())
    return table
