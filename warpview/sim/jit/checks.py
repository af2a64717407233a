"""Record findings, and check bounds, reads of undefined memory and accesses to shared memory by several threads."""

from __future__ import annotations

from warpview.isa.types import FULL, Space
from warpview.sim.jit.access_kinds import ATOMIC, READ, WRITE
from warpview.sim.jit.compile import jit
from warpview.sim.jit.lanes import (
    LANES,
    V32,
    V64,
    bits_mask,
    constant,
    copy_in_32,
    copy_out_32,
    gather_32,
    lane_intrinsic,
    lanes_beyond,
    lanes_equal,
    lanes_misaligned,
    load_row,
    rows_differ,
    scatter_32,
    splat,
    store_row,
)  # fmt: skip
from warpview.sim.jit.race_screen import (
    LAST_EPOCH,
    ROW32,
    WRITTEN,
    owner,
    racing_lanes,
    screen_shared,
    suspect,
)
from warpview.sim.jit.raw import fill_bytes, load_i64, load_u8, load_u32, lowest, popcount, store_8, store_32
from warpview.sim.jit.records import addresses_at, block_at, finding_at, physical_at, shadow_row_at
from warpview.sim.jit.state import FINDING
from warpview.sim.launch import FindingKind
from warpview.sim.memory import FIRST_ADDRESS

FINDING_BYTES = FINDING.itemsize
OUT_OF_BOUNDS, MISALIGNED = int(FindingKind.OUT_OF_BOUNDS), int(FindingKind.MISALIGNED)
NULL_POINTER, UNINITIALISED = int(FindingKind.NULL_POINTER), int(FindingKind.UNINITIALISED)
GLOBAL, SHARED, LOCAL = int(Space.GLOBAL), int(Space.SHARED), int(Space.LOCAL)


@jit
def report(m, kind, pc, w, lane, address, space, count):
    """Note ``count`` occurrences of a finding; the first of its kind and instruction is the one that is shown."""
    f = finding_at(m.findings_at + (kind * m.n_code + pc) * FINDING_BYTES)
    if f.count == 0:
        f.block = block_at(w.block_at).block
        f.thread = w.index * LANES + lane
        f.address, f.space = address, space
        f.order = m.n_findings
        f.other_pc, f.other_thread, f.value = -1, -1, 0
        f.issue = w.issued - 1
    f.count += count
    m.n_findings += count


@jit
def report_pair(m, kind, pc, w, lane, address, other_pc, other_thread):
    """Report one occurrence of a finding that another thread of the block has a part in."""
    f = finding_at(m.findings_at + (kind * m.n_code + pc) * FINDING_BYTES)
    is_first = f.count == 0
    report(m, kind, pc, w, lane, address, 0, 1)
    if is_first:
        f.other_pc, f.other_thread = other_pc, other_thread


@jit
def report_unwritten(m, pc, w, lanes, space):
    """Report lanes that read what nobody has written; where undefined values are followed, remember the lanes only."""
    if m.undefined_image_at:
        m.unwritten |= lanes
    else:
        report_lanes(m, UNINITIALISED, pc, w, lanes, space)


@jit
def report_lanes(m, kind, pc, w, lanes, space):
    """Report an occurrence for each lane of a mask, at the address that it accessed."""
    if lanes:
        lane = lowest(lanes)
        report(m, kind, pc, w, lane, load_i64(addresses_at(m) + 8 * lane), space, popcount(lanes))


# ------------------------------------------------------------------------------------------------ bounds


@jit
def find_allocation(m, address):
    """Make the allocation that holds an address the one that was hit last; the nearest below it if none does."""
    low, high = 0, m.n_allocations
    while high - low > 1:
        middle = (low + high) // 2
        if load_i64(m.bases_at + 8 * middle) <= address:
            low = middle
        else:
            high = middle
    if m.n_allocations:
        m.hit_base = load_i64(m.bases_at + 8 * low)
        m.hit_size = load_i64(m.ends_at + 8 * low) - m.hit_base
        m.hit_initialised = load_i64(m.initialised_at + 8 * low)
        m.hit_noted = load_i64(m.loads_noted_at + 8 * low)


