"""Keep global memory as one flat arena of allocations with guard space between them; an address is an index into it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warpview.diagnostics import LaunchError
from warpview.isa.types import CONST_WINDOW, LOCAL_WINDOW, SHARED_WINDOW

__all__ = ["CONST_WINDOW", "LOCAL_WINDOW", "SHARED_WINDOW", "Allocation", "DeviceMemory"]

FIRST_ADDRESS = 1 << 16  # nothing below: a null pointer plus a small offset is found
ALIGNMENT = 512  # what cudaMalloc guarantees at least
DEVICE_VARIABLES = "__device__ variables"  # the name of the allocation that holds those of a program
GUARD = 4096  # bytes that belong to nobody after each allocation
MOST_BYTES = 1 << 34  # of all buffers together: what a machine that runs the simulator can be expected to hold


@dataclass(frozen=True)
class Allocation:
    """Describe an allocation of ``size`` bytes from ``base``. ``initialised`` False for a buffer that nobody has
    written."""

    name: str
    base: int
    size: int
    initialised: bool = True

    @property
    def end(self) -> int:
        return self.base + self.size


def nearest(allocations: Iterable[Allocation], address: int) -> Allocation | None:
    """Return the allocation that holds the address, or the one nearest to it; None where there is none."""

    def distance(a: Allocation) -> int:
        return max(a.base - address, address - (a.end - 1), 0)

    return min(allocations, key=distance, default=None)


class DeviceMemory:
    """Hold the global memory of a device. Build it with ``allocate``, then hand it to an engine, which writes
    ``data``.

    ``data`` uint8[arena]; ``written`` bool[arena // 4], one a 32-bit word, or None while every buffer is initialised.
    """

    def __init__(self) -> None:
        self.allocations: list[Allocation] = []
        self._contents: list[NDArray[np.uint8] | None] = []
        self._next = FIRST_ADDRESS + GUARD  # what lies just before the first buffer is out of its bounds, not null
        self._data: NDArray[np.uint8] | None = None
        self.written: NDArray[np.bool_] | None = None
        self.launches = 0  # that have been bound to it

    @classmethod
    def over(
        cls, data: NDArray[np.uint8], written: NDArray[np.bool_] | None, allocations: Iterable[Allocation]
    ) -> DeviceMemory:
        """Return a memory that uses existing arrays in place: ``data`` uint8[arena] and ``written`` bool[arena // 4],
        and ``allocations``, ascending by address, lie in them."""
        memory = cls()
        memory.allocations = list(allocations)
        memory._next = len(data)
        memory._data = data
        memory.written = written
        return memory

    def allocate(self, name: str, size: int, contents: NDArray[np.uint8] | None) -> Allocation:
        """Reserve ``size`` bytes; ``contents`` None for uninitialised memory.

        Raises LaunchError where all buffers together would exceed ``MOST_BYTES``.
        """
        if self._data is not None:
            raise RuntimeError("memory is laid out already")
        if self._next + size > MOST_BYTES:
            limit = MOST_BYTES >> 30
            raise LaunchError(f"the buffers of the launch need more than {limit} GiB ('{name}' has {size} bytes)")
        allocation = Allocation(name, self._next, size, contents is not None)
        self.allocations.append(allocation)
        self._contents.append(contents)
        self._next = -(-(allocation.end + GUARD) // ALIGNMENT) * ALIGNMENT
        return allocation

    @property
    def data(self) -> NDArray[np.uint8]:
        """Return uint8[arena]; laid out at first use."""
        if self._data is None:
            try:
                self._data = np.zeros(self._next, dtype=np.uint8)
            except MemoryError:
                raise LaunchError(f"this machine has no {self._next} bytes of memory for the buffers") from None
            for allocation, contents in zip(self.allocations, self._contents, strict=True):
                if contents is not None:
                    self._data[allocation.base : allocation.end] = contents
            self._contents = []
            if not all(a.initialised for a in self.allocations):
                self.written = np.ones(self._next // 4, dtype=np.bool_)
                for a in self.allocations:
                    if not a.initialised:
                        self.written[a.base // 4 : -(-a.end // 4)] = False
        return self._data

    @property
    def nbytes(self) -> int:
        """Return the bytes of the arena, guard space included."""
        return self._next

    @property
    def kept_bytes(self) -> int:
        """Return the bytes of the contents, and of the marks of what has been written."""
        return self.data.nbytes + (0 if self.written is None else self.written.nbytes)

    def bounds(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return (bases, ends) of the allocations, int64[n], ascending."""
        return (
            np.array([a.base for a in self.allocations], dtype=np.int64),
            np.array([a.end for a in self.allocations], dtype=np.int64),
        )

    def nearest(self, address: int) -> Allocation | None:
        """Return the allocation that holds the address, or the one nearest to it; None where there is none."""
        return nearest(self.allocations, address)

    def restore(self, saved: DeviceMemory) -> None:
        """Put back the contents that a copy of this memory has kept."""
        self.data[:] = saved.data
        if self.written is not None and saved.written is not None:
            self.written[:] = saved.written

    def copy(self) -> DeviceMemory:
        """Return an independent copy with the present contents."""
        other = DeviceMemory()
        other.allocations = list(self.allocations)
        other._next = self._next
        other._data = self.data.copy()
        other.written = None if self.written is None else self.written.copy()
        return other
