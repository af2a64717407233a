"""Lower the conversions of PTX (cvt) between integers and floats, but for those of 16 bits (halves.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.frontend.ir import Value, const
from warpview.frontend.ptx import matrices, table
from warpview.frontend.ptx.double_rounding import exact_integer, rounded_integer
from warpview.frontend.ptx.rounding import DIRECTED, flushed, rounded
from warpview.frontend.ptx.syntax import TYPES, PtxInstruction, operation_type
from warpview.isa.modes import Cmp
from warpview.isa.ops import Op
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall


def convert(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower cvt of one number to another, but for those of 16 bits."""
    if "tf32" in ins.modifiers:
        matrices.shorten(low, ins)
        return
    if ins.modifiers[0] == "pack":
        _pack_limited(low, ins)
        return
    if len(ins.types) != 2:
        low.refuse(f"'{ins.name}'")
    to, of = ins.types
    rounding = next((m for m in ins.modifiers if m in table.TO_INTEGRAL), "")
    direction = next((m for m in ins.modifiers if m in DIRECTED), "")
    known = {*TYPES, *table.TO_INTEGRAL, *DIRECTED, "rn", "sat", "ftz"}
    if not known.issuperset(ins.modifiers) or ("sat" in ins.modifiers and to.is_float and not of.is_float):
        low.refuse(f"'{ins.name}'")
    value = flushed(low, ins, low.read(ins.operands[1], of))
    if "sat" in ins.modifiers and not of.is_float:
        value = limited(low, value, of, to)
    if direction:
        low.write(ins.operands[0], _rounded_number(low, ins, direction, value, of))
        return
    if of.is_float and rounding and (to.is_float or rounding != "rzi"):
        value = low.emit(Op.MATH1, of, value, mod=table.TO_INTEGRAL[rounding])
    if to.is_float or of.is_float:
        if not to.is_float and to.bytes < 4:  # what a word holds, limited to what fewer bits hold
            low.write_extended(ins.operands[0], _narrow(low, value, of, to), to)
            return
        value = value if to == of else low.emit(Op.CVT, to, value, stype=of)
    else:
        if to.is_wide != of.is_wide:
            full = to if to.bytes >= 4 else Type.U32
            value = low.emit(Op.CVT, full, value, stype=of)
        if to.bytes < 4:
            low.write_extended(ins.operands[0], low.emit(Op.MOV, to, value), to)
            return
    if "sat" in ins.modifiers and to.is_float:  # a float that becomes an integer is limited anyway
        value = low.emit(Op.MAX, to, value, const(to, 0.0))
        value = low.emit(Op.MIN, to, value, const(to, 1.0))
    low.write(ins.operands[0], value)


def _rounded_number(low: PtxCall, ins: PtxInstruction, direction: str, value: Value, of: Type) -> Value:
    """Return a number converted to F32 or F64, rounded in a direction."""
    to = ins.types[0]
    is_long = of.is_wide and not of.is_float
    if not to.is_float or (to == Type.F64 and not is_long):
        low.refuse(f"'{ins.name}'")
    if to == Type.F64:
        return rounded_integer(low, direction, value, of)
    nearest, error = low.emit(Op.CVT, to, value, stype=of), None
    if is_long:
        wide, error = exact_integer(low, value, of)
    else:
        wide = value if of == Type.F64 else low.emit(Op.CVT, Type.F64, value, stype=of)
    return rounded(low, direction, nearest, wide, error)


def _narrow(low: PtxCall, value: Value, of: Type, to: Type) -> Value:
    """Return a float as the nearest integer of 8 or 16 bits; of a double that is no number the highest bit alone."""
    word = Type.S32 if to.is_signed else Type.U32
    found = limited(low, low.emit(Op.CVT, word, value, stype=of), word, to)
    if of == Type.F64 and not to.is_signed:
        is_number = low.emit(Op.SETP, of, value, value, mod=Cmp.EQ)
        found = low.emit(Op.SELP, word, found, const(word, 1 << 8 * to.bytes - 1), is_number)
    return low.emit(Op.MOV, to, found)


def limited(low: PtxCall, value: Value, of: Type, to: Type) -> Value:
    """Return an integer, or the nearest one to it that another type of integer holds."""
    (least_of, most_of), (least, most) = _limits(of), _limits(to)
    if least > least_of:
        value = low.emit(Op.MAX, operation_type(of), value, const(operation_type(of), least))
    if most < most_of:
        value = low.emit(Op.MIN, operation_type(of), value, const(operation_type(of), most))
    return value


def _limits(type_: Type) -> tuple[int, int]:
    bits = 8 * type_.bytes
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if type_.is_signed else (0, (1 << bits) - 1)


def _pack_limited(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower cvt.pack.sat: two words limited to a type, the second in the lowest bits, and of bytes a third word above
    them."""
    to, of = ins.types[:2]
    if of != Type.S32 or to.bytes > 2 or ins.modifiers[1] != "sat" or len(ins.operands) != (3 if to.bytes == 2 else 4):
        low.refuse(f"'{ins.name}'")
    bits = 8 * to.bytes
    packed: Value = low.read(ins.operands[3], Type.U32) if to.bytes == 1 else const(Type.U32, 0)
    for operand in ins.operands[1:3]:
        part = limited(low, low.read(operand, of), of, to)
        field = low.emit(Op.AND, Type.U32, part, const(Type.U32, (1 << bits) - 1))
        packed = low.emit(Op.OR, Type.U32, low.emit(Op.SHL, Type.U32, packed, const(Type.U32, bits)), field)
    low.write(ins.operands[0], packed)
