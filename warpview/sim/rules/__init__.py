"""Define the rules of memory: the cost of one warp-wide access on a device.

All functions take 32 addresses or byte offsets (those of lanes outside ``mask`` are ignored), aligned to ``width``, the
bytes that each lane moves. ``kind`` is 'load', 'store', 'atomic' (returns a value) or 'reduction' (does not).
"""

from __future__ import annotations

from collections.abc import Sequence

from warpview.devices import Device
from warpview.sim.rules import atomics, banks, coalescing, constant
from warpview.sim.rules.access import DistributedAccess, GlobalAccess, SharedAccess, Transaction, Wavefront
from warpview.sim.rules.codes import RuleCodes, caches_loads, rule_codes, serves_quads
from warpview.sim.rules.distributed import distributed_access

__all__ = [
    "DistributedAccess",
    "GlobalAccess",
    "RuleCodes",
    "SharedAccess",
    "Transaction",
    "Wavefront",
    "atomic_access",
    "const_access",
    "distributed_access",
    "global_access",
    "local_access",
    "local_address",
    "rule_codes",
    "shared_access",
]


def global_access(
    kind: str,
    addresses: Sequence[int],
    mask: int,
    width: int,
    device: Device,
    cached: bool = True,
    read_only: bool = False,
) -> GlobalAccess:
    """Carry out a load or store of global memory, or (by ``kind``) an atomic.

    ``cached`` sends loads through L1 where the run can choose (CC 2.x); ``read_only`` is a load by the read-only path.
    """
    if kind in ("atomic", "reduction"):
        return atomic_access(kind, addresses, mask, width, device)
    store = kind == "store"
    if device.coalescing == "strict":
        found = coalescing.strict(addresses, mask, width)
        halves = [lanes for _, lanes in coalescing.parts(mask, 16)]
        coalesced = all(coalescing.is_strictly_coalesced(addresses, lanes, width) for lanes in halves)
        return _global(kind, addresses, mask, width, found, _ideal(mask, width, 16, 128), coalesced)
    if device.coalescing == "segments":
        found = coalescing.segments(addresses, mask, width)
        return _global(kind, addresses, mask, width, found, _ideal(mask, width, 16, 128))
    if device.coalescing == "sectors":
        found = coalescing.sectors(addresses, mask, width)
        return _global(kind, addresses, mask, width, found, _ideal(mask, width, 32, 32))
    if read_only and not store and serves_quads(device):
        found = coalescing.read_only_quads(addresses, mask, width)
        return _global(kind, addresses, mask, width, found, _ideal(mask, width, 4, 32))
    if not store and caches_loads(device, cached):
        found = coalescing.lines(addresses, mask, width)
    else:
        found = coalescing.uncached(addresses, mask, width, store)
    return _global(kind, addresses, mask, width, found, _ideal(mask, width, coalescing.request_lanes(width), 128))


def atomic_access(kind: str, addresses: Sequence[int], mask: int, width: int, device: Device) -> GlobalAccess:
    """Carry out an atomic on global memory; ``kind`` is 'atomic' or 'reduction'."""
    group = rule_codes(device).global_atomic_group
    found = atomics.global_passes(addresses, mask, group, device.tag_bank_masks)
    ideal = _ideal(mask, width, group, coalescing.SECTOR)
    return _global(kind, addresses, mask, width, found, ideal, collisions=atomics.collisions(addresses, mask))


def local_address(offset: int, lane: int) -> int:
    """Return where byte ``offset`` of a thread's local memory lies in its warp's: consecutive 32-bit words belong to
    consecutive lanes (CUDA C Programming Guide 3.2, 5.3.2.2)."""
    return (offset // 4 * 32 + lane) * 4 + offset % 4


def local_access(kind: str, offsets: Sequence[int], mask: int, width: int, device: Device) -> GlobalAccess:
    """Carry out a load or store of local memory at each lane's own byte offset.

    An access wider than 4 bytes takes its 32-bit words one after the other (measured on CC 9.0, which counts a request
    for each; here an access is one request in every space). CC 2.x and 3.x cache local memory in the
    128-byte lines of L1, loads and stores; elsewhere it is served like global memory. It counts as coalesced: where its
    words lie is not the programmer's choice.
    """
    piece = min(width, 4)
    found: list[Transaction] = []
    ideal = 0
    for start in range(0, width, 4):
        addresses = [local_address(offset + start, lane) for lane, offset in enumerate(offsets)]
        if device.coalescing in ("lines", "split_sectors"):
            lines = coalescing.lines(addresses, mask, piece)
            part = _global(kind, addresses, mask, piece, lines, _ideal(mask, piece, 32, 128))
        else:
            part = global_access(kind, addresses, mask, piece, device)
        found += part.transactions
        ideal += part.ideal_transactions
    lanes = mask.bit_count()
    moved = sum(transaction.size for transaction in found)
    return GlobalAccess(
        kind, width, mask, tuple(found), moved // 32, ideal, lanes * width, lanes * width, moved, coalesced=True
    )


def shared_access(kind: str, offsets: Sequence[int], mask: int, width: int, device: Device) -> SharedAccess:
    """Carry out a load, store or atomic of shared memory."""
    atomic = kind in ("atomic", "reduction")
    found = banks.wavefronts(offsets, mask, width, device, kind)
    return SharedAccess(
        kind,
        width,
        mask,
        tuple(found),
        banks.ideal(offsets, mask, width, device, kind),
        device.shared_banks,
        device.shared_bank_width,
        mask.bit_count() * width,
        atomics.collisions(offsets, mask) if atomic else 0,
    )


def const_access(offsets: Sequence[int], mask: int, width: int, device: Device) -> SharedAccess:
    """Carry out a load of constant memory: one "bank" delivers one address a pass."""
    found = constant.passes(offsets, mask, device.constant_group)
    ideal = sum(1 for _ in coalescing.parts(mask, device.constant_group))
    return SharedAccess("load", width, mask, tuple(found), ideal, 1, width, mask.bit_count() * width)


def _ideal(mask: int, width: int, group: int, size: int) -> int:
    """Return the fewest transactions of at most ``size`` bytes that the lanes of each group could need."""
    return sum(-(-len(lanes) * width // size) for _, lanes in coalescing.parts(mask, group))


def _global(
    kind: str,
    addresses: Sequence[int],
    mask: int,
    width: int,
    transactions: list[Transaction],
    ideal: int,
    coalesced: bool | None = None,
    collisions: int = 0,
) -> GlobalAccess:
    lanes = coalescing.lanes_of(mask)
    used = {addresses[lane] + byte for lane in lanes for byte in range(width)}
    moved = sum(transaction.size for transaction in transactions)
    return GlobalAccess(
        kind=kind,
        width=width,
        lanes=mask,
        transactions=tuple(transactions),
        sectors=moved // coalescing.SECTOR,
        ideal_transactions=ideal,
        bytes_requested=len(lanes) * width,
        bytes_used=len(used),
        bytes_moved=moved,
        coalesced=len(transactions) <= ideal if coalesced is None else coalesced,
        collisions=collisions,
    )
