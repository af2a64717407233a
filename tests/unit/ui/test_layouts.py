"""At every size that a lecture uses, no picture lets a text run out of it or over another."""

from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs
from support.pictures import text_boxes
from ui.small_run import PLACES

from warpview.ui.views.divergence import divergence_model
from warpview.ui.views.lanes import lanes_model
from warpview.ui.views.machine import occupancy_model
from warpview.ui.views.memory import global_memory_model, shared_memory_model

SIZES = [(380, 230, 15.3), (560, 300, 15.3), (900, 620, 15.3), (700, 400, 24.5), (1500, 900, 30.0)]
DRAW = {
    "lanes": lambda c, p: lanes_model.draw(c, p, None),
    "divergence": divergence_model.draw,
    "shared": lambda c, p: shared_memory_model.draw(c, p),
    "global": global_memory_model.draw,
    "occupancy": lambda c, p: occupancy_model.draw(c, p, None),
}


def clashes(picture):
    """Return pairs of texts that overlap by more than a hair."""
    boxes = text_boxes(picture)
    x, y, w, h = (np.array(v) for v in zip(*(structs.astuple(box) for _, box in boxes), strict=True))
    across = (x[:, None] + 1 < x + w - 1) & (x + 1 < (x + w - 1)[:, None])
    down = (y[:, None] + 0.15 * h[:, None] < y + 0.85 * h) & (y + 0.15 * h < (y + 0.85 * h)[:, None])
    return [(boxes[i], boxes[k]) for i, k in np.argwhere(np.triu(across & down, 1)).tolist()]


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}@{s[2]:.0f}")
@pytest.mark.parametrize("view", DRAW)
def test_texts_stay_apart_and_inside(view, size, scenes, picture):
    for variant, device in (("divergent", "8800gtx"), ("strided", "h200")):
        made = scenes(variant, device)
        for place in PLACES:
            drawn = picture(*size)
            DRAW[view](made.on(place), drawn)
            assert clashes(drawn) == []
            for text, box in text_boxes(drawn):
                assert box.x >= -1, text
                assert box.right <= drawn.width + 1, text
                assert box.y >= -1, text
                assert box.bottom <= drawn.height + 1, text


@pytest.mark.parametrize("height", [170, 260, 420])
@pytest.mark.parametrize("chosen", [(0, 0), (5, 2), (15, 3)])
def test_sixty_four_warps_stay_apart(height, chosen, scenes, picture):
    context = scenes().on("addition")
    first = context.frame.warps[0]
    warps = tuple(structs.replace(first, slot=k % 8, block=k // 4, warp=k % 4) for k in range(64))
    selected = replace(context.selection, block=chosen[0], warp=chosen[1])
    crowd = replace(context, frame=replace(context.frame, warps=warps), selection=selected)
    drawn = picture(720, height, 15.3)
    lanes_model.draw(crowd, drawn, None)
    assert clashes(drawn) == []
    assert any(text == f"w{chosen[1]}" for text, _ in text_boxes(drawn))
    assert any(text == f"b{chosen[0]}" for text, _ in text_boxes(drawn))