@jit
def lane_fault(m, address, width, size):
    """Return the kind of finding that forbids a lane's access, -1 if none. ``size`` is that of the space, -1 for
    global."""
    if size < 0 and 0 <= address < FIRST_ADDRESS:
        return NULL_POINTER
    if address & (width - 1):
        return MISALIGNED
    if size >= 0:
        return -1 if 0 <= address <= size - width else OUT_OF_BOUNDS
    find_allocation(m, address)
    return -1 if 0 <= address - m.hit_base <= m.hit_size - width else OUT_OF_BOUNDS


@jit
def are_within(m, lanes, width, base, size):
    """Return whether the lanes access ``size`` bytes from ``base``, aligned to their width."""
    a = addresses_at(m)
    return size >= width and lanes & (lanes_beyond(a, base, size - width) | lanes_misaligned(a, width - 1)) == 0


@jit
def allowed_lanes(m, pc, w, lanes, width, space, size):
    """Return ``lanes_in_bounds``, lane by lane."""
    a = addresses_at(m)
    allowed = 0
    while lanes:
        lane = lowest(lanes)
        address = load_i64(a + 8 * lane)
        kind = lane_fault(m, address, width, size)
        if kind < 0:
            allowed |= 1 << lane
        else:
            report(m, kind, pc, w, lane, address, space, 1)
        lanes &= lanes - 1
    return allowed


@jit
def lanes_in_bounds(m, pc, w, lanes, width, space, size):
    """Return the lanes whose access is allowed; the others are reported. ``size`` as for ``lane_fault``."""
    m.all_hit = 1
    if size >= 0:
        if are_within(m, lanes, width, 0, size):
            return lanes
    else:
        if are_within(m, lanes, width, m.hit_base, m.hit_size):
            return lanes
        find_allocation(m, load_i64(addresses_at(m) + 8 * lowest(lanes)))
        if are_within(m, lanes, width, m.hit_base, m.hit_size):
            return lanes
    m.all_hit = 0
    return allowed_lanes(m, pc, w, lanes, width, space, size)


@jit
def check_variable(m, pc, w, lanes, width, space, low, high):
    """Report lanes whose access lies in the space but outside the variable that the source names. It is carried out."""
    if not are_within(m, lanes, width, low, high - low):
        a = addresses_at(m)
        while lanes:
            lane = lowest(lanes)
            address = load_i64(a + 8 * lane)
            if not low <= address <= high - width:
                report(m, OUT_OF_BOUNDS, pc, w, lane, address, space, 1)
            lanes &= lanes - 1


# ------------------------------------------------------------------------------------------------ shared memory

# A byte of shared memory has a shadow word (race_screen.py). The shadow words are in four planes: one of the first
# bytes of all words, one of the second bytes, ... A program that has no access of less than a word does not tell the
# bytes of a word apart: its only plane stands for all four.
EIGHT_WRITTEN = 0x0101010101010101  # eight entries of a map of what has been written
FOUR_WRITTEN = 0x01010101


@lane_intrinsic(1, returns=True)
def lanes_unwritten(builder, row):
    """Return the lanes whose shadow word says that nobody has written the byte."""
    return bits_mask(builder, builder.icmp_signed(">=", load_row(builder, row, V32), constant(V32, 0)))


@lane_intrinsic(4)
def shadow_offsets(builder, addresses, byte, plane, out):
    """Compute the offsets of the shadow words of the bytes at addresses + ``byte``, in planes of ``plane`` bytes."""
    at = builder.add(load_row(builder, addresses, V64), splat(builder, byte, V64))
    planes = builder.mul(builder.and_(at, constant(V64, 3)), splat(builder, plane, V64))
    store_row(builder, builder.add(planes, builder.and_(at, constant(V64, -4))), out)


@jit
def first_on_each(a, lanes):
    """Return the lowest lane on each address."""
    first = 0
    while lanes:
        lane = lowest(lanes)
        first |= 1 << lane
        lanes &= ~lanes_equal(a, load_i64(a + 8 * lane))
    return first


@jit
def note_row(m, block, w, place, a, lanes, kind, contiguous, repeated):
    """Note an access of the bytes whose shadow words are at ``place`` + addresses. Returns the lanes where nobody has
    written them, and the lanes that may race."""
    row = shadow_row_at(m)
    if contiguous:
        first = lowest(lanes)
        place += load_i64(a + 8 * first) - 4 * first
        copy_in_32(row, place, lanes)
    else:
        gather_32(row, place, a, lanes)
    unwritten = lanes & lanes_unwritten(row)
    races = screen_shared(row, row + ROW32, block.epoch, owner(w), kind, repeated, lanes, racing_lanes(w))
    if kind != READ and unwritten:
        block.unwritten -= popcount(first_on_each(a, unwritten) if repeated else unwritten)
    if lanes & rows_differ(row, row + ROW32):
        if contiguous:
            copy_out_32(row + ROW32, place, lanes)
        else:
            scatter_32(row + ROW32, place, a, lanes)
    return unwritten, races


