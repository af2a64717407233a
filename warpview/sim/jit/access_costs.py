"""Cache the cost of an access, computed once for each pattern of addresses.

The rules of coalescing stay the same when every address moves by a line of 128 bytes, those of banks when it moves by
a row of all banks, at most 256 bytes. So the costs are kept in a table under (rule, lanes, the lowest lane's address in
that period, distances of the lanes from it), which most accesses of a kernel repeat.
"""

from __future__ import annotations

from warpview.isa.types import Space
from warpview.sim.jit import banks, coalescing
from warpview.sim.jit.coalescing import ATOMIC
from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.lanes import distances, distances_differ, lanes_equal, rows_differ_64
from warpview.sim.jit.raw import (
    address_of,
    copy_bytes,
    fill_bytes,
    leading,
    load_i64,
    lowest,
    popcount,
    store_64,
)
from warpview.sim.jit.records import addresses_at, machine_at, pattern_at, pattern_figures_at, relative_at
from warpview.sim.jit.state import FIGURE_NAMES, LANES, PATTERN, PATTERN_BITS, RECENT

LINE, BANK_ROWS = 128, 256
WORDS_AHEAD = 52  # with the four words of a wide access, shifted by up to seven bits, they fit in 63 bits
PATTERN_BYTES = PATTERN.itemsize
SCATTERED, CONTIGUOUS, HALVES, FEW = range(4)  # layouts: how the data of a pattern may be moved
LOWER_HALF, MOST_FEW = 0xFFFF, 2
N_FIGURES = len(FIGURE_NAMES)
MIX_1, MIX_2, MIX_3 = 0x1E3779B97F4A7C15, 0x2545F4914F6CDD1D, 0x369DEA0F31A53F85

GLOBAL, SHARED, LOCAL, CONST = int(Space.GLOBAL), int(Space.SHARED), int(Space.LOCAL), int(Space.CONST)
OTHER_BLOCKS = int(Space.GENERIC)  # the shared memory of other blocks, at generic addresses


@jit
def first_place(m, rule, mask, phase):
    """Return the address of the first of the two entries where a pattern may be."""
    last = 63 - leading(mask)
    mixed = mask * MIX_1 ^ load_i64(relative_at(m) + 8 * last) * MIX_2 ^ (rule * BANK_ROWS ^ phase) * MIX_3
    mixed = (mixed ^ mixed >> 32) * MIX_1
    return m.patterns_at + (mixed >> 40 & ((1 << PATTERN_BITS) - 2)) * PATTERN_BYTES


@jit
def is_pattern(m, p, rule, mask, phase):
    """Return whether an entry has this mask, rule and phase, and the machine's row of relative addresses."""
    if p.mask != mask or p.rule != rule or p.phase != phase:
        return False
    return rows_differ_64(address_of(p), relative_at(m)) == 0


@jit
def is_contiguous(a, width, mask):
    """Return 1 where each lane's address is ``width`` times its number from that of lane 0."""
    first = lowest(mask)
    start = load_i64(a + 8 * first) - width * first
    while mask:
        lane = lowest(mask)
        if load_i64(a + 8 * lane) != start + width * lane:
            return 0
        mask &= mask - 1
    return 1


@jit
def accessed_words(a, width, mask):
    """Return a bit for each 32-bit word that the lanes access, from the word of the lowest lane on; 0 where one lies
    below that or beyond WORDS_AHEAD."""
    first = load_i64(a + 8 * lowest(mask)) >> 2
    own = (1 << ((width + 3) >> 2)) - 1
    bits = 0
    while mask:
        distance = (load_i64(a + 8 * lowest(mask)) >> 2) - first
        if distance < 0 or distance > WORDS_AHEAD:
            return 0
        bits |= own << distance
        mask &= mask - 1
    return bits


@jit
def repeated_lanes(a, mask):
    """Return the lanes on an address that another lane has as well. (Accesses of one width overlap only if they are
    equal.)"""
    repeated = 0
    while mask:
        same = mask & lanes_equal(a, load_i64(a + 8 * lowest(mask)))
        if same & (same - 1):
            repeated |= same
        mask &= ~same
    return repeated


@jit
def layout(a, width, mask):
    """Return whether the lanes access one stretch of memory, one for each half of the warp (a tile of 16 columns), or a
    few places that they share."""
    if is_contiguous(a, width, mask):
        return CONTIGUOUS
    places, lanes = 0, mask
    while lanes and places <= MOST_FEW:
        lanes &= ~lanes_equal(a, load_i64(a + 8 * lowest(lanes)))
        places += 1
    if places <= MOST_FEW:
        return FEW
    lower, upper = mask & LOWER_HALF, mask & ~LOWER_HALF
    if lower and upper and is_contiguous(a, width, lower) and is_contiguous(a, width, upper):
        return HALVES
    return SCATTERED


