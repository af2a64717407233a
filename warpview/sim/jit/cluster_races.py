"""Screen the shared memory of clusters for races between blocks.

A word of shared memory has a shadow word here, with the kinds of access since the last barrier of the cluster by the
threads of its own block and by those of others. The screen misses no race, and takes no account of what orders the
threads of one block or of fences and atomics: what it suspects is looked into as in race_screen.py. What threads do
that have arrived at the barrier and do not wait for it yet is kept apart: it comes before nothing that follows the
barrier.
"""

from __future__ import annotations

from warpview.isa.types import Space
from warpview.sim.jit.access_kinds import ATOMIC, READ, WRITE
from warpview.sim.jit.compile import jit
from warpview.sim.jit.race_screen import suspect
from warpview.sim.jit.raw import load_i64, load_u32, lowest, store_32
from warpview.sim.jit.records import addresses_at, block_at
from warpview.sim.jit.state import LANES

SHARED = int(Space.SHARED)
KINDS = 7
OTHERS, LATE = 3, 6  # bits by which the kinds of other blocks, and those of threads that have arrived, are shifted
SEVERAL = 1 << 12  # threads of other blocks
THREAD_SHIFT, THREAD_BITS = 16, 0x3FFF  # the thread of another block that was the first


@jit
def may_race(before, kind):
    """Return whether accesses of the kinds ``before`` and one more do not go together."""
    kinds = before | kind
    return before != 0 and (kinds & WRITE != 0 or kinds == READ | ATOMIC)


@jit
def noted(word, kind, is_own, is_late, thread):
    """Return a shadow word after an access by a thread, and whether that may race."""
    own, others = (word | word >> LATE) & KINDS, (word | word >> LATE) >> OTHERS & KINDS
    against, shift = others, 0
    if not is_own:
        against, shift = own, OTHERS
        if others == 0:
            word |= thread << THREAD_SHIFT
        elif word & SEVERAL or word >> THREAD_SHIFT & THREAD_BITS != thread:
            against |= others
            word |= SEVERAL
    return word | kind << shift + (LATE if is_late else 0), may_race(against, kind)


@jit
def screen(m, pc, w, home, lanes, width, kind):
    """Note an access to the shared memory of the block ``home`` at the machine's addresses."""
    block, races, rest = block_at(w.block_at), 0, lanes
    first = (block.position % m.cluster_blocks << 10) + w.index * LANES
    while rest:
        lane = lowest(rest)
        rest &= rest - 1
        place = home.cluster_shadow_at + (load_i64(addresses_at(m) + 8 * lane) & -4)
        for at in range(place, place + width, 4):
            word, races_here = noted(
                load_u32(at), kind, home.position == block.position, w.cluster_arrived >> lane & 1, first + lane
            )
            store_32(at, word)
            if races_here:
                races |= 1 << lane
    if races:
        for offset in range(0, width, 4):
            suspect(m, pc, w, races, offset, SHARED, 0)


@jit
def pass_barrier(m, block):
    """Forget the accesses to the shared memory of a block that come before all that follow a barrier of its cluster."""
    for place in range(block.cluster_shadow_at, block.cluster_shadow_at + m.shared_bytes, 4):
        word = load_u32(place)
        late = word >> LATE & (KINDS | KINDS << OTHERS)
        store_32(place, (word & -SEVERAL | late) if late >> OTHERS else late)
