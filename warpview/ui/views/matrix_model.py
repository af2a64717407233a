"""Draw the product of matrices that a warp computes in one instruction: D = A × B + C, put together from the registers
of the lanes. Qt-free."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from warpview.isa.matrices import LANES, PRODUCTS, MatrixProduct
from warpview.isa.types import Type
from warpview.sim.reference.matrix_products import left_elements, result_place, right_elements
from warpview.ui.drawing.picture import Box, HitRegion, Picture, Target, Text
from warpview.ui.drawing.values import number

if TYPE_CHECKING:
    from warpview.ui.views.context import FrameContext
    from warpview.ui.views.values_model import Computation, OperandRow

FORMATS: dict[str, Any] = {
    "F16": np.float16, "BF16": np.uint16, "TF32": np.float32, "F32": np.float32, "F64": np.float64, "S8": np.int8,
    "U8": np.uint8, "S32": np.int32,
}  # fmt: skip
SHADES = tuple(f"heat{k}" for k in range(5))  # by the size of a value; darker ones would hide the digits
TOP, TITLE, GAP = 2.2, 1.3, 1.6  # units: what lies above, the height of a letter, the room between matrices
WIDEST, LEAST_TEXT = 3.4, 0.56  # units: the width of an element at most, and the smallest type


@dataclass(frozen=True)
class Matrix:
    """Hold the elements of a matrix and the lane that holds each: [rows, columns]."""

    name: str
    values: NDArray[Any]
    lanes: NDArray[np.int64]

    def text(self, row: int, column: int) -> str:
        """Return an element as a text."""
        value = self.values[row, column]
        return number(value, Type.F32 if self.values.dtype.kind == "f" else Type.S32)


def matrices(found: Computation, mod: int) -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """Return A, B, C and D of the product ``mod`` from its operands."""
    product = PRODUCTS[mod]
    _, of_d, of_a, of_b, of_c = product.name.replace("_SATFINITE", "").split("_")
    a, b = found.sources[: product.a], found.sources[product.a : product.a + product.b]
    c = found.sources[product.a + product.b : product.a + product.b + product.d]
    operands = ("A", a, of_a), ("B", b, of_b), ("C", c, of_c), ("D", found.results, of_d)
    return tuple(_matrix(product, *operand) for operand in operands)  # type: ignore[return-value]


def _matrix(product: MatrixProduct, name: str, rows: Iterable[OperandRow], format_: str) -> Matrix:
    words = np.stack([row.values.view(f"u{row.values.itemsize}") for row in rows], axis=1)
    elements = np.ascontiguousarray(words).view(FORMATS[format_])  # [lane, element]
    if format_ == "BF16":
        elements = (elements.astype(np.uint32) << 16).view(np.float32)
    places = _places(name, words.shape[1], elements.shape[1] // words.shape[1])
    shape = tuple(part + 1 for part in places.reshape(-1, 2).max(0))
    values, lanes = np.zeros(shape, elements.dtype), np.zeros(shape, np.int64)
    values[places[..., 0], places[..., 1]] = elements
    lanes[places[..., 0], places[..., 1]] = np.arange(LANES)[:, None]
    return Matrix(name, values, lanes)


@lru_cache(32)
def _places(name: str, registers: int, parts: int) -> NDArray[np.int64]:
    """Return row and column of each element that a lane holds: [lane, element, 2]."""
    count = registers * parts
    if name in "CD":
        return np.array([[result_place(lane, k) for k in range(count)] for lane in range(LANES)])
    # The numbers of the elements take the way of their values.
    words = [[lane * count + register * parts for register in range(registers)] for lane in range(LANES)]
    placed = (left_elements if name == "A" else right_elements)(words, lambda first: range(first, first + parts))
    found = np.zeros((LANES * count, 2), np.int64)
    for place, element in placed.items():
        found[element] = place
    return found.reshape(LANES, count, 2)


def draw_matrices(context: FrameContext, picture: Picture, found: Computation, mod: int) -> None:
    """Draw A at the left of D, B above it and C at its right, as large as there is room for."""
    u, (a, b, c, d) = picture.unit, matrices(found, mod)
    depth, rows, across = b.values.shape[0], *d.values.shape
    high = (picture.height - (TOP + 2 * TITLE + 0.6) * u) / (depth + rows)
    wide = min(WIDEST * u, (picture.width - (2 * GAP + 3) * u) / (depth + 2 * across))
    left, middle = 1.5 * u, (TOP + 2 * TITLE) * u + depth * high
    right = left + depth * wide + GAP * u
    boxes = {
        "A": Box(left, middle, depth * wide, rows * high),
        "B": Box(right, middle - TITLE * u - depth * high, across * wide, depth * high),
        "D": Box(right, middle, across * wide, rows * high),
        "C": Box(right + across * wide + GAP * u, middle, across * wide, rows * high),
    }
    for matrix in (a, b, c, d):
        _draw(context, picture, matrix, boxes[matrix.name])
    words = f"{rows} × {across} × {depth}, each element held by one lane"
    picture.text(left, (TOP + 0.5 * TITLE) * u, words, 0.9 * u, "dim", room=boxes["B"].x - left - u, least=0.6 * u)
    if context.predicting:
        picture.cover(boxes["D"])


def _draw(context: FrameContext, picture: Picture, matrix: Matrix, box: Box) -> None:
    u, (rows, columns) = picture.unit, matrix.values.shape
    wide, high = box.w / columns, box.h / rows
    title = "D = A × B + C" if matrix.name == "D" else matrix.name
    picture.text(box.x, box.y - 0.5 * TITLE * u, title, u, "text", bold=True)
    size = np.abs(np.nan_to_num(matrix.values.astype(np.float64), posinf=0.0, neginf=0.0))
    shades = (size / (size.max() or 1.0) * (len(SHADES) - 0.01)).astype(np.uint8)
    picture.bitmap(box, shades, SHADES)
    picture.rect(box, None, "text" if matrix.name == "D" else "idle", 1.2)
    texts = [[matrix.text(row, column) for column in range(columns)] for row in range(rows)]
    widest = picture.widest((text for line in texts for text in line), u)
    type_ = min(0.85 * u, 0.8 * high, u * (wide - 3) / max(1.0, widest))
    if type_ >= LEAST_TEXT * u:
        picture.add(
            Text(box.x + (column + 0.5) * wide, box.y + (row + 0.5) * high, text, type_, "text", 0)
            for row, line in enumerate(texts) for column, text in enumerate(line)
        )  # fmt: skip
    chosen = np.argwhere(matrix.lanes == context.selection.lane).tolist() if context.selection.lane is not None else []
    picture.rects([Box(box.x + c * wide, box.y + r * high, wide, high) for r, c in chosen], None, "accent", 2)
    picture.region(box, partial(_element_at, matrix, box))


def _element_at(matrix: Matrix, box: Box, x: float, y: float) -> HitRegion:
    rows, columns = matrix.values.shape
    row = min(rows - 1, int((y - box.y) / box.h * rows))
    column = min(columns - 1, int((x - box.x) / box.w * columns))
    lane = int(matrix.lanes[row, column])
    cell = Box(box.x + column * box.w / columns, box.y + row * box.h / rows, box.w / columns, box.h / rows)
    says = f"{matrix.name}[{row}][{column}] = {matrix.text(row, column)}, held by lane {lane}"
    return HitRegion(cell, says, Target(lane=lane))
