"""The samples of a legend have the colour and the shape of what they stand for."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from warpview.ui.drawing.marks import draw_legend_mark
from warpview.ui.drawing.theme import DARK, LIGHT, Theme

pytestmark = pytest.mark.usefixtures("qapp")
MARKS = ("fill", "hollow", "hatch", "dot", "dashed", "light-hatch")


def sample(colour: str, mark: str, theme: Theme) -> np.ndarray:
    """uint8[32, 32, 3]: blue, green, red"""
    image = QImage(32, 32, QImage.Format.Format_RGB32)
    image.fill(theme.qcolor("panel"))
    with QPainter(image) as painter:
        draw_legend_mark(painter, QRectF(4, 4, 24, 24), colour, mark, theme)
    return np.frombuffer(image.constBits(), np.uint8).reshape(32, 32, 4)[:, :, :3].copy()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("colour", ["accent", "conflict", "idle"])
def test_a_sample_has_its_colour(theme: Theme, mark: str, colour: str) -> None:
    wanted = theme.qcolor(colour)
    ink = np.array([wanted.blue(), wanted.green(), wanted.red()])
    assert (np.abs(sample(colour, mark, theme).astype(int) - ink).sum(axis=2) < 60).any()


def test_no_two_marks_look_alike() -> None:
    samples = [sample("accent", mark, LIGHT) for mark in (*MARKS, "sign")]
    for k, one in enumerate(samples):
        assert all((one != other).any() for other in samples[k + 1 :])
    assert (sample("accent", "hollow", LIGHT)[16, 16] == sample("accent", "dot", LIGHT)[2, 2]).all(), "hollow is empty"
