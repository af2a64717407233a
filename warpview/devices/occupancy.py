"""Compute occupancy: how many blocks of a kernel a multiprocessor holds, and which resource limits it.

The arithmetic is that of NVIDIA's occupancy calculators: the header cuda_occupancy.h of CUDA 7.0 for CC 1.x and 2.x, of
CUDA 11.8 and 13 for later ones, with no cache preference, the default carve-out and opt-in shared memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag
from pathlib import Path

from warpview.argument_checks import whole_number
from warpview.devices.capability import Capability
from warpview.devices.device import Device
from warpview.devices.loader import device_meant

UNLIMITED = (1 << 31) - 1  # what the vendor's calculator reports where a resource is not used at all


class Limit(IntFlag):
    """A bit names a resource that limits occupancy, as in NVIDIA's header; several bits are set where they tie."""

    WARPS = 1
    REGISTERS = 2
    SHARED = 4
    BLOCKS = 8
    BARRIERS = 16


@dataclass(frozen=True)
class Occupancy:
    """``blocks`` and ``warps`` are resident on one multiprocessor at a time.

    ``limit_*`` are the blocks that each resource alone would allow, UNLIMITED where none of it is used.
    """

    blocks: int
    warps: int
    max_warps: int
    limit_warps: int
    limit_registers: int
    limit_shared: int
    limit_blocks: int
    limit_barriers: int
    limiting: Limit

    @property
    def fraction(self) -> float:
        """Return resident warps over the warps that the multiprocessor can hold, 0 to 1."""
        return self.warps / self.max_warps

    @property
    def limits(self) -> dict[str, int]:
        """Return blocks by resource: 'warps', 'registers', 'shared', 'blocks'."""
        return {
            "warps": self.limit_warps,
            "registers": self.limit_registers,
            "shared": self.limit_shared,
            "blocks": self.limit_blocks,
        }

    @property
    def limiting_factors(self) -> frozenset[str]:
        """Return the names of the resources that limit occupancy."""
        return frozenset(flag.name.lower() for flag in Limit if flag in self.limiting and flag.name)


