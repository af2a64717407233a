"""Execute the products of matrices of which A is stored in half: HMMA.SP and IMMA.SP.

Two of four neighbours in a row of A are stored, one of two of TF32; pairs of elements of four bits count like bytes.
The metadata, two bits for each that is stored (four of TF32), lie in lane ``imm`` of four and in the next, 16
bits of the rows g and g + 8 in each; of integers 32 bits of one of these rows, in turn.
"""

from __future__ import annotations

from warpview.sim.jit.compile import jit
from warpview.sim.jit.native_matrix import (
    B_AT,
    HALF,
    SINGLE,
    SUBTRACT_ONE_ROW,
    TF32,
    dot_product,
    nibble,
    read_floats,
)
from warpview.sim.jit.raw import load_i64, load_u32, store_32, store_64
from warpview.sim.jit.records import matrix_at
from warpview.sim.jit.state import LANES, MATRIX_ELEMENTS, ROW32

GATHERED_AT = B_AT + 256  # the elements of a column of B that belong to those of a row of A
RESULTS_AT = GATHERED_AT + 32
WIDE, NARROW = 4, 2  # bits of metadata for an element


@jit
def column_of(w, ins, row, k, bits):
    """Return the column of A whose element is stored at place ``k`` of a row."""
    place = bits * k
    lane = 4 * (row & 7) + ins.imm + (place >> 4)
    found = load_u32(w.registers_at + ins.e + 4 * lane) >> (16 * (row >> 3) + (place & 15))
    if bits == WIDE:
        return 2 * k + (found >> 1 & 1)
    return (k >> 1) * 4 + (found & 3)


@jit
def column_of_byte(w, ins, row, k):
    """Return the column of A whose byte is stored at place ``k`` of a row."""
    lane = 4 * (row & 7) + ins.imm + (k >> 4) * 2 + (row >> 3)
    return (k >> 1) * 4 + (load_u32(w.registers_at + ins.e + 4 * lane) >> 2 * (k & 15) & 3)


@jit
def gathered_product(m, w, ins, row, column, depth, c_bits, c_format):
    """Return the bits of an element of the result."""
    format_ = ins.variant & 3
    for k in range(depth):
        source = matrix_at(m) + 8 * (
            B_AT + 32 * column + column_of(w, ins, row, k, WIDE if format_ == TF32 else NARROW)
        )
        target = matrix_at(m) + 8 * (GATHERED_AT + k)
        store_64(target, load_i64(source))
        store_64(target + 8 * MATRIX_ELEMENTS, load_i64(source + 8 * MATRIX_ELEMENTS))
    return dot_product(m, 32 * row, GATHERED_AT, depth, format_, c_bits, c_format)


@jit
def hmmasp(m, w, ins):
    """Execute HMMA.SP, with the variant of ``hmma``."""
    format_, registers, floats = ins.variant & 3, ins.variant >> 2 & 7, ins.variant >> 5 & 1
    read_floats(m, w, ins.a, registers, 1, format_)
    read_floats(m, w, ins.b, registers, 0, format_)
    depth = registers * (2 if format_ == TF32 else 4)
    for lane in range(LANES):
        group, member = lane >> 2, lane & 3
        for register in range(4 if floats else 2):
            word = load_u32(w.registers_at + ins.c + register * ROW32 + 4 * lane)
            if floats:
                row, column = group + SUBTRACT_ONE_ROW * (register >> 1), 2 * member + (register & 1)
                result = gathered_product(m, w, ins, row, column, depth, word, SINGLE)
            else:
                row, column = group + SUBTRACT_ONE_ROW * register, 2 * member
                result = gathered_product(m, w, ins, row, column, depth, word & 0xFFFF, HALF)
                result |= gathered_product(m, w, ins, row, column + 1, depth, word >> 16, HALF) << 16
            store_64(matrix_at(m) + 8 * (RESULTS_AT + LANES * register + lane), result)
    store_results(m, w, ins, 4 if floats else 2)


@jit
def store_results(m, w, ins, registers):
    """Give each lane its words of the result: after all sources are read, which may be the same registers."""
    for lane in range(LANES):
        for register in range(registers):
            result = load_i64(matrix_at(m) + 8 * (RESULTS_AT + LANES * register + lane))
            store_32(w.registers_at + ins.dst + register * ROW32 + 4 * lane, result)


@jit
def product_of_bytes(a, b, signs, has_four_bits):
    """Return the product of two bytes, or of two pairs of elements of four bits; bits of ``signs``: A, B is signed."""
    if has_four_bits:
        total = 0
        for k in range(2):
            total += nibble(a, k, signs & 1) * nibble(b, k, signs & 2)
        return total
    if signs & 1 and a > 127:
        a -= 256
    if signs & 2 and b > 127:
        b -= 256
    return a * b


@jit
def byte_at(w, offset, lane, register, k):
    return load_u32(w.registers_at + offset + register * ROW32 + 4 * lane) >> 8 * (k & 3) & 0xFF


@jit
def immasp(m, w, ins):
    """Execute IMMA.SP. ``variant`` says whether A and B are signed and the result is limited, has the registers of A
    from bit 3, and in bit 6 whether elements have four bits."""
    registers, narrow = ins.variant >> 3 & 7, ins.variant >> 6
    for lane in range(LANES):
        for register in range(4):
            row, column = (lane >> 2) + SUBTRACT_ONE_ROW * (register >> 1), 2 * (lane & 3) + (register & 1)
            total = load_u32(w.registers_at + ins.c + register * ROW32 + 4 * lane)
            total -= total >> 31 << 32
            for k in range(8 * registers):
                a = byte_at(w, ins.a, 4 * (row & 7) + (k >> 2 & 3), 2 * (k >> 4) + (row >> 3), k)
                place = column_of_byte(w, ins, row, k)
                b = byte_at(w, ins.b, 4 * column + (place >> 2 & 3), place >> 4, place)
                total += product_of_bytes(a, b, ins.variant & 3, narrow)
            if ins.variant >> 2 & 1:
                total = min(max(total, -(1 << 31)), (1 << 31) - 1)
            store_64(matrix_at(m) + 8 * (RESULTS_AT + LANES * register + lane), total)
    store_results(m, w, ins, 4)
