"""Emit floating point of NVIDIA's machine code: a function for each of ``sass.meanings``, by its name.

Rounding other than to nearest goes by way of the exact result: its nearest float, and on which side of it that lies.
"""

from __future__ import annotations

from llvmlite import ir

from warpview.isa.approximations import EX2, RCP, RCP64H, RSQ, RSQ64H
from warpview.isa.values import NAN32
from warpview.sim.jit import native_half
from warpview.sim.jit.floating import FLOATS
from warpview.sim.jit.integer import DOUBLES
from warpview.sim.jit.interpolation import interpolated
from warpview.sim.jit.lanes import I32, I64, V32, V64, constant, splat

RN, RM, RP, RZ = range(4)
SIGN_64 = -(1 << 63)


def _next(b, value, upwards):
    """Return the neighbour of each float or double: the next higher one where ``upwards`` holds, else the next
    lower."""
    integers = V64 if value.type == DOUBLES else V32
    width = 64 if integers == V64 else 32
    bits = b.bitcast(value, integers)
    negative = b.icmp_signed("<", bits, constant(integers, 0))
    away = b.xor(upwards, negative)  # away from zero
    step = b.select(away, constant(integers, 1), constant(integers, -1))
    moved = b.add(bits, step)
    zero = b.fcmp_ordered("==", value, constant(value.type, 0.0))
    tiny = b.select(upwards, constant(integers, 1), constant(integers, -(1 << (width - 1)) + 1))
    return b.bitcast(b.select(zero, tiny, moved), value.type)


def directed(b, nearest, error, mode: int):
    """Return the float that a rounding mode gives, from the nearest one and the sign of (exact - nearest)."""
    zero = constant(error.type, 0.0)
    above, below = b.fcmp_ordered(">", error, zero), b.fcmp_ordered("<", error, zero)
    up, down = _next(b, nearest, above), _next(b, nearest, b.not_(below))
    if mode == RP:
        return b.select(above, up, nearest)
    if mode == RM:
        return b.select(below, down, nearest)
    positive = b.fcmp_ordered(">", nearest, constant(nearest.type, 0.0))
    negative = b.fcmp_ordered("<", nearest, constant(nearest.type, 0.0))
    result = b.select(b.and_(positive, below), down, nearest)
    return b.select(b.and_(negative, above), up, result)


def two_sum(b, x, y):
    """Return (sum, error), which are x + y exactly, in doubles."""
    total = b.fadd(x, y)
    part = b.fsub(total, x)
    error = b.fadd(b.fsub(x, b.fsub(total, part)), b.fsub(y, part))
    return total, error


def round_sum(b, x, y, mode: int):
    """Return x + y of doubles as floats, rounded once by the mode."""
    total, error = two_sum(b, x, y)
    nearest = b.fptrunc(total, FLOATS)
    most, infinity = constant(FLOATS, 3.4028234663852886e38), constant(FLOATS, float("inf"))
    positive = b.fcmp_ordered(">", total, constant(DOUBLES, 0.0))
    left = b.fadd(b.fsub(total, b.fpext(nearest, DOUBLES)), error)
    rounded = directed(b, nearest, left, mode)
    size = b.call_abs(total)
    infinite = b.fcmp_ordered("==", size, constant(DOUBLES, float("inf")))
    is_large = b.and_(b.fcmp_ordered(">=", size, constant(DOUBLES, 3.4028235677973366e38)), b.not_(infinite))
    # What lies beyond the largest float becomes it, or infinity, by the direction.
    above = infinity if mode == RP else most
    below = b.fneg(infinity if mode == RM else most)
    limited = b.select(positive, above, below)
    result = b.select(is_large, limited, rounded)
    if mode == RM:
        exact = b.and_(b.fcmp_ordered("==", total, constant(DOUBLES, 0.0)), b.fcmp_ordered("==", error, error))
        plus = b.icmp_unsigned("==", b.or_(b.bitcast(x, V64), b.bitcast(y, V64)), constant(V64, 0))
        result = b.select(b.and_(exact, b.not_(plus)), constant(FLOATS, -0.0), result)
    return b.select(b.or_(infinite, b.fcmp_unordered("uno", total, total)), nearest, result)


class ExtendedBuilder:
    """Add the absolute value of doubles to a builder."""

    def __init__(self, x) -> None:
        self._x = x

    def __getattr__(self, name: str):
        return getattr(self._x.b, name)

    def call_abs(self, value):
        return self._x.call("fabs", value)


