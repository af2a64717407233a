"""Says what one access adds to the raw counts of its instruction."""

from __future__ import annotations

from warpview.sim.layout import Raw
from warpview.sim.rules.access import GlobalAccess, SharedAccess

_BY_SIZE = {
    32: Raw.TRANSACTIONS_32,
    64: Raw.TRANSACTIONS_64,
    96: Raw.TRANSACTIONS_96,
    128: Raw.TRANSACTIONS_128,
}


def raw_counts(access: GlobalAccess | SharedAccess) -> dict[Raw, int]:
    """Return the increments of the memory columns for one warp-wide access (LANES and the like are not the rules').

    An access without a lane counts nothing. Otherwise REQUESTS is 1, whatever the width, and BYTES_REQUESTED lanes
    times width, for every space. Then

    - global, local and their atomics: TRANSACTIONS_n the transactions of n bytes. On CC 1.x these are what the bus
      carries; on 2.x lines of 128 bytes through L1 or 1 to 4 segments of 32 bytes around it; on 3.x the latter; on the
      read-only path of 3.x and from 5.0 on every one is a sector of 32 bytes. SECTORS is the sum of the sizes over 32.
      UNCOALESCED is 1 if the access broke the rule of CC 1.0, elsewhere if it took more transactions than the fewest
      that its width and lanes can need. COLLISIONS (atomics) is the largest number of lanes on one address, less one.
    - shared and constant: WAVEFRONTS the passes, IDEAL_WAVEFRONTS those that the width alone demands, SERIALIZED 1 if
      there were more than that; COLLISIONS as above.
    """
    if not access.lanes:
        return {}
    counts = {Raw.REQUESTS: 1, Raw.BYTES_REQUESTED: access.bytes_requested}
    if isinstance(access, GlobalAccess):
        for transaction in access.transactions:
            column = _BY_SIZE[transaction.size]
            counts[column] = counts.get(column, 0) + 1
        counts[Raw.SECTORS] = access.sectors
        counts[Raw.UNCOALESCED] = int(not access.coalesced)
    else:
        counts[Raw.WAVEFRONTS] = len(access.wavefronts)
        counts[Raw.IDEAL_WAVEFRONTS] = access.ideal
        counts[Raw.SERIALIZED] = int(access.conflicts > 0)
    counts[Raw.COLLISIONS] = access.collisions
    return {column: count for column, count in counts.items() if count}
