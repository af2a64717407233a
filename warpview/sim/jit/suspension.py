"""Let a warp stay at an instruction that waits for the phase of a barrier in shared memory (try_wait)."""

from __future__ import annotations

from warpview.isa.native import SpecialAtomic
from warpview.isa.ops import Op
from warpview.sim.jit.compile import jit
from warpview.sim.jit.memory import lane_addresses
from warpview.sim.jit.memory_barriers import PHASE
from warpview.sim.jit.raw import load_i64, load_u32, lowest
from warpview.sim.jit.records import addresses_at, block_at
from warpview.sim.launch import LONGEST_WAIT

MBARRIER, CHECK = int(Op.MBARRIER), int(SpecialAtomic.CHECK)


@jit
def stays(m, w, ins, mask, on):
    """Return whether all lanes wait for the phase of a barrier, which is not over; only in the profile engine, where no
    cycles pass."""
    waits = ins.op == MBARRIER and ins.native and ins.extra == CHECK and ins.mod
    if not waits or m.cycle >= 0 or mask != w.live or on == 0 or w.waits == LONGEST_WAIT:
        w.waits = 0
        return False
    if not asks_in_vain(m, w, ins, on & -on if ins.widen else on):
        w.waits = 0
        return False
    w.waits += 1
    return True


@jit
def asks_in_vain(m, w, ins, lanes):
    """Return whether a lane that asks for the phase of a barrier would be told that it is not over."""
    a, shared = addresses_at(m), block_at(w.block_at).shared_at
    lane_addresses(w, ins, a)
    while lanes:
        lane = lowest(lanes)
        place = load_i64(a + 8 * lane)
        if place >= 0 and place <= m.shared_bytes - 8 and place & 7 == 0:
            asked = load_u32(w.registers_at + 4 * lane + ins.b) >> 31
            if load_i64(shared + place) >> PHASE & 1 == asked:
                return True
        lanes &= lanes - 1
    return False
