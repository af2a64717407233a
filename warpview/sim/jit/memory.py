"""Execute loads, stores and atomics: address, bounds, checks, the cost of the access, and the data."""

from __future__ import annotations

from warpview.isa.ops import AtomOp, Op
from warpview.isa.types import RANK_SHIFT, Space, Type
from warpview.sim.jit import atomics, checks, cluster_races, clusters
from warpview.sim.jit.access_costs import OTHER_BLOCKS, SCATTERED, as_before, is_inside, look_up, phase_of, rule_of
from warpview.sim.jit.access_counts import (
    ELSEWHERE_AT,
    FIGURES_BYTES,
    REQUESTS,
    ROW_OF_COUNTS,
    add,
    checks_kind,
    count,
    count_in_other_blocks,
    count_second_passes,
    note_global,
)
from warpview.sim.jit.access_log import log_accesses
from warpview.sim.jit.banks import part_lanes, parts_with_lanes
from warpview.sim.jit.coalescing import ATOMIC, LOAD, SERIAL_ATOMIC, STORE, copied_sectors
from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.lanes import (
    lanes_beyond,
    narrow_addresses,
    nonzero,
    pair_addresses,
    shift_addresses,
    split_addresses,
    wide_addresses,
)  # fmt: skip
from warpview.sim.jit.raw import (
    address_of,
    copy_bytes,
    fill_bytes,
    load_i64,
    load_u32,
    lowest,
    store_64,
)
from warpview.sim.jit.records import (
    addresses_at,
    block_at,
    event_at,
    event_figures_at,
    instruction_at,
    kept_at,
    machine_at,
    pattern_at,
    physical_at,
    shadow_row_at,
    warp_at,
)
from warpview.sim.jit.state import LANES, ROW32
from warpview.sim.jit.transfer import clear, clear_last_bytes, spread, transfer
from warpview.sim.launch import FindingKind
from warpview.sim.memory import CONST_WINDOW, LOCAL_WINDOW, SHARED_WINDOW
from warpview.sim.raw_counts import FIRST_FIGURE, Raw
from warpview.sim.rules.distributed import RESERVED

GLOBAL, SHARED, LOCAL, CONST = int(Space.GLOBAL), int(Space.SHARED), int(Space.LOCAL), int(Space.CONST)
GENERIC, OUT_OF_BOUNDS = int(Space.GENERIC), int(FindingKind.OUT_OF_BOUNDS)
F32, F64 = int(Type.F32), int(Type.F64)
CAS = int(AtomOp.CAS)
OP_LD, OP_ST, OP_ATOM, OP_MBARRIER = int(Op.LD), int(Op.ST), int(Op.ATOM), int(Op.MBARRIER)
BYTES_REQUESTED, SECTORS = 8 * Raw.BYTES_REQUESTED, 8 * Raw.SECTORS


@jit
def space_bytes(m, ins, space):
    """Return the size of a space; -1 for global memory, whose allocations are looked up. Nobody writes to constants.
    To a load of machine code shared memory ends with its last word, however wide: see the reference."""
    if space == GLOBAL:
        return -1
    if space == SHARED:
        joined = ins.native and ins.space == SHARED and ins.op == OP_LD
        return (m.shared_bytes + ins.width - 1) & -ins.width if joined else m.shared_bytes
    if space == LOCAL:
        return m.local_bytes
    return m.constant_bytes if ins.op == OP_LD else 0


@jit
def place_local(m, lanes):
    """Compute the physical addresses of the lanes' local bytes; each lane's bytes lie together."""
    a, physical = addresses_at(m), physical_at(m)
    while lanes:
        lane = lowest(lanes)
        store_64(physical + 8 * lane, load_i64(a + 8 * lane) + lane * m.local_stride)
        lanes &= lanes - 1


@jit
def note_local(m, w, lanes, width):
    """Extend the range of local memory that the warp has written by the bytes that some lanes access."""
    a = addresses_at(m)
    while lanes:
        address = load_i64(a + 8 * lowest(lanes))
        w.local_low, w.local_high = min(w.local_low, address), max(w.local_high, address + width)
        lanes &= lanes - 1


# ------------------------------------------------------------------------------------------------ the whole access


@jit
def priced_kind(m, ins, space, kind):
    """Return the kind of access whose rules hold for an access of a kind."""
    if space == SHARED and (ins.is_serial or (ins.space == GENERIC and kind == ATOMIC)):
        return SERIAL_ATOMIC
    if space == SHARED and ins.space == GENERIC and kind == LOAD and m.merges_pairs:
        return STORE  # generic loads merge no pairs of lanes, either
    return kind


