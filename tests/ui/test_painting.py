"""Nothing that is painted ends the process: the blocks of a large launch, and a picture that cannot be painted."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter
from ui.backend import run_of

from warpview.ui.drawing.diagram import Diagram
from warpview.ui.drawing.picture import Bitmap, Box, Picture
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.views.context import FrameContext
from warpview.ui.views.machine import grid_model
from warpview.ui.views.machine.grid_layout import fitted, layout_of

WIDTH, HEIGHT = 700, 400


def painted(look: Look, picture: Picture) -> np.ndarray:
    """The pixels of a diagram: uint8[height, width, 4]."""
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_ARGB32)
    image.fill(look.theme.qcolor("panel"))
    diagram = Diagram(look)
    diagram.show_picture(picture)
    painter = QPainter(image)
    diagram.paint(painter)
    painter.end()
    return np.array(image.constBits(), np.uint8).reshape(HEIGHT, WIDTH, 4)


def test_blocks_that_do_not_fill_their_rows_are_painted(look: Look, caplog: pytest.LogCaptureFixture) -> None:
    run = run_of(preset="full")
    layout = layout_of(run.launch.grid, run.launch.warps)
    assert layout.count == 32768
    assert layout.columns * layout.rows > layout.count
    picture = Picture(WIDTH, HEIGHT, 13.0)
    context = FrameContext(run, run.trace.frame(100), Snapshot(step=100))
    grid_model.draw(context, picture, fitted(layout.world, WIDTH, HEIGHT, 13.0))
    assert any(isinstance(mark, Bitmap) for mark in picture.marks)
    with caplog.at_level(logging.ERROR):
        pixels = painted(look, picture)
    assert caplog.records == []
    assert len(np.unique(pixels.reshape(-1, 4), axis=0)) > 2


def test_a_picture_that_cannot_be_painted_says_so(look: Look, caplog: pytest.LogCaptureFixture) -> None:
    picture = Picture(WIDTH, HEIGHT, 13.0)
    picture.bitmap(Box(0, 0, WIDTH, HEIGHT), np.full((2, 2), 9, np.uint8), ("panel", "active"))
    with caplog.at_level(logging.ERROR):
        pixels = painted(look, picture)
    assert "could not be painted" in caplog.text
    assert "IndexError" in caplog.text
    assert len(np.unique(pixels.reshape(-1, 4), axis=0)) > 2, "words stand there"
