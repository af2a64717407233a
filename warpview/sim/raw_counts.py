"""Define the columns of the raw counts that every engine keeps for each instruction.

Every engine keeps an array ``counts[n_instructions, N_RAW]`` of int64, so that each counter can be attributed to its
instruction and source line. The declared counters of ``warpview.profile`` are sums of these columns over sets of
instructions.

A column of memory accesses is a member of ``Raw`` with its row in ``FIGURES``. The row says what the reference counts;
the jit finds the figure under the member's name in lower case, in the record of an access pattern (``sim/jit/banks.py``
and ``coalescing.py`` fill it in).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum

from warpview.sim.rules.access import DistributedAccess, GlobalAccess, SharedAccess


class Raw(IntEnum):
    """Name a column of the raw counts. "Lanes" are those of the path that issued the instruction."""

    EXECUTED = 0  # times a warp (or one path of it) issued the instruction
    LANES = 1  # lanes of the issuing path, added up
    LANES_ON = 2  # of these, lanes whose guard predicate held
    TAKEN = 3  # BRA: issues where at least one lane took it
    DIVERGENT = 4  # BRA: issues where some lanes took it and some did not; WARPSYNC.EXCLUSIVE: further groups
    # Of machine code, what the counters of an H200's multiprocessor count beyond those of its instructions.
    REISSUED = 5  # WARPSYNC: issued once more for all when the lanes did not come together
    REISSUED_LANES = 6  # the lanes of these issues
    HALF_GUARDED = 7  # BRA, EXIT, BREAK: lanes of LANES_ON whose second predicate did not hold
    FURTHER_TARGETS = 8  # indirect branches, WARPSYNC.EXCLUSIVE: issues after the first whose lanes go another way
    IN_LOCAL = 9  # generic accesses: those of which some lanes lie in local memory
    # Memory: the figures of an access, added up. Those below come in the order of FIGURES.
    REQUESTS = 10
    BYTES_REQUESTED = 11
    TRANSACTIONS_32 = 12
    TRANSACTIONS_64 = 13
    TRANSACTIONS_96 = 14
    TRANSACTIONS_128 = 15
    SECTORS = 16
    UNCOALESCED = 17
    WAVEFRONTS = 18
    IDEAL_WAVEFRONTS = 19
    SERIALIZED = 20
    COLLISIONS = 21


Access = GlobalAccess | SharedAccess | DistributedAccess
Figure = Callable[[Access], int]


def _of_global(figure: Callable[[GlobalAccess], int]) -> Figure:
    """Return a figure of global memory, local memory and their atomics, which is 0 elsewhere."""
    return lambda access: figure(access) if isinstance(access, GlobalAccess) else 0


def _of_shared(figure: Callable[[SharedAccess], int]) -> Figure:
    """Return a figure of shared and constant memory, which is 0 elsewhere."""
    return lambda access: figure(access) if isinstance(access, SharedAccess) else 0


def _sectors(access: Access) -> int:
    return 0 if isinstance(access, SharedAccess) else access.sectors


def _wavefronts(access: Access) -> int:
    if isinstance(access, DistributedAccess):
        return access.wavefronts
    return len(access.wavefronts) if isinstance(access, SharedAccess) else 0


def _ideal_wavefronts(access: Access) -> int:
    return 0 if isinstance(access, GlobalAccess) else access.ideal


def _transactions(size: int) -> Figure:
    return _of_global(lambda access: sum(transaction.size == size for transaction in access.transactions))


# What one access of a warp adds to each column of memory.
FIGURES: Mapping[Raw, Figure] = {
    # Accesses with at least one lane on, whatever their width.
    Raw.REQUESTS: lambda access: 1,
    # Lanes that are on, times the width of the access.
    Raw.BYTES_REQUESTED: lambda access: access.bytes_requested,
    # Transactions of 32, 64, 96 and 128 bytes. On CC 1.x these are what the bus carries; on 2.x lines of 128 bytes
    # through L1 or 1 to 4 segments of 32 bytes past it; on 3.x the latter; on the read-only path of 3.x and from 5.0
    # on every one is a sector of 32 bytes.
    Raw.TRANSACTIONS_32: _transactions(32),
    Raw.TRANSACTIONS_64: _transactions(64),
    Raw.TRANSACTIONS_96: _transactions(96),
    Raw.TRANSACTIONS_128: _transactions(128),
    # Bytes of the transactions over 32; of atomics see sim/rules/atomics.py. Also of the shared memory of other blocks.
    Raw.SECTORS: _sectors,
    # 1 where the access broke the rule of CC 1.0, elsewhere where it took more transactions than the fewest that its
    # width and lanes can need; never of local memory, whose layout is not the programmer's choice.
    Raw.UNCOALESCED: _of_global(lambda access: int(not access.coalesced)),
    # Passes over the banks; of constant memory, distinct addresses; of the shared memory of other blocks, see
    # sim/rules/distributed.py.
    Raw.WAVEFRONTS: _wavefronts,
    # Passes that the width of the access alone demands.
    Raw.IDEAL_WAVEFRONTS: _ideal_wavefronts,
    # 1 where there were more passes than that.
    Raw.SERIALIZED: _of_shared(lambda access: int(access.conflicts > 0)),
    # Of atomics: the largest number of lanes on one address, less one.
    Raw.COLLISIONS: lambda access: access.collisions,
}
FIRST_FIGURE = min(FIGURES)
assert list(FIGURES) == list(range(FIRST_FIGURE, len(Raw)))  # contiguous, which the jit relies on
N_RAW = len(Raw) + 2 * len(FIGURES)


def elsewhere(figure: Raw) -> int:
    """Return the column of what a generic access adds to a figure for the lanes in the block's own shared memory or in
    local memory."""
    return figure + len(FIGURES)


def in_other_blocks(figure: Raw) -> int:
    """Return the column of what a generic access adds to a figure for the lanes in the shared memory of other
    blocks."""
    return figure + 2 * len(FIGURES)


def name_of(column: int) -> str:
    """Return what a column counts, for a message."""
    further, figure = divmod(max(0, column - FIRST_FIGURE), len(FIGURES))
    return Raw(figure + FIRST_FIGURE if further else column).name + ("", " elsewhere", " in other blocks")[further]


def memory_counts(access: Access) -> dict[Raw, int]:
    """Return what one warp-wide access adds to the columns of memory, without zeros; an access without a lane adds
    nothing."""
    if not access.lanes:
        return {}
    counts = {column: figure(access) for column, figure in FIGURES.items()}
    return {column: count for column, count in counts.items() if count}