@jit
def served_lanes(m, w, ins, pc, lanes, space, priced):
    """Return the lanes whose addresses lie in allocated memory, and the address of the pattern of what they access, if
    there are any. The others are reported, and read zero."""
    as_space = GLOBAL if space == CONST and ins.space != CONST else space
    first, size = load_i64(addresses_at(m) + 8 * lowest(lanes)), space_bytes(m, ins, space)
    rule, phase = rule_of(as_space, priced, ins.width, ins.read_only), phase_of(as_space, priced, first)
    found = as_before(m, pc, rule, phase, first, lanes)
    p = pattern_at(found)
    if found and size < 0 and not is_inside(p, first, m.hit_base, m.hit_size):
        checks.find_allocation(m, first)  # arrays take turns
    if found and is_inside(p, first, m.hit_base if size < 0 else 0, m.hit_size if size < 0 else size):
        m.all_hit = 1
        return lanes, found
    served = checks.lanes_in_bounds(m, pc, w, lanes, ins.width, space, size)
    if served != lanes and ins.dst >= 0:
        clear(w, ins, lanes & ~served)
    if served == 0:
        return 0, 0
    return served, address_of(look_up(m, pc, as_space, priced, ins.width, ins.read_only, served))


@unit(6)
def access(machine, warp, instruction, pc, lanes, space):
    """Execute the access at the machine's addresses, which all lie in one space."""
    m, w, ins = machine_at(machine), warp_at(warp), instruction_at(instruction)
    kind = LOAD if ins.op == OP_LD else STORE if ins.op == OP_ST else ATOMIC
    served, pattern = served_lanes(m, w, ins, pc, lanes, space, priced_kind(m, ins, space, kind))
    if served == 0:
        return 0
    p = pattern_at(pattern)
    if ins.high and m.source_checks:
        checks.check_variable(m, pc, w, served, ins.width, space, ins.low, ins.high)
    count(m, ins, pc, served, space, p)
    m.changes += kind == STORE
    if space == SHARED:
        access_shared(m, w, ins, pc, served, kind, p)
    elif space == GLOBAL:
        access_global(m, w, ins, pc, served, kind, p)
    elif space == LOCAL:
        access_local(m, w, ins, pc, served, kind, p)
    else:
        transfer(w, ins, m.constant_at, addresses_at(m), served, kind, p.layout, p)
    return 0


@jit
def access_shared(m, w, ins, pc, served, kind, p):
    """Check and execute an access of shared memory."""
    block = block_at(w.block_at)
    if ins.native and ins.op == OP_ATOM and ins.mod == CAS:
        count_second_passes(m, ins, pc, p)
    if m.check and not (ins.is_ordered and block.unwritten == 0):
        checked = checks.WRITE if ins.op == OP_MBARRIER and ins.extra == 0 else checks_kind(kind)
        checks.check_shared(m, pc, w, served, ins.width, checked, p.contiguous, p.repeated)
    if m.screens_clusters:
        cluster_races.screen(m, pc, w, block, served, ins.width, checks_kind(kind))
    shared_at = block.shared_at
    if m.log_at:
        log_accesses(m, pc, w, ins, served, SHARED, shared_at, block.block)
    if kind == ATOMIC:
        m.changes += atomics.execute_in_shared_memory(m, w, ins, shared_at, addresses_at(m), served)
    else:
        transfer(w, ins, shared_at, addresses_at(m), served, kind, p.layout, p)


@jit
def access_global(m, w, ins, pc, served, kind, p):
    """Check and execute an access of global memory."""
    note_global(m, pc, w, served, ins.width, kind, p, ins.global_access)
    if m.log_at:
        log_accesses(m, pc, w, ins, served, GLOBAL, m.global_at, block_at(w.block_at).block)
    if kind == ATOMIC:
        m.changes += atomics.execute_in_global_memory(w, ins, m.global_at, addresses_at(m), served)
    else:
        transfer(w, ins, m.global_at, addresses_at(m), served, kind, p.layout, p)


@jit
def access_local(m, w, ins, pc, served, kind, p):
    """Check and execute an access of local memory."""
    if kind != LOAD:
        note_local(m, w, served, ins.width)
    place_local(m, served)
    checks.check_written(
        m, pc, w, physical_at(m), served, ins.width, checks_kind(kind), LOCAL, w.local_written_at, 0, 0
    )
    transfer(w, ins, w.local_at, physical_at(m), served, kind, SCATTERED, p)


@jit
def begin_event(m, width):
    e = event_at(m.event_at)
    e.width, e.served, e.global_served = width, 0, 0
    e.other_sectors = e.other_wavefronts = 0
    fill_bytes(event_figures_at(e), 0, FIGURES_BYTES)


