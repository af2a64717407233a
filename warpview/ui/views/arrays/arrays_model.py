"""Model the arrays of a kernel as images: values or accesses by element, and the tile of the current block. Qt-free."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpview.isa.program import Program
from warpview.isa.types import Space
from warpview.sim.arguments.values import DTYPES
from warpview.trace.access_log import ElementHistory
from warpview.ui.drawing.values import C_NAMES, decoded, number, numbers, shared_arrays, thousands
from warpview.ui.moving.elements import MemoryArray, arrays_of
from warpview.ui.views.arrays.block_tiles import BlockTiles, Region
from warpview.ui.views.arrays.colouring import OUTSIDE, colours
from warpview.ui.views.arrays.elements_model import access_words, findings_in, history_of, index_of, shown_step
from warpview.ui.views.context import FrameContext

MOST_ELEMENTS = 1 << 18  # of one image; of a larger array the part around the step's access is shown
MOST_ARRAYS = 8
MOST_OUTLINED = 512  # elements accessed by a step
FOLD = 32  # elements in a row of a short one-dimensional array
SHORT = 2048  # elements of a one-dimensional array that is folded at FOLD
LONG = 8  # times as long as wide, or as wide as long: from there on an array that is not short is a strip


@dataclass(frozen=True)
class ArrayShape:
    """Describe the shape of an array's image: ``count`` elements from ``first``, ``columns`` in a row."""

    first: int
    count: int
    columns: int

    @property
    def rows(self) -> int:
        return -(-self.count // self.columns)

    def place(self, index: int) -> tuple[int, int] | None:
        """Return row and column of an element in the image; None where it is not shown."""
        inside = index - self.first
        return divmod(inside, self.columns) if 0 <= inside < self.count else None

    def index(self, row: int, column: int) -> int | None:
        """Return the element at a row and a column of the image."""
        inside = row * self.columns + column
        within = 0 <= column < self.columns and 0 <= inside < self.count
        return self.first + inside if within else None


@dataclass(frozen=True, eq=False)
class ArrayPicture:
    """Hold an array at a step.

    ``values`` has shape [rows, columns] and the array's type; ``known`` says of each whether it is in the array and has
    been written. ``tints`` are indices into ``colouring.TOKENS`` of the same shape, None where values are shown.
    ``accessed`` are the elements of this step's access. ``tile`` is what the block accesses in the present pass,
    ``halo`` the tile with its neighbourhood, ``span`` what the block accesses in all its passes.
    """

    array: MemoryArray
    shape: ArrayShape
    values: NDArray[Any]
    known: NDArray[np.bool_]
    tints: NDArray[np.uint8] | None
    accessed: tuple[int, ...]
    tile: Region | None
    halo: Region | None
    span: Region | None
    padding: int | None  # the first column that is padding
    findings: dict[int, str]
    selected: int | None

    @property
    def title(self) -> str:
        """Return name, type and extent: "float A, 64 × 64"."""
        kind = self.array.small or (C_NAMES.get(self.array.kind, "") if self.array.kind is not None else "")
        if self.array.space is Space.SHARED:
            return f"{kind} {self.array.declared}".strip()
        extent = " × ".join(map(thousands, self.array.dims))
        return f"{kind} {self.array.name}[{extent}]".strip()

    def note(self, brief: bool = False) -> str:
        """Return where the array lives, and which part of it is shown; ``brief`` takes less room."""
        shared = "shared" if brief else f"shared, block {self.array.block}"
        place = shared if self.array.space is Space.SHARED else "global"
        if self.tile is not None:
            rows, columns = _span(self.tile.top, self.tile.bottom), _span(self.tile.left, self.tile.right)
            place = f"[{rows}][{columns}]" if brief else f"rows {rows}, columns {columns}"
        if self.shape.count < self.array.count:
            last = self.shape.first + self.shape.count - 1
            place += f"; elements {thousands(self.shape.first)} to {thousands(last)}"
        return place + (f"; ⚠ {self._warning}" if self.findings else "")

    @property
    def _warning(self) -> str:
        """Return the first finding: its kind and its element, which may lie just outside the array."""
        index = min(self.findings)
        kind = self.findings[index].partition(":")[0]
        if index < 0:
            return f"{kind}: {self.array.name}[{index}] lies before the beginning"
        if index >= self.array.count:
            return f"{kind}: {self.array.name}[{index}] lies past the end"
        return f"{kind}: {self.array.element_name(index)}"

    def text(self, row: int, column: int) -> str:
        """Return the value at a place of the image as a text; '' where there is none."""
        if not self.known[row, column] or self.array.shown is None:
            return ""
        return number(self.values[row, column], self.array.shown)

    def texts(self, top: int, bottom: int, left: int, right: int) -> list[list[str]]:
        """Return the values of a part of the image as texts, row by row."""
        part = np.ascontiguousarray(self.values[top:bottom, left:right])
        if self.array.shown is None:
            return [[""] * part.shape[1]] * part.shape[0]
        written = iter(numbers(part.ravel(), self.array.shown))
        known = self.known[top:bottom, left:right]
        return [[next(written) if there else (next(written), "")[1] for there in row] for row in known.tolist()]

    @property
    def levels(self) -> tuple[float, float]:
        """Return the least and the greatest finite value that is known; (0, 0) where there is none."""
        held = self.values[self.known].astype(np.float64)
        held = held[np.isfinite(held)]
        return (float(held.min()), float(held.max())) if held.size else (0.0, 0.0)


def _span(first: int, end: int) -> str:
    return str(first) if end - first == 1 else f"{first}–{end - 1}"


def keeps_rows(array: MemoryArray) -> bool:
    """Return whether the rows of the image are those of the array: it has several dimensions, beside the numbers of its
    elements, and is no strip, which would be a line in the image."""
    if len(array.dims) < (2 if array.numbers == 1 else 3):
        return False
    columns, rows = array.dims[-1], array.count // max(1, array.dims[-1])
    return array.count <= SHORT or max(rows, columns) < LONG * min(rows, columns)


def shape_of(array: MemoryArray, focus: int = 0) -> ArrayShape:
    """Fold an array into an image: one of two or more dimensions keeps its rows, a short one has rows of 32, a long one
    or a strip is about twice as wide as high. Of a very long one the rows around the element ``focus`` are taken."""
    if keeps_rows(array):
        columns = array.dims[-1]
    elif array.count <= SHORT:
        columns = min(FOLD, max(1, array.count))
    else:
        columns = 1 << (isqrt(2 * min(array.count, MOST_ELEMENTS)) - 1).bit_length()
    columns = max(array.numbers, columns - columns % array.numbers)  # a struct or vector stays in one row
    columns = min(columns, MOST_ELEMENTS)
    count = array.count
    if count <= MOST_ELEMENTS:
        return ArrayShape(0, count, columns)
    rows = MOST_ELEMENTS // columns
    top = max(0, min(-(-count // columns) - rows, focus // columns - rows // 2))
    return ArrayShape(top * columns, min(rows * columns, count - top * columns), columns)


def block_of(context: FrameContext) -> int:
    """Return the block whose shared arrays and tiles are shown: the one in whose memory the event's access is, the
    event's, or at the start the selected one."""
    event, at = context.frame.event, context.frame.addresses
    if event is None or not context.event_is_selected:
        return context.selection.block
    return event.block if at is None or at.block is None else at.block


def has_values(array: MemoryArray) -> bool:
    """Return whether the elements of an array are numbers."""
    return array.kind is not None and DTYPES[array.kind].itemsize == array.size


def of_numbers(array: MemoryArray) -> MemoryArray | None:
    """Return an array by its numbers: those of structs and vectors are in a row. None where its elements are no
    numbers, or numbers of several kinds."""
    if array.kind is None or array.size % DTYPES[array.kind].itemsize:
        return None
    size = DTYPES[array.kind].itemsize
    numbers = array.size // size
    return array if numbers == 1 else replace(array, size=size, dims=(*array.dims, numbers), numbers=numbers)


class TileCache:
    """Keep the tiles of a run's arrays by block: to find them goes through every access of an array."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._kept: dict[tuple[int, int, bool], BlockTiles] = {}

    def tiles(self, history: ElementHistory, block: int, columns: int, stores: bool) -> BlockTiles:
        """Return the tiles of a block in the array of a history."""
        key = (history.extent.base, block, stores)
        if key not in self._kept:
            self._kept[key] = BlockTiles(history, self._program, block, columns, stores)
        return self._kept[key]


def pictures(context: FrameContext, cache: TileCache) -> Iterator[ArrayPicture]:
    """Yield the arrays of the kernel, global ones first, after the step; while the answer is hidden, before it."""
    block = block_of(context)
    found = [numbers for array in arrays_of(context.run, block) if (numbers := of_numbers(array)) is not None]
    found.sort(key=lambda array: array.space is Space.SHARED)
    written = _written_arrays(context, found, block, cache)
    for array in [a for a in found if a.count][:MOST_ARRAYS]:
        accessed = accessed_elements(context, array)
        shape = shape_of(array, accessed[0] if accessed else 0)
        tile, halo, span = _tile(context, array, block, written, cache)
        shown = array_picture(context, array, shape, tile, halo, span)
        if shown is not None:
            yield shown


def array_picture(
    context: FrameContext, array: MemoryArray, shape: ArrayShape, tile: Region | None = None,
    halo: Region | None = None, span: Region | None = None,
) -> ArrayPicture | None:  # fmt: skip
    """Return the part ``shape`` of an array; None where its values are not known."""
    read = _shared if array.space is Space.SHARED else _global
    contents = read(context, array, shape)
    if contents is None:
        return None
    return ArrayPicture(
        array, shape, *contents, _tints(context, array, shape), accessed_elements(context, array), tile, halo, span,
        _padding(context, array), findings_in(context, array), index_of(array, context.selection.element),
    )  # fmt: skip


def hover(context: FrameContext, picture: ArrayPicture, index: int) -> str:
    """Describe an element in words: its name, its place, its value, its bank, its finding, and its accesses."""
    array = picture.array
    says = array.element_name(index)
    if len(array.dims) == 2 and array.space is Space.GLOBAL:
        says += f" (row {index // array.dims[1]}, column {index % array.dims[1]})"
    place = picture.shape.place(index)
    if place is not None:
        says += f" = {picture.text(*place) or 'never written'}"
    if array.space is Space.SHARED and not context.predicting:
        says += f", bank {(array.base + index * array.size) // 4 % context.device.shared_banks}"
    if picture.padding is not None and index % array.dims[-1] >= picture.padding:
        says += ", padding"
    found = picture.findings.get(index)
    return says + (f"\n{found}" if found else "") + access_words(context, array, index)


# --- contents -----------------------------------------------------------------------------------------------------


def _grid(shape: ArrayShape, flat: NDArray[Any]) -> NDArray[Any]:
    """Return the elements in rows, the last one filled up with zeros."""
    whole = np.zeros(shape.rows * shape.columns, flat.dtype)
    whole[: len(flat)] = flat
    return whole.reshape(shape.rows, shape.columns)


def _global(
    context: FrameContext, array: MemoryArray, shape: ArrayShape
) -> tuple[NDArray[Any], NDArray[np.bool_]] | None:
    assert array.kind is not None
    base = array.base + shape.first * array.size
    step = max(0, shown_step(context))
    flat = decoded(context.run.trace.global_values(step, base, shape.count, DTYPES[array.kind]), array.small)
    return _grid(shape, flat), _grid(shape, np.ones(len(flat), np.bool_))


def _shared(
    context: FrameContext, array: MemoryArray, shape: ArrayShape
) -> tuple[NDArray[Any], NDArray[np.bool_]] | None:
    frame = context.previous if context.predicting and context.previous is not None else context.frame
    view = next((s for s in frame.shared if s.block == array.block), None)
    if view is None or array.kind is None:
        return None
    start = array.base + shape.first * array.size
    end = min(len(view.data), start + shape.count * array.size)
    flat = decoded(view.data[start:end].view(DTYPES[array.kind]), array.small)
    return _grid(shape, flat), _grid(shape, view.written[start : end : array.size][: len(flat)])


def accessed_elements(context: FrameContext, array: MemoryArray) -> tuple[int, ...]:
    """Return the elements that this step accesses, in order."""
    at, event = context.frame.addresses, context.frame.event
    if at is None or event is None or context.predicting:
        return ()
    if array.block not in (-1, event.block if at.block is None else at.block):
        return ()
    if at.space is not array.space:
        return ()
    lanes = (at.mask >> np.arange(32) & 1).astype(np.bool_)
    index, inside = np.divmod(at.address[lanes] - array.base, array.size)
    each = max(1, at.width // array.size)
    found = (index[inside == 0, None] + np.arange(each)).ravel()
    return tuple(sorted(set(found[(found >= 0) & (found < array.count)].tolist()))[:MOST_OUTLINED])


def _tints(context: FrameContext, array: MemoryArray, shape: ArrayShape) -> NDArray[np.uint8] | None:
    key = context.selection.colours
    history = history_of(context, array) if key else None
    if history is None:
        return None
    last = history.last(shown_step(context))[shape.first : shape.first + shape.count]
    found = np.full(shape.rows * shape.columns, OUTSIDE, np.uint8)
    found[: shape.count] = colours(key, history, last, context.launch.warps, context.trace.steps)
    return found.reshape(shape.rows, shape.columns)


# --- tiles --------------------------------------------------------------------------------------------------------


def _padding(context: FrameContext, array: MemoryArray) -> int | None:
    if array.space is not Space.SHARED:
        return None
    variable = next((v for v in shared_arrays(context.program) if v.name == array.name), None)
    return padded_from(variable.dims) if variable is not None else None


def padded_from(dims: tuple[int, ...]) -> int | None:
    """Return the first column of an array that is padding; None where it has none.

    A last dimension one above a multiple of eight (``tile[32][33]``) is the usual way to keep the elements of a column
    in different banks; the elements of that one more column are not used.
    """
    columns = dims[-1] if len(dims) > 1 else 0
    return columns - 1 if columns > 8 and columns % 8 == 1 else None


def _written_arrays(
    context: FrameContext, arrays: list[MemoryArray], block: int, cache: TileCache
) -> dict[tuple[int, ...], MemoryArray]:
    """Return by shape a two-dimensional global array that the block writes: its tile there is what it is to compute."""
    found: dict[tuple[int, ...], MemoryArray] = {}
    for array in arrays:
        history = history_of(context, array) if _has_tiles(array) else None
        if history is not None and cache.tiles(history, block, array.dims[1], stores=True).at(0) is not None:
            found[array.dims] = array
    return found


def _has_tiles(array: MemoryArray) -> bool:
    return array.space is Space.GLOBAL and len(array.dims) == 2 and keeps_rows(array)


def _tile(
    context: FrameContext, array: MemoryArray, block: int, written: dict[tuple[int, ...], MemoryArray], cache: TileCache
) -> tuple[Region | None, Region | None, Region | None]:
    """Return tile, halo and span of the block in a global array of two dimensions. There is a halo where the block
    reads beyond the tile that it writes in an array of the same shape, or that its threads load for themselves."""
    history = history_of(context, array) if _has_tiles(array) else None
    if history is None:
        return None, None, None
    step = shown_step(context)
    passes = cache.tiles(history, block, array.dims[1], stores=False)
    whole, span = passes.at(step), passes.span
    span = span if span != whole else None
    other = written.get(array.dims)
    target = history_of(context, other) if other is not None and other != array else None
    inner = cache.tiles(target, block, array.dims[1], stores=True).at(step) if target is not None else None
    if whole is not None and inner is not None and whole.holds(inner):
        return passes.around(step, inner), whole, None
    return whole, None, span
