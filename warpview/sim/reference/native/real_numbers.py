"""Define what floating-point instructions of NVIDIA's machine code compute in a lane, of 16, 32 and 64 bits.

Results are exact and rounded once, as IEEE 754 and the CUDA C++ Programming Guide have it. What is not a number is one
pattern, but for doubles, which keep the digits of the last source that is none (read from an H200).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from warpview.isa.exact_floats import (
    BF16,
    F16,
    F32,
    F64,
    Exact,
    FloatFormat,
    Kind,
    Mode,
    add,
    compare,
    decode,
    encode,
    flushed,
    multiply,
    narrowed_nan,
    saturated,
    to_integer,
    whole,
    widened_nan,
)
from warpview.sim.reference.native.integers import combined, give_comparison
from warpview.sim.reference.native.lane import Lane

FORMATS = {1: F16, 2: F32, 3: F64, 4: BF16}  # by the number that modifiers have for them
QUIET_64 = 1 << 51


def _single(x: Lane, letter: str) -> Exact:
    return decode(F32, x.float_bits(letter, x.modifier("ftz")))


def _give_single(x: Lane, value: Exact) -> None:
    """Round to a float and write it, after the modifiers for its range."""
    bits = encode(F32, value, Mode(x.modifier("round")))
    if x.modifier("sat"):
        bits = saturated(F32, bits)
    x.give(flushed(F32, bits) if x.modifier("ftz") else bits)


# ------------------------------------------------------------------------------------------------ floats


def fadd(x: Lane) -> None:
    _give_single(x, add(_single(x, "a"), _single(x, "b"), Mode(x.modifier("round"))))


def ufadd(x: Lane) -> None:
    _give_single(x, add(_single(x, "a"), _single(x, "c"), Mode(x.modifier("round"))))


def fmul(x: Lane) -> None:
    """Multiply two floats and a power of two, and round once."""
    product = multiply(_single(x, "a"), _single(x, "b"))
    _give_single(x, product._replace(exponent=product.exponent + x.modifier("factor") - 4))


def ffma(x: Lane) -> None:
    product = multiply(_single(x, "a"), _single(x, "b"))
    _give_single(x, add(product, _single(x, "c"), Mode(x.modifier("round"))))


def _order(format_: FloatFormat, bits: int) -> int:
    """Return a number in whose order patterns lie, so that -0 is below +0."""
    return -(bits & ~format_.sign_bit) - 1 if bits & format_.sign_bit else bits


def fmnmx(x: Lane) -> None:
    """Give the smaller float where the predicate holds, else the larger; a number rather than what is none, with .NAN
    the opposite. With .XORSIGN it has the product of the signs that the registers have."""
    bits = _extreme(x, "ab")
    if x.modifier("xorsign") and not decode(F32, bits).is_nan:
        bits = bits & ~F32.sign_bit | (x.word("a") ^ x.word("b")) & F32.sign_bit
    x.give(bits)


def fmnmx3(x: Lane) -> None:
    x.give(_extreme(x, "abc"))


def _extreme(x: Lane, letters: str) -> int:
    """Return the pattern of the smallest float where the predicate holds, else of the largest."""
    bits = [x.float_bits(letter, x.modifier("ftz")) for letter in letters]
    numbers = [pattern for pattern in bits if not decode(F32, pattern).is_nan]
    if x.modifier("nan") and len(numbers) < len(bits):
        numbers = []
    return (min if x.predicate("p") else max)(numbers, key=lambda n: _order(F32, n), default=F32.nan)


def fsel(x: Lane) -> None:
    x.give(x.float_bits("a" if x.predicate("p") else "b"))


def _held(x: Lane, a: Exact, b: Exact) -> bool:
    """Return whether a comparison holds, whose number has a bit for each order of its operands."""
    return bool(x.modifier("compare") >> compare(a, b) & 1)


def fsetp(x: Lane) -> None:
    give_comparison(x, _held(x, _single(x, "a"), _single(x, "b")))


def fset(x: Lane) -> None:
    x.give(0x3F800000 if combined(x, _held(x, _single(x, "a"), _single(x, "b"))) else 0)


def fchk(x: Lane) -> None:
    """Say whether a / b is too close to the ends of the range for Newton's steps; limits were read from an H200."""
    a, b = (x.float_bits(letter) >> 23 & 0xFF for letter in "ab")
    x.give_predicate("u", a == 255 or not 2 <= b <= 251 or a < 25 or not -124 <= a - b <= 126)


# ------------------------------------------------------------------------------------------------ doubles


def _double(x: Lane, letter: str) -> Exact:
    return decode(F64, x.double_bits(letter))