def ufadd(x, round_, ftz, sat):
    fadd(x, round_, ftz, sat, second="c")


def fadd(x, round_, ftz, sat, second="b"):
    a, c = x.float("a", ftz), x.float(second, ftz)
    if round_ == RN:
        x.give_float(x.b.fadd(a, c), ftz, sat)
    else:
        x.give_float(round_sum(ExtendedBuilder(x), x.b.fpext(a, DOUBLES), x.b.fpext(c, DOUBLES), round_), ftz, sat)


def fmul(x, round_, ftz, sat):
    a, c = x.float("a", ftz), x.float("b", ftz)
    if round_ == RN:
        x.give_float(x.b.fmul(a, c), ftz, sat)
        return
    product = x.b.fmul(x.b.fpext(a, DOUBLES), x.b.fpext(c, DOUBLES))
    rounded = round_sum(ExtendedBuilder(x), product, constant(DOUBLES, 0.0), round_)
    sign = x.b.and_(x.b.xor(x.b.bitcast(a, V32), x.b.bitcast(c, V32)), constant(V32, -0x80000000))
    zero = x.b.fcmp_ordered("==", product, constant(DOUBLES, 0.0))
    x.give_float(x.b.select(zero, x.b.bitcast(sign, FLOATS), rounded), ftz, sat)


def fmulscaled(x, ftz, sat):
    """Multiply the exact product by the power of two in ``imm``, the bits of a double, and round once."""
    b = x.b
    product = b.fmul(b.fpext(x.float("a", ftz), DOUBLES), b.fpext(x.float("b", ftz), DOUBLES))
    factor = b.bitcast(splat(b, x.field("imm"), V64), DOUBLES)
    x.give_float(b.fptrunc(b.fmul(product, factor), FLOATS), ftz, sat)


def ffma(x, round_, ftz, sat):
    a, c, e = x.float("a", ftz), x.float("b", ftz), x.float("c", ftz)
    if round_ == RN:
        x.give_float(x.call("fma", a, c, e), ftz, sat)
        return
    product = x.b.fmul(x.b.fpext(a, DOUBLES), x.b.fpext(c, DOUBLES))
    x.give_float(round_sum(ExtendedBuilder(x), product, x.b.fpext(e, DOUBLES), round_), ftz, sat)


def fmnmx(x, ftz, nan, xorsign):
    """Give the smaller or larger float; with ``xorsign`` under the product of the signs that registers a and b have."""
    value = _least_or_largest(x, x.float("a", ftz), x.float("b", ftz), nan)
    if not xorsign:
        x.give_float(value, ftz)
        return
    b = x.b
    sign = b.and_(b.xor(x.plain("a"), x.plain("b")), constant(V32, -0x80000000))
    bits, is_nan = b.bitcast(value, V32), b.fcmp_unordered("uno", value, value)
    signed = b.or_(b.and_(bits, constant(V32, 0x7FFFFFFF)), sign)
    x.give_float(b.bitcast(b.select(is_nan, bits, signed), FLOATS), ftz)


def fmnmx3(x, ftz, nan):
    first = _least_or_largest(x, x.float("a", ftz), x.float("b", ftz), nan)
    x.give_float(_least_or_largest(x, first, x.float("c", ftz), nan), ftz)


def _least_or_largest(x, a, c, nan):
    """Return the smaller float where the predicate p holds, else the larger; a number rather than what is none, or the
    opposite with ``nan``."""
    b = x.b
    wants_least = x.bits(x.predicate("p"))
    ab, cb = b.bitcast(a, V32), b.bitcast(c, V32)
    # In the order of the bits as sign and magnitude, so that -0 lies below +0.
    less = b.or_(b.fcmp_ordered("<", a, c), b.and_(b.fcmp_ordered("==", a, c), b.icmp_signed("<", ab, cb)))
    takes_a = b.icmp_unsigned("==", less, wants_least)
    value = b.select(takes_a, ab, cb)
    if nan:
        return b.bitcast(b.select(b.fcmp_unordered("uno", a, c), constant(V32, NAN32), value), FLOATS)
    value = b.select(b.fcmp_unordered("uno", a, a), cb, value)
    value = b.select(b.and_(b.fcmp_unordered("uno", c, c), b.fcmp_ordered("ord", a, a)), ab, value)
    return b.bitcast(value, FLOATS)


