"""Count the transactions of a global or local access, by the rules of ``sim/rules/coalescing.py`` and ``atomics.py``.

``a`` is the address of int64[32] addresses; the counts are added to a pattern record ``p``. Speed matters little here:
``patterns`` remembers the results.
"""

from __future__ import annotations

from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.lanes import lanes_agreeing, lanes_equal, lanes_in
from warpview.sim.jit.raw import address_of, load_i64, lowest, popcount, store_64
from warpview.sim.jit.records import machine_at, pattern_at, physical_at, transactions
from warpview.sim.rules.codes import LINES, SECTORS, SEGMENTS, SPLIT_SECTORS, STRICT
from warpview.sim.rules.l1 import TAG_BANKS

# Kinds of access; the lanes of a serial atomic that go to one bank take turns, where others on one word are merged.
LOAD, STORE, ATOMIC, SERIAL_ATOMIC = range(4)
LINE_BITS, SECTOR_BITS = 7, 5


@jit
def part_mask(part, lanes):
    """Return the lanes of a part of the warp."""
    return ((1 << lanes) - 1) << (part * lanes)


@jit
def copied_sectors(a, targets, lanes):
    """Count the sectors of a copy from global to shared memory that bypasses the L1; see sim/rules/coalescing.py."""
    total = 0
    while lanes:
        line = lanes & lanes_in(a, LINE_BITS, load_i64(a + 8 * lowest(lanes)) >> LINE_BITS)
        lanes &= ~line
        while line:
            line &= ~lanes_in(targets, SECTOR_BITS, load_i64(targets + 8 * lowest(line)) >> SECTOR_BITS)
            total += 1
    return total


