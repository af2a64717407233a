"""Emit integer arithmetic on vectors of lanes: one function for each row of the instruction set.

Each gets the LLVM builder, the instruction's type and the operands as vectors, and gives the result. Values of 8 and
16 bits are computed in 32 bits and wrapped afterwards (``arithmetic.narrow``).
"""

from __future__ import annotations

from typing import NamedTuple

from llvmlite import ir

from warpview.isa.ops import FunnelMode, Op
from warpview.isa.types import Type
from warpview.sim.jit.lanes import I1, LANES, V32, V64, constant

V128 = ir.VectorType(ir.IntType(128), LANES)
DOUBLES = ir.VectorType(ir.DoubleType(), LANES)
FALSE = ir.Constant(I1, 0)


def call(builder, name: str, *arguments):
    """Call an LLVM intrinsic that is overloaded on its first argument's type."""
    kind = arguments[0].type
    declared = ir.FunctionType(kind, [a.type for a in arguments])
    function = builder.module.declare_intrinsic(f"llvm.{name}.{mangled(kind)}", [], declared)
    return builder.call(function, arguments)


class Vectors(NamedTuple):
    """Stand for an ``Emitter`` where there is no instruction of machine code."""

    b: ir.IRBuilder

    def call(self, name: str, *arguments):
        return call(self.b, name, *arguments)


def mangled(vector: ir.VectorType) -> str:
    """Return how LLVM writes a vector type in the name of an intrinsic."""
    element = vector.element
    if isinstance(element, ir.IntType):
        return f"v{vector.count}i{element.width}"
    return f"v{vector.count}f{32 if isinstance(element, ir.FloatType) else 64}"


def bits_of(value) -> int:
    """Return the width of a lane of a vector."""
    return value.type.element.width


def extend(builder, type_: Type, value, vector: ir.VectorType):
    return builder.sext(value, vector) if type_.is_signed else builder.zext(value, vector)


def shift_operand(builder, a, count):
    """Return the count in the width of ``a``, and where it is less than that width."""
    inside = builder.icmp_unsigned("<", count, constant(V32, bits_of(a)))
    count = builder.and_(count, constant(V32, bits_of(a) - 1))
    return (builder.zext(count, V64) if bits_of(a) == 64 else count), inside


def shift_left(builder, type_, a, count):
    count, inside = shift_operand(builder, a, count)
    return builder.select(inside, builder.shl(a, count), constant(a.type, 0))


def shift_right(builder, type_, a, count):
    count, inside = shift_operand(builder, a, count)
    if type_.is_signed:
        fill = builder.ashr(a, constant(a.type, bits_of(a) - 1))
        return builder.select(inside, builder.ashr(a, count), fill)
    return builder.select(inside, builder.lshr(a, count), constant(a.type, 0))


def multiply_high(builder, type_, a, b):
    """Return the upper half of the product; narrow types have theirs in the middle of 32 bits."""
    shift = 8 * type_.bytes
    wide = V128 if shift == 64 else V64
    product = builder.mul(extend(builder, type_, a, wide), extend(builder, type_, b, wide))
    return builder.trunc(builder.lshr(product, constant(wide, shift)), a.type)


def multiply_wide(builder, type_, a, b):
    return builder.mul(extend(builder, type_, a, V64), extend(builder, type_, b, V64))


def divide_32(builder, type_, a, b):
    """Return the quotient of 32-bit integers by way of F64, whose 53 bits make its truncation exact; b is not zero."""
    if type_.is_signed:
        quotient = builder.fdiv(builder.sitofp(a, DOUBLES), builder.sitofp(b, DOUBLES))
    else:
        quotient = builder.fdiv(builder.uitofp(a, DOUBLES), builder.uitofp(b, DOUBLES))
    return builder.trunc(builder.fptosi(quotient, V64), V32)


def _divide_64(builder, type_, a, b):
    """Return the quotient of 64-bit integers; b is not zero. MIN / -1 would trap, so -1 is left to a negation."""
    if not type_.is_signed:
        return builder.udiv(a, b)
    negates = builder.icmp_signed("==", b, constant(V64, -1))
    quotient = builder.sdiv(a, builder.select(negates, constant(V64, 1), b))
    return builder.select(negates, builder.neg(a), quotient)


def _quotient(builder, type_, a, b):
    """Return (quotient, where b is zero); the quotient is undefined there."""
    zero = builder.icmp_unsigned("==", b, constant(b.type, 0))
    b = builder.select(zero, constant(b.type, 1), b)
    divide = _divide_64 if bits_of(a) == 64 else divide_32
    return divide(builder, type_, a, b), zero


def divide(builder, type_, a, b):
    quotient, zero = _quotient(builder, type_, a, b)
    return builder.select(zero, constant(a.type, -1), quotient)


def remainder(builder, type_, a, b):
    quotient, zero = _quotient(builder, type_, a, b)
    return builder.select(zero, constant(a.type, -1), builder.sub(a, builder.mul(quotient, b)))


def less(builder, type_, a, b):
    compare = builder.icmp_signed if type_.is_signed else builder.icmp_unsigned
    return compare("<", a, b)


def minimum(builder, type_, a, b):
    return builder.select(less(builder, type_, a, b), a, b)


def maximum(builder, type_, a, b):
    return builder.select(less(builder, type_, a, b), b, a)


def absolute(builder, type_, a):
    return maximum(builder, type_, a, builder.neg(a)) if type_.is_signed else a


def low_24(builder, type_, a):
    shifted = builder.shl(a, constant(a.type, 8))
    shift = builder.ashr if type_.is_signed else builder.lshr
    return shift(shifted, constant(a.type, 8))