def _compared(x, a, c):
    """Return a comparison by the hardware's number in ``imm``, as an int32 mask: its bits stand for less, equal,
    greater and not a number."""
    b, code = x.b, x.field("imm")
    held = ir.Constant(I32, 0)
    tests = (b.fcmp_ordered("<", a, c), b.fcmp_ordered("==", a, c), b.fcmp_ordered(">", a, c))
    for k, test in enumerate((*tests, b.fcmp_unordered("uno", a, c))):
        held = b.or_(held, b.and_(b.bitcast(test, I32), chosen(b, code, k)))
    return held


def chosen(b, code, k: int):
    """Return all ones where bit k of an int64 is set, as an int32."""
    return b.trunc(b.neg(b.and_(b.lshr(code, ir.Constant(I64, k)), ir.Constant(I64, 1))), I32)


def combine(x, held, letter: str = "p", bits: int = 62):
    """Return a comparison, as an int32 mask, combined with a predicate by the operation in the low bits of ``extra``:
    and, or, xor."""
    b, other, choice = x.b, x.predicate(letter), x.field("extra")
    choice = b.and_(choice, ir.Constant(I64, (1 << bits) - 1))
    both, either, one = b.and_(held, other), b.or_(held, other), b.xor(held, other)
    result = b.select(b.icmp_signed("==", choice, ir.Constant(I64, 1)), either, both)
    return b.select(b.icmp_signed("==", choice, ir.Constant(I64, 2)), one, result)


def give_comparison(x, held) -> None:
    """Write u and v of a comparison: it, and its contrary, each combined with the predicate p."""
    x.give_predicate("u", combine(x, held))
    there = x.b.icmp_signed(">=", x.field("v"), ir.Constant(I64, 0))
    with x.b.if_then(there):
        x.give(x.b.zext(x.bits(combine(x, x.b.not_(held))), V32), "v")


def fsetp(x, ftz):
    give_comparison(x, _compared(x, x.float("a", ftz), x.float("b", ftz)))


def fset(x, ftz):
    holds = x.bits(combine(x, _compared(x, x.float("a", ftz), x.float("b", ftz))))
    x.give(x.b.select(holds, constant(V32, 0x3F800000), constant(V32, 0)))


def dsetp(x):
    give_comparison(x, _compared(x, x.double("a"), x.double("b")))


def dminmax(x, most):
    """Execute DSETP.MIN and .MAX: u where a is the one to take, v where neither is a number."""
    b, a, c = x.b, x.double("a"), x.double("b")
    no_a, no_c = (b.fcmp_unordered("uno", value, value) for value in (a, c))
    only_a = b.and_(no_c, b.not_(no_a))
    takes_a = b.or_(b.fcmp_ordered(">" if most else "<", a, c), only_a)
    # Of zeros, alone equal with different bits, the negative one is the smaller.
    alike = b.fcmp_ordered("==", a, c)
    signed_less = b.icmp_signed(">" if most else "<", b.bitcast(a, V64), b.bitcast(c, V64))
    zero = b.fcmp_ordered("==", a, constant(DOUBLES, 0.0))
    takes_a = b.or_(takes_a, b.and_(b.and_(alike, zero), signed_less))
    x.give_predicate("u", b.bitcast(takes_a, I32))
    x.give_predicate("v", b.bitcast(b.and_(no_a, no_c), I32))


def fchk(x):
    """Return where a / b is too close to the ends of the range for Newton's steps, by the exponents of both."""
    b = x.b

    def exponent(letter):
        return b.and_(b.lshr(x.word(letter), constant(V32, 23)), constant(V32, 255))

    ea, eb = exponent("a"), exponent("b")
    difference = b.sub(ea, eb)
    slow = b.icmp_unsigned("==", ea, constant(V32, 255))
    # The limits were read from an H200, on all pairs of exponents.
    for test in (
        b.icmp_unsigned(">", eb, constant(V32, 251)), b.icmp_unsigned("<", eb, constant(V32, 2)),
        b.icmp_unsigned("<", ea, constant(V32, 25)), b.icmp_signed(">", difference, constant(V32, 126)),
        b.icmp_signed("<", difference, constant(V32, -124)),
    ):  # fmt: skip
        slow = b.or_(slow, test)
    x.give_predicate("u", b.bitcast(slow, I32))


def approximation(x, function):
    """Execute MUFU of floats, where it interpolates."""
    x.give(interpolated(x.b, function, x.word("b")))