@jit
def lane_addresses(w, ins, a):
    """Compute the address of every lane: int64[32] at ``a``."""
    row = w.registers_at + ins.a
    if ins.native:
        if ins.wide_address:
            offset = ins.imm
            if ins.uniform >= 0:
                place = w.registers_at + ins.uniform
                offset += load_u32(place) | load_u32(place + ROW32) << 32
            if ins.wide_address == 2:  # a single register beside a pair of uniform ones
                narrow_addresses(row, 0, 0, a)
                shift_addresses(a, offset)
            else:
                pair_addresses(row, offset, a)
        else:
            offset = ins.imm + (load_u32(w.registers_at + ins.uniform) if ins.uniform >= 0 else 0)
            if ins.space == SHARED:
                offset -= block_at(w.block_at).window
            narrow_addresses(row, ins.address_shift, offset, a)
    elif ins.space == GLOBAL or ins.space == GENERIC:
        wide_addresses(row, ins.imm, a)
    else:
        narrow_addresses(row, 0, ins.imm, a)


@jit
def generic(m, w, ins, pc, lanes):
    """Execute an access by generic addresses: once for each space that some lane's address lies in."""
    a = addresses_at(m)
    in_shared = lanes & ~lanes_beyond(a, SHARED_WINDOW, LOCAL_WINDOW - SHARED_WINDOW - 1)
    in_local = lanes & ~lanes_beyond(a, LOCAL_WINDOW, CONST_WINDOW - LOCAL_WINDOW - 1)
    in_const = lanes & ~lanes_beyond(a, CONST_WINDOW, CONST_WINDOW - 1)
    in_global = lanes & ~(in_shared | in_local | in_const)
    window = block_at(w.block_at).window
    elsewhere = in_shared & ~clusters.ranks_at(m, in_shared, window) if m.names_blocks else 0
    in_shared &= ~elsewhere
    if ins.native and ins.op == OP_ATOM and ins.u >= 0:
        if ins.type == F32 or ins.type == F64:
            elsewhere = 0
        in_shared &= -atomics.serves_own_block(ins)
        atomics.tell_served(w, ins, lanes, in_global | elsewhere | in_shared)
        in_local = in_const = 0
    if ins.native and ins.op == OP_ATOM and in_shared == 0 and lanes:
        asked = parts_with_lanes(lanes, part_lanes(m, a, lanes, ins.width, STORE)) * (1 + (ins.mod == CAS))
        for figure in (Raw.WAVEFRONTS, Raw.IDEAL_WAVEFRONTS):  # the atomic asks shared memory in vain
            add(m.counts_at + pc * ROW_OF_COUNTS + ELSEWHERE_AT + 8 * (figure - FIRST_FIGURE), asked)
    changes_global = in_global and ins.op != OP_LD
    if changes_global:
        copy_bytes(kept_at(m), a, 8 * LANES)
    access_window(m, w, ins, pc, in_global, GLOBAL, 0)
    access_window(m, w, ins, pc, in_shared, SHARED, SHARED_WINDOW + ins.shared_base + window)
    access_window(m, w, ins, pc, in_local, LOCAL, LOCAL_WINDOW)
    access_window(m, w, ins, pc, in_const, CONST, CONST_WINDOW)
    if elsewhere:
        access_other_blocks(m, w, ins, pc, elsewhere)
    if changes_global:  # the result of an atomic may lie where its address was
        copy_bytes(a, kept_at(m), 8 * LANES)


@jit
def access_other_blocks(m, w, ins, pc, lanes):
    """Execute the share of a generic access that lies in the shared memory of other blocks: once for each of them."""
    a, rest, all_served = addresses_at(m), lanes, 0
    lane_addresses(w, ins, a)
    kept = shadow_row_at(m)
    copy_bytes(kept, a, 8 * LANES)
    while rest:
        copy_bytes(a, kept, 8 * LANES)
        rank = load_i64(a + 8 * lowest(rest)) >> RANK_SHIFT & 0xFF
        together = rest & clusters.ranks_at(m, rest, rank << RANK_SHIFT)
        target = clusters.block_of_rank(m, block_at(w.block_at), rank)
        if target:
            shift_addresses(a, -(SHARED_WINDOW + ins.shared_base + (rank << RANK_SHIFT)))
            all_served |= access_block(m, w, ins, pc, together, block_at(target))
        else:
            checks.report_lanes(m, OUT_OF_BOUNDS, pc, w, together, SHARED)
            if ins.dst >= 0:
                clear(w, ins, together)
        rest &= ~together
    copy_bytes(a, kept, 8 * LANES)
    if all_served:
        kind = LOAD if ins.op == OP_LD else STORE if ins.op == OP_ST else ATOMIC
        clusters.place_tags(m, all_served, 0 if ins.native else RESERVED)
        p = look_up(m, pc, OTHER_BLOCKS, kind, ins.width, 0, all_served)
        count_in_other_blocks(m, pc, all_served, p)
        copy_bytes(a, kept, 8 * LANES)
    clusters.within_blocks(m, lanes, ins.shared_base)


