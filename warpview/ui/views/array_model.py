"""A buffer of global memory as a picture: the elements around those that the step touched, with their values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from warpview.trace.frame import LaneAddresses
from warpview.ui.drawing.cached_drawing import cached_drawing
from warpview.ui.drawing.picture import Box, HitRegion, Picture, Target, Text
from warpview.ui.drawing.values import C_NAMES, DTYPES, Buffer, Buffers, lanes_of, number, numbers, thousands
from warpview.ui.moving.elements import Array, global_array
from warpview.ui.views.array_map_model import draw_map, hover, side_by_side
from warpview.ui.views.colouring import TOKENS, value_shades
from warpview.ui.views.elements_model import beyond, mark_elements

if TYPE_CHECKING:
    from warpview.ui.views.context import FrameContext

ACROSS = 32
SEEN, SEEN_WIDE = 512, 1 << 15  # elements whose change redraws a buffer at rest; one of two dimensions


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
    inside = [lane for lane in lanes if buffer.base <= int(at.address[lane]) < buffer.end]
    each = max(1, at.width // buffer.element_bytes)  # a vector access touches several elements
    touched = {buffer.index(int(at.address[lane])) + k: lane for lane in inside for k in range(each)}
    array = global_array(context.run, buffer)
    first = min(touched) // ACROSS * ACROSS
    if len(array.dims) > 1 and max(touched) - first >= _rows_in(picture, box) * ACROSS:
        return _map(context, picture, box, buffer, array, touched)
    return _rows(context, picture, box, buffer, first, touched, "as it is after this step") > 0


def _map(
    context: FrameContext, picture: Picture, box: Box, buffer: Buffer, array: Array, touched: dict[int, int]
) -> bool:
    """An array of two dimensions in its shape, when values in rows would not show all that the step touched."""
    tokens = (*(f"lane{k}" for k in range(32)), "raised", "clear")

    def tints(first: int, count: int) -> NDArray[np.uint8]:
        found = np.full(count, 32, np.uint8)
        for index, lane in touched.items():
            if first <= index < first + count:
                found[index - first] = lane
        return found

    def value(index: int) -> str:
        values = _values(context, buffer, index, 1)
        says = number(values[0], buffer.element) if len(values) and buffer.element is not None else ""
        return says + (f", lane {touched[index]}" if index in touched else "")

    return (
        draw_map(context, picture, box, array, tints, tokens, sorted(touched)[:1], value, " as it is after this step")
        > 0
    )


def _rows_in(picture: Picture, box: Box) -> int:
    """How many rows of values there is height for."""
    return max(0, int((box.h - 2.6 * picture.unit) / (1.45 * picture.unit)))


def draw_buffers(context: FrameContext, picture: Picture, box: Box, buffers: Buffers) -> bool:
    """The beginning of every buffer with its values, for steps that touch none."""
    u = picture.unit
    known = [b for b in buffers.all if _drawable(context, b)]
    arrays = [global_array(context.run, b) for b in known]
    if known and all(_is_wide(a) for a in arrays):
        parts = side_by_side(Box(box.x, box.y, box.w, box.h), len(known), 9 * u)
        drawn = [_shaded(context, picture, *each) for each in zip(parts, known, arrays, strict=True)]
        return any(drawn)
    top = box.y
    for k, buffer in enumerate(known):
        share = (box.bottom - top) / (len(known) - k)
        used = _rows(context, picture, Box(box.x, top, box.w, share), buffer, 0, {}, _size(buffer))
        top += used + 0.3 * u if used else 0.0
    return top > box.y


def _is_wide(array: Array) -> bool:
    """Of two dimensions, with rows too long for their values to be written."""
    return len(array.dims) > 1 and array.dims[-1] > ACROSS


def _shaded(context: FrameContext, picture: Picture, box: Box, buffer: Buffer, array: Array) -> bool:
    """An array in its own shape, darker where its values are greater."""

    def value(index: int) -> str:
        values = _values(context, buffer, index, 1)
        return number(values[0], buffer.element) if len(values) and buffer.element is not None else ""

    def tints(first: int, count: int) -> NDArray[np.uint8]:
        return value_shades(_values(context, buffer, first, count))

    return draw_map(context, picture, box, array, tints, TOKENS, (), value, ", shaded by value") > 0


def _size(buffer: Buffer) -> str:
    count = (buffer.end - buffer.base) // buffer.element_bytes
    kind = C_NAMES.get(buffer.element, "") if buffer.element is not None else ""
    return f"{kind}, {thousands(count)} elements"


def _drawable(context: FrameContext, buffer: Buffer) -> bool:
    known = buffer.element is not None and DTYPES[buffer.element].itemsize == buffer.element_bytes
    return known and hasattr(context.trace, "global_values")


def _rows(
    context: FrameContext, picture: Picture, box: Box, buffer: Buffer, first: int, touched: dict[int, int], note: str
) -> float:
    """Draw what fits of a buffer from element ``first``; returns the height taken, 0 where not even a row fits."""
    u = picture.unit
    rows = _rows_in(picture, box)
    if rows < 1 or buffer.element is None:
        return 0.0
    values = _values(context, buffer, first, rows * ACROSS)
    if not len(values):
        return 0.0
    texts = numbers(values, buffer.element)
    left = box.x + max(4.7 * u, picture.size_of(str(first + len(values)), 0.8 * u) + 0.9 * u)
    room = box.right - 0.6 * u - left
    widest = picture.widest(texts, 0.8 * u) + 3
    # Values that would not be legible in rows of 32 get rows of 16 or 8, as long as the touched ones are in sight.
    own = global_array(context.run, buffer).dims[1:]
    across = next((n for n in (*own[-1:], 32, 16, 8) if n <= ACROSS and widest * 0.95 <= room / n), ACROSS)
    count = len(texts) if across == ACROSS else min(len(texts), rows * across)
    if touched and max(touched) - first >= count:
        across, count = ACROSS, len(texts)
    area = Box(left, box.y + 2.4 * u, room, box.bottom - box.y - 2.6 * u)
    said = picture.text(box.x + 0.5 * u, box.y + 0.7 * u, f"{buffer.name}[]", u, "text", bold=True)
    told = picture.text(said.right + 0.7 * u, said.cy, note, 0.88 * u, "dim", room=box.w - said.right - u)
    beyond(context, picture, global_array(context.run, buffer), told.right + u, said.cy)
    return area.y - box.y + _draw(context, picture, area, buffer, first, texts[:count], across, touched)


def _values(context: FrameContext, buffer: Buffer, first: int, most: int) -> NDArray[Any]:
    """At most so many elements from ``first`` as they are after this step."""
    assert buffer.element is not None
    count = (buffer.end - buffer.base) // buffer.element_bytes
    base = buffer.base + first * buffer.element_bytes
    trace: Any = context.trace
    values: NDArray[Any] = trace.global_values(
        context.frame.step, base, max(0, min(most, count - first)), DTYPES[buffer.element]
    )
    return values


class Beginnings:
    """The contents that ``draw_buffers`` shows of a run. They are read again only where global memory may have been
    written in between: to read them the trace has to go to the step."""

    def __init__(self) -> None:
        self._writes = -1
        self._read: tuple[bytes, ...] = ()

    def of(self, context: FrameContext, buffers: Buffers) -> tuple[bytes, ...]:
        trace: Any = context.trace
        writes = int(trace.navigator.global_writes.searchsorted(context.frame.step, "right"))
        if writes != self._writes:
            known = [(b, _is_wide(global_array(context.run, b))) for b in buffers.all if _drawable(context, b)]
            self._read = tuple(_values(context, b, 0, SEEN_WIDE if wide else SEEN).tobytes() for b, wide in known)
            self._writes = writes
        return self._read


@dataclass(frozen=True)
class _Grid:
    """Where ``count`` elements from ``first`` lie, ``across`` in a row."""

    left: float
    top: float
    width: float
    height: float
    across: int
    first: int
    count: int

    @property
    def rows(self) -> int:
        return -(-self.count // self.across)

    @property
    def box(self) -> Box:
        return Box(self.left, self.top, self.across * self.width, self.rows * self.height)

    def index(self, x: float, y: float) -> int | None:
        found = int((y - self.top) // self.height) * self.across + int((x - self.left) // self.width)
        return found if 0 <= found < self.count else None


@lru_cache(32)
def _cells(grid: _Grid) -> tuple[Box, ...]:
    width, height = grid.width, grid.height
    return tuple(
        Box(grid.left + k % grid.across * width, grid.top + k // grid.across * height, width - 1, height - 1)
        for k in range(grid.count)
    )


@cached_drawing(kept=32)
def _ground(picture: Picture, grid: _Grid) -> None:
    """The cells of the elements, and their indices at the top and at the left."""
    u, size = picture.unit, 0.8 * picture.unit
    every = next(k for k in (1, 2, 4, 8, 16, 32) if k * grid.width >= picture.size_of("000", size))
    for c in range(0, min(grid.across, grid.count), every):
        index = f"+{c}" if grid.first else str(c)
        picture.text(grid.left + (c + 0.5) * grid.width, grid.top - 0.55 * u, index, size, "dim", 0)
    picture.rects(_cells(grid), "raised")
    for r in range(grid.rows):
        y = grid.top + (r + 0.5) * grid.height
        picture.text(grid.left - 0.4 * u, y, str(grid.first + r * grid.across), size, "dim", 1)


def _draw(
    context: FrameContext, picture: Picture, area: Box, buffer: Buffer, first: int, texts: list[str], across: int,
    touched: dict[int, int],
) -> float:  # fmt: skip
    """The elements in rows; returns the height taken."""
    u, size = picture.unit, 0.8 * picture.unit
    width, height = area.w / across, min(1.7 * u, area.h / -(-len(texts) // across))
    grid = _Grid(area.x, area.y, width, height, across, first, len(texts))
    cells = _cells(grid)
    _ground(picture, grid)
    for index in touched:
        if 0 <= index - first < len(cells):
            picture.rect(cells[index - first], "active")
    fits = min(size, size * (width - 2) / (picture.widest(texts, size) or size))
    if fits >= 0.55 * u:
        for k, (text, cell) in enumerate(zip(texts, cells, strict=True)):
            here = first + k in touched
            colour = "on_lane" if here else "text"
            picture.marks.append(Text(cell.cx, cell.cy, text, fits, colour, 0, here))
    array = global_array(context.run, buffer)
    mark_elements(context, picture, array, lambda k: cells[k - first] if 0 <= k - first < len(cells) else None)

    def element_at(x: float, y: float) -> HitRegion | None:
        k = grid.index(x, y)
        if k is None:
            return None
        lane = touched.get(first + k)
        says = texts[k] + (f", lane {lane}" if lane is not None else "")
        target = Target(lane=lane, element=array.element(first + k))
        return HitRegion(cells[k], hover(context, array, first + k, says), target)

    picture.region(grid.box, element_at)
    return grid.rows * height
