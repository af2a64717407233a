"""Draw the array that a step accesses as rows of elements, to show where in it the access lies. Qt-free."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import pairwise

import numpy as np

from warpview.isa.types import Space, Type
from warpview.sim.arguments.values import DTYPES
from warpview.trace.frame import LaneAddresses
from warpview.ui.drawing.columns import LaneColumns
from warpview.ui.drawing.picture import Box, HitRegion, Picture, Target, Text
from warpview.ui.drawing.values import LocalMemory, lanes_of, numbers, thousands
from warpview.ui.moving.elements import MemoryArray, arrays_of
from warpview.ui.views.arrays.arrays_model import MOST_ELEMENTS, ArrayShape, array_picture, block_of, has_values, hover
from warpview.ui.views.arrays.elements_model import index_of
from warpview.ui.views.context import FrameContext
from warpview.ui.views.memory.transactions_model import places

LINE = 128  # bytes in a row of a one-dimensional array: a line of the cache, or a word of each bank
FOLD = 32  # elements in a row where that is no whole number
MOST_COLUMNS = 256  # of a matrix whose rows are shown as they are
LEAST_ROW, ROW, TALL = 0.12, 1.5, 2.3  # units: the height of the lowest row, of one, and of one where there is room
LEAST_ROOM = 4.6  # units of height, below which there is no map
TITLE, HEADS = 2.0, 1.0  # units: the height of the title, and of the numbers of columns
LEAST_TEXT = 0.56  # units: the smallest type of a value
WIDEST = 4.0  # units: the width of an element at most


@dataclass(frozen=True)
class ArrayMap:
    """Place the rows of an array that are shown: the ones accessed, and those around them as far as there is room. Rows
    before the first or after the last one of the array are those of elements that an access out of bounds names."""

    array: MemoryArray
    width: int  # elements in a row
    rows: tuple[int, ...]
    columns: LaneColumns
    top: float
    height: float  # of a row

    def cell(self, index: int) -> Box | None:
        """Return the box of an element; None where its row is not shown."""
        row, column = divmod(index, self.width)
        if row not in self._tops:
            return None
        return Box(self.columns.left[column], self.y(row), self.columns.width - self.gap, self.high)

    def stretches(self, base: int, size: int) -> Iterator[Box]:
        """Yield the boxes that a range of bytes takes, row by row."""
        whole, each = self.array.count * self.array.size, self.width * self.array.size
        first, end = max(0, base - self.array.base), min(whole, base + size - self.array.base)
        for row in range(first // each, -(-end // each)):
            if row in self._tops:
                left = self._x(max(first - row * each, 0))
                right = self._x(min(end - row * each, each) - 1, ends=True)
                yield Box(left, self.y(row), right - left, self.high)

    def at(self, x: float, y: float) -> int | None:
        """Return the element at a place."""
        column, row = self.columns.at(x), int((y - self.top) // self.height)
        if column is None or not 0 <= row < len(self.rows):
            return None
        index = self.rows[row] * self.width + column
        return index if 0 <= index < self.array.count else None

    @cached_property
    def inside(self) -> tuple[int, ...]:
        """Return the rows shown that the array has."""
        return tuple(row for row in self.rows if 0 <= row * self.width < self.array.count)

    @property
    def shape(self) -> ArrayShape:
        """Return the part of the array from the first to the last row that is shown."""
        first = self.inside[0] * self.width
        count = min(self.array.count, (self.inside[-1] + 1) * self.width) - first
        return ArrayShape(first, count, self.width)

    @cached_property
    def gap(self) -> float:
        """Return the room between two elements."""
        return 2.0 if self.columns.width > 10 else 1.0 if self.columns.width > 4 else 0.0

    @cached_property
    def high(self) -> float:
        """Return the height of an element."""
        return self.height - (2.0 if self.height > 8 else 0.5 if self.height > 6 else 0.0)

    def y(self, row: int) -> float:
        """Return the top of a row."""
        return self._tops[row]

    @cached_property
    def _tops(self) -> dict[int, float]:
        return {row: self.top + k * self.height for k, row in enumerate(self.rows)}

    def end(self, row: int) -> float:
        """Return the right end of a row; the last one may be shorter."""
        last = min(self.width, self.array.count - row * self.width) - 1
        return self.columns.left[last] + self.columns.width - self.gap

    def _x(self, byte: int, ends: bool = False) -> float:
        """Return where a byte of a row begins, or ends."""
        column, inside = divmod(byte, self.array.size)
        share = (inside + ends) / self.array.size
        return self.columns.left[column] + share * (self.columns.width - self.gap)


def draw_array_map(
    context: FrameContext, picture: Picture, columns: LaneColumns, top: float,
    moved: Sequence[tuple[int, int]] = (), lanes: int | None = None,
) -> ArrayMap | None:  # fmt: skip
    """Draw the array of this step's access below ``top``, if there is room: the elements requested by ``lanes``, or by
    all, filled, the ranges ``moved``, of (address, bytes), outlined, and those outside the array past a line at its
    end. Return what is drawn."""
    array = _accessed_array(context)
    room = picture.height - top
    if array is None or room < LEAST_ROOM * picture.unit:
        return None
    at = context.frame.addresses
    assert at is not None
    served, outside = context.frame.served, _outside(context, array)
    requested = _requested(at, served if lanes is None else served & lanes)
    accessed, every = _elements(array, requested), _elements(array, _requested(at, served))
    shown = _placed(array, every, outside, columns, top, picture)  # the same for each part of the access
    if shown is None:
        return None
    _rows(picture, shown)
    stretches = [box for base, size in moved for box in shown.stretches(base, size)]
    fine = shown.height > 0.4 * picture.unit
    picture.rects(stretches, "panel" if fine else "faint", hatch="wasted" if fine else None)
    picture.rects([box for place in sorted(requested) for box in shown.stretches(*place)], "active")
    picture.rects([box.inset(-1) for box in stretches] if fine else [], None, "text", 1.4)
    _values(context, picture, shown, accessed)
    selected = index_of(array, context.selection.element)
    box = shown.cell(selected) if selected is not None else None
    if box is not None:
        picture.rect(box.inset(-2), None, "accent", 2.2, radius=2)
    left, right = shown.columns.left[0], shown.columns.right
    area = Box(left, shown.top, right - left, shown.height * len(shown.rows))
    picture.region(area, partial(_element_at, context, shown))
    if outside:
        _ends(picture, shown, outside)
    return shown


def _requested(at: LaneAddresses, lanes: int) -> set[tuple[int, int]]:
    """Return the (address, bytes) ranges that lanes request."""
    return {place for lane in lanes_of(lanes) for place in places(at, lane)}


def _elements(array: MemoryArray, requested: set[tuple[int, int]]) -> set[int]:
    """Return the elements of an array that ranges of bytes lie in."""
    ends = [(address - array.base, address - array.base + count - 1) for address, count in requested]
    return {k for low, high in ends for k in range(low // array.size, high // array.size + 1)}


def _outside(context: FrameContext, array: MemoryArray) -> set[int]:
    """Return the elements outside an array that this step's access names, counted from its beginning."""
    suppressed = context.frame.suppressed
    if suppressed is None or (suppressed.space, suppressed.base) != (array.space, array.base):
        return set()
    wanted = {(address - array.base) // array.size for address in suppressed.addresses}
    return {index for index in wanted if not 0 <= index < array.count}


def _accessed_array(context: FrameContext) -> MemoryArray | None:
    """Return the array in which the access of the first lane served lies, or which an access that is not made misses;
    None where there is none, or a single element."""
    at, suppressed, served = context.frame.addresses, context.frame.suppressed, context.frame.served
    if at is None:
        return None
    if served:
        address, _ = places(at, lanes_of(served)[0])[0]
    elif suppressed is not None:
        address = suppressed.base
    else:
        return None
    return next((
        a for a in _arrays(context)
        if a.space is at.space and a.count > 1 and a.base <= address < a.base + a.count * a.size
    ), None)  # fmt: skip


def _arrays(context: FrameContext) -> Iterator[MemoryArray]:
    """Yield the arrays of the kernel, those of constant memory and the warp's local memory as well."""
    yield from arrays_of(context.run, block_of(context))
    for symbol in context.program.constant_symbols:
        yield MemoryArray(symbol.name, Space.CONST, symbol.offset, max(1, symbol.element_bytes), symbol.dims, None)
    words = -(-context.program.local_bytes // 4)
    yield MemoryArray("local memory, words by lane", Space.LOCAL, 0, 4, (words, 32), None)


def _placed(
    array: MemoryArray, accessed: set[int], outside: set[int], columns: LaneColumns, top: float, picture: Picture
) -> ArrayMap | None:
    """Place the rows of an array; None where there is no room for all that the access needs."""
    u, square = picture.unit, len(array.dims) > 1 and array.dims[-1] <= MOST_COLUMNS
    width = array.dims[-1] if square else LINE // array.size if LINE % array.size == 0 else FOLD
    width = min(width, array.count)
    left = columns.left[0]
    if width != len(columns.left) or square:
        columns = LaneColumns.between(left, min(columns.right, left + width * WIDEST * u), width)
    top += (TITLE + (HEADS if square else 0)) * u
    room = picture.height - top - 0.3 * u
    ends = {0 if index < 0 else (array.count - 1) // width for index in outside}
    needed = sorted({index // width for index in accessed | outside} | ends) or [0]
    height = max(LEAST_ROW * u, min(ROW * u, room / len(needed)))
    fit = int(room / height + 0.01)
    if fit < len(needed):
        return None
    first, end = min(0, needed[0]), max(-(-array.count // width), needed[-1] + 1)
    near = _rows_around([row - first for row in needed], end - first, fit)
    rows = tuple(row + first for row in near)
    return ArrayMap(array, width, rows, columns, top, min(TALL * u, room / len(rows)))


def _rows_around(needed: Sequence[int], count: int, fit: int) -> list[int]:
    """Return ``fit`` rows of ``count``, or all: a page that holds the needed ones, or else these and their
    neighbours."""
    if count <= fit:
        return list(range(count))
    first, last = needed[0], needed[-1]
    if last - first < fit:
        page = first // fit * fit
        start = min(page if last < page + fit else first, count - fit)
        return list(range(start, start + fit))
    rows, distance = set(needed), 1
    while len(rows) < fit:
        for row in needed:
            for near in (row + distance, row - distance):
                if 0 <= near < count and len(rows) < fit:
                    rows.add(near)
        distance += 1
    return sorted(rows)


def _rows(picture: Picture, shown: ArrayMap) -> None:
    """Draw the title, the empty cells, and the numbers of rows and columns."""
    u, left = picture.unit, shown.columns.left
    square = len(shown.array.dims) > 1 and shown.width == shown.array.dims[-1]
    head = shown.top - (0.4 * TITLE + (HEADS if square else 0)) * u
    picture.text(left[0], head, _title(shown), 0.9 * u, "dim", room=picture.width - left[0], least=0.7 * u)
    # Rows, and the gaps between their elements: a tenth of the time that a box for each element takes.
    boxes = [Box(left[0], shown.y(row), shown.end(row) - left[0], shown.high) for row in shown.inside]
    picture.rects(boxes, "raised")
    if shown.gap:
        high, cell = shown.height * len(shown.rows), shown.columns.width - shown.gap
        picture.rects([Box(a + cell, shown.top, b - a - cell, high) for a, b in pairwise(left)], "panel")
    size, every = 0.78 * u, max(1, -(-int(u) // max(1, int(shown.height))))
    for k, row in enumerate(shown.rows):
        if k % every == 0:
            label = str(row) if square else f"[{row * shown.width}]"
            picture.text(left[0] - 0.4 * u, shown.top + (k + 0.45) * shown.height, label, size, "dim", 1,
                         room=left[0] - 0.7 * u, least=0.6 * u)  # fmt: skip
    if square:
        each = next((k for k in [2**k for k in range(6)] if k * shown.columns.width >= 2 * u), 64)
        for column in range(0, shown.width, each):
            x = shown.columns.centre(column) - 1
            picture.text(x, shown.top - HEADS / 2 * u, str(column), size, "dim", 0)
    breaks = [shown.top + (k + 1) * shown.height - 1 for k, (a, b) in enumerate(pairwise(shown.rows)) if b != a + 1]
    if shown.height > 4:
        picture.lines([(left[0], y, shown.columns.right, y) for y in breaks], "idle", 1.5, dash=True)


def _ends(picture: Picture, shown: ArrayMap, outside: set[int]) -> None:
    """Draw the beginning or the end of the array as a line, and the elements beyond it that an access names."""
    u, left, width = picture.unit, shown.columns.left[0], max(2.0, 0.18 * picture.unit)
    cells = [box for index in sorted(outside) if (box := shown.cell(index)) is not None]
    picture.rects(cells, None, "error", 1.4)
    size = min(0.8 * u, 0.75 * shown.high, 0.8 * shown.columns.width)
    if size >= LEAST_TEXT * u:
        picture.add([Text(box.cx, box.cy, "!", size, "error", 0, True) for box in cells])
    if min(outside) < 0:
        picture.lines([(left, shown.y(0) - 1, shown.columns.right, shown.y(0) - 1)], "error", width)
    last = (shown.array.count - 1) // shown.width
    if max(outside) >= shown.array.count:
        x, top, bottom = shown.end(last) + 1, shown.y(last) - 1, shown.y(last) + shown.height - 1
        whole = x >= shown.columns.right - shown.gap - 1
        turn = [] if whole else [(x, top, x, bottom), (x, top, shown.columns.right, top)]
        picture.lines([(left, bottom, x, bottom), *turn], "error", width)


def _title(shown: ArrayMap) -> str:
    """Return the array's declaration, and which part of it is shown."""
    array = shown.array
    count = -(-array.count // shown.width)
    noun = "rows" if shown.width == array.dims[-1] else "lines"
    there = len(shown.inside)
    said = "" if there == count else f", {thousands(there)} of {thousands(count)} {noun}"
    if array.space is Space.LOCAL:
        return f"{array.name}{said}"
    extent = " × ".join(map(thousands, array.dims))
    return (array.declared if array.space is Space.SHARED else f"{array.name}[{extent}]") + said


def _values(context: FrameContext, picture: Picture, shown: ArrayMap, accessed: set[int]) -> None:
    """Write the values of the elements, where there is room for all of them."""
    u, shape = picture.unit, shown.shape
    room = shown.columns.width - 3
    if shown.height < 1.25 * LEAST_TEXT * u or room < picture.size_of("0", LEAST_TEXT * u):
        return
    if not has_values(shown.array) or shape.count > MOST_ELEMENTS:
        return
    held = array_picture(context, shown.array, shape)
    if held is None:
        return
    assert shown.array.shown is not None
    at = [row - shown.inside[0] for row in shown.inside]
    lines = [_written(held.values[k].tobytes(), held.known[k].tobytes(), shown.array.shown) for k in at]
    widest = picture.widest((text for line in lines for text in line), u)
    size = min(0.8 * u, 0.75 * shown.height, u * room / max(1.0, widest))
    if size < LEAST_TEXT * u:
        return
    x = [shown.columns.centre(column) - 1 for column in range(shown.width)]
    texts = []
    for row, line in zip(shown.inside, lines, strict=True):
        y = shown.y(row) + shown.height / 2 - 1
        for column, text in enumerate(line):
            if text:
                there = row * shown.width + column in accessed
                texts.append(Text(x[column], y, text, size, "on_lane" if there else "dim", 0, there))
    picture.add(texts)


@lru_cache(256)  # rows: from step to step most hold the same, and to write them takes a third of a picture's time
def _written(values: bytes, known: bytes, kind: Type) -> tuple[str, ...]:
    """Return the elements of a row as texts; '' for one that is not known."""
    texts = numbers(np.frombuffer(values, DTYPES[kind]), kind)
    return tuple(text if there else "" for text, there in zip(texts, known, strict=True))


def _element_at(context: FrameContext, shown: ArrayMap, x: float, y: float) -> HitRegion | None:
    index = shown.at(x, y)
    box = shown.cell(index) if index is not None else None
    if index is None or box is None:
        return None
    if shown.array.space is Space.LOCAL:
        return HitRegion(box, LocalMemory().name(4 * index))
    if not has_values(shown.array):
        return HitRegion(box, shown.array.element_name(index))
    row = index // shown.width * shown.width
    held = array_picture(context, shown.array, ArrayShape(row, min(shown.width, shown.array.count - row), shown.width))
    says = hover(context, held, index) if held is not None else shown.array.element_name(index)
    return HitRegion(box, says, Target(element=shown.array.element(index)))
