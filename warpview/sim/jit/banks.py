"""Count the passes of a shared or constant access, by the rules of ``sim/rules/banks.py`` and ``constant.py``.

``a`` is the address of int64[32] byte offsets; results go to a pattern record, which ``patterns`` remembers.
"""

from __future__ import annotations

from warpview.sim.jit.coalescing import ATOMIC, LOAD, SERIAL_ATOMIC, STORE, most_on_one_address, part_mask
from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.lanes import lanes_equal, lanes_in
from warpview.sim.jit.raw import load_i64, lowest, popcount
from warpview.sim.jit.records import machine_at, pattern_at
from warpview.sim.jit.state import MAX_BANKS


@jit
def pairs_agree(a, mask, step):
    """Return whether lanes n and n^step have one offset wherever both take part."""
    lanes = mask
    while lanes:
        lane = lowest(lanes)
        if mask >> (lane ^ step) & 1 and load_i64(a + 8 * lane) != load_i64(a + 8 * (lane ^ step)):
            return False
        lanes &= lanes - 1
    return True


@jit
def part_lanes(m, a, mask, width, kind):
    """Return the lanes that are served together."""
    if m.one_word:
        return m.shared_group
    lanes = min(m.shared_group, m.row_bytes // max(width, 4))
    if not m.merges_pairs or kind != LOAD or lanes == m.shared_group:
        return lanes
    return 2 * lanes if pairs_agree(a, mask, 1) or pairs_agree(a, mask, 2) else lanes


@jit
def note_row(m, bank, row):
    """Note that a bank must deliver a row; returns how many rows it delivers so far."""
    count = m.bank_count[bank]
    for k in range(count):
        if m.bank_rows[bank * MAX_BANKS + k] == row:
            return count
    m.bank_rows[bank * MAX_BANKS + count] = row
    m.bank_count[bank] = count + 1
    return count + 1


@jit
def multicast(m, a, lanes, width):
    """Count the passes of CC 2.0 and later: as many as the busiest bank has different rows."""
    for bank in range(m.banks):
        m.bank_count[bank] = 0
    passes = 0
    while lanes:
        offset = load_i64(a + 8 * lowest(lanes)) & ~3
        for word in range((max(width, 4)) // 4):
            place = offset + 4 * word
            passes = max(passes, note_row(m, place // m.bank_width % m.banks, place // m.row_bytes))
        lanes &= lanes - 1
    return passes


@jit
def most_read_word(a, lanes):
    """Return the word with most readers; of several, that of the lowest lane."""
    best, most = 0, 0
    while lanes:
        word = load_i64(a + 8 * lowest(lanes)) >> 2
        readers = lanes & lanes_in(a, 2, word)
        if popcount(readers) > most:
            best, most = word, popcount(readers)
        lanes &= ~readers
    return best


@jit
def one_word_load_pass(m, a, lanes, extra):
    """Return the lanes that a pass of a load serves on CC 1.x: readers of one word, and one lane for each other bank.

    ``extra`` words are added to every address.
    """
    broadcast = most_read_word(a, lanes)
    served = lanes & lanes_in(a, 2, broadcast)
    taken = 1 << ((broadcast + extra) % m.banks)
    lanes &= ~served
    while lanes:
        lane = lowest(lanes)
        bank = 1 << (((load_i64(a + 8 * lane) >> 2) + extra) % m.banks)
        if taken & bank == 0:
            taken |= bank
            served |= 1 << lane
        lanes &= lanes - 1
    return served


@jit
def one_word_store_pass(m, a, lanes, extra):
    """Return the lanes that a pass of a store serves on CC 1.x: in each bank those of the address that comes first.

    ``extra`` words are added to every address.
    """
    taken = 0
    served = 0
    while lanes:
        lane = lowest(lanes)
        address = load_i64(a + 8 * lane)
        bank = 1 << (((address >> 2) + extra) % m.banks)
        same = lanes & lanes_equal(a, address)
        if taken & bank == 0:
            taken |= bank
            served |= same
        lanes &= ~same
    return served


@jit
def one_word(m, a, mask, width, store):
    """Count the passes of CC 1.x: those of every half-warp for every 32-bit word of the access."""
    passes = 0
    for part in range(32 // m.shared_group):
        for word in range(max(1, width // 4)):
            lanes = mask & part_mask(part, m.shared_group)
            while lanes:
                if store:
                    lanes &= ~one_word_store_pass(m, a, lanes, word)
                else:
                    lanes &= ~one_word_load_pass(m, a, lanes, word)
                passes += 1
    return passes


@jit
def passes_of(m, a, mask, width, kind):
    """Count the wavefronts of a load or store, or of an atomic that is executed like a load."""
    if m.one_word:
        return one_word(m, a, mask, width, kind == STORE)
    group = part_lanes(m, a, mask, width, kind)
    passes = 0
    for part in range(32 // group):
        lanes = mask & part_mask(part, group)
        if lanes:
            passes += multicast(m, a, lanes, width)
            if width == 16 and m.extra_128:
                passes += 1
    return passes


@jit
def locked_passes(m, a, mask, width):
    """Count the passes of atomics without hardware for them: rounds that let in one lane for each address, a store
    each."""
    group = part_lanes(m, a, mask, width, STORE)
    passes = 0
    for part in range(32 // group):
        lanes = mask & part_mask(part, group)
        while lanes:
            waiting, chosen = lanes, 0
            while waiting:
                lane = lowest(waiting)
                chosen |= 1 << lane
                waiting &= ~lanes_equal(a, load_i64(a + 8 * lane))
            passes += passes_of(m, a, chosen, width, STORE)
            lanes &= ~chosen
    return passes


@jit
def serial_passes(m, a, mask, width):
    """Count the passes of an atomic of machine code: of each bank as many as there are lanes."""
    group = part_lanes(m, a, mask, width, STORE)
    passes = 0
    for part in range(32 // group):
        for bank in range(m.banks):
            m.bank_count[bank] = 0
        most, lanes = 0, mask & part_mask(part, group)
        while lanes:
            bank = load_i64(a + 8 * lowest(lanes)) // m.bank_width % m.banks
            m.bank_count[bank] += 1
            most = max(most, m.bank_count[bank])
            lanes &= lanes - 1
        passes += most
    return passes


@jit
def parts_with_lanes(mask, group):
    """Return how many of the parts of ``group`` lanes have any."""
    found = 0
    for part in range(32 // group):
        found += mask & part_mask(part, group) != 0
    return found


@jit
def cycles_in_l1(m, a, mask, width, kind):
    """Return the cycles for the data of a load or store of global memory; see sim/rules/l1.py."""
    passes = passes_of(m, a, mask, width, STORE)
    if kind == STORE:
        return max(passes, 1 + parts_with_lanes(mask, part_lanes(m, a, mask, width, STORE)))
    return passes


@unit(6)
def shared(machine, a, mask, width, kind, pattern):
    """Count the passes of a shared access, and those that its width alone demands."""
    m, p = machine_at(machine), pattern_at(pattern)
    if kind >= ATOMIC:
        p.collisions = most_on_one_address(a, mask) - 1
    if kind >= ATOMIC and not m.native_shared_atomics:
        p.wavefronts = locked_passes(m, a, mask, width)
    elif kind == SERIAL_ATOMIC:
        p.wavefronts = serial_passes(m, a, mask, width)
    else:
        p.wavefronts = passes_of(m, a, mask, width, kind)
    parts = parts_with_lanes(mask, part_lanes(m, a, mask, width, kind))
    p.ideal_wavefronts += parts * (max(1, width // 4) if m.one_word else 1)
    p.serialized = 1 if p.wavefronts > p.ideal_wavefronts else 0
    return 0


@jit
def const(m, a, mask, p):
    """Count a pass for each distinct address of a request."""
    for part in range(32 // m.constant_group):
        lanes = mask & part_mask(part, m.constant_group)
        if lanes:
            p.ideal_wavefronts += 1
        while lanes:
            lanes &= ~lanes_equal(a, load_i64(a + 8 * lowest(lanes)))
            p.wavefronts += 1
    p.serialized = 1 if p.wavefronts > p.ideal_wavefronts else 0
