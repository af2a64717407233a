"""Follow undefined values through registers and memory until they matter.

Each row of registers has a mask of the lanes whose value is undefined. It is reported where such a value decides a
branch, is an address, or leaves the kernel: by a store to global memory, an atomic or a printf. A store to shared or
local memory makes the bytes undefined again.

The masks of a warp have one int64 for each row of 32 bits; a row of 64 bits has two, of which the first counts. After
them, in the same order, come the instruction and the address that an undefined value was read from.
"""

from __future__ import annotations

from warpview.isa.modes import KEEPS_OTHERS
from warpview.isa.ops import Op, OpKind
from warpview.isa.types import Space
from warpview.sim.jit.checks import report
from warpview.sim.jit.collectives import shuffle_source
from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.lanes import nonzero
from warpview.sim.jit.raw import load_i64, load_u8, load_u32, lowest, popcount, store_8, store_32, store_64
from warpview.sim.jit.records import addresses_at, block_at, finding_at, instruction_at, machine_at, warp_at
from warpview.sim.jit.state import FINDING
from warpview.sim.launch import FindingKind

ROW_SHIFT = 7  # bytes of a row of 32 bits, as a power of two
UNINITIALISED, FINDING_BYTES = int(FindingKind.UNINITIALISED), FINDING.itemsize
MEMORY, BRANCH, COLLECTIVE = int(OpKind.MEMORY), int(OpKind.BRANCH), int(OpKind.COLLECTIVE)
OP_LD, OP_ST, SELP, PRINTF, SHFL = int(Op.LD), int(Op.ST), int(Op.SELP), int(Op.PRINTF), int(Op.SHFL)
MMA, AND, TEX = int(Op.MMA), int(Op.AND), int(Op.TEX)
SHARED, LOCAL, GENERIC = int(Space.SHARED), int(Space.LOCAL), int(Space.GENERIC)
NOT_WRITTEN = (1 << 31) - 1


@jit
def mask_place(w, offset):
    """Return where the mask of a row is."""
    return w.undefined_at + (offset >> ROW_SHIFT << 3)


@jit
def undefined(w, offset):
    """Return the lanes whose value in a row is undefined; none where there is no row."""
    return load_i64(mask_place(w, offset)) if offset >= 0 else 0


@jit
def origin_place(m, w, offset):
    """Return where the origin of a row is: instruction and address, two int64."""
    return w.undefined_at + m.undefined_bytes // 3 + (offset >> ROW_SHIFT << 4)


@jit
def matters(m, w, pc, lanes, offset):
    """Report the lanes of an instruction whose operand is undefined, with where it was read, and forget it."""
    wrong = lanes & undefined(w, offset)
    if wrong == 0:
        return
    f = finding_at(m.findings_at + (UNINITIALISED * m.n_code + pc) * FINDING_BYTES)
    is_first = f.count == 0
    origin = origin_place(m, w, offset)
    report(m, UNINITIALISED, pc, w, lowest(wrong), load_i64(origin + 8), 0, popcount(wrong))
    if is_first:
        f.other_pc, f.other_thread = load_i64(origin), f.thread
    store_64(mask_place(w, offset), load_i64(mask_place(w, offset)) & ~wrong)


@jit
def define(m, w, offset, lanes, wrong, source):
    """Set which of the lanes that write a row write an undefined value; its origin is that of the row ``source``."""
    place = mask_place(w, offset)
    old = load_i64(place)
    if old | wrong:
        store_64(place, old & ~lanes | wrong)
    if wrong and source >= 0:
        origin, other = origin_place(m, w, offset), origin_place(m, w, source)
        store_64(origin, load_i64(other))
        store_64(origin + 8, load_i64(other + 8))


@jit
def first_undefined(w, ins, on):
    """Return the first operand that is undefined in some of the lanes, -1 if there is none."""
    if undefined(w, ins.a) & on:
        return ins.a
    if undefined(w, ins.b) & on:
        return ins.b
    if undefined(w, ins.c) & on:
        return ins.c
    return ins.d if undefined(w, ins.d) & on else -1


@jit
def computed(w, ins, on):
    """Return the lanes for which an operation gives an undefined result: a selection takes one of two values, and bits
    of other members are no part of the bit field that is written beside them."""
    if ins.op == AND and ins.mod == KEEPS_OTHERS:
        return 0
    a, b, c = undefined(w, ins.a), undefined(w, ins.b), undefined(w, ins.c)
    if ins.op == SELP:
        chosen = nonzero(w.registers_at + ins.c)
        return on & (c | chosen & a | ~chosen & b)
    return on & (a | b | c | undefined(w, ins.d))


@jit
def received(w, ins, on):
    """Return the lanes that receive an undefined value: a shuffle's from one lane, any other's from all of them."""
    if ins.op != SHFL:
        return on
    values, wrong, lanes = undefined(w, ins.a), 0, on
    while lanes:
        lane = lowest(lanes)
        row = w.registers_at + 4 * lane
        source = shuffle_source(ins.mod, lane, load_u32(row + ins.b), load_u32(row + ins.c))
        if values >> (source & 31 if source >= 0 else lane) & 1:
            wrong |= 1 << lane
        lanes &= lanes - 1
    return wrong


@jit
def follow_matrices(m, w, ins, on):
    """Note a product of matrices: each element depends on operands of several lanes, and so do all results."""
    source = -1
    for k in range(ins.n_values):
        place = load_i64(ins.values_at + 16 * k)
        if undefined(w, place) & on:
            source = place
    for k in range(ins.vec):
        define(m, w, ins.dst + k * ins.row_bytes, on, on if source >= 0 else 0, source)


