"""The shapes of every picture, for three kernels, against pictures kept beside this file.

Texts are left out and widths of texts are estimated, so that the pictures are the same with any font. After a change
that is meant, write them anew with WARPVIEW_WRITE_REFERENCES=1 and look at what changed.
"""

import os
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter
from ui.fakes import make_run

import warpview as wv
from warpview.sim.rules import GlobalAccess
from warpview.trace.frame import Mark
from warpview.ui import palette
from warpview.ui.export.steps import pixels
from warpview.ui.painting import paint
from warpview.ui.picture import Picture, Text
from warpview.ui.snapshot import Snapshot
from warpview.ui.theme import DARK, LIGHT
from warpview.ui.views import (
    divergence_model,
    global_memory_model,
    lanes_model,
    occupancy_model,
    shared_memory_model,
)
from warpview.ui.views.context import FrameContext

FOLDER = Path(__file__).parent / "references"
WRITE = bool(os.environ.get("WARPVIEW_WRITE_REFERENCES"))
WIDTH, HEIGHT = 480, 300
TOLERANCE = 1.5  # of 255, on the average of all pixels: antialiasing differs between versions of Qt
DRAW = {
    "lanes": lambda c, p: lanes_model.draw(c, p, None),
    "divergence": divergence_model.draw,
    "shared": lambda c, p: shared_memory_model.draw(c, p, shared_memory_model.ALL, None),
    "global": global_memory_model.draw,
    "occupancy": lambda c, p: occupancy_model.draw(c, p, None),
}
TRANSPOSE = """
__global__ void transpose(const float* in, float* out, int n)
{
    __shared__ float tile[16][16];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
"""


def transpose():
    program = wv.compile(TRANSPOSE)
    data = np.arange(1024, dtype=np.float32)
    return wv.simulate(program, (2, 2), (16, 16), [data, np.zeros_like(data), 32], device="c2050", engine="sm")


@pytest.fixture(scope="module")
def runs():
    return {"divergent": make_run("divergent"), "strided": make_run("strided", "h200"), "transpose": transpose()}


MOMENTS = {"divergent": Mark.DIVERGENCE, "strided": Mark.CONFLICT, "transpose": Mark.CONFLICT}


def moment(trace, kernel, view):
    """The step that the view has most to show of."""
    if view != "global":
        return trace.find(0, MOMENTS[kernel])
    return next(s for s in range(1, trace.steps + 1) if isinstance(trace.frame(s).access, GlobalAccess))


def draw(run, step, view, theme):
    event = run.trace.event(step)
    context = FrameContext(run, run.trace.frame(step), Snapshot(step=step, block=event.block, warp=event.warp))
    picture = Picture(WIDTH, HEIGHT, 13.0)
    DRAW[view](context, picture)
    picture.marks = [m for m in picture.marks if not isinstance(m, Text)]
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    image.fill(theme.qcolor("panel"))
    painter = QPainter(image)
    paint(painter, picture, lambda token: palette.colour(theme, token))
    painter.end()
    return image


@pytest.mark.parametrize("view", DRAW)
@pytest.mark.parametrize("kernel", MOMENTS)
def test_the_picture_is_as_it_was(qapp, runs, kernel, view):
    run = runs[kernel]
    image = draw(run, moment(run.trace, kernel, view), view, DARK if kernel == "strided" else LIGHT)
    file = FOLDER / f"{kernel}-{view}.png"
    if WRITE:
        FOLDER.mkdir(exist_ok=True)
        assert image.save(str(file))
    kept = pixels(QImage(str(file)))
    difference = np.abs(pixels(image).astype(int) - kept).mean()
    assert difference <= TOLERANCE, f"differs from {file} by {difference:.2f}"
