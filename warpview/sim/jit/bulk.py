"""Execute bulk copies of NVIDIA's machine code, part by part, as loads and stores of the lowest lane.

The reference's ``bulk.py`` is the definition. ``second_at`` of an instruction has the records of the load, of the
store or reduction, and of what tells a barrier in shared memory of the bytes.
"""

from __future__ import annotations

from warpview.isa.native import BULK_UNIT
from warpview.isa.ops import Op
from warpview.isa.types import RANK_SHIFT, Space
from warpview.sim.jit import clusters
from warpview.sim.jit.access_costs import OTHER_BLOCKS, look_up
from warpview.sim.jit.access_counts import IN_OTHER_BLOCKS_AT, ROW_OF_COUNTS, add, add_figures
from warpview.sim.jit.checks import report
from warpview.sim.jit.coalescing import ATOMIC, STORE
from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.memory import access, access_block, begin_event
from warpview.sim.jit.raw import address_of, copy_bytes, load_u32, lowest, popcount, store_32, store_64
from warpview.sim.jit.records import (
    addresses_at,
    block_at,
    instruction_at,
    machine_at,
    matrix_at,
    pattern_figures_at,
    warp_at,
)
from warpview.sim.jit.state import INSTRUCTION, ROW32
from warpview.sim.launch import FindingKind
from warpview.sim.memory import SHARED_WINDOW
from warpview.sim.raw_counts import Raw
from warpview.sim.rules.bulk import sectors_of_copy

INSTRUCTION_BYTES = INSTRUCTION.itemsize
MISALIGNED, OUT_OF_BOUNDS = int(FindingKind.MISALIGNED), int(FindingKind.OUT_OF_BOUNDS)
OP_ST = int(Op.ST)
GLOBAL, SHARED, SECTORS = int(Space.GLOBAL), int(Space.SHARED), 8 * Raw.SECTORS
OFFSET_MASK, WORD_MASK = (1 << RANK_SHIFT) - 1, 0xFFFFFFFF
moved_sectors = jit(sectors_of_copy)


@jit
def access_shared(m, w, record, pc, lane, address):
    """Access a place in the shared memory of the block that the address names; ``address`` is less the bytes before
    those of the kernel."""
    block, row = block_at(w.block_at), addresses_at(m) + 8 * lane
    rank = address >> RANK_SHIFT & 0xFF
    if not m.names_blocks or rank == block.window >> RANK_SHIFT:
        store_64(row, (address & WORD_MASK) - block.window)
        access(address_of(m), address_of(w), record, pc, 1 << lane, SHARED)
        return
    home = clusters.block_of_rank(m, block, rank)
    if home:
        store_64(row, (address & WORD_MASK) - (rank << RANK_SHIFT))
        access_block(m, w, instruction_at(record), pc, 1 << lane, block_at(home))
    else:
        base = instruction_at(record).shared_base
        report(m, OUT_OF_BOUNDS, pc, w, lane, SHARED_WINDOW + (address & WORD_MASK) + base, SHARED, 1)


@jit
def access_place(m, w, record, pc, lane, address):
    """Access a place in the memory of a record."""
    ins = instruction_at(record)
    if ins.space == SHARED:
        access_shared(m, w, record, pc, lane, address - ins.shared_base)
    else:
        store_64(addresses_at(m) + 8 * lane, address)
        access(address_of(m), address_of(w), record, pc, 1 << lane, GLOBAL)


@jit
def access_places(m, w, record, pc, lane, address, mask):
    """Access a place, or of a multicast copy the one in each block of a mask of ranks; there is none where that is
    negative."""
    if mask < 0:
        access_place(m, w, record, pc, lane, address)
        return
    while mask:
        access_place(m, w, record, pc, lane, lowest(mask) << RANK_SHIFT | address & OFFSET_MASK)
        mask &= mask - 1


@jit
def place_of(operand, record):
    """Return the address in a register, or in two of them for global memory."""
    upper = load_u32(operand + ROW32) if instruction_at(record).space == GLOBAL else 0
    return load_u32(operand) | upper << 32


@jit
def sectors_of(ins, start, end, size, mask):
    """Return the sectors that cross between an SM and the L2: of a load those that are read, else those that are
    written."""
    is_load = instruction_at(ins.second_at).space == GLOBAL
    sectors = moved_sectors(end, start, size) if is_load else moved_sectors(start, end, size)
    return sectors if mask < 0 else sectors * popcount(mask)