@jit
def access_block(m, w, ins, pc, lanes, block):
    """Execute an access, at the machine's addresses, to the shared memory of another block; return the lanes that it
    serves."""
    kind = LOAD if ins.op == OP_LD else STORE if ins.op == OP_ST else ATOMIC
    served = checks.lanes_in_bounds(m, pc, w, lanes, ins.width, SHARED, m.shared_bytes)
    if served != lanes and ins.dst >= 0:
        clear(w, ins, lanes & ~served)
    if served == 0:
        return 0
    p = look_up(m, pc, SHARED, STORE, ins.width, ins.read_only, served)  # for the layout alone
    if m.check:
        clusters.check_distributed(m, pc, w, block, served, ins.width, checks_kind(kind))
    if m.screens_clusters:
        cluster_races.screen(m, pc, w, block, served, ins.width, checks_kind(kind))
    if m.log_at:
        log_accesses(m, pc, w, ins, served, SHARED, block.shared_at, block.block)
    if kind == ATOMIC:
        m.changes += atomics.execute(w, ins, block.shared_at, addresses_at(m), served)
    else:
        m.changes += kind == STORE
        transfer(w, ins, block.shared_at, addresses_at(m), served, kind, p.layout, p)
    return served


@jit
def access_window(m, w, ins, pc, lanes, space, window):
    """Return the share of a generic access that lies in one space. Leaves the addresses of the lanes within that
    space."""
    a = addresses_at(m)
    if lanes == 0:
        return
    lane_addresses(w, ins, a)
    shift_addresses(a, -window)
    access(address_of(m), address_of(w), address_of(ins), pc, lanes, space)


@unit(5)
def memory(machine, warp, instruction, pc, lanes):
    """Execute a memory instruction for some lanes; what it cost is added to the counts and to the event."""
    m, w, ins = machine_at(machine), warp_at(warp), instruction_at(instruction)
    begin_event(m, ins.width)
    a = addresses_at(m)
    lane_addresses(w, ins, a)
    if ins.space == GENERIC:
        generic(m, w, ins, pc, lanes)
    elif ins.second_at:
        copy_to_shared(m, w, ins, pc, lanes)
    elif ins.matrices:
        access(machine, warp, instruction, pc, lanes & ((1 << (8 * ins.matrices)) - 1), ins.space)
    else:
        all_lanes = lanes & -lanes if ins.widen else lanes  # of what the warp does once, one is as good as another
        in_const = 0
        if lanes and ins.native and ins.read_only and m.constant_bytes:  # __ldg of a constant
            in_const = all_lanes & ~lanes_beyond(a, CONST_WINDOW, CONST_WINDOW - 1)
        if in_const == 0 or in_const != all_lanes:
            access(machine, warp, instruction, pc, all_lanes & ~in_const if lanes else 0, ins.space)
        access_window(m, w, ins, pc, in_const, CONST, CONST_WINDOW)
        if ins.widen and ins.op == OP_LD and lanes:
            spread(w, ins, all_lanes)
    return 0


@jit
def copy_to_shared(m, w, ins, pc, lanes):
    """Execute LDGSTS at once: load what the predicate lets pass, zero elsewhere, and store it to shared memory.

    A program that waits for its copies, as it must, sees no difference. An H100 counts the request and the sectors of
    the load alone; see ``rules.coalescing.copied_sectors``.
    """
    clear(w, ins, lanes)
    target, loading = instruction_at(ins.second_at), lanes & (nonzero(w.registers_at + ins.p) ^ ins.p_flip)
    if target.is_sized:
        split_addresses(addresses_at(m), ins.width - 1, physical_at(m))
    if loading:
        access(address_of(m), address_of(w), address_of(ins), pc, loading, GLOBAL)
        if target.is_sized:
            clear_last_bytes(w, ins, loading, physical_at(m))
    event, row = event_at(m.event_at), m.counts_at + pc * ROW_OF_COUNTS
    if target.bypasses and event.global_served:
        lane_addresses(w, target, physical_at(m))
        sectors = copied_sectors(addresses_at(m), physical_at(m), event.global_served)
        add(row + SECTORS, sectors - event.sectors)
        event.sectors = sectors
    requests, asked = event.requests, event.bytes_requested
    lane_addresses(w, target, addresses_at(m))
    access(address_of(m), address_of(w), ins.second_at, pc, lanes, SHARED)
    add(row + REQUESTS, requests - event.requests)
    add(row + BYTES_REQUESTED, asked - event.bytes_requested)
    event.requests, event.bytes_requested = requests, asked
