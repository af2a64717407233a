"""A buffer of global memory as a picture: the elements around those that the step touched, with their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from warpview.isa.types import Type
from warpview.trace.frame import LaneAddresses
from warpview.ui.picture import Box, Hot, Picture, Target
from warpview.ui.values import DTYPES, Buffer, Buffers, lanes_of, number

if TYPE_CHECKING:
    from warpview.ui.views.context import FrameContext

ACROSS = 32


def draw_array(context: FrameContext, picture: Picture, box: Box, buffers: Buffers, at: LaneAddresses | None) -> bool:
    """Rows of 32 elements of the buffer touched, as many as fit, the touched ones in their lanes' hues.

    False where there is no room or nothing known about the buffer.
    """
    if at is None or not at.mask:
        return False
    lanes = lanes_of(at.mask)
    buffer = buffers.of(int(at.address[lanes[0]]))
    if buffer is None or not _drawable(context, buffer):
        return False
    touched = {
        buffer.index(int(at.address[lane])): lane for lane in lanes if buffer.base <= int(at.address[lane]) < buffer.end
    }
    return (
        _rows(context, picture, box, buffer, min(touched) // ACROSS * ACROSS, touched, "as it is after this step") > 0
    )


def draw_buffers(context: FrameContext, picture: Picture, box: Box, buffers: Buffers) -> bool:
    """The beginning of every buffer with its values, for steps that touch none."""
    u = picture.unit
    known = [b for b in buffers.all if _drawable(context, b)]
    top = box.y
    for k, buffer in enumerate(known):
        share = (box.bottom - top) / (len(known) - k)
        used = _rows(context, picture, Box(box.x, top, box.w, share), buffer, 0, {}, _size(buffer))
        top += used + 0.3 * u if used else 0.0
    return top > box.y


def _size(buffer: Buffer) -> str:
    return f"{buffer.element}, {(buffer.end - buffer.base) // buffer.element_bytes:,} elements"


def _drawable(context: FrameContext, buffer: Buffer) -> bool:
    known = buffer.element is not None and DTYPES[buffer.element].itemsize == buffer.element_bytes
    return known and hasattr(context.trace, "global_values")


def _rows(
    context: FrameContext, picture: Picture, box: Box, buffer: Buffer, first: int, touched: dict[int, int], note: str
) -> float:
    """Draw what fits of a buffer from element ``first``; returns the height taken, 0 where not even a row fits."""
    u = picture.unit
    rows = int((box.h - 2.6 * u) / (1.45 * u))
    if rows < 1 or buffer.element is None:
        return 0.0
    count = (buffer.end - buffer.base) // buffer.element_bytes
    last = min(count, first + rows * ACROSS)
    values = context.trace.global_values(  # type: ignore[attr-defined]
        context.frame.step, buffer.base + first * buffer.element_bytes, last - first, DTYPES[buffer.element]
    )
    if not len(values):
        return 0.0
    return _draw(picture, box, buffer, buffer.element, first, values, touched, note)


def _draw(
    picture: Picture,
    box: Box,
    buffer: Buffer,
    type_: Type,
    first: int,
    values: NDArray[Any],
    touched: dict[int, int],
    note: str,
) -> float:
    u = picture.unit
    size = 0.8 * u
    rows = -(-len(values) // ACROSS)
    label = picture.size_of(str(first + rows * ACROSS), size) + 0.9 * u
    left = box.x + max(4.7 * u, label)
    width = (box.right - 0.6 * u - left) / ACROSS
    top = box.y + 2.4 * u
    height = min(1.7 * u, (box.bottom - top - 0.2 * u) / max(1, rows))
    said = picture.text(box.x + 0.5 * u, box.y + 0.7 * u, f"{buffer.name}[]", u, "text", bold=True)
    picture.text(said.right + 0.7 * u, said.cy, note, 0.88 * u, "dim", room=box.w - said.right - u)
    every = next(k for k in (1, 2, 4, 8, 16) if k * width >= picture.size_of("000", size))
    for c in range(0, ACROSS, every):
        picture.text(left + (c + 0.5) * width, top - 0.55 * u, f"+{c}" if first else str(c), size, "dim", 0)
    texts = [number(v, type_) for v in values]
    widest = max((picture.size_of(t, size) for t in set(texts)), default=size)
    fits = min(size, size * (width - 2) / widest)
    cells = [
        Box(left + (k % ACROSS) * width, top + k // ACROSS * height, width - 1, height - 1) for k in range(len(values))
    ]
    picture.rects(cells, "raised", "faint" if width > 6 else None)
    for r in range(rows):
        picture.text(left - 0.4 * u, top + (r + 0.5) * height, str(first + r * ACROSS), size, "dim", 1)
    for index, lane in touched.items():
        if 0 <= index - first < len(cells):
            picture.rect(cells[index - first], f"lane{lane}")
    if fits >= 0.55 * u:
        for k, text in enumerate(texts):
            here = first + k in touched
            picture.text(cells[k].cx, cells[k].cy, text, fits, "on_lane" if here else "text", 0, here)

    def element_at(x: float, y: float) -> Hot | None:
        k = int((y - top) // height) * ACROSS + int((x - left) // width)
        if not 0 <= k < len(values):
            return None
        lane = touched.get(first + k)
        says = f"{buffer.name}[{first + k}] = {texts[k]}" + (f", lane {lane}" if lane is not None else "")
        return Hot(cells[k], says, Target(lane=lane) if lane is not None else None)

    picture.region(Box(left, top, ACROSS * width, rows * height), element_at)
    return top + rows * height - box.y
