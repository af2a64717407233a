"""Execute the matrix instructions HMMA, IMMA, DMMA and MOVM, by the PTX ISA's layout of fragments.

An HMMA adds all its products and the accumulator at once: each is aligned to the largest exponent among them, 25 bits
below it are kept, and the sum is truncated to a float, or rounded to the nearest half. That was read from an H200: on
96 sets of random operands of each shape and format every bit is the hardware's.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from warpview.sim.jit.compile import jit
from warpview.sim.jit.raw import load_i64, load_u32, popcount, store_32, store_64
from warpview.sim.jit.records import matrix_at
from warpview.sim.jit.state import LANES, MATRIX_ELEMENTS, ROW32, ROW64

HALF, BFLOAT, TF32, SINGLE = range(4)  # formats of elements
KEPT = 25  # bits below the largest exponent
INFINITE, NOT_A_NUMBER = 20000, 30000  # exponents that stand for them
NO_EXPONENT = -10000
NAN_32, NAN_16 = 0x7FFFFFFF, 0x7FFF
B_AT = 512  # the elements of B follow those of A; exponents follow all elements
SUBTRACT_ONE_ROW = 8
PLUS, MINUS, INVALID = 1, 2, 4  # kinds of terms that are no numbers


@intrinsic
def fused_multiply_add(typingctx, a, b, c):
    """Return a x b + c of the patterns of doubles, as a pattern."""

    def codegen(context, builder, signature, args):
        double = ir.DoubleType()
        function = builder.module.declare_intrinsic("llvm.fma", [double], ir.FunctionType(double, [double] * 3))
        result = builder.call(function, [builder.bitcast(x, double) for x in args])
        return builder.bitcast(result, ir.IntType(64))

    return types.int64(types.int64, types.int64, types.int64), codegen


# ------------------------------------------------------------------------------------------------ elements


@jit
def mantissa_bits(format_):
    if format_ == BFLOAT:
        return 7
    return 23 if format_ == SINGLE else 10


@jit
def significand(bits, format_):
    """Return the significand of an element with its sign, an integer; 1 or -1 of what is infinite."""
    digits = mantissa_bits(format_)
    exponent_bits = 5 if format_ == HALF else 8
    exponent = bits >> digits & ((1 << exponent_bits) - 1)
    size = bits & ((1 << digits) - 1)
    if exponent == (1 << exponent_bits) - 1:
        size = 1
    elif exponent:
        size |= 1 << digits
    return -size if bits >> (digits + exponent_bits) & 1 else size


@jit
def exponent_of(bits, format_):
    digits = mantissa_bits(format_)
    exponent_bits = 5 if format_ == HALF else 8
    exponent = bits >> digits & ((1 << exponent_bits) - 1)
    if exponent == (1 << exponent_bits) - 1:
        return NOT_A_NUMBER if bits & ((1 << digits) - 1) else INFINITE
    return max(exponent, 1) - ((1 << (exponent_bits - 1)) - 1)


@jit
def element_index(is_a, lane, register, k, per_register):
    """Return where an element of a lane's register lies: A by rows of 32, B by columns of 32."""
    group, member = lane >> 2, lane & 3
    if is_a:
        return (group + SUBTRACT_ONE_ROW * (register & 1)) * 32 + ((register >> 1) * 4 + member) * per_register + k
    return B_AT + group * 32 + (register * 4 + member) * per_register + k


@jit
def read_floats(m, w, offset, registers, is_a, format_):
    """Spread the registers of a fragment over the matrix: significands and exponents."""
    per_register = 1 if format_ == TF32 else 2
    for lane in range(LANES):
        for register in range(registers):
            word = load_u32(w.registers_at + offset + register * ROW32 + 4 * lane)
            for k in range(per_register):
                bits = word >> 13 if format_ == TF32 else word >> (16 * k) & 0xFFFF
                place = matrix_at(m) + 8 * element_index(is_a, lane, register, k, per_register)
                store_64(place, significand(bits, format_))
                store_64(place + 8 * MATRIX_ELEMENTS, exponent_of(bits, format_))


