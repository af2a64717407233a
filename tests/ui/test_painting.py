"""Nothing that is painted ends the process: the blocks of a large launch, and a picture that cannot be painted."""

from __future__ import annotations

import importlib
import logging
import pkgutil

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter
from ui.backend import run_of
from ui.stand import Stand

import warpview.ui
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


def test_every_method_that_paints_is_guarded() -> None:
    """Those that Qt calls: each class of the window that defines one."""
    for module in pkgutil.walk_packages(warpview.ui.__path__, "warpview.ui."):
        importlib.import_module(module.name)
    found = {
        f"{of.__module__}.{of.__name__}.{name}": method
        for of in _subclasses(object)
        for name in ("paint", "paintEvent", "drawPrimitive", "drawControl")
        if str(of.__module__).startswith("warpview.ui.") and (method := vars(of).get(name)) is not None
    }
    assert len(found) > 12
    assert not [name for name, method in found.items() if not hasattr(method, "__wrapped__")]


def _subclasses(of: type) -> set[type]:
    below = set(type.__subclasses__(of))
    return below.union(*map(_subclasses, below)) if below else below


def test_a_widget_that_cannot_be_painted_leaves_the_window_alive(
    stand: Stand, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(type(stand.w.source.editor), "lines_across", lambda *_: [][0])
    with caplog.at_level(logging.ERROR):
        for part in (stand.w.source.editor, stand.w):
            part.grab()
    assert "could not be painted" in caplog.text
    before = stand.step
    stand.press("Right")
    assert stand.step > before
