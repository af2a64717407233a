"""Emit double precision of NVIDIA's machine code: a function for each of ``sass.meanings``, by its name."""

from __future__ import annotations

from warpview.sim.jit.integer import DOUBLES
from warpview.sim.jit.lanes import V32, V64, constant
from warpview.sim.jit.native_floating import RM, RN, RP, directed, two_sum


def _infinite(x, value):
    """Return where doubles are infinite or not a number."""
    return x.b.not_(x.b.fcmp_ordered("<", x.call("fabs", value), constant(DOUBLES, float("inf"))))


def _directed_double(x, nearest, error, round_, given):
    """Return the double that a rounding mode gives; where ``given``, operands were infinite and nothing is rounded."""
    b, infinity = x.b, constant(DOUBLES, float("inf"))
    rounded = directed(b, nearest, error, round_)
    positive = b.fcmp_ordered(">", nearest, constant(DOUBLES, 0.0))
    most = constant(DOUBLES, 1.7976931348623157e308)
    above = infinity if round_ == RP else most
    below = b.fneg(infinity if round_ == RM else most)
    rounded = b.select(_infinite(x, nearest), b.select(positive, above, below), rounded)
    return b.select(given, nearest, rounded)


def _minus_zero(b, total, x, y):
    """Return a sum that is rounded down: -0 where it is exactly zero, unless both terms are +0."""
    vector = V64 if total.type == DOUBLES else V32
    both_plus = b.icmp_unsigned("==", b.or_(b.bitcast(x, vector), b.bitcast(y, vector)), constant(vector, 0))
    zero = b.fcmp_ordered("==", total, constant(total.type, 0.0))
    return b.select(b.and_(zero, b.not_(both_plus)), constant(total.type, -0.0), total)


def dadd(x, round_):
    a, c = x.double("a"), x.double("c")
    total, error = two_sum(x.b, a, c)
    if round_ != RN:
        total = _directed_double(x, total, error, round_, x.b.or_(_infinite(x, a), _infinite(x, c)))
    if round_ == RM:
        total = _minus_zero(x.b, total, a, c)
    x.give_pair(x.with_payload(total, "a", "c"))


def dmul(x, round_):
    a, c = x.double("a"), x.double("b")
    product = x.b.fmul(a, c)
    if round_ != RN:
        error = _error_of_fma(x, a, c, constant(DOUBLES, 0.0), product)
        product = _directed_double(x, product, error, round_, x.b.or_(_infinite(x, a), _infinite(x, c)))
    x.give_pair(x.with_payload(product, "a", "b"))


def rounded_fma(x, a, c, e, round_):
    """Return a * c + e of doubles, rounded by the mode."""
    b, nearest = x.b, x.call("fma", a, c, e)
    if round_ == RN:
        return nearest
    error = _error_of_fma(x, a, c, e, nearest)
    given = b.or_(_infinite(x, e), b.or_(_infinite(x, a), _infinite(x, c)))
    result = _directed_double(x, nearest, error, round_, given)
    if round_ == RM:
        is_exact = b.fcmp_ordered("==", error, constant(DOUBLES, 0.0))
        result = b.select(is_exact, _minus_zero(b, result, b.fmul(a, c), e), result)
    return result


def dfma(x, round_):
    result = rounded_fma(x, x.double("a"), x.double("b"), x.double("c"), round_)
    x.give_pair(x.with_payload(result, "a", "c", "b"))


EXPONENT_BIAS, FARTHEST = 1023, -400  # what is smaller by so many powers of two decides a direction only by its sign


def _parts(b, value):
    """Return doubles as significands from 1 to 2, with the sign, and exponents; a zero keeps its value and has a very
    small exponent."""
    bits = b.bitcast(value, V64)

    def field(pattern):
        return b.and_(b.lshr(pattern, constant(V64, 52)), constant(V64, 2047))

    tiny = b.icmp_unsigned("==", field(bits), constant(V64, 0))
    raised = b.bitcast(b.fmul(value, constant(DOUBLES, 2.0**54)), V64)
    bits = b.select(tiny, raised, bits)
    shift = b.select(tiny, constant(V64, -54 - EXPONENT_BIAS), constant(V64, -EXPONENT_BIAS))
    kept = b.and_(bits, constant(V64, -(1 << 63) + (1 << 52) - 1))
    significand = b.bitcast(b.or_(kept, constant(V64, EXPONENT_BIAS << 52)), DOUBLES)
    zero = b.fcmp_ordered("==", value, constant(DOUBLES, 0.0))
    return b.select(zero, value, significand), b.select(zero, constant(V64, -10000), b.add(field(bits), shift))


def _limited(b, number, least, most):
    number = b.select(b.icmp_signed("<", number, constant(V64, least)), constant(V64, least), number)
    return b.select(b.icmp_signed(">", number, constant(V64, most)), constant(V64, most), number)


def _power(b, exponent):
    """Return powers of two, of exponents that are limited to those of normal doubles."""
    limited = b.add(_limited(b, exponent, 1 - EXPONENT_BIAS, EXPONENT_BIAS), constant(V64, EXPONENT_BIAS))
    return b.bitcast(b.shl(limited, constant(V64, 52)), DOUBLES)


def _error_of_fma(x, a, c, e, nearest):
    """Return a number with the sign of a * c + e - nearest, for the double nearest to it, or nearest to it among the
    subnormal ones.

    All is scaled by the largest exponent, so that nothing is lost below the range of doubles, and added up without an
    error: S. Boldo, J.-M. Muller, *Exact and Approximated Error of the FMA*, 2011.
    """
    b = x.b
    (left, left_at), (right, right_at), (term, term_at) = _parts(b, a), _parts(b, c), _parts(b, e)
    product_at = b.add(left_at, right_at)
    top = b.select(b.icmp_signed(">", product_at, term_at), product_at, term_at)
    scale = _power(b, _limited(b, b.sub(product_at, top), FARTHEST, 0))
    product = b.fmul(left, right)
    low = b.fmul(x.call("fma", left, right, b.fneg(product)), scale)
    product = b.fmul(product, scale)
    term = b.fmul(term, _power(b, _limited(b, b.sub(term_at, top), FARTHEST, 0)))
    half = b.ashr(b.neg(top), constant(V64, 1))
    near = b.fmul(b.fmul(nearest, _power(b, half)), _power(b, b.sub(b.neg(top), half)))
    upper, upper_error = two_sum(b, term, low)
    total, total_error = two_sum(b, product, upper)
    return b.fadd(b.fadd(b.fsub(total, near), total_error), upper_error)
