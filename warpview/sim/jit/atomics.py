"""Execute atomic operations on memory, lane by lane in ascending order: each sees the writes of those before it."""

from __future__ import annotations

from typing import NamedTuple

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from warpview.isa.native import SpecialAtomic
from warpview.isa.ops import AtomOp
from warpview.isa.types import Type
from warpview.isa.values import NAN32
from warpview.sim.jit import native_half
from warpview.sim.jit.compile import jit
from warpview.sim.jit.integer import call
from warpview.sim.jit.lanes import I32, I64, V32, constant, splat
from warpview.sim.jit.raw import (
    load_i8,
    load_i16,
    load_i32,
    load_i64,
    load_u8,
    load_u16,
    load_u32,
    lowest,
    store_8,
    store_16,
    store_32,
    store_64,
)  # fmt: skip
from warpview.sim.jit.state import ROW32

ADD, MIN, MAX, AND, OR, XOR, EXCH, INC, DEC, CAS = (int(op) for op in AtomOp)
F32, F64 = int(Type.F32), int(Type.F64)
SIGN_BIT = -(1 << 63)
BANKS = 32  # of the shared memory of devices whose machine code has test-and-set
TEST, HALVES, ARRIVE = (int(kind) for kind in (SpecialAtomic.TEST, SpecialAtomic.HALVES, SpecialAtomic.ARRIVE))


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


class _Vector(NamedTuple):
    """Stand for an ``Emitter`` where there is no instruction."""

    b: ir.IRBuilder

    def call(self, name: str, *arguments):
        return call(self.b, name, *arguments)


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
                found.append(native_half.rounded(_Vector(builder), native_half.sum_of(builder, a, b), is_bf16))
            joined = builder.or_(found[0], builder.shl(found[1], constant(V32, 16)))
            return builder.zext(builder.extract_element(joined, ir.Constant(I32, 0)), I64)

        return types.int64(types.int64, types.int64), codegen

    return add_pairs


sum_of_halves, sum_of_bf16 = _pair_sum(0), _pair_sum(1)

# ADD, MIN and MAX of the patterns of two floats.
float_operation_32 = _float_operation(ir.FloatType(), ir.IntType(32))
float_operation_64 = _float_operation(ir.DoubleType(), ir.IntType(64))


@jit
def read(address, size, signed):
    """Return a value from memory, extended."""
    if size == 4:
        return load_i32(address) if signed else load_u32(address)
    if size == 8:
        return load_i64(address)
    if size == 2:
        return load_i16(address) if signed else load_u16(address)
    return load_i8(address) if signed else load_u8(address)


@jit
def write(address, size, value):
    if size == 4:
        store_32(address, value)
    elif size == 8:
        store_64(address, value)
    elif size == 2:
        store_16(address, value)
    else:
        store_8(address, value)


@jit
def below(a, b, size, signed):
    """Return a < b, of extended values."""
    if size == 8 and not signed:
        return (a ^ SIGN_BIT) < (b ^ SIGN_BIT)
    return a < b


@jit
def combined(op, type_, size, signed, old, value):
    """Return the value that an operation of one operand leaves in memory."""
    if type_ in (F32, F64) and op in (ADD, MIN, MAX):
        return float_operation_32(op, old, value) if type_ == F32 else float_operation_64(op, old, value)
    if op == ADD:
        return old + value
    if op == MIN:
        return old if below(old, value, size, signed) else value
    if op == MAX:
        return value if below(old, value, size, signed) else old
    if op == AND:
        return old & value
    if op == OR:
        return old | value
    if op == XOR:
        return old ^ value
    if op == INC:
        return old + 1 if below(old, value, size, 0) else 0
    if op == DEC:
        return value if old == 0 or below(value, old, size, 0) else old - 1
    return value


@jit
def first_in_banks(w, ins, a, lanes):
    """Return the lanes on the word that is the first accessed in its bank: a test-and-set that spins fails in the
    others."""
    found = lanes
    while lanes:
        place = load_i64(a + 8 * lowest(lanes))
        rest = lanes & (lanes - 1)
        while rest:
            lane = lowest(rest)
            apart = load_i64(a + 8 * lane) ^ place
            if apart and apart >> 2 & BANKS - 1 == 0:
                store_32(w.registers_at + 4 * lane + ins.dst, 0)
                found &= ~(1 << lane)
            rest &= rest - 1
        lanes &= lanes - 1
        lanes &= found
    return found


