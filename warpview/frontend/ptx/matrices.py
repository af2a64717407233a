"""Lower the instructions of PTX that multiply matrices of a warp."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from warpview.frontend.ir import Instr, const
from warpview.frontend.ptx.syntax import PtxInstruction
from warpview.isa.matrices import PRODUCTS, MatrixMode
from warpview.isa.ops import Op
from warpview.isa.types import FULL, Type

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall

_IMPLIED = frozenset({"sync", "aligned", "row", "col", "mma"})
# From which compute capability on wmma has a format of A; mma has its shapes later.
_WMMA = {"f16": (7, 0), "s8": (7, 2), "u8": (7, 2)}


def multiply(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower mma, whose matrices are lists of registers. Headers of our own write wmma.mma for a tile of the products of
    wmma and wmma.movmatrix within its loads, which older devices have, too."""
    if "movmatrix" in ins.modifiers:
        transpose(low, replace(ins, modifiers=ins.modifiers[1:]), (7, 0))
        return
    named = "_".join(m.upper() for m in ins.modifiers if m not in _IMPLIED)
    if named not in MatrixMode.__members__:
        low.refuse(f"'{ins.name}'")
    mode = MatrixMode[named]
    product = PRODUCTS[mode]
    of_wmma = _WMMA.get(ins.modifiers[-2], (8, 0))
    low.require(of_wmma if ins.opcode == "wmma" else product.capability, "products of matrices")
    types = (product.operand_type, product.operand_type, product.type)
    sources = [
        low.read(part, type_)
        for operand, type_ in zip(ins.operands[1:], types, strict=True)
        for part in operand.parts or (operand,)
    ]
    results = tuple(low.function.reg(product.type) for _ in range(product.d))
    low.append(
        Instr(Op.MMA, product.type, results, (*sources, const(Type.U32, FULL)), ins.span, stype=product.operand_type,
              mod=mode, vec=product.d)
    )  # fmt: skip
    for target, result in zip(ins.operands[0].parts, results, strict=True):
        low.write(target, result)


def transpose(low: PtxCall, ins: PtxInstruction, capability: tuple[int, int] = (7, 5)) -> None:
    """Lower movmatrix, which devices have from a compute capability on."""
    if set(ins.modifiers) != {"sync", "aligned", "m8n8", "trans", "b16"}:
        low.refuse(f"'{ins.name}'")
    low.require(capability, "transposition of matrices by a warp")
    pair = low.read(ins.operands[1], Type.U32)
    low.write(ins.operands[0], low.emit(Op.MOVM, Type.U32, pair, const(Type.U32, FULL)))
