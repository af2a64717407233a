"""Define the state of the machine as records that jitted code sees by address.

Python allocates them as numpy structured arrays (``machine.py``); compiled code gets addresses, so that a call costs a
few integers. All scalars are int64; lane masks have their upper half zero. Fields that end in ``_at`` are addresses.

Registers of a warp are ``rows32`` rows of 32 lanes of 32 bits, then ``rows64`` rows of 32 lanes of 64 bits; an operand
of a decoded instruction is the byte offset of its row therein.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from warpview.isa.modes import BARRIERS_A_BLOCK
from warpview.sim.checks.access_log import LOG_FIELDS
from warpview.sim.raw_counts import FIGURES
from warpview.sim.rules.bulk import SLOTS
from warpview.sim.rules.codes import RuleCodes

MAX_PATHS = 66  # a stack cannot be deeper: each divergence adds two entries and halves at most 32 lanes
MAX_SPLITS = 33  # slots; at most 32 are in use, of at least one lane each
MAX_BARRIERS = 64  # of a warp: sets of lanes, nested or disjoint; at least two lanes each, fewer if it is open
LANES = 32
ROW32, ROW64 = 4 * LANES, 8 * LANES  # bytes of a row
MAX_BANKS = 64
BANKS = 32  # of the shared memory of devices whose machine code has test-and-set
MATRIX_ELEMENTS = 928  # of A and B of a matrix instruction, at most 16 x 32 and 32 x 8, a column of B, the result
PRINT_VALUES = 16  # arguments of a printf kept
WORD, WIDE, STRING = 0, 1, 2  # what an argument is: 32 bits, 64 bits, or the generic address of a string
NO_TEXT, NULL_TEXT = -1, -2  # in place of the place of a string that is kept


class Status(IntEnum):
    """Name the outcomes of a step of a warp."""

    RAN = 0  # something was issued
    WAITING = 1  # no path of the warp can run: block barrier, or paths that wait for one another
    DONE = 2  # all lanes have exited
    ABORTED = 3  # a finding that ends the launch
    CANCELLED = 4
    PARKED = 5  # nothing was issued: a path began to wait at a collective


class Wait(IntEnum):
    """A wait is the reason why a path does not run."""

    NO = 0
    BLOCK_BARRIER = 1
    COLLECTIVE = 2


def record(*fields: str | tuple[str, int]) -> np.dtype:
    """Return a record of int64 fields: names, or (name, length) for arrays."""
    return np.dtype([(f, np.int64) if isinstance(f, str) else (f[0], np.int64, f[1:]) for f in fields], align=True)


# One decoded instruction; see decode.py. Operands are byte offsets in the warp's registers, NONE where there is none.
INSTRUCTION = record(
    "kind", "action", "op", "type", "mod", "space", "dst", "a", "b", "c", "d", "guard", "guard_flip", "imm", "vec",
    "width", "target", "reconvergence", "read_only", "size", "is_wide", "is_signed", "narrow_bits", "row_bytes",
    "members", "values_at", "n_values",
    "low", "high",  # of the variable that is accessed, in its space; ``high`` 0 where that is not known
    "spins",  # a branch that leaves a loop which waits for other threads: a Spin
    "trap",  # the check of integer_traps.py, 0 for none
    "is_ordered",  # a load of shared memory with which no store can race
    "global_access", "strong",  # of global memory: the kind of access as race_screen.py has it; whether it synchronises
    # of NVIDIA's machine code: see native_decode.py
    "native", "variant", "extra", "widen", "uniform", "wide_address", "address_shift", "e", "u", "v", "p", "q", "r",
    "shared_base",
    "p_flip", "q_flip", "r_flip", "a_keep", "a_flip", "b_keep", "b_flip", "c_keep", "c_flip", "guard2", "guard2_flip",
    "meets", "meets_flip",
    "matrices", "transposed",  # of LDSM: how many it loads, 0 for other instructions
    "is_serial",  # an atomic of shared memory whose lanes on one word take turns
    "second_at",  # of LDGSTS: the record of its store, 0 for other instructions
    "bypasses", "is_sized",  # of that store, as CopyTarget has it
)  # fmt: skip

# A warp. A path is a stack entry (bottom first, the last one runs) or a split (mask 0: slot not in use).
# ``path_rpc`` is where it meets the others, NONE if nowhere; ``path_barrier`` its convergence barrier, NONE without.
WARP = record(
    "slot", "index", "block_at", "registers_at", "local_at", "local_written_at",
    "local_low", "local_high",  # the first byte and the last + 1 of a thread's local memory that any lane has written
    "live",  # lanes that have not exited
    "cluster_arrived",  # lanes that have arrived at the barrier of the cluster, whose phase goes on
    "issued",  # instructions issued, by all paths
    # See livelock.py: when it is looked at next, how often it has been; its state then, and the changes of memory until
    # then; one more than these when it was found to go in circles
    "look_at", "looks", "seen_state", "seen_changes", "circles",
    "clock",  # of a block that keeps pace (pace.py): the cycle in which it goes on
    "first_live",  # lanes that there were at first
    "undefined_at",  # lane masks of undefined.py, one for each row of 32 bits; 64-bit rows have every other one
    "exit_pc",  # where lanes exited last, NONE if none has
    "segment",  # how often all living lanes have met at a warp primitive
    "n_paths", "current", "last_lane", "at_barrier",
    "named",  # 1 + the number of the barrier that it has arrived at and waits at, 0 at none (named_barriers.py)
    "yielded",  # lanes that have executed YIELD, until their path runs again
    # 1: the last to be issued was YIELD, read the time, found a phase of a barrier in shared memory not over, or let no
    # lane out of a loop that waits for other threads
    "yields",
    # Of machine code: the number of turns given out, and the jumps back in this turn; see the reference's paths.py
    "native", "turns", "jumps",
    "waits",  # how often it has stayed at an instruction that waits for a barrier in shared memory
    "polled", "polled_value",  # one more than the word that it loaded from the L2 last, and what it found there
    "arrivals",  # at convergence barriers, of lanes that wait there, since the next instruction was looked for last
    ("path_pc", MAX_PATHS), ("path_mask", MAX_PATHS), ("path_rpc", MAX_PATHS), ("path_barrier", MAX_PATHS),
    ("path_wait", MAX_PATHS), ("path_members", MAX_PATHS),
    ("path_turn", MAX_PATHS), ("path_way", MAX_PATHS), ("path_late", MAX_PATHS),
    ("path_retried", MAX_PATHS), ("path_again", MAX_PATHS),
    # Where a path was picked out of turn last, on how many ways it had come, and the lanes that had waited there.
    ("path_picked", MAX_PATHS), ("path_ways", MAX_PATHS), ("path_joined", MAX_PATHS),
    # How often barriers of a stuck warp were issued in vain, whether the next one opens, and where who waited last.
    "failures", "opens", "waited_at", "waited",
    "excuses",  # whether a barrier of machine code at which lanes wait opens without those that have yielded
    ("barrier_rpc", MAX_BARRIERS), ("barrier_members", MAX_BARRIERS), ("barrier_arrived", MAX_BARRIERS),
    ("barrier_parent", MAX_BARRIERS), ("barrier_open", MAX_BARRIERS),
)  # fmt: skip

# A resident block. ``barriers`` counts block barriers; ``epoch`` does so, too, and begins again at 1 when its field in
# a shadow word is full; ``first_span`` see race_screen.py.
BLOCK = record(
    "slot", "block",
    "position",  # of the block in the list of all clusters' blocks; -1 in a slot that no block has had
    "window",  # what its addresses of shared memory in machine code begin with, above bit 23: its rank
    "first_warp_at", "n_warps", "shared_at", "shadow_at", "epoch", "barriers",
    "cluster_shadow_at",  # see cluster_races.py
    "first_span",
    "unwritten",  # words of shared memory that has not been written; more where the bytes of a word are told apart
    "arrived", "holding",  # of BAR_RED: threads that wait there, and those of them whose predicate holds
    # Barriers with a number: threads that have arrived, how many the first of them waits for, its place and thread
    ("named_arrived", BARRIERS_A_BLOCK), ("named_threads", BARRIERS_A_BLOCK), ("named_pc", BARRIERS_A_BLOCK),
    ("named_thread", BARRIERS_A_BLOCK),
    # Of a reduction there: lanes whose predicate holds, and others.
    ("named_holding", BARRIERS_A_BLOCK), ("named_failing", BARRIERS_A_BLOCK),
    # By bank of shared memory: one more than the word of the last test-and-set that stored, its warp and its cycle.
    ("set_word", BANKS), ("set_warp", BANKS), ("set_cycle", BANKS),
    # By slot: one more than the place of a barrier, the cycle in which the last bulk load is there that it is told of;
    # when all of them have.
    ("bulk_place", SLOTS), ("bulk_ready", SLOTS),
    "clock", "waited_until",  # of a block that keeps pace: when a warp of it goes on; the last of those that wait
)  # fmt: skip

# Blocks that keep pace: the machine and its slots, int32[n] how many instructions go on together from each one on, the
# cycles of these, and in blocks that are far from the words they address, and whether a load is the last that asks the
# L2 each time; int64 blocks to come, how many of them have started; cycles from one block to the next in a slot, and
# from a barrier on; when the last block has ended; by how much a word comes later that has changed.
PACE = record("machine_at", "slots", "costs_at", "queue_at", "n_queue", "started", "block_start", "barrier",
              "runs_at", "last_end", "polls_at", "far_costs_at", "changed_later")  # fmt: skip

# The figures of an access (sim/raw_counts.py), side by side in the records that have them.
FIGURE_NAMES = tuple(column.name.lower() for column in FIGURES)

# What the last issue did, for the timing and the events of the cycle-level engine.
EVENT = record(
    "pc", "mask", "on", "taken", "findings",
    "space", "width", "served",
    "global_served",  # of these, the lanes in global memory; the machine's addresses are then theirs
    "other_sectors", "other_wavefronts",  # in the shared memory of other blocks
    *FIGURE_NAMES,
)  # fmt: skip

# A finding of a kind at an instruction; ``other_pc`` is -1 where no other thread has a part in it. ``value`` is the
# second operand of an integer trap, or where an undefined value was read.
FINDING = record(
    "count", "block", "thread", "address", "space", "order", "other_pc", "other_thread", "issue", "value"
)  # fmt: skip

# A word that two threads may have accessed without an order between them (race_screen.py).
SUSPECT = record("block", "space", "address", "other_span")

# A record of the log of accesses: LogRecord of sim/checks.
LOG = record(*LOG_FIELDS)

# An access pattern whose cost is known (access_costs.py). ``relative`` in bytes from the lowest lane's address;
# ``older`` says which entry of a pair was used longer ago; ``word_bits`` has a bit for each 32-bit word accessed, from
# the word of the lowest lane on, or is 0 where they are far apart; ``repeated`` are the lanes on an address that some
# other lane has as well; ``layout`` is one of access_costs.py; ``apart`` are the lanes on another address than the
# lowest, ``apart_by`` the distance of the first of them; the lanes access no byte before ``low`` nor from
# ``high`` on, as distances from the lowest lane's address, and ``misaligned`` is not 0 where an address is no multiple
# of the width. The size is a multiple of 64: rows are aligned in a table.
_PATTERN_FIELDS = (
    "rule", "mask", "phase", "contiguous", "older", "word_bits", "repeated", "layout", "apart", "apart_by", "low",
    "high", "misaligned",
    "data_cycles",  # of L1
    *FIGURE_NAMES,
)  # fmt: skip
PATTERN = np.dtype(
    [
        ("relative", np.int64, (LANES,)),
        *((name, np.int64) for name in _PATTERN_FIELDS),
        ("padding", np.int64, (-len(_PATTERN_FIELDS) % 8,)),
    ],
    align=True,
)

PATTERN_BITS = 9  # their table has 2^PATTERN_BITS entries in pairs, then one that is never found again
RECENT = 1 << 12

PRINTED = record("pc", "block", "thread", ("value", PRINT_VALUES))

# The machine as one host thread sees it.
MACHINE = record(
    # scratch, rows first so that they are aligned; ``address`` keeps those of the memory access issued last
    ("address", LANES), ("physical", LANES), ("relative", LANES), ("shadow", 2 * LANES), ("kept", LANES),
    ("bank_count", MAX_BANKS), ("bank_rows", MAX_BANKS * MAX_BANKS), ("matrix", 2 * MATRIX_ELEMENTS),
    # the program and the launch
    "code_at", "n_code", "registers_image_at", "registers_bytes",
    "filled_bytes32", "filled_bytes64",  # of the rows that the launch fills in; the others begin as zeros
    "constant_at", "constant_bytes",
    "shared_bytes", "own_shared_bytes",  # of a block: all, and those that are the kernel's and not the driver's
    "local_bytes", "local_stride", "rows32", "threads", "n_warps", "grid_x", "grid_y",
    "multiprocessors",
    # Clusters (clusters.py): whether the launch has any, the extents in blocks, those of the grid in clusters; whether
    # generic addresses of shared memory name blocks; the number of block slots
    "in_clusters", "cluster_x", "cluster_y", "cluster_z", "cluster_blocks", "clusters_x", "clusters_y", "names_blocks",
    "block_slots",
    "screens_clusters",  # races between blocks in shared memory are looked for
    "shadow_plane", "shadow_bytes",  # of a block (checks.py): one plane or four
    # rules of the device (sim/rules/codes.py); ``named``: the program has barriers with numbers
    "its", "named", *RuleCodes._fields,
    # 1: the cycles of L1 are asked for; those of the data of the global access issued last
    "l1_timed", "data_cycles",
    "set_window",  # cycles after a test-and-set in which one of another warp of its block fails at its word; 0: none
    # 1: barriers are told of bulk loads when these arrive; the bulk load issued last: from where, how many bytes (0:
    # none), the place of its barrier, and of a multicast one the mask of the ranks of the blocks, else -1
    "times_bulk", "bulk_from", "bulk_size", "bulk_barrier", "bulk_mask",
    # global memory; ``hit_*`` is the allocation hit last; ``all_hit``: all lanes of the access lie in it
    "global_at", "bases_at", "ends_at", "initialised_at", "n_allocations", "written_at",
    "hit_base", "hit_size", "hit_initialised", "all_hit",
    # words that this thread's blocks read and wrote: one bit a 32-bit word, or 0 where nobody asks
    "reads_at", "writes_at",
    # Races (race_screen.py): shadow words of granules of 2^race_shift bytes of global memory, 0 where nobody asks;
    # ``loads_noted_at`` says of each allocation whether its loads are noted, ``hit_noted`` of the one hit last;
    # ``block_spans_at`` int64[blocks] takes each block's first span
    "race_at", "race_shift", "loads_noted_at", "hit_noted", "span", "block_spans_at",
    "suspects_at", "n_suspects", "max_suspects",
    "suspected_global_at", "suspected_shared_at",  # uint32 a word: 1 + the block by which it was suspected last
    # The log (access_log.py), 0 where nobody asks; the maps of what is watched have a byte for a word or a block
    "log_at", "n_log", "max_log", "log_full", "log_sync",
    "log_kinds",  # bit k: records of LogKind k are kept
    "watch_global_at", "watch_shared_at", "watch_blocks_at",
    # Loads of contention.py: tables int64[n_code, columns]; the number of columns is 0 where nobody asks
    "partitions", "partitions_at", "slices", "slices_at",
    # options and results
    "check", "budget", "cancel_at",
    "masks_need_convergence",  # a mask may name no lane that does not execute the primitive together with the others
    # bounds of variables within a space, integer traps, and who waits for whom, are looked at, too
    "source_checks",
    # Undefined values (undefined.py): where the masks of a warp begin, 0 where nobody asks; ``unwritten`` are the
    # lanes of this access that read what nobody has written
    "undefined_image_at", "undefined_bytes", "unwritten",
    "stopped",  # a finding ended the launch
    "changes", "looks",  # how often memory or a barrier has been changed; 1: livelocks are looked for (livelock.py)
    "cycle",  # what CLOCK reads; -1: the number of instructions that the warp has issued
    "counts_at", "findings_at", "n_findings", "event_at", "patterns_at",
    "recent_at",  # int64[RECENT]: addresses of the patterns that instructions had last (access_costs.py)
    "printed_at", "n_printed", "max_printed",
    "texts_at", "n_texts", "max_texts",  # bytes of the strings among what is printed, each with its end
    # blocks and warps resident
    "warps_at", "blocks_at",
)  # fmt: skip