@jit
def follow_texture(m, w, ins, on):
    """Note a fetch from a texture, whose results depend on all the words that it reads."""
    wrong, source = 0, -1
    for k in range(ins.variant):
        place = load_i64(ins.values_at + 16 * k)
        if undefined(w, place) & on:
            wrong, source = wrong | undefined(w, place) & on, place
    for k in range(ins.vec):
        define(m, w, ins.dst + k * ins.row_bytes, on, wrong, source)


@unit(6)
def follow(machine, warp, instruction, pc, mask, on):
    """Note what an instruction does with undefined values, before it is executed; loads come to ``follow_memory``."""
    m, w, ins = machine_at(machine), warp_at(warp), instruction_at(instruction)
    m.unwritten = 0
    if ins.native:
        return 0
    if ins.guard >= 0 and (ins.kind == BRANCH or ins.kind == MEMORY or ins.dst < 0):
        matters(m, w, pc, mask, ins.guard)
    if ins.kind == MEMORY:
        matters(m, w, pc, on, ins.a)
    elif ins.op == PRINTF:
        for k in range(ins.n_values):
            matters(m, w, pc, on, load_i64(ins.values_at + 16 * k))
    elif ins.op == TEX:
        follow_texture(m, w, ins, on)
    elif ins.op == MMA:
        follow_matrices(m, w, ins, on)
    elif ins.kind == COLLECTIVE and ins.dst >= 0:
        wrong = received(w, ins, on) if undefined(w, ins.a) & on else 0
        define(m, w, ins.dst, on, wrong, ins.a)
    elif ins.dst >= 0:
        wrong, source = computed(w, ins, on), first_undefined(w, ins, on)
        if ins.guard >= 0 and undefined(w, ins.guard) & mask:
            define(m, w, ins.dst, mask, undefined(w, ins.guard) & mask, ins.guard)
        define(m, w, ins.dst, on, wrong, source)
    return 0


@jit
def lanes_without(m, w, ins, part, lanes, space):
    """Return which lanes, of those that have just read what nobody has written, have read it in one part of a vector;
    all of them where the memory is neither shared nor local."""
    if ins.vec == 1 or (space != SHARED and space != LOCAL):
        return lanes
    a, block, bytes_ = addresses_at(m), block_at(w.block_at), ins.width // ins.vec
    found = 0
    while lanes:
        lane = lowest(lanes)
        lanes &= lanes - 1
        for k in range(part * bytes_, (part + 1) * bytes_):
            byte = load_i64(a + 8 * lane) + k
            if space == LOCAL:
                written = load_u8(w.local_written_at + byte + lane * m.local_stride) != 0
            else:
                plane = (byte & 3) * m.shadow_plane if m.shadow_plane != m.shadow_bytes else 0
                written = load_u32(block.shadow_at + plane + (byte & -4)) >> 31 != 0
            if not written:
                found |= 1 << lane
    return found


@jit
def make_unwritten(m, w, ins, part, wrong, space):
    """The bytes that some lanes have just stored to shared or local memory, in one part of a vector, hold undefined
    values."""
    a, block, bytes_ = addresses_at(m), block_at(w.block_at), ins.width // ins.vec
    while wrong:
        lane = lowest(wrong)
        wrong &= wrong - 1
        for k in range(part * bytes_, (part + 1) * bytes_):
            byte = load_i64(a + 8 * lane) + k
            if space == LOCAL:
                store_8(w.local_written_at + byte + lane * m.local_stride, 0)
            elif m.shadow_plane != m.shadow_bytes or k & 3 == 0:
                plane = (byte & 3) * m.shadow_plane if m.shadow_plane != m.shadow_bytes else 0
                place = block.shadow_at + plane + (byte & -4)
                if load_u32(place) >> 31:
                    store_32(place, load_u32(place) & NOT_WRITTEN)
                    block.unwritten += 1


@jit
def report_update(m, w, pc, wrong):
    """Report the lanes of an atomic that update what nobody has written."""
    if wrong:
        f = finding_at(m.findings_at + (UNINITIALISED * m.n_code + pc) * FINDING_BYTES)
        is_first, lane = f.count == 0, lowest(wrong)
        report(m, UNINITIALISED, pc, w, lane, load_i64(addresses_at(m) + 8 * lane), 0, popcount(wrong))
        if is_first:
            f.other_pc, f.other_thread = pc, f.thread


@unit(5)
def follow_memory(machine, warp, instruction, pc, on):
    """Note what a load has read and what a store or an atomic has written, once it is executed."""
    m, w, ins = machine_at(machine), warp_at(warp), instruction_at(instruction)
    if ins.native:
        return 0
    if ins.op != OP_LD:
        for k in range(ins.vec):
            value = ins.b + k * ins.row_bytes
            wrong = undefined(w, value) & on
            if wrong and ins.op == OP_ST and (ins.space == SHARED or ins.space == LOCAL):
                make_unwritten(m, w, ins, k, wrong, ins.space)
            else:
                matters(m, w, pc, on, value)
        if ins.op != OP_ST:
            matters(m, w, pc, on, ins.c)
            report_update(m, w, pc, m.unwritten & on)
            m.unwritten = 0
    if ins.dst >= 0:
        for k in range(ins.vec):
            row = ins.dst + k * ins.row_bytes
            wrong = lanes_without(m, w, ins, k, m.unwritten & on, ins.space)
            define(m, w, row, on, wrong, -1)
            if wrong:
                address = load_i64(addresses_at(m) + 8 * lowest(wrong)) + k * (ins.width // ins.vec)
                store_64(origin_place(m, w, row), pc)
                store_64(origin_place(m, w, row) + 8, address)
    return 0
