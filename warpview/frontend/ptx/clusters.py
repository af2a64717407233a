"""Lower the instructions of PTX that concern clusters of thread blocks, but for their barrier (parse/assembly.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.frontend import features
from warpview.frontend.ir import Value, const
from warpview.frontend.ptx.syntax import PtxInstruction
from warpview.isa.ops import Op
from warpview.isa.types import RANK_SHIFT, Type

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall

WITHIN_BLOCK = (1 << RANK_SHIFT) - 1


def map_address(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower mapa: the same place in the shared memory of the block of a rank."""
    type_ = ins.types[-1]
    low.require(features.CLUSTERS)
    low.function.names_blocks = True
    address, rank = low.read(ins.operands[1], type_), low.read(ins.operands[2], Type.U32)
    low.write(ins.operands[0], mapped(low, address, rank))


def mapped(low: PtxCall, address: Value, rank: Value) -> Value:
    """Return an address, of 32 bits in shared memory or a generic one, with the block of a rank in place of its own."""
    type_ = address.type
    if type_.is_wide:
        rank = low.emit(Op.CVT, type_, rank, stype=Type.U32)
    all_ones = (1 << 8 * type_.bytes) - 1
    named = low.emit(Op.SHL, type_, rank, const(Type.U32, RANK_SHIFT))
    place = low.emit(Op.AND, type_, address, const(type_, all_ones & ~(0xFF << RANK_SHIFT)))
    return low.emit(Op.OR, type_, place, named)


def rank_of_address(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower getctarank: the rank of the block in whose shared memory an address lies."""
    low.require(features.CLUSTERS)
    low.function.names_blocks = True
    address = low.read(ins.operands[1], Type.U64 if "shared::cluster" not in ins.modifiers else Type.U32)
    narrow = low.emit(Op.CVT, Type.U32, address, stype=Type.U64) if address.type.is_wide else address
    low.write(ins.operands[0], low.emit(Op.SHR, Type.U32, narrow, const(Type.U32, RANK_SHIFT)))