def mufu(x, function, format_):
    """Compute 2^x of 16 bits or the hyperbolic tangent in double precision, or the upper words of doubles.

    The hardware's own tangents differ in the last bits; those of subnormal numbers are the numbers themselves.
    """
    b = x.b
    if function in (RCP64H, RSQ64H):
        _mufu_64h(x, function)
        return
    single = native_half.source_float(x, (2, 1, 4)[format_]) if format_ else x.float("b")
    wide = b.fpext(single, DOUBLES)
    if format_ and function == EX2:
        native_half.give_half(x, _half_power(x, wide, format_ == 2), format_ == 2, RZ)
        return
    value = hyperbolic_tangent(x, wide)
    if format_:
        native_half.give_half(x, value, format_ == 2)
    else:
        x.give_float(b.fptrunc(value, FLOATS))


def _half_power(x, value, is_bf16):
    """Return 2^value, of which the 16 bits of the result are cut off: infinite beyond the largest, 1 where the value is
    too small for the unit's fixed point, and 0 instead of a subnormal bfloat16. An H200 gives these on all operands."""
    b = x.b
    power = x.call("exp2", value)
    tiny = b.fcmp_ordered("<", x.call("fabs", value), constant(DOUBLES, 2.0**-23))
    power = b.select(tiny, constant(DOUBLES, 1.0), power)
    beyond = b.fcmp_ordered(">=", power, constant(DOUBLES, 2.0**128 if is_bf16 else 2.0**16))
    power = b.select(beyond, constant(DOUBLES, float("inf")), power)
    if not is_bf16:
        return power
    return b.select(b.fcmp_ordered("<", power, constant(DOUBLES, 2.0**-126)), constant(DOUBLES, 0.0), power)


def hyperbolic_tangent(x, value):
    """Return 1 - 2 / (exp(2 x) + 1), with the sign of x."""
    b, one, two = x.b, constant(DOUBLES, 1.0), constant(DOUBLES, 2.0)
    power = x.call("exp2", b.fmul(x.call("fabs", value), constant(DOUBLES, 2.8853900817779268)))
    size = b.fsub(one, b.fdiv(two, b.fadd(power, one)))
    # Of small numbers that loses digits; they are x - x^3 / 3.
    small = b.fcmp_ordered("<", x.call("fabs", value), constant(DOUBLES, 2.0**-10))
    cube = b.fmul(value, b.fmul(value, b.fmul(value, constant(DOUBLES, 1 / 3))))
    size = b.select(small, b.fsub(value, cube), size)
    return x.call("copysign", size, value)


def _mufu_64h(x, function):
    """Give the upper word of the reciprocal (of the square root) of a double whose upper word is given, the rest zero:
    the unit interpolates as for a float of the same fraction, and cuts off at 20 bits."""
    b, word = x.b, x.word("b")
    infinite, none = constant(V32, 0x7FF00000), constant(V32, 0)
    sign, field = b.and_(word, constant(V32, -0x80000000)), b.and_(word, infinite)
    power = b.sub(b.lshr(field, constant(V32, 20)), constant(V32, 1023))
    fraction = b.shl(b.and_(word, constant(V32, 0xFFFFF)), constant(V32, 3))
    one = constant(V32, 0x3F800000)
    if function == RSQ64H:
        odd = b.and_(power, constant(V32, 1))
        one, power = b.add(one, b.shl(odd, constant(V32, 23))), b.ashr(power, constant(V32, 1))
    found = interpolated(b, RCP if function == RCP64H else RSQ, b.or_(one, fraction))
    exponent = b.sub(b.add(b.lshr(found, constant(V32, 23)), constant(V32, 1023 - 127)), power)
    result = b.or_(b.shl(exponent, constant(V32, 20)), b.lshr(b.and_(found, constant(V32, 0x7FFFFF)), constant(V32, 3)))
    result = b.select(b.icmp_signed("<=", exponent, none), none, result)  # subnormal
    is_large = b.icmp_unsigned("==", field, infinite)
    result = b.select(is_large, none, result)
    result = b.or_(b.select(b.icmp_unsigned("==", field, none), infinite, result), sign)
    is_nan = b.and_(is_large, b.icmp_unsigned("!=", fraction, none))
    if function == RSQ64H:
        is_negative = b.icmp_signed("<", word, none)
        is_nan = b.or_(is_nan, b.and_(is_negative, b.icmp_unsigned("!=", field, none)))
    x.give(b.select(is_nan, constant(V32, 0x7FFFFFFF), result))
