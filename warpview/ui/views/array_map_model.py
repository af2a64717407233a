"""An array as a map: a coloured cell an element, two-dimensional where the array is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from warpview.ui.drawing.picture import Box, HitRegion, Picture, Target, Token
from warpview.ui.drawing.values import thousands
from warpview.ui.moving.elements import Array
from warpview.ui.views.elements_model import access_words, beyond, findings_in, mark_elements

if TYPE_CHECKING:
    from warpview.ui.views.context import FrameContext

LEAST = 2.0  # pixels of an element that one can still see
TOLD_APART = 5.0  # pixels from which on elements are, by lines between them
FEW = 64  # elements in a row, of which each may be wider than high where there is room at the side:
WIDEST = 2.5  # times at most,
WIDE = 2.2 * TOLD_APART  # or so many pixels


@dataclass(frozen=True)
class Map:
    """Elements ``first`` to ``first + count - 1``, ``across`` in a row of cells from a corner."""

    x: float
    y: float
    width: float  # of a cell
    height: float
    across: int
    first: int
    count: int

    @property
    def rows(self) -> int:
        return -(-self.count // self.across)

    @property
    def box(self) -> Box:
        return Box(self.x, self.y, self.across * self.width, self.rows * self.height)

    def cell(self, index: int) -> Box | None:
        if not self.first <= index < self.first + self.count:
            return None
        row, column = divmod(index - self.first, self.across)
        return Box(self.x + column * self.width, self.y + row * self.height, self.width, self.height)

    def index(self, x: float, y: float) -> int | None:
        found = int((y - self.y) / self.height) * self.across + int((x - self.x) / self.width)
        return self.first + found if found < self.count else None


def across_for(array: Array, room: Box, most: float) -> int:
    """Elements in a row: those of the array's own rows; a square number of elements as a square; others so that all
    are in sight, in powers of two from 16."""
    columns = array.dims[-1] if len(array.dims) > 1 else isqrt(array.count)
    whole = len(array.dims) > 1 or columns * columns == array.count >= 256
    if whole and columns * LEAST <= room.w:
        return columns
    across = 16
    while 2 * across * LEAST <= room.w:
        rows = -(-array.count // across)
        if rows * min(most, room.w / across) <= room.h:
            break
        across *= 2
    return across


def place_map(array: Array, room: Box, most: float, focus: int = 0) -> Map | None:
    """The map that fits, around element ``focus`` where not all does; None where there is no room at all."""
    if room.h < 2.2 * LEAST or room.w < 16 * LEAST or not array.count:
        return None
    across = across_for(array, room, most)
    all_rows = -(-array.count // across)
    size = max(LEAST, min(room.w / across, most, room.h / all_rows if all_rows <= 4 * across else most))
    rows = max(1, min(all_rows, int(room.h / size + 0.01)))
    top = max(0, min(all_rows - rows, focus // across - rows // 2))
    # A picture of many elements keeps its shape; few take the room that there is.
    width = max(size, min(room.w / across, most, max(WIDEST * size, WIDE))) if across <= FEW else size
    return Map(room.x, room.y, width, size, across, top * across, min(array.count - top * across, rows * across))


def draw_map(
    context: FrameContext, picture: Picture, box: Box, array: Array, tints: Callable[[int, int], NDArray[np.uint8]],
    tokens: Sequence[Token], lit: Sequence[int], value: Callable[[int], str], note: str = "",
) -> float:  # fmt: skip
    """Draw an array with its name and extent, and a ``note`` after them. ``tints(first, count)`` are indices into
    ``tokens``, whose last is the one beyond the end; ``lit`` are the elements touched now. Returns the height taken."""
    u = picture.unit
    room = Box(box.x + 0.5 * u, box.y + 1.35 * u, box.w - u, box.h - 1.6 * u)
    drawn = place_map(array, room, 1.6 * u, min(lit, default=0))
    if drawn is None or room.h < 2 * u:
        return 0.0
    said = picture.text(room.x, box.y + 0.6 * u, f"{array.name}[]", 0.9 * u, "text", bold=True, room=0.5 * room.w)
    size = picture.text(said.right + 0.6 * u, said.cy, _extent_words(array, drawn) + note, 0.8 * u, "dim",
                        room=room.right - said.right - 0.6 * u, least=0.6 * u)  # fmt: skip
    beyond(context, picture, array, size.right + u, said.cy)
    indices = np.full(drawn.rows * drawn.across, len(tokens) - 1, np.uint8)
    indices[: drawn.count] = tints(drawn.first, drawn.count)
    place = drawn.box
    picture.bitmap(place, indices.reshape(drawn.rows, drawn.across), tokens)
    if drawn.height >= TOLD_APART:
        lines = [(place.x + c * drawn.width, place.y, place.x + c * drawn.width, place.bottom)
                 for c in range(drawn.across + 1)]  # fmt: skip
        lines += [(place.x, place.y + r * drawn.height, place.right, place.y + r * drawn.height)
                  for r in range(drawn.rows + 1)]  # fmt: skip
        picture.lines(lines, "panel", 1.0)
    cells = [cell for k in lit[:512] if (cell := drawn.cell(k)) is not None]
    picture.rects(cells, None, "text", 1.6 if drawn.height > TOLD_APART else 1.0)
    mark_elements(context, picture, array, drawn.cell)

    def element_at(x: float, y: float) -> HitRegion | None:
        k = drawn.index(x, y)
        cell = drawn.cell(k) if k is not None else None
        if k is None or cell is None:
            return None
        return HitRegion(cell, hover(context, array, k, value(k)), Target(element=array.element(k)))

    picture.region(place, element_at)
    return place.bottom - box.y


def side_by_side(box: Box, n: int, least: float) -> list[Box]:
    """``n`` parts of a box, beside one another where each gets ``least`` of width, else above one another."""
    if box.w > 1.2 * box.h and box.w / n >= least:
        return [Box(box.x + k * box.w / n, box.y, box.w / n, box.h) for k in range(n)]
    return [Box(box.x, box.y + k * box.h / n, box.w, box.h / n) for k in range(n)]


def hover(context: FrameContext, array: Array, index: int, value: str) -> str:
    """An element in words: its name, where it stands in two dimensions, its value, its finding, and who touched it."""
    says = array.element_name(index)
    if len(array.dims) == 2:
        says += f" (row {index // array.dims[1]}, column {index % array.dims[1]})"
    says += f" = {value}" if value else ""
    found = findings_in(context, array).get(index)
    says += f"\n{found}" if found else ""
    return says + access_words(context, array, index)


def _extent_words(array: Array, drawn: Map) -> str:
    whole = " × ".join(thousands(n) for n in array.dims) + (" elements" if len(array.dims) == 1 else "")
    if drawn.count == array.count:
        return whole
    last = drawn.first + drawn.count - 1
    return f"{thousands(drawn.first)} to {thousands(last)} of {whole}"
