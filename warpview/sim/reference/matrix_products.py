"""Define the products of matrices that a warp computes in one instruction, with the fragments of the PTX ISA's mma.

An HMMA adds all products and the accumulator at once: each term is cut off 25 bits below the largest exponent among
them, towards zero, and so is the sum where it becomes a float; to a half it is rounded. (Read from an H200.)

A fragment is given by the words of each lane, doubles as one word of 64 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from warpview.isa.exact_floats import (
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
from warpview.isa.fragments import Fragment, left_elements, result_place, right_elements
from warpview.isa.matrices import MatrixProduct
from warpview.isa.values import signed

ALL_ONES = 0xFFFFFFFF
ColumnOf = Callable[[int, int], int]  # of an element of A that is stored, by its row and place there
KEPT = 25  # bits below the largest exponent
FORMATS = (F16, BF16, TF32)


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


def own_column(row: int, column: int) -> int:
    """Return the column of A that an element of its row is in: all elements of a matrix are stored."""
    return column


def product_of_floats(
    a: Fragment, b: Fragment, c: Fragment, format_: FloatFormat, column_of: ColumnOf = own_column
) -> list[list[int]]:
    """Return A x B + C, of which C and the result are floats where a lane has four words of them, halves otherwise."""
    in_floats = len(c[0]) == 4

    def parts(word: int) -> Sequence[int]:
        return (word >> 13,) if format_ is TF32 else _halves(word)

    left, right = left_elements(a, parts), right_elements(b, parts)
    depth = 1 + max(column for _, column in left)
    results = []
    for lane in range(32):
        accumulators = c[lane] if in_floats else [part for word in c[lane] for part in _halves(word)]
        found = []
        for element, bits in enumerate(accumulators):
            row, column = result_place(lane, element)
            pairs = [(left[row, k], right[column_of(row, k), column]) for k in range(depth)]
            found.append(dot_product(pairs, format_, bits, F32 if in_floats else F16))
        results.append(found if in_floats else [found[k] | found[k + 1] << 16 for k in (0, 2)])
    return results


def _halves(word: int) -> Sequence[int]:
    return word & 0xFFFF, word >> 16


# ------------------------------------------------------------------------------------------------ integers, doubles


def product_of_bytes(
    a: Fragment, b: Fragment, c: Fragment, a_is_signed: int, b_is_signed: int, is_limited: bool,
    column_of: ColumnOf = own_column,
) -> list[list[int]]:  # fmt: skip
    """Return A x B + C, of bytes and integers; ``is_limited`` to what a signed integer holds."""

    def parts(is_signed: int) -> Callable[[int], Sequence[int]]:
        def split(word: int) -> Sequence[int]:
            found = word.to_bytes(4, "little")
            return [byte - 256 if is_signed and byte > 127 else byte for byte in found]

        return split

    return _add_products(a, b, c, parts(a_is_signed), parts(b_is_signed), is_limited, column_of)


def product_of_nibbles(
    a: Fragment, b: Fragment, c: Fragment, a_is_signed: int, b_is_signed: int, is_limited: bool,
    column_of: ColumnOf = own_column,
) -> list[list[int]]:  # fmt: skip
    """Return A x B + C, of elements of four bits and integers; ``is_limited`` to what a signed integer holds."""

    def parts(is_signed: int) -> Callable[[int], Sequence[int]]:
        return lambda word: [signed(word >> 4 * k & 15, 4) if is_signed else word >> 4 * k & 15 for k in range(8)]

    return _add_products(a, b, c, parts(a_is_signed), parts(b_is_signed), is_limited, column_of)


def product_of_bits(a: Fragment, b: Fragment, c: Fragment, *, by_xor: bool) -> list[list[int]]:
    """Return A x B + C: the product of two bits is one where both are, or where one of them is."""
    if not by_xor:
        return _add_products(a, b, c, _bits, _bits)
    both, ones = _add_products(a, b, c, _bits, _bits), [[ALL_ONES] * len(lane) for lane in b]
    # The bits that differ are those of a and those of b, less twice those of both.
    of_a = _add_products(a, ones, [[0] * len(lane) for lane in c], _bits, _bits)
    of_b = _add_products([[ALL_ONES] * len(lane) for lane in a], b, [[0] * len(lane) for lane in c], _bits, _bits)
    return [
        [(3 * z + x + y - 2 * total) & ALL_ONES for z, x, y, total in zip(*lanes, strict=True)]
        for lanes in zip(c, of_a, of_b, both, strict=True)
    ]


def _bits(word: int) -> Sequence[int]:
    return [word >> k & 1 for k in range(32)]


def _add_products(
    a: Fragment, b: Fragment, c: Fragment, a_parts: Callable[[int], Sequence[int]],
    b_parts: Callable[[int], Sequence[int]], is_limited: bool = False, column_of: ColumnOf = own_column,
) -> list[list[int]]:  # fmt: skip
    """Add the product of two matrices of integers, whose elements are parts of words, to a third one of words."""
    left, right = left_elements(a, a_parts), right_elements(b, b_parts)
    depth = 1 + max(column for _, column in left)

    def total(lane: int, element: int) -> int:
        row, column = result_place(lane, element)
        found = signed(c[lane][element], 32) + sum(
            left[row, k] * right[column_of(row, k), column] for k in range(depth)
        )
        return min(max(found, -(1 << 31)), (1 << 31) - 1) if is_limited else found

    return [[total(lane, element) & 0xFFFFFFFF for element in range(len(c[lane]))] for lane in range(32)]


def product_of_doubles(a: Fragment, b: Fragment, c: Fragment) -> list[list[int]]:
    """Return A x B + C, by fused multiply-adds in the order of the inner index."""
    rows = 2 if len(a[0]) > 1 else 1
    depth = 4 * len(a[0]) // rows

    def total(lane: int, element: int) -> int:
        row, column = result_place(lane, element)
        bits = c[lane][element]
        for k in range(depth):
            left = decode(F64, a[4 * (row % 8) + k % 4][(k // 4) * rows + row // 8])
            right = decode(F64, b[4 * column + k % 4][k // 4])
            bits = encode(F64, add(multiply(left, right), decode(F64, bits)))
        return bits

    return [[total(lane, element) for element in range(2 * rows)] for lane in range(32)]


def transposed(words: Sequence[int]) -> list[int]:
    """Return the words of a matrix of 8 x 8 numbers of 16 bits, transposed: a lane has two neighbours of a row."""
    columns = [[_halves(words[4 * row + k // 2])[k % 2] for row in range(8)] for k in range(8)]
    return [columns[n // 4][2 * (n % 4)] | columns[n // 4][2 * (n % 4) + 1] << 16 for n in range(32)]


def multiplied(product: MatrixProduct, a: Fragment, b: Fragment, c: Fragment) -> list[list[int]]:
    """Return A x B + C of a product of the table."""
    variant = product.variant
    if product.meaning == "hmma":
        return product_of_floats(a, b, c, FORMATS[variant & 3])
    if product.meaning == "dmma":
        return product_of_doubles(a, b, c)
    return product_of_bytes(a, b, c, variant & 1, variant >> 1 & 1, bool(variant >> 2 & 1))