@jit
def read_bytes(m, w, offset, registers, is_a, signed):
    for lane in range(LANES):
        for register in range(registers):
            word = load_u32(w.registers_at + offset + register * ROW32 + 4 * lane)
            for k in range(4):
                byte = word >> (8 * k) & 0xFF
                if signed and byte >= 128:
                    byte -= 256
                store_64(matrix_at(m) + 8 * element_index(is_a, lane, register, k, 4), byte)


# ------------------------------------------------------------------------------------------------ sums


@jit
def unusual(sign, exponent, other):
    """Return what a product is that has a factor which is no number: ``other`` is 0 where the other factor is."""
    if exponent >= NOT_A_NUMBER or other == 0:
        return INVALID
    return PLUS if sign > 0 else MINUS


@jit
def shifted(size, exponent, largest, digits):
    """Return a term with KEPT bits below the largest exponent, truncated."""
    raised = abs(size) << (KEPT - digits) if digits <= KEPT else abs(size) >> (digits - KEPT)
    below = largest - exponent
    kept = raised >> below if below < 62 else 0
    return -kept if size < 0 else kept


@jit
def dot_product(m, a_place, b_place, depth, format_, c_bits, c_format):
    """Return the bits of an element of the result, given the places of the first elements of A and B."""
    a, b = matrix_at(m) + 8 * a_place, matrix_at(m) + 8 * b_place
    digits, c_size, c_exponent = (
        2 * mantissa_bits(format_),
        significand(c_bits, c_format),
        exponent_of(c_bits, c_format),
    )
    largest, odd = NO_EXPONENT, 0
    if c_exponent >= INFINITE:
        odd = unusual(c_size, c_exponent, 1)
    elif c_size:
        largest = c_exponent
    for k in range(depth):
        size = load_i64(a + 8 * k) * load_i64(b + 8 * k)
        a_exponent, b_exponent = load_i64(a + 8 * (MATRIX_ELEMENTS + k)), load_i64(b + 8 * (MATRIX_ELEMENTS + k))
        if a_exponent >= INFINITE or b_exponent >= INFINITE:
            odd |= unusual(size, max(a_exponent, b_exponent), size)
        elif size:
            largest = max(largest, a_exponent + b_exponent)
    if odd:
        return special_result(odd, c_format)
    if largest == NO_EXPONENT:
        return 0
    total = shifted(c_size, c_exponent, largest, mantissa_bits(c_format)) if c_size else 0
    for k in range(depth):
        size = load_i64(a + 8 * k) * load_i64(b + 8 * k)
        if size:
            exponent = load_i64(a + 8 * (MATRIX_ELEMENTS + k)) + load_i64(b + 8 * (MATRIX_ELEMENTS + k))
            total += shifted(size, exponent, largest, digits)
    return to_single(total, largest) if c_format == SINGLE else to_half(total, largest)


@jit
def special_result(odd, format_):
    if odd != PLUS and odd != MINUS:
        return NAN_32 if format_ == SINGLE else NAN_16
    if format_ == SINGLE:
        return 0x7F800000 if odd == PLUS else 0xFF800000
    return 0x7C00 if odd == PLUS else 0xFC00


@jit
def to_single(total, largest):
    """Return the float of total x 2^(largest - KEPT), truncated."""
    if total == 0:
        return 0
    size, top = abs(total), -1
    while size >> (top + 1):
        top += 1
    exponent = max(top + largest - KEPT, -126)
    shift = exponent - 23 - (largest - KEPT)  # of the last bit that is kept
    size = size >> shift if shift >= 0 else size << -shift
    if exponent > 127:
        bits = 0x7F800000
    elif size >> 23:
        bits = (exponent + 127) << 23 | size & 0x7FFFFF
    else:
        bits = size
    return bits | 0x80000000 if total < 0 else bits