def occupancy(
    device: Capability | str | Path,
    threads: int,
    registers: int = 0,
    shared_bytes: int = 0,
    carve_out: int | None = None,
    barriers: int = 0,
) -> Occupancy:
    """Return the occupancy of blocks of ``threads`` threads with ``registers`` a thread and ``shared_bytes``.

    ``shared_bytes`` is static plus dynamic; ``carve_out`` is the shared memory in bytes that the launch prefers, None
    for the largest; ``barriers`` are the hardware barriers a block uses (CC 9.0 and later). ``blocks`` is 0 where not
    even one fits.
    """
    chip = device if isinstance(device, Capability) else device_meant(device)
    threads, registers = whole_number(threads, "threads", 0), whole_number(registers, "registers", 0)
    shared_bytes, barriers = whole_number(shared_bytes, "shared_bytes", 0), whole_number(barriers, "barriers", 0)
    if carve_out is not None:
        carve_out = whole_number(carve_out, "carve_out", 0)
    warps = max(1, -(-threads // 32))
    limits = {
        Limit.WARPS: _warp_limit(chip, threads, warps),
        Limit.REGISTERS: _register_limit(chip, warps, registers),
        Limit.SHARED: _shared_limit(chip, shared_bytes, carve_out),
        Limit.BLOCKS: chip.max_blocks,
    }
    blocks = min(limits.values())
    limiting = Limit(sum(flag for flag, limit in limits.items() if limit == blocks))
    barrier_limit = UNLIMITED
    if barriers and chip.barriers_per_block_slot:
        barrier_limit = chip.barriers_per_block_slot * chip.max_blocks // barriers
        if barrier_limit <= blocks:
            # As the vendor's header has it: what bound before stays flagged.
            blocks, limiting = barrier_limit, limiting | Limit.BARRIERS
    return Occupancy(
        blocks=blocks,
        warps=blocks * warps,
        max_warps=chip.max_warps,
        limit_warps=limits[Limit.WARPS],
        limit_registers=limits[Limit.REGISTERS],
        limit_shared=limits[Limit.SHARED],
        limit_blocks=limits[Limit.BLOCKS],
        limit_barriers=barrier_limit,
        limiting=limiting,
    )


def _up(value: int, unit: int) -> int:
    """Return ``value`` rounded up to a multiple of ``unit``."""
    return -(-value // unit) * unit


def _warp_limit(chip: Capability, threads: int, warps: int) -> int:
    if threads > chip.max_threads_per_block:
        return 0
    # CC 1.x allocates warps in pairs; the header counts that, the older spreadsheet did not.
    allocated = _up(warps, chip.warp_unit) if chip.register_scope == "block" else warps
    return chip.max_warps // allocated


def _register_limit(chip: Capability, warps: int, registers: int) -> int:
    if registers == 0:
        return UNLIMITED
    if registers > chip.max_registers_per_thread:
        return 0
    if chip.register_scope == "block":
        return chip.registers // block_registers(chip, warps, registers)
    a_warp = block_registers(chip, 1, registers)
    # The launch check of the hardware assumes that every sub-partition gets as many warps.
    check_unit = chip.register_check_partitions or chip.sub_partitions
    if a_warp * _up(warps, check_unit) > chip.registers_per_block:
        return 0
    resident = chip.sub_partitions * (chip.registers // chip.sub_partitions // a_warp)
    return resident // warps


def block_registers(chip: Capability, warps: int, registers: int) -> int:
    """Return registers that a block of ``warps`` warps takes, rounded up as the device allocates them."""
    if chip.register_scope == "block":
        return _up(_up(warps, chip.warp_unit) * 32 * registers, chip.register_unit)
    unit = chip.register_unit
    if registers in chip.doubled_register_units:
        unit *= 2
    return warps * _up(32 * registers, unit)


def block_shared(chip: Capability, shared_bytes: int) -> int:
    """Return bytes of shared memory that a block takes, with what the system reserves, rounded up as allocated."""
    return _up(shared_bytes + chip.shared_reserved, chip.shared_unit)


def _shared_limit(chip: Capability, shared_bytes: int, carve_out: int | None) -> int:
    block = block_shared(chip, shared_bytes)
    if block > chip.shared_per_block_optin + chip.shared_reserved:
        return 0
    if block == 0:
        return UNLIMITED
    available = chip.shared_bytes
    if carve_out is not None:
        wanted = max(carve_out, block) if chip.carve_out_grows else carve_out
        fitting = [size for size in chip.shared_configurations if size >= wanted]
        available = fitting[0] if fitting and fitting[0] >= block else chip.shared_bytes
    return available // block


MOST_PAIRS_IN_GROUP = 9  # of multiprocessors: a graphics processing cluster of an H100 has up to 18 of them


def clusters_at_once(device: Device, resident: int, size: int) -> int:
    """Return how many clusters of ``size`` blocks a device can hold, of which ``resident`` fit on a multiprocessor.

    The blocks of a cluster are on multiprocessors of one group (a graphics processing cluster, or what is in use of
    it), which has at least as many multiprocessors as a cluster has blocks, though several blocks may share one: so an
    H100 says for 1 to 17 blocks, of which one or two fit on a multiprocessor. Where the groups of a device are not
    known, they are taken to be as few as there can be, with pairs of multiprocessors spread evenly.
    """
    groups = device.cluster_groups or _even_groups(device.multiprocessors // 2)
    return sum(multiprocessors * resident // size for multiprocessors in groups if multiprocessors >= size)


def _even_groups(pairs: int) -> list[int]:
    groups = max(1, -(-pairs // MOST_PAIRS_IN_GROUP))
    return [2 * (pairs // groups + (k < pairs % groups)) for k in range(groups)]