@jit
def execute(w, ins, base, a, lanes):
    """Execute the atomic of an instruction on memory at base + addresses, for the lanes of a mask."""
    size, signed = ins.size, ins.is_signed
    if ins.native and size == 8:
        execute_pairs(w, ins, base, a, lanes)
        return
    if ins.vec > 1:
        add_floats(w, ins, base, a, lanes)
        return
    step = 8 if size == 8 else 4
    if ins.extra == TEST:
        lanes = first_in_banks(w, ins, a, lanes)
    while lanes:
        lane = lowest(lanes)
        address = base + load_i64(a + 8 * lane)
        operand = w.registers_at + step * lane
        old = read(address, size, signed)
        value = read_register(operand + ins.b, size, signed)
        if ins.mod == CAS:
            if old == value:
                write(address, size, read_register(operand + ins.c, size, signed))
        elif ins.native and ins.extra >= HALVES:
            write(address, size, sum_of_halves(old, value) if ins.extra == HALVES else sum_of_bf16(old, value))
        else:
            write(address, size, combined(ins.mod, ins.type, size, signed, old, value))
        if ins.dst >= 0:
            write(operand + ins.dst, step, (old == value) if ins.extra == TEST else old)
        lanes &= lanes - 1


@jit
def tell_served(w, ins, lanes, served):
    """Write the predicate of an atomic that serves global memory alone: other code serves shared memory."""
    while lanes:
        lane = lowest(lanes)
        store_32(w.registers_at + ins.u + 4 * lane, served >> lane & 1)
        lanes &= lanes - 1


@jit
def read_pair(address):
    """Return 64 bits that lie in two rows, the lower half first."""
    return load_u32(address) | load_u32(address + ROW32) << 32


@jit
def arrived(barrier):
    """Return a barrier at which one more thread has arrived: its upper word counts up to a carry into bit 31, its
    phase, and then starts again 2^30 above the lower word."""
    upper = barrier >> 32 & 0xFFFFFFFF
    after = upper + 1
    if (after ^ upper) >> 31:
        after = after & 0x80000000 | (barrier + (1 << 30)) & 0x7FFFFFFF
    return barrier & 0xFFFFFFFF | after << 32


@jit
def execute_pairs(w, ins, base, a, lanes):
    """Execute an atomic of 64 bits whose operands are pairs of rows."""
    while lanes:
        lane = lowest(lanes)
        address = base + load_i64(a + 8 * lane)
        operand = w.registers_at + 4 * lane
        old, value = load_i64(address), read_pair(operand + ins.b)
        if ins.extra == ARRIVE:
            store_64(address, arrived(old))
        elif ins.mod == CAS:
            if old == value:
                store_64(address, read_pair(operand + ins.c))
        else:
            store_64(address, combined(ins.mod, ins.type, 8, ins.is_signed, old, value))
        if ins.dst >= 0:
            given = (old == value) if ins.extra == TEST else old
            store_32(operand + ins.dst, given)
            store_32(operand + ins.dst + ROW32, given >> 32)
        lanes &= lanes - 1


@jit
def flushed(bits):
    """Return the pattern of a float, of a subnormal one that of zero with its sign."""
    return bits if bits & 0x7F800000 else bits & 0x80000000


@jit
def add_floats(w, ins, base, a, lanes):
    """Add two or four floats of each lane to neighbours in memory, as FADD.FTZ does."""
    while lanes:
        lane = lowest(lanes)
        for k in range(ins.vec):
            address = base + load_i64(a + 8 * lane) + 4 * k
            operand = w.registers_at + 4 * lane + k * ROW32
            old = load_u32(address)
            total = flushed(float_operation_32(ADD, flushed(old), flushed(load_u32(operand + ins.b))))
            store_32(address, NAN32 if total & 0x7FFFFFFF > 0x7F800000 else total)
            if ins.dst >= 0:
                store_32(operand + ins.dst, old)
        lanes &= lanes - 1


@jit
def read_register(address, size, signed):
    """Return the value of a register; registers of narrow values are extended already."""
    return read(address, 8 if size == 8 else 4, signed)
