"""Name the rows of registers that instructions of code as written read and write."""

from __future__ import annotations

from warpview.isa.ops import Op
from warpview.isa.program import NONE, Instruction

Row = tuple[bool, int]  # whether it is of the 64-bit file, and its number


def rows_read(instruction: Instruction) -> list[Row]:
    """Return the rows that an instruction reads."""
    rows = [(kind.is_wide, row) for row, kind in zip(instruction.srcs, instruction.src_types, strict=True)]
    if instruction.op == Op.ST and instruction.vec > 1:
        rows += [(rows[1][0], rows[1][1] + k) for k in range(1, instruction.vec)]
    return rows + ([(False, instruction.guard)] if instruction.guard != NONE else [])


def rows_written(instruction: Instruction) -> list[Row]:
    """Return the rows that an instruction writes."""
    kind = instruction.dst_type
    return [] if kind is None else [(kind.is_wide, row) for row in instruction.result_rows]
