"""Emit conversions of numbers of NVIDIA's machine code: a function for each of ``sass.meanings``, by its name."""

from __future__ import annotations

from warpview.sim.jit import native_half
from warpview.sim.jit.floating import FLOATS
from warpview.sim.jit.integer import DOUBLES
from warpview.sim.jit.lanes import V32, V64, constant
from warpview.sim.jit.native_floating import RN, ExtendedBuilder, directed, round_sum, two_sum


def to_whole(x, value, round_):
    """Return a float or double rounded to a whole number: nearest even, down, up, toward zero."""
    return x.call(("rint", "floor", "ceil", "trunc")[round_], value)


def _single(x, source, ftz):
    """Return source b as floats, of 32 bits or of 16."""
    return x.float("b", ftz) if source == 2 else native_half.source_float(x, source)


def f2i(x, to, tosigned, source, round_, ftz):
    b = x.b
    value = x.double("b") if source == 3 else b.fpext(_single(x, source, ftz), DOUBLES)
    whole = to_whole(x, value, round_)
    width = 8 << to
    low, high = (-(2.0 ** (width - 1)), 2.0 ** (width - 1)) if tosigned else (0.0, 2.0**width)
    vector = V64
    too_low, too_high = (
        b.fcmp_ordered("<", whole, constant(DOUBLES, low)),
        b.fcmp_ordered(">=", whole, constant(DOUBLES, high)),
    )
    is_nan = b.fcmp_unordered("uno", value, value)
    outside = b.or_(b.or_(too_low, too_high), is_nan)
    safe = b.select(outside, constant(DOUBLES, 0.0), whole)
    number = b.fptosi(safe, vector) if tosigned or width < 64 else b.fptoui(safe, vector)
    least, most = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if tosigned else (0, (1 << width) - 1)
    if most >= 1 << 63:
        most -= 1 << 64
    number = b.select(too_high, constant(vector, most), b.select(too_low, constant(vector, least), number))
    # Not a number: 0 from a float to 32 bits, else the highest bit.
    nothing = 0 if width < 64 and source != 3 else -(1 << (width - 1))
    number = b.select(is_nan, constant(vector, nothing), number)
    x.give_pair(number) if to == 3 else x.give(b.trunc(number, V32))


def i2f(x, to, signed, source, round_):
    b = x.b
    if source == 3:
        value = x.pair("b")
    else:
        word = x.word("b")
        if source < 2:
            word = b.lshr(word, b.shl(x.number("extra"), constant(V32, 3)))
        if source < 2:
            shift = constant(V32, 24 if source == 0 else 16)
            word = b.shl(word, shift)
            word = b.ashr(word, shift) if signed else b.lshr(word, shift)
        value = b.sext(word, V64) if signed else b.zext(word, V64)
    convert = b.sitofp if signed else b.uitofp
    if to in (1, 4):
        native_half.give_half(x, _odd_double(x, value, signed), to == 4, round_)
        return
    if to == 3:
        x.give_pair(_double(x, value, signed, round_))
        return
    nearest = convert(value, FLOATS)
    if round_ != RN:
        nearest = directed(b, nearest, _integer_error(b, value, nearest, signed), round_)
    x.give(nearest)


def _double(x, value, signed, round_):
    """Return 64-bit integers as doubles: both halves are, exactly, and so is the error of their sum."""
    b = x.b
    if round_ == RN:
        return (b.sitofp if signed else b.uitofp)(value, DOUBLES)
    half = constant(V64, 32)
    upper = b.sitofp(b.ashr(value, half), DOUBLES) if signed else b.uitofp(b.lshr(value, half), DOUBLES)
    lower = b.uitofp(b.and_(value, constant(V64, 0xFFFFFFFF)), DOUBLES)
    total, error = two_sum(b, b.fmul(upper, constant(DOUBLES, 2.0**32)), lower)
    return directed(b, total, error, round_)


def _odd_double(x, value, signed):
    """Return 64-bit integers as doubles, rounded to odd."""
    b = x.b
    nearest = (b.sitofp if signed else b.uitofp)(value, DOUBLES)
    return native_half.to_odd(b, nearest, _integer_error(b, value, nearest, signed))


def _integer_error(b, value, nearest, signed):
    """Return the sign of (value - nearest) of 64-bit integers and the floats nearest to them, as doubles."""
    wide = b.fpext(nearest, DOUBLES) if nearest.type == FLOATS else nearest
    limit = 2.0**63 if signed else 2.0**64
    beyond = b.fcmp_ordered(">=", wide, constant(DOUBLES, limit))
    safe = b.select(beyond, constant(DOUBLES, 0.0), wide)
    back = b.fptosi(safe, V64) if signed else b.fptoui(safe, V64)
    compare = b.icmp_signed if signed else b.icmp_unsigned
    one, zero = constant(DOUBLES, 1.0), constant(DOUBLES, 0.0)
    sign = b.select(compare(">", value, back), one, b.select(compare("<", value, back), constant(DOUBLES, -1.0), zero))
    return b.select(beyond, constant(DOUBLES, -1.0), sign)


def f2f(x, to, source, round_, ftz):
    b = x.b
    if source in (1, 4):
        x.give(native_half.rounded(x, b.fpext(native_half.source_float(x, source), DOUBLES), to == 4, round_))
    elif to in (1, 4):
        wide = x.double("b") if source == 3 else b.fpext(x.float("b", ftz), DOUBLES)
        bits = native_half.rounded(x, wide, to == 4, round_)
        x.give(_with_payload(b, bits, wide, to == 4) if source == 3 else bits)
    elif to == 3:
        x.give_pair(_widened(x, ftz) if source == 2 else x.double("b"))
    elif source == 2:
        x.give_float(x.float("b", ftz), ftz)
    else:
        wide = x.double("b")
        nearest = b.fptrunc(wide, FLOATS)
        if round_ != RN:
            rounded = round_sum(ExtendedBuilder(x), wide, constant(DOUBLES, 0.0), round_)
            nearest = b.select(b.fcmp_ordered("==", wide, constant(DOUBLES, 0.0)), nearest, rounded)
        x.give(nearest)  # the digits of a NaN are kept


def _widened(x, ftz):
    """Return floats as doubles; modifiers leave a NaN as it is."""
    value, plain = x.float("b", ftz), x.b.bitcast(x.plain("b"), FLOATS)
    is_nan = x.b.fcmp_unordered("uno", plain, plain)
    return x.b.fpext(x.b.select(is_nan, plain, value), DOUBLES)


def _with_payload(b, bits, wide, is_bf16):
    """Return numbers of 16 bits, where a NaN keeps the sign and the first digits of the double that it was."""
    pattern, (digits, quiet) = b.bitcast(wide, V64), (7, 0x7FC0) if is_bf16 else (10, 0x7E00)
    upper = b.trunc(b.lshr(pattern, constant(V64, 52 - digits)), V32)
    sign = b.and_(b.trunc(b.lshr(pattern, constant(V64, 48)), V32), constant(V32, 0x8000))
    kept = b.or_(b.or_(sign, constant(V32, quiet)), b.and_(upper, constant(V32, (1 << digits) - 1)))
    return b.select(b.fcmp_unordered("uno", wide, wide), kept, bits)


def frnd(x, to, round_, ftz):
    if to == 3:
        x.give_pair(x.with_payload(to_whole(x, x.double("b"), round_), "b"))
    elif to in (1, 4):
        value = to_whole(x, native_half.source_float(x, to), round_)
        native_half.give_half(x, x.b.fpext(value, DOUBLES), to == 4)
    else:
        x.give_float(to_whole(x, x.float("b", ftz), round_), ftz)
