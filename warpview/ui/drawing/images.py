"""The images of a picture's bitmaps, kept as long as steps draw the same ones again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage

IMAGES_KEPT = 16
OPAQUE = 0xFF000000  # from here on a colour lets nothing through


class Images:
    """The images of the bitmaps drawn last: most steps draw the same ones again."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, tuple[int, ...]], tuple[NDArray[np.uint8], QImage]] = OrderedDict()

    def of(self, indices: NDArray[np.uint8], colours: Sequence[QColor]) -> QImage:
        """Return the image of an array of indices, which its maker does not change any more."""
        values = tuple(c.rgba() for c in colours)
        key = (id(indices), values)
        held = self._kept.get(key)
        if held is None or held[0] is not indices:
            held = (indices, self._make(indices, values))
            self._kept[key] = held
            if len(self._kept) > IMAGES_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return held[1]

    @staticmethod
    def _make(indices: NDArray[np.uint8], values: tuple[int, ...]) -> QImage:
        table = np.zeros(256, dtype=np.uint32)
        table[: len(values)] = values
        pixels = table[indices]
        rows, columns = indices.shape
        opaque = min(values) >= OPAQUE and (not indices.size or int(indices.max()) < len(values))
        if opaque:
            return QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_RGB32).copy()
        image = QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_ARGB32)
        return image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)


IMAGES = Images()