def multiply_24(builder, type_, a, b):
    return builder.mul(low_24(builder, type_, a), low_24(builder, type_, b))


def absolute_difference(builder, type_, a, b, c):
    high, low = maximum(builder, type_, a, b), minimum(builder, type_, a, b)
    return builder.add(builder.sub(high, low), c)


def dot_product(builder, type_, a, b, c):
    """Return the products of the four bytes of two words, which are signed as the type is, plus a third word."""
    shift_back = builder.ashr if type_.is_signed else builder.lshr
    for k in range(4):
        left, right = (shift_back(builder.shl(word, constant(V32, 24 - 8 * k)), constant(V32, 24)) for word in (a, b))
        c = builder.add(c, builder.mul(left, right))
    return c


def own_bits(builder, type_, a):
    """Return the bits of the value itself, without what extends a narrow one to the register."""
    if type_.bytes >= 4:
        return a
    return builder.and_(a, constant(a.type, (1 << 8 * type_.bytes) - 1))


def _counted(builder, count):
    return builder.trunc(count, V32) if count.type == V64 else count


def population(builder, type_, a):
    return _counted(builder, call(builder, "ctpop", own_bits(builder, type_, a)))


def leading_zeros(builder, type_, a):
    count = _counted(builder, call(builder, "ctlz", own_bits(builder, type_, a), FALSE))
    spare = bits_of(a) - 8 * type_.bytes
    return builder.sub(count, constant(V32, spare)) if spare else count


def first_set(builder, type_, a):
    count = _counted(builder, call(builder, "cttz", a, FALSE))
    none = builder.icmp_unsigned("==", a, constant(a.type, 0))
    return builder.select(none, constant(V32, 0), builder.add(count, constant(V32, 1)))


def reverse_bits(builder, type_, a):
    reversed_ = call(builder, "bitreverse", a)
    spare = bits_of(a) - 8 * type_.bytes
    return builder.lshr(reversed_, constant(a.type, spare)) if spare else reversed_


def _pair(builder, low, high):
    """Return high:low as 64 bits."""
    upper = builder.shl(builder.zext(high, V64), constant(V64, 32))
    return builder.or_(upper, builder.zext(low, V64))


def permute(builder, type_, a, b, selector):
    """Return the bytes of b:a picked by the nibbles of the selector; bit 3 of a nibble replicates the byte's sign
    instead."""
    pair = _pair(builder, a, b)
    selector = builder.zext(selector, V64)
    result = constant(V64, 0)
    for k in range(4):
        nibble = builder.lshr(selector, constant(V64, 4 * k))
        shift = builder.shl(builder.and_(nibble, constant(V64, 7)), constant(V64, 3))
        byte = builder.and_(builder.lshr(pair, shift), constant(V64, 0xFF))
        sign = builder.mul(builder.lshr(byte, constant(V64, 7)), constant(V64, 0xFF))
        signed = builder.icmp_unsigned("!=", builder.and_(nibble, constant(V64, 8)), constant(V64, 0))
        chosen = builder.select(signed, sign, byte)
        result = builder.or_(result, builder.shl(chosen, constant(V64, 8 * k)))
    return builder.trunc(result, V32)


def funnel_shift(builder, mode: int, low, high, count):
    """Return half of high:low shifted by the count, which is taken modulo 32 or clamped at 32."""
    if mode in (FunnelMode.LEFT_WRAP, FunnelMode.RIGHT_WRAP):
        count = builder.and_(count, constant(V32, 31))
    else:
        inside = builder.icmp_unsigned("<", count, constant(V32, 32))
        count = builder.select(inside, count, constant(V32, 32))
    pair, count = _pair(builder, low, high), builder.zext(count, V64)
    if mode in (FunnelMode.LEFT_WRAP, FunnelMode.LEFT_CLAMP):
        return builder.trunc(builder.lshr(builder.shl(pair, count), constant(V64, 32)), V32)
    return builder.trunc(builder.lshr(pair, count), V32)


INTEGER = {
    Op.MOV: lambda b, t, x: x,
    Op.SELP: lambda b, t, x, y, p: b.select(b.icmp_unsigned("!=", p, constant(V32, 0)), x, y),
    Op.ADD: lambda b, t, x, y: b.add(x, y),
    Op.SUB: lambda b, t, x, y: b.sub(x, y),
    Op.MUL: lambda b, t, x, y: b.mul(x, y),
    Op.MAD: lambda b, t, x, y, z: b.add(b.mul(x, y), z),
    Op.NEG: lambda b, t, x: b.neg(x),
    Op.AND: lambda b, t, x, y: b.and_(x, y),
    Op.OR: lambda b, t, x, y: b.or_(x, y),
    Op.XOR: lambda b, t, x, y: b.xor(x, y),
    Op.NOT: lambda b, t, x: b.xor(x, constant(x.type, 1 if t == Type.PRED else -1)),
    Op.SHL: shift_left,
    Op.FFS: first_set,
    Op.DIV: divide,
    Op.REM: remainder,
    Op.MIN: minimum,
    Op.MAX: maximum,
    Op.ABS: absolute,
    Op.SHR: shift_right,
    Op.MULWIDE: multiply_wide,
    Op.MADWIDE: lambda b, t, x, y, z: b.add(multiply_wide(b, t, x, y), z),
    Op.MUL24: multiply_24,
    Op.MAD24: lambda b, t, x, y, z: b.add(multiply_24(b, t, x, y), z),
    Op.MULHI: multiply_high,
    Op.POPC: population,
    Op.CLZ: leading_zeros,
    Op.BREV: reverse_bits,
    Op.SAD: absolute_difference,
    Op.DP4A: dot_product,
}
