"""Describe how one warp-wide access was carried out, in pieces that a view can draw and a counter can add up."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Transaction:
    """Describe one global transaction: ``size`` bytes (32, 64, 96 or 128) from ``base``; ``lanes`` the mask of those
    served.

    ``group`` is the request part that caused it: half-warp 0 or 1, quarter-warp 0 to 3, or 0 for the whole warp.
    ``note`` says in a few words how the size came about (the segment protocol's steps).
    """

    base: int
    size: int
    lanes: int
    group: int = 0
    note: str = ""


@dataclass(frozen=True)
class GlobalAccess:
    """Describe a global, local or atomic access of one warp."""

    kind: str  # 'load', 'store', 'atomic', 'reduction'
    width: int  # bytes a lane
    lanes: int  # bit mask of the lanes that took part
    transactions: tuple[Transaction, ...]
    sectors: int
    ideal_transactions: int  # the fewest that this width and these lanes could need
    bytes_requested: int  # lanes x width
    bytes_used: int  # distinct bytes requested by lanes
    bytes_moved: int
    coalesced: bool
    collisions: int = 0  # atomics: largest number of lanes on one address - 1


@dataclass(frozen=True)
class Wavefront:
    """Describe one pass over the banks: the lanes served in it, and (bank, word index) pairs read or written."""

    lanes: int
    words: tuple[tuple[int, int], ...]
    broadcast: bool  # some word served several lanes


@dataclass(frozen=True)
class SharedAccess:
    """Describe a shared-memory (or constant) access of one warp."""

    kind: str
    width: int
    lanes: int
    wavefronts: tuple[Wavefront, ...]
    ideal: int
    banks: int
    bank_width: int
    bytes_requested: int
    collisions: int = 0

    @property
    def conflicts(self) -> int:
        return max(0, len(self.wavefronts) - self.ideal)

    @property
    def degree(self) -> int:
        """Return the n of "n-way conflict": passes over ideal passes, 1 where there is none."""
        return max(1, -(-len(self.wavefronts) // max(1, self.ideal)))


@dataclass(frozen=True)
class DistributedAccess:
    """Describe what an access of one warp to the shared memory of other blocks of its cluster takes."""

    kind: str
    width: int
    lanes: int
    sectors: int  # of 32 bytes, sent between multiprocessors
    wavefronts: int
    bytes_requested: int
    collisions: int = 0
    ideal: int = 1
