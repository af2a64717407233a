"""Hold a bulk load while its bytes are on their way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from warpview.sim.reference.accesses import BlockMemory


@dataclass
class BulkLoad:
    """Hold where the bytes of a bulk load come from, how many they are, and the barriers that are told of them, each
    with the memory of its block."""

    start: int
    size: int
    told: list[tuple[BlockMemory, int]] = field(default_factory=list)