@jit
def to_half(total, largest):
    """Return the half nearest to total x 2^(largest - KEPT)."""
    if total == 0:
        return 0
    size, top = abs(total), -1
    while size >> (top + 1):
        top += 1
    exponent = max(top + largest - KEPT, -14)
    shift = exponent - 10 - (largest - KEPT)
    if shift > 62:
        size = 0
    elif shift > 0:
        rest, half = size & ((1 << shift) - 1), 1 << (shift - 1)
        size >>= shift
        if rest > half or (rest == half and size & 1):
            size += 1
    else:
        size <<= -shift
    if size >> 11:
        size >>= 1
        exponent += 1
    bits = 0x7C00 if exponent > 15 else (exponent + 15) << 10 | size & 0x3FF if size >> 10 else size
    return bits | 0x8000 if total < 0 else bits


# ------------------------------------------------------------------------------------------------ instructions


@jit
def hmma(m, w, ins):
    """Execute HMMA. ``variant`` has the format of A and B, the registers of A, and whether accumulators are floats,
    from bit 0, 2 and 5."""
    format_, registers, floats = ins.variant & 3, ins.variant >> 2 & 7, ins.variant >> 5 & 1
    read_floats(m, w, ins.a, registers, 1, format_)
    read_floats(m, w, ins.b, registers >> 1, 0, format_)
    depth = registers * (2 if format_ == TF32 else 4)
    for lane in range(LANES):
        group, member = lane >> 2, lane & 3
        for register in range(4 if floats else 2):
            source = w.registers_at + ins.c + register * ROW32 + 4 * lane
            word = load_u32(source)
            if floats:
                row, column = group + SUBTRACT_ONE_ROW * (register >> 1), 2 * member + (register & 1)
                result = dot_product(m, 32 * row, B_AT + 32 * column, depth, format_, word, SINGLE)
            else:
                row, column = group + SUBTRACT_ONE_ROW * register, 2 * member
                a, b = 32 * row, B_AT + 32 * column
                result = dot_product(m, a, b, depth, format_, word & 0xFFFF, HALF)
                result |= dot_product(m, a, b + 32, depth, format_, word >> 16, HALF) << 16
            store_32(w.registers_at + ins.dst + register * ROW32 + 4 * lane, result)


@jit
def imma(m, w, ins):
    """Execute IMMA. ``variant`` says whether A and B are signed and the result is limited, and has the registers of A
    from bit 3."""
    registers = ins.variant >> 3
    read_bytes(m, w, ins.a, registers, 1, ins.variant & 1)
    read_bytes(m, w, ins.b, max(1, registers >> 1), 0, ins.variant >> 1 & 1)
    inner = 16 if registers == 1 else 8 * registers  # one register of A: a matrix of 8 rows
    for lane in range(LANES):
        group, member = lane >> 2, lane & 3
        for register in range(min(4, 2 * registers)):
            word = load_u32(w.registers_at + ins.c + register * ROW32 + 4 * lane)
            total = word - (1 << 32) if word >> 31 else word
            a = matrix_at(m) + 8 * 32 * (group + SUBTRACT_ONE_ROW * (register >> 1))
            b = matrix_at(m) + 8 * (B_AT + 32 * (2 * member + (register & 1)))
            for k in range(inner):
                total += load_i64(a + 8 * k) * load_i64(b + 8 * k)
            if ins.variant >> 2 & 1:
                total = min(max(total, -(1 << 31)), (1 << 31) - 1)
            store_32(w.registers_at + ins.dst + register * ROW32 + 4 * lane, total)


@jit
def double_at(w, ins, offset, element, lane):
    """Return a double of a fragment: machine code has it in two registers of 32 bits."""
    if not ins.native:
        return load_i64(w.registers_at + offset + element * ROW64 + 8 * lane)
    place = w.registers_at + offset + 2 * element * ROW32 + 4 * lane
    return load_u32(place) | load_u32(place + ROW32) << 32


