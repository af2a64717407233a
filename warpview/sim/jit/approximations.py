"""Emit the approximations of code as written: MUFU, and what scales operands that lie beyond its range.

``isa/approximations.py`` is the definition.
"""

from __future__ import annotations

from llvmlite import ir

from warpview.isa import approximations as isa
from warpview.isa.modes import FLUSHES, Approximation
from warpview.isa.values import float_from_bits32
from warpview.sim.jit.compile import unit
from warpview.sim.jit.floating import FLOATS
from warpview.sim.jit.integer import DOUBLES, Vectors
from warpview.sim.jit.interpolation import INFINITY, NAN, SIGN, interpolated
from warpview.sim.jit.lanes import I64, V32, V64, constant, lane_intrinsic, load_row, splat, store_where
from warpview.sim.jit.native_floating import hyperbolic_tangent
from warpview.sim.jit.records import instruction_at

NORMAL_OF_DOUBLE = -1 << 29  # the bits of a double that a float has, too


def _number(pattern: int):
    return constant(V32, pattern - (pattern >> 31 << 32))


def _times(b, x, factor):
    """Return the product of patterns of floats, rounded to nearest."""
    return b.bitcast(b.fmul(b.bitcast(x, FLOATS), b.bitcast(factor, FLOATS)), V32)


def _size(b, x):
    return b.and_(x, constant(V32, 0x7FFFFFFF))


def _is_small(b, x):
    return b.icmp_unsigned("<", _size(b, x), _number(isa.SMALLEST_NORMAL))


def _is_between(b, size, low: int, high: int):
    """Return where a pattern is that of a number above ``low``, and not above ``high``."""
    return b.and_(b.icmp_signed(">", size, _number(low)), b.icmp_signed("<=", size, _number(high)))


def _is_large(b, x):
    return _is_between(b, _size(b, x), isa.GREATEST_DIVISOR, isa.INFINITY)


def _flushed(b, x):
    return b.select(_is_small(b, x), b.and_(x, SIGN), x)


def _where(b, condition, factor: int, x):
    """Return a number times a factor where a condition holds."""
    return b.select(condition, _times(b, x, _number(factor)), x)


def _wave(b, x, function: int):
    """Return the sine or cosine of an angle, which becomes one in turns, cut off after the digits of a float."""
    factor = constant(DOUBLES, float_from_bits32(isa.TURNS))
    exact = b.fmul(b.fpext(b.bitcast(x, FLOATS), DOUBLES), factor)
    cut = b.and_(b.bitcast(exact, V64), constant(V64, NORMAL_OF_DOUBLE))
    return interpolated(b, function, b.bitcast(b.fptrunc(b.bitcast(cut, DOUBLES), FLOATS), V32))


def _power(b, x, full):
    is_far = b.and_(full, _is_between(b, b.xor(x, SIGN), isa.LEAST_POWER, isa.INFINITY))
    value = interpolated(b, isa.EX2, _where(b, is_far, isa.HALF, x))
    return b.select(is_far, _times(b, value, value), value)


def _logarithm(b, x, full):
    is_small = b.and_(full, _is_small(b, x))
    value = interpolated(b, isa.LG2, _where(b, is_small, isa.RAISES, x))
    lowered = b.fadd(b.bitcast(value, FLOATS), b.bitcast(_number(isa.MINUS_24), FLOATS))
    return b.select(is_small, b.bitcast(lowered, V32), value)


def _root(function: int, after: int):
    def root(b, x, full):
        is_small = b.and_(full, _is_small(b, x))
        return _where(b, is_small, after, interpolated(b, function, _where(b, is_small, isa.RAISES, x)))

    return root


def _reciprocal(b, x, full):
    is_small, is_large = b.and_(full, _is_small(b, x)), b.and_(full, _is_large(b, x))
    scaled = _where(b, is_large, isa.QUARTER, _where(b, is_small, isa.RAISES, x))
    value = interpolated(b, isa.RCP, scaled)
    return _where(b, is_large, isa.QUARTER, _where(b, is_small, isa.RAISES, value))


def _tangent(b, x, full):
    wide = b.fpext(b.bitcast(x, FLOATS), DOUBLES)
    return b.bitcast(b.fptrunc(hyperbolic_tangent(Vectors(b), wide), FLOATS), V32)


def _quotient(is_full: bool):
    def quotient(b, x, y, full):
        x, y = (b.select(full, value, _flushed(b, value)) for value in (x, y))
        is_small = b.and_(full, _is_small(b, y))
        scaled = [_where(b, is_small, isa.RAISES, value) for value in (x, y)]
        if is_full:
            is_large = _is_large(b, y)
            scaled = [_where(b, is_large, isa.QUARTER, value) for value in scaled]
            scaled[0] = b.select(full, scaled[0], _flushed(b, scaled[0]))
        result = _times(b, interpolated(b, isa.RCP, scaled[1]), scaled[0])
        return b.select(full, result, _flushed(b, result))

    return quotient


_UNARY = {
    Approximation.COS: lambda b, x, full: _wave(b, x, isa.COS),
    Approximation.SIN: lambda b, x, full: _wave(b, x, isa.SIN),
    Approximation.EX2: _power,
    Approximation.LG2: _logarithm,
    Approximation.RCP: _reciprocal,
    Approximation.RSQRT: _root(isa.RSQ, isa.AFTER_INVERSE_ROOT),
    Approximation.SQRT: _root(isa.SQRT, isa.AFTER_ROOT),
    Approximation.TANH: _tangent,
}
_BINARY = {Approximation.DIV: _quotient(False), Approximation.DIV_FULL: _quotient(True)}


@lane_intrinsic(6)
def approximate(b, function, is_full, dst, first, second, mask):
    """Execute the approximation of that number; ``is_full`` is not 0 where it takes subnormal operands, too."""
    full = splat(b, b.icmp_unsigned("!=", is_full, ir.Constant(I64, 0)), ir.VectorType(ir.IntType(1), 32))
    x = load_row(b, first, V32)
    done = b.append_basic_block("done")
    choice = b.switch(function, done)
    for number, emit in {**_UNARY, **_BINARY}.items():
        block = b.append_basic_block(number.name)
        choice.add_case(ir.Constant(I64, number), block)
        b.position_at_end(block)
        operands = [x, load_row(b, second, V32)] if number in _BINARY else [x]
        value = emit(b, *operands, full)
        is_none = b.icmp_unsigned(">", _size(b, value), INFINITY)
        store_where(b, b.select(is_none, NAN, value), dst, mask)
        b.branch(done)
    b.position_at_end(done)


@unit(3)
def approximation(instruction, registers, lanes):
    """Execute an APPROX1 or APPROX2 instruction."""
    ins = instruction_at(instruction)
    first = registers + ins.a
    second = registers + ins.b if ins.b >= 0 else first
    approximate(ins.mod & ~FLUSHES, ins.mod & FLUSHES ^ FLUSHES, registers + ins.dst, first, second, lanes)
    return 0