def _give_double(x: Lane, value: Exact, *letters: str) -> None:
    """Round to a double and write it; what is not a number is the last of some sources that is none, made quiet."""
    bits = encode(F64, value, Mode(x.modifier("round")))
    for letter in letters if value.is_nan else ():
        if decode(F64, x.pair(letter)).is_nan:
            bits = x.pair(letter) | QUIET_64
    x.give_pair(bits)


def dadd(x: Lane) -> None:
    _give_double(x, add(_double(x, "a"), _double(x, "c"), Mode(x.modifier("round"))), "a", "c")


def dmul(x: Lane) -> None:
    _give_double(x, multiply(_double(x, "a"), _double(x, "b")), "a", "b")


def dfma(x: Lane) -> None:
    product = multiply(_double(x, "a"), _double(x, "b"))
    _give_double(x, add(product, _double(x, "c"), Mode(x.modifier("round"))), "a", "c", "b")


DSETP_MIN, DSETP_MAX = 0, 15


def dsetp(x: Lane) -> None:
    """Compare two doubles. With .MIN and .MAX u says that a is the one to take, v that neither is a number."""
    a, b, code = _double(x, "a"), _double(x, "b"), x.modifier("compare")
    if code not in (DSETP_MIN, DSETP_MAX):
        give_comparison(x, _held(x, a, b))
        return
    # Of zeros the negative one is the smaller.
    order = (a.negative < b.negative) * 2 if a.is_zero and b.is_zero and a.negative != b.negative else compare(a, b)
    x.give_predicate("u", (b.is_nan and not a.is_nan) or order == (0 if code == DSETP_MIN else 2))
    x.give_predicate("v", a.is_nan and b.is_nan)


# ------------------------------------------------------------------------------------------------ conversions


def _source(x: Lane) -> Exact:
    """Return source b in the format that a modifier names."""
    number = x.modifier("source")
    if number == 3:
        return _double(x, "b")
    if number in (1, 4):
        return decode(FORMATS[number], half_bits(x))
    return _single(x, "b")


def half_bits(x: Lane) -> int:
    """Return the 16 bits of source b, in the half of the register that a modifier names, after its signs."""
    operand = x.operand("b")
    upper = bool(x.modifier("upper") & 1) and operand.kind == "R"
    bits = x.word("b") >> (16 if upper else 0) & 0xFFFF
    if operand.absolute:
        bits &= 0x7FFF
    return bits ^ 0x8000 if operand.negated else bits


def f2i(x: Lane) -> None:
    """Round to an integer, limited to its range. What is not a number becomes 0 from a float to 32 bits, else the
    highest bit alone."""
    value, is_wide, is_signed = _source(x), x.modifier("to") == 3, x.modifier("tosigned")
    width = 8 << x.modifier("to")
    if value.is_nan:
        bits = 0 if width < 64 and x.modifier("source") != 3 else -(1 << (width - 1))
    else:
        least, most = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if is_signed else (0, (1 << width) - 1)
        if value.kind == Kind.INFINITE:
            number = least if value.negative else most
        else:
            number = to_integer(value, Mode(x.modifier("round")))
        bits = min(max(number, least), most)
    x.give(bits)
    if is_wide:
        x.give(bits >> 32, k=1)


def i2f(x: Lane) -> None:
    """Convert an integer of 8, 16, 32 or 64 bits: a part of a register, a register, a pair."""
    source, is_signed = x.modifier("source"), x.modifier("signed")
    value = x.pair("b") if source == 3 else x.word("b")
    if source < 2 and x.operand("b").kind == "R":
        value >>= 8 * (x.modifier("byte") << source)  # bytes of a byte, halves of a word
    width = 8 << source
    value &= (1 << width) - 1
    if is_signed and value >> (width - 1):
        value -= 1 << width
    format_ = FORMATS[x.modifier("to")]
    bits = encode(format_, whole(value), Mode(x.modifier("round")))
    x.give(bits)
    if format_ is F64:
        x.give(bits >> 32, k=1)


def f2f(x: Lane) -> None:
    """Convert between formats. A float that is not a number keeps its digits where the result has room for them."""
    to, source = FORMATS[x.modifier("to")], FORMATS[x.modifier("source")]
    mode = Mode(x.modifier("round"))
    if source in (F16, BF16):
        result = encode(to, _source(x), mode)
    elif source is F64:
        bits = x.double_bits("b")
        result = narrowed_nan(to, bits) if decode(F64, bits).is_nan else encode(to, decode(F64, bits), mode)
    elif to is F64 and decode(F32, x.word("b")).is_nan:
        result = widened_nan(x.word("b"))
    else:
        result = encode(to, _single(x, "b"), mode)
        if to is F32 and x.modifier("ftz"):
            result = flushed(F32, result)
    x.give(result)
    if to is F64:
        x.give(result >> 32, k=1)


