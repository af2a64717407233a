"""A shared array as the kernel's author sees it: its own rows and columns, with values and with what was touched."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from warpview.isa.program import Program, Variable
from warpview.trace.frame import SharedView
from warpview.ui.drawing.cached_drawing import cached_drawing
from warpview.ui.drawing.picture import Box, HitRegion, Picture, Target, Text
from warpview.ui.drawing.values import DTYPES, number, numbers, shared_arrays
from warpview.ui.moving.elements import Array, shared_array
from warpview.ui.views.colouring import OUTSIDE, TOKENS, colours, dark, value_shades, words_of
from warpview.ui.views.elements_model import access_words, findings_in, history_of, mark_elements, shown_step

if TYPE_CHECKING:
    from warpview.ui.views.context import FrameContext


@dataclass(frozen=True)
class Tile:
    """A shared array of one block as rows and columns: values[rows, columns], and which have been written."""

    variable: Variable
    block: int
    values: NDArray[Any]
    written: NDArray[np.bool_]
    flat: bool  # a one-dimensional array, wrapped

    def name(self, row: int, column: int) -> str:
        columns = self.values.shape[1]
        if self.flat:
            return f"{self.variable.name}[{row * columns + column}]"
        index = row * columns + column
        parts: list[int] = []
        for size in reversed(self.variable.dims[1:]):
            parts.insert(0, index % size)
            index //= size
        return self.variable.name + "".join(f"[{p}]" for p in [index, *parts])

    def offset(self, row: int, column: int) -> int:
        """Byte offset in shared memory."""
        return int(self.variable.offset + (row * self.values.shape[1] + column) * self.variable.element_bytes)


def array_of(arrays: tuple[Variable, ...], offset: int) -> Variable | None:
    """The array that a byte offset of shared memory lies in."""
    held = None
    for v in arrays:
        size = v.element_bytes
        for d in v.dims:
            size *= d
        if v.offset <= offset and (size == 0 or offset < v.offset + size):
            held = v
    return held


def tile(program: Program, view: SharedView, variable: Variable, wrap: int) -> Tile | None:
    """The array with its present contents; a flat one is wrapped after ``wrap`` elements."""
    element = max(1, variable.element_bytes)
    kind = DTYPES[variable.type]
    if kind.itemsize != element or variable.offset >= len(view.data):
        return None
    dims = variable.dims or (1,)
    rest = int(np.prod(dims[1:], dtype=np.int64)) if len(dims) > 1 else 1
    first = dims[0] or (len(view.data) - variable.offset) // (element * max(1, rest))
    count = min(first * rest, (len(view.data) - variable.offset) // element)
    if count <= 0:
        return None
    columns = min(wrap, count) if len(dims) == 1 else dims[-1]
    rows = -(-count // columns)
    raw = np.zeros(rows * columns * element, np.uint8)
    raw[: count * element] = view.data[variable.offset : variable.offset + count * element]
    written = np.zeros(rows * columns, np.bool_)
    written[:count] = view.written[variable.offset : variable.offset + count * element : element]
    return Tile(
        variable, view.block, raw.view(kind).reshape(rows, columns), written.reshape(rows, columns), len(dims) == 1
    )


def draw_tile(context: FrameContext, picture: Picture, box: Box, name: str | None, touched: dict[int, int]) -> bool:
    """Draw the array named, or the one touched, of the block that ran or is selected. False if there is none.

    ``touched`` maps byte offsets of words to the lane that touched them.
    """
    arrays = shared_arrays(context.program)
    event = context.frame.event
    block = event.block if touched and event is not None else context.selection.block
    # While the answer is hidden the values are those before the step.
    frame = context.previous if context.predicting and context.previous is not None else context.frame
    view = next((s for s in frame.shared if s.block == block), None)
    if view is None or not arrays:
        return False
    variable = next((v for v in arrays if v.name == name), None)
    if variable is None and touched:
        variable = array_of(arrays, next(iter(touched)))
    variable = variable or arrays[0]
    shown = tile(context.program, view, variable, getattr(context.device, "shared_banks", 32))
    if shown is None:
        return False
    u = picture.unit
    _title(context, picture, box, shown, arrays)
    _cells(context, picture, Box(box.x, box.y + 1.7 * u, box.w, box.h - 1.8 * u), shown, touched)
    if not picture.spoken:
        picture.spoken = f"Shared array {variable.name} of block {block}."
    return True


def _title(context: FrameContext, picture: Picture, box: Box, shown: Tile, arrays: tuple[Variable, ...]) -> None:
    u = picture.unit
    y = box.y + 0.75 * u
    x = box.x + 0.5 * u
    for v in arrays:
        dims = "".join(f"[{d}]" if d else "[]" for d in v.dims)
        text = f"{v.ctype} {v.name}{dims}" if v is shown.variable else v.name
        width = picture.size_of(text, u, bold=v is shown.variable) + 0.8 * u
        if x + width > box.right:
            break
        chip = Box(x, box.y + 0.05 * u, width, 1.4 * u)
        if len(arrays) > 1:
            picture.rect(chip, "glow" if v is shown.variable else "raised", "faint", radius=4)
            picture.hit(chip, f"show {v.name}", Target(command=f"array {v.name}"))
        picture.text(chip.x + (0.4 * u if len(arrays) > 1 else 0), y, text, u, "text", bold=v is shown.variable)
        x += width + 0.3 * u
    room = box.right - 0.5 * u - x
    note = f"block {shown.block}" + ("" if shown.written.any() else ": nothing written yet")
    if context.selection.colours:
        note += f", {words_of(context.selection.colours)[0]}"
    picture.text(box.right - 0.5 * u, y, note, 0.9 * u, "dim", 1, room=room)


@dataclass(frozen=True)
class _Grid:
    """Where the elements of a tile lie in the picture."""

    left: float
    top: float
    width: float
    height: float
    rows: int
    columns: int

    @property
    def box(self) -> Box:
        return Box(self.left, self.top, self.columns * self.width, self.rows * self.height)

    def cell(self, index: int) -> Box:
        row, column = divmod(index, self.columns)
        return Box(self.left + column * self.width, self.top + row * self.height, self.width - 1, self.height - 1)

    def index(self, x: float, y: float) -> int | None:
        row, column = int((y - self.top) // self.height), int((x - self.left) // self.width)
        return row * self.columns + column if 0 <= row < self.rows and 0 <= column < self.columns else None

    @property
    def lines(self) -> list[tuple[float, float, float, float]]:
        x, y, right, bottom = self.left - 0.5, self.top - 0.5, self.box.right - 0.5, self.box.bottom - 0.5
        down = [(x + c * self.width, y, x + c * self.width, bottom) for c in range(self.columns + 1)]
        return down + [(x, y + r * self.height, right, y + r * self.height) for r in range(self.rows + 1)]


@lru_cache(8)
def _centres(grid: _Grid) -> tuple[tuple[float, float], ...]:
    """The middles of all cells."""
    cells = (grid.cell(k) for k in range(grid.rows * grid.columns))
    return tuple((cell.cx, cell.cy) for cell in cells)


@cached_drawing(kept=8)
def _lines(picture: Picture, grid: _Grid) -> None:
    picture.lines(grid.lines, "faint")


def _cells(context: FrameContext, picture: Picture, box: Box, shown: Tile, touched: dict[int, int]) -> None:
    u = picture.unit
    rows, columns = shown.values.shape
    gutter = picture.size_of(str(rows - 1 if not shown.flat else rows * columns), 0.8 * u) + 0.9 * u
    width = min((box.w - gutter - 0.5 * u) / columns, 4.2 * u)
    height = min((box.h - 1.1 * u) / rows, 1.8 * u)
    if height < 1.5 or width < 1.5:
        words = f"{rows} × {columns} elements: enlarge the view (Z)"
        picture.text(box.cx, box.cy, words, 0.9 * u, "dim", 0, room=box.w)
        return
    grid = _Grid(box.x + gutter, box.y + 1.1 * u, width, height, rows, columns)
    array = shared_array(context.run, shown.variable, shown.block)
    base, size = shown.variable.offset, shown.variable.element_bytes
    lit = {(at - base) // size: lane for at, lane in touched.items() if 0 <= (at - base) // size < rows * columns}
    _rulers(picture, grid, shown.flat)
    texts, text_size = _texts(picture, shown, width, height)
    tints = _tints(context, array, rows * columns)
    if tints is not None:
        picture.bitmap(grid.box, tints.reshape(rows, columns), TOKENS)
        picture.rects([grid.cell(k).inset(1) for k in lit], None, "text", 1.6)
    elif text_size:
        picture.rect(grid.box, "raised")
    else:
        picture.bitmap(grid.box, value_shades(shown.values, shown.written), TOKENS)
    for index in lit if tints is None else ():
        picture.rect(grid.cell(index), "active")
    if height > 4 and width > 4:
        _lines(picture, grid)
    centres = _centres(grid)
    for k, text in texts:
        colour = "on_lane" if (k in lit if tints is None else dark(int(tints[k]))) else "text"
        x, y = centres[k]
        picture.marks.append(Text(x, y, text, text_size, colour, 0, k in lit))
    mark_elements(context, picture, array, lambda k: grid.cell(k) if 0 <= k < rows * columns else None)
    picture.region(grid.box, partial(_element_at, context, shown, array, grid, lit))


def _element_at(
    context: FrameContext, shown: Tile, array: Array, grid: _Grid, lit: dict[int, int], x: float, y: float
) -> HitRegion | None:
    k = grid.index(x, y)
    if k is None or k >= array.count:
        return None
    row, column = divmod(k, grid.columns)
    value = number(shown.values[row, column], shown.variable.type) if shown.written[row, column] else "never written"
    says = f"{shown.name(row, column)} = {value}"
    says += "" if context.predicting else f", bank {shown.offset(row, column) // 4 % context.device.shared_banks}"
    lane = lit.get(k)
    says += f", lane {lane}" if lane is not None else ""
    found = findings_in(context, array).get(k)
    says += f"\n{found}" if found else ""
    return HitRegion(grid.cell(k), says + access_words(context, array, k), Target(lane=lane, element=array.element(k)))


def _tints(context: FrameContext, array: Array, count: int) -> NDArray[np.uint8] | None:
    """A colour for each of ``count`` elements by who touched them; None where that is not asked for, or not known."""
    key = context.selection.colours
    history = history_of(context, array) if key else None
    if history is None:
        return None
    found = np.full(count, OUTSIDE, np.uint8)
    last = history.last(shown_step(context))
    tints = colours(key, history, last, context.launch.warps, context.trace.steps)
    found[: array.count] = tints[:count]
    return found


@cached_drawing(kept=8)
def _rulers(picture: Picture, grid: _Grid, flat: bool) -> None:
    u = picture.unit
    left, top, width, height = grid.left, grid.top, grid.width, grid.height
    size = 0.78 * u
    every = next(k for k in (1, 2, 4, 8, 16, 32, 64, 1 << 20) if k * width >= picture.size_of("000", size))
    for c in range(0, grid.columns, every):
        picture.text(left + (c + 0.5) * width, top - 0.55 * u, str(c), size, "dim", 0)
    every = next(k for k in (1, 2, 4, 8, 16, 32, 64, 1 << 20) if k * height >= 1.05 * size)
    for r in range(0, grid.rows, every):
        label = r * grid.columns if flat else r
        picture.text(left - 0.4 * u, top + (r + 0.5) * height, str(label), size, "dim", 1)


def _texts(picture: Picture, shown: Tile, width: float, height: float) -> tuple[list[tuple[int, str]], float]:
    """The values that have been written as (element, text), and the size at which all fit; none and size 0 where they
    cannot be read."""
    u = picture.unit
    if shown.values.size > 2048 or height < 0.72 * u:
        return [], 0.0
    written = np.flatnonzero(shown.written)
    texts = numbers(shown.values.ravel()[written], shown.variable.type)
    widest = picture.widest(texts, u) or u
    size = min(0.9 * u, 0.86 * height, u * (width - 3) / widest)
    return (list(zip(written.tolist(), texts, strict=True)), size) if size >= 0.58 * u else ([], 0.0)
