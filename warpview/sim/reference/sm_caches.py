"""Decides for the timing where the accesses of a multiprocessor are served: by L1, L2 or DRAM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from warpview.devices import Device
from warpview.isa.ops import ATOMIC_OPS, Op
from warpview.isa.program import Instruction
from warpview.isa.types import Space
from warpview.sim.memory import LOCAL_WINDOW
from warpview.sim.reference.accesses import SpaceAccess
from warpview.sim.reference.registers import lanes_of
from warpview.sim.rules import GlobalAccess, local_address
from warpview.sim.rules.cache import CacheModel
from warpview.sim.rules.coalescing import LINE, SECTOR


class Served(NamedTuple):
    """Counts the sectors of one access that came from L2, and those that went to or came from DRAM."""

    from_l2: int
    dram: int


class SmCaches:
    """The caches as this multiprocessor sees them when it is alone with the L2.

    A sector that lanes access is looked up once, sectors in ascending order. Stores are sent on to DRAM, for the L2
    writes them back sooner or later; atomics are carried out at L2. On devices without an L2 everything is DRAM's.
    """

    def __init__(self, device: Device, cached: bool, shared_bytes: int, local_bytes: int) -> None:
        self._lines = device.coalescing == "lines"
        self._read_only_path = device.read_only_path
        self._cached = cached and device.l1_caches_global
        geometry = device.l1_with(shared_bytes)
        self._l1 = CacheModel(geometry) if geometry and geometry.sets else None
        separate = device.coalescing == "split_sectors" and device.read_only_cache
        self._read_only = CacheModel(separate) if separate else self._l1
        self._l2 = CacheModel(device.l2) if device.l2 else None
        self._warp_bytes = -(-local_bytes * 32 // LINE) * LINE

    def access(self, instruction: Instruction, parts: Sequence[SpaceAccess], warp: int) -> Served:
        """Send one access of warp ``warp`` (counted over the grid) through the caches. One that lies in several spaces
        goes past them."""
        spaces = [p for p in parts if isinstance(p.access, GlobalAccess)]
        moved = sum(p.access.sectors for p in spaces if isinstance(p.access, GlobalAccess))
        if self._l2 is None or not spaces or len(parts) > 1:
            return Served(0, moved)
        local = spaces[0].space == Space.LOCAL
        sectors = self._local_sectors(spaces[0], warp) if local else _sectors(spaces[0])
        if instruction.op == Op.LD:
            return self._load(sectors, self._first_level(instruction, local))
        if instruction.op in ATOMIC_OPS:
            return self._atomic(sectors)
        return self._store(sectors, local)

    def _first_level(self, instruction: Instruction, local: bool) -> CacheModel | None:
        if local:
            return self._l1
        if instruction.read_only and self._read_only_path:
            return self._read_only
        return self._l1 if self._cached and instruction.cached else None

    def _load(self, sectors: list[int], level: CacheModel | None) -> Served:
        missing: list[int] = []
        if level is None:
            missing = sectors
        elif level.geometry.sector == SECTOR:
            missing = [s for s in sectors if not level.read(s * SECTOR)]
        else:
            per_line = level.geometry.sector // SECTOR
            for line in sorted({s // per_line for s in sectors}):
                if not level.read(line * level.geometry.sector):
                    missing += range(line * per_line, (line + 1) * per_line)
        assert self._l2 is not None
        return Served(len(missing), sum(not self._l2.read(s * SECTOR) for s in missing))

    def _store(self, sectors: list[int], local: bool) -> Served:
        assert self._l2 is not None
        if self._l1 and local and self._l1.geometry.sector != SECTOR:
            per_line = self._l1.geometry.sector // SECTOR
            for line in sorted({s // per_line for s in sectors}):
                self._l1.write(line * self._l1.geometry.sector, allocate=True)
            return Served(0, 0)
        for s in sectors:
            if self._l1 and self._lines:
                self._l1.invalidate(s * SECTOR)
            elif self._l1 and (local or self._cached):
                self._l1.write(s * SECTOR, allocate=False)
            self._l2.write(s * SECTOR, allocate=True)
        return Served(len(sectors), len(sectors))

    def _atomic(self, sectors: list[int]) -> Served:
        assert self._l2 is not None
        missed = 0
        for s in sectors:
            if self._l1:
                self._l1.invalidate(s * SECTOR)
            missed += not self._l2.write(s * SECTOR, allocate=True)
        return Served(len(sectors), missed)

    def _local_sectors(self, part: SpaceAccess, warp: int) -> list[int]:
        start = LOCAL_WINDOW + warp * self._warp_bytes
        return sorted(
            {
                (start + local_address(part.addresses[lane] + piece, lane)) // SECTOR
                for lane in lanes_of(part.mask)
                for piece in range(0, part.width, 4)
            }
        )


def _sectors(part: SpaceAccess) -> list[int]:
    return sorted({part.addresses[lane] // SECTOR for lane in lanes_of(part.mask)})
