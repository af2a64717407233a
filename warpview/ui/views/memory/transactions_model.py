"""Model a global access: what is requested and what moves for it, transaction by transaction, as data and in words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from warpview.isa.types import Space
from warpview.sim.rules import local_address
from warpview.sim.rules.access import GlobalAccess, Transaction
from warpview.trace.frame import LaneAddresses
from warpview.trace.words import counted
from warpview.ui.drawing import values
from warpview.ui.drawing.values import Buffers, LocalMemory, lanes_of, ranges
from warpview.ui.views.context import FrameContext

UNIT_NAMES = {"strict": "transaction", "segments": "transaction", "lines": "line", "sectors": "sector"}


@dataclass(frozen=True)
class Piece:
    """Hold a range of memory that moves, once or several times: the transactions on it by their order of issue."""

    base: int
    size: int
    orders: tuple[int, ...]
    lanes: int
    used: tuple[tuple[int, int, int], ...]  # (first byte, bytes, lane) within the piece, ascending


@dataclass(frozen=True)
class MemoryAccess:
    """Describe what a step did to global memory."""

    access: GlobalAccess
    at: LaneAddresses
    pieces: tuple[Piece, ...]
    unit: str  # what a piece is called on this device
    percent: float  # of the bytes moved, how many were asked for
    served: str  # which level of the memory had what, in words; "" where that is not known

    @property
    def verdict(self) -> str:
        if self.access.collisions:
            return f"{self.access.collisions + 1} lanes on one address"
        return f"{self.percent:.3g} % used"

    @property
    def sentences(self) -> tuple[str, ...]:
        """Return the number of transactions, e.g. 2 transactions where 1 would do, and shorter ways to say it."""
        a = self.access
        n = len(a.transactions)
        count = counted(n, self.unit)
        excess = f" where {a.ideal_transactions} would do" if n > a.ideal_transactions > 0 else ""
        moved = f"{a.bytes_used} of {a.bytes_moved} bytes"
        return (f"{count}{excess}, {moved} used", f"{count}{excess}, {moved}", f"{count}, {moved}", count)


def memory_access(context: FrameContext) -> MemoryAccess | None:
    """Return the memory side of this step's access; None where it accessed neither global nor local memory."""
    access, at = context.frame.access, context.frame.addresses
    if not isinstance(access, GlobalAccess) or at is None:
        return None
    pieces: dict[tuple[int, int], list[int]] = {}
    for order, t in enumerate(access.transactions):
        pieces.setdefault((t.base, t.size), []).append(order)
    found = tuple(
        Piece(base, size, tuple(orders), _lanes(access, orders), _used(at, _lanes(access, orders), base, size))
        for (base, size), orders in sorted(pieces.items())
    )
    unit = UNIT_NAMES.get(context.device.coalescing, "sector")
    if any(t.size != 32 for t in access.transactions) and unit == "sector":
        unit = "transaction"
    percent = 100 * access.bytes_used / access.bytes_moved if access.bytes_moved else 100.0
    served = context.frame.event.traffic.words(access.kind) if context.frame.event is not None else ""
    return MemoryAccess(access, at, found, unit, min(100.0, percent), served)


def _lanes(access: GlobalAccess, orders: list[int]) -> int:
    mask = 0
    for order in orders:
        mask |= access.transactions[order].lanes
    return mask


def places(at: LaneAddresses, lane: int) -> list[tuple[int, int]]:
    """Return the (address, bytes) ranges that a lane accesses. Local memory is dealt out to the lanes word by word."""
    address = int(at.address[lane])
    if at.space != Space.LOCAL:
        return [(address, at.width)]
    return [(local_address(address + k, lane), min(4, at.width - k)) for k in range(0, at.width, 4)]


def _used(at: LaneAddresses, lanes: int, base: int, size: int) -> tuple[tuple[int, int, int], ...]:
    used = {}
    for lane in lanes_of(lanes):
        for address, count in places(at, lane):
            first, last = max(base, address), min(base + size, address + count)
            if last > first:
                used[first - base, last - first] = lane
    return tuple((first, count, lane) for (first, count), lane in sorted(used.items()))


def buffers_of(context: FrameContext) -> Buffers:
    """Return the buffers of the launch by name."""
    at = context.frame.addresses
    if at is not None and at.space == Space.LOCAL:
        return LocalMemory()
    return values.buffers_of(context.program, context.launch, context.run.allocations)


def describe(found: MemoryAccess, order: int, buffers: Buffers) -> str:
    """Describe one transaction in words, with the steps of the old protocol where there are any."""
    t: Transaction = found.access.transactions[order]
    text = f"{order + 1}. {t.size} bytes from {buffers.name(t.base)} for lane{'s' if t.lanes.bit_count() > 1 else ''} "
    note = re.sub(r"at (\d+)", lambda m: f"at {buffers.name(int(m[1]))}", t.note)
    return text + ranges(t.lanes) + (f": {note}" if note else "")


def steps_in_words(found: MemoryAccess, buffers: Buffers) -> list[str]:
    """Return the transactions in order; of three or more in a row that come about alike, the first and the count."""
    lines: list[str] = []
    count = len(found.access.transactions)
    order = 0
    while order < count:
        end = order + 1
        while end < count and _alike(found, order, end):
            end += 1
        if end - order < 3:
            end = order + 1
            lines.append(describe(found, order, buffers))
        else:
            t = found.access.transactions[order]
            lanes = ranges(_lanes(found.access, list(range(order, end))))
            each = f"{order + 1} to {end}. {end - order} × {t.size} bytes for lanes {lanes}"
            lines.append(
                f"{each}, none with a neighbour" if "lowest thread" in t.note else f"{each}: {t.note}".rstrip(": ")
            )
        order = end
    return lines


def _alike(found: MemoryAccess, a: int, b: int) -> bool:
    """Return whether two transactions of one half-warp have the same size and came about in the same way."""
    first, second = found.access.transactions[a], found.access.transactions[b]
    return (first.group, first.size, _note_kind(first.note)) == (second.group, second.size, _note_kind(second.note))


def _note_kind(note: str) -> str:
    return re.sub(r"\d+|lower|upper", "#", note)
