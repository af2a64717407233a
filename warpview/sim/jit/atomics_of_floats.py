"""Combine floats for atomics: those of 32 and 64 bits, and words that are pairs of 16-bit floats."""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from warpview.isa.native import SpecialAtomic
from warpview.isa.ops import AtomOp
from warpview.isa.values import NAN32
from warpview.sim.jit import native_half
from warpview.sim.jit.compile import jit
from warpview.sim.jit.integer import Vectors
from warpview.sim.jit.lanes import I32, I64, V32, constant, splat
from warpview.sim.jit.raw import load_i64, load_u32, lowest, store_32
from warpview.sim.jit.state import ROW32

ADD, MIN, MAX = (int(op) for op in (AtomOp.ADD, AtomOp.MIN, AtomOp.MAX))
HALVES, BF16 = int(SpecialAtomic.HALVES), int(SpecialAtomic.BF16)
INFINITE_HALF, INFINITE_BF16, NO_HALF = 0x7C00, 0x7F80, 0x7FFF


def _float_operation(kind: ir.Type, bits: ir.IntType):
    @intrinsic
    def operate(typingctx, op, old, value):
        def codegen(context, builder, signature, args):
            op = args[0]
            a, b = (builder.bitcast(_low(builder, x, bits), kind) for x in args[1:])
            result = _low(builder, builder.fadd(a, b), bits)
            for code, first, combine in ((MIN, "<", builder.or_), (MAX, ">", builder.and_)):
                both = combine(_low(builder, a, bits), _low(builder, b, bits))
                takes_a = builder.or_(builder.fcmp_ordered(first, a, b), builder.fcmp_unordered("uno", b, b))
                extreme = _low(builder, builder.select(takes_a, a, b), bits)
                extreme = builder.select(builder.fcmp_ordered("==", a, b), both, extreme)
                chosen = builder.icmp_signed("==", op, ir.Constant(op.type, code))
                result = builder.select(chosen, extreme, result)
            return result if bits.width == 64 else builder.zext(result, ir.IntType(64))

        return types.int64(types.int64, types.int64, types.int64), codegen

    return operate


def _low(builder, value, bits: ir.IntType):
    """Return the value as an integer of so many bits."""
    if not isinstance(value.type, ir.IntType):
        return builder.bitcast(value, bits)
    return value if value.type.width == bits.width else builder.trunc(value, bits)


def _pair_sum(is_bf16: int):
    """Make an intrinsic that adds pairs of 16-bit floats: one lane of the vector code for arithmetic."""

    @intrinsic
    def add_pairs(typingctx, old, value):
        def codegen(context, builder, signature, args):
            words = [splat(builder, builder.trunc(word, I32), V32) for word in args]
            found = []
            for shift in (0, 16):
                shifted = (builder.lshr(word, constant(V32, shift)) for word in words)
                bits = (builder.and_(word, constant(V32, 0xFFFF)) for word in shifted)
                a, b = (native_half.wide(builder, native_half.from_bits(builder, part, is_bf16)) for part in bits)
                found.append(native_half.rounded(Vectors(builder), native_half.sum_of(builder, a, b), is_bf16))
            joined = builder.or_(found[0], builder.shl(found[1], constant(V32, 16)))
            return builder.zext(builder.extract_element(joined, ir.Constant(I32, 0)), I64)

        return types.int64(types.int64, types.int64), codegen

    return add_pairs


sum_of_halves, sum_of_bf16 = _pair_sum(0), _pair_sum(1)

# ADD, MIN and MAX of the patterns of two floats.
float_operation_32 = _float_operation(ir.FloatType(), ir.IntType(32))
float_operation_64 = _float_operation(ir.DoubleType(), ir.IntType(64))


@jit
def flushed(bits):
    """Return the pattern of a float, of a subnormal one that of zero with its sign."""
    return bits if bits & 0x7F800000 else bits & 0x80000000


@jit
def sum_in_memory(old, value):
    """Return the sum of the patterns of two floats as FADD.FTZ gives it."""
    total = flushed(float_operation_32(ADD, flushed(old), flushed(value)))
    return NAN32 if total & 0x7FFFFFFF > 0x7F800000 else total


@jit
def place_in_order(half):
    """Return an integer that orders the patterns of halves as their numbers, zeros by their signs."""
    return -1 - (half & 0x7FFF) if half >> 15 else half


@jit
def limit_of_halves(op, old, value, infinite):
    """Return the smaller or the larger half of each of two words; where one is no number, the other."""
    found = 0
    for shift in (0, 16):
        a, b = old >> shift & 0xFFFF, value >> shift & 0xFFFF
        takes_a = b & 0x7FFF > infinite or (place_in_order(a) < place_in_order(b)) == (op == MIN)
        chosen = a if takes_a and a & 0x7FFF <= infinite else b
        found |= (NO_HALF if chosen & 0x7FFF > infinite else chosen) << shift
    return found


@jit
def changed_word(ins, old, value):
    """Return the word that an atomic on floats, or on pairs of 16-bit ones, leaves in memory."""
    if ins.native == 0 or ins.extra < HALVES:
        return sum_in_memory(old, value)
    if ins.mod != ADD:
        return limit_of_halves(ins.mod, old, value, INFINITE_HALF if ins.extra == HALVES else INFINITE_BF16)
    return sum_of_halves(old, value) if ins.extra == HALVES else sum_of_bf16(old, value)


@jit
def change_words(w, ins, base, a, lanes):
    """Change the words of each lane, neighbours in memory, each atomic by itself; return whether one is another now."""
    differing = 0
    while lanes:
        lane = lowest(lanes)
        for k in range(ins.vec):
            address = base + load_i64(a + 8 * lane) + 4 * k
            operand = w.registers_at + 4 * lane + k * ROW32
            old = load_u32(address)
            store_32(address, changed_word(ins, old, load_u32(operand + ins.b)))
            differing |= old ^ load_u32(address)
            if ins.dst >= 0:
                store_32(operand + ins.dst, old)
        lanes &= lanes - 1
    return differing != 0
