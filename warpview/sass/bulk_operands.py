"""Say what a bulk copy or reduction of NVIDIA's machine code does, by its modifiers."""

from __future__ import annotations

from warpview.isa.native import BulkCopy, SpecialAtomic
from warpview.isa.ops import AtomOp
from warpview.isa.types import Space, Type
from warpview.sass.modifiers import ATOMIC_OPS
from warpview.sass.operand_rows import UnsupportedOperation
from warpview.sass.operation import SassOperation

SPACES = {1: (Space.GLOBAL, Space.SHARED), 2: (Space.SHARED, Space.GLOBAL), 3: (Space.SHARED, Space.SHARED)}
TYPES = {
    0: Type.U32, 1: Type.S32, 2: Type.U64, 3: Type.S64, 4: Type.U32, 5: Type.F32, 7: Type.F64, 8: Type.U32,
}  # fmt: skip
PAIRS = {4: SpecialAtomic.HALVES, 8: SpecialAtomic.BF16}  # by the modifier "type"
FLOATING = {5: {AtomOp.ADD}, 7: {AtomOp.ADD}, 4: {AtomOp.ADD, AtomOp.MIN, AtomOp.MAX}}
FLOATING[8] = FLOATING[4]


def scattered(operation: SassOperation, staging: int, data: int) -> BulkCopy:
    """Return what a store or reduction does that scatters the registers from ``data`` on, and tells a barrier of the
    bytes by way of the rows from ``staging`` on."""
    m, words = operation.modifiers, operation.operands["s"].span
    reduction = AtomOp[ATOMIC_OPS[m["reduction"]][1:]] if "reduction" in m else -1
    type_ = TYPES[m["type"]] if "reduction" in m else Type.U32
    return BulkCopy(Space.SHARED, Space.SHARED, type_, reduction, SpecialAtomic.NONE, False, staging, data, words)


def bulk_copy(operation: SassOperation, staging: int, data: int) -> BulkCopy:
    """Return what a bulk copy does by way of the rows from ``staging`` on, or by those from ``data`` on. Raise
    ``UnsupportedOperation`` for a reduction that PTX does not have."""
    m = operation.modifiers
    if operation.row.meaning == "scatter":
        return scattered(operation, staging, data)
    source, target = SPACES[m["way"]]
    if "reduction" not in m:
        return BulkCopy(source, target, Type.U32, -1, SpecialAtomic.NONE, bool(m["multicast"]), staging)
    reduction = AtomOp[ATOMIC_OPS[m["reduction"]][1:]]
    if reduction not in FLOATING.get(m["type"], {reduction}):
        raise UnsupportedOperation(operation.mnemonic)
    return BulkCopy(
        source, target, TYPES[m["type"]], reduction, PAIRS.get(m["type"], SpecialAtomic.NONE), False, staging
    )
