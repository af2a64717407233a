"""Join a warp's loads and stores of global memory into transactions, by compute capability.

Every rule takes the byte addresses of 32 lanes, the bit mask of the lanes that take part and the bytes each moves,
and gives the transactions in the order in which they are issued.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpview.sim.rules.access import Transaction

SECTOR = 32
LINE = 128

# For the accessed 32-byte segments of one 128-byte line (bit k: segment k), the (first segment, segments) of the
# transactions that fetch or write them. A load takes each run of neighbours in one transaction of 1 to 4 segments ...
RUNS: tuple[tuple[tuple[int, int], ...], ...] = (
    (), ((0, 1),), ((1, 1),), ((0, 2),), ((2, 1),), ((0, 1), (2, 1)), ((1, 2),), ((0, 3),),
    ((3, 1),), ((0, 1), (3, 1)), ((1, 1), (3, 1)), ((0, 2), (3, 1)), ((2, 2),), ((0, 1), (2, 2)), ((1, 3),), ((0, 4),),
)  # fmt: skip
# ... and a store moves 1, 2 or 4 segments, aligned to its size.
PIECES: tuple[tuple[tuple[int, int], ...], ...] = (
    (), ((0, 1),), ((1, 1),), ((0, 2),), ((2, 1),), ((0, 1), (2, 1)), ((1, 1), (2, 1)), ((0, 2), (2, 1)),
    ((3, 1),), ((0, 1), (3, 1)), ((1, 1), (3, 1)), ((0, 2), (3, 1)), ((2, 2),), ((0, 1), (2, 2)), ((1, 1), (2, 2)),
    ((0, 4),),
)  # fmt: skip


def lanes_of(mask: int) -> list[int]:
    """Return the lanes of a bit mask, ascending."""
    return [lane for lane in range(mask.bit_length()) if mask >> lane & 1]


def parts(mask: int, lanes_per_part: int) -> Iterator[tuple[int, list[int]]]:
    """Return (part number, its lanes) for each part of the warp that has any."""
    for part in range(32 // lanes_per_part):
        lanes = lanes_of(mask & ((1 << lanes_per_part) - 1) << part * lanes_per_part)
        if lanes:
            yield part, lanes


def bits(lanes: Sequence[int]) -> int:
    """Return the bit mask of some lanes."""
    return sum(1 << lane for lane in lanes)


def tag_bank(line: int, masks: Sequence[int]) -> int:
    """Return the bank that has the tag of a 128-byte line: one bit for the parity of its number under each mask, or
    the line by itself where no masks are known."""
    if not masks:
        return line
    return sum(((line & mask).bit_count() & 1) << bit for bit, mask in enumerate(masks))


def strict(addresses: Sequence[int], mask: int, width: int) -> list[Transaction]:
    """Join accesses as CC 1.0 and 1.1 do (CUDA C Programming Guide 3.2, G.3.2.1): each half-warp by itself, loads and
    stores alike.

    See ``is_strictly_coalesced`` for the condition. Coalesced: one transaction of 64 or 128 bytes, two of 128 bytes for
    16-byte words (of which one that no lane needs is left out). Otherwise 32 bytes for every active thread.
    """
    result: list[Transaction] = []
    for half, lanes in parts(mask, 16):
        if is_strictly_coalesced(addresses, lanes, width):
            size = min(16 * width, LINE)
            for base in sorted({addresses[lane] // size * size for lane in lanes}):
                served = [lane for lane in lanes if addresses[lane] // size * size == base]
                result.append(Transaction(base, size, bits(served), half, "coalesced"))
        else:
            for lane in lanes:
                base = addresses[lane] // SECTOR * SECTOR
                result.append(Transaction(base, SECTOR, 1 << lane, half, "uncoalesced: one for each thread"))
    return result


def is_strictly_coalesced(addresses: Sequence[int], lanes: Sequence[int], width: int) -> bool:
    """Return whether the lanes of a half-warp satisfy CC 1.0: words of 4, 8 or 16 bytes, the k-th thread at the k-th
    word of an aligned region (64 bytes; 128 bytes; two segments of 128 bytes). Threads that take no part do not
    matter."""
    if width not in (4, 8, 16):
        return False
    start = addresses[lanes[0]] - lanes[0] % 16 * width
    aligned = start % min(16 * width, LINE) == 0
    return aligned and all(addresses[lane] == start + lane % 16 * width for lane in lanes)


def segments(addresses: Sequence[int], mask: int, width: int) -> list[Transaction]:
    """Join accesses as CC 1.2 and 1.3 do (CUDA C Programming Guide 3.2, G.3.2.2): each half-warp by itself, loads and
    stores alike.

    Take the segment of the lowest unserved thread (32 bytes for 1-byte words, 64 for 2-byte words, else 128), serve
    every thread in it, halve it while only one half is used and it is larger than 32 bytes; repeat.
    """
    first_size = {1: 32, 2: 64}.get(width, LINE)
    result: list[Transaction] = []
    for half, lanes in parts(mask, 16):
        while lanes:
            size = first_size
            base = addresses[lanes[0]] // size * size
            served = [lane for lane in lanes if addresses[lane] // size * size == base]
            low = min(addresses[lane] for lane in served)
            high = max(addresses[lane] for lane in served) + width - 1
            steps = [f"lowest thread {lanes[0]}: {size} bytes at {base}"]
            while size > SECTOR and low // (size // 2) == high // (size // 2):
                size //= 2
                part = "upper" if low // size * size != base else "lower"
                base = low // size * size
                steps.append(f"only the {part} half is used: {size} at {base}")
            result.append(Transaction(base, size, bits(served), half, "; ".join(steps)))
            lanes = [lane for lane in lanes if lane not in served]
    return result


def copied_sectors(sources: Sequence[int], targets: Sequence[int], mask: int) -> int:
    """Count the sectors of an asynchronous copy that bypasses the L1, as an H100 does: for each line of global memory
    the sectors of shared memory that its lanes write to. (Through the L1 it counts those of a load.)"""
    return len({(sources[lane] // LINE, targets[lane] // SECTOR) for lane in lanes_of(mask)})


def request_lanes(width: int) -> int:
    """Return the lanes of one request on CC 2.x and 3.x: words of 8 bytes are requested by half-warps, of 16 bytes by
    quarter-warps (CUDA C Programming Guide 3.2, G.4.2)."""
    return 32 // max(1, width // 4)


def lines(addresses: Sequence[int], mask: int, width: int) -> list[Transaction]:
    """Join accesses through the L1 of CC 2.x, and of local memory on 2.x and 3.x: each request takes whole lines of 128
    bytes."""
    result: list[Transaction] = []
    for part, lanes in parts(mask, request_lanes(width)):
        accessed = _lanes_by_unit(addresses, lanes, width, LINE)
        result += [Transaction(unit * LINE, LINE, served, part) for unit, served in accessed.items()]
    return result


def uncached(addresses: Sequence[int], mask: int, width: int, store: bool) -> list[Transaction]:
    """Join accesses that bypass the L1 on CC 2.x and 3.x (CUDA C Programming Guide 3.2, G.4.2; 5.5, G.5.2): each
    request takes segments of 32 bytes from L2; neighbours within a line travel together: a load's 1 to 4, a store's 1,
    2 or 4 aligned."""
    table = PIECES if store else RUNS
    result: list[Transaction] = []
    for part, lanes in parts(mask, request_lanes(width)):
        accessed = _lanes_by_unit(addresses, lanes, width, SECTOR)
        for line in dict.fromkeys(unit // 4 for unit in accessed):
            nibble = sum(1 << k for k in range(4) if line * 4 + k in accessed)
            for first, count in table[nibble]:
                units = range(line * 4 + first, line * 4 + first + count)
                served = 0
                for unit in units:
                    served |= accessed[unit]
                result.append(Transaction(units[0] * SECTOR, count * SECTOR, served, part))
    return result


def read_only_quads(addresses: Sequence[int], mask: int, width: int) -> list[Transaction]:
    """Join accesses through the read-only path of CC 3.5 (texture units): addresses become queries four threads at a
    time, each query takes the 32-byte segments it accesses; nothing is replayed (M. Hadwiger, "CUDA Memories, part
    4")."""
    result: list[Transaction] = []
    for quad, lanes in parts(mask, 4):
        accessed = _lanes_by_unit(addresses, lanes, width, SECTOR)
        result += [Transaction(unit * SECTOR, SECTOR, served, quad) for unit, served in accessed.items()]
    return result


def sectors(addresses: Sequence[int], mask: int, width: int) -> list[Transaction]:
    """Join accesses as CC 5.0 and later do: one request a warp whatever the width; each distinct 32-byte sector is
    moved once.

    The count is that of Nsight Compute's l1tex__t_sectors_pipe_lsu_mem_global_op_{ld,st}.
    """
    accessed = _lanes_by_unit(addresses, lanes_of(mask), width, SECTOR)
    return [Transaction(unit * SECTOR, SECTOR, served) for unit, served in accessed.items()]


def _lanes_by_unit(addresses: Sequence[int], lanes: Sequence[int], width: int, size: int) -> dict[int, int]:
    """Return for each unit of ``size`` bytes that lanes access (address // size), ascending, the bit mask of those
    lanes."""
    result: dict[int, int] = {}
    for lane in lanes:
        for unit in range(addresses[lane] // size, (addresses[lane] + width - 1) // size + 1):
            result[unit] = result.get(unit, 0) | 1 << lane
    return dict(sorted(result.items()))
