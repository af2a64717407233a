"""Represent a device: the facts of its board beside those of its compute capability, read in the same way."""

from __future__ import annotations

from dataclasses import dataclass, replace

from warpview.devices.capability import Capability
from warpview.devices.schema import fact, integer, integers, number, text
from warpview.diagnostics import WarpviewError


class DeviceError(WarpviewError):
    """The device does not exist, or its file is wrong; the message names the file and the key."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Device(Capability):
    """A device adds the facts of its board to those of its compute capability."""

    key: str
    name: str = fact("", text)
    chip: str = fact("", text)
    year: int = fact("board", integer(0, 2100), default=0)
    """the year of its launch; 0 where that is not known"""
    multiprocessors: int = fact("board", integer(1, 1024))
    cluster_multiprocessors: int = fact("board", integer(1, 32))
    """multiprocessors that share a texture/processor cluster: what one set of memory counters of CC 1.x covers"""
    cluster_groups: tuple[int, ...] = fact("board", integers(integer(1, 256)), default=())
    """multiprocessors of each group within which the blocks of a cluster lie; empty where that is not known"""
    clock_mhz: float = fact("board", number(100, 5000))
    """multiprocessor (shader) clock: the boost clock where there is one"""
    memory_gtps: float = fact("board", number(0.1, 100))
    """data rate of one memory pin, 10^9 transfers a second"""
    bus_bits: int = fact("board", integer(32, 16384))
    memory_bytes: int = fact("board", integer(0, 1 << 44), default=0)
    """global memory, as the runtime reports it or the vendor states it; 0 where it is not known"""
    core_mhz: float = fact("board", number(0, 5000), default=0.0)
    """clock of the memory partitions, where it is not that of the multiprocessors; 0 where it is not known"""
    memory_partitions: int = fact("board", integer(0, 64), default=0)
    """memory partitions across which addresses are striped in 256-byte pieces; 0 where addresses are hashed"""
    l2_slices: int = fact("board", integer(1, 1024), default=0)
    """slices of the L2 across which atomics are spread; 0: one for every 64 bits of the bus"""
    unverified: tuple[str, ...] = ()
    """keys ("section.key") whose values rest on no published source"""

    @property
    def atomic_units(self) -> int:
        """Return the number of slices of the L2, or of memory partitions, that carry out atomics."""
        return self.l2_slices or self.bus_bits // 64

    @property
    def dram_gbps(self) -> float:
        """Return peak memory bandwidth in 10^9 bytes a second."""
        return self.bus_bits / 8 * self.memory_gtps

    def __repr__(self) -> str:
        return f"<Device {self.key}: {self.name}, compute capability {self.version}>"

    def with_bank_width(self, width: int) -> Device:
        """Return the same device in another bank mode (cudaDeviceSetSharedMemConfig; 4 or 8 bytes on 3.x)."""
        if width not in self.shared_bank_widths:
            widths = " or ".join(map(str, self.shared_bank_widths))
            raise DeviceError(f"the shared-memory banks of {self.name} are {widths} bytes wide, not {width}")
        return replace(self, shared_bank_width=width)