@jit
def ideal_count(mask, width, lanes, size):
    """Return the fewest transactions of at most ``size`` bytes that each part of ``lanes`` lanes could need."""
    total = 0
    for part in range(32 // lanes):
        active = popcount(mask & part_mask(part, lanes))
        total += (active * width + size - 1) // size
    return total


@jit
def add_transaction(p, size):
    p.sectors += size // 32
    if size == 32:
        p.transactions_32 += 1
    elif size == 64:
        p.transactions_64 += 1
    elif size == 96:
        p.transactions_96 += 1
    else:
        p.transactions_128 += 1


@jit
def is_strictly_coalesced(a, lanes, width):
    """Return whether the lanes satisfy CC 1.0: thread k of the half-warp at word k of an aligned region, words of 4, 8
    or 16 bytes."""
    if width < 4:
        return False
    first = lowest(lanes)
    start = load_i64(a + 8 * first) - first % 16 * width
    if start % min(16 * width, 128) != 0:
        return False
    while lanes:
        lane = lowest(lanes)
        if load_i64(a + 8 * lane) != start + lane % 16 * width:
            return False
        lanes &= lanes - 1
    return True


@jit
def strict(a, mask, width, p):
    for half in range(2):
        lanes = mask & part_mask(half, 16)
        if lanes == 0:
            continue
        if not is_strictly_coalesced(a, lanes, width):
            p.uncoalesced = 1
            for _ in range(popcount(lanes)):
                add_transaction(p, 32)
        elif width == 16:
            for quarter in range(2):
                if lanes & part_mask(2 * half + quarter, 8):
                    add_transaction(p, 128)
        else:
            add_transaction(p, 16 * width)


@jit
def segments(a, mask, width, p):
    first_bits = 5 if width == 1 else 6 if width == 2 else 7
    for half in range(2):
        lanes = mask & part_mask(half, 16)
        while lanes:
            unit = load_i64(a + 8 * lowest(lanes)) >> first_bits
            served = lanes & lanes_in(a, first_bits, unit)
            add_transaction(p, shrunk_segment(a, served, first_bits))
            lanes &= ~served


@jit
def shrunk_segment(a, served, bits):
    """Return the bytes of the segment once it is halved while only one half is used. (A lane never straddles two
    halves.)"""
    first = load_i64(a + 8 * lowest(served))
    while bits > SECTOR_BITS and served & ~lanes_in(a, bits - 1, first >> (bits - 1)) == 0:
        bits -= 1
    return 1 << bits


@jit
def accessed_sectors(a, served, line):
    """Return which of the four sectors of a line the lanes access, as bits."""
    nibble = 0
    for k in range(4):
        if served & lanes_in(a, SECTOR_BITS, 4 * line + k):
            nibble |= 1 << k
    return nibble


@jit
def add_runs(p, nibble):
    """Add a load's transactions for the accessed sectors of a line: each run of neighbours is one."""
    run = 0
    for k in range(5):
        if nibble >> k & 1:
            run += 1
        elif run:
            add_transaction(p, 32 * run)
            run = 0


@jit
def add_pieces(p, nibble):
    """Add a store's transactions for the accessed sectors of a line: 1, 2 or 4 sectors, aligned to their size."""
    if nibble == 15:
        add_transaction(p, 128)
        return
    for pair in range(2):
        half = nibble >> (2 * pair) & 3
        if half == 3:
            add_transaction(p, 64)
        elif half:
            add_transaction(p, 32)


@jit
def by_lines(a, mask, width, whole_lines, store, p):
    """Add the transactions of CC 2.x and 3.x: requests of half- or quarter-warps for wide words; whole lines, or
    sectors joined in a line."""
    request = 32 // max(1, width // 4)
    for part in range(32 // request):
        lanes = mask & part_mask(part, request)
        while lanes:
            line = load_i64(a + 8 * lowest(lanes)) >> LINE_BITS
            served = lanes & lanes_in(a, LINE_BITS, line)
            if whole_lines:
                add_transaction(p, 128)
            elif store:
                add_pieces(p, accessed_sectors(a, served, line))
            else:
                add_runs(p, accessed_sectors(a, served, line))
            lanes &= ~served


@jit
def by_sectors(a, mask, group, p):
    """Add each distinct sector that the lanes of a group access."""
    for part in range(32 // group):
        lanes = mask & part_mask(part, group)
        while lanes:
            sector = load_i64(a + 8 * lowest(lanes)) >> SECTOR_BITS
            lanes &= ~lanes_in(a, SECTOR_BITS, sector)
            add_transaction(p, 32)


@jit
def most_on_one_address(a, lanes):
    most = 0
    while lanes:
        same = lanes & lanes_equal(a, load_i64(a + 8 * lowest(lanes)))
        most = max(most, popcount(same))
        lanes &= ~same
    return most


@jit
def lanes_of_bank(m, a, lanes, line):
    """Return the lanes whose line has its tag in the same bank of the L1 as ``line``."""
    if m.tag_mask0 == 0 and m.tag_mask1 == 0:
        return lanes & lanes_in(a, LINE_BITS, line)
    same = 0
    while lanes:
        lane = lowest(lanes)
        differing = (load_i64(a + 8 * lane) >> LINE_BITS) ^ line
        if (popcount(differing & m.tag_mask0) | popcount(differing & m.tag_mask1)) & 1 == 0:
            same |= 1 << lane
        lanes &= lanes - 1
    return same


@jit
def served_together(m, a, rest):
    """Return the lanes that one pass of an atomic serves: of the line of the lowest lane those that are the first at
    their offset in the line, over all lines with a tag in the same bank."""
    line = load_i64(a + 8 * lowest(rest)) >> LINE_BITS
    served, waiting = 0, lanes_of_bank(m, a, rest, line)
    while waiting:
        lane = lowest(waiting)
        address = load_i64(a + 8 * lane)
        if address >> LINE_BITS == line:
            served |= 1 << lane
        waiting &= ~lanes_agreeing(a, (1 << LINE_BITS) - 1, address)
    return served


@unit(5)
def atomic(machine, a, mask, width, pattern):
    """Add the passes of an atomic over the lines, each of which moves the sectors of the lanes that it serves."""
    m, p = machine_at(machine), pattern_at(pattern)
    group = m.global_atomic_group
    for part in range(32 // group):
        rest = mask & part_mask(part, group)
        while rest:
            served = served_together(m, a, rest)
            by_sectors(a, served, 32, p)
            rest &= ~served
    p.collisions = most_on_one_address(a, mask) - 1
    compare_with_ideal(p, ideal_count(mask, width, group, 32))
    return 0


@unit(5)
def distributed(machine, a, mask, kind, pattern):
    """Count sectors and wavefronts of an access to the shared memory of other blocks; see sim/rules/distributed.py."""
    m, p = machine_at(machine), pattern_at(pattern)
    lookups, most, rest = 0, 0, mask  # of tags: a byte for each bank
    while rest:
        line = load_i64(a + 8 * lowest(rest)) >> LINE_BITS
        served = served_together(m, a, rest) if kind == ATOMIC else rest & lanes_in(a, LINE_BITS, line)
        p.sectors += popcount(accessed_sectors(a, served, line))
        shift = 8 * (popcount(line & m.tag_mask0) & 1 | (popcount(line & m.tag_mask1) & 1) << 1)
        lookups += 1 << shift
        most = max(most, lookups >> shift & 255)
        rest &= ~served
    unknown = m.tag_mask0 == 0 and m.tag_mask1 == 0
    p.wavefronts = (lookups + TAG_BANKS - 1) // TAG_BANKS if unknown else most
    p.ideal_wavefronts = 1
    if kind == ATOMIC:
        p.collisions = most_on_one_address(a, mask) - 1
    return 0


@jit
def compare_with_ideal(p, ideal):
    p.uncoalesced = 1 if transactions(p) > ideal else 0


@unit(7)
def load_or_store(machine, a, mask, width, kind, read_only, pattern):
    """Add the transactions of a global access that is no atomic."""
    m, p = machine_at(machine), pattern_at(pattern)
    if m.coalescing == STRICT:
        strict(a, mask, width, p)
    elif m.coalescing == SEGMENTS:
        segments(a, mask, width, p)
        compare_with_ideal(p, ideal_count(mask, width, 16, 128))
    elif m.coalescing == SECTORS:
        by_sectors(a, mask, 32, p)
        compare_with_ideal(p, ideal_count(mask, width, 32, 32))
    elif read_only and kind == LOAD and m.read_only_quads:
        by_sectors(a, mask, 4, p)
        compare_with_ideal(p, ideal_count(mask, width, 4, 32))
    else:
        by_lines(a, mask, width, m.cached_lines and kind == LOAD, kind == STORE, p)
        compare_with_ideal(p, ideal_count(mask, width, 32 // max(1, width // 4), 128))
    return 0


@jit
def local(m, a, mask, width, kind, p):
    """Add the transactions of local memory: 32-bit word w of lane l lies at (32 w + l) words; a wide access takes its
    words in turn."""
    physical = physical_at(m)
    piece = min(width, 4)
    for start in range(0, width, 4):
        for lane in range(32):
            offset = load_i64(a + 8 * lane) + start
            store_64(physical + 8 * lane, ((offset >> 2) * 32 + lane) * 4 + (offset & 3))
        if m.coalescing == LINES or m.coalescing == SPLIT_SECTORS:
            by_lines(physical, mask, piece, True, False, p)
        else:
            load_or_store(address_of(m), physical, mask, piece, kind, 0, address_of(p))
    p.uncoalesced = 0
