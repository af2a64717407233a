"""What marks cover when they end as pixels: strokes turned into areas, once for all pictures that have the same mark.

Qt finds out anew for each edge, dash and curve what it covers, which takes several times as long as to fill it; and
from step to step most marks of a picture stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise, starmap
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainterPath, QPainterPathStroker

from warpview.ui.drawing.brush import cubic_path, head_of, pen_of
from warpview.ui.drawing.picture import Box, Curve, Dots, Lines, Rects

KEPT = 2048  # marks of each kind
BOXES_KEPT = 8192  # those of a grid are in many marks


class Area(NamedTuple):
    """To be filled with one colour, or to be hatched."""

    token: str
    rects: Sequence[QRectF] = ()
    paths: Sequence[QPainterPath] = ()
    smooth: bool = True
    alpha: float = 1.0
    hatched: bool = False


@lru_cache(KEPT)
def of_rects(mark: Rects) -> list[Area]:
    """Fill, hatching and edge, one upon another."""
    boxes, fill, edge, width, radius, dash, alpha, hatch = mark
    # An edge lies inside its box, so that neighbours do not overlap; that of a rounded one upon its outline.
    inset = width / 2 if edge is not None and not radius else 0.0
    smooth = radius > 0 or edge is not None
    inner = [_inner(box, inset) for box in boxes]
    outlines = [_rounded(rect, radius) for rect in inner] if radius or dash else []
    shapes: tuple[Sequence[QRectF], Sequence[QPainterPath]] = ((), outlines) if radius else (inner, ())
    areas = []
    if fill is not None:
        areas.append(Area(fill, *shapes, smooth, alpha))
    if hatch is not None:
        areas.append(Area(hatch, *shapes, smooth, hatched=True))
    if edge is not None and outlines:
        areas.append(Area(edge, paths=[_stroked(path, width, dash) for path in outlines], alpha=alpha))
    elif edge is not None:
        areas.append(Area(edge, [side for box in boxes for side in _sides(box, width)], alpha=alpha))
    return areas


@lru_cache(KEPT)
def of_lines(mark: Lines) -> list[Area]:
    segments, token, width, dash, alpha, _ = mark
    level = [rect for s in segments if (rect := _straight(*s, width)) is not None]
    if len(level) == len(segments) and not dash:
        return [Area(token, level, alpha=alpha)]
    return [Area(token, paths=[_stroked(_through([s[:2], s[2:]]), width, dash) for s in segments], alpha=alpha)]


@lru_cache(KEPT)
def of_curve(mark: Curve) -> list[Area]:
    """An open curve with its head."""
    points = mark.points
    if len(points) < 2 or mark.colour is None:
        return []
    line = cubic_path(points) if mark.cubic else _through(points)
    path = _stroked(line, mark.width, cap=Qt.PenCapStyle.SquareCap)
    if mark.arrow:
        path.addPath(head_of(points[-2], points[-1], mark.width))
    return [Area(mark.colour, paths=[path], alpha=mark.alpha)]


@lru_cache(KEPT)
def of_dots(mark: Dots) -> list[Area]:
    """Each with its edge above those before it."""
    areas = []
    for x, y in mark.centres:
        disc = QPainterPath()
        disc.addEllipse(QPointF(x, y), mark.radius, mark.radius)
        areas.append(Area(mark.fill, paths=[disc]))
        if mark.edge is not None:
            areas.append(Area(mark.edge, paths=[_stroked(disc, 1.0)]))
    return areas


@lru_cache(BOXES_KEPT)
def _inner(box: Box, inset: float) -> QRectF:
    x, y, w, h = box
    return QRectF(x + inset, y + inset, w - 2 * inset, h - 2 * inset)


@lru_cache(BOXES_KEPT)
def _sides(box: Box, width: float) -> list[QRectF]:
    """The four sides of the edge inside a box."""
    x, y, w, h = box
    left = x, y + width, width, h - 2 * width
    right = x + w - width, y + width, width, h - 2 * width
    return list(starmap(QRectF, ((x, y, w, width), (x, y + h - width, w, width), left, right)))


def _straight(x1: float, y1: float, x2: float, y2: float, width: float) -> QRectF | None:
    """What a level or upright line covers; None for a slanting one."""
    left, top, right, bottom = min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)
    if y1 == y2:
        return QRectF(left, top - width / 2, right - left, width)
    return QRectF(left - width / 2, top, width, bottom - top) if x1 == x2 else None


def _rounded(rect: QRectF, radius: float) -> QPainterPath:
    path = QPainterPath()
    path.addRoundedRect(rect, radius, radius)
    return path


def _through(points: Sequence[tuple[float, float]]) -> QPainterPath:
    """Separate pieces from point to point, without joins."""
    path = QPainterPath()
    for a, b in pairwise(points):
        path.moveTo(*a)
        path.lineTo(*b)
    return path


def _stroked(
    path: QPainterPath, width: float, dash: bool = False, cap: Qt.PenCapStyle = Qt.PenCapStyle.FlatCap
) -> QPainterPath:
    pen = pen_of(width, dash)
    pen.setCapStyle(cap)
    stroke = QPainterPathStroker(pen).createStroke(path)
    stroke.setFillRule(Qt.FillRule.WindingFill)
    return stroke
