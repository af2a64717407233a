"""Draw the product of matrices that a warp computes in one instruction: D = A × B + C, put together from the registers
of the lanes. Qt-free."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpview.isa.fragments import left_elements, result_place, right_elements
from warpview.isa.matrices import LANES, PRODUCTS, MatrixProduct
from warpview.isa.ops import Op
from warpview.isa.program import Instruction
from warpview.isa.types import Type
from warpview.trace.frame import Frame, PreviousState
from warpview.ui.drawing.picture import Box, HitRegion, Picture, Target, Text
from warpview.ui.drawing.values import number
from warpview.ui.views.context import FrameContext

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


def matrices(context: FrameContext, before: Frame | PreviousState) -> tuple[Matrix, Matrix, Matrix, Matrix] | None:
    """Return A, B, C and D of this step's product, the first three from the registers ``before``; None where the step
    is none."""
    event = context.frame.event
    assert event is not None
    instruction = context.program.instructions[event.pc]
    found = _operands(instruction)
    if found is None:
        return None
    product, rows = found
    _, of_d, of_a, of_b, of_c = product.name.replace("_SATFINITE", "").split("_")
    is_native, is_wide = instruction.native is not None, product.type is Type.F64

    def matrix(name: str, state: Frame | PreviousState, format_: str) -> Matrix:
        file = state.registers64 if is_wide and not is_native else state.registers32
        words = np.ascontiguousarray(np.asarray(file[event.slot, list(rows[name])]).T)  # [lane, register]
        return _matrix(name, words.view(np.uint64) if is_wide else words, format_)

    if not rows["C"]:  # zeros have no register in machine code
        d = matrix("D", context.frame, of_d)
        c = Matrix("C", np.zeros_like(d.values), d.lanes)
    else:
        c = matrix("C", before, of_c)
    return matrix("A", before, of_a), matrix("B", before, of_b), c, matrix("D", context.frame, of_d)


def _operands(instruction: Instruction) -> tuple[MatrixProduct, dict[str, Sequence[int]]] | None:
    """Return the product that an instruction computes, and the rows of registers of each matrix by its name."""
    native = instruction.native
    if native is not None:
        kinds = (p for p in PRODUCTS if p.meaning == native.meaning and (p.variant,) == native.variant)
        product = next(kinds, None)
        if product is None:
            return None
        held = {letter: range(s.row, s.row + s.span) for letter, s in native.sources.items()}
        first, count = native.results["d"]
        return product, {
            "A": held["a"], "B": held["b"], "C": held.get("c", range(0)), "D": range(first, first + count),
        }  # fmt: skip
    if instruction.op is not Op.MMA:
        return None
    product, rows = PRODUCTS[instruction.mod], instruction.srcs
    ends = np.cumsum((0, product.a, product.b, product.d)).tolist()
    parts = {name: rows[low:high] for name, low, high in zip("ABC", ends, ends[1:], strict=False)}
    return product, {**parts, "D": instruction.result_rows}


def _matrix(name: str, words: NDArray[Any], format_: str) -> Matrix:
    elements = words.view(FORMATS[format_])  # [lane, element]
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


def draw_matrices(context: FrameContext, picture: Picture, shown: tuple[Matrix, Matrix, Matrix, Matrix]) -> None:
    """Draw A at the left of D, B above it and C at its right, as large as there is room for."""
    u, (a, b, c, d) = picture.unit, shown
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
