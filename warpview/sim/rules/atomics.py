"""Atomic operations: how lanes that meet at one address are taken one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from warpview.sim.rules.access import Transaction
from warpview.sim.rules.coalescing import SECTOR, bits, lanes_of, parts


def rounds(addresses: Sequence[int], lanes: Sequence[int]) -> list[list[int]]:
    """The lanes in rounds such that no two of a round share an address: round k has the k-th lane of each address."""
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
    """Largest number of lanes of the warp on one address, less one."""
    return max(0, len(rounds(addresses, lanes_of(mask))) - 1)


def global_passes(addresses: Sequence[int], mask: int, group_lanes: int) -> list[Transaction]:
    """Transactions of one global atomic: each 32-byte sector as often as the most used address in it has lanes.

    Measured on CC 9.0 (l1tex__t_sectors_pipe_lsu_mem_global_op_{red,atom}), and the same as splitting the warp into
    transactions in which no two lanes touch the same bytes, as GPGPU-Sim does for CC 2.x; used for every capability.
    ``group_lanes`` is 16 on CC 1.x, where half-warps are served by themselves, else 32.
    """
    result: list[Transaction] = []
    for part, lanes in parts(mask, group_lanes):
        for sector in sorted({addresses[lane] // SECTOR for lane in lanes}):
            here = [lane for lane in lanes if addresses[lane] // SECTOR == sector]
            for turn, served in enumerate(rounds(addresses, here)):
                note = f"pass {turn + 1} over the same addresses" if turn else ""
                result.append(Transaction(sector * SECTOR, SECTOR, bits(served), part, note))
    return result