@jit
def store_double(w, ins, element, lane, bits):
    if not ins.native:
        store_64(w.registers_at + ins.dst + element * ROW64 + 8 * lane, bits)
        return
    place = w.registers_at + ins.dst + 2 * element * ROW32 + 4 * lane
    store_32(place, bits)
    store_32(place + ROW32, bits >> 32)


@jit
def dmma(m, w, ins):
    """Execute DMMA, a chain of fused multiply-adds in the order of the inner index. ``variant``: doubles of A in a
    lane."""
    held = ins.variant
    rows = 1 if held == 1 else 2
    depth = 4 * held // rows
    for lane in range(LANES):
        group, member = lane >> 2, lane & 3
        for element in range(2 * rows):
            total = double_at(w, ins, ins.c, element, lane)
            for k in range(depth):
                a = double_at(w, ins, ins.a, (k >> 2) * rows + (element >> 1), group * 4 + (k & 3))
                column = 2 * member + (element & 1)
                b = double_at(w, ins, ins.b, k >> 2, column * 4 + (k & 3))
                total = fused_multiply_add(a, b, total)
            store_64(matrix_at(m) + 8 * (element * LANES + lane), total)
    for lane in range(LANES):
        for element in range(2 * rows):
            store_double(w, ins, element, lane, load_i64(matrix_at(m) + 8 * (element * LANES + lane)))


@jit
def nibble(word, k, is_signed):
    value = word >> 4 * k & 15
    return value - 16 if is_signed and value > 7 else value


@jit
def product_of_words(a, b, kind):
    """Return the sum of the products of the elements of two words; ``kind`` as in bmma."""
    if kind < 4:
        return popcount(a ^ b if kind else a & b)
    total = 0
    for k in range(8):
        total += nibble(a, k, kind & 1) * nibble(b, k, kind & 2)
    return total


@jit
def bmma(m, w, ins):
    """Execute BMMA, and IMMA of elements of four bits. ``variant``: the registers of A; a lane has 32 bits of a row of
    A, of a column of B, in each. From bit 3 on 0 and 1 stand for AND and XOR of bits, 4 for elements of four bits, with
    one bit each more where A and B are signed and where the result is limited."""
    held, kind = ins.variant & 7, ins.variant >> 3
    limited, kind = kind >= 8, kind - 4 if kind >= 8 else kind
    rows, parts = min(held, 2), max(held >> 1, 1)
    for lane in range(LANES):
        group, member = lane >> 2, lane & 3
        for element in range(2 * rows):
            total, column = load_u32(w.registers_at + ins.c + element * ROW32 + 4 * lane), 2 * member + (element & 1)
            total -= total >> 31 << 32
            for k in range(4 * parts):
                row = (k >> 2) * rows + (element >> 1)
                a = load_u32(w.registers_at + ins.a + row * ROW32 + 4 * (4 * group + (k & 3)))
                b = load_u32(w.registers_at + ins.b + (k >> 2) * ROW32 + 4 * (4 * column + (k & 3)))
                total += product_of_words(a, b, kind)
            if limited:
                total = min(max(total, -(1 << 31)), (1 << 31) - 1)
            store_64(matrix_at(m) + 8 * (element * LANES + lane), total)
    for lane in range(LANES):
        for element in range(2 * rows):
            total = load_i64(matrix_at(m) + 8 * (element * LANES + lane))
            store_32(w.registers_at + ins.dst + element * ROW32 + 4 * lane, total)


@jit
def movm(m, w, ins):
    """Transpose a matrix of 8 x 8 halves: a lane holds two neighbours of a row."""
    for lane in range(LANES):
        row, column = lane >> 2, 2 * (lane & 3)
        result = 0
        for k in range(2):
            word = load_u32(w.registers_at + ins.a + 4 * ((column + k) * 4 + (row >> 1)))
            result |= (word >> (16 * (row & 1)) & 0xFFFF) << (16 * k)
        store_64(matrix_at(m) + 8 * lane, result)
    for lane in range(LANES):
        store_32(w.registers_at + ins.dst + 4 * lane, load_i64(matrix_at(m) + 8 * lane))