@jit
def measure(a, width, mask, p):
    """Note how far the accesses of a pattern reach from the lowest lane's address, and whether one is misaligned."""
    first = load_i64(a + 8 * lowest(mask))
    low = high = bits = 0
    while mask:
        address = load_i64(a + 8 * lowest(mask))
        low, high, bits = min(low, address - first), max(high, address - first), bits | address
        mask &= mask - 1
    p.low, p.high, p.misaligned = low, high + width, bits & (width - 1)


@jit
def part(a, mask, p):
    """Note which lanes are on another address than the lowest one."""
    first = load_i64(a + 8 * lowest(mask))
    p.apart = mask & ~lanes_equal(a, first)
    p.apart_by = load_i64(a + 8 * lowest(p.apart)) - first if p.apart else 0


@unit(7)
def compute_cost(machine, pattern, space, kind, width, read_only, mask):
    """Fill in the costs of a pattern."""
    m, p = machine_at(machine), pattern_at(pattern)
    a = addresses_at(m)
    fill_bytes(pattern_figures_at(p), 0, 8 * N_FIGURES)
    p.requests, p.bytes_requested = 1, popcount(mask) * width
    measure(a, width, mask, p)
    part(a, mask, p)
    p.layout = layout(a, width, mask)
    p.contiguous = p.layout == CONTIGUOUS
    p.word_bits = accessed_words(a, width, mask)
    p.repeated = 0 if p.contiguous else repeated_lanes(a, mask)
    if space == SHARED:
        banks.shared(machine, a, mask, width, kind, pattern)
    elif space == CONST:
        banks.const(m, a, mask, p)
    elif space == LOCAL:
        coalescing.local(m, a, mask, width, kind, p)
    elif space == OTHER_BLOCKS:
        coalescing.distributed(machine, a, mask, kind, pattern)
    elif kind == ATOMIC:
        coalescing.atomic(machine, a, mask, width, pattern)
    else:
        coalescing.load_or_store(machine, a, mask, width, kind, read_only, pattern)
        p.data_cycles = banks.cycles_in_l1(m, a, mask, width, kind) if m.l1_timed else 0
    return 0


@jit
def rule_of(space, kind, width, read_only):
    return ((space * 4 + kind) * 2 + read_only) * 32 + width


@jit
def phase_of(space, kind, first):
    """Return what of the lowest lane's address makes a difference to the cost."""
    if (kind == ATOMIC and space == GLOBAL) or space == OTHER_BLOCKS:
        return first  # the banks of tags depend on the address itself
    return first & ((BANK_ROWS if space == SHARED else LINE) - 1)


@jit
def recent_place(m, pc, phase):
    """Return the place that keeps the pattern which an instruction had last at an address like this one."""
    return m.recent_at + 8 * (pc * 61 + (phase >> 2) & RECENT - 1)


@jit
def as_before(m, pc, rule, phase, first, mask):
    """Return the address of the pattern that the instruction had last, if the access at the machine's ``address`` row
    has it again, as most have; else 0."""
    p = pattern_at(load_i64(recent_place(m, pc, phase)))
    if p.mask != mask or p.rule != rule or p.phase != phase:
        return 0
    return 0 if distances_differ(addresses_at(m), first, mask, address_of(p)) else address_of(p)


@jit
def is_inside(p, first, base, size):
    """Return whether the accesses of a pattern are aligned and lie in ``size`` bytes from ``base``."""
    end = base + size
    return p.misaligned == 0 and 0 <= first <= end and base <= first + p.low and first + p.high <= end


@jit
def look_up(m, pc, space, kind, width, read_only, mask):
    """Return the pattern record of the access at the machine's ``address`` row by the lanes of a mask that is not
    empty."""
    first = load_i64(addresses_at(m) + 8 * lowest(mask))
    rule, phase = rule_of(space, kind, width, read_only), phase_of(space, kind, first)
    found = as_before(m, pc, rule, phase, first, mask)
    if found:
        return pattern_at(found)
    distances(addresses_at(m), first, mask, relative_at(m))
    place = first_place(m, rule, mask, phase)
    older = pattern_at(place).older
    p = pattern_at(place + (1 - older) * PATTERN_BYTES)
    if is_pattern(m, p, rule, mask, phase):
        return noted(m, pc, phase, p)
    p = pattern_at(place + older * PATTERN_BYTES)
    pattern_at(place).older = 1 - older
    if is_pattern(m, p, rule, mask, phase):
        return noted(m, pc, phase, p)
    p.rule, p.mask, p.phase = rule, mask, phase
    copy_bytes(address_of(p), relative_at(m), 8 * LANES)
    compute_cost(address_of(m), address_of(p), space, kind, width, read_only, mask)
    return noted(m, pc, phase, p)


@jit
def noted(m, pc, phase, p):
    """Note a pattern as the one that the instruction had last."""
    store_64(recent_place(m, pc, phase), address_of(p))
    return p
