"""Lower the instructions of PTX that multiply, load and store matrices of a warp."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from warpview.frontend.features import Feature
from warpview.frontend.ir import Instr, SpecialValue, Value, const
from warpview.frontend.ptx.syntax import PtxInstruction
from warpview.isa.matrices import PRODUCTS, MatrixMode
from warpview.isa.modes import Cmp
from warpview.isa.ops import Op, ShflMode
from warpview.isa.program import Special
from warpview.isa.types import FULL, Space, Type

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall

_IMPLIED = frozenset({"sync", "aligned", "row", "col", "mma"})
_TF32 = Feature((8, 0), "floats of 10 digits (TF32)")
_INFINITY = 0x7F800000  # as bits of a float
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
    low.require(Feature(of_wmma if ins.opcode == "wmma" else product.capability, "products of matrices"))
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
    low.require(Feature(capability, "transposition of matrices by a warp"))
    pair = low.read(ins.operands[1], Type.U32)
    low.write(ins.operands[0], low.emit(Op.MOVM, Type.U32, pair, const(Type.U32, FULL)))


# ------------------------------------------------------------------------------------------------ rows in shared memory


def load(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower ldmatrix. Eight lanes each name a row of a matrix of 8 x 8 halves; every lane gets two neighbours of a row,
    or of a column where it is transposed: the addresses are exchanged, and each lane loads its own."""
    rows = _MatrixRows(low, ins, (7, 5))
    for k, target in enumerate(ins.operands[0].parts or (ins.operands[0],)):
        if "trans" not in ins.modifiers:
            low.write(target, rows.access(Op.LD, Type.U32, rows.address(k)))
            continue
        low_half, high_half = (rows.access(Op.LD, Type.U16, rows.address(k, half)) for half in range(2))
        words = [low.emit(Op.CVT, Type.U32, half, stype=Type.U16) for half in (low_half, high_half)]
        shifted = low.emit(Op.SHL, Type.U32, words[1], const(Type.U32, 16))
        low.write(target, low.emit(Op.OR, Type.U32, words[0], shifted))


def store(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower stmatrix, as ``load`` the other way round."""
    rows = _MatrixRows(low, ins, (9, 0))
    for k, source in enumerate(ins.operands[1].parts or (ins.operands[1],)):
        pair = low.read(source, Type.U32)
        if "trans" not in ins.modifiers:
            rows.access(Op.ST, Type.U32, rows.address(k), pair)
            continue
        high = low.emit(Op.SHR, Type.U32, pair, const(Type.U32, 16))
        for half, word in enumerate((pair, high)):
            rows.access(Op.ST, Type.U16, rows.address(k, half), low.emit(Op.CVT, Type.U16, word, stype=Type.U32))


class _MatrixRows:
    """Find where the halves of a lane lie in the rows that lanes name."""

    def __init__(self, low: PtxCall, ins: PtxInstruction, capability: tuple[int, int]) -> None:
        counts = [m for m in ins.modifiers if m in ("x1", "x2", "x4")]
        rest = set(ins.modifiers) - {*counts, "sync", "aligned", "m8n8", "trans", "shared", "shared::cta", "b16"}
        if rest or len(counts) != 1 or "m8n8" not in ins.modifiers:
            low.refuse(f"'{ins.name}'")
        low.require(Feature(capability, f"{ins.opcode} of a warp"))
        self._low, self._ins = low, ins
        place = next(each for each in ins.operands if each.kind == "address")
        _, self._base, self._offset = low.accesses.address(place, Space.SHARED)
        lane: Value = SpecialValue(Special.LANEID)
        self._quarter = low.emit(Op.SHR, Type.U32, lane, const(Type.U32, 2))
        self._within = low.emit(Op.AND, Type.U32, lane, const(Type.U32, 3))

    def address(self, matrix: int, half: int | None = None) -> Value:
        """Return the address of the lane's two halves in a matrix; or of one of them, in a column."""
        emit, row, column = self._low.emit, self._quarter, self._within
        if half is not None:
            row, column = emit(Op.SHL, Type.U32, self._within, const(Type.U32, 1)), self._quarter
        named = emit(Op.ADD, Type.U32, row, const(Type.U32, 8 * matrix + (half or 0)))
        start = emit(Op.SHFL, Type.U32, self._base, named, const(Type.U32, 32), const(Type.U32, FULL), mod=ShflMode.IDX)
        return emit(Op.MAD, Type.U32, column, const(Type.U32, 4 if half is None else 2), start)

    def access(self, op: Op, type_: Type, address: Value, *stored: Value) -> Value:
        """Load or store, and return what is loaded."""
        loaded = self._low.function.reg(type_)
        self._low.append(
            Instr(op, type_, (loaded,) if op == Op.LD else (), (address, *stored), self._ins.span, space=Space.SHARED,
                  imm=self._offset)
        )  # fmt: skip
        return loaded


def shorten(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower cvt.rna.tf32.f32 as NVIDIA's compiler does: a finite float is rounded to 10 digits, half away from zero,
    others lose the digits behind them."""
    if ins.modifiers != ("rna", "tf32", "f32"):
        low.refuse(f"'{ins.name}'")
    low.require(_TF32)
    bits = low.as_type(low.read(ins.operands[1], Type.F32), Type.U32)
    magnitude = low.emit(Op.AND, Type.U32, bits, const(Type.U32, 0x7FFFFFFF))
    rounded = low.emit(Op.ADD, Type.U32, bits, const(Type.U32, 0x1000))
    is_finite = low.emit(Op.SETP, Type.U32, magnitude, const(Type.U32, _INFINITY), mod=Cmp.LT)
    kept = low.emit(Op.SELP, Type.U32, rounded, bits, is_finite)
    low.write(ins.operands[0], low.emit(Op.AND, Type.U32, kept, const(Type.U32, 0xFFFFE000)))
