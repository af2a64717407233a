"""Count what an access to the shared memory of other blocks of a cluster takes.

Measured on an H100 (tests/truth/distributed_h100.csv): such an access passes the stage of tags of the L1, as one to
global memory does. It is one request; a load or store moves each sector of 32 bytes that the lanes access once, an
atomic as often as one on global memory does. A wavefront looks up one line of 128 bytes in each bank of tags.

The bank depends on the block, too: with up to four blocks it is that of addresses which have the rank from bit
RANK_SHIFT on. Others would fit as well; of larger clusters it is not known.
"""

from __future__ import annotations

from collections.abc import Sequence

from warpview.devices import Device
from warpview.sim.rules import atomics
from warpview.sim.rules.access import DistributedAccess
from warpview.sim.rules.coalescing import LINE, SECTOR, lanes_of
from warpview.sim.rules.l1 import tag_cycles

RANK_SHIFT = 25
RESERVED = 1024  # bytes of shared memory before those of the kernel, which no address of a kernel as written counts


def distributed_access(kind: str, addresses: Sequence[int], mask: int, width: int, device: Device) -> DistributedAccess:
    """Carry out a load, store or atomic at addresses within shared memory and ranks from RANK_SHIFT on."""
    lanes = lanes_of(mask)
    if kind in ("atomic", "reduction"):
        served = list(atomics.passes(addresses, lanes, device.tag_bank_masks))
    else:
        served = [[lane for lane in lanes if addresses[lane] // LINE == line] for line in _lines(addresses, lanes)]
    return DistributedAccess(
        kind,
        width,
        mask,
        sum(len({addresses[lane] // SECTOR for lane in together}) for together in served),
        tag_cycles([addresses[together[0]] // LINE for together in served], device.tag_bank_masks),
        mask.bit_count() * width,
        atomics.collisions(addresses, mask) if kind in ("atomic", "reduction") else 0,
    )


def _lines(addresses: Sequence[int], lanes: Sequence[int]) -> set[int]:
    return {addresses[lane] // LINE for lane in lanes}
