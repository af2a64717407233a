"""Define the product of matrices of 8 x 8 x 4 halves, of which a warp computes four at a time.

Eight lanes have one, a quad of the lower half of the warp and that of the upper one, which has the rows of A and D
and the columns of B from 4 on (PTX ISA, *Matrix Fragments for mma.m8n8k4 with .f16*). An instruction gives two
registers of D, which is a *step*: eight columns of halves take two steps, those of floats four.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from warpview.isa.exact_floats import F16, F32, decode, encode
from warpview.isa.fragments import Fragment
from warpview.sim.reference.matrix_products import FORMATS, dot_product

DEPTH = 4


@dataclass(frozen=True)
class Quads:
    """Say which part of D an instruction gives, which of A and B lie by columns, and which of D and C are floats."""

    step: int
    a_by_columns: bool
    b_by_columns: bool
    d_in_floats: bool
    c_in_floats: bool


def place_in_quad(lane: int, element: int, in_floats: bool) -> tuple[int, int]:
    """Return row and column of an element of D, of which a lane has eight."""
    first = 4 * (lane // 16)
    if in_floats:
        return first + lane % 2 + (element & 2), (element & 4) + (lane & 2) + element % 2
    return first + lane % 4, element


def product_of_quads(a: Fragment, b: Fragment, c: Fragment, quads: Quads) -> list[list[int]]:
    """Return what a step gives of A x B + C; each fragment has two words of a lane."""
    count = 2 if quads.d_in_floats else 4

    def element(lane: int, k: int) -> int:
        row, column = place_in_quad(lane, count * quads.step + k, quads.d_in_floats)
        pairs = [
            (_row_of(a, lane, row, inner, quads.a_by_columns), _row_of(b, lane, column, inner, not quads.b_by_columns))
            for inner in range(DEPTH)
        ]
        if quads.c_in_floats:
            added = c[lane][k]
        else:
            added = _half(c[_owner(lane, row)], column % 4)
            added = encode(F32, decode(F16, added)) if quads.d_in_floats else added
        return dot_product(pairs, FORMATS[0], added, F32 if quads.d_in_floats else F16)

    found = [[element(lane, k) for k in range(count)] for lane in range(32)]
    return found if quads.d_in_floats else [[f[k] | f[k + 1] << 16 for k in (0, 2)] for f in found]


def _owner(lane: int, number: int) -> int:
    """Return the lane, of the eight that ``lane`` is one of, that has a row or column."""
    return (lane & 12) + number % 4 + 16 * (number // 4)


def _half(words: Sequence[int], element: int) -> int:
    return words[element // 2] >> 16 * (element % 2) & 0xFFFF


def _row_of(words: Fragment, lane: int, number: int, inner: int, is_across: bool) -> int:
    """Return an element of a row of A, or column of B: one lane has all of it, or each the element of four of them."""
    if is_across:
        return _half(words[_owner(lane, inner + number // 4 * 4)], number % 4)
    return _half(words[_owner(lane, number)], inner)
