"""Decide for the timing where the accesses of a multiprocessor are served: by L1, L2 or DRAM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
    """Count the sectors of one access that came from L2 or went to it, and those that went to or came from DRAM.
    ``far`` says that it waits for DRAM; ``lines`` are the lines of 128 bytes, 0 where they were not looked up."""

    from_l2: int
    dram: int
    far: bool
    lines: int = 0


class SmCaches:
    """The caches as this multiprocessor sees them when it is alone with the L2.

    A sector that lanes access is looked up once, sectors in ascending order. Stores are sent on to DRAM once the L2
    holds as many as it can; atomics are carried out at L2. On devices without an L2 everything is DRAM's. ``shares``
    and ``held`` are what the multiprocessor has of the L2: see sim/l2_share.py.
    """

    def __init__(
        self, device: Device, cached: bool, shared_bytes: int, local_bytes: int, shares: NDArray[np.int64], held: int
    ) -> None:
        self._shares, self._held = shares, held
        self._together = device.dram_sectors
        self._first_wave = False
        self._lines = device.coalescing == "lines"
        self._read_only_path = device.read_only_path
        self._cached = cached and device.l1_caches_global
        geometry = device.l1_with(shared_bytes)
        self._l1 = CacheModel(geometry) if geometry and geometry.sets else None
        separate = device.coalescing == "split_sectors" and device.read_only_cache
        self._read_only = CacheModel(separate) if separate else self._l1
        self._l2 = CacheModel(device.l2) if device.l2 else None
        self._warp_bytes = -(-local_bytes * 32 // LINE) * LINE

    def access(self, instruction: Instruction, parts: Sequence[SpaceAccess], warp: int, first_wave: bool) -> Served:
        """Send one access of warp ``warp`` (counted over the grid) through the caches. One that lies in several spaces
        goes past them. In the first wave of blocks all multiprocessors ask for the same data at the same time."""
        self._first_wave = first_wave
        spaces = [p for p in parts if isinstance(p.access, GlobalAccess)]
        moved = sum(p.access.sectors for p in spaces if isinstance(p.access, GlobalAccess))
        if self._l2 is None or not spaces or len(parts) > 1:
            return Served(0, moved, True)
        local = spaces[0].space == Space.LOCAL
        sectors = self._local_sectors(spaces[0], warp) if local else _sectors(spaces[0])
        lines = len({s * SECTOR // LINE for s in sectors})
        if instruction.op == Op.LD:
            return self._load(sectors, self._first_level(instruction, local))._replace(lines=lines)
        if instruction.op in ATOMIC_OPS:
            return self._atomic(sectors)._replace(lines=lines)
        return self._store(sectors, local)._replace(lines=lines)

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
        return self._fetch(missing)

    def _fetch(self, sectors: Sequence[int]) -> Served:
        """Read sectors through L2. What another multiprocessor brings in is as late as from DRAM in the first wave."""
        assert self._l2 is not None
        dram, missed = 0, False
        for sector in sectors:
            if not self._l2.read(sector * SECTOR):
                missed = True
                if self._brings_in(sector):
                    dram += 1 + self._read_along(sector)
        return Served(len(sectors), dram, dram > 0 or (self._first_wave and missed))

    def _read_along(self, sector: int) -> int:
        """Read the sectors that DRAM reads together with a sector; returns how many were not in L2."""
        assert self._l2 is not None
        first = sector // self._together * self._together
        others = [s for s in range(first, first + self._together) if s != sector and not self._l2.read(s * SECTOR)]
        for other in others:
            self._brings_in(other)
        return len(others)

    def _brings_in(self, sector: int) -> bool:
        """Return whether this multiprocessor brings a sector of an allocation into the L2, and count it."""
        for row in self._shares:
            if row[0] <= sector < row[1]:
                row[2] -= 1
                return bool(row[2] >= 0)
        return True

    def _store(self, sectors: list[int], local: bool) -> Served:
        assert self._l2 is not None
        if self._l1 and local and self._l1.geometry.sector != SECTOR:
            per_line = self._l1.geometry.sector // SECTOR
            for line in sorted({s // per_line for s in sectors}):
                self._l1.write(line * self._l1.geometry.sector, allocate=True)
            return Served(0, 0, False)
        for s in sectors:
            if self._l1 and self._lines:
                self._l1.invalidate(s * SECTOR)
            elif self._l1 and (local or self._cached):
                self._l1.write(s * SECTOR, allocate=False)
            self._l2.write(s * SECTOR, allocate=True)
        kept = min(len(sectors), self._held)
        self._held -= kept
        return Served(len(sectors), len(sectors) - kept, len(sectors) > kept)

    def _atomic(self, sectors: list[int]) -> Served:
        for s in sectors:
            if self._l1:
                self._l1.invalidate(s * SECTOR)
        return self._fetch(sectors)

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
