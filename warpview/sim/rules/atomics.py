"""Order the lanes of an atomic operation: those that meet at one address are served one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpview.sim.rules.access import Transaction
from warpview.sim.rules.coalescing import LINE, SECTOR, bits, lanes_of, parts, tag_bank


def rounds(addresses: Sequence[int], lanes: Sequence[int]) -> list[list[int]]:
    """Return the lanes in rounds such that no two of a round share an address: round k has the k-th lane of each
    address."""
    seen: dict[int, int] = {}
    result: list[list[int]] = []
    for lane in lanes:
        turn = seen.get(addresses[lane], 0)
        seen[addresses[lane]] = turn + 1
        if turn == len(result):
            result.append([])
        result[turn].append(lane)
    return result


def collisions(addresses: Sequence[int], mask: int) -> int:
    """Return the largest number of lanes of the warp on one address, less one."""
    return max(0, len(rounds(addresses, lanes_of(mask))) - 1)


def global_passes(addresses: Sequence[int], mask: int, group_lanes: int, tag_masks: Sequence[int]) -> list[Transaction]:
    """Return the transactions of one global atomic: sectors of 32 bytes, some of them several times.

    Pass after pass, the lowest unserved lane picks its line of 128 bytes. Of the unserved lanes in that line those are
    served that are the first, over all lines with a tag in the same bank, at their offset in the line. So where lines
    do not share a bank, each sector is moved as often as the most used address in it has lanes; where they do, lanes at
    equal offsets of two lines get in one another's way as if they were at one address.

    Measured on CC 9.0 with 1,900 patterns (l1tex__t_sectors_pipe_lsu_mem_global_op_{red,atom}); for devices without
    ``tag_masks`` it is the rule that GPGPU-Sim has for CC 2.x: no two lanes of a transaction access the same bytes.
    ``group_lanes`` is 16 on CC 1.x, where half-warps are served by themselves, else 32.
    """
    result: list[Transaction] = []
    for part, lanes in parts(mask, group_lanes):
        turns: dict[int, int] = {}  # line -> passes so far
        for served in passes(addresses, lanes, tag_masks):
            line = addresses[served[0]] // LINE
            turns[line] = turns.get(line, 0) + 1
            note = f"pass {turns[line]} over this line" if turns[line] > 1 else ""
            for sector in sorted({addresses[lane] // SECTOR for lane in served}):
                here = [lane for lane in served if addresses[lane] // SECTOR == sector]
                result.append(Transaction(sector * SECTOR, SECTOR, bits(here), part, note))
    return result


def passes(addresses: Sequence[int], rest: Sequence[int], tag_masks: Sequence[int]) -> Iterator[list[int]]:
    """Yield the lanes that each pass of an atomic serves, all in one line; see ``global_passes``."""
    while rest:
        line = addresses[rest[0]] // LINE
        chosen = tag_bank(line, tag_masks)
        first: dict[int, int] = {}  # offset in the line -> lane
        for lane in rest:
            if tag_bank(addresses[lane] // LINE, tag_masks) == chosen:
                first.setdefault(addresses[lane] % LINE, lane)
        served = [lane for lane in first.values() if addresses[lane] // LINE == line]
        yield served
        rest = [lane for lane in rest if lane not in served]
