"""Keep a program's device memory in one file that the host part and the simulator both map, so that nothing is copied.
A pointer that the program holds is an offset in the file, and an address to the simulator."""

from __future__ import annotations

import bisect
import mmap
import os
import tempfile
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from warpview.host.channel import SourcePlace
from warpview.sim.memory import FIRST_ADDRESS, GUARD, Allocation, DeviceMemory

PAGE = 1 << 16  # managed memory begins and ends on such a boundary: the largest page of the systems supported
ALIGNMENT = 512  # what cudaMalloc guarantees at least
# Freed memory is not handed out again before this many bytes lie idle, so that its use is found.
QUARANTINE = 64 << 20
ON_HOST = ("managed", "pinned")  # kinds of memory that the host reads and writes at the same addresses


@dataclass
class MemoryBlock:
    """Describe an allocation of device memory. ``place`` allocated it, ``freed`` gave it back."""

    base: int
    size: int
    name: str
    place: SourcePlace
    kind: str  # "device", "managed", "pinned", "registered", "array", "texture", "symbol" or "constants"
    freed: SourcePlace | None = None
    kept: bool = False  # belongs to the program as a whole, and need not be freed
    filled: bool = False  # every byte was written by the host
    span: int = 0  # bytes reserved from ``base`` on

    @property
    def end(self) -> int:
        return self.base + self.size


@dataclass
class Arena:
    """Reserve ``limit`` bytes of address space, which are taken from the system as they are used. Close it."""

    limit: int
    capacity: int  # bytes that may be allocated at one time
    file: int = field(init=False)
    used: int = 0

    def __post_init__(self) -> None:
        self.file = _anonymous_file(self.limit)
        self._map = mmap.mmap(self.file, self.limit)
        self._data = np.frombuffer(self._map, dtype=np.uint8)
        self._marks = mmap.mmap(-1, self.limit // 4)
        self._written = np.frombuffer(self._marks, dtype=np.bool_)
        self._bases: list[int] = []
        self._blocks: list[MemoryBlock] = []
        self._idle: list[MemoryBlock] = []  # freed, oldest first
        self.freed: list[MemoryBlock] = []
        self._top = FIRST_ADDRESS + GUARD

    def close(self) -> None:
        """Give the memory back. Views of it that are still held keep it."""
        del self._data, self._written
        for mapped in (self._map, self._marks):
            try:
                mapped.close()
            except BufferError:
                continue
        os.close(self.file)

    @property
    def blocks(self) -> list[MemoryBlock]:
        """Return the live allocations, ascending by address."""
        return list(self._blocks)

    def allocate(self, size: int, name: str, place: SourcePlace, kind: str = "device") -> MemoryBlock | None:
        """Reserve ``size`` bytes; None where there are not so many."""
        if size < 0 or self.used + size > self.capacity:
            return None
        block = self._recycled(size, kind) or self._fresh(size, kind)
        if block is None:
            return None
        block.name, block.place = name, place
        at = bisect.bisect(self._bases, block.base)
        self._bases.insert(at, block.base)
        self._blocks.insert(at, block)
        self.used += size
        return block

    def _fresh(self, size: int, kind: str) -> MemoryBlock | None:
        alignment = PAGE if kind in ON_HOST else ALIGNMENT
        base = -(-self._top // alignment) * alignment
        span = -(-(max(size, 1) + (0 if kind in ON_HOST else GUARD)) // alignment) * alignment
        if base + span > self.limit:
            return None
        self._top = base + span + (GUARD if kind in ON_HOST else 0)
        return MemoryBlock(base, size, "", SourcePlace(), kind, span=span)

    def _recycled(self, size: int, kind: str) -> MemoryBlock | None:
        """Return freed memory, if so much of it lies idle that it may be used again."""
        if sum(block.span for block in self._idle) < QUARANTINE:
            return None
        for k, idle in enumerate(self._idle):
            needed = size + (0 if kind in ON_HOST else GUARD)
            if idle.kind == kind and needed <= idle.span <= 2 * needed:
                del self._idle[k]
                self.freed.remove(idle)
                return MemoryBlock(idle.base, size, "", SourcePlace(), kind, span=idle.span)
        return None

    def free(self, block: MemoryBlock, place: SourcePlace) -> None:
        """Give an allocation back; its contents are gone."""
        at = bisect.bisect_left(self._bases, block.base)
        del self._bases[at], self._blocks[at]
        block.freed = place
        self.used -= block.size
        self._written[block.base // 4 : -(-block.end // 4)] = False
        self._data[block.base : block.end] = 0
        first, last = -(-block.base // PAGE) * PAGE, block.end // PAGE * PAGE
        if last > first and hasattr(mmap, "MADV_REMOVE"):
            self._map.madvise(mmap.MADV_REMOVE, first, last - first)
        self._idle.append(block)
        self.freed.append(block)

    def holding(self, address: int) -> MemoryBlock | None:
        """Return the live allocation that holds the address (its end included where nothing follows); None where none
        does."""
        at = bisect.bisect(self._bases, address) - 1
        if at >= 0 and self._blocks[at].base <= address < max(self._blocks[at].end, self._blocks[at].base + 1):
            return self._blocks[at]
        return None

    def once_held(self, address: int) -> MemoryBlock | None:
        """Return the allocation that held the address until it was freed, the last one of several."""
        return next((b for b in reversed(self.freed) if b.base <= address < b.end), None)

    def view(self, address: int, size: int) -> NDArray[np.uint8]:
        """Return uint8[size], the memory itself."""
        return self._data[address : address + size]

    def is_any_written(self, address: int, size: int) -> bool:
        """Return whether any word of a range was written."""
        return bool(self._written[address // 4 : -(-(address + size) // 4)].any())

    def mark_written(self, block: MemoryBlock, address: int, size: int) -> None:
        """Note that a stretch of an allocation was written by a copy or by the host."""
        self._written[address // 4 : -(-(address + size) // 4)] = True
        block.filled = block.filled or (address == block.base and size >= block.size)

    def written_marks(self, block: MemoryBlock) -> NDArray[np.bool_]:
        """Return bool[words], the marks of an allocation's words themselves."""
        return self._written[block.base // 4 : -(-block.end // 4)]

    def memory(self) -> DeviceMemory:
        """Return the memory as the simulator takes it; it is changed in place."""
        top = -(-self._top // 256) * 256
        allocations = [Allocation(b.name, b.base, b.size, b.filled) for b in self._blocks]
        return DeviceMemory.over(self._data[:top], self._written[: top // 4], allocations)


def _anonymous_file(size: int) -> int:
    """Return a file of ``size`` bytes without a name, in memory where the system has such files. The caller closes
    it."""
    if hasattr(os, "memfd_create"):
        file = os.memfd_create("warpview")
    else:
        file, path = tempfile.mkstemp(prefix="warpview-")
        os.unlink(path)
    os.ftruncate(file, size)
    return file
