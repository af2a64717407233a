"""Emit floating-point arithmetic, comparisons and conversions on vectors of lanes.

Nothing is contracted or reassociated: LLVM keeps IEEE semantics without fast-math flags. Division and square root are
correctly rounded, as the vector instructions of the host are.
"""

from __future__ import annotations

from llvmlite import ir

from warpview.isa.ops import Cmp, Op
from warpview.isa.types import Type
from warpview.isa.values import NAN32, NAN64
from warpview.sim.jit.integer import DOUBLES, call, mangled
from warpview.sim.jit.lanes import LANES, V32, V64, constant

FLOATS = ir.VectorType(ir.FloatType(), LANES)
SYMBOLS = {Cmp.EQ: "==", Cmp.NE: "!=", Cmp.LT: "<", Cmp.LE: "<=", Cmp.GT: ">", Cmp.GE: ">="}


def vector_of(type_: Type) -> ir.VectorType:
    """Return a row of values of a type."""
    if type_.is_float:
        return DOUBLES if type_.is_wide else FLOATS
    return V64 if type_.is_wide else V32


def pattern(builder, value):
    """Return the bits of a row of floats."""
    return builder.bitcast(value, V64 if value.type == DOUBLES else V32)


def canonical(builder, value):
    """Return the bits of floats or doubles with every NaN replaced by the one that the hardware gives."""
    wide = value.type == DOUBLES
    nan = constant(V64, NAN64 - (1 << 64)) if wide else constant(V32, NAN32)
    return builder.select(builder.fcmp_unordered("uno", value, value), nan, pattern(builder, value))


def _extreme(first: str, combine: str):
    """Return MIN or MAX: of a NaN and a number the number; of equal values (zeros of both signs) by the sign bits."""

    def extreme(builder, type_, a, b):
        bits = getattr(builder, combine)(pattern(builder, a), pattern(builder, b))
        equal = builder.fcmp_ordered("==", a, b)
        takes_a = builder.or_(builder.fcmp_ordered(first, a, b), builder.fcmp_unordered("uno", b, b))
        return builder.select(equal, builder.bitcast(bits, a.type), builder.select(takes_a, a, b))

    return extreme


def reciprocal(builder, type_, a):
    return builder.fdiv(constant(a.type, 1.0), a)


def reciprocal_root(builder, type_, a):
    """Return 1 / sqrt in F64, rounded once."""
    wide = builder.fpext(a, DOUBLES) if a.type == FLOATS else a
    result = reciprocal(builder, type_, call(builder, "sqrt", wide))
    return builder.fptrunc(result, FLOATS) if a.type == FLOATS else result


FLOAT = {
    Op.ADD: lambda b, t, x, y: b.fadd(x, y),
    Op.SUB: lambda b, t, x, y: b.fsub(x, y),
    Op.MUL: lambda b, t, x, y: b.fmul(x, y),
    Op.DIV: lambda b, t, x, y: b.fdiv(x, y),
    Op.FMA: lambda b, t, x, y, z: call(b, "fma", x, y, z),
    Op.NEG: lambda b, t, x: b.fneg(x),
    Op.ABS: lambda b, t, x: call(b, "fabs", x),
    Op.MIN: _extreme("<", "or_"),
    Op.MAX: _extreme(">", "and_"),
    Op.SQRT: lambda b, t, x: call(b, "sqrt", x),
    Op.RCP: reciprocal,
    Op.RSQRT: reciprocal_root,
}


def compute(builder, op: Op, type_: Type, *operands):
    """Return the result of an operation, for F32 with NaNs as the hardware has them. Those of F64 come out as on the
    host, whose NaN is the hardware's where no operand is one."""
    result = FLOAT[op](builder, type_, *operands)
    return canonical(builder, result) if type_ == Type.F32 else result


def compare(builder, type_: Type, mod: int, a, b):
    """Return 0 or 1. Floats compare ordered, except that a NaN is not equal to anything."""
    symbol = SYMBOLS[Cmp(mod)]
    if type_.is_float:
        test = builder.fcmp_unordered if mod == Cmp.NE else builder.fcmp_ordered
    else:
        test = builder.icmp_signed if type_.is_signed else builder.icmp_unsigned
    return builder.zext(test(symbol, a, b), V32)


def convert(builder, to: Type, source: Type, a):
    """Convert as CVT does; to an 8- or 16-bit type as to 32 bits, wrapped afterwards."""
    target = vector_of(to)
    if to == Type.PRED:
        zero = constant(a.type, 0.0 if source.is_float else 0)
        test = builder.fcmp_unordered if source.is_float else builder.icmp_unsigned
        return builder.zext(test("!=", a, zero), V32)
    if source.is_float and to.is_float:
        if target == a.type:
            return a
        return builder.fpext(a, target) if to.is_wide else builder.fptrunc(a, target)
    if source.is_float:
        return _saturate(builder, to, source, a, target)
    if to.is_float:
        return builder.sitofp(a, target) if source.is_signed else builder.uitofp(a, target)
    if target == a.type:
        return a
    if not to.is_wide:
        return builder.trunc(a, target)
    return builder.sext(a, target) if source.is_signed else builder.zext(a, target)


def _saturate(builder, to: Type, source: Type, a, target: ir.VectorType):
    """Return a float as an integer, truncated and saturated; NaN gives 0 from F32 to 32 bits, else the highest bit
    (PTX, cvt)."""
    name = "llvm.fptosi.sat" if to.is_signed else "llvm.fptoui.sat"
    declared = ir.FunctionType(target, [a.type])
    function = builder.module.declare_intrinsic(f"{name}.{mangled(target)}.{mangled(a.type)}", [], declared)
    result = builder.call(function, [a])
    if source == Type.F32 and not to.is_wide:
        return result
    highest = constant(target, 1 << (63 if to.is_wide else 31))
    return builder.select(builder.fcmp_unordered("uno", a, a), highest, result)
