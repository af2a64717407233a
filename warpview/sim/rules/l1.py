"""Count the cycles that a first-level cache takes for an access to global memory: those of the passes over its banks
of data, or those in which it looks up the tags.

Measured on CC 9.0 with 330 loads of lines that it holds, of 4, 8 and 16 bytes a lane (tests/truth/l1_h200.csv): the
data lie in the banks of shared memory, but no two parts of a wide load are served together; a line has its tag in one
of four banks, each of which looks up one a cycle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from warpview.devices import Device
from warpview.sim.rules import banks
from warpview.sim.rules.coalescing import LINE, lanes_of, tag_bank

TAG_BANKS = 4
LANE_BYTES = 4  # of a lane that a pass over the data moves at most


def tag_cycles(lines: Iterable[int], masks: Sequence[int]) -> int:
    """Return the cycles for looking up the tags of lines, one after the other in each bank; where no masks are known,
    as if the banks shared them."""
    if not masks:
        return -(-len(list(lines)) // TAG_BANKS)
    return max(Counter(tag_bank(line, masks) for line in lines).values())


def data_cycles(addresses: Sequence[int], mask: int, width: int, device: Device, kind: str) -> int:
    """Return the cycles for the data of a 'load' or 'store'. A store takes at least one more than a pass for each
    32-bit word of a lane."""
    passes = len(banks.wavefronts(addresses, mask, width, device, "store"))  # as loads, without merging pairs
    return max(passes, 1 + banks.ideal(addresses, mask, width, device, "store")) if kind == "store" else passes


def further_passes(data: int, width: int) -> int:
    """Return how many of the ``data`` cycles of an access its width alone does not demand."""
    return max(0, data - max(1, width // LANE_BYTES))


def cycles(addresses: Sequence[int], mask: int, width: int, device: Device, kind: str) -> int:
    """Return the cycles for which a 'load' or 'store' at byte ``addresses`` keeps the cache busy."""
    lines = {addresses[lane] // LINE for lane in lanes_of(mask)}
    return max(data_cycles(addresses, mask, width, device, kind), tag_cycles(lines, device.tag_bank_masks))
