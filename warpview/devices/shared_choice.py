"""Tell how much shared memory of a multiprocessor a driver sets aside for a launch, of those sizes that there are.

As read from an H200 (CUDA 13.0, ``launch__shared_mem_config_size`` of 330 launches with no preferred carve-out, all but
one: 128 threads with 64 bytes have 32 KiB there, where 64 are expected): the smallest configuration that holds twice
the blocks that run at a time by their warps and registers, at most as many as there are slots for blocks, but for such
further blocks no more than ``shared_for_further`` of the device, and nothing where a block has more threads than
``threads_with_further``. Launches before, clusters and the size of the grid have no part in it. Blocks without shared
memory, which take what the system reserves, get room for four times those that run, at most for as many as there are
slots (several hundred launches of 16 to 256 threads, and of 512). Other devices were not asked.
"""

from __future__ import annotations

from warpview.devices.capability import Capability
from warpview.devices.occupancy import Occupancy, block_shared


def chosen_shared(chip: Capability, threads: int, shared_bytes: int, limits: Occupancy) -> int | None:
    """Return the bytes that a driver sets aside on each multiprocessor for blocks of ``threads`` threads that have
    ``shared_bytes`` each; None where no block fits or where the rule is not known."""
    if not chip.shared_for_further or not limits.blocks:
        return None
    block = block_shared(chip, shared_bytes)
    resident = min(limits.limit_warps, limits.limit_registers, limits.limit_blocks)
    if not shared_bytes:
        return next(size for size in chip.shared_configurations if size >= block * min(4 * resident, chip.max_blocks))
    needed = block * min(resident, chip.shared_bytes // block)
    wanted = block * min((2 if threads <= chip.threads_with_further else 1) * resident, chip.max_blocks)
    at_least = max(needed, min(wanted, chip.shared_for_further))
    return next(size for size in chip.shared_configurations if size >= at_least)


def counted_limit(chip: Capability, threads: int, shared_bytes: int, limits: Occupancy) -> int:
    """Return the blocks that Nsight Compute says shared memory allows: those in what the driver has set aside; where
    that is not known, those in the largest configuration."""
    chosen = chosen_shared(chip, threads, shared_bytes, limits)
    return limits.limit_shared if chosen is None else chosen // block_shared(chip, shared_bytes)
