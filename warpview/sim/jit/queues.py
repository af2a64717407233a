"""The shared pipe and the memory queue of a multiprocessor."""

from __future__ import annotations

from warpview.sim.jit.compile import jit
from warpview.sim.jit.records import transactions
from warpview.sim.timing import FRACTION


@jit
def through_memory(sm, cost, event):
    """Send an access through the shared pipe and the memory queue; returns the cycle in which its result is there.
    The caches have been asked."""
    result = sm.cycle
    if event.wavefronts:
        further = (event.wavefronts - event.ideal_wavefronts) * (sm.constant_pass if cost.constant else sm.wavefront)
        further += sm.shared_slot * ((event.ideal_wavefronts + sm.ideal_passes - 1) // sm.ideal_passes - 1)
        start = max(sm.cycle, sm.shared_free)
        sm.shared_free = start + sm.shared_slot + further
        result = start + further + (sm.constant_latency if cost.constant else sm.shared_latency)
    if transactions(event):
        sm.shared_free = max(sm.cycle, sm.shared_free) + max(sm.shared_slot, transactions(event))
        sm.dram_sectors += sm.dram
        work = max(sm.dram * cost.sector_cost, sm.from_l2 * sm.l2_cost) + event.sectors * cost.pass_cost
        served = sm.cycle
        if work:
            sm.memory_free = max(sm.cycle * FRACTION, sm.memory_free) + work
            served = (sm.memory_free + FRACTION - 1) // FRACTION
        latency = sm.global_latency if sm.dram else sm.l2_latency if sm.from_l2 else sm.l1_latency
        result = max(result, served + latency)
    return result
