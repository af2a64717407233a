"""Execute HMMA.884: four products of matrices of 8 x 8 x 4 halves, two registers of the result at a time.

``reference.quad_products`` tells which lanes hold what.
"""

from __future__ import annotations

from warpview.sim.jit.compile import jit
from warpview.sim.jit.native_matrix import B_AT, HALF, SINGLE, dot_product, exponent_of, significand
from warpview.sim.jit.raw import load_i64, load_u32, store_32, store_64
from warpview.sim.jit.records import matrix_at
from warpview.sim.jit.state import LANES, MATRIX_ELEMENTS, ROW32

DEPTH = 4
QUAD = 8 * DEPTH  # elements of A, and of B, of one product
RESULTS_AT = 4 * QUAD


@jit
def half_at(w, offset, lane, element):
    word = load_u32(w.registers_at + offset + (element >> 1) * ROW32 + 4 * lane)
    return word >> 16 * (element & 1) & 0xFFFF


@jit
def read_quads(m, w, offset, first, is_across):
    """Spread A by its rows, or B by its columns: a lane has all of one, or an element of each of four."""
    for lane in range(LANES):
        quad, upper, member = lane >> 2 & 3, lane >> 4, lane & 3
        for element in range(DEPTH):
            bits = half_at(w, offset, lane, element)
            number, inner = (element, member) if is_across else (member, element)
            place = matrix_at(m) + 8 * (first + quad * QUAD + (number + 4 * upper) * DEPTH + inner)
            store_64(place, significand(bits, HALF))
            store_64(place + 8 * MATRIX_ELEMENTS, exponent_of(bits, HALF))


@jit
def single_of_half(bits):
    """Return the pattern of the float that a half is."""
    sign, exponent, rest = bits >> 15 << 31, bits >> 10 & 31, bits & 0x3FF
    if exponent == 31:
        return sign | 0x7F800000 | rest << 13
    if exponent == 0:
        if rest == 0:
            return sign
        exponent = 1
        while rest >> 10 == 0:
            rest <<= 1
            exponent -= 1
    return sign | (exponent + 112) << 23 | (rest & 0x3FF) << 13


@jit
def quad_element(m, w, ins, lane, k, in_floats):
    """Return the bits of an element that a lane gets in this step."""
    step, quad, upper = ins.variant & 3, lane >> 2 & 3, lane >> 4
    if in_floats:
        element = 2 * step + k
        row, column = (lane & 1) + (element & 2), (element & 4) + (lane & 2) + (element & 1)
    else:
        row, column = lane & 3, 4 * step + k
    if ins.variant >> 5 & 1:
        c_bits = load_u32(w.registers_at + ins.c + k * ROW32 + 4 * lane)
    else:
        c_bits = half_at(w, ins.c, (lane & 28) + row, column & 3)
        if in_floats:
            c_bits = single_of_half(c_bits)
    a, b = quad * QUAD + (row + 4 * upper) * DEPTH, B_AT + quad * QUAD + column * DEPTH
    return dot_product(m, a, b, DEPTH, HALF, c_bits, SINGLE if in_floats else HALF)


@jit
def hmmaquad(m, w, ins):
    """Execute HMMA.884. ``variant`` has the step, from bit 2 on which of A and B lie by columns, and from bit 4 on
    whether D and C are floats."""
    in_floats = ins.variant >> 4 & 1
    read_quads(m, w, ins.a, 0, ins.variant >> 2 & 1)
    read_quads(m, w, ins.b, B_AT, 1 - (ins.variant >> 3 & 1))
    for lane in range(LANES):
        for k in range(2):
            if in_floats:
                result = quad_element(m, w, ins, lane, k, 1)
            else:
                result = quad_element(m, w, ins, lane, 2 * k, 0)
                result |= quad_element(m, w, ins, lane, 2 * k + 1, 0) << 16
            store_64(matrix_at(m) + 8 * (RESULTS_AT + 2 * lane + k), result)
    for lane in range(LANES):
        for k in range(2):
            result = load_i64(matrix_at(m) + 8 * (RESULTS_AT + 2 * lane + k))
            store_32(w.registers_at + ins.dst + k * ROW32 + 4 * lane, result)