@jit
def note_bytes(m, block, w, lanes, width, kind, repeated):
    """Return ``note_row`` for an access of less than a word, byte by byte."""
    a = physical_at(m)
    unwritten, races = 0, 0
    for byte in range(width):
        shadow_offsets(addresses_at(m), byte, m.shadow_plane, a)
        row_unwritten, row_races = note_row(m, block, w, block.shadow_at, a, lanes, kind, 0, repeated)
        unwritten |= row_unwritten
        races |= row_races
    return unwritten, races


@jit
def check_shared(m, pc, w, lanes, width, kind, contiguous, repeated):
    """Note an access of shared memory at the machine's addresses, and report unwritten bytes and suspected races."""
    a, block = addresses_at(m), block_at(w.block_at)
    if width < 4:
        unwritten, races = note_bytes(m, block, w, lanes, width, kind, repeated)
    else:
        unwritten, races = 0, 0
        for plane in range(block.shadow_at, block.shadow_at + m.shadow_bytes, m.shadow_plane):
            for place in range(plane, plane + width, 4):
                row_unwritten, row_races = note_row(
                    m, block, w, place, a, lanes, kind, contiguous and width == 4, repeated
                )
                unwritten |= row_unwritten
                races |= row_races
    if unwritten and kind != WRITE:
        report_unwritten(m, pc, w, first_on_each(a, unwritten) if kind == ATOMIC else unwritten, SHARED)
    if kind == WRITE:
        races |= repeated & lanes
    if races and m.max_suspects:
        for offset in range(0, width, 4):
            suspect(m, pc, w, races, offset, SHARED, 0)


@jit
def next_epoch(m, block):
    """Begin the time after a block barrier."""
    block.barriers += 1
    m.span += 1
    block.epoch += 1
    if block.epoch > LAST_EPOCH:
        for place in range(block.shadow_at, block.shadow_at + m.shadow_bytes, 4):
            store_32(place, load_u32(place) & WRITTEN)
        block.epoch = 1


# ------------------------------------------------------------------------------------------------ global, local memory

# A map of what has been written has one byte for each 2^shift bytes: shift 2 in global memory, 0 in local memory.


@jit
def is_written(written_at, address, width, shift):
    """Return whether every byte of an access has been written."""
    place = written_at + (address >> shift)
    if width >> shift == 4:
        return load_u32(place) == FOUR_WRITTEN
    written = True
    for k in range(max(width >> shift, 1)):
        written = written and load_u8(place + k) != 0
    return written


@jit
def set_written(written_at, address, width, shift):
    place = written_at + (address >> shift)
    if width >> shift == 4:
        store_32(place, FOUR_WRITTEN)
        return
    for k in range(max(width >> shift, 1)):
        store_8(place + k, 1)


@jit
def all_written(place, count):
    """Return whether ``count`` entries of a map, a multiple of 8, are set."""
    missing = 0
    for k in range(0, count, 8):
        missing |= load_i64(place + k) ^ EIGHT_WRITTEN
    return missing == 0


@jit
def check_written(m, pc, w, a, lanes, width, kind, space, written_at, shift, contiguous):
    """Note writes in a map; report reads of what is not in it if asked to. ``a`` addresses within the map's memory."""
    if contiguous and lanes == FULL and width >= 4:
        place, count = written_at + (load_i64(a) >> shift), LANES * width >> shift
        if kind == WRITE:
            fill_bytes(place, 1, count)
            return
        if kind == READ and all_written(place, count):
            return
    unwritten = 0
    while lanes:
        lane = lowest(lanes)
        address = load_i64(a + 8 * lane)
        if kind != WRITE and m.check and not is_written(written_at, address, width, shift):
            unwritten |= 1 << lane
        if kind != READ:
            set_written(written_at, address, width, shift)
        lanes &= lanes - 1
    report_unwritten(m, pc, w, unwritten, space)