@jit
def copy_parts(m, w, ins, pc, lane):
    """Copy the bytes, and tell the barrier of them; return the sectors that the copy takes."""
    registers, load = w.registers_at + 4 * lane, ins.second_at
    change, completion = load + INSTRUCTION_BYTES, load + 2 * INSTRUCTION_BYTES
    start, end = place_of(registers + ins.a, load), place_of(registers + ins.b, change)
    for address, record in ((start, load), (end, change)):
        if address & BULK_UNIT - 1:
            report(m, MISALIGNED, pc, w, lane, address, instruction_at(record).space, 1)
            return 0
    length = load_u32(registers + ins.c)
    size, mask = (length & 0xFFFF) * BULK_UNIT, length >> 16 if ins.imm else -1
    barrier, offset = load_u32(registers + ins.b + ROW32), 0
    while offset < size:
        access_place(m, w, load, pc, lane, start + offset)
        access_places(m, w, change, pc, lane, end + offset, mask)
        offset += instruction_at(load).width
    if instruction_at(change).space == SHARED:
        store_32(registers + instruction_at(completion).b, size)
        access_places(m, w, completion, pc, lane, barrier, mask)
        if m.times_bulk and instruction_at(load).space == GLOBAL:
            m.bulk_from, m.bulk_size, m.bulk_mask = start, size, mask
            m.bulk_barrier = barrier - instruction_at(completion).shared_base
    return sectors_of(ins, start, end, size, mask)


@unit(5)
def bulk(machine, warp, instruction, pc, on):
    """Execute a bulk copy or reduction, once for the warp. What its accesses add to the counts is taken back, as the
    memory pipe has no part in them; its sectors are counted."""
    m, w = machine_at(machine), warp_at(warp)
    row = m.counts_at + pc * ROW_OF_COUNTS
    copy_bytes(matrix_at(m), row, ROW_OF_COUNTS)
    sectors = copy_parts(m, w, instruction_at(instruction), pc, lowest(on))
    copy_bytes(row, matrix_at(m), ROW_OF_COUNTS)
    add(row + SECTORS, sectors)
    begin_event(m, 0)
    return 0


@jit
def scatter_lane(m, w, ins, pc, lane):
    """Store the registers of a lane, or reduce shared memory by them, and tell the barrier of the bytes; return whether
    the lane's place is aligned."""
    registers, change = w.registers_at + 4 * lane, ins.second_at + INSTRUCTION_BYTES
    completion, place = change + INSTRUCTION_BYTES, load_u32(registers + ins.a)
    width = instruction_at(change).width
    if place & width - 1:
        report(m, MISALIGNED, pc, w, lane, place, SHARED, 1)
        return 0
    access_place(m, w, change, pc, lane, place)
    store_32(registers + instruction_at(completion).b, width)
    access_place(m, w, completion, pc, lane, load_u32(registers + ins.a + ROW32))
    return 1


@jit
def count_scattered(m, w, ins, pc, lanes):
    """Count what is asked of the shared memory of the cluster, of which the lanes access a place each."""
    change, rest = instruction_at(ins.second_at + INSTRUCTION_BYTES), lanes
    while rest:
        lane = lowest(rest)
        store_64(addresses_at(m) + 8 * lane, load_u32(w.registers_at + 4 * lane + ins.a))
        rest &= rest - 1
    clusters.place_tags(m, lanes, 0)
    kind = STORE if change.op == OP_ST else ATOMIC
    p = look_up(m, pc, OTHER_BLOCKS, kind, change.width, 0, lanes)
    add_figures(m.counts_at + pc * ROW_OF_COUNTS + IN_OTHER_BLOCKS_AT, pattern_figures_at(p))


@unit(5)
def scatter(machine, warp, instruction, pc, on):
    """Store the registers of each lane to the shared memory of blocks of the cluster, or reduce it by them. What these
    accesses add to the counts is taken back, as of bulk copies; they count together."""
    m, w, ins = machine_at(machine), warp_at(warp), instruction_at(instruction)
    row, lanes, served = m.counts_at + pc * ROW_OF_COUNTS, on, 0
    copy_bytes(matrix_at(m), row, ROW_OF_COUNTS)
    while lanes:
        served |= scatter_lane(m, w, ins, pc, lowest(lanes)) << lowest(lanes)
        lanes &= lanes - 1
    copy_bytes(row, matrix_at(m), ROW_OF_COUNTS)
    if served:
        count_scattered(m, w, ins, pc, served)
    begin_event(m, 0)
    return 0
