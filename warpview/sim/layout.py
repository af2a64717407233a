"""What the simulator counts, and how: columns of the raw counts that every engine keeps per instruction.

Every engine keeps an array ``counts[n_instructions, N_RAW]`` of int64, so that each counter can be
attributed to its instruction and source line. The declared counters of ``warpview.profile`` are sums
of these columns over sets of instructions.
"""

from __future__ import annotations

from enum import IntEnum


class Raw(IntEnum):
    """A column of the raw counts. "Lanes" are those of the path that issued the instruction."""

    EXECUTED = 0  # times a warp (or one path of it) issued the instruction
    LANES = 1  # lanes of the issuing path, added up
    LANES_ON = 2  # of these, lanes whose guard predicate held
    REQUESTS = 3  # memory: issues with at least one lane on
    TRANSACTIONS_32 = 4  # global/local: transactions of 32 bytes, 64, 96 and 128 bytes
    TRANSACTIONS_64 = 5
    TRANSACTIONS_96 = 6
    TRANSACTIONS_128 = 7
    SECTORS = 8  # global/local: 32-byte units moved (128-byte transaction = 4); atomics: see sim/rules/atomics.py
    BYTES_REQUESTED = 9  # lanes on x width
    WAVEFRONTS = 10  # shared (and constant: distinct addresses): passes
    IDEAL_WAVEFRONTS = 11  # passes that the width alone demands
    TAKEN = 12  # BRA: issues where at least one lane took it
    DIVERGENT = 13  # BRA: issues where some lanes took it and some did not
    COLLISIONS = 14  # atomics: (largest number of lanes on one address - 1), added up
    UNCOALESCED = 15  # global: requests that moved more transactions than their width alone demands
    SERIALIZED = 16  # shared and constant: requests that took more wavefronts than ideal


N_RAW = len(Raw)
