"""What ends as pixels is drawn from what is kept: nearly the same pixels as those of strokes and of fresh texts."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from warpview.ui.drawing import faces, pixel_brush
from warpview.ui.drawing.brush import Brush
from warpview.ui.drawing.picture import Box, Lines, Picture, s_curve
from warpview.ui.drawing.pixel_brush import PixelBrush
from warpview.ui.drawing.theme import DARK, LIGHT, Theme

Pixels = NDArray[np.uint8]
CLEAR = 60  # of 255: a pixel that looks different
SHARE = 0.002  # of the pixels may: corners are sharp, and pieces of a curve overlap without a trace


def new_picture() -> Picture:
    return Picture(300.0, 120.0, 13.0, faces.measure)


def texts() -> Picture:
    made = new_picture()
    for k, words in enumerate(("w0", "32/32", "waits for memory", "0x1f80", "1.25e5", "→ AV To")):
        made.text(10 + 47.3 * k, 20.6 + 15 * k, words, 9.5 + k, align=k % 3 - 1, bold=k % 2 == 1, mono=k % 3 == 0)
    return made


def edges() -> Picture:
    made = new_picture()
    boxes = [Box(8.3 + 33.7 * k, 9.4, 24.6, 18.9) for k in range(8)]
    for row, (width, radius, dash) in enumerate(((1.2, 0.0, False), (2.0, 4.0, False), (1.0, 0.0, True))):
        made.rects([b._replace(y=b.y + 36 * row) for b in boxes[:4]], "raised", "idle", width, radius, dash)
        made.rects([b._replace(y=b.y + 36 * row) for b in boxes[4:]], None, "barrier", width, radius, dash, 0.8)
    made.rects(boxes[2:5], "glow", hatch="barrier")
    return made


def curves() -> Picture:
    made = new_picture()
    for k in range(8):
        made.curve(s_curve(10 + 20.3 * k, 10, 150.5 - 9 * k, 100), "active", 1.7, alpha=0.9, motion=True, cubic=True)
    made.curve([(170, 20), (250.5, 30), (220, 80)], "text", 1.2, arrow=True)
    made.curve([(180, 90), (250, 95), (240, 115)], "text", 1.2, fill="wasted")
    made.dots([(200.4 + 5 * k, 60.3) for k in range(8)], 4.4, "conflict", "text")
    made.lines([(260, 10, 290, 100), (290.5, 10, 262, 80)], "accent", 1.5)
    made.lines([(160.5, 10, 160.5, 110)], "accent", 1.5, dash=True)
    return made


def painted(
    made: Picture, kind: type[Brush], theme: Theme = LIGHT, ratio: float = 1.0, progress: float = 1.0
) -> Pixels:
    """A picture as it is drawn the second time: uint8[height, width, 3]."""
    for _ in range(2):
        image = QImage(round(300 * ratio), round(120 * ratio), QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        image.fill(theme.qcolor("panel"))
        painter = QPainter(image)
        kind(painter, theme.qcolor, progress).draw(made.marks)
        painter.end()
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[:, :, :3].copy()


def differ(one: Pixels, other: Pixels) -> Pixels:
    """The largest difference of a colour: uint8[height, width]."""
    return np.abs(one.astype(np.int16) - other).max(axis=2).astype(np.uint8)


def test_kept_texts_are_the_pixels_of_drawn_texts(qapp: QApplication) -> None:
    assert not differ(painted(texts(), PixelBrush), painted(texts(), Brush)).any()


def test_texts_are_laid_out_when_they_come_a_second_time(qapp: QApplication) -> None:
    pixel_brush._words.cache_clear()
    made = texts()
    page = QImage(300, 120, QImage.Format.Format_RGB32)
    laid = []
    for _ in range(2):
        painter = QPainter(page)
        PixelBrush(painter, LIGHT.qcolor, 1.0).draw(made.marks)
        painter.end()
        laid.append([pixel_brush._words(mark[2:]).laid is not None for mark in made.marks])
    assert laid == [[False] * len(made.marks), [True] * len(made.marks)]


@pytest.mark.parametrize("ratio", [1.0, 2.0])
@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("make", [edges, curves])
def test_areas_look_like_strokes(qapp: QApplication, make: object, theme: Theme, ratio: float) -> None:
    assert callable(make)
    areas, strokes = (painted(make(), kind, theme, ratio) for kind in (PixelBrush, Brush))
    assert (differ(areas, strokes) > CLEAR).mean() < SHARE
    assert (areas.reshape(-1, 3) != areas[0, 0]).any(axis=1).mean() > 0.05


def test_level_lines_are_the_pixels_of_stroked_lines(qapp: QApplication) -> None:
    made = new_picture()
    made.lines([(10.3, 5.4 + 9 * k, 280.6, 5.4 + 9 * k) for k in range(8)], "text", 1.0)
    made.lines([(10.3 + 20 * k, 110.2, 10.3 + 20 * k, 80.0) for k in range(8)], "active", 2.4)
    areas, strokes = painted(made, PixelBrush), painted(made, Brush)
    assert differ(areas, strokes).max() <= 20
    assert areas.min() < 128


def test_what_moves_is_drawn_as_far_as_it_has_come(qapp: QApplication) -> None:
    half = painted(curves(), PixelBrush, progress=0.5)
    assert (differ(half, painted(curves(), Brush, progress=0.5)) > CLEAR).mean() < SHARE
    assert (differ(half, painted(curves(), PixelBrush)) > CLEAR).mean() > SHARE


def test_a_mark_changed_is_another_mark(qapp: QApplication) -> None:
    made = new_picture()
    made.lines([(10.0, 50.0, 200.0, 50.0)], "text", 4.0)
    before = painted(made, PixelBrush)
    line = made.marks[0]
    assert isinstance(line, Lines)
    made.marks[0] = line._replace(segments=((10.0, 70.0, 200.0, 70.0),))
    assert differ(before, painted(made, PixelBrush)).any()


def test_counted_digits_are_as_wide_as_measured_ones(qapp: QApplication) -> None:
    for size, mono, bold in ((9, False, False), (13, True, False), (15, False, True), (31, False, False)):
        face = faces.Face(size, mono, bold)
        for text in ("0", "17", "4711", "1111111", "878592"):
            assert face.width(text) == pytest.approx(face.metrics.horizontalAdvance(text), abs=0.01)