def frnd(x: Lane) -> None:
    """Round to a whole number, which keeps the sign of a zero."""
    format_, mode = FORMATS[x.modifier("to")], Mode(x.modifier("round"))
    value = _source(x)
    if value.kind == Kind.FINITE:
        value = whole(to_integer(value, mode))._replace(negative=value.negative)
    if format_ is F64:
        bits = x.pair("b") | QUIET_64 if value.is_nan else encode(F64, value)
        x.give_pair(bits)
        return
    bits = encode(format_, value)
    x.give(flushed(F32, bits) if format_ is F32 and x.modifier("ftz") else bits)


def f2fp(x: Lane) -> None:
    """Convert two floats to a pair of 16 bits, a to the upper half."""
    format_, mode = (F16, BF16)[x.modifier("to")], Mode(x.modifier("round"))
    low, high = (_half(format_, decode(F32, x.float_bits(letter)), x, mode) for letter in "ba")
    x.give(high << 16 | low)


# ------------------------------------------------------------------------------------------------ pairs of 16 bits


def _half(format_: FloatFormat, value: Exact, x: Lane, mode: Mode = Mode.NEAREST) -> int:
    """Return a number of 16 bits, after .SAT and .RELU."""
    if x.modifier("relu") and value.negative and not value.is_nan:
        return 0
    bits = encode(format_, value, mode)
    return saturated(format_, bits) if x.modifier("sat") else bits


def _give_pair(x: Lane, values: list[Exact]) -> None:
    low, high = (_half(_pair_format(x), value, x) for value in values)
    x.give(high << 16 | low)


def _pair_format(x: Lane) -> FloatFormat:
    return BF16 if x.modifier("bf16") else F16


def _halves(x: Lane, letters: str) -> list[tuple[Exact, ...]]:
    """Return the operands of the lower halves, and those of the upper ones."""
    return list(zip(*(x.halves(letter, _pair_format(x)) for letter in letters), strict=True))


def hadd2(x: Lane) -> None:
    """Add pairs of halves; with .F32 the lower ones, to a float."""
    _give_pair_or_float(x, [add(a, b) for a, b in _halves(x, "ab")])


def hmul2(x: Lane) -> None:
    """Multiply pairs of halves; with .F32 the lower ones, to a float, which is not rounded to a half before."""
    _give_pair_or_float(x, [multiply(a, b) for a, b in _halves(x, "ab")])


def _give_pair_or_float(x: Lane, pair: list[Exact]) -> None:
    if not x.modifier("f32"):
        _give_pair(x, pair)
        return
    bits = encode(F32, pair[0])
    x.give(saturated(F32, bits) if x.modifier("sat") else bits)


def hfma2(x: Lane) -> None:
    _give_pair_or_float(x, [add(multiply(a, b), c) for a, b, c in _halves(x, "abc")])


def hsetp2(x: Lane) -> None:
    """Write the comparisons of the lower and the upper halves; with .H_AND that both hold, and its contrary."""
    low, high = (_held(x, a, b) for a, b in _halves(x, "ab"))
    if x.modifier("hand"):
        low, high = low and high, not (low and high)
    x.give_predicate("u", combined(x, low))
    x.give_predicate("v", combined(x, high))


def hset2(x: Lane) -> None:
    one = encode(_pair_format(x), whole(1)) if x.modifier("bf") else 0xFFFF
    low, high = (one if combined(x, _held(x, a, b)) else 0 for a, b in _halves(x, "ab"))
    x.give(high << 16 | low)


def hmnmx2(x: Lane) -> None:
    """Give the smaller halves where the predicate holds, else the larger; with .NAN, no number where one is none. With
    .XORSIGN they have the products of the signs that the registers have."""
    pick, nan = (min if x.predicate("p") else max), bool(x.modifier("nan"))
    format_, found = _pair_format(x), []
    for pair, signs in zip(_halves(x, "ab"), x.half_signs("ab"), strict=True):
        patterns = [encode(format_, number) for number in pair]
        if x.modifier("ftz"):
            patterns = [flushed(format_, bits) for bits in patterns]
        bits = limit(format_, pick, patterns, needs_both=nan)
        if x.modifier("xorsign") and not decode(format_, bits).is_nan:
            bits = bits & ~format_.sign_bit | signs
        found.append(bits)
    x.give(found[0] | found[1] << 16)


def limit(format_: FloatFormat, pick: Callable[..., int], patterns: Sequence[int], needs_both: bool = False) -> int:
    """Return the pattern that ``pick`` (min or max) chooses of two floats; of one that is no number the other."""
    numbers = [bits for bits in patterns if not decode(format_, bits).is_nan]
    if len(numbers) < (2 if needs_both else 1):
        return format_.nan
    return pick(numbers, key=lambda bits: _order(format_, bits))
