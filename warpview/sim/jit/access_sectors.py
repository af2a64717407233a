"""List the sectors of 32 bytes that an instruction accesses, in ascending order."""

from __future__ import annotations

from warpview.sim.jit.compile import jit
from warpview.sim.jit.raw import load_i64, lowest, popcount, store_64
from warpview.sim.jit.records import addresses_at
from warpview.sim.rules.l1 import TAG_BANKS

SECTOR_SHIFT = 5
LINE_SHIFT = 2  # from the number of a sector
HALVES = 16  # of words, in a sector


@jit
def insert(sm, n, sector):
    """Put a sector into the ascending list unless it is there; returns the new length."""
    place = sm.sectors_at + 8 * n
    while place > sm.sectors_at and load_i64(place - 8) > sector:
        place -= 8
    if place > sm.sectors_at and load_i64(place - 8) == sector:
        return n
    end = sm.sectors_at + 8 * n
    while end > place:
        store_64(end, load_i64(end - 8))
        end -= 8
    store_64(place, sector)
    return n + 1


@jit
def global_sectors(sm, m, lanes):
    n = 0
    while lanes:
        n = insert(sm, n, load_i64(addresses_at(m) + 8 * lowest(lanes)) >> SECTOR_SHIFT)
        lanes &= lanes - 1
    return n


@jit
def local_sectors(sm, m, lanes, width, start):
    """List the sectors of an access to local memory. ``start`` is the address of the warp's local memory, whose 32-bit
    words are the lanes' in turn."""
    n = 0
    while lanes:
        lane = lowest(lanes)
        offset = load_i64(addresses_at(m) + 8 * lane)
        for word in range(offset >> 2, ((offset + width - 1) >> 2) + 1):
            n = insert(sm, n, (start + (word * 32 + lane) * 4) >> SECTOR_SHIFT)
        lanes &= lanes - 1
    return n


@jit
def note_halves(sm, m, n, lanes, width):
    """Note to which halves of 32-bit words of the listed sectors some lanes store: a bit each, HALVES a sector."""
    for k in range(n):
        store_64(sm.halves_at + 8 * k, 0)
    k = 0
    while lanes:
        address = load_i64(addresses_at(m) + 8 * lowest(lanes))
        while load_i64(sm.sectors_at + 8 * k) < address >> SECTOR_SHIFT:
            k += 1
        while load_i64(sm.sectors_at + 8 * k) > address >> SECTOR_SHIFT:
            k -= 1
        stored = ((1 << ((width + 1) >> 1)) - 1) << ((address >> 1) & (HALVES - 1))
        store_64(sm.halves_at + 8 * k, load_i64(sm.halves_at + 8 * k) | stored)
        lanes &= lanes - 1


@jit
def note_all_halves(sm, n, halves):
    """Note the same halves of each listed sector."""
    for k in range(n):
        store_64(sm.halves_at + 8 * k, halves)


@jit
def lines_of(sm, n):
    """Return the number of lines of 128 bytes in which the listed sectors lie."""
    lines, last = 0, -1
    for k in range(n):
        line = load_i64(sm.sectors_at + 8 * k) >> LINE_SHIFT
        if line != last:
            lines, last = lines + 1, line
    return lines


@jit
def tag_cycles(sm, m, n):
    """Return the cycles for the tags of the lines in which the listed sectors lie: those of the busiest bank."""
    if m.tag_mask0 == 0 and m.tag_mask1 == 0:
        return (sm.lines + TAG_BANKS - 1) // TAG_BANKS
    counts, last, most = 0, -1, 0  # a byte for each bank
    for k in range(n):
        line = load_i64(sm.sectors_at + 8 * k) >> LINE_SHIFT
        if line != last:
            last = line
            shift = 8 * (popcount(line & m.tag_mask0) & 1 | (popcount(line & m.tag_mask1) & 1) << 1)
            counts += 1 << shift
            most = max(most, counts >> shift & 255)
    return most
