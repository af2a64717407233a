"""Locate what the driver puts into constant bank 0 of NVIDIA's machine code, as read from compiled kernels."""

from __future__ import annotations

from typing import NamedTuple


class BankPlaces(NamedTuple):
    """Give the offsets of what the driver puts into bank 0: the block's and the grid's shape, the windows of shared and
    of local memory (None where the code takes it from a special register), the end of the stack, the generic address
    of the ``__constant__`` variables; whether there are clusters, their blocks in each direction, the reciprocals of
    these (floats), the clusters of the grid in each direction, and the blocks of one altogether; the
    descriptor of global memory, which nothing here looks at; the bytes of dynamic shared memory, those of shared memory
    that the device reserves, and these with the block's; the number of multiprocessors; that of the
    launch (64 bits)."""

    block: int
    grid: int
    shared_window: int | None
    local_window: int
    stack: int
    constants: int
    has_clusters: int | None = None
    cluster: int | None = None
    cluster_reciprocals: int | None = None
    clusters: int | None = None
    cluster_blocks: int | None = None
    descriptor: int | None = None
    dynamic_shared: int | None = None
    reserved_shared: int | None = None
    whole_shared: int | None = None
    multiprocessors: int | None = None
    launch_number: int | None = None

    def is_filled(self, offset: int) -> bool:
        """Return whether a word is one that the driver fills in, of which a launch here knows the contents."""
        words = {
            self.block: 3, self.grid: 3, self.shared_window: 2, self.local_window: 2, self.stack: 1,
            self.constants: 2, self.has_clusters: 1, self.cluster: 3, self.cluster_reciprocals: 3, self.clusters: 3,
            self.cluster_blocks: 1, self.descriptor: 2, self.dynamic_shared: 1,
            self.reserved_shared: 1, self.whole_shared: 1, self.multiprocessors: 1, self.launch_number: 2,
        }  # fmt: skip
        return any(start is not None and start <= offset < start + 4 * count for start, count in words.items())


# By the architecture from which on they hold.
PLACES = {
    0: BankPlaces(0x00, 0x0C, 0x18, 0x20, 0x28, 0x50, descriptor=0x118, dynamic_shared=0x2C, reserved_shared=0x114,
                  multiprocessors=0x10C, launch_number=0x30),
    90: BankPlaces(0x00, 0x0C, 0x18, 0x20, 0x28, 0xD0, 0x140, 0x144, 0x150, 0x15C, 0x188, 0x208, 0x2C, 0x114, 0x13C,
                   0x10C, 0x30),
    100: BankPlaces(0x360, 0x370, None, 0x2F8, 0x37C, 0x120, 0x36C, 0x2A0, 0x2B0, 0x2C0, 0x2CC, 0x358, 0x2AC, 0x16C,
                    multiprocessors=0x2D0, launch_number=0x140),
}  # fmt: skip


def bank_places(architecture: int) -> BankPlaces:
    """Return the places of an architecture, such as 90 for sm_90."""
    return PLACES[max(first for first in PLACES if first <= architecture)]


OF_SPECIAL_REGISTERS = 5  # a bank of the simulator's own: the special registers that a launch decides, a word each
