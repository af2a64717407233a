"""Define the matrix instructions of NVIDIA's machine code, with the fragments of the PTX ISA's mma.

An HMMA adds all products and the accumulator at once: each term is cut off 25 bits below the largest exponent among
them, towards zero, and so is the sum where it becomes a float; to a half it is rounded. (Read from an H200.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from warpview.sass.matrices import matrix_spans
from warpview.sass.operation import SassOperation
from warpview.sim.reference.native.exchange import ExchangingWarp, signed32
from warpview.sim.reference.native.floats import (
    BF16,
    F16,
    F32,
    F64,
    NAN,
    TF32,
    Exact,
    FloatFormat,
    Kind,
    Mode,
    add,
    decode,
    encode,
    multiply,
)

KEPT = 25  # bits below the largest exponent
Elements = dict[tuple[int, int], int]  # by row and column


def _operands(warp: ExchangingWarp, operation: SassOperation) -> tuple[int, int, int, int]:
    spans = matrix_spans(operation.row.meaning, operation.modifiers)
    assert spans is not None
    return spans


def _words(warp: ExchangingWarp, operation: SassOperation, letter: str, count: int) -> list[list[int]]:
    """Return ``count`` words of an operand of each lane."""
    return [[warp.lane(operation, lane).word(letter, k) for k in range(count)] for lane in range(32)]


def _left(words: list[list[int]], parts: Callable[[int], Sequence[int]]) -> Elements:
    """Return the elements of A, whose registers take turns between the rows g and g + 8."""
    elements = {}
    for lane, held in enumerate(words):
        for register, word in enumerate(held):
            found = parts(word)
            for k, element in enumerate(found):
                column = (register // 2) * 4 * len(found) + (lane % 4) * len(found) + k
                elements[lane // 4 + 8 * (register % 2), column] = element
    return elements


def _right(words: list[list[int]], parts: Callable[[int], Sequence[int]]) -> Elements:
    """Return the elements of B, of whose columns a lane holds one."""
    elements = {}
    for lane, held in enumerate(words):
        for register, word in enumerate(held):
            found = parts(word)
            for k, element in enumerate(found):
                elements[register * 4 * len(found) + (lane % 4) * len(found) + k, lane // 4] = element
    return elements


def _place(lane: int, element: int) -> tuple[int, int]:
    """Return row and column of an element of the result, of which a lane has two neighbours in the rows g and g + 8."""
    return lane // 4 + 8 * (element // 2), 2 * (lane % 4) + element % 2


# ------------------------------------------------------------------------------------------------ floats


def _exponent(number: Exact, format_: FloatFormat, bits: int) -> int:
    """Return the exponent of a pattern: that of its field, also of a subnormal number."""
    return max(bits >> format_.stored & ((1 << format_.exponent_bits) - 1), 1) - format_.bias


def _cut(number: Exact, unit: int) -> int:
    """Return a number in units of 2^unit, towards zero."""
    shift = number.exponent - unit
    size = number.size << shift if shift >= 0 else number.size >> -shift
    return -size if number.negative else size


def dot_product(pairs: Sequence[tuple[int, int]], format_: FloatFormat, c_bits: int, result: FloatFormat) -> int:
    """Return the pattern of c plus the sum of the products of pairs of patterns."""
    c = decode(result, c_bits)
    terms, exponents = [c], [] if c.is_zero else [_exponent(c, result, c_bits)]
    for a_bits, b_bits in pairs:
        a, b = decode(format_, a_bits), decode(format_, b_bits)
        product = multiply(a, b)
        terms.append(product)
        if product.kind == Kind.FINITE and not product.is_zero:
            exponents.append(_exponent(a, format_, a_bits) + _exponent(b, format_, b_bits))
    special = [term for term in terms if term.kind != Kind.FINITE]
    if special:
        unlike = len({term.negative for term in special}) > 1 or any(term.is_nan for term in special)
        return encode(result, NAN if unlike else special[0])
    if not exponents:
        return 0
    unit = max(exponents) - KEPT
    total = sum(_cut(term, unit) for term in terms if not term.is_zero)
    number = Exact(total < 0, abs(total), unit)
    if result is F16:
        return encode(F16, number)
    bits = encode(F32, number, Mode.TO_ZERO)
    too_large = number.size and number.size.bit_length() + unit > F32.bias + 1
    return bits + 1 if too_large else bits  # beyond the largest float lies infinity


def hmma(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    result_words, a_words, b_words, _ = _operands(warp, operation)
    format_ = (F16, BF16, TF32)[operation.modifiers["format"]]

    def parts(word: int) -> Sequence[int]:
        return (word >> 13,) if format_ is TF32 else (word & 0xFFFF, word >> 16)

    a = _left(_words(warp, operation, "a", a_words), parts)
    b = _right(_words(warp, operation, "b", b_words), parts)
    depth = 1 + max(column for _, column in a)
    c = _words(warp, operation, "c", result_words)
    for lane in range(32):
        x = warp.lane(operation, lane)
        in_floats = result_words == 4
        accumulators = c[lane] if in_floats else [part for word in c[lane] for part in (word & 0xFFFF, word >> 16)]
        found = []
        for element, bits in enumerate(accumulators):
            row, column = _place(lane, element)
            pairs = [(a[row, k], b[k, column]) for k in range(depth)]
            found.append(dot_product(pairs, format_, bits, F32 if in_floats else F16))
        words = found if in_floats else [found[k] | found[k + 1] << 16 for k in (0, 2)]
        for k, word in enumerate(words):
            x.give(word, k=k)


# ------------------------------------------------------------------------------------------------ integers, doubles


def imma(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    m = operation.modifiers

    def parts(is_signed: int) -> Callable[[int], Sequence[int]]:
        def split(word: int) -> Sequence[int]:
            found = word.to_bytes(4, "little")
            return [byte - 256 if is_signed and byte > 127 else byte for byte in found]

        return split

    _add_products(warp, operation, parts(m["asigned"]), parts(m["bsigned"]), is_limited=bool(m["sat"]))


def bmma(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    """Multiply matrices of bits: the product of two is one where both are."""
    _add_products(warp, operation, _bits, _bits)


def _bits(word: int) -> Sequence[int]:
    return [word >> k & 1 for k in range(32)]


def _add_products(
    warp: ExchangingWarp, operation: SassOperation, a_parts: Callable[[int], Sequence[int]],
    b_parts: Callable[[int], Sequence[int]], is_limited: bool = False,
) -> None:  # fmt: skip
    """Add the product of two matrices of integers, whose elements are parts of words, to a third one of words."""
    result_words, a_words, b_words, _ = _operands(warp, operation)
    a = _left(_words(warp, operation, "a", a_words), a_parts)
    b = _right(_words(warp, operation, "b", b_words), b_parts)
    depth = 1 + max(column for _, column in a)
    c = _words(warp, operation, "c", result_words)
    for lane in range(32):
        for element in range(result_words):
            row, column = _place(lane, element)
            total = signed32(c[lane][element]) + sum(a[row, k] * b[k, column] for k in range(depth))
            if is_limited:
                total = min(max(total, -(1 << 31)), (1 << 31) - 1)
            warp.lane(operation, lane).give(total, k=element)


def dmma(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    """Multiply matrices of doubles, by fused multiply-adds in the order of the inner index."""
    result_words, a_words, b_words, _ = _operands(warp, operation)

    def doubles(letter: str, words: int) -> list[list[int]]:
        held = _words(warp, operation, letter, words)
        return [[lane[k] | lane[k + 1] << 32 for k in range(0, words, 2)] for lane in held]

    rows = 2 if a_words > 2 else 1
    a, b, c = (doubles(letter, n) for letter, n in zip("abc", (a_words, b_words, result_words), strict=True))
    depth = 4 * (a_words // 2) // rows
    for lane in range(32):
        for element in range(2 * rows):
            row, column = _place(lane, element)
            total = decode(F64, c[lane][element])
            for k in range(depth):
                left = decode(F64, a[4 * (row % 8) + k % 4][(k // 4) * rows + row // 8])
                right = decode(F64, b[4 * column + k % 4][k // 4])
                total = decode(F64, encode(F64, add(multiply(left, right), total)))
            bits = encode(F64, total)
            warp.lane(operation, lane).give(bits, k=2 * element)
            warp.lane(operation, lane).give(bits >> 32, k=2 * element + 1)
