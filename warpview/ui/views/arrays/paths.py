"""Make the paths of outlines in the image of an array, in rows and columns."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainterPath

from warpview.ui.views.arrays.arrays_model import ArrayShape
from warpview.ui.views.arrays.block_tiles import Region


def cells_path(places: Iterable[tuple[int, int]]) -> QPainterPath:
    """Return the path around cells, by (row, column)."""
    path = QPainterPath()
    for row, column in places:
        path.addRect(QRectF(column, row, 1, 1))
    return path


def frame_path(shape: ArrayShape) -> QPainterPath:
    """Return the path around the elements of an image: the last row may end before the others."""
    path, (whole, rest) = QPainterPath(), divmod(shape.count, shape.columns)
    path.addRect(QRectF(0, 0, shape.columns, whole))
    path.addRect(QRectF(0, whole, rest, int(rest > 0)))
    return path.simplified()


def region_path(region: Region | None, offset: int, without: Region | None = None) -> QPainterPath:
    """Return the path of a region as a rectangle; with ``without`` the frame around that."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.OddEvenFill)
    for each in (region, without if region is not None else None):
        if each is not None:
            path.addRect(QRectF(each.left, each.top - offset, each.columns, each.rows))
    return path
