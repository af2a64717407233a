"""Send the memory accesses of the traced multiprocessor through models of its caches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from warpview.devices import block_shared
from warpview.isa.types import Space
from warpview.sim.memory import LOCAL_WINDOW
from warpview.sim.rules import GlobalAccess
from warpview.sim.rules.cache import CacheCounts, MemoryHierarchy
from warpview.trace.trace import Trace

Progress = Callable[[int, int], bool]


@dataclass(frozen=True)
class CacheReport:
    """Hold the counts by level ("L1", "read-only", "L2"; only those that the device has), and sectors of 32 bytes moved
    to and from DRAM. ``accesses`` warp-wide accesses went through the model; not all if ``complete`` is False."""

    levels: dict[str, CacheCounts]
    dram_sectors_read: int
    dram_sectors_written: int
    accesses: int
    complete: bool


def cache_report(trace: Trace, limit: int = 100_000, progress: Progress | None = None) -> CacheReport:
    """Send the first ``limit`` accesses to global and local memory through cold caches, in the order of issue.

    The L2 is the whole device's, with this multiprocessor as its only user. ``progress(done, total)`` is called with
    steps of the trace and returns False to stop early.
    """
    a_block = trace.program.static_shared_bytes + trace.launch.dynamic_shared_bytes
    in_use = trace.result.resident_blocks * block_shared(trace.device, a_block)
    caches = MemoryHierarchy(trace.device, shared_bytes=in_use)
    local_bytes = -(-trace.program.local_bytes * 32 // 128) * 128  # of one warp
    count, complete = 0, True
    for step, where, access in trace.accesses():
        if count == limit or (progress and count % 1000 == 0 and not progress(step, trace.steps)):
            complete = False
            break
        if not isinstance(access, GlobalAccess):
            continue
        event = trace.event(step)
        local = where.space == Space.LOCAL
        warp = event.block * trace.launch.warps + event.warp
        read_only = trace.program.instructions[event.pc].read_only
        caches.access(access, local, read_only, LOCAL_WINDOW + warp * local_bytes if local else 0)
        count += 1
    levels = {
        "L1": caches.l1,
        "read-only": None if caches.read_only is caches.l1 else caches.read_only,
        "L2": caches.l2,
    }
    return CacheReport(
        {name: model.counts for name, model in levels.items() if model},
        caches.dram_sectors_read,
        caches.dram_sectors_written,
        count,
        complete,
    )
