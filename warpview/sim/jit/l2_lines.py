"""Find the lines that the L2 has replaced, as sim/reference/l2_lines.py does."""

from __future__ import annotations

from warpview.sim.jit.cache_ways import BROUGHT, HALVES_STORED, cache_of, way_of
from warpview.sim.jit.compile import jit
from warpview.sim.jit.raw import load_i64, store_64
from warpview.sim.jit.sm_state import L2, SHARE_BYTES

BROUGHT_SCALE, OWN, REPLACED = 4, 1, 2


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
    if brought <= sm.l2_kept:
        return False
    asked, share = readers(sm, sector)
    return brought * share > sm.l2_kept * asked


@jit
def use_line(sm, sector):
    """Note that a line of the L2 is used; return whether it was replaced since this multiprocessor brought it in."""
    cache = cache_of(sm, L2)
    way = way_of(cache, sector >> cache.line_shift)
    if way == 0:
        return False
    word = load_i64(way + BROUGHT)
    marks = word % BROUGHT_SCALE
    if marks & OWN and is_replaced(sm, sector, sm.l2_brought - word // BROUGHT_SCALE):
        store_64(way + 8, 0)
        store_64(way + HALVES_STORED, 0)
        marks |= REPLACED
    store_64(way + BROUGHT, sm.l2_brought * BROUGHT_SCALE + marks)
    return marks & REPLACED != 0


@jit
def bring_in(sm, sector, sectors):
    """Note that this multiprocessor has brought in so many sectors of the line of a sector, which is there."""
    cache = cache_of(sm, L2)
    way = way_of(cache, sector >> cache.line_shift)
    sm.l2_brought += sectors
    marks = load_i64(way + BROUGHT) % BROUGHT_SCALE
    store_64(way + BROUGHT, sm.l2_brought * BROUGHT_SCALE + (marks | OWN))
