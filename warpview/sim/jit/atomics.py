"""Execute atomic operations on memory, lane by lane in ascending order: each sees the writes of those before it."""

from __future__ import annotations

from warpview.isa.native import SpecialAtomic
from warpview.isa.ops import AtomOp, Op
from warpview.isa.types import Type
from warpview.sim.jit import memory_barriers
from warpview.sim.jit.atomics_of_floats import (
    HALVES,
    change_words,
    float_operation_32,
    float_operation_64,
    sum_of_halves,
)
from warpview.sim.jit.compile import jit
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
from warpview.sim.jit.records import block_at
from warpview.sim.jit.state import BANKS, ROW32
from warpview.sim.rules.bulk import slot_of

ADD, MIN, MAX, AND, OR, XOR, EXCH, INC, DEC, CAS, ADD_F16 = (int(op) for op in AtomOp)
CHECK = int(SpecialAtomic.CHECK)
slot_of_barrier = jit(slot_of)
F32, F64, MBARRIER = int(Type.F32), int(Type.F64), int(Op.MBARRIER)
SIGN_BIT = -(1 << 63)
TEST, BF16, ARRIVE, TOGETHER = (
    int(kind) for kind in (SpecialAtomic.TEST, SpecialAtomic.BF16, SpecialAtomic.ARRIVE, SpecialAtomic.TOGETHER)
)


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
    if op == ADD_F16:
        return sum_of_halves(old, value)
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
def bank_of(address):
    return address >> 2 & BANKS - 1


@jit
def settled(m, w, ins, a, lanes):
    """Return the lanes at whose word no other warp of the block has stored by a test-and-set a short while ago: in the
    others a test-and-set fails, which began before that was there."""
    if not m.set_window or ins.extra != TEST or ins.size != 4:
        return lanes
    block, rest = block_at(w.block_at), lanes
    while rest:
        lane = lowest(rest)
        place = load_i64(a + 8 * lane)
        bank = bank_of(place)
        is_recent = block.set_word[bank] == place + 1 and m.cycle < block.set_cycle[bank] + m.set_window
        if is_recent and block.set_warp[bank] != w.index:
            store_32(w.registers_at + 4 * lane + ins.dst, 0)
            lanes &= ~(1 << lane)
        rest &= rest - 1
    return lanes


@jit
def note_sets(m, w, ins, a, lanes):
    """Note where a test-and-set has stored."""
    if not m.set_window or ins.extra != TEST or ins.size != 4:
        return
    block = block_at(w.block_at)
    while lanes:
        lane = lowest(lanes)
        if load_u32(w.registers_at + 4 * lane + ins.dst):
            place = load_i64(a + 8 * lane)
            bank = bank_of(place)
            block.set_word[bank], block.set_warp[bank], block.set_cycle[bank] = place + 1, w.index, m.cycle
        lanes &= lanes - 1


@jit
def execute_in_shared_memory(m, w, ins, base, a, lanes):
    """Execute an atomic as ``execute`` does; a test-and-set in the lanes that can store."""
    lanes = settled(m, w, ins, a, lanes)
    changes = execute(w, ins, base, a, lanes)
    note_sets(m, w, ins, a, lanes)
    if m.times_bulk and ins.op == MBARRIER and ins.extra == CHECK:
        deny_early(m, w, ins, a, lanes)
    return changes


@jit
def deny_early(m, w, ins, a, lanes):
    """Tell lanes that ask for the phase of a barrier that it is not over where a bulk load has not arrived, which was
    carried out at once."""
    block = block_at(w.block_at)
    while lanes:
        lane = lowest(lanes)
        place = load_i64(a + 8 * lane)
        slot = slot_of_barrier(place)
        if block.bulk_place[slot] == place + 1 and m.cycle < block.bulk_ready[slot]:
            if ins.u >= 0:
                store_32(w.registers_at + 4 * lane + ins.u, 0)
            w.yields = 1
        lanes &= lanes - 1


@jit
def execute(w, ins, base, a, lanes):
    """Execute the atomic of an instruction on memory at base + addresses, for the lanes of a mask; return whether it
    leaves other values there."""
    size, signed = ins.size, ins.is_signed
    if ins.op == MBARRIER:
        return memory_barriers.execute(w, ins, base, a, lanes)
    if ins.native and size == 8:
        return execute_pairs(w, ins, base, a, lanes)
    if ins.native and ins.extra == TOGETHER:
        return exchange_words(w, ins, base, a, lanes)
    if ins.vec > 1 or (ins.native and HALVES <= ins.extra <= BF16):
        return change_words(w, ins, base, a, lanes)
    step, differing = 8 if size == 8 else 4, 0
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
        else:
            write(address, size, combined(ins.mod, ins.type, size, signed, old, value))
        differing |= old ^ read(address, size, signed)
        if ins.dst >= 0:
            write(operand + ins.dst, step, (old == value) if ins.extra == TEST else old)
        lanes &= lanes - 1
    return differing != 0


@jit
def holds(operand, address, words):
    """Return whether registers hold what lies in memory, word for word."""
    for k in range(words):
        if load_u32(operand + k * ROW32) != load_u32(address + 4 * k):
            return 0
    return 1


@jit
def exchange_words(w, ins, base, a, lanes):
    """Exchange all words of each lane together; a compare-and-swap where memory holds those that it expects. Return
    whether one is another now."""
    differing = 0
    while lanes:
        lane = lowest(lanes)
        address, operand = base + load_i64(a + 8 * lane), w.registers_at + 4 * lane
        stores = ins.mod != CAS or holds(operand + ins.b, address, ins.vec)
        value = operand + (ins.c if ins.mod == CAS else ins.b)
        for k in range(ins.vec):
            old, new = load_u32(address + 4 * k), load_u32(value + k * ROW32)
            if stores:
                store_32(address + 4 * k, new)
                differing |= old ^ new
            if ins.dst >= 0:
                store_32(operand + ins.dst + k * ROW32, old)
        lanes &= lanes - 1
    return differing != 0


@jit
def execute_in_global_memory(w, ins, base, a, lanes):
    """Execute an atomic as ``execute`` does; a sum of floats takes subnormal ones as zeros there."""
    if ins.type == F32 and ins.mod == ADD:
        return change_words(w, ins, base, a, lanes)
    return execute(w, ins, base, a, lanes)


@jit
def serves_own_block(ins):
    """Return 1 for an atomic with a predicate that serves the block's shared memory, too, else 0: one of integers of 64
    bits that adds, exchanges or compares."""
    return int(ins.width == 8 and ins.type != F32 and ins.type != F64 and ins.mod in (ADD, EXCH, CAS))


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
    """Execute an atomic of 64 bits whose operands are pairs of rows; return whether it leaves another value."""
    differing = 0
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
        differing |= old ^ load_i64(address)
        if ins.dst >= 0:
            given = (old == value) if ins.extra == TEST else old
            store_32(operand + ins.dst, given)
            store_32(operand + ins.dst + ROW32, given >> 32)
        lanes &= lanes - 1
    return differing != 0


@jit
def read_register(address, size, signed):
    """Return the value of a register; registers of narrow values are extended already."""
    return read(address, 8 if size == 8 else 4, signed)
