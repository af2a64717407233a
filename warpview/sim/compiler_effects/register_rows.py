"""Name the rows of registers that instructions of code as written read and write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from warpview.isa.ops import Op
from warpview.isa.program import NONE, OF_CLUSTER, Instruction

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


def asks_for_cluster(code: Sequence[Instruction], definitions: Mapping[Row, Sequence[int]], row: Row) -> bool:
    """Return whether a row follows, by its ``definitions``, from where its block is in a cluster or from how many
    blocks that has: CUDA asks for these by volatile instructions, so that the compiler takes them to change."""
    work, seen = [row], {row}
    while work:
        is_wide, number = row = work.pop()
        if not is_wide and number in OF_CLUSTER:
            return True
        needed = {needs for n in definitions.get(row, ()) for needs in rows_read(code[n])} - seen
        seen |= needed
        work += needed
    return False
