"""Paints a Picture with QPainter: on the screen, into a PNG and into an SVG alike."""

from __future__ import annotations

from PySide6.QtGui import QPaintEngine, QPainter

from warpview.ui.drawing.brush import Brush, Palette
from warpview.ui.drawing.picture import Picture
from warpview.ui.drawing.pixel_brush import PixelBrush


def ends_as_pixels(painter: QPainter) -> bool:
    """Whether nobody can tell a text or a line from a picture of it: not so in an SVG."""
    engine = painter.paintEngine()
    return engine is not None and engine.type() == QPaintEngine.Type.Raster


def paint(
    painter: QPainter,
    picture: Picture,
    colour: Palette,
    progress: float = 1.0,
    first: int = 0,
    last: int | None = None,
    exact: bool = False,
) -> None:
    """Draw the picture; ``progress`` 0..1 is how far its moving marks have come. With ``first`` or ``last`` only the
    marks between them, as a slice has them, and the covers only after the last mark of all. ``exact``: draw curves and
    strokes anew, as a picture that is zoomed needs it, and as any that does not end in pixels."""
    brush = (PixelBrush if ends_as_pixels(painter) and not exact else Brush)(painter, colour, progress)
    brush.draw(picture.marks[first:last])
    if last is not None:
        return
    for box in picture.covers:
        brush.cover(box, picture.unit)
