"""Global arrays coloured by who touched their elements, and when."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from warpview.trace.access_log import ElementHistory
from warpview.ui.drawing.picture import Box, Picture
from warpview.ui.drawing.values import Buffers
from warpview.ui.moving.elements import Array, global_array
from warpview.ui.views.array_map_model import draw_map, side_by_side
from warpview.ui.views.colouring import HUES, OWNER_HUES, SHADES, TOKENS, colours, words_of
from warpview.ui.views.elements_model import history_of, shown_step

if TYPE_CHECKING:
    from warpview.ui.views.context import FrameContext

LARGEST = 1 << 26  # elements of an array whose touches are looked at
SWATCHES = 8


def coloured_arrays(context: FrameContext, buffers: Buffers) -> list[Array]:
    """The buffers that can be coloured."""
    return [a for a in (global_array(context.run, b) for b in buffers.all) if 0 < a.count < LARGEST]


def draw_touches(context: FrameContext, picture: Picture, box: Box, buffers: Buffers) -> bool:
    """Every buffer as a map in the colours that are selected. False where there is no room or nothing to show."""
    arrays = coloured_arrays(context, buffers)
    u = picture.unit
    if not arrays or box.h < 4 * u:
        return False
    histories = [history_of(context, array) for array in arrays]
    _legend(context, picture, Box(box.x + 0.5 * u, box.y, box.w - u, 1.2 * u), arrays, histories)
    rest = Box(box.x, box.y + 1.5 * u, box.w, box.h - 1.5 * u)
    for part, array, history in zip(side_by_side(rest, len(arrays), 9 * u), arrays, histories, strict=True):
        _array(context, picture, part, array, history)
    return True


def _array(context: FrameContext, picture: Picture, box: Box, array: Array, history: ElementHistory | None) -> None:
    step = shown_step(context)
    now: list[int] = []
    if history is not None:
        rows = np.searchsorted(history.row, np.array([step - 1, step], np.int32))
        now = sorted(set(history.element[rows[0] : rows[1]].tolist())) if not context.predicting else []
    draw_map(context, picture, box, array, partial(_tints, context, array, history, step), TOKENS, now, lambda _: "")


def _tints(
    context: FrameContext, array: Array, history: ElementHistory | None, step: int, first: int, count: int
) -> NDArray[np.uint8]:
    if history is None:
        return np.full(count, len(TOKENS) - 2, np.uint8)
    last = history.last(step)[first : first + count]
    return colours(context.selection.colours, history, last, context.launch.warps, context.trace.steps)


def _legend(
    context: FrameContext, picture: Picture, box: Box, arrays: list[Array], histories: list[ElementHistory | None]
) -> None:
    """What the colours mean: words, then samples as far as there is room."""
    u, size = picture.unit, 0.82 * picture.unit
    missing = [array for array, history in zip(arrays, histories, strict=True) if history is None]
    if missing:
        refused = context.touches is not None and context.touches.refuses(missing[0].extent)
        words = "too many touches to keep" if refused else "looking who touched what …"
        picture.text(box.x, box.cy, words, size, "dim", room=box.w)
        return
    x = picture.text(box.x, box.cy, words_of(context.selection.colours)[1], size, "dim").right + 0.6 * u
    for label, tint in _samples(context, context.selection.colours):
        if x + u + picture.size_of(label, size) > box.right:
            return
        if tint is not None:
            picture.rect(Box(x, box.cy - 0.4 * u, 0.75 * u, 0.8 * u), TOKENS[tint])
            x += 0.8 * u
        if label:
            x = picture.text(x + 0.25 * u, box.cy, label, size, "dim").right + 0.5 * u


def _samples(context: FrameContext, key: str) -> list[tuple[str, int | None]]:
    """(label, index into TOKENS) of the colours that occur, or of a scale between the words for its ends."""
    if key in ("time", "count"):
        ends = ("early", "late") if key == "time" else ("once", "often")
        return [(ends[0], None), *(("", HUES + k) for k in range(SHADES)), (ends[1], None)]
    if key == "lane":
        return [(str(lane), lane) for lane in range(0, 32, 4)]
    now = context.selection
    if key == "block":
        blocks = sorted({w.block for w in context.frame.warps})[:SWATCHES]
        return [(f"b{block}", int(OWNER_HUES[block % HUES])) for block in blocks]
    warps = range(min(SWATCHES, context.launch.warps))
    first = now.block * context.launch.warps
    return [(f"b{now.block} w{w}", int(OWNER_HUES[(first + w) % HUES])) for w in warps]
