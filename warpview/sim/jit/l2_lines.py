"""Find the lines that the L2 has replaced, as sim/reference/l2_lines.py does."""

from __future__ import annotations

from warpview.sim.jit.cache_ways import (
    ALONG_SHIFT,
    BROUGHT,
    FILLED,
    HALVES_STORED,
    cache_of,
    kept_place,
    pair_place,
    way_of,
)
from warpview.sim.jit.compile import jit
from warpview.sim.jit.raw import load_i64, store_64
from warpview.sim.jit.sm_state import L2, SHARE_BYTES
from warpview.sim.timing.model import PAIR_WINDOW, USED_UNIT

BROUGHT_SCALE, OWN, REPLACED = 4, 1, 2
SECTORS_OF_LINE = 15  # of the bits of a way


@jit
def readers(sm, sector):
    """Return what this multiprocessor has asked for of an allocation and its share of that; equal ones where nobody
    else reads what it has asked for."""
    for k in range(sm.n_shares):
        row = sm.shares_at + k * SHARE_BYTES
        if load_i64(row) <= sector and sector < load_i64(row + 8):
            share = max(1, load_i64(row + 56))
            return max(share, share - load_i64(row + 16)), share
    return 1, 1


@jit
def is_replaced(sm, sector, brought):
    """Return whether the L2 has no room any more for the line of a sector, after so many were brought in: others who
    read the allocation, too, use its lines meanwhile."""
    kept = USED_UNIT * sm.l2_kept[kept_place(sector)]
    if brought <= kept:
        return False
    asked, share = readers(sm, sector)
    return brought * share > kept * asked


@jit
def note_again(sm, sector, held, brought):
    """Count the sectors of a line, given by bits, that is used again after so many were brought in: it is again the
    last to be replaced. A line counts once at most while as many are brought in as the L2 loses nothing of, and in part
    where several multiprocessors use it."""
    sectors = (held & 1) + (held >> 1 & 1) + (held >> 2 & 1) + (held >> 3 & 1)
    window = max(1, USED_UNIT * sm.l2_kept[0])
    asked, share = readers(sm, sector)
    sm.l2_brought += USED_UNIT * sectors * min(brought, window) * share // (window * asked)


@jit
def use_line(sm, sector):
    """Note that a line of the L2 is used; return whether it was replaced since this multiprocessor brought it in."""
    cache = cache_of(sm, L2)
    way = way_of(cache, sector >> cache.line_shift)
    if way == 0:
        return False
    word = load_i64(way + BROUGHT)
    marks, brought = word % BROUGHT_SCALE, sm.l2_brought - word // BROUGHT_SCALE
    if marks & OWN and is_replaced(sm, sector, brought):
        store_64(way + 8, 0)
        store_64(way + HALVES_STORED, 0)
        marks |= REPLACED
    elif brought > 0:
        note_again(sm, sector, load_i64(way + 8) & SECTORS_OF_LINE, brought)
    store_64(way + BROUGHT, sm.l2_brought * BROUGHT_SCALE + marks)
    return marks & REPLACED != 0


@jit
def bring_in(sm, sector, sectors):
    """Note that this multiprocessor has brought in so many sectors of the line of a sector, which is there."""
    cache = cache_of(sm, L2)
    way = way_of(cache, sector >> cache.line_shift)
    sm.l2_brought += USED_UNIT * sectors
    marks = load_i64(way + BROUGHT) % BROUGHT_SCALE
    store_64(way + BROUGHT, sm.l2_brought * BROUGHT_SCALE + (marks | OWN))


@jit
def along_bit(cache, sector):
    """Return the bit of a way that says that a sector came along."""
    return 1 << (ALONG_SHIFT + ((sector >> cache.part_shift) & cache.part_mask))


@jit
def note_along(sm, sector):
    """Note that DRAM has given a sector, which is there, with another one that was asked for."""
    cache = cache_of(sm, L2)
    way = way_of(cache, sector >> cache.line_shift)
    store_64(way + 8, load_i64(way + 8) | along_bit(cache, sector))


@jit
def is_late(sm, sector):
    """Return whether a sector that the L2 has is as late as from DRAM: one that came along, whose pair is of the late
    ones, and for which nobody has asked before; if that is not long after the other one was there."""
    cache = cache_of(sm, L2)
    way, bit = way_of(cache, sector >> cache.line_shift), along_bit(cache, sector)
    if load_i64(way + 8) & bit == 0:
        return False
    store_64(way + 8, load_i64(way + 8) & ~bit)
    there = load_i64(way + FILLED)
    return pair_place(sector) < sm.late_pairs and there <= sm.cycle and sm.cycle < there + PAIR_WINDOW
