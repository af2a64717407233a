"""Describe the lanes whose access a fault suppresses: which elements they name, and how these lie to the array."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from warpview.isa.types import Space
from warpview.sim.launch import FindingKind
from warpview.trace.words import counted, quoted

BOUNDS = frozenset({FindingKind.OUT_OF_BOUNDS, FindingKind.MISALIGNED, FindingKind.NULL_POINTER})


@dataclass(frozen=True)
class SuppressedLanes:
    """Say which lanes of a step make no access, and why.

    Attributes
    ----------
    lanes : int
        Mask of the lanes.
    kind : FindingKind
        The fault of the first of them: one of ``BOUNDS``.
    space : Space
        Where the addresses lie.
    addresses : tuple of int
        The address of each lane of ``lanes``, in bytes, ascending by lane; one before the memory is negative.
    array : str
        Name of the array that is nearest to the first address, '' where there is none.
    base, size : int
        Address of the array and bytes of an element.
    dims : tuple of int
        Extents of the array.
    """

    lanes: int
    kind: FindingKind
    space: Space
    addresses: tuple[int, ...]
    array: str
    base: int
    size: int
    dims: tuple[int, ...]

    @property
    def count(self) -> int:
        """Return the number of elements of the array."""
        count = 1
        for extent in self.dims:
            count *= extent
        return count

    @property
    def indices(self) -> list[int]:
        """Return the element that each lane names, counted from the beginning of the array."""
        return [(address - self.base) // self.size for address in self.addresses]

    def lane_words(self, lane: int) -> str:
        """Return the words for one of the lanes."""
        at = (self.lanes & ((1 << lane) - 1)).bit_count()
        return replace(self, lanes=1 << lane, addresses=(self.addresses[at],)).words.replace("`", "")

    @property
    def words(self) -> str:
        """Return what is accessed and why it is not: "`buf[96..127]`, past the end of `buf[64]`: out of bounds, not
        executed"."""
        what = self.elements
        if self.kind == FindingKind.NULL_POINTER:
            what = f"address {self.addresses[0]:#x}"
        elif self.kind == FindingKind.OUT_OF_BOUNDS and self.array:
            what += f", {self.side}"
        return f"{what}: {self.kind.words}, not executed"

    @property
    def elements(self) -> str:
        """Return the elements that the lanes name, in back quotes."""
        if not self.array:
            return f"address {self.addresses[0]:#x} of {self.space} memory"
        wanted = sorted(set(self.indices))
        first, last = (self._element(k) for k in (wanted[0], wanted[-1]))
        if len(wanted) == 1:
            return quoted(first)
        if any(b != a + 1 for a, b in pairwise(wanted)):
            return f"{len(wanted)} elements from {quoted(first)} to {quoted(last)}"
        if len(self.dims) > 1:
            return f"{quoted(first)} to {quoted(last)}"
        return quoted(f"{self.array}[{wanted[0]}..{wanted[-1]}]")

    @property
    def side(self) -> str:
        """Return on which side of the array the elements lie."""
        declared = quoted(self.array + "".join(f"[{extent}]" for extent in self.dims))
        several = declared != self.elements  # `buf[64]` past the end of `buf[64]` would be two things by one name
        whole = declared if several else f"{quoted(self.array)}, which has {counted(self.count, 'element')}"
        if all(index >= self.count for index in self.indices):
            return f"past the end of {whole}"
        if all(index < 0 for index in self.indices):
            return f"before the beginning of {whole}"
        return f"outside {whole}"

    def _element(self, index: int) -> str:
        return self.array + "".join(f"[{k}]" for k in _indices(self.dims, index))


def _indices(dims: Sequence[int], index: int) -> list[int]:
    """Return the indices of an element of an array of these extents; the first one may lie outside."""
    places: list[int] = []
    for extent in reversed(dims[1:]):
        places.append(index % max(1, extent))
        index //= max(1, extent)
    return [index, *reversed(places)]
